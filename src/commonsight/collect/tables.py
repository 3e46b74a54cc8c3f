"""The tables, as SQLAlchemy maps them. SQLite and PostgreSQL have the same ones; Alembic changes them.

Times are whole microseconds since 1970 in UTC: both databases sort them alike and neither adds a time zone.
What workers say is kept as the JSON that they sent, checked by the stage's form before it comes here.
A change here is a change in `migrations/versions/`, too: a test compares the two.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that a later migration can change it."""

Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only where the column is a plain integer."""
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
"""Nothing is NULL, and never JSON's own null, so that a query can ask for it."""


GOLD = text("gold IS NOT NULL")
FREE = text("state = 'open' AND taken < wanted AND gold IS NULL")
"""A task with a place for one more worker. Words and no parameters, so that both databases see that a query
asks for what the index holds."""
WAITING = text("state = 'open' AND gold IS NULL")
HELD = text("state = 'held'")
UNSETTLED = text("may_earn > 0")


class Base(DeclarativeBase):
    """The root of all tables."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: BigInteger, dict[str, Any]: Json, list[Any]: Json}


class User(Base):
    """A person with a password."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    password: Mapped[str] = mapped_column(Text)
    """An argon2 hash."""
    made_at: Mapped[int]
    disabled: Mapped[bool] = mapped_column(default=False)


class SignIn(Base):
    """A browser that is signed in: only a hash of its secret is kept."""

    __tablename__ = "sign_ins"
    secret: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    csrf: Mapped[str] = mapped_column(String(64))
    made_at: Mapped[int]
    ends_at: Mapped[int]


class Campaign(Base):
    """One collection: a protocol with its settings."""

    __tablename__ = "campaigns"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(120), unique=True)
    protocol: Mapped[str] = mapped_column(String(40))
    settings: Mapped[dict[str, Any]]
    """Those that differ from the protocol's."""
    state: Mapped[str] = mapped_column(String(16), default="running")
    """running, paused or finished."""
    seed: Mapped[int]
    budget: Mapped[int | None]
    """Money; no work is handed out once what is earned or under way reaches it."""
    gold_rate: Mapped[float] = mapped_column(default=0.0)
    made_at: Mapped[int]


class Member(Base):
    """What a person is in a campaign."""

    __tablename__ = "members"
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    """owner, reviewer or worker."""
    passed: Mapped[list[Any]]
    """Names of the exams that were passed."""
    tier: Mapped[str] = mapped_column(String(40), default="")
    pools: Mapped[list[Any]]
    out_reason: Mapped[str] = mapped_column(Text, default="")
    """Why no more work is handed out; empty while it is."""
    round_began_at: Mapped[int]
    joined_at: Mapped[int]
    forgiven_at: Mapped[int] = mapped_column(default=0)
    """When they were let in again after being out: verdicts from before no longer count against them."""
    samples: Mapped[list[Any]] = mapped_column(default=list)
    """Tasks in which samples of their work of this round are looked at, once they are drawn."""
    takes: Mapped[int] = mapped_column(default=0)
    """How often work was handed out: each time, chance decides anew whether it is gold."""
    reached: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """By stage and pool, the place in the queue of the last task: the search for the next goes on from there,
    so that it need not pass by all that they have done."""


class Invitation(Base):
    """A signed link that makes someone a member, once."""

    __tablename__ = "invitations"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    ends_at: Mapped[int]
    used_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class Picture(Base):
    """A picture by its content; the pixels are a file of that name beside the database."""

    __tablename__ = "pictures"
    hash: Mapped[str] = mapped_column(String(80), primary_key=True)
    """With its ending: `<sha256>.png`."""
    width: Mapped[int]
    height: Mapped[int]


class Task(Base):
    """One piece of work in one stage, for `wanted` workers."""

    __tablename__ = "tasks"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"))
    stage: Mapped[str] = mapped_column(String(40))
    key: Mapped[str] = mapped_column(String(200))
    payload: Mapped[dict[str, Any]]
    about: Mapped[list[Any]]
    """Assignments that it judges."""
    pool: Mapped[str] = mapped_column(String(40), default="")
    state: Mapped[str] = mapped_column(String(16), default="open")
    """open, done, disputed or dropped."""
    reason: Mapped[str] = mapped_column(Text, default="")
    """Why it is disputed or was dropped."""
    wanted: Mapped[int]
    taken: Mapped[int] = mapped_column(default=0)
    """Assignments under way or handed in: never more than wanted."""
    given: Mapped[int] = mapped_column(default=0)
    """Handed in."""
    place: Mapped[int]
    """Where it stands in the queue: drawn from the campaign's seed and its key."""
    gold: Mapped[dict[str, Any] | None]
    """The known answers of a gold task, which workers cannot tell from others."""
    made_at: Mapped[int]
    done_at: Mapped[int | None]
    source_id: Mapped[int | None] = mapped_column(ForeignKey("tasks.id"), index=True)
    """The task that it came of."""

    __table_args__ = (
        UniqueConstraint("campaign_id", "stage", "key"),
        # The last four are the same for all that are in it, or nearly so: with them, it alone can be counted.
        Index(
            "ix_tasks_free", "campaign_id", "stage", "pool", "place", "state", "taken", "wanted", "gold",
            sqlite_where=FREE, postgresql_where=FREE,
        ),
        Index(
            "ix_tasks_waiting", "campaign_id", "stage", "made_at",
            sqlite_where=WAITING, postgresql_where=WAITING,
        ),
        # Counts for dashboards are read from this alone.
        Index("ix_tasks_counts", "campaign_id", "stage", "state", "given", "wanted"),
        # Few tasks are gold, and only those are in it.
        Index("ix_tasks_gold", "campaign_id", "stage", "place", sqlite_where=GOLD, postgresql_where=GOLD),
    )


class Barred(Base):
    """Who must not do a task: they wrote what it judges, or were named."""

    __tablename__ = "barred"
    task_id: Mapped[int] = mapped_column(ForeignKey("tasks.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)


class Assignment(Base):
    """A task in one worker's hands."""

    __tablename__ = "assignments"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("tasks.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"))
    stage: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(16))
    """held, given, returned (by its worker, or when the lease ran out), void (the task went on without it) or
    settled (a reviewer's word on a dispute, which is no one's vote)."""
    draft: Mapped[dict[str, Any] | None]
    answers: Mapped[dict[str, Any] | None]
    key: Mapped[str | None] = mapped_column(String(64), unique=True)
    """The sender's own name for this submission: sent twice, it counts once."""
    held_at: Mapped[int]
    ends_at: Mapped[int]
    given_at: Mapped[int | None]
    seconds: Mapped[float] = mapped_column(default=0.0)
    may_earn: Mapped[int] = mapped_column(default=0)
    """What it may still earn: the most while it is held, then what is paid only if the work is kept, and what
    rewards may add."""

    __table_args__ = (
        UniqueConstraint("task_id", "user_id"),
        Index("ix_assignments_worker", "campaign_id", "user_id", "state", "given_at"),
        Index("ix_assignments_when", "campaign_id", "given_at"),
        Index("ix_assignments_held", "campaign_id", "ends_at", sqlite_where=HELD, postgresql_where=HELD),
        Index(
            "ix_assignments_unsettled", "campaign_id", "stage", "state", "may_earn",
            sqlite_where=UNSETTLED, postgresql_where=UNSETTLED,
        ),
        Index("ix_assignments_stage", "campaign_id", "stage", "given_at"),
    )


class Verdict(Base):
    """A judgement of an assignment: by a reviewer's work, or by gold."""

    __tablename__ = "verdicts"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), index=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    """Whose work it is."""
    stage: Mapped[str] = mapped_column(String(40), default="")
    """The stage of the work."""
    by_gold: Mapped[bool] = mapped_column(default=False)
    good: Mapped[bool]
    reason: Mapped[str] = mapped_column(Text, default="")
    feedback: Mapped[str] = mapped_column(Text, default="")
    made_at: Mapped[int]
    __table_args__ = (Index("ix_verdicts_worker", "campaign_id", "user_id", "made_at"),)


class RecordRow(Base):
    """A finished piece of the benchmark."""

    __tablename__ = "records"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"))
    key: Mapped[str] = mapped_column(String(200))
    data: Mapped[dict[str, Any]]
    by: Mapped[list[Any]]
    task_id: Mapped[int] = mapped_column(ForeignKey("tasks.id"))
    version: Mapped[int] = mapped_column(default=1)
    """Raised when an erratum changes it."""
    removed: Mapped[bool] = mapped_column(default=False)
    """Taken out by an erratum: no export holds it any more."""
    made_at: Mapped[int]
    __table_args__ = (
        UniqueConstraint("campaign_id", "key"),
        Index("ix_records_kept", "campaign_id", "removed"),
        Index("ix_records_task", "task_id"),
    )


class Entry(Base):
    """One line of the pay ledger; lines are never changed, only set off by others.

    `ledger.enter_in` writes them, and keeps the purses in step.
    """

    __tablename__ = "ledger"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    assignment_id: Mapped[int | None] = mapped_column(ForeignKey("assignments.id"))
    amount: Mapped[int]
    kind: Mapped[str] = mapped_column(String(16))
    """work, reward, bonus, exam, undone or payout."""
    reason: Mapped[str] = mapped_column(Text, default="")
    made_at: Mapped[int]
    __table_args__ = (
        Index("ix_ledger_worker", "campaign_id", "user_id"),
        Index("ix_ledger_assignment", "assignment_id"),
    )


class Purse(Base):
    """What the ledger's lines of one member in one stage come to: adding up a million would take too long."""

    __tablename__ = "purses"
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    stage: Mapped[str] = mapped_column(String(40), primary_key=True)
    """Empty for what belongs to no stage: bonuses, exams, payments."""
    earned: Mapped[int] = mapped_column(default=0)
    paid: Mapped[int] = mapped_column(default=0)
    promised: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    """What the bonus of the round that is open may come to at most."""


class ExamTry(Base):
    """One attempt at an exam."""

    __tablename__ = "exam_tries"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    exam: Mapped[str] = mapped_column(String(40))
    samples: Mapped[list[Any]] = mapped_column(default=list)
    """Tasks that the written part was asked about."""
    answers: Mapped[dict[str, Any]]
    share: Mapped[float]
    """Of the graded questions that are right."""
    state: Mapped[str] = mapped_column(String(16))
    """begun (samples are drawn, nothing is handed in), passed, failed or waiting (for a reviewer to read what
    was written)."""
    feedback: Mapped[str] = mapped_column(Text, default="")
    graded_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    key: Mapped[str | None] = mapped_column(String(64), unique=True)
    """The sender's own name for this attempt: sent twice, it counts once."""
    made_at: Mapped[int]
    __table_args__ = (Index("ix_exam_tries_worker", "campaign_id", "user_id", "exam"),)


class Comment(Base):
    """What someone says about a task."""

    __tablename__ = "comments"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("tasks.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str] = mapped_column(Text)
    made_at: Mapped[int]


class Erratum(Base):
    """A fault that someone found in a finished record, and what became of it."""

    __tablename__ = "errata"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"), index=True)
    record_key: Mapped[str] = mapped_column(String(200))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), default="open")
    """open, fixed, removed or refused."""
    answer: Mapped[str] = mapped_column(Text, default="")
    before: Mapped[dict[str, Any] | None]
    """What the record said until it was fixed or removed."""
    made_at: Mapped[int]
    settled_at: Mapped[int | None]
    settled_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class Event(Base):
    """What happened, in order: the log that people read and that webhooks are sent from."""

    __tablename__ = "events"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    kind: Mapped[str] = mapped_column(String(40))
    data: Mapped[dict[str, Any]]
    made_at: Mapped[int]
    told: Mapped[bool] = mapped_column(default=False)
    """Whether it stands in the queue of every webhook that wants it. A flag and no cursor: two transactions
    may be written in another order than they were numbered in, and a cursor would pass one over."""
    __table_args__ = (Index("ix_events_told", "campaign_id", "told", "id"),)


class Webhook(Base):
    """An address that is told of events."""

    __tablename__ = "webhooks"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaigns.id"), index=True)
    url: Mapped[str] = mapped_column(Text)
    private: Mapped[bool] = mapped_column(default=False)
    """Whether it may lie in this machine's own network: only who runs the server can say so."""
    salt: Mapped[str] = mapped_column(String(64))
    """Makes its secret, together with the collection's own: who reads the database can sign nothing."""
    kinds: Mapped[list[Any]]
    """Kinds of events; empty for all."""
    after: Mapped[int] = mapped_column(default=0)
    """The last event before it was added: only later ones are told."""
    failures: Mapped[int] = mapped_column(default=0)
    """In a row."""
    last_error: Mapped[str] = mapped_column(Text, default="")
    next_at: Mapped[int] = mapped_column(default=0)
    """When it is tried again; while it is being tried, until when no other process tries."""


class Delivery(Base):
    """An event that a webhook is still to be told of."""

    __tablename__ = "deliveries"
    webhook_id: Mapped[int] = mapped_column(ForeignKey("webhooks.id"), primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), primary_key=True)

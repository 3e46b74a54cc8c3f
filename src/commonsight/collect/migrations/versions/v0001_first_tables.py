"""The first tables.

Written out and not made from `tables.py`: what a version did must not change when the tables do.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


def _to(name: str, row: str, constraint: str, *, nullable: bool = False) -> sa.Column[int]:
    """A column that names a row of another table."""
    return sa.Column(name, ID, sa.ForeignKey(row, name=constraint), nullable=nullable)


def _index_some(name: str, table: str, columns: list[str], where: str) -> None:
    """An index of the rows of which this is so."""
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _make_campaigns() -> None:
    op.create_table(
        "campaigns",
        sa.Column("id", ID),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("protocol", sa.String(40), nullable=False),
        sa.Column("settings", JSON, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("budget", sa.BigInteger(), nullable=True),
        sa.Column("gold_rate", sa.Double(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_campaigns"),
        sa.UniqueConstraint("name", name="uq_campaigns_name"),
    )


def _make_pictures() -> None:
    op.create_table(
        "pictures",
        sa.Column("hash", sa.String(80)),
        sa.Column("width", sa.BigInteger(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_pictures"),
    )


def _make_users() -> None:
    op.create_table(
        "users",
        sa.Column("id", ID),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("name", name="uq_users_name"),
    )


def _make_errata() -> None:
    op.create_table(
        "errata",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_errata_campaign_id"),
        sa.Column("record_key", sa.String(200), nullable=False),
        _to("user_id", "users.id", "fk_errata_user_id"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("before", JSON, nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        _to("settled_by", "users.id", "fk_errata_settled_by", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_errata"),
    )
    op.create_index("ix_errata_campaign_id", "errata", ["campaign_id"])


def _make_events() -> None:
    op.create_table(
        "events",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_events_campaign_id"),
        _to("user_id", "users.id", "fk_events_user_id", nullable=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("data", JSON, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
    )
    op.create_index("ix_events_campaign_id", "events", ["campaign_id"])
    op.create_index("ix_events_told", "events", ["campaign_id", "told", "id"])


def _make_exam_tries() -> None:
    op.create_table(
        "exam_tries",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_exam_tries_campaign_id"),
        _to("user_id", "users.id", "fk_exam_tries_user_id"),
        sa.Column("exam", sa.String(40), nullable=False),
        sa.Column("samples", JSON, nullable=False),
        sa.Column("answers", JSON, nullable=False),
        sa.Column("share", sa.Double(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("feedback", sa.Text(), nullable=False),
        _to("graded_by", "users.id", "fk_exam_tries_graded_by", nullable=True),
        sa.Column("key", sa.String(64), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_exam_tries"),
        sa.UniqueConstraint("key", name="uq_exam_tries_key"),
    )
    op.create_index("ix_exam_tries_worker", "exam_tries", ["campaign_id", "user_id", "exam"])


def _make_invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(64)),
        _to("campaign_id", "campaigns.id", "fk_invitations_campaign_id"),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        _to("used_by", "users.id", "fk_invitations_used_by", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
    )
    op.create_index("ix_invitations_campaign_id", "invitations", ["campaign_id"])


def _make_members() -> None:
    op.create_table(
        "members",
        _to("campaign_id", "campaigns.id", "fk_members_campaign_id"),
        _to("user_id", "users.id", "fk_members_user_id"),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("passed", JSON, nullable=False),
        sa.Column("tier", sa.String(40), nullable=False),
        sa.Column("pools", JSON, nullable=False),
        sa.Column("out_reason", sa.Text(), nullable=False),
        sa.Column("round_began_at", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("forgiven_at", sa.BigInteger(), nullable=False),
        sa.Column("samples", JSON, nullable=False),
        sa.Column("takes", sa.BigInteger(), nullable=False),
        sa.Column("reached", JSON, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", name="pk_members"),
    )


def _make_purses() -> None:
    op.create_table(
        "purses",
        _to("campaign_id", "campaigns.id", "fk_purses_campaign_id"),
        _to("user_id", "users.id", "fk_purses_user_id"),
        sa.Column("stage", sa.String(40)),
        sa.Column("earned", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", "stage", name="pk_purses"),
    )


def _make_sign_ins() -> None:
    op.create_table(
        "sign_ins",
        sa.Column("secret", sa.String(64)),
        _to("user_id", "users.id", "fk_sign_ins_user_id"),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("secret", name="pk_sign_ins"),
    )
    op.create_index("ix_sign_ins_user_id", "sign_ins", ["user_id"])


def _make_tasks() -> None:
    op.create_table(
        "tasks",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_tasks_campaign_id"),
        sa.Column("stage", sa.String(40), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.Column("about", JSON, nullable=False),
        sa.Column("pool", sa.String(40), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("wanted", sa.BigInteger(), nullable=False),
        sa.Column("taken", sa.BigInteger(), nullable=False),
        sa.Column("given", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("gold", JSON, nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        _to("source_id", "tasks.id", "fk_tasks_source_id", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tasks"),
        sa.UniqueConstraint("campaign_id", "stage", "key", name="uq_tasks_campaign_id_stage_key"),
    )
    op.create_index("ix_tasks_counts", "tasks", ["campaign_id", "stage", "state", "given", "wanted"])
    _index_some(
        "ix_tasks_free", "tasks",
        ["campaign_id", "stage", "pool", "place", "state", "taken", "wanted", "gold"],
        "state = 'open' AND taken < wanted AND gold IS NULL",
    )
    _index_some("ix_tasks_gold", "tasks", ["campaign_id", "stage", "place"], "gold IS NOT NULL")
    op.create_index("ix_tasks_source_id", "tasks", ["source_id"])
    _index_some(
        "ix_tasks_waiting", "tasks", ["campaign_id", "stage", "made_at"],
        "state = 'open' AND gold IS NULL",
    )


def _make_webhooks() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_webhooks_campaign_id"),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("kinds", JSON, nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_index("ix_webhooks_campaign_id", "webhooks", ["campaign_id"])


def _make_assignments() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", ID),
        _to("task_id", "tasks.id", "fk_assignments_task_id"),
        _to("user_id", "users.id", "fk_assignments_user_id"),
        _to("campaign_id", "campaigns.id", "fk_assignments_campaign_id"),
        sa.Column("stage", sa.String(40), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("draft", JSON, nullable=True),
        sa.Column("answers", JSON, nullable=True),
        sa.Column("key", sa.String(64), nullable=True),
        sa.Column("held_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("given_at", sa.BigInteger(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("may_earn", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.UniqueConstraint("key", name="uq_assignments_key"),
        sa.UniqueConstraint("task_id", "user_id", name="uq_assignments_task_id_user_id"),
    )
    _index_some("ix_assignments_held", "assignments", ["campaign_id", "ends_at"], "state = 'held'")
    op.create_index("ix_assignments_stage", "assignments", ["campaign_id", "stage", "given_at"])
    _index_some(
        "ix_assignments_unsettled", "assignments", ["campaign_id", "stage", "state", "may_earn"],
        "may_earn > 0",
    )
    op.create_index("ix_assignments_when", "assignments", ["campaign_id", "given_at"])
    op.create_index("ix_assignments_worker", "assignments", ["campaign_id", "user_id", "state", "given_at"])


def _make_barred() -> None:
    op.create_table(
        "barred",
        _to("task_id", "tasks.id", "fk_barred_task_id"),
        _to("user_id", "users.id", "fk_barred_user_id"),
        sa.PrimaryKeyConstraint("task_id", "user_id", name="pk_barred"),
    )
    op.create_index("ix_barred_user_id", "barred", ["user_id"])


def _make_comments() -> None:
    op.create_table(
        "comments",
        sa.Column("id", ID),
        _to("task_id", "tasks.id", "fk_comments_task_id"),
        _to("user_id", "users.id", "fk_comments_user_id"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_comments"),
    )
    op.create_index("ix_comments_task_id", "comments", ["task_id"])


def _make_deliveries() -> None:
    op.create_table(
        "deliveries",
        _to("webhook_id", "webhooks.id", "fk_deliveries_webhook_id"),
        _to("event_id", "events.id", "fk_deliveries_event_id"),
        sa.PrimaryKeyConstraint("webhook_id", "event_id", name="pk_deliveries"),
    )


def _make_records() -> None:
    op.create_table(
        "records",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_records_campaign_id"),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("data", JSON, nullable=False),
        sa.Column("by", JSON, nullable=False),
        _to("task_id", "tasks.id", "fk_records_task_id"),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
        sa.UniqueConstraint("campaign_id", "key", name="uq_records_campaign_id_key"),
    )
    op.create_index("ix_records_kept", "records", ["campaign_id", "removed"])
    op.create_index("ix_records_task", "records", ["task_id"])


def _make_ledger() -> None:
    op.create_table(
        "ledger",
        sa.Column("id", ID),
        _to("campaign_id", "campaigns.id", "fk_ledger_campaign_id"),
        _to("user_id", "users.id", "fk_ledger_user_id"),
        _to("assignment_id", "assignments.id", "fk_ledger_assignment_id", nullable=True),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
    )
    op.create_index("ix_ledger_assignment", "ledger", ["assignment_id"])
    op.create_index("ix_ledger_worker", "ledger", ["campaign_id", "user_id"])


def _make_verdicts() -> None:
    op.create_table(
        "verdicts",
        sa.Column("id", ID),
        _to("assignment_id", "assignments.id", "fk_verdicts_assignment_id"),
        _to("campaign_id", "campaigns.id", "fk_verdicts_campaign_id"),
        _to("user_id", "users.id", "fk_verdicts_user_id"),
        sa.Column("stage", sa.String(40), nullable=False),
        sa.Column("by_gold", sa.Boolean(), nullable=False),
        sa.Column("good", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("feedback", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_verdicts"),
    )
    op.create_index("ix_verdicts_assignment_id", "verdicts", ["assignment_id"])
    op.create_index("ix_verdicts_worker", "verdicts", ["campaign_id", "user_id", "made_at"])


def upgrade() -> None:
    """From nothing."""
    _make_campaigns()
    _make_pictures()
    _make_users()
    _make_errata()
    _make_events()
    _make_exam_tries()
    _make_invitations()
    _make_members()
    _make_purses()
    _make_sign_ins()
    _make_tasks()
    _make_webhooks()
    _make_assignments()
    _make_barred()
    _make_comments()
    _make_deliveries()
    _make_records()
    _make_ledger()
    _make_verdicts()

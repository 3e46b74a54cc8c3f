"""The pay ledger: what each worker earned and was paid, line by line.

Lines are only ever added. What someone is owed is the sum of their lines: work, rewards and bonuses add to
it, work that was undone and payments take from it. Beside the lines, a purse for each member and stage holds
their sums, so that a dashboard need not add up a million of them. Nothing but `enter_in` writes either;
what a round's bonus may come to has no line yet, and stands in the purse alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from commonsight.collect.counts import earned_in
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.estimate import Estimate, estimate
from commonsight.collect.events import log_in
from commonsight.collect.money import money, plain, read_money
from commonsight.collect.protocol import Money
from commonsight.collect.tables import Campaign, Entry, Purse, User
from commonsight.errors import UsageError, WorkRefused

__all__ = [
    "Balance", "Estimate", "Line", "balances", "earned_in", "end_promises_in", "enter_in", "entries",
    "estimate", "last_payment", "money", "pay_out", "plain", "promise_in", "read_money",
]  # fmt: skip

PAYOUT = "payout"
KINDS = ("work", "reward", "bonus", "exam", "undone", PAYOUT)


class Balance(NamedTuple):
    """What one worker earned, was paid, and is still owed."""

    user_id: int
    name: str
    earned: Money
    paid: Money
    owed: Money


class Line(NamedTuple):
    """One line of the ledger."""

    id: int
    user_id: int
    name: str
    assignment_id: int | None
    amount: Money
    kind: str
    reason: str
    made_at: int


def enter_in(
    session: Session,
    desk: Desk,
    campaign_id: int,
    user_id: int,
    amount: Money,
    kind: str,
    *,
    stage: str = "",
    assignment_id: int | None = None,
    reason: str = "",
    at: int | None = None,
) -> None:
    """Add a line, as part of the write that it is for. No amount, no line."""
    if kind not in KINDS:
        raise UsageError(f"There is no kind '{kind}' of ledger lines. Use one of: {', '.join(KINDS)}.")
    if not amount:
        return
    session.add(
        Entry(
            campaign_id=campaign_id, user_id=user_id, assignment_id=assignment_id, amount=amount, kind=kind,
            reason=reason, made_at=desk.clock() if at is None else at,
        )
    )  # fmt: skip
    of = (campaign_id, user_id, stage)
    if kind == PAYOUT:
        _add_to_purse(session, of, paid=-amount)
    else:
        _add_to_purse(session, of, earned=amount)


def promise_in(session: Session, campaign_id: int, user_id: int, stage: str, amount: Money) -> None:
    """Hold back what a bonus may come to, or less than nothing where work was taken back."""
    if amount:
        _add_to_purse(session, (campaign_id, user_id, stage), promised=amount)


def end_promises_in(session: Session, campaign_id: int, user_id: int) -> None:
    """A round is closed: what was promised in it is earned, or never will be."""
    own = (Purse.campaign_id == campaign_id, Purse.user_id == user_id, Purse.promised != 0)
    session.execute(update(Purse).where(*own).values(promised=0))


def _add_to_purse(session: Session, of: tuple[int, int, str], **amounts: Money) -> None:
    """In one statement, so that two who add at the same time both count."""
    added = {"earned": 0, "paid": 0, "promised": 0} | amounts
    row: dict[str, Any] = dict(zip(("campaign_id", "user_id", "stage"), of, strict=True)) | added
    made = sqlite.insert(Purse) if session.get_bind().dialect.name == "sqlite" else postgresql.insert(Purse)
    sums = {name: getattr(Purse, name) + amount for name, amount in added.items()}
    session.execute(
        made.values(row).on_conflict_do_update(index_elements=["campaign_id", "user_id", "stage"], set_=sums)
    )


def balances(desk: Desk, campaign_id: int) -> list[Balance]:
    """Everyone who ever earned something, by name."""
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        return _balances(session, campaign_id)


def _balances(session: Session, campaign_id: int) -> list[Balance]:
    sums = (
        select(User.id, User.name, func.sum(Purse.earned), func.sum(Purse.paid))
        .join(User, User.id == Purse.user_id)
        .where(Purse.campaign_id == campaign_id)
        .group_by(User.id, User.name)
    )
    found = [
        Balance(user_id, name, int(earned), int(paid), int(earned) - int(paid))
        for user_id, name, earned, paid in session.execute(sums).tuples()
    ]
    return sorted(found, key=lambda balance: balance.name)


def pay_out(
    desk: Desk, campaign_id: int, *, reason: str, by: int | None, total: Money | None = None
) -> list[Balance]:
    """Note that everyone was paid what they are owed. The balances are those from before: `owed` is what
    each one gets now. Who owes (work that was paid and then undone) gets nothing until that is made up.
    With `total`, only if it is still that much: while money was sent, more may have been earned."""

    def work(session: Session) -> list[Balance]:
        _lock(session, campaign_id)  # two who pay at the same time must not both pay
        due = [balance for balance in _balances(session, campaign_id) if balance.owed > 0]
        owed = sum(balance.owed for balance in due)
        if total is not None and total != owed:
            raise WorkRefused(
                "owed-changed", "What is owed has changed meanwhile, so nothing was noted. Look at it again."
            )
        now = desk.clock()
        for balance in due:
            user_id, amount = balance.user_id, -balance.owed
            enter_in(session, desk, campaign_id, user_id, amount, PAYOUT, reason=reason, at=now)
        if due:
            log_in(session, desk, campaign_id, PAYOUT, {"workers": len(due), "amount": owed}, by)
        return due

    return desk.database.write(work)


def _lock(session: Session, campaign_id: int) -> None:
    """Wait for whoever else settles money of this campaign; work goes on meanwhile."""
    found = select(Campaign.id).where(Campaign.id == campaign_id).with_for_update(key_share=True)
    if session.scalar(found) is None:
        campaign_in(session, campaign_id)  # says so


def last_payment(desk: Desk, campaign_id: int) -> list[Line]:
    """The lines of the payment that was noted last, by name."""
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        paid = (Entry.campaign_id == campaign_id, Entry.kind == PAYOUT)
        latest = session.scalar(select(func.max(Entry.made_at)).where(*paid))
        found = _lines(session, *paid, Entry.made_at == latest)
    return sorted(found, key=lambda line: line.name)


def entries(
    desk: Desk, campaign_id: int, user_id: int | None = None, *, before: int | None = None, most: int = 500
) -> list[Line]:
    """The newest lines of a campaign, or of one worker in it; the next page is `before` the last line."""
    wanted = [Entry.campaign_id == campaign_id]
    if user_id is not None:
        wanted.append(Entry.user_id == user_id)
    if before is not None:
        wanted.append(Entry.id < before)
    with desk.database.read() as session:
        return _lines(session, *wanted, most=most)


def _lines(session: Session, *wanted: ColumnElement[bool], most: int | None = None) -> list[Line]:
    columns = (
        Entry.id, Entry.user_id, User.name, Entry.assignment_id, Entry.amount, Entry.kind, Entry.reason,
        Entry.made_at,
    )  # fmt: skip
    found = select(*columns).join(User, User.id == Entry.user_id).where(*wanted)
    return [Line(*row) for row in session.execute(found.order_by(Entry.id.desc()).limit(most))]

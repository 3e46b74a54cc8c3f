"""How good people's work is: rounds with their samples, tiers and bonuses, and who goes on working."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.orm import Session

from commonsight.collect.advance import done_of, make_tasks_in
from commonsight.collect.database import for_change
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.ledger import end_promises_in, enter_in
from commonsight.collect.protocol import Money, Protocol, Said, Sampling, Standing
from commonsight.collect.standing import (
    history_of_in,
    locked_member_in,
    round_done_in,
    send_home_in,
    settle_standing_in,
)
from commonsight.collect.tables import Assignment, Campaign, Entry, Member, Purse, Task, User, Verdict
from commonsight.collect.tasks import place_of
from commonsight.errors import WorkRefused

__all__ = [
    "Bonus", "WorkerLine", "close_round", "draw_samples", "history_of_in", "put_out", "readmit",
    "settle_standing_in", "workers",
]  # fmt: skip

NEWEST = 10_000
"""Answers of a campaign from which it is told how long people take: a page must not wait for all of them."""


class Bonus(NamedTuple):
    """What a round brought someone who worked in it."""

    user_id: int
    name: str
    amount: Money
    """The bonus; less than nothing where part of what the work earned was set off."""
    tier: str


class WorkerLine(NamedTuple):
    """One member and their work."""

    user_id: int
    name: str
    role: str
    given: int
    good: int
    judged: int
    gold_right: int
    gold_seen: int
    tier: str
    out_reason: str
    median_seconds: float
    earned: Money


def draw_samples(desk: Desk, campaign_id: int, by: int | None) -> int:
    """Draw the work of this round that is looked at before it is closed, by chance and once for each worker;
    how many tasks came of it."""

    def work(session: Session) -> int:
        campaign = campaign_in(session, campaign_id)
        protocol = desk.protocol_of(campaign)
        if protocol.sampling is None:
            return 0
        made = 0
        for member in _workers_in(session, campaign_id):
            if not member.samples:
                member.samples = _samples_of_in(session, desk, campaign, protocol.sampling, member)
                made += len(member.samples)
        if made:
            log_in(session, desk, campaign_id, "round", {"samples": made}, by)
        return made

    return desk.database.write(work)


def _workers_in(session: Session, campaign_id: int) -> list[Member]:
    """All workers, held still, in the order of their ids."""
    wanted = select(Member).where(Member.campaign_id == campaign_id, Member.role == "worker")
    return list(session.scalars(for_change(wanted.order_by(Member.user_id))))


def _samples_of_in(
    session: Session, desk: Desk, campaign: Campaign, sampling: Sampling, member: Member
) -> list[int]:
    """The tasks of looking at some of a worker's work of this round."""
    done = (
        select(Assignment, Task)
        .join(Task, Task.id == Assignment.task_id)
        .where(Assignment.campaign_id == campaign.id, Assignment.user_id == member.user_id)
        .where(Assignment.state == "given", Assignment.given_at >= member.round_began_at)
        .where(Assignment.stage == sampling.stage, Task.gold.is_(None))
    )
    rows = session.execute(done).tuples().all()
    ids: list[int] = []
    for assignment, task in sorted(rows, key=lambda row: place_of(campaign.seed, "sample", str(row[0].id))):
        if len(ids) == sampling.size:
            break
        said = Said(assignment.id, assignment.user_id, assignment.answers or {}, assignment.seconds)
        new = sampling.task(done_of(desk, campaign, task, (said,)))
        if new is not None:
            make_tasks_in(session, desk, campaign, [new], source=task)
            at = (Task.campaign_id == campaign.id, Task.stage == new.stage, Task.key == new.key)
            ids.append(session.scalars(select(Task.id).where(*at)).one())
    return ids


def close_round(desk: Desk, campaign_id: int, by: int | None, *, anyway: bool = False) -> list[Bonus]:
    """Settle tiers and bonuses of all who worked since the last round, and begin the next.

    Where the protocol looks at samples first, they are drawn now if they are not yet, and must be done;
    `anyway` closes the round without the rest.
    """
    draw_samples(desk, campaign_id, by)

    def work(session: Session) -> list[Bonus]:
        campaign = campaign_in(session, campaign_id)
        protocol, now = desk.protocol_of(campaign), desk.clock()
        members = _workers_in(session, campaign_id)
        if not anyway:
            _check_samples_in(session, members)
        told = [
            bonus
            for member in members
            if (bonus := _close_for_in(session, desk, campaign, protocol, member)) is not None
        ]
        for member in members:
            # What is handed in at this very moment is still of this round.
            member.round_began_at, member.samples = now + 1, []
        data = {"workers": len(told), "amount": sum(bonus.amount for bonus in told)}
        log_in(session, desk, campaign_id, "round", data, by)
        return told

    return desk.database.write(work)


def _check_samples_in(session: Session, members: list[Member]) -> None:
    ids = [task_id for member in members for task_id in member.samples]
    wanted = select(func.count()).select_from(Task).where(Task.id.in_(ids))
    left = session.scalar(wanted.where(Task.state.in_(("open", "disputed")))) or 0
    if left:
        raise WorkRefused(
            "samples",
            f"{left} of {len(ids)} pieces of work that were drawn for this round are still to be looked at. "
            "Close it when they are.",
        )


def _close_for_in(
    session: Session, desk: Desk, campaign: Campaign, protocol: Protocol, member: Member
) -> Bonus | None:
    """One worker's round; None for who did nothing in it and keeps their standing."""
    done = round_done_in(session, campaign.id, member)
    if not done:
        return None
    standing = settle_standing_in(
        session, desk, campaign, member.user_id, protocol=protocol, closing=True
    )
    amount = 0
    if standing.qualified and not member.out_reason:
        counted = [number for stage, number in done.items() if stage in (standing.bonus_for or done)]
        amount = standing.bonus_each * sum(counted)
        enter_in(session, desk, campaign.id, member.user_id, amount, "bonus", reason="round")
    end_promises_in(session, campaign.id, member.user_id)
    amount -= _set_off_in(session, desk, campaign, member, standing)
    return Bonus(member.user_id, session.get_one(User, member.user_id).name, amount, member.tier)


def _set_off_in(
    session: Session, desk: Desk, campaign: Campaign, member: Member, standing: Standing
) -> Money:
    """Take back the share of a round's earnings that does not stay earned; how much that is."""
    back = 0
    for stage, rate in sorted(standing.rates.items()):
        earned = (
            select(func.coalesce(func.sum(Entry.amount), 0))
            .join(Assignment, Assignment.id == Entry.assignment_id)
            .where(Entry.campaign_id == campaign.id, Entry.user_id == member.user_id)
            .where(Entry.made_at >= member.round_began_at, Assignment.stage == stage)
        )
        kept = min(max(rate, 0.0), 1.0)
        lost = round(int(session.scalar(earned) or 0) * (1.0 - kept))
        reason = f"{kept:.0%} of the round's work was right"
        enter_in(session, desk, campaign.id, member.user_id, -lost, "undone", stage=stage, reason=reason)
        back += lost
    return back


def readmit(desk: Desk, campaign_id: int, user_id: int, by: int | None) -> None:
    """Hand out work to someone again who was out; what was said of their work until now is forgiven."""

    def work(session: Session) -> None:
        campaign = campaign_in(session, campaign_id)
        member = _member_in(session, campaign_id, user_id)
        if not member.out_reason:
            return
        member.out_reason, member.forgiven_at = "", desk.clock() + 1
        session.flush()
        log_in(session, desk, campaign_id, "readmitted", {"user": user_id}, by)
        settle_standing_in(session, desk, campaign, user_id)

    desk.database.write(work)


def put_out(desk: Desk, campaign_id: int, user_id: int, reason: str, by: int | None) -> None:
    """Hand out no more work to someone; what they hold goes back."""

    def work(session: Session) -> None:
        member = _member_in(session, campaign_id, user_id)
        if member.role == "owner":
            raise WorkRefused("owner", "An owner of the campaign cannot be sent away from it.")
        send_home_in(session, desk, member, reason, by)

    desk.database.write(work)


def _member_in(session: Session, campaign_id: int, user_id: int) -> Member:
    member = locked_member_in(session, campaign_id, user_id)
    if member is None:
        raise WorkRefused("not-member", "They do not take part in this campaign.")
    return member


def workers(desk: Desk, campaign_id: int) -> list[WorkerLine]:
    """Everyone in the campaign by name, with how much they did and how good it was."""
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        members = select(Member, User.name).join(User, User.id == Member.user_id)
        members = members.where(Member.campaign_id == campaign_id).order_by(User.name)
        given, medians = _given_in(session, campaign_id), _medians_in(session, campaign_id)
        verdicts, earned = _verdicts_in(session, campaign_id), _earned_in(session, campaign_id)
        return [
            WorkerLine(
                member.user_id, name, member.role, given.get(member.user_id, 0),
                verdicts[member.user_id, False, True],
                verdicts[member.user_id, False, True] + verdicts[member.user_id, False, False],
                verdicts[member.user_id, True, True],
                verdicts[member.user_id, True, True] + verdicts[member.user_id, True, False],
                member.tier, member.out_reason, medians.get(member.user_id, 0.0),
                earned.get(member.user_id, 0),
            )
            for member, name in session.execute(members).tuples()
        ]  # fmt: skip


def _given_in(session: Session, campaign_id: int) -> dict[int, int]:
    given = select(Assignment.user_id, func.count()).where(Assignment.campaign_id == campaign_id)
    given = given.where(Assignment.state == "given").group_by(Assignment.user_id)
    return dict(session.execute(given).tuples().all())


def _verdicts_in(session: Session, campaign_id: int) -> Counter[tuple[int, bool, bool]]:
    """How many there are, by worker, by whether gold said it, and by what was said."""
    columns = (Verdict.user_id, Verdict.by_gold, Verdict.good)
    found = select(*columns, func.count()).where(Verdict.campaign_id == campaign_id).group_by(*columns)
    rows = session.execute(found).tuples()
    return Counter({(user_id, by_gold, good): number for user_id, by_gold, good, number in rows})


def _earned_in(session: Session, campaign_id: int) -> dict[int, Money]:
    sums = select(Purse.user_id, func.sum(Purse.earned)).where(Purse.campaign_id == campaign_id)
    rows = session.execute(sums.group_by(Purse.user_id)).tuples()
    return {user_id: int(amount) for user_id, amount in rows}


def _medians_in(session: Session, campaign_id: int) -> dict[int, float]:
    """How long each worker takes for a piece of work of late, where their pages said so."""
    newest = (
        select(Assignment.user_id, Assignment.seconds, Assignment.state)
        .where(Assignment.campaign_id == campaign_id, Assignment.given_at.is_not(None))
        .order_by(Assignment.given_at.desc())
        .limit(NEWEST)
        .subquery()
    )
    each = newest.c.user_id
    ranked = (
        select(
            each.label("user_id"),
            newest.c.seconds.label("seconds"),
            func.row_number().over(partition_by=each, order_by=newest.c.seconds).label("rank"),
            func.count().over(partition_by=each).label("number"),
        )
        .where(newest.c.state == "given", newest.c.seconds > 0)
        .subquery()
    )
    middle = (cast((ranked.c.number + 1) // 2, Integer), cast((ranked.c.number + 2) // 2, Integer))
    found = select(ranked.c.user_id, func.avg(ranked.c.seconds)).where(ranked.c.rank.in_(middle))
    rows = session.execute(found.group_by(ranked.c.user_id)).tuples()
    return {user_id: float(seconds) for user_id, seconds in rows}

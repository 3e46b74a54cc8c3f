"""Workers doing whatever they like, in any order, beside a model that says what must come of it."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import desks
import pytest
from at_work import NO, QUESTION, YES, begun, check_books, crew, earnings, rows, vote_task, write_task
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from people import HandClock
from toy_protocol import TOY, VOTE, WRITE

from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.handing_in import hand_in, undo
from commonsight.collect.leases import MOST_LEASES
from commonsight.collect.queue import give_back, renew, save_draft, take, tidy
from commonsight.collect.tables import Assignment, RecordRow, Task
from commonsight.errors import WorkRefused

TWO_VOTE = replace(TOY, stages=(WRITE, replace(VOTE, overlap=2)), settings={})
PEOPLE = 3
MINUTES = {"write": 10, "vote": 5}
USERS = st.integers(0, PEOPLE - 1)


def _lenient(*_: Any) -> Any:
    from commonsight.collect.protocol import Standing

    return Standing()


@dataclass
class Hand:
    """What the model knows of an assignment."""

    number: int
    state: str = "held"
    held_at: int = 0
    ends_at: int = 0
    given_at: int = 0
    draft: Any = None
    answer: Any = None
    key: str | None = None


@dataclass
class Job:
    """What the model knows of a task."""

    stage: str
    wanted: int
    writer: int | None = None
    """Who may not do it."""
    source: int | None = None
    state: str = "open"
    hands: dict[int, Hand] = field(default_factory=dict)

    def count(self, *states: str) -> int:
        return sum(hand.state in states for hand in self.hands.values())

    def is_free_for(self, user: int) -> bool:
        mine = self.hands.get(user)
        return (
            self.state == "open"
            and self.count("held", "given") < self.wanted
            and user != self.writer
            and (mine is None or mine.state == "returned")
        )


class Bench(RuleBasedStateMachine):
    """The engine and the model, side by side."""

    def __init__(self, desk: Desk, clock: HandClock) -> None:
        super().__init__()
        self.desk, self.clock = desk, clock
        self.first = begun(desk, write_task("a"), write_task("b"), vote_task("v"), vote_task("w"))
        self.users = crew(desk, self.first, PEOPLE)
        self.jobs = {task.id: Job(task.stage, task.wanted) for task in rows(desk, Task)}
        self.earned = dict.fromkeys(self.users, 0)
        self.records = 0
        self.keys = itertools.count()

    def teardown(self) -> None:
        self.desk.database.close()

    # --- the model ---

    def _mine(self, user: int, *states: str) -> list[tuple[Job, Hand]]:
        return [
            (job, hand)
            for job in self.jobs.values()
            if (hand := job.hands.get(user)) is not None and hand.state in states
        ]

    def _pick(self, user: int, place: int) -> tuple[Job, Hand] | None:
        every = self._mine(user, "held", "given", "returned")
        return every[place % len(every)] if every else None

    def _sweep(self) -> None:
        for job in self.jobs.values():
            for hand in job.hands.values():
                if hand.state == "held" and hand.ends_at <= self.clock():
                    hand.state = "returned"

    def _length(self, job: Job) -> int:
        return MINUTES[job.stage] * 60 * SECOND

    def _hold(self, job: Job, hand: Hand) -> None:
        hand.state, hand.held_at = "held", self.clock()
        hand.ends_at = hand.held_at + self._length(job)

    def _id_of(self, job: Job) -> int:
        return next(number for number, other in self.jobs.items() if other is job)

    def _come_of(self, job: Job, user: int, hand: Hand) -> None:
        """What a task with all its answers becomes."""
        if job.stage == "write":
            job.state = "done"
            made = next(task for task in rows(self.desk, Task, stage="vote") if task.about == [hand.number])
            self.jobs[made.id] = Job("vote", 2, writer=user, source=self._id_of(job))
            return
        votes = [one.answer["good"] for one in job.hands.values() if one.state == "given"]
        if votes == ["yes", "yes"]:
            job.state, self.records = "done", self.records + 1
            if job.writer is not None:
                self.earned[job.writer] += 500
        else:
            job.state = "dropped" if votes == ["no", "no"] else "disputed"

    # --- what workers do ---

    @rule(user=USERS, good=st.booleans())
    def do_something(self, user: int, good: bool) -> None:
        """What workers do most: take what comes, and hand it in."""
        self.take(user, None)
        held = self._mine(self.users[user], "held")
        if held:
            every = self._mine(self.users[user], "held", "given", "returned")
            self.hand_in(user, every.index(held[-1]), good, again=False)

    @rule(user=USERS)
    def do_all(self, user: int) -> None:
        """All that there is for someone."""
        while any(job.is_free_for(self.users[user]) for job in self.jobs.values()) or self._mine(
            self.users[user], "held"
        ):
            self.do_something(user, True)

    @rule(user=USERS, stage=st.sampled_from([None, "write", "vote"]))
    def take(self, user: int, stage: str | None) -> None:
        who = self.users[user]
        got = take(self.desk, self.first, who, stage)
        self._sweep()
        held = [(job, hand) for job, hand in self._mine(who, "held") if stage in (None, job.stage)]
        if held:
            assert got is not None
            latest = max(hand.held_at for _, hand in held)
            assert got.assignment_id in {hand.number for _, hand in held if hand.held_at == latest}
            return
        free = {n: job for n, job in self.jobs.items() if job.is_free_for(who) and stage in (None, job.stage)}
        if not free:
            assert got is None
            return
        assert got is not None
        job = free[got.task_id]
        begun_ones = [n for n, one in free.items() if who in one.hands and one.hands[who].draft is not None]
        if begun_ones:
            assert got.task_id in begun_ones
        else:
            assert job.stage == ("vote" if any(one.stage == "vote" for one in free.values()) else "write")
        hand = job.hands.setdefault(who, Hand(got.assignment_id))
        assert hand.number == got.assignment_id
        assert got.draft == hand.draft
        self._hold(job, hand)
        assert got.ends_at == hand.ends_at

    def _renewed(self, user: int, place: int, verb: Any) -> Hand | None:
        picked = self._pick(self.users[user], place)
        if picked is None:
            return None
        job, hand = picked
        allowed = hand.state == "held" or job.is_free_for(self.users[user])
        try:
            until = verb(hand.number, self.users[user])
        except WorkRefused:
            assert not allowed
            return None
        assert allowed
        if hand.state != "held":
            self._hold(job, hand)
        length = self._length(job)
        hand.ends_at = max(hand.ends_at, min(self.clock() + length, hand.held_at + MOST_LEASES * length))
        assert until == hand.ends_at
        return hand

    @rule(user=USERS, place=st.integers(0, 9))
    def renew(self, user: int, place: int) -> None:
        self._renewed(user, place, lambda number, who: renew(self.desk, number, who))

    @rule(user=USERS, place=st.integers(0, 9), text=st.text(max_size=3))
    def draft(self, user: int, place: int, text: str) -> None:
        kept = {"question": text.replace("\0", "")}
        hand = self._renewed(user, place, lambda number, who: save_draft(self.desk, number, who, kept))
        if hand is not None:
            hand.draft = rows(self.desk, Assignment, id=hand.number)[0].draft

    @rule(user=USERS, place=st.integers(0, 9), good=st.booleans(), again=st.booleans())
    def hand_in(self, user: int, place: int, good: bool, again: bool) -> None:
        who = self.users[user]
        picked = self._pick(who, place)
        if picked is None:
            return
        job, hand = picked
        key = hand.key if again and hand.key else f"k{next(self.keys)}"
        answer = QUESTION if job.stage == "write" else YES if good else NO
        amount = 1000 if job.stage == "write" else 200
        if key == hand.key:
            self._hand_in_again(who, hand, answer, key, amount)
            return
        allowed = hand.state == "held" or job.is_free_for(who)
        try:
            told = hand_in(self.desk, hand.number, who, answer, key=key)
        except WorkRefused:
            assert not allowed
            return
        assert allowed
        assert (told.assignment_id, told.earned, told.gold) == (hand.number, amount, None)
        hand.state, hand.answer, hand.draft, hand.key = "given", answer, None, key
        hand.given_at = self.clock()
        self.earned[who] += amount
        if job.count("given") == job.wanted:
            self._come_of(job, who, hand)

    def _hand_in_again(self, who: int, hand: Hand, answer: Any, key: str, amount: int) -> None:
        if hand.state == "given":
            assert hand_in(self.desk, hand.number, who, answer, key=key).earned == amount
            return
        with pytest.raises(WorkRefused, match="taken this back since"):
            hand_in(self.desk, hand.number, who, answer, key=key)

    @rule(user=USERS, place=st.integers(0, 9))
    def give_back(self, user: int, place: int) -> None:
        picked = self._pick(self.users[user], place)
        if picked is not None:
            _, hand = picked
            give_back(self.desk, hand.number, self.users[user])
            if hand.state == "held":
                hand.state, hand.draft = "returned", None

    @rule(user=USERS, place=st.integers(0, 9))
    def undo(self, user: int, place: int) -> None:
        who = self.users[user]
        picked = self._pick(who, place)
        if picked is None:
            return
        job, hand = picked
        came = [n for n, other in self.jobs.items() if other.source == self._id_of(job)]
        untouched = job.stage == "write" and job.state == "done" and not any(self.jobs[n].hands for n in came)
        recent = self.clock() - hand.given_at <= 3600 * SECOND
        allowed = hand.state != "given" or job.state == "open" or (untouched and recent)
        try:
            undo(self.desk, hand.number, who)
        except WorkRefused:
            assert not allowed
            return
        assert allowed
        if hand.state == "given":
            self.earned[who] -= 1000 if job.stage == "write" else 200
            self._hold(job, hand)
            hand.draft, job.state = hand.answer, "open"
            for number in came:
                del self.jobs[number]

    @rule(seconds=st.sampled_from([1, 100, 299, 301, 599, 601, 4000, -60]))
    def time_passes(self, seconds: int) -> None:
        self.clock.pass_seconds(seconds)

    @precondition(lambda self: any(job.count("held") for job in self.jobs.values()))
    @rule()
    def tidy(self) -> None:
        tidy(self.desk, self.first)
        self._sweep()

    # --- what must hold ---

    @invariant()
    def the_books_are_right(self) -> None:
        check_books(self.desk)

    @invariant()
    def the_engine_is_as_the_model(self) -> None:
        tasks = {task.id: (task.stage, task.state, task.taken, task.given) for task in rows(self.desk, Task)}
        assert tasks == {
            number: (job.stage, job.state, job.count("held", "given"), job.count("given"))
            for number, job in self.jobs.items()
        }
        hands = {
            (one.task_id, one.user_id): (one.state, one.ends_at if one.state == "held" else 0, one.draft)
            for one in rows(self.desk, Assignment)
        }
        assert hands == {
            (number, user): (hand.state, hand.ends_at if hand.state == "held" else 0, hand.draft)
            for number, job in self.jobs.items()
            for user, hand in job.hands.items()
        }
        sums = earnings(self.desk, self.first)
        assert {user: sums.get(user, 0) for user in self.users} == self.earned
        assert len(rows(self.desk, RecordRow)) == self.records


UNHURRIED = list(HealthCheck)


@pytest.mark.parametrize(("kind", "share"), [("sqlite", 8), ("postgresql", 20)])
def test_whatever_workers_do_the_books_are_right(
    request: pytest.FixtureRequest, kind: str, share: int
) -> None:
    protocols = {"toy": replace(TWO_VOTE, standing=_lenient)}
    numbers = itertools.count()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:

        def bench() -> Bench:
            clock = HandClock()
            if kind == "sqlite":
                path = Path(folder) / f"{next(numbers)}.sqlite"
                shutil.copyfile(request.getfixturevalue("prepared_file"), path)
                url = sqlite_url(path)
            else:
                url = desks.emptied(request.getfixturevalue("postgres"))
            return Bench(Desk(Database(url), protocols, Path(folder), b"secret", clock), clock)

        examples = max(3, settings().max_examples // share)
        few = settings(max_examples=examples, stateful_step_count=20, suppress_health_check=UNHURRIED)
        run_state_machine_as_test(bench, settings=few)

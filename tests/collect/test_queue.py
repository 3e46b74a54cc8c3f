"""Who gets which work: each task as often as it is wanted, nobody twice, and never what is not for them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from at_work import (
    NO,
    QUESTION,
    YES,
    begun,
    check_books,
    crew,
    do,
    kinds,
    row,
    rows,
    taken,
    vote_task,
    write_task,
)
from people import HandClock, person, tasks, worker
from sqlalchemy import update

from commonsight.collect.campaigns import set_state
from commonsight.collect.desk import SECOND, Desk
from commonsight.collect.handing_in import hand_in, undo
from commonsight.collect.protocol import NewTask
from commonsight.collect.queue import give_back, look, renew, save_draft, take, tidy, waiting
from commonsight.collect.tables import Assignment, Barred, Event, Member, Task
from commonsight.errors import InvalidAnswers, WorkRefused


def _refused(desk: Desk, campaign_id: int, user_id: int, stage: str | None = None) -> str:
    with pytest.raises(WorkRefused) as raised:
        take(desk, campaign_id, user_id, stage)
    return raised.value.code


def test_a_worker_holds_one_task_until_it_is_handed_in(desk: Desk) -> None:
    first = begun(desk, write_task("a"), write_task("b"))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    assert take(desk, first, ann) == work == look(desk, work.assignment_id, ann)
    assert work.payload["picture"]["regions"][1] == {"label": "dog"}
    hand_in(desk, work.assignment_id, ann, QUESTION, key="k")
    assert taken(desk, first, ann).task_id != work.task_id
    check_books(desk)


def test_tasks_come_in_an_order_drawn_by_chance_and_run_out(desk: Desk) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(12)))
    (ann,) = crew(desk, first, 1)
    seen = [do(desk, first, ann, QUESTION, "write").assignment_id for _ in range(12)]
    assert len(set(seen)) == 12
    assert take(desk, first, ann) is None  # the votes that came of it are for others
    by_place = [task.key for task in sorted(rows(desk, Task, stage="write"), key=lambda task: task.place)]
    assert by_place != sorted(by_place)
    order = {task.id: task.key for task in rows(desk, Task)}
    assert [order[one.task_id] for one in rows(desk, Assignment)] == by_place
    check_books(desk)


def test_as_many_as_are_wanted_and_nobody_twice(desk: Desk) -> None:
    first = begun(desk, vote_task("v"))
    people = crew(desk, first, 4)
    for user_id in people[:3]:
        taken(desk, first, user_id)
    assert take(desk, first, people[3]) is None
    for user_id in people[:3]:
        do(desk, first, user_id, YES)
        assert take(desk, first, user_id) is None
    check_books(desk)


def test_nobody_judges_their_own_work_nor_work_that_rests_on_it(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann, bob, cat = crew(desk, first, 3)
    do(desk, first, ann, QUESTION)
    assert take(desk, first, ann) is None
    assert [barred.user_id for barred in rows(desk, Barred)] == [ann]
    handed = do(desk, first, bob, YES)
    (about,) = tasks(desk, first, vote_task("again"))
    from commonsight.collect.advance import make_tasks_in
    from commonsight.collect.desk import campaign_in

    new = vote_task("judges the vote", about=(handed.assignment_id,), not_for=(cat,))
    desk.database.write(lambda session: make_tasks_in(session, desk, campaign_in(session, first), [new]))
    judging = row(desk, Task, key="judges the vote")
    assert {one.user_id for one in rows(desk, Barred, task_id=judging.id)} == {ann, bob, cat}
    assert {taken(desk, first, user_id).task_id for user_id in (ann, bob)} == {about}
    check_books(desk)


def test_what_finishes_others_work_comes_first(desk: Desk) -> None:
    first = begun(desk, *(write_task(f"w{number}") for number in range(5)), vote_task("v"))
    ann, bob = crew(desk, first, 2)
    assert taken(desk, first, ann).stage == "vote"
    assert taken(desk, first, bob, "write").stage == "write"
    assert taken(desk, first, bob, "vote").stage == "vote"
    assert waiting(desk, first, bob) == {"write": 4, "vote": 0}
    assert waiting(desk, first, worker(desk, first, "new")) == {"write": 4}


def test_who_may_not_work_is_told_why(desk: Desk) -> None:
    first = begun(desk, write_task("a"), vote_task("v"))
    assert _refused(desk, first, person(desk, "stranger")) == "not-member"
    ann = worker(desk, first, "ann")
    assert _refused(desk, first, ann, "vote") == "exam:start"
    do(desk, first, ann, QUESTION)
    assert _refused(desk, first, ann) == "exam:start"  # all that is left
    reviewer = worker(desk, first, "reviewer", role="reviewer")
    assert take(desk, first, reviewer) is None
    set_state(desk, first, "paused", None)
    assert _refused(desk, first, ann) == "paused"
    set_state(desk, first, "finished", None)
    assert _refused(desk, first, ann) == "finished"
    set_state(desk, first, "running", None)
    change = update(Member).where(Member.user_id == ann).values(out_reason="Too hasty.")
    desk.database.write(lambda session: session.execute(change) and None)
    assert _refused(desk, first, ann) == "out"


def test_what_is_held_can_be_finished_while_paused(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    set_state(desk, first, "paused", None)
    assert take(desk, first, ann) == work
    assert hand_in(desk, work.assignment_id, ann, QUESTION, key="k").earned == 1000


def test_pools_are_for_those_whose_tier_opens_them(desk: Desk) -> None:
    first = begun(desk, write_task("hard", pool="hard"), write_task("easy"))
    ann = worker(desk, first, "ann")
    best = worker(desk, first, "best", pools=("hard",))
    assert waiting(desk, first, ann) == {"write": 1}
    assert waiting(desk, first, best) == {"write": 2}
    easy, hard = row(desk, Task, key="easy"), row(desk, Task, key="hard")
    assert taken(desk, first, best).task_id == hard.id
    assert taken(desk, first, ann).task_id == easy.id
    assert take(desk, first, worker(desk, first, "late")) is None


def test_a_closed_tab_returns_the_work(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"))
    ann, bob = crew(desk, first, 2)
    work = taken(desk, first, ann)
    assert work.ends_at == clock() + 600 * SECOND
    clock.pass_seconds(599)
    assert take(desk, first, bob) is None
    clock.pass_seconds(1)
    got = taken(desk, first, bob)
    assert got.task_id == work.task_id
    for verb in (look, renew):
        with pytest.raises(WorkRefused, match="longer than its time"):
            verb(desk, work.assignment_id, ann)
    with pytest.raises(WorkRefused, match="longer than its time"):
        hand_in(desk, work.assignment_id, ann, QUESTION, key="late")
    assert "returned" in kinds(desk, first)
    check_books(desk)


def test_an_open_tab_holds_on_but_not_for_ever(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"))
    ann, bob = crew(desk, first, 2)
    work = taken(desk, first, ann)
    ends = 0
    for _ in range(40):
        clock.pass_seconds(500)
        ends = renew(desk, work.assignment_id, ann)
        if ends <= clock():
            break
        assert take(desk, first, bob) is None
    assert ends == work.ends_at + 19 * 600 * SECOND
    assert taken(desk, first, bob).task_id == work.task_id


def test_late_work_counts_while_its_place_is_free(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"), write_task("b"))
    ann, bob = crew(desk, first, 2)
    work = taken(desk, first, ann)
    clock.pass_seconds(5000)
    tidy(desk, first)
    assert row(desk, Assignment, id=work.assignment_id).state == "returned"
    assert hand_in(desk, work.assignment_id, ann, QUESTION, key="late").earned == 1000
    again = taken(desk, first, bob, "write")
    clock.pass_seconds(5000)  # over, and nobody has asked since
    hand_in(desk, again.assignment_id, bob, QUESTION, key="later")
    check_books(desk)


def test_a_lease_that_ran_out_begins_anew_where_it_can(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    clock.pass_seconds(5000)
    tidy(desk, first)
    assert renew(desk, work.assignment_id, ann) == clock() + 600 * SECOND
    assert look(desk, work.assignment_id, ann).task_id == work.task_id
    clock.pass_seconds(5000)
    tidy(desk, first)
    set_state(desk, first, "paused", None)
    with pytest.raises(WorkRefused):
        renew(desk, work.assignment_id, ann)
    check_books(desk)


def test_drafts_are_kept_and_come_back_with_the_work(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(5)))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    clock.pass_seconds(300)
    until = save_draft(desk, work.assignment_id, ann, {"question": "Why is\0"})
    assert until == clock() + 600 * SECOND
    assert taken(desk, first, ann).draft == {"question": "Why is"}
    clock.pass_seconds(10_000)
    back = taken(desk, first, ann)
    assert (back.task_id, back.draft) == (work.task_id, {"question": "Why is"})
    give_back(desk, work.assignment_id, ann)
    give_back(desk, work.assignment_id, ann)
    other = taken(desk, first, ann)
    assert (other.task_id != work.task_id, other.draft) == (True, None)
    with pytest.raises(InvalidAnswers):
        save_draft(desk, other.assignment_id, ann, ["x"])  # type: ignore[arg-type]
    check_books(desk)


def test_what_was_given_back_comes_again_when_nothing_else_is_left(desk: Desk) -> None:
    first = begun(desk, write_task("a"), write_task("b"))
    (ann,) = crew(desk, first, 1)
    back = taken(desk, first, ann)
    give_back(desk, back.assignment_id, ann)
    do(desk, first, ann, QUESTION)
    again = taken(desk, first, ann)
    assert (again.task_id, again.assignment_id) == (back.task_id, back.assignment_id)
    check_books(desk)


def test_others_hands_are_others(desk: Desk) -> None:
    first = begun(desk, write_task("a"))
    ann, bob = crew(desk, first, 2)
    work = taken(desk, first, ann)
    number = work.assignment_id
    for verb in (look, renew, give_back, undo):
        for wrong in (number, number + 99):
            with pytest.raises(WorkRefused, match="not yours"):
                verb(desk, wrong, bob)
    with pytest.raises(WorkRefused, match="not yours"):
        save_draft(desk, number, bob, {})
    with pytest.raises(WorkRefused, match="not yours"):
        hand_in(desk, number, bob, QUESTION, key="x")
    assert look(desk, number, ann) == work


@pytest.mark.parametrize("wanted", [1, 2])
def test_many_race_for_the_last_place(desk: Desk, wanted: int) -> None:
    first = begun(desk, write_task("last", overlap=wanted))
    people = crew(desk, first, 8)
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda user_id: take(desk, first, user_id), people))
    assert sum(work is not None for work in got) == wanted
    check_books(desk)


def test_one_worker_in_many_tabs_gets_one_task(desk: Desk) -> None:
    first = begun(desk, *(write_task(f"t{number}") for number in range(9)))
    (ann,) = crew(desk, first, 1)
    with ThreadPoolExecutor(6) as pool:
        got = list(pool.map(lambda _: taken(desk, first, ann).task_id, range(6)))
    assert len(set(got)) == 1
    check_books(desk)


def test_a_task_waits_as_long_as_its_stage_says(desk: Desk, clock: HandClock) -> None:
    from dataclasses import replace

    from toy_protocol import TOY, VOTE, WRITE

    patient = replace(TOY, stages=(WRITE, replace(VOTE, days=2.0)))
    waiting_desk = replace(desk, protocols={"toy": patient})
    first = begun(desk, vote_task("none"), vote_task("one"), vote_task("held"))
    ann, bob = crew(desk, first, 2)
    ids = {task.id: task.key for task in rows(desk, Task)}
    while ids[(work := taken(desk, first, ann)).task_id] != "one":
        give_back(desk, work.assignment_id, ann)
    hand_in(desk, work.assignment_id, ann, YES, key="k")
    clock.pass_seconds(2 * 86_400 - 1)
    assert tidy(waiting_desk, first) == 0
    while ids[(work := taken(desk, first, bob)).task_id] != "held":
        give_back(desk, work.assignment_id, bob)
    clock.pass_seconds(1)
    assert tidy(waiting_desk, first) == 2
    states = {task.key: (task.state, task.reason) for task in rows(desk, Task, stage="vote")}
    assert states == {
        "none": ("dropped", "Nobody did it in 2 days."), "one": ("done", ""), "held": ("open", ""),
    }  # fmt: skip
    check_books(desk)


def test_the_clock_of_the_machine_is_set_forward_and_back(desk: Desk, clock: HandClock) -> None:
    """A lease made while the clock was a day ahead ends as soon as any other, once the clock is right."""
    first = begun(desk, write_task("a"), write_task("b"))
    ann, bob = crew(desk, first, 2)
    early = taken(desk, first, ann)
    clock.pass_seconds(86_400)  # set forward: the lease is over
    ahead = taken(desk, first, bob)
    assert early.task_id == ahead.task_id or ahead.ends_at > early.ends_at
    late = taken(desk, first, ann)
    clock.pass_seconds(-86_400)  # and back
    tidy(desk, first)
    assert max(one.ends_at for one in rows(desk, Assignment)) == clock() + 600 * SECOND
    assert look(desk, ahead.assignment_id, bob).task_id == ahead.task_id  # nobody lost what they held
    assert take(desk, first, worker(desk, first, "new")) is None
    clock.pass_seconds(600)
    assert take(desk, first, worker(desk, first, "new")) is not None
    assert {event.kind for event in rows(desk, Event, kind="returned")} == {"returned"}
    assert late.task_id != ahead.task_id
    check_books(desk)


def test_a_small_step_back_shortens_no_lease(desk: Desk, clock: HandClock) -> None:
    first = begun(desk, write_task("a"))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    clock.pass_seconds(-120)
    tidy(desk, first)
    assert look(desk, work.assignment_id, ann).ends_at == work.ends_at
    assert renew(desk, work.assignment_id, ann) == work.ends_at


def test_what_only_the_next_step_may_know_does_not_leave(desk: Desk) -> None:
    first = begun(desk, NewTask("vote", "v", {"question": "Why?", "_right": "yes"}))
    (ann,) = crew(desk, first, 1)
    work = taken(desk, first, ann)
    assert work.payload == {"question": "Why?"}
    assert look(desk, work.assignment_id, ann).payload == {"question": "Why?"}
    do(desk, first, ann, NO)

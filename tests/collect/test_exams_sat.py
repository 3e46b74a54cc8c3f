"""Exams: graded at once, read by another, as often as they may be tried."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from at_work import QUESTION, begun, kinds, row, rows, taken, vote_task, write_task
from people import member, person, worker
from toy_protocol import EXAM, TOY

from commonsight.collect.desk import Desk
from commonsight.collect.exams import QuestionTold, exam_for, sit
from commonsight.collect.grading import grade, to_grade
from commonsight.collect.protocol import Field
from commonsight.collect.tables import ExamTry
from commonsight.errors import InvalidAnswers, WorkRefused

WRITTEN = replace(EXAM, written=(Field("essay", "text", "Write.", least_words=2),), distinction="more")
SAMPLED = replace(
    EXAM, written=(Field("question", "tagged", "Ask.", about="picture"),), samples_of="write", samples=2
)
RIGHT, WRONG = {"sky": "yes"}, {"sky": "no"}


def _with(desk: Desk, exam: Any) -> Desk:
    return replace(desk, protocols={"toy": replace(TOY, exams=(exam,))})


def _refused(work: Any) -> str:
    with pytest.raises(WorkRefused) as raised:
        work()
    return raised.value.code


def test_who_passes_may_work(desk: Desk) -> None:
    first = begun(desk, vote_task("v"))
    ann = worker(desk, first, "ann")
    view = exam_for(desk, first, ann, "start")
    assert (view.exam, view.tries_left, view.state, view.samples) == (EXAM, 2, "open", ())
    told = sit(desk, first, ann, "start", RIGHT)
    assert (told.state, told.share, told.told) == ("passed", 1.0, (QuestionTold("sky", True, "It is."),))
    assert member(desk, first, ann).passed == ["start"]
    assert taken(desk, first, ann).stage == "vote"
    assert exam_for(desk, first, ann, "start").state == "passed"
    assert _refused(lambda: sit(desk, first, ann, "start", RIGHT)) == "exam-passed"
    assert "exam" in kinds(desk, first)


def test_tries_run_out(desk: Desk) -> None:
    first = begun(desk, vote_task("v"))
    ann = worker(desk, first, "ann")
    with pytest.raises(InvalidAnswers, match="sky: Choose one"):
        sit(desk, first, ann, "start", {})
    assert sit(desk, first, ann, "start", WRONG, key="k").told == (QuestionTold("sky", False, "It is."),)
    assert sit(desk, first, ann, "start", WRONG, key="k").state == "failed"  # the same one again
    assert exam_for(desk, first, ann, "start").tries_left == 1
    bob = worker(desk, first, "bob")
    assert _refused(lambda: sit(desk, first, bob, "start", RIGHT, key="k")) == "key-used"
    assert sit(desk, first, ann, "start", WRONG).state == "failed"
    assert exam_for(desk, first, ann, "start").state == "failed"
    assert _refused(lambda: sit(desk, first, ann, "start", RIGHT)) == "exam-failed"
    assert _refused(lambda: exam_for(desk, first, ann, "other")) == "no-exam"
    assert _refused(lambda: exam_for(desk, first, person(desk, "stranger"), "start")) == "not-member"


def test_many_tries_at_once_are_no_more_than_allowed(desk: Desk) -> None:
    first = begun(desk)
    ann = worker(desk, first, "ann")

    def once(_: int) -> str:
        try:
            return sit(desk, first, ann, "start", WRONG).state
        except WorkRefused as refused:
            return refused.code

    with ThreadPoolExecutor(6) as pool:
        told = sorted(pool.map(once, range(6)))
    assert told == ["exam-failed"] * 4 + ["failed"] * 2


def test_another_reads_what_was_written(desk: Desk) -> None:
    written = _with(desk, WRITTEN)
    first = begun(written)
    ann = worker(written, first, "ann")
    boss = worker(written, first, "boss", role="reviewer")
    with pytest.raises(InvalidAnswers, match="at least 2 words"):
        sit(written, first, ann, "start", RIGHT | {"essay": "Hm."})
    assert sit(written, first, ann, "start", WRONG | {"essay": "So it is."}).state == "failed"
    assert to_grade(written, first) == []
    assert sit(written, first, ann, "start", RIGHT | {"essay": "So it is."}).state == "waiting"
    assert exam_for(written, first, ann, "start").state == "waiting"
    assert _refused(lambda: sit(written, first, ann, "start", RIGHT | {"essay": "a b"})) == "exam-waiting"
    (waiting,) = to_grade(written, first)
    assert (waiting.name, waiting.answers["essay"], waiting.share) == ("ann", "So it is.", 1.0)
    assert _refused(lambda: grade(written, waiting.try_id, ann, True, "")) == "not-reviewer"
    assert _refused(lambda: grade(written, waiting.try_id + 9, boss, True, "")) == "no-exam"
    grade(written, waiting.try_id, boss, True, "Lovely.", distinction=True)
    assert member(desk, first, ann).passed == ["start", "more"]
    assert exam_for(written, first, ann, "start").feedback == "Lovely."
    assert _refused(lambda: grade(written, waiting.try_id, boss, False, "")) == "graded"
    assert row(desk, ExamTry, state="passed").graded_by == boss


def test_nobody_grades_themselves(desk: Desk) -> None:
    written = _with(desk, WRITTEN)
    first = begun(written)
    boss = worker(written, first, "boss", role="owner")
    sit(written, first, boss, "start", RIGHT | {"essay": "So it is."})
    (waiting,) = to_grade(written, first)
    assert _refused(lambda: grade(written, waiting.try_id, boss, True, "")) == "own-work"


def test_who_fails_the_written_part_may_try_again(desk: Desk) -> None:
    written = _with(desk, WRITTEN)
    first = begun(written)
    ann, boss = worker(written, first, "ann"), worker(written, first, "boss", role="owner")
    for left in (1, 0):
        assert sit(written, first, ann, "start", RIGHT | {"essay": "So it is."}).state == "waiting"
        grade(written, to_grade(written, first)[0].try_id, boss, False, "Too short.")
        assert exam_for(written, first, ann, "start").tries_left == left
    assert member(desk, first, ann).passed == []
    assert exam_for(written, first, ann, "start").state == "failed"


def test_the_written_part_is_about_samples(desk: Desk) -> None:
    sampled = _with(desk, SAMPLED)
    first = begun(sampled)
    ann, boss = worker(sampled, first, "ann"), worker(sampled, first, "boss", role="reviewer")
    assert _refused(lambda: exam_for(sampled, first, ann, "start")) == "no-samples"
    from people import tasks

    ids = tasks(sampled, first, *(write_task(f"t{number}") for number in range(9)))
    view = exam_for(sampled, first, ann, "start")
    assert len(view.samples) == 2
    assert {sample.task_id for sample in view.samples} < set(ids)
    assert view.samples[0].payload["picture"]["regions"]
    tasks(sampled, first, *(write_task(f"more{number}") for number in range(20)))
    assert exam_for(sampled, first, ann, "start") == view  # the same until it is handed in
    with pytest.raises(InvalidAnswers, match=r"samples\.1\.question: \[cat9\] is no box"):
        sit(sampled, first, ann, "start", RIGHT | {"samples": [QUESTION, {"question": "Is [cat9] it?"}]})
    with pytest.raises(InvalidAnswers, match=r"samples\.1\.question: Write something here"):
        sit(sampled, first, ann, "start", RIGHT | {"samples": [QUESTION]})
    sit(sampled, first, ann, "start", RIGHT | {"samples": [QUESTION, QUESTION]})
    (waiting,) = to_grade(sampled, first)
    assert waiting.samples == view.samples
    assert waiting.answers["samples"] == [QUESTION, QUESTION]
    grade(sampled, waiting.try_id, boss, False, "No.")
    other = exam_for(sampled, first, ann, "start")
    assert len(other.samples) == 2
    assert len(rows(desk, ExamTry)) == 2


def test_samples_go_round_at_the_end_of_the_queue(desk: Desk) -> None:
    sampled = _with(desk, replace(SAMPLED, samples=4))
    first = begun(sampled, *(write_task(f"t{number}") for number in range(4)))
    for number in range(4):
        view = exam_for(sampled, first, worker(sampled, first, f"w{number}x"), "start")
        assert len({sample.task_id for sample in view.samples}) == 4

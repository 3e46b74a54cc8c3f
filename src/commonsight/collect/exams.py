"""Exams: questions with known answers, graded at once, and writing that a reviewer reads (`grading`).

Answers are those of the graded questions by their fields' names, and of the written part: its fields by name,
or, where it is asked about samples, `samples` with the fields of each, in order. Until it is handed in, a try
that was begun holds them as a draft.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.forms import checked, draft_of
from commonsight.collect.leases import working_member_in
from commonsight.collect.protocol import Exam, Protocol, visible
from commonsight.collect.tables import Campaign, ExamTry, Member, Task
from commonsight.collect.tasks import place_of
from commonsight.errors import Complaint, InvalidAnswers, WorkRefused

SAMPLES = "samples"
TRIED = ("passed", "failed", "waiting")
"""States of a try that was handed in."""


class Sample(NamedTuple):
    """A task that the written part is asked about."""

    task_id: int
    payload: dict[str, Any]


class ExamView(NamedTuple):
    """An exam as someone finds it."""

    exam: Exam
    tries_left: int
    state: str
    """open (they may sit it), waiting (someone is to read it), passed, or failed for good."""
    samples: tuple[Sample, ...] = ()
    feedback: str = ""
    """What was said of the last try."""
    draft: Mapping[str, Any] = {}
    """What was written of the next one so far."""


class QuestionTold(NamedTuple):
    """How one graded question was answered."""

    name: str
    right: bool
    why: str


class ExamResult(NamedTuple):
    """What came of a try."""

    state: str
    """passed, failed or waiting."""
    share: float
    """Of the graded questions that were right."""
    told: tuple[QuestionTold, ...]


def exam_of(protocol: Protocol, name: str) -> Exam:
    """The exam of this name."""
    for exam in protocol.exams:
        if exam.name == name:
            return exam
    raise WorkRefused("no-exam", "There is no such exam.")


def exam_for(desk: Desk, campaign_id: int, user_id: int, name: str) -> ExamView:
    """An exam as someone finds it now. Samples are drawn when they first look."""

    def work(session: Session) -> ExamView:
        campaign = campaign_in(session, campaign_id)
        member = working_member_in(session, campaign_id, user_id, lock=True)
        exam = exam_of(desk.protocol_of(campaign), name)
        tries = _tries_in(session, member, name)
        state, left = _state(exam, member, tries)
        told = [one.feedback for one in tries if one.state in TRIED]
        found = ExamView(exam, left, state, feedback=told[-1] if told else "")
        if state != "open":
            return found
        samples = _samples_in(session, desk, campaign, member, exam, tries)
        begun = _begun(tries)
        return found._replace(samples=samples, draft=begun.answers if begun else {})

    return desk.database.write(work)


def save_draft(desk: Desk, campaign_id: int, user_id: int, name: str, draft: Mapping[str, Any]) -> None:
    """Keep unfinished answers until the exam is handed in."""
    kept = draft_of(draft)

    def work(session: Session) -> None:
        campaign = campaign_in(session, campaign_id)
        member = working_member_in(session, campaign_id, user_id, lock=True)
        exam = exam_of(desk.protocol_of(campaign), name)
        tries = _tries_in(session, member, name)
        _check_open(*_state(exam, member, tries))
        (_begun(tries) or _begin_in(session, desk, campaign, member, exam, tries)).answers = kept

    desk.database.write(work)


def _tries_in(session: Session, member: Member, name: str) -> list[ExamTry]:
    wanted = select(ExamTry).where(
        ExamTry.campaign_id == member.campaign_id, ExamTry.user_id == member.user_id, ExamTry.exam == name
    )
    return list(session.scalars(wanted.order_by(ExamTry.id)))


def _state(exam: Exam, member: Member, tries: Sequence[ExamTry]) -> tuple[str, int]:
    """How things stand, and how many tries are left."""
    handed_in = [one for one in tries if one.state in TRIED]
    left = max(0, exam.tries - len(handed_in))
    if exam.name in member.passed:
        return "passed", left
    if any(one.state == "waiting" for one in handed_in):
        return "waiting", left
    return ("open" if left else "failed"), left


def _samples_in(
    session: Session, desk: Desk, campaign: Campaign, member: Member, exam: Exam, tries: Sequence[ExamTry]
) -> tuple[Sample, ...]:
    """The samples of the next try: the same ones until it is handed in."""
    if not exam.samples or not exam.samples_of:
        return ()
    begun = _begun(tries) or _begin_in(session, desk, campaign, member, exam, tries)
    return samples_in(session, begun.samples)


def _begun(tries: Sequence[ExamTry]) -> ExamTry | None:
    return next((one for one in tries if one.state == "begun"), None)


def _begin_in(
    session: Session, desk: Desk, campaign: Campaign, member: Member, exam: Exam, tries: Sequence[ExamTry]
) -> ExamTry:
    """A try with its samples, and nothing written yet."""
    drawn: list[int] = []
    if exam.samples and exam.samples_of:
        drawn = _draw_in(session, campaign, exam, f"{member.user_id}/{exam.name}/{len(tries)}")
    begun = ExamTry(
        campaign_id=campaign.id, user_id=member.user_id, exam=exam.name, samples=drawn, answers={},
        share=0.0, state="begun", feedback="", made_at=desk.clock(),
    )  # fmt: skip
    session.add(begun)
    session.flush()
    return begun


def _draw_in(session: Session, campaign: Campaign, exam: Exam, who: str) -> list[int]:
    """Tasks that stand next to each other in the queue, from a place that is drawn for this person."""
    tasks = (
        select(Task.id)
        .where(Task.campaign_id == campaign.id, Task.stage == exam.samples_of, Task.gold.is_(None))
        .order_by(Task.place)
    )
    begin = place_of(campaign.seed, "exam", who)
    found = list(session.scalars(tasks.where(Task.place >= begin).limit(exam.samples)))
    if len(found) < exam.samples:
        found += session.scalars(tasks.where(Task.place < begin).limit(exam.samples - len(found)))
    if not found:
        raise WorkRefused("no-samples", "This exam is about tasks, and there are none yet. Come back later.")
    return found


def samples_in(session: Session, ids: Sequence[int]) -> tuple[Sample, ...]:
    """These tasks, in order, as a worker may see them."""
    rows = session.execute(select(Task.id, Task.payload).where(Task.id.in_(ids))).tuples()
    found = {task_id: visible(payload) for task_id, payload in rows}
    return tuple(Sample(task_id, found[task_id]) for task_id in ids if task_id in found)


def sit(
    desk: Desk, campaign_id: int, user_id: int, name: str, answers: Any, *, key: str | None = None
) -> ExamResult:
    """Hand an exam in. With a key of the sender's own, sent twice it counts once."""

    def work(session: Session) -> ExamResult:
        campaign = campaign_in(session, campaign_id)
        member = working_member_in(session, campaign_id, user_id, lock=True)
        exam = exam_of(desk.protocol_of(campaign), name)
        tries = _tries_in(session, member, name)
        before = next((one for one in tries if key is not None and one.key == key), None)
        if before is not None:
            return ExamResult(before.state, before.share, _marked(exam, before.answers))
        _check_open(*_state(exam, member, tries))
        samples = _samples_in(session, desk, campaign, member, exam, tries)
        cleaned = read_answers(exam, samples, answers)
        return _note_in(session, desk, member, exam, cleaned, samples, key)

    try:
        return desk.database.write(work)
    except IntegrityError as error:  # the key is another's
        raise WorkRefused("key-used", "This key was used for another exam. Load the page again.") from error


def _check_open(state: str, left: int) -> None:
    told = {
        "passed": "You have passed this exam already.",
        "waiting": "Your answers are still being read.",
        "failed": "You have no tries left.",
    }
    if state != "open":
        raise WorkRefused(f"exam-{state}", told[state])
    assert left > 0


def read_answers(exam: Exam, samples: Sequence[Sample], answers: Any) -> dict[str, Any]:
    """The answers, cleaned; complaints about samples say which: `samples.0.question`."""
    fields = [question.field for question in exam.graded]
    told: list[Complaint] = []
    cleaned: dict[str, Any] = {}
    try:
        cleaned = checked((*fields, *(() if samples else exam.written)), {}, answers)
    except InvalidAnswers as error:
        told.extend(error.complaints)
    about = answers.get(SAMPLES) if isinstance(answers, dict) else None
    given = about if isinstance(about, list) else []
    for place, sample in enumerate(samples):
        try:
            said = checked(exam.written, sample.payload, given[place] if place < len(given) else {})
            cleaned.setdefault(SAMPLES, []).append(said)
        except InvalidAnswers as error:
            told.extend(
                Complaint(f"{SAMPLES}.{place}.{one.field}".rstrip("."), one.message)
                for one in error.complaints
            )
    if told:
        raise InvalidAnswers(told)
    return cleaned


def _marked(exam: Exam, answers: dict[str, Any]) -> tuple[QuestionTold, ...]:
    return tuple(
        QuestionTold(
            question.field.name, answers.get(question.field.name) == question.right, question.why
        )
        for question in exam.graded
    )


def _note_in(
    session: Session, desk: Desk, member: Member, exam: Exam, answers: dict[str, Any],
    samples: Sequence[Sample], key: str | None,
) -> ExamResult:  # fmt: skip
    told = _marked(exam, answers)
    share = sum(one.right for one in told) / len(told) if told else 1.0
    state = "failed" if share < exam.pass_mark else "waiting" if exam.written else "passed"
    begun = _begun(_tries_in(session, member, exam.name))
    if begun is None:
        begun = ExamTry(campaign_id=member.campaign_id, user_id=member.user_id, exam=exam.name, feedback="")
        session.add(begun)
    begun.samples, begun.answers, begun.share = [sample.task_id for sample in samples], answers, share
    begun.state, begun.key, begun.made_at = state, key, desk.clock()
    if state == "passed":
        member.passed = [*member.passed, exam.name]
    log_in(session, desk, member.campaign_id, "exam", {"exam": exam.name, "state": state}, member.user_id)
    session.flush()
    return ExamResult(state, share, told)

"""Reading what people wrote in exams: reviewers pass it or fail it, and never their own."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.exams import Sample, exam_of, samples_in
from commonsight.collect.leases import working_member_in
from commonsight.collect.protocol import Exam
from commonsight.collect.standing import locked_member_in
from commonsight.collect.tables import ExamTry, User
from commonsight.errors import WorkRefused


class ToGrade(NamedTuple):
    """A written part that nobody has read yet."""

    try_id: int
    exam: Exam
    user_id: int
    name: str
    share: float
    answers: dict[str, Any]
    samples: tuple[Sample, ...]
    made_at: int


def to_grade(desk: Desk, campaign_id: int) -> list[ToGrade]:
    """What people wrote in exams and nobody has read yet, the oldest first."""
    with desk.database.read() as session:
        exams = {exam.name: exam for exam in desk.protocol_of(campaign_in(session, campaign_id)).exams}
        waiting = select(ExamTry, User.name).join(User, User.id == ExamTry.user_id)
        waiting = waiting.where(ExamTry.campaign_id == campaign_id, ExamTry.state == "waiting")
        rows = session.execute(waiting.order_by(ExamTry.id)).tuples().all()
        return [
            ToGrade(
                one.id, exams[one.exam], one.user_id, name, one.share, one.answers,
                samples_in(session, one.samples), one.made_at,
            )
            for one, name in rows
            if one.exam in exams
        ]  # fmt: skip


def grade(
    desk: Desk, try_id: int, by: int, passed: bool, feedback: str, *, distinction: bool = False
) -> None:
    """Pass or fail what someone wrote. With distinction, they have passed the exam that it counts for too."""

    def work(session: Session) -> None:
        sat = session.get(ExamTry, try_id)
        if sat is None:
            raise WorkRefused("no-exam", "There is no such exam to grade.")
        check_reviewer_in(session, sat.campaign_id, by)
        if sat.user_id == by:
            raise WorkRefused("own-work", "You cannot grade your own exam.")
        member = locked_member_in(session, sat.campaign_id, sat.user_id)
        session.refresh(sat)
        if member is None or sat.state != "waiting":
            raise WorkRefused("graded", "This exam has been graded already.")
        exam = exam_of(desk.protocol_of(campaign_in(session, sat.campaign_id)), sat.exam)
        sat.state, sat.feedback, sat.graded_by = "passed" if passed else "failed", feedback, by
        if passed:
            more = [exam.distinction] if distinction and exam.distinction else []
            member.passed = [*dict.fromkeys([*member.passed, exam.name, *more])]
        data = {"exam": sat.exam, "state": sat.state, "user": sat.user_id}
        log_in(session, desk, sat.campaign_id, "exam", data, by)

    desk.database.write(work)


def check_reviewer_in(session: Session, campaign_id: int, user_id: int) -> None:
    """Refuse whoever may not judge others' work in this campaign."""
    member = working_member_in(session, campaign_id, user_id)
    if member.role not in ("reviewer", "owner"):
        raise WorkRefused("not-reviewer", "Only reviewers and owners of the campaign may do this.")

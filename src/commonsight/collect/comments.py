"""What people say about a task, beside its answers."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk
from commonsight.collect.events import log_in
from commonsight.collect.forms import LONGEST_TEXT, clean_text
from commonsight.collect.tables import Comment, Member, Task, User
from commonsight.errors import UsageError, WorkRefused


class Remark(NamedTuple):
    """One comment."""

    id: int
    user_id: int
    name: str
    role: str
    text: str
    made_at: int


def say(desk: Desk, task_id: int, user_id: int, text: str) -> int:
    """Say something about a task; the comment's id."""
    said = checked_words(text, "a comment")

    def work(session: Session) -> int:
        task = session.get(Task, task_id)
        if task is None:
            raise WorkRefused("no-task", "There is no such task.")
        comment = Comment(task_id=task_id, user_id=user_id, text=said, made_at=desk.clock())
        session.add(comment)
        session.flush()
        data = {"comment": comment.id, "task": task_id, "stage": task.stage}
        log_in(session, desk, task.campaign_id, "comment", data, user_id)
        return comment.id

    return desk.database.write(work)


def comments(desk: Desk, task_id: int, *, seen_by: int | None = None) -> list[Remark]:
    """What was said about a task, oldest first. To a worker (`seen_by`) only their own words and those of
    reviewers and owners are shown: work that several do is blind, and so is what they say about it."""
    found = (
        select(Comment.id, Comment.user_id, User.name, Member.role, Comment.text, Comment.made_at)
        .join(User, User.id == Comment.user_id)
        .join(Task, Task.id == Comment.task_id)
        .join(Member, (Member.campaign_id == Task.campaign_id) & (Member.user_id == Comment.user_id))
        .where(Comment.task_id == task_id)
        .order_by(Comment.id)
    )
    if seen_by is not None:
        found = found.where(or_(Comment.user_id == seen_by, Member.role != "worker"))
    with desk.database.read() as session:
        return [Remark(*row) for row in session.execute(found).tuples()]


def checked_words(text: str, what: str) -> str:
    """Words of a person as they are kept, or why they cannot be."""
    kept = clean_text(text[: 4 * LONGEST_TEXT])
    if not kept:
        raise UsageError(f"There is nothing to be read here. Write {what} of at least one word.")
    if len(kept) > LONGEST_TEXT or len(text) > 4 * LONGEST_TEXT:
        raise UsageError(f"This is too long for {what}. Write at most {LONGEST_TEXT:,} characters.")
    return kept

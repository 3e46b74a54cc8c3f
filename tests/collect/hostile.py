"""Texts that try to be more than text, and a way to put them wherever people's words are kept."""

from __future__ import annotations

from typing import Any

from busy import Busy
from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect import comments, errata
from commonsight.collect.desk import Desk
from commonsight.collect.tables import (
    Assignment,
    Campaign,
    Entry,
    ExamTry,
    Member,
    RecordRow,
    Task,
    User,
)

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": "\"' onmouseover=alert(1) x=\"",
    "image": "<img src=x onerror=alert(1)>",
    "address": "javascript:alert(1)",
    "template": "{{ 7*7 }}{% raw %}${7*7}",
    "textarea": "</textarea></title></style></svg><svg onload=alert(1)>",
    "json": "'}\\u003c/script>",
    "backwards": "\u202egnp.exe\u2066\u2069\u200f",
    "long": "W" * 3000,
    "tags": "[person1][person99] [[person1]] {curly}",
    "htmx": '<div hx-get="/account" hx-trigger="load"></div>',
}


def poison(desk: Desk, busy: Busy, text: str) -> None:
    """Put the text wherever people's own words are kept, past all that checks them."""
    comments.say(desk, busy.task, busy.users["wim"], f"said {text}")
    errata.report(desk, busy.campaign_id, "p4/vote", busy.users["wim"], f"found {text}")

    def work(session: Session) -> None:
        short = text[:100]
        session.get_one(Campaign, busy.campaign_id).name = f"name {short}"
        session.get_one(User, busy.users["ada"]).name = f"user {short}"[:64]
        member = session.get_one(Member, (busy.campaign_id, busy.users["eve"]))
        member.out_reason, member.tier = f"out {text}", short[:40]
        record = session.get_one(RecordRow, busy.record)
        record.data = {"question": f"asks {text}", short: [text, {"deep": [text]}, None, True, 7]}
        sat = session.get_one(ExamTry, busy.exam_try)
        sat.answers = {"sky": "yes", "why": f"wrote {text}"}
        for task_id in (busy.task, busy.disputed):
            task = session.get_one(Task, task_id)
            task.reason, task.key = f"why {text}", f"{task_id} {short}"
            payload: dict[str, Any] = dict(task.payload)
            payload["question"] = f"shows {text}"
            payload["picture"] = payload["picture"] | {"alt": text}
            task.payload = payload
        of_these = Assignment.task_id.in_((busy.task, busy.disputed))
        for answer in session.scalars(select(Assignment).where(of_these)):
            answer.answers = {"question": f"answers {text}", "good": text, short: text}
        for entry in session.scalars(select(Entry)):
            entry.reason = f"for {text}"

    desk.database.write(work)

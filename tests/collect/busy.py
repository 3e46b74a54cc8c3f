"""A campaign in full swing, made by the real verbs: something of everything that a page can show."""

from __future__ import annotations

import dataclasses
import io
from typing import Any, NamedTuple

import msgspec
from people import HandClock, campaign, tasks, worker
from PIL import Image, ImageDraw
from toy_protocol import EXAM, TOY, VOTE, WRITE

from commonsight.collect import comments, errata, exams, handing_in, pictures, queue
from commonsight.collect.desk import Desk
from commonsight.collect.protocol import Field, NewTask, Protocol, Shown
from commonsight.core.scene import Region

BUSY: Protocol = dataclasses.replace(
    TOY,
    title="A toy with two votes",
    source="Nobody, 2026, section 3",
    stages=(WRITE, dataclasses.replace(VOTE, overlap=2)),
    exams=(dataclasses.replace(EXAM, written=(Field("why", "text", "Why is it blue?", least_words=2),)),),
)
"""The toy, with two votes, so that there are ties, and an exam that someone must read."""

QUESTIONS = (
    "Why is [person1] holding [cup2]?", "What will [person1] do next?", "Who put [cup2] there?",
    "Is [person1] about to leave?", "What does [person1] think of [cup2]?", "Where does [person1] look?",
)  # fmt: skip


class Busy(NamedTuple):
    """What there is, by its numbers."""

    campaign_id: int
    picture: str
    disputed: int
    """A task that a reviewer must settle."""
    held: int
    """An assignment that `wim` holds."""
    task: int
    record: int
    erratum: int
    exam_try: int
    users: dict[str, int]


def drawn_picture(desk: Desk, number: int) -> Shown:
    """A small picture of someone with a cup, kept as the app keeps pictures."""
    image = Image.new("RGB", (320, 200), (200 - 9 * number, 214, 190 + 5 * number))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 150, 320, 200), fill=(150, 120, 90))
    pen.ellipse((70 + number, 40, 110 + number, 80), fill=(224, 180, 150))
    pen.rectangle((72 + number, 80, 108 + number, 160), fill=(60, 80, 140))
    pen.rectangle((190, 120, 215, 150), fill=(200, 60, 60))
    stream = io.BytesIO()
    image.save(stream, "PNG")
    kept = pictures.keep(desk, stream.getvalue())
    regions = (
        Region("person", (70.0 + number, 40.0, 110.0 + number, 160.0)),
        Region("cup", (190.0, 120.0, 215.0, 150.0)),
    )
    return Shown(kept.hash, 320, 200, "Someone near a cup", tuple(map(msgspec.to_builtins, regions)))


def busy_campaign(desk: Desk, clock: HandClock, name: str = "Cups & people", pieces: int = 6) -> Busy:
    """Six questions and most votes on them; `olga` owns it, `rob` reviews, `newt` sits the exam."""
    number = campaign(desk, name, budget=400_0000, gold_rate=0.0)
    users = {each: worker(desk, number, each, passed=["start"]) for each in ("wim", "ada", "eve")}
    users |= {each: worker(desk, number, each, role=role) for each, role in ROLES.items()}
    users["newt"] = worker(desk, number, "newt")
    shown = [drawn_picture(desk, each) for each in range(pieces)]
    ids = tasks(desk, number, *(NewTask("write", f"p{n}", {"picture": each}) for n, each in enumerate(shown)))
    for place in range(pieces - 1):
        _do(desk, clock, number, users["wim"], {"question": QUESTIONS[place % len(QUESTIONS)]}, "write")
    for place in range(pieces - 2):
        _do(desk, clock, number, users["ada"], {"good": "yes"}, "vote")
        if place < pieces - 3:
            _do(desk, clock, number, users["eve"], {"good": "no" if place == 1 else "yes"}, "vote")
    held = queue.take(desk, number, users["wim"], "write")
    assert held is not None
    comments.say(desk, ids[0], users["wim"], "The cup is hard to see.")
    found = _found(desk, number)
    errata.report(desk, number, found["key"], users["rob"], "The question names the wrong cup.")
    exams.sit(desk, number, users["newt"], "start", {"sky": "yes", "why": "Light scatters in air."})
    return Busy(
        number, shown[0].picture, found["disputed"], held.assignment_id, ids[0], found["record"],
        found["erratum"](), found["try"](), users,
    )  # fmt: skip


ROLES = {"rob": "reviewer", "olga": "owner"}


def _do(desk: Desk, clock: HandClock, number: int, user: int, answers: dict[str, Any], stage: str) -> None:
    work = queue.take(desk, number, user, stage)
    assert work is not None
    clock.pass_seconds(37)
    handing_in.hand_in(desk, work.assignment_id, user, answers, key=f"k{work.assignment_id}", seconds=37)


def _found(desk: Desk, campaign_id: int) -> dict[str, Any]:
    from sqlalchemy import select

    from commonsight.collect.tables import Erratum, ExamTry, RecordRow, Task

    def first(column: Any, *wanted: Any) -> Any:
        with desk.database.read() as session:
            return session.scalar(select(column).where(*wanted).order_by(column).limit(1))

    record = first(RecordRow.id, RecordRow.campaign_id == campaign_id)
    return {
        "disputed": first(Task.id, Task.campaign_id == campaign_id, Task.state == "disputed"),
        "record": record,
        "key": first(RecordRow.key, RecordRow.id == record),
        "erratum": lambda: first(Erratum.id, Erratum.campaign_id == campaign_id),
        "try": lambda: first(ExamTry.id, ExamTry.campaign_id == campaign_id),
    }

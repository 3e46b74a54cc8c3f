"""VCR's and PMR's protocols in the real engine: who may do what, what is kept, and what everyone earns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from at_work import check_books, do, earnings, row, rows, taken
from people import campaign, member, picture, worker

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.build.matching.raw import ImageRecord
from commonsight.collect.campaigns import update_settings
from commonsight.collect.desk import Desk
from commonsight.collect.exams import exam_for, sit
from commonsight.collect.export import export_dataset, export_raw
from commonsight.collect.grading import grade, to_grade
from commonsight.collect.handing_in import hand_in
from commonsight.collect.imports import import_items
from commonsight.collect.protocol import Record
from commonsight.collect.quality import close_round
from commonsight.collect.queue import give_back, take
from commonsight.collect.tables import Campaign, RecordRow, Task, Verdict
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InvalidAnswers, UsageError, WorkRefused
from commonsight.store.dataset import check_dataset, read_dataset

LABELS = ("person", "person", "cup")


def collection(desk: Desk, folder: Path, protocol: str, pictures: int = 2, **settings: Any) -> int:
    """A campaign with so many pictures, each of another movie."""
    campaign_id = campaign(desk, protocol, protocol, settings=settings)
    items = []
    for place in range(pictures):
        (folder / f"{place}.png").write_bytes(picture(place))
        regions = tuple(Region(label, Box(1, 1, 9, 9)) for label in LABELS)
        items.append(Item(f"val-{place}", "val", (Scene(f"{place}.png", regions),)))
    assert import_items(desk, campaign_id, items, folder).tasks == pictures
    assert import_items(desk, campaign_id, items, folder).tasks == 0, "run again adds nothing"
    return campaign_id


TRIPLET = {
    "question": "Why does [person1] hold the [cup3]?",
    "answer": "[person1] wants to drink.",
    "likelihood": "likely",
    "rationale": "The [cup3] is full and [person1] looks thirsty.",
}


def records(desk: Desk, protocol: str) -> list[Item]:
    """What was collected, as items."""
    found = rows(desk, RecordRow)
    made = [BY_NAME[protocol].item_of(Record(one.key, one.data, tuple(one.by))) for one in found]
    items = [item for some in made for item in some]
    assert all(list(faults(item)) == [] for item in items)
    return items


def whole_dataset(desk: Desk, campaign_id: int, folder: Path) -> list[Item]:
    """What export writes, pictures and all."""
    export_dataset(desk, campaign_id, folder)
    assert check_dataset(folder) == []
    items = list(read_dataset(folder))
    assert all((folder / str(item.scenes[0].stored)).is_file() for item in items)
    return items


def test_vcr_from_the_exam_to_records_and_review(protocol_desk: Desk, tmp_path: Path) -> None:
    desk = protocol_desk
    campaign_id = collection(desk, tmp_path, "vcr", review_share=1.0)
    ann, ben = worker(desk, campaign_id, "ann"), worker(desk, campaign_id, "ben", passed=["qualification"])
    reviewer = worker(desk, campaign_id, "rita", role="reviewer")
    with pytest.raises(WorkRefused, match="Pass the exam first"):
        take(desk, campaign_id, ann)
    exam = exam_for(desk, campaign_id, ann, "qualification")
    assert len(exam.samples) == 1
    right = {question.field.name: question.right for question in exam.exam.graded}
    assert sit(desk, campaign_id, ann, "qualification", right | {"samples": [TRIPLET]}).state == "waiting"
    (waiting,) = to_grade(desk, campaign_id)
    grade(desk, waiting.try_id, reviewer, True, "Welcome.")

    work = taken(desk, campaign_id, ann)
    bare = {part: text.replace("[", "").replace("]", "") for part, text in TRIPLET.items()}
    with pytest.raises(InvalidAnswers, match="Point to at least 1 numbered box"):
        hand_in(desk, work.assignment_id, ann, {"triplets": [bare], "interesting": "okay"}, key="bare")
    said = {"triplets": [TRIPLET, TRIPLET], "interesting": "interesting"}
    assert hand_in(desk, work.assignment_id, ann, said, key="said").earned == 4400
    again = next(task for task in rows(desk, Task, stage="write") if task.payload["_round"] == 2)
    other = taken(desk, campaign_id, ann)
    assert other.task_id != again.id, "the picture goes to somebody else"
    give_back(desk, other.assignment_id, ann)
    done = [do(desk, campaign_id, ben, {"triplets": [TRIPLET], "interesting": "okay"}) for _ in range(2)]
    assert [one.earned for one in done] == [2200, 2200]
    assert len(records(desk, "vcr")) == 4
    exported = whole_dataset(desk, campaign_id, tmp_path / "vcr")
    assert {item.provenance["writer"] for item in exported} == {"w1", "w2"}
    export_raw(desk, campaign_id, tmp_path / "raw.jsonl")
    lines = (tmp_path / "raw.jsonl").read_text().splitlines()
    raw = [msgspec.json.decode(line, type=ImageRecord) for line in lines]
    assert {line.id for line in raw} == {item.id for item in exported}

    told = {"questions": "good", "answers": "good", "rationales": "poor", "good_enough": "no",
            "feedback": "Your reasons say the answer again; name what can be seen instead."}  # fmt: skip
    for _ in range(3):
        do(desk, campaign_id, reviewer, told)
    assert earnings(desk, campaign_id) == {ann: 4400, ben: 4400, reviewer: 12_000}
    assert {one.feedback for one in rows(desk, Verdict)} == {told["feedback"]}
    assert member(desk, campaign_id, ann).out_reason == ""
    assert "0 were good" in member(desk, campaign_id, ben).out_reason
    check_books(desk)


WRITTEN = {
    "premise": "0",
    "action_true": "[person1] {with the [cup3]} will offer [person2] a seat.",
    "action_false": "[person1] {with the [cup3]} will turn away from [person2].",
}
ACCEPTED = {
    "decision": "accept",
    "distractor1": "[person1] {with a hat} will offer [person2] a seat.",
    "distractor2": "[person1] {with a hat} will turn away from [person2].",
}
DROPPED = {"decision": "drop", "fault": "language"}


def test_pmrs_qualification_opens_one_phase_or_the_other(protocol_desk: Desk, tmp_path: Path) -> None:
    desk = protocol_desk
    campaign_id = collection(desk, tmp_path, "pmr", 3, qualification_pairs=2)
    owner = worker(desk, campaign_id, "olga", role="owner")
    for name, distinction in (("ann", False), ("ben", True)):
        user = worker(desk, campaign_id, name)
        exam = exam_for(desk, campaign_id, user, "qualification")
        assert [len(sample.payload["premises"]) for sample in exam.samples] == [6, 6]
        sit(desk, campaign_id, user, "qualification", {"samples": [WRITTEN, WRITTEN]})
        (waiting,) = to_grade(desk, campaign_id)
        grade(desk, waiting.try_id, owner, True, "Good.", distinction=distinction)
    ann, ben = (worker_id for worker_id in (user - 1, user))
    assert member(desk, campaign_id, ann).passed == ["qualification"]
    assert member(desk, campaign_id, ben).passed == ["qualification", "advanced"]
    assert take(desk, campaign_id, ben) is None, "examiners do not write, and there is nothing to examine"
    do(desk, campaign_id, ann, WRITTEN)
    assert taken(desk, campaign_id, ben).stage == "examine"
    assert taken(desk, campaign_id, ann).stage == "write"


def test_pmr_pays_by_outcome(protocol_desk: Desk, tmp_path: Path) -> None:
    desk = protocol_desk
    campaign_id = collection(desk, tmp_path, "pmr", 4, check_share=1.0)
    ann = worker(desk, campaign_id, "ann", passed=["qualification"])
    ben = worker(desk, campaign_id, "ben", passed=["qualification", "advanced"])
    cleo = worker(desk, campaign_id, "cleo", passed=["qualification", "advanced"])
    rita = worker(desk, campaign_id, "rita", role="reviewer")
    assert [do(desk, campaign_id, ann, WRITTEN).earned for _ in range(4)] == [150] * 4
    for answers in (ACCEPTED, ACCEPTED, DROPPED, DROPPED):
        do(desk, campaign_id, ben, answers)
    assert earnings(desk, campaign_id) == {ann: 2 * 1500 + 2 * 150, ben: 2 * 750 + 2 * 150}

    yes, no = {"meets": "yes", "feedback": "Fine."}, {"meets": "no", "feedback": "Look again."}
    answered: set[str] = set()
    for _ in range(4):  # of what was accepted and of what was dropped, one is found right and one wrong
        work = taken(desk, campaign_id, rita)
        decided = work.payload["decision"][0]["Decision"]
        said = no if decided in answered else yes
        answered.add(decided)
        hand_in(desk, work.assignment_id, rita, said, key=f"check {work.task_id}")
    assert len(records(desk, "pmr")) == 1
    assert take(desk, campaign_id, ben) is None, "what ben dropped by mistake is for another examiner"
    do(desk, campaign_id, cleo, ACCEPTED)
    do(desk, campaign_id, rita, yes)
    examiners = {item.provenance["examiner"] for item in records(desk, "pmr")}
    assert examiners == {f"worker:{ben}", f"worker:{cleo}"}
    check_books(desk)
    exported = whole_dataset(desk, campaign_id, tmp_path / "pmr")
    assert {item.provenance["examiner"] for item in exported} == {"w2", "w3"}

    bonuses = {bonus.user_id: bonus.amount for bonus in close_round(desk, campaign_id, None)}
    assert bonuses[ben] == -(1800 // 2), "half of the decisions were right"
    assert earnings(desk, campaign_id) == {ann: 3 * 1500 + 150, ben: 900, cleo: 750}
    assert row(desk, Task, stage="check", state="dropped", reason="rejected in phase 3")


def test_a_campaigns_settings_reach_its_forms_at_once(protocol_desk: Desk, tmp_path: Path) -> None:
    desk = protocol_desk
    campaign_id = collection(desk, tmp_path, "vcr", 1)
    ann = worker(desk, campaign_id, "ann", passed=["qualification"])
    work = taken(desk, campaign_id, ann)
    update_settings(desk, campaign_id, {"question_words": 20, "triplet_pay": 5000}, None)
    said = {"triplets": [TRIPLET], "interesting": "okay"}
    with pytest.raises(InvalidAnswers, match="at least 20 words"):
        hand_in(desk, work.assignment_id, ann, said, key="short")
    update_settings(desk, campaign_id, {"question_words": 4}, None)
    assert hand_in(desk, work.assignment_id, ann, said, key="long enough").earned == 5000
    one = row(desk, Campaign, id=campaign_id)
    assert desk.protocol_of(one) is desk.protocol_of(one), "built once"
    with pytest.raises(UsageError, match="least_triplets <= most_triplets"):
        update_settings(desk, campaign_id, {"most_triplets": 0}, None)

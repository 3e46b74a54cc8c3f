"""The protocols of NLVR2, A-OKVQA and CRIC in the real engine, from imported pictures to scored files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from at_work import check_books, do, earnings, rows, taken
from people import HandClock, campaign, member, picture, worker

from commonsight.benchmarks import find as find_benchmark
from commonsight.benchmarks.protocols import BY_NAME, NLVR2
from commonsight.collect.desk import Desk
from commonsight.collect.exams import sit
from commonsight.collect.grading import grade, to_grade
from commonsight.collect.handing_in import hand_in
from commonsight.collect.imports import import_items
from commonsight.collect.pictures import picture_path
from commonsight.collect.protocol import Record
from commonsight.collect.quality import close_round
from commonsight.collect.queue import Work, take
from commonsight.collect.tables import Assignment, RecordRow, Task, Verdict
from commonsight.core.answer import Grounded
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import WorkRefused
from commonsight.store.native import read_native, write_native

Answer = Callable[[Work], dict[str, Any]]


def pictures(folder: Path, number: int, name: str = "p") -> tuple[Scene, ...]:
    """So many different pictures, large enough for NLVR2."""
    for place in range(number):
        (folder / f"{name}{place}.png").write_bytes(picture(10 * place, (220, 200)))
    return tuple(Scene(f"{name}{place}.png") for place in range(number))


def begin(desk: Desk, folder: Path, protocol: str, items: Iterable[Item], **settings: Any) -> int:
    """A campaign with these items."""
    campaign_id = campaign(desk, protocol, protocol, settings=settings)
    assert import_items(desk, campaign_id, items, folder).tasks
    return campaign_id


def work_on(desk: Desk, campaign_id: int, people: Sequence[int], answer: Answer) -> Counter[str]:
    """All do what they are given until nothing is left; how much that was, by stage."""
    finished: Counter[str] = Counter()
    idle: set[int] = set()
    for person in cycle(people):
        work = _next_of(desk, campaign_id, person)
        if work is not None:
            hand_in(desk, work.assignment_id, person, answer(work), key=f"key {work.assignment_id}")
            finished[work.stage] += 1
            idle.clear()
        else:
            idle.add(person)
            if len(idle) == len(people):
                break
    return finished


def _next_of(desk: Desk, campaign_id: int, person: int) -> Work | None:
    try:
        return take(desk, campaign_id, person)
    except WorkRefused as refused:
        if refused.code.startswith("exam:"):
            return None
        raise


def items_of(desk: Desk, protocol: str) -> list[Item]:
    found = rows(desk, RecordRow)
    made = [BY_NAME[protocol].item_of(Record(one.key, one.data, tuple(one.by))) for one in found]
    items = [item for some in made for item in some]
    assert all(list(faults(item)) == [] for item in items)
    assert all(picture_path(desk, str(scene.stored)).is_file() for item in items for scene in item.scenes)
    return items


def nobody_judges_themselves(desk: Desk) -> None:
    """No worker did a task about an assignment of their own."""
    who = {one.id: one.user_id for one in rows(desk, Assignment)}
    about = {task.id: {who[each] for each in task.about} for task in rows(desk, Task)}
    for one in rows(desk, Assignment):
        assert one.user_id not in about[one.task_id]


# --- NLVR2 -------------------------------------------------------------------------------------------------


SENTENCE = {"fit": "yes", "selected": ["0", "1"], "sentence": "Each image has two kettles."}


def nlvr2_answer(work: Work) -> dict[str, Any]:
    """Nothing is unfit; the first two pairs are chosen; whoever checks agrees, as far as one can see."""
    if work.stage == "write":
        return SENTENCE
    if work.stage == "judge":
        return {"follows": "yes"}
    return {"label": "true"} if work.stage in ("validate", "extra") else {}


def test_nlvr2_from_pictures_to_a_scored_file(protocol_desk: Desk, tmp_path: Path, score: Any) -> None:
    desk = protocol_desk
    found = Item("train-0", "train", pictures(tmp_path, 9), extra={"query": "two kettles", "result": 3})
    campaign_id = begin(
        desk, tmp_path, "nlvr2", [found], held_out=1.0, held_out_splits=("dev",), first_pool=1.0
    )
    passed = ("writing", "checking")
    people = [worker(desk, campaign_id, f"person{number}", passed=passed) for number in range(7)]
    finished = work_on(desk, campaign_id, people, nlvr2_answer)
    # 2 sentences, 4 pairs each; half of the examples are meant to be false and called true.
    assert finished == {"prune": 1, "construct": 1, "write": 2, "validate": 8, "extra": 4 * 4}
    nobody_judges_themselves(desk)
    assert len({one.user_id for one in rows(desk, Assignment, stage="write")}) == 2
    dropped = [task.reason for task in rows(desk, Task, stage="validate", state="dropped")]
    assert dropped == ["Labelled true; who wrote it meant false."] * 4

    items = items_of(desk, "nlvr2")
    assert len(items) == 4
    assert {len(item.extra["extra_validations"]) for item in items} == {4}
    benchmark = find_benchmark("nlvr2")
    assert write_native(benchmark.native, items, tmp_path / "native") == {"dev.json": 4}
    gold = tmp_path / "native/dev.json"
    assert sorted(item.id for item in read_native(benchmark.native, [gold])) == sorted(i.id for i in items)
    said = tmp_path / "said.csv"
    said.write_text("".join(f"{item.id},True\n" for item in items))
    card = score(benchmark, [gold], said)
    assert card.metrics["accuracy"].value == card.metrics["consistency"].value == 1.0
    check_books(desk)


def test_nlvr2s_rounds_open_all_sets_and_pay_bonuses(protocol_desk: Desk, tmp_path: Path) -> None:
    desk = protocol_desk
    sets = [
        Item(str(number), "train", pictures(tmp_path, 8, f"s{number}-"), groups={"set": str(number)})
        for number in range(9)
    ]
    campaign_id = begin(desk, tmp_path, "nlvr2", sets, begin="write", sentences=1, round_sample=4)
    ann, ben = (worker(desk, campaign_id, name, passed=("writing",)) for name in ("ann", "ben"))
    rita = worker(desk, campaign_id, "rita", role="reviewer")
    open_to_all = len(rows(desk, Task, stage="write", pool=""))
    assert 0 < open_to_all < 9
    answered = work_on(desk, campaign_id, [ann, ben], nlvr2_answer)
    assert answered == {"write": open_to_all}
    with pytest.raises(WorkRefused, match="still to be looked at"):
        close_round(desk, campaign_id, rita)

    ann_wrote = {one.id for one in rows(desk, Assignment, user_id=ann)}
    while (work := take(desk, campaign_id, rita)) is not None:
        (about,) = next(task.about for task in rows(desk, Task) if task.id == work.task_id)
        good = {"follows": "yes"}
        said = good if about in ann_wrote else {"follows": "no", "violations": ["opinion", "text"]}
        hand_in(desk, work.assignment_id, rita, said, key=f"judge {work.task_id}")
    before = earnings(desk, campaign_id)
    bonuses = {bonus.user_id: bonus for bonus in close_round(desk, campaign_id, rita)}
    assert (bonuses[ann].amount, bonuses[ann].tier) == (600 * len(ann_wrote), "trusted")
    assert (bonuses[ben].amount, bonuses[ben].tier) == (0, "")
    assert earnings(desk, campaign_id)[ann] == before[ann] + 600 * len(ann_wrote)
    assert any("An opinion" in one.feedback for one in rows(desk, Verdict, user_id=ben))
    assert take(desk, campaign_id, ben, "write") is None, "the limited pool is empty"
    assert taken(desk, campaign_id, ann).stage == "write", "all sets are open to who follows the rules"
    assert member(desk, campaign_id, ann).pools == ["trusted"]
    check_books(desk)


def test_a_set_that_nobody_writes_about_is_taken_out(
    protocol_desk: Desk, tmp_path: Path, clock: HandClock
) -> None:
    desk = protocol_desk
    sets = [Item(name, "train", pictures(tmp_path, 8, name), groups={"set": name}) for name in ("1", "2")]
    campaign_id = begin(desk, tmp_path, "nlvr2", sets, begin="write", first_pool=1.0)
    ann = worker(desk, campaign_id, "ann", passed=("writing",))
    do(desk, campaign_id, ann, SENTENCE)
    clock.pass_seconds(3 * 86_400 + 1)
    assert take(desk, campaign_id, ann, "write") is None
    states = {(task.state, task.given) for task in rows(desk, Task, stage="write")}
    assert states == {("dropped", 0), ("done", 1)}, "the other goes on with its one sentence"
    assert len(rows(desk, Task, stage="validate")) == 4


def test_nlvr2s_exam_is_graded_and_read(protocol_desk: Desk, tmp_path: Path) -> None:
    desk = protocol_desk
    sets = [Item("1", "train", pictures(tmp_path, 8), groups={"set": "1"})]
    campaign_id = begin(desk, tmp_path, "nlvr2", sets, begin="construct")
    ann, rita = worker(desk, campaign_id, "ann"), worker(desk, campaign_id, "rita", role="reviewer")
    with pytest.raises(WorkRefused, match="Pass the exam first"):
        take(desk, campaign_id, ann)
    writing = NLVR2.exams[0]
    right = {question.field.name: question.right for question in writing.graded}
    wrong = right | {"how-many": "0", "others": "1", "flag": "0", "sentence1": "no"}
    own = {"selected": ["A", "C"], "sentence": "There are at least five cups in total."}
    assert sit(desk, campaign_id, ann, "writing", wrong | own).state == "failed"
    assert sit(desk, campaign_id, ann, "writing", right | own).state == "waiting"
    (waiting,) = to_grade(desk, campaign_id)
    grade(desk, waiting.try_id, rita, True, "Good.")
    assert taken(desk, campaign_id, ann).stage == "construct"


# --- A-OKVQA -----------------------------------------------------------------------------------------------


def aokvqa_answer(work: Work) -> dict[str, Any]:
    if work.stage == "write":
        entries = [
            {"picture": place, "question": f"What will be {place} picked next here?", "answer": "Apples",
             "wrong": ["nuts", "pears", "stones"], "compared": "different"}
            for place in ("0", "3")
        ]  # fmt: skip
        return {"questions": entries}
    if work.stage == "screen":
        return {"meets": "yes"} if work.assignment_id % 4 else {"meets": "no", "flaws": ["colour"]}
    if work.stage == "explain":
        return {"confirmed": "yes", "rationale": f"It is the season, says {work.assignment_id}."}
    assert set(work.payload) == {"picture", "question"}
    return {"answer": "apples" if work.assignment_id % 3 else "Fruit."}


def test_aokvqa_from_clusters_to_a_scored_file(protocol_desk: Desk, tmp_path: Path, score: Any) -> None:
    desk = protocol_desk
    cluster = Item("cluster-0", "val", pictures(tmp_path, 4), groups={"set": "cluster-0"})
    campaign_id = begin(desk, tmp_path, "aokvqa", [cluster])
    passed = ("questions", "rationales")
    people = [worker(desk, campaign_id, f"person{number}", passed=passed) for number in range(18)]
    finished = work_on(desk, campaign_id, people, aokvqa_answer)
    kept = finished["explain"] // 3
    assert finished == {"write": 1, "screen": 6, "explain": 3 * kept, "answer": 9 * kept}
    assert kept == 2
    nobody_judges_themselves(desk)
    for task in rows(desk, Task, stage="answer"):
        same = [one.id for one in rows(desk, Task, key=task.key) if one.stage != "answer"]
        before = {one.user_id for one in rows(desk, Assignment) if one.task_id in same}
        after = {one.user_id for one in rows(desk, Assignment, task_id=task.id)}
        assert not before & after, "a separate pool of workers answers"

    items = items_of(desk, "aokvqa")
    benchmark = find_benchmark("aokvqa")
    for item in items:
        assert (len(item.choices), len(item.direct_answers), len(item.rationales)) == (4, 10, 3)
    assert write_native(benchmark.native, items, tmp_path / "native") == {"aokvqa_v1p0_val.json": 2}
    said = tmp_path / "said.json"
    rows_said = [f'"{item.id}": {{"multiple_choice": "apples", "direct_answer": "fruit"}}' for item in items]
    said.write_text("{" + ", ".join(rows_said) + "}")
    card = score(benchmark, [tmp_path / "native/aokvqa_v1p0_val.json"], said)
    assert card.metrics["mc"].value == 1.0
    assert 0 < card.metrics["da"].value <= 1.0
    check_books(desk)


# --- CRIC --------------------------------------------------------------------------------------------------


def generated(folder: Path, number: int) -> list[Item]:
    (folder / "7.png").write_bytes(picture(3))
    regions = (Region("cup", Box(1, 1, 9, 9), id=5), Region("dog", Box(2, 2, 30, 30), id=6))
    program = Program((Step("Initial", None, (5, 6), ()), Step("Find", ("cup",), (5,), (0,))))
    return [
        Item(
            f"7-{place}", "val", (Scene("7.png", regions),),
            {"question": TaggedText.plain(f"What is it {place}?")},
            gold=Grounded("cup", 5), target=(5,), program=program,
            groups={"image": "7", "question_type": "QueryObjSG"},
        )
        for place in range(number)
    ]  # fmt: skip


def cric_answer(work: Work) -> dict[str, Any]:
    """Questions with an odd number are wrong until somebody mends them."""
    if work.stage == "correct":
        if work.payload["question"].endswith("3?"):
            return {"action": "drop"}
        return {"action": "correct", "question": "Which animal is it?", "answer": "Dog", "pointing": "other",
                "target": [1]}  # fmt: skip
    right = work.payload["answer"] == "dog" or int(work.payload["question"].split()[-1][:-1]) % 2 == 0
    return {"grammatical": "yes", "unambiguous": "yes", "right": "yes" if right else "no"}


def test_cric_from_generated_questions_to_a_scored_file(
    protocol_desk: Desk, tmp_path: Path, score: Any
) -> None:
    desk = protocol_desk
    campaign_id = begin(desk, tmp_path, "cric", generated(tmp_path, 4))
    people = [worker(desk, campaign_id, f"person{number}") for number in range(5)]
    assert work_on(desk, campaign_id, people, cric_answer) == {"review": 4 * 3 + 3, "correct": 2}
    nobody_judges_themselves(desk)
    items = {item.id: item for item in items_of(desk, "cric")}
    assert sorted(items) == ["7-0", "7-1", "7-2"], "what could not be mended is gone"
    assert items["7-1"].gold == Grounded("dog", 6)
    assert items["7-1"].program is None
    assert items["7-0"].program is not None
    benchmark = find_benchmark("cric")
    (name,) = write_native(benchmark.native, items.values(), tmp_path / "native")
    said = tmp_path / "said.jsonl"
    said.write_text(
        "".join(f'{{"question_id": "{one}", "answer": "cup", "object_id": 5}}\n' for one in items)
    )
    card = score(benchmark, [tmp_path / "native" / name], said)
    assert card.metrics["final"].value == pytest.approx(2 / 3)
    assert [one.good for one in rows(desk, Verdict)] == [True]
    check_books(desk)


def test_what_a_form_needs_is_never_hidden() -> None:
    for protocol in BY_NAME.values():
        for stage in protocol.stages:
            for field in stage.form:
                assert not field.about.startswith("_")
                assert not field.options_from.startswith("_")
                assert not field.starts_from.startswith("_")

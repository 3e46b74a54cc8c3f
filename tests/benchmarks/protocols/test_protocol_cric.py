"""CRIC's protocol: generated questions are judged, mended once, or dropped."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hand_made import done
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.benchmarks import cric as native
from commonsight.benchmarks.protocols.cric import CRIC, SETTINGS
from commonsight.benchmarks.protocols.cric_flow import MARKS, NOTHING, mend
from commonsight.build.questions import review
from commonsight.collect.forms import checked, complaints
from commonsight.collect.protocol import History, NewTask, Outcome, Record, Shown, visible
from commonsight.core.answer import Grounded
from commonsight.core.benchmark import Source
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError

DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}
PICTURE = "0123456789abcdef" * 4 + ".jpg"
QUESTION = "What can hold tea?"


def question(answer: str = "cup", target: tuple[int, ...] = (7,), name: str = "9-1", **more: Any) -> Item:
    box = Box(1, 1, 9, 9)
    regions = (Region("cup", box, id=7), Region("t-shirt", box, id=12), Region("big dog", box, id=40))
    steps = (
        Step("Initial", None, (7, 12, 40), ()),
        Step("Find_KG", ("BLANK", "UsedFor", "tea"), (7,), (0,)),
        Step("Recognition", ("object",), (answer,), (1,)),
    )
    graph = {
        "relations": [[7, "on", 40]],
        "attributes": [[12, "red"]],
        "knowledge_items": [["cup", "UsedFor", "tea"]],
    }
    return Item(
        name, "val", (Scene("9.jpg", regions, width=10, height=10),),
        {"question": TaggedText.plain(QUESTION)}, gold=Grounded(answer, target[0] if target else None),
        target=target, program=Program(steps), groups={"image": "9", "question_type": "QueryObjKG"},
        provenance={"drawn": True}, extra={"sub_graph": graph, "drawn": True}, **more,
    )  # fmt: skip


def keep(name: str) -> Shown:
    return Shown(PICTURE, 10, 10, name)


def first(item: Item | None = None, **changed: Any) -> NewTask:
    (task,) = CRIC.subjects(item or question(), DEFAULTS | changed, keep)
    return task


def then(task: NewTask, *answers: dict[str, Any], **more: Any) -> Outcome:
    return CRIC.stage(task.stage).then(done(CRIC, task, *answers, **more))


def marks(**changed: str) -> dict[str, str]:
    return {"grammatical": "yes", "unambiguous": "yes", "right": "yes"} | changed


def to_correct(**fault: str) -> NewTask:
    bad = marks(**(fault or {"right": "no", "note": "It is a mug."}))
    (task,) = then(first(), bad, bad, marks()).tasks
    return task


def correction(**changed: Any) -> dict[str, Any]:
    same = {"action": "correct", "question": QUESTION, "answer": "cup", "pointing": "same"}
    return same | changed


def item_of(record: Record) -> Item:
    (item,) = CRIC.item_of(Record(record.key, json.loads(msgspec.json.encode(record.data)), record.by))
    return item


# --- what is asked -----------------------------------------------------------------------------------------


def test_people_are_asked_what_the_page_of_build_questions_asks() -> None:
    page = review._template()
    assert all(f'["{mark}", ' in page for mark in MARKS)
    stage = CRIC.stage("review")
    assert stage.votes == tuple(MARKS)
    assert stage.overlap == DEFAULTS["votes"] == 3


def test_a_question_is_shown_with_its_answer_its_object_and_its_steps() -> None:
    payload = first().payload
    assert (payload["question"], payload["answer"], payload["points"]) == (QUESTION, "cup", "[cup1]")
    assert payload["facts"] == ["cup, UsedFor, tea", "[cup1] on [big dog3]", "[t-shirt2] red"]
    assert payload["steps"] == [
        {"step": "0. Initial()", "gives": "all objects"},
        {"step": '1. Find_KG([0], "BLANK", "UsedFor", "tea")', "gives": "[cup1]"},
        {"step": '2. Recognition([1], "object")', "gives": "cup"},
    ]
    assert len(payload["picture"]["regions"]) == 3
    assert first(question("no", ())).payload["points"] == NOTHING


def test_what_cannot_be_judged_is_passed_by() -> None:
    whole = question()
    for lacking in (
        {"gold": None}, {"target": None}, {"texts": {}}, {"scenes": ()}, {"target": (99,)},
        {"scenes": (Scene("9.jpg"),)},
    ):  # fmt: skip
        assert not list(CRIC.subjects(structs.replace(whole, **lacking), DEFAULTS, keep))


def test_a_share_is_drawn_by_the_ids() -> None:
    items = [question(name=f"9-{number}") for number in range(1000)]
    drawn = [item.id for item in items if list(CRIC.subjects(item, DEFAULTS | {"share": 0.02}, keep))]
    assert 8 <= len(drawn) <= 35
    again = [item.id for item in items if list(CRIC.subjects(item, DEFAULTS | {"share": 0.04}, keep))]
    assert set(drawn) < set(again), "a larger share holds the smaller"
    assert len(list(CRIC.subjects(items[0], DEFAULTS, keep))) == 1


def test_an_exam_where_it_is_asked_for() -> None:
    assert CRIC.exams == ()
    other = CRIC.under({"exam": True})
    assert [exam.name for exam in other.exams] == ["reading"]
    assert all(stage.exam == "reading" for stage in other.stages)
    with pytest.raises(UsageError, match="votes"):
        CRIC.under({"votes": 0})


# --- what comes of it --------------------------------------------------------------------------------------


def test_a_question_without_fault_is_kept_as_it_is() -> None:
    (record,) = then(first(), marks(), marks(), marks(unambiguous="no", note="Bowl?")).records
    assert (record.key, record.by) == ("9-1", (1, 2, 3))
    item = item_of(record)
    before = question()
    assert item.scenes[0].stored == PICTURE
    assert structs.replace(item, scenes=before.scenes, provenance=before.provenance) == before
    assert item.provenance["drawn"] is True
    votes = {"grammatical": [3, 3], "unambiguous": [2, 3], "right": [3, 3]}
    assert item.provenance["review"]["votes"] == votes
    assert item.provenance["review"]["corrected"] == []


def test_a_tie_is_for_a_reviewer_whose_word_decides() -> None:
    tied = then(first(), marks(), marks(right="no"))
    assert tied == Outcome(disputed="As many say that it is right in its answer as say that it is not.")
    assert then(first(), marks()).records


def test_a_faulty_question_goes_to_someone_who_mends_it() -> None:
    task = to_correct()
    assert (task.stage, task.key, task.about) == ("correct", "9-1/1", ())
    assert task.payload["said"][0] == marks(right="no") | {"note": "It is a mug."}
    assert "note" not in task.payload["said"][2]
    assert then(first(), *[marks(right="no")] * 3, changed={"corrections": 0}).dropped == (
        "Not right in its answer."
    )


def told(answers: dict[str, Any], item: Item | None = None) -> list[str]:
    stage = CRIC.stage("correct")
    payload = visible(json.loads(msgspec.json.encode(first(item).payload)))
    return [each.field for each in complaints(stage.form, payload, answers, stage.checks)]


def test_a_correction_changes_something_and_a_no_is_about_nothing() -> None:
    assert told(correction(question="Which object can hold tea?")) == []
    assert told({"action": "drop"}) == []
    assert told(correction()) == ["action"], "nothing is changed"
    assert told(correction(question=f" {QUESTION.lower()} ")) == ["action"]
    assert told(correction(answer="no")) == ["pointing"]
    assert told(correction(answer="No", pointing="none")) == []
    assert told(correction(pointing="none")) == ["pointing"]
    assert told(correction(answer="mug", pointing="other")) == ["target"]
    assert told(correction(answer="mug", pointing="other", target=[2])) == []
    assert told(correction(answer="mug", pointing="other", target=[3])) == ["target"], "there are three boxes"
    negative = question("no", ())
    assert told(correction(question="Is it wet now?", answer="no"), negative) == []
    assert told(correction(answer="yes"), negative) == ["pointing"]


def test_another_wording_keeps_program_and_facts() -> None:
    (task,) = then(to_correct(), correction(question="Which  thing can hold tea?"), first=10).tasks
    assert (task.stage, task.key, task.about, task.overlap) == ("review", "9-1/2", (10,), 3)
    assert task.payload["question"] == "Which thing can hold tea?"
    outcome = then(task, marks(), marks(), marks(), first=20)
    assert [(verdict.assignment, verdict.good) for verdict in outcome.verdicts] == [(10, True)]
    (record,) = outcome.records
    assert (record.key, record.by) == ("9-1", (10, 20, 21, 22))
    item = item_of(record)
    assert item.program == question().program
    assert item.texts["question"] == TaggedText.plain("Which thing can hold tea?")
    assert item.provenance["review"]["corrected"] == ["question"]
    assert item.provenance["review"]["corrector"] == "worker:110"


def test_another_answer_loses_what_spoke_for_the_old_one() -> None:
    change = correction(answer="Big dog", pointing="other", target=[2])
    (task,) = then(to_correct(), change, first=10).tasks
    assert (task.payload["answer"], task.payload["points"]) == ("big dog", "[big dog3]")
    assert (task.payload["steps"], task.payload["facts"]) == ([], [])
    item = item_of(then(task, marks(), first=20).records[0])
    assert (item.gold, item.target, item.program) == (Grounded("big dog", 40), (40,), None)
    assert "sub_graph" not in item.extra
    assert item.provenance["review"]["corrected"] == ["answer", "target"]


def test_what_is_still_faulty_is_dropped_and_counts_for_who_mended_it() -> None:
    (task,) = then(to_correct(), correction(question="Which thing can hold tea?"), first=10).tasks
    outcome = then(task, *[marks(grammatical="no", right="no")] * 3, first=20)
    assert outcome.dropped == "Not grammatical, not right in its answer."
    (verdict,) = outcome.verdicts
    assert (verdict.assignment, verdict.good) == (10, False)
    twice = then(task, *[marks(right="no")] * 3, first=20, changed={"corrections": 2})
    (again,) = twice.tasks
    assert (again.stage, again.key, again.not_for) == ("correct", "9-1/2", (110,))


def test_what_cannot_be_mended_is_dropped() -> None:
    assert then(to_correct(), {"action": "drop"}).dropped == "Held to be beyond mending."
    assert then(to_correct(), correction()).dropped == "Nothing was mended."


answered = st.fixed_dictionaries({mark: st.sampled_from(["yes", "no"]) for mark in MARKS})


@given(st.lists(answered, min_size=1, max_size=5))
def test_any_votes_keep_mend_or_dispute(votes: list[dict[str, str]]) -> None:
    outcome = then(first(), *votes)
    yes = [2 * sum(vote[mark] == "yes" for vote in votes) - len(votes) for mark in MARKS]
    if 0 in yes:
        assert outcome.disputed
    elif min(yes) > 0:
        assert outcome.records
    else:
        assert [task.stage for task in outcome.tasks] == ["correct"]


words = st.text(st.characters(categories=["L", "Zs"]), min_size=5, max_size=30)


@given(words, words, st.sampled_from(["same", "other", "none"]), st.sets(st.integers(0, 2), min_size=1))
def test_any_accepted_correction_is_a_sound_item(
    asked: str, answer: str, pointing: str, boxes: set[int]
) -> None:
    stage, task = CRIC.stage("correct"), to_correct()
    given = correction(question=f"why {asked} now", answer=answer, pointing=pointing, target=sorted(boxes))
    payload = json.loads(msgspec.json.encode(task.payload))
    if complaints(stage.form, visible(payload), given, stage.checks):
        return
    mended, changes = mend(question(), checked(stage.form, visible(payload), given, stage.checks))
    assert changes
    raw = msgspec.convert(native.from_item(mended), native.CricRecord)
    assert native.to_item(raw, {}, Source("x", "val")).gold == mended.gold


# --- who goes on -------------------------------------------------------------------------------------------


def test_who_mends_badly_goes_home() -> None:
    bad = (True, False, False, False, False, True)
    out = CRIC.standing(History(bad, (), by_stage={"correct": bad}), DEFAULTS)
    assert (out.qualified, out.reason) == (False, "Of 6 corrections that were judged, 2 were kept.")
    assert CRIC.standing(History(bad, (), by_stage={"review": bad}), DEFAULTS).qualified
    assert CRIC.standing(History((), (), by_stage={"correct": bad[:5]}), DEFAULTS).qualified
    assert not CRIC.standing(History((), (False,) * 5), DEFAULTS).qualified


# --- what it becomes ---------------------------------------------------------------------------------------


def test_a_record_is_a_native_record() -> None:
    item = item_of(then(first(), marks()).records[0])
    raw = native.from_item(item)
    assert (raw["question_id"], raw["image_id"], raw["answer"], raw["target"]) == ("9-1", 9, "cup", [7])
    again = native.to_item(msgspec.convert(raw, native.CricRecord), {"drawn": True}, Source("x", "val"))
    assert (again.gold, again.target, again.program) == (item.gold, item.target, item.program)
    assert native.CRIC.scoring.labelled(item)

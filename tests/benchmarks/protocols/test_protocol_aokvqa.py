"""A-OKVQA's protocol: the rules that the paper names, each by a case of its own."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hand_made import done
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks import aokvqa as native
from commonsight.benchmarks.protocols import aokvqa_words
from commonsight.benchmarks.protocols.aokvqa import AOKVQA, SETTINGS
from commonsight.benchmarks.protocols.aokvqa_flow import tidy
from commonsight.collect.earning import earned
from commonsight.collect.forms import complaints
from commonsight.collect.protocol import History, NewTask, Outcome, Record, Shown, visible
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Source
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError

DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}
NINE = ("autumn", "fall", "autumn", "october", "fall", "autumn", "harvest", "autumn", "september")


def keep(name: str) -> Shown:
    return Shown(hashlib.sha256(name.encode()).hexdigest() + ".jpg", 640, 480, name)


def cluster(*objects: int, split: str = "train") -> Item:
    """Pictures with so many objects each; 0 where nobody has said."""
    scenes = tuple(
        Scene(f"{place:012d}.jpg", (Region("apple"),) * number)
        for place, number in enumerate(objects or (0, 0, 0, 0), 1)
    )
    return Item("c", split, scenes, groups={"set": "cluster-3"})


def first(item: Item | None = None, **changed: Any) -> NewTask:
    (task,) = AOKVQA.subjects(item or cluster(), DEFAULTS | changed, keep)
    return task


def then(task: NewTask, *answers: dict[str, Any], **more: Any) -> Outcome:
    return AOKVQA.stage(task.stage).then(done(AOKVQA, task, *answers, **more))


def entry(picture: int, **changed: Any) -> dict[str, Any]:
    return {
        "picture": str(picture), "question": "What season is it most likely?", "answer": "Autumn",
        "wrong": ["spring", "winter", "early summer"], "compared": "different",
    } | changed  # fmt: skip


def questions(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"questions": list(entries) or [entry(0), entry(2)]}


def to_screen(**changed: Any) -> NewTask:
    return then(first(), questions(), changed=changed).tasks[0]


YES, NO = {"meets": "yes"}, {"meets": "no", "flaws": ["colour"]}


def to_explain(**changed: Any) -> NewTask:
    (task,) = then(to_screen(), YES, YES, NO, first=10, changed=changed).tasks
    return task


def reason(text: str = "Apples are picked then.") -> dict[str, str]:
    return {"confirmed": "yes", "rationale": text}


def to_answer() -> NewTask:
    (task,) = then(to_explain(), reason(), reason("It is the season."), reason(), first=20).tasks
    return task


def record_of(*answers: str, **more: Any) -> Record:
    outcome = then(to_answer(), *({"answer": text} for text in answers), first=30, **more)
    (record,) = outcome.records
    return record


# --- numbers of the paper ----------------------------------------------------------------------------------


def test_the_papers_numbers_are_the_defaults() -> None:
    (group,) = AOKVQA.stage("write").form
    parts = {part.name: part for part in group.parts}
    assert (group.least, group.most) == (2, 4)
    assert parts["question"].similar == 5
    assert parts["question"].similar_by == "_split"
    assert (parts["wrong"].least, parts["wrong"].most) == (3, 3)
    overlaps = {stage.name: stage.overlap for stage in AOKVQA.stages}
    assert overlaps == {"write": 1, "solve": 1, "screen": 3, "explain": 3, "answer": 9}
    assert (DEFAULTS["more_objects_than"], DEFAULTS["most_unconfirmed"]) == (3, 0)
    assert AOKVQA.stage("write").exam == "questions"
    assert AOKVQA.stage("explain").exam == "rationales"
    assert AOKVQA.stage("write").making is not None


def test_the_four_flaws_of_the_appendix_have_examples_and_cases() -> None:
    bad = [example.why for example in aokvqa_words.WRITING_EXAMPLES if not example.good]
    for flaw in ("recognition", "counting", "blind", "colour"):
        assert any(why.startswith(aokvqa_words.FLAWS[flaw]) for why in bad)
        cases = [question.why for question in AOKVQA.exams[0].graded]
        assert aokvqa_words.FLAWS[flaw] in cases


@pytest.mark.parametrize(
    "changed",
    [
        {"least_questions": 5}, {"least_questions": 0}, {"wrong": 0}, {"screeners": 0}, {"rationales": 0},
        {"direct_answers": 0}, {"most_sentences": 0}, {"most_unconfirmed": 3}, {"most_unconfirmed": -1},
    ],
)
def test_settings_that_do_not_go_together_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(changed))):
        AOKVQA.under(changed)


def test_settings_reach_forms_pay_and_checks() -> None:
    other = AOKVQA.under(
        {"least_questions": 1, "wrong": 2, "similar": 7, "similar_by_split": False, "answer_pay": 5,
         "most_sentences": 1}
    )  # fmt: skip
    (group,) = other.stage("write").form
    assert (group.least, group.parts[1].similar, group.parts[1].similar_by) == (1, 7, "")
    assert group.parts[3].most == 2
    assert other.stage("answer").pay.amount == 5
    two = {"confirmed": "yes", "rationale": "One. Two."}
    assert complaints(other.stage("explain").form, {}, two, other.stage("explain").checks)
    assert not complaints(AOKVQA.stage("explain").form, {}, two, AOKVQA.stage("explain").checks)


# --- first tasks -------------------------------------------------------------------------------------------


def test_a_cluster_is_one_piece_of_work() -> None:
    task = first()
    assert (task.stage, task.key, task.payload["_split"]) == ("write", "cluster-3", "train")
    assert len(task.payload["pictures"]) == 4
    assert all(shown["regions"] == () for shown in task.payload["pictures"])


def test_pictures_with_three_objects_or_fewer_are_left_out() -> None:
    assert len(first(cluster(4, 3, 9, 0)).payload["pictures"]) == 3
    assert not list(AOKVQA.subjects(cluster(4, 3, 3, 1), DEFAULTS, keep)), "one is too few for two questions"
    assert len(first(cluster(0, 0, 0, 0, 0, 0)).payload["pictures"]) == 4


# --- questions ---------------------------------------------------------------------------------------------


def told(answers: dict[str, Any]) -> list[str]:
    stage = AOKVQA.stage("write")
    payload = visible(done(AOKVQA, first()).payload)
    return [each.field for each in complaints(stage.form, payload, answers, stage.checks)]


def test_questions_are_about_different_pictures_with_different_choices() -> None:
    assert told(questions()) == []
    assert told(questions(entry(0))) == ["questions"], "two at least"
    assert told(questions(entry(1), entry(1))) == ["questions.1.picture"]
    assert told(questions(entry(0), entry(1, wrong=["Autumn.", "winter", "spring"]))) == ["questions.1.wrong"]
    assert told(questions(entry(0), entry(1, wrong=["winter", "spring"]))) == ["questions.1.wrong"]
    assert told(questions(entry(0, answer="a late warm autumn day"), entry(1))) == ["questions.0.answer"]
    assert told(questions(entry(0, question="What season now"), entry(1))) == ["questions.0.question"]
    unseen = entry(0)
    del unseen["compared"]
    assert told(questions(unseen, entry(1))) == ["questions.0.compared"], "look at the others"
    assert earned(AOKVQA.stage("write"), questions()) == 2 * DEFAULTS["question_pay"]


def test_each_question_is_screened_by_three_others() -> None:
    outcome = then(first(), questions(entry(0), entry(2, question="Who picks the apples here?")))
    assert [(task.stage, task.key, task.overlap) for task in outcome.tasks] == [
        ("screen", "cluster-3-0", 3), ("screen", "cluster-3-2", 3),
    ]  # fmt: skip
    assert all(task.about == (1,) for task in outcome.tasks)
    payload = outcome.tasks[0].payload
    assert sorted(payload["choices"]) == ["autumn", "early summer", "spring", "winter"]
    assert payload["answer"] == "autumn" == payload["choices"][payload["_kept"]["right"]]


def test_the_right_choice_stands_anywhere() -> None:
    places = Counter(
        then(first(), questions(), seed=seed).tasks[0].payload["_kept"]["right"] for seed in range(200)
    )
    assert set(places) == {0, 1, 2, 3}
    assert max(places.values()) < 80


@pytest.mark.parametrize(
    ("written", "kept"), [("Autumn", "autumn"), (" the  Red Door. ", "the red door"), ("...", "...")]
)
def test_answers_are_written_as_in_the_released_files(written: str, kept: str) -> None:
    assert tidy(written) == kept


def test_what_a_program_answers_right_is_trivial() -> None:
    outcome = then(first(program=True), questions(), changed={"program": True})
    task = outcome.tasks[0]
    assert task.stage == "solve"
    assert "answer" not in task.payload
    right = task.payload["_kept"]["right"]
    gone = then(task, {"pick": str(right)}, first=5)
    assert gone.dropped
    assert [(verdict.assignment, verdict.good) for verdict in gone.verdicts] == [(1, False)]
    (screen,) = then(task, {"pick": str((right + 1) % 4)}, first=5).tasks
    assert (screen.stage, screen.overlap, screen.about) == ("screen", 3, (1,))
    assert screen.payload["answer"] == "autumn"


def test_the_majority_of_screeners_decides() -> None:
    outcome = then(to_screen(), YES, YES, NO, first=10)
    (task,) = outcome.tasks
    assert (task.stage, task.overlap, task.about) == ("explain", 3, (1,))
    assert [(verdict.assignment, verdict.good) for verdict in outcome.verdicts] == [(1, True)]
    gone = then(to_screen(), NO, YES, {"meets": "no", "flaws": ["similar", "colour"]}, first=10)
    assert gone.dropped == "Screened out: colour, similar."
    (verdict,) = gone.verdicts
    assert not verdict.good
    assert verdict.feedback.startswith("It only asks for the colour")
    assert not gone.tasks


def test_a_tie_of_screeners_is_for_a_reviewer() -> None:
    tied = then(to_screen(), YES, NO, first=10)
    assert tied == Outcome(disputed="As many screeners for it as against it.")
    assert then(to_screen(), NO, first=10).dropped


@given(st.lists(st.booleans(), min_size=1, max_size=9))
def test_any_screening_keeps_drops_or_is_disputed(votes: list[bool]) -> None:
    outcome = then(to_screen(), *(YES if vote else NO for vote in votes), first=10)
    balance = 2 * sum(votes) - len(votes)
    assert (bool(outcome.tasks), bool(outcome.dropped), bool(outcome.disputed)) == (
        balance > 0, balance < 0, balance == 0,
    )  # fmt: skip


def test_an_answer_that_one_of_three_does_not_confirm_removes_the_question() -> None:
    other = {"confirmed": "no", "own_answer": "Spring!"}
    gone = then(to_explain(), reason(), other, reason(), first=20)
    assert gone.dropped == "The answer was not confirmed."
    (verdict,) = gone.verdicts
    assert (verdict.assignment, verdict.good) == (1, False)
    assert verdict.feedback == "The answer was not confirmed. Others answered: spring."
    kept = then(to_explain(), reason(), other, reason(), first=20, changed={"most_unconfirmed": 1})
    assert len(kept.tasks[0].payload["_kept"]["rationales"]) == 2


def test_an_explanation_has_two_sentences_at_most() -> None:
    stage = AOKVQA.stage("explain")

    def faults(text: str) -> list[str]:
        return [each.message for each in complaints(stage.form, {}, reason(text), stage.checks)]

    assert faults("Apples ripen in autumn. The leaves are still on.") == []
    assert faults("One is seen. Two are seen. Three are seen.") == ["Write at most 2 sentences; there are 3."]
    assert faults("It is about 3.5 m tall... and old.") == []
    assert faults("Because")


def test_nine_more_answer_who_have_not_seen_the_choices() -> None:
    task = to_answer()
    assert (task.stage, task.overlap, task.about) == ("answer", 9, (1,))
    assert set(task.not_for) == {101, 110, 111, 112, 120, 121, 122}
    assert set(visible(task.payload)) == {"picture", "question"}, "neither choices nor answer"


def test_ten_direct_answers_and_three_rationales_make_the_record() -> None:
    record = record_of(*NINE)
    assert Counter(record.data["direct_answers"]) == Counter(("autumn", *NINE))
    assert len(record.data["rationales"]) == 3
    assert record.data["rationales"][1] == "It is the season."
    assert record.data["difficult"] is False
    assert (record.key, record.data["writer"]) == ("cluster-3-0", "worker:101")
    assert record.by[0] == 1
    assert len(record.by) == 1 + 3 + 3 + 9
    assert record_of(*NINE, seed=8).data["direct_answers"] != record.data["direct_answers"], "drawn by chance"


def test_the_kind_of_knowledge_where_it_is_asked_for() -> None:
    assert AOKVQA.under({"ask_knowledge": True}).stage("explain").form[-1].name == "knowledge"
    assert AOKVQA.stage("explain").form[-1].name == "rationale"
    said = [reason() | {"knowledge": kind} for kind in ("visual", "physical", "physical")]
    (task,) = then(to_explain(), *said, first=20).tasks
    (record,) = then(task, *({"answer": text} for text in NINE), first=30).records
    assert item_of(record).extra["knowledge_type"] == "physical"
    assert "knowledge_type" not in item_of(record_of(*NINE)).extra


def test_line_breaks_do_not_get_into_the_files() -> None:
    task = then(first(), questions(entry(0, question="What season\n is it?"), entry(1))).tasks[0]
    assert task.payload["question"] == "What season is it?"
    (answer,) = then(to_explain(), *[reason("Apples\nripen then.")] * 3, first=20).tasks
    assert answer.payload["_kept"]["rationales"] == ["Apples ripen then."] * 3


@given(st.lists(st.sampled_from("abcdefghijkl"), min_size=9, max_size=9))
def test_nine_different_answers_or_more_make_it_difficult(answers: list[str]) -> None:
    record = record_of(*answers)
    assert record.data["difficult"] is (len({"autumn", *answers}) >= 9)
    assert "autumn" in record.data["direct_answers"]


@pytest.mark.real_data
def test_the_rule_for_difficult_questions_is_that_of_the_released_file(data_dir: Path) -> None:
    records = json.loads((data_dir / "aokvqa/aokvqa_v1p0_val.json").read_bytes())
    for record in records:
        different = len(set(record["direct_answers"])) >= DEFAULTS["difficult_from"]
        assert different is record["difficult_direct_answer"]
        assert record["choices"][record["correct_choice_idx"]] in record["direct_answers"]


# --- who goes on -------------------------------------------------------------------------------------------


def test_who_writes_what_is_not_kept_goes_home() -> None:
    few = (True,) * 3 + (False,) * 17
    out = AOKVQA.standing(History(few, (), by_stage={"write": few}), DEFAULTS)
    assert (out.qualified, out.reason) == (False, "Of 20 questions that were judged, 3 were kept.")
    enough = (True, *few[:-1])
    assert AOKVQA.standing(History(enough, (), by_stage={"write": enough}), DEFAULTS).qualified
    early = (False,) * 19
    assert AOKVQA.standing(History(early, (), by_stage={"write": early}), DEFAULTS).qualified
    assert not AOKVQA.standing(History((), (False,) * 5), DEFAULTS).qualified


def test_gold_for_answers_minds_no_case() -> None:
    agrees = AOKVQA.stage("answer").agrees
    assert agrees is not None
    assert agrees({"answer": "the sea"}, {"answer": "The Sea."})
    assert not agrees({"answer": "sea"}, {"answer": "lake"})


# --- what it becomes ---------------------------------------------------------------------------------------


def item_of(record: Record) -> Item:
    (item,) = AOKVQA.item_of(Record(record.key, json.loads(msgspec.json.encode(record.data)), record.by))
    return item


def test_a_record_is_the_item_that_the_benchmark_reads() -> None:
    item = item_of(record_of(*NINE))
    raw = native.from_item(item)
    assert (raw["image_id"], raw["question_id"], raw["difficult_direct_answer"]) == (1, "cluster-3-0", False)
    assert (len(raw["choices"]), len(raw["direct_answers"]), len(raw["rationales"])) == (4, 10, 3)
    again = native.to_item(msgspec.convert(raw, native.AokvqaRecord), {}, Source("x", "train"))
    bare = (Scene("000000000001.jpg"),)
    assert again == msgspec.structs.replace(item, scenes=bare, provenance={})
    assert isinstance(item.gold, Pick)
    assert item.choices[item.gold.index] == TaggedText.plain("autumn")
    assert item.scenes[0].stored == keep("000000000001.jpg").picture
    assert native.AOKVQA.scoring.labelled(item)


def test_a_picture_without_a_number_gets_one() -> None:
    scenes = tuple(Scene(f"kitchen/{place}-a.png") for place in range(4))
    task = first(Item("c", "val", scenes, groups={"set": "c"}))
    screened = then(then(task, questions()).tasks[0], YES, YES, YES, first=10)
    (answer,) = then(screened.tasks[0], reason(), reason(), reason(), first=20).tasks
    (record,) = then(answer, *({"answer": text} for text in NINE), first=30).records
    item = item_of(record)
    assert int(item.groups["image"]) > 10**9
    assert item.scenes[0].image == f"{int(item.groups['image']):012d}.jpg"
    assert item.provenance["image"] == "kitchen/0-a.png"


def test_questions_of_a_dataset_can_go_the_same_way() -> None:
    choices = tuple(TaggedText.plain(text) for text in ("autumn", "spring", "winter", "may"))
    item = Item(
        "q1", "val", (Scene("000000000007.jpg"),), {"question": TaggedText.plain("What season is it?")},
        choices, Pick(0), groups={"image": "7"}, provenance={"drawn": True},
    )  # fmt: skip
    task = first(item)
    assert (task.stage, task.key, task.about) == ("screen", "q1", ())
    outcome = then(task, YES, YES, YES)
    assert outcome.verdicts == ()
    (answer,) = then(outcome.tasks[0], reason(), reason(), reason(), first=5).tasks
    (record,) = then(answer, *({"answer": text} for text in NINE), first=9).records
    again = item_of(record)
    assert (again.id, again.gold, again.provenance["drawn"]) == ("q1", Pick(0), True)
    assert "writer" not in again.provenance
    assert not list(AOKVQA.subjects(msgspec.structs.replace(item, gold=None), DEFAULTS, keep))
    assert not list(AOKVQA.subjects(msgspec.structs.replace(item, scenes=()), DEFAULTS, keep))

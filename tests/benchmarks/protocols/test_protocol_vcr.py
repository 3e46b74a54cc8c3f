"""VCR's protocol: the rules that the paper names, each by a case of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hand_made import done
from msgspec import structs
from typer.testing import CliRunner

from commonsight.benchmarks import find as find_benchmark
from commonsight.benchmarks.protocols.vcr import SETTINGS, VCR
from commonsight.build.matching.raw import read_raw
from commonsight.cli.main import app
from commonsight.collect.forms import complaints
from commonsight.collect.protocol import History, NewTask, Outcome, Record, Shown, Verdict
from commonsight.core.answer import Pick
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.store.dataset import read_dataset

DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}
LABELS = ("person", "person", "cup", "dog")


def item(
    name: str = "drawn/a@0.png", labels: tuple[str, ...] = LABELS, score: float = 0.9, **more: Any
) -> Item:
    box = Box(1, 1, 9, 9)
    regions = tuple(Region(label, box, score=score) for label in labels)
    scene = Scene(name, regions, width=100, height=80)
    return Item("val-1", "val", (scene,), groups={"movie": "drawn", "image": "val-0"}, **more)


def keep(name: str) -> Shown:
    return Shown(("0123456789abcdef" * 4) + ".png", 100, 80, name)


def first(one: Item | None = None, **changed: Any) -> NewTask:
    (task,) = VCR.subjects(one or item(), DEFAULTS | changed, keep)
    return task


def triplet(**changed: str) -> dict[str, str]:
    return {
        "question": "Why does [person1] hold the [cup3]?",
        "answer": "[person1] wants to drink.",
        "likelihood": "likely",
        "rationale": "The [cup3] is full and [person1] looks thirsty.",
    } | changed


def work(*triplets: dict[str, str], interesting: str = "okay") -> dict[str, Any]:
    return {"triplets": list(triplets) or [triplet()], "interesting": interesting}


def then(task: NewTask, *answers: dict[str, Any], **more: Any) -> Outcome:
    return VCR.stage(task.stage).then(done(VCR, task, *answers, **more))


def told(answers: dict[str, Any], **changed: Any) -> list[tuple[str, str]]:
    protocol = VCR.under(changed)
    stage = protocol.stage("write")
    payload = done(protocol, first()).payload
    return [(each.field, each.message) for each in complaints(stage.form, payload, answers, stage.checks)]


# --- numbers of the paper ----------------------------------------------------------------------------------


def test_the_papers_numbers_are_the_defaults() -> None:
    write, review = VCR.stages
    (group, interesting) = write.form
    words = {part.name: part.least_words for part in group.parts if part.kind == "tagged"}
    assert words == {"question": 4, "answer": 3, "rationale": 5}
    assert (group.least, group.most) == (1, 3)
    assert (write.pay.amount, write.pay.each, review.pay.amount) == (2200, "triplets", 4000)
    assert (DEFAULTS["review_share"], DEFAULTS["tags_on_average"]) == (1 / 50, 1.0)
    assert (DEFAULTS["least_tags"], DEFAULTS["least_people"], DEFAULTS["least_score"]) == (3, 2, 0.7)
    scale = next(part for part in group.parts if part.name == "likelihood")
    assert [option.value for option in scale.options] == ["unlikely", "possible", "likely"]
    assert [option.value for option in interesting.options] == ["boring", "okay", "interesting"]
    assert (write.exam, review.role, review.exam) == ("qualification", "reviewer", "")
    assert any("every 48 hours" in paragraph for paragraph in write.guide)


def test_settings_reach_forms_pay_and_exam() -> None:
    other = VCR.under({"question_words": 6, "most_triplets": 5, "triplet_pay": 3000, "likely_above": 80,
                       "outstanding_workers_review": True, "exam_tries": 4, "exam_pictures": 2})  # fmt: skip
    write, review = other.stages
    assert write.form[0].parts[0].least_words == 6
    assert write.form[0].most == 5
    assert write.pay.amount == 3000
    assert any("80%" in option.label for option in write.form[0].parts[2].options)
    assert review.role == "worker"
    assert (other.exams[0].tries, other.exams[0].samples, other.exams[0].samples_of) == (4, 2, "write")
    assert VCR.stage("write").form[0].parts[0].least_words == 4, "the value itself is not changed"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"most_triplets": 0}, "1 <= least_triplets"),
        ({"least_triplets": 0}, "1 <= least_triplets"),
        ({"likely_above": 20}, "percents"),
        ({"writers": 0}, "At least one person"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        VCR.under(changed)


# --- pictures ----------------------------------------------------------------------------------------------


def test_a_picture_is_a_task_with_its_boxes_and_captions() -> None:
    captions = {"caption": TaggedText(((0,), "lifts", "the", (2,), "."))}
    task = first(item(texts=captions, extra={"captions": ["Someone comes in."]}))
    assert (task.stage, task.key) == ("write", "drawn/a@0.png#01234567")
    payload = done(VCR, task).payload
    assert payload["context"] == ["[person1] lifts the [cup3].", "Someone comes in."]
    assert [region["label"] for region in payload["picture"]["regions"]] == [*LABELS]
    assert payload["picture"]["regions"][0]["box"] == [1, 1, 9, 9]
    assert payload["picture"]["alt"] == "The picture. Its numbered boxes: person 1, person 2, cup 3, dog 4."
    assert first(item()).payload["context"] == []


@pytest.mark.parametrize(
    ("one", "taken"),
    [
        (item(), True),
        (item(labels=("person", "person", "cup")), True),
        (item(labels=("person", "person")), False),
        (item(labels=("person", "cup", "dog", "dog")), False),
        (item(labels=()), False),
        (item(score=0.7), True),
        (item(score=0.69), False),
    ],
)
def test_only_pictures_with_enough_sure_boxes_and_people_are_taken(one: Item, taken: bool) -> None:
    assert bool(list(VCR.subjects(one, DEFAULTS, keep))) is taken


def test_long_names_leave_room_in_keys() -> None:
    task = first(item("x/" * 400 + "a.png"))
    assert len(task.key) < 140
    again = then(task, work(interesting="interesting")).tasks[0]
    assert len(again.key) < 150


# --- automated checks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "text", "why"),
    [
        ("question", "Why [person1] sits?", "at least 4 words"),
        ("answer", "[person1] rests.", "at least 3 words"),
        ("rationale", "[person1] has a chair.", "at least 5 words"),
        ("question", "Why does [person3] hold it?", "no box of the picture"),
        ("likelihood", "certain", "Choose one"),
    ],
)
def test_what_a_field_wants_is_told(part: str, text: str, why: str) -> None:
    ((field, message),) = told(work(triplet(**{part: text})))
    assert field == f"triplets.0.{part}"
    assert why in message


def test_one_to_three_triplets() -> None:
    assert told(work()) == []
    assert told(work(triplet(), triplet(), triplet())) == []
    assert "at most 3" in told(work(*[triplet()] * 4))[0][1]
    assert told({"interesting": "okay"})[0][0] == "triplets"


BARE = {
    "question": "Why does he hold it?",
    "answer": "He wants to drink.",
    "rationale": "It is full and he is thirsty.",
}


def test_triplets_point_to_a_box_each_on_average() -> None:
    assert "you point to 0 in 1" in told(work(triplet(**BARE)))[0][1]
    assert told(work(triplet(), triplet(**BARE))) == [], "two boxes in two triplets"
    assert "you point to 2 in 3" in told(work(triplet(), triplet(**BARE), triplet(**BARE)))[0][1]
    one = triplet(**BARE | {"answer": "[person1] wants [person1] to drink."})
    assert "you point to 1 in 2" in told(work(one, triplet(**BARE)))[0][1], "a box counts once in a triplet"
    assert told(work(triplet(**BARE)), tags_on_average=0.0) == []
    assert "at least 2" in told(work(one), tags_on_average=2.0)[0][1]


# --- what comes of it --------------------------------------------------------------------------------------


def test_every_triplet_is_a_record_at_once() -> None:
    outcome = then(first(), work(triplet(), triplet(likelihood="possible")), changed={"review_share": 0.0})
    assert outcome.tasks == ()
    assert [record.key[-4:] for record in outcome.records] == [":0.0", ":0.1"]
    assert [record.data["number"] for record in outcome.records] == [0, 1]
    assert [record.data["likelihood"] for record in outcome.records] == ["likely", "possible"]
    assert {record.by for record in outcome.records} == {(1,)}
    assert {record.data["writer"] for record in outcome.records} == {"worker:101"}
    assert outcome.records[0].data["scores"] == [0]


def test_one_in_fifty_is_reviewed() -> None:
    reviewed = sum(bool(then(first(), work(), seed=seed).tasks) for seed in range(3000))
    assert 40 <= reviewed <= 80
    (task,) = then(first(), work(), changed={"review_share": 1.0}).tasks
    assert (task.stage, task.about, task.pool) == ("review", (1,), "")
    assert task.payload["work"] == [triplet()]
    (pooled,) = then(
        first(), work(), changed={"review_share": 1.0, "outstanding_workers_review": True}
    ).tasks
    assert pooled.pool == "outstanding"


def test_an_especially_interesting_picture_goes_to_another_worker_once() -> None:
    (again,) = then(first(), work(triplet(), triplet(), interesting="interesting")).tasks
    assert (again.stage, again.key, again.not_for) == ("write", f"{first().key}/2", (101,))
    outcome = then(again, work(interesting="interesting"), first=2)
    assert outcome.tasks == (), "two rounds, by default"
    assert [record.data["number"] for record in outcome.records] == [2], "questions are counted on"
    assert outcome.records[0].data["scores"] == [1, 1]
    (third,) = then(again, work(interesting="interesting"), first=2, changed={"most_rounds": 3}).tasks
    assert (third.key, third.not_for) == (f"{first().key}/3", (101, 102))
    for other in ("okay", "boring"):
        assert then(first(), work(interesting=other)).tasks == ()


def test_half_of_several_writers_must_find_it_interesting() -> None:
    both = then(first(), work(interesting="interesting"), work(interesting="boring"))
    assert [task.not_for for task in both.tasks] == [(101, 102)]
    assert [record.key[-4:] for record in both.records] == [":0.0", ":1.0"]
    assert [record.by for record in both.records] == [(1,), (2,)]
    fewer = then(first(), work(interesting="interesting"), work(), work(interesting="boring"))
    assert fewer.tasks == ()


def review(**changed: str) -> dict[str, str]:
    return {
        "questions": "good", "answers": "fair", "rationales": "good", "good_enough": "yes",
        "feedback": "Good questions all along, and the reasons name what one can see.",
    } | changed  # fmt: skip


def test_a_review_is_a_verdict_with_feedback_and_leaves_the_records() -> None:
    (task,) = then(first(), work(), changed={"review_share": 1.0}).tasks
    (good,) = then(task, review(), first=9).verdicts
    assert good == Verdict(1, True, "review", review()["feedback"])
    outcome = then(task, review(good_enough="no", questions="poor", rationales="poor"), first=9)
    (bad,) = outcome.verdicts
    assert (bad.good, bad.reason) == (False, "review: poor questions, rationales")
    assert outcome.records == ()
    assert not outcome.dropped


def test_feedback_must_be_detailed() -> None:
    stage = VCR.stage("review")
    (complaint,) = complaints(stage.form, {}, review(feedback="Nice work."))
    assert "at least 10 words" in complaint.message


# --- who goes on -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "qualified", "tier"),
    [
        ((), True, ""),
        ((False,), True, ""),
        ((False, False), False, ""),
        ((True, False), True, ""),
        ((True, True, True, True, True), True, "outstanding"),
        ((True,) * 9 + (False,), True, "outstanding"),
        ((True,) * 8 + (False,) * 2, True, ""),
        ((True,) * 20 + (False,) * 3, False, ""),
        ((False, False, False, True, True), True, ""),
    ],
)
def test_who_drops_is_out_and_who_is_outstanding_is_told_apart(
    verdicts: tuple[bool, ...], qualified: bool, tier: str
) -> None:
    standing = VCR.standing(History(verdicts, ()), DEFAULTS)
    assert (standing.qualified, standing.tier) == (qualified, tier)
    assert standing.pools == ((tier,) if tier else ())
    assert bool(standing.reason) is not qualified


def test_failed_gold_sends_home_too() -> None:
    standing = VCR.standing(History((True,) * 9, (True, False, False, False, False)), DEFAULTS)
    assert not standing.qualified
    assert "known answers" in standing.reason


# --- what it becomes ---------------------------------------------------------------------------------------


def records(count: int) -> list[Record]:
    """Work of several people about several pictures, no two answers alike."""
    things = ("the cup", "a key", "some bread", "the letter", "an apple")
    deeds = ("wants", "hides", "loses", "brings", "paints", "mends", "sells")
    kept: list[Record] = []
    for place in range(count):
        thing, deed = things[place % len(things)], deeds[place % len(deeds)]
        one = item(f"movie{place % 4}/frame{place}.png")
        one = structs.replace(one, groups={"movie": f"movie{place % 4}", "image": f"val-{place}"})
        said = triplet(
            question=f"Why is [person1] {deed} of {thing}?",
            answer=f"[person2] {deed} {thing} on day {place}.",
            rationale=f"[person1] looks at [dog4], and {deed} often means {thing} number {place}.",
        )
        kept += then(first(one), work(said), first=place, changed={"review_share": 0.0}).records
    return kept


def test_a_record_is_an_item_with_the_right_choices_alone() -> None:
    one = item(provenance={"drawn": True}, extra={"metadata_fn": "drawn/a@0.json"})
    (record,) = then(first(one), work()).records
    (made,) = VCR.item_of(record)
    assert list(faults(made)) == []
    assert made.id.startswith("val-")
    assert (made.split, made.gold, made.rationale_gold) == ("val", Pick(0), 0)
    assert made.choices == (TaggedText(((0,), "wants", "to", "drink", ".")),)
    assert made.texts["question"].bracketed(made.labels) == "Why does [person1] hold the [cup3]?"
    assert made.scenes[0].stored == keep("").picture
    assert made.scenes[0].regions[0].score == 0.9
    assert made.groups == {"movie": "drawn", "image": "val-0"}
    assert made.provenance == {"record": record.key, "writer": "worker:101", "drawn": True}
    assert made.extra["answer_likelihood"] == "likely"
    assert made.extra["interesting_scores"] == [0]
    assert made.extra["metadata_fn"] == "drawn/a@0.json"
    assert find_benchmark("vcr").native.from_item(made)["question_orig"] == triplet()["question"]


def test_a_picture_in_no_group_is_of_the_movie_that_its_folder_names() -> None:
    bare = structs.replace(item("clips/7/a.png"), groups={})
    (made,) = VCR.item_of(then(first(bare), work()).records[0])
    assert made.groups == {"movie": "clips/7", "image": "clips/7/a.png"}
    assert made.extra["metadata_fn"] == "clips/7/a.json"
    lone = structs.replace(item("a.png"), groups={})
    assert VCR.raw_of is not None
    assert VCR.raw_of(then(first(lone), work()).records[0])["group"] == "a.png"


def test_raw_lines_are_what_matching_reads(tmp_path: Path) -> None:
    """Collected, written as raw lines, matched, and in VCR's own format at the end."""
    assert VCR.raw_of is not None
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps(VCR.raw_of(record)) + "\n" for record in records(28)))
    annotations = read_raw(path)
    assert len({annotation.id for annotation in annotations}) == 28
    assert annotations[0].extra["question_orig"].startswith("Why is [person1]")
    quick = ["--folds", "1", "--scorer", "words", "--workers", "1"]
    ran = CliRunner().invoke(app, ["build", "match", str(path), "--out", str(tmp_path / "matched"), *quick])
    assert ran.exit_code == 0, ran.output
    made = list(read_dataset(tmp_path / "matched"))
    assert {one.id for one in made} == {annotation.id for annotation in annotations}
    native = find_benchmark("vcr").native
    for one in made:
        assert list(faults(one)) == []
        assert (len(one.choices), len(one.rationales)) == (4, 4)
        line = native.from_item(one)
        assert (line["interesting_scores"], line["answer_likelihood"]) == ([0], "likely")
        assert line["movie"].startswith("movie")
        assert line["img_id"].startswith("val-")

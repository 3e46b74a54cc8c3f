"""PMR's protocol: three phases, the rules that the paper names, and pay by outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hand_made import done
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.benchmarks import find as find_benchmark
from commonsight.benchmarks.protocols.pmr import PMR, SETTINGS
from commonsight.benchmarks.protocols.pmr_flow import FAULTS, split_of
from commonsight.build.premises.templates import CATEGORIES
from commonsight.collect.forms import complaints
from commonsight.collect.protocol import History, NewTask, Outcome, Record, Reward, Shown, Verdict
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Source
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.store.dataset import check_dataset, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native, write_native

DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}
LABELS = ("person", "person", "cup")
NEVER, ALWAYS = {"check_share": 0.0}, {"check_share": 1.0}


def item(labels: tuple[str, ...] = LABELS, extra: dict[str, Any] | None = None, **more: Any) -> Item:
    regions = tuple(Region(label, Box(1, 1, 9, 9)) for label in labels)
    scene = Scene("drawn/a@0.png", regions, width=100, height=80, extra=extra or {})
    return Item("val-1", "val", (scene,), groups={"movie": "drawn", "image": "val-0"}, **more)


def keep(name: str) -> Shown:
    return Shown(("0123456789abcdef" * 4) + ".png", 100, 80, name)


def first(one: Item | None = None, **changed: Any) -> NewTask:
    return next(iter(PMR.subjects(one or item(), DEFAULTS | changed, keep)))


TRUE = "[person1] {with the [cup3]} will offer [person2] a seat."
FALSE = "[person1] {with the [cup3]} will turn away from [person2]."
WRITTEN = {"premise": "1", "action_true": TRUE, "action_false": FALSE}
ACCEPTED = {
    "decision": "accept",
    "distractor1": "[person1] {with a hat} will offer [person2] a seat.",
    "distractor2": "[person1] {with a hat} will turn away from [person2].",
}
DROPPED = {"decision": "drop", "fault": "true", "note": "Why a seat?"}


def then(task: NewTask, answers: dict[str, Any], number: int, **more: Any) -> Outcome:
    return PMR.stage(task.stage).then(done(PMR, task, answers, first=number, **more))


def to_examine(**changed: Any) -> NewTask:
    (task,) = then(first(), WRITTEN | changed, 1).tasks
    return task


def to_check(answers: dict[str, Any]) -> NewTask:
    (task,) = then(to_examine(), answers, 2, changed=ALWAYS).tasks
    return task


def told(stage: str, answers: dict[str, Any], task: NewTask, **changed: Any) -> list[tuple[str, str]]:
    protocol = PMR.under(changed)
    at = protocol.stage(stage)
    payload = done(protocol, task).payload
    return [(each.field, each.message) for each in complaints(at.form, payload, answers, at.checks)]


# --- numbers of the paper ----------------------------------------------------------------------------------


def test_the_papers_numbers_are_the_defaults() -> None:
    assert [stage.name for stage in PMR.stages] == ["write", "examine", "check"]
    wanted = {
        "premises_offered": 6, "references": 6, "most_people": 5, "most_tags": 15, "check_share": 0.1,
        "write_pay_accepted": 1500, "write_pay_dropped": 150, "examine_pay_accepted": 750,
        "examine_pay_dropped": 150, "qualification_pairs": 10, "split_shares": (8, 1, 1),
    }  # fmt: skip
    assert {name: DEFAULTS[name] for name in wanted} == wanted
    qualification, advanced = PMR.exams
    assert (qualification.samples_of, qualification.samples) == ("write", 10)
    assert qualification.distinction == advanced.name == PMR.stage("examine").exam
    assert PMR.stage("write").exam == "qualification"
    assert PMR.stage("write").closed_to == "advanced", "advanced workers examine, the others write"
    assert PMR.stage("check").role == "reviewer"
    assert "bachelor" in qualification.guide[0]


def test_settings_reach_forms_pay_exams_and_words() -> None:
    other = PMR.under({"examiners_write_too": True, "write_pay_dropped": 200, "write_pay_accepted": 2000,
                       "education": "", "qualification_pairs": 3, "check_share": 0.25})  # fmt: skip
    assert other.stage("write").closed_to == ""
    assert other.stage("write").pay.amount == 200
    assert "$0.2;" in other.stage("write").guide[-1]
    assert "25%" in other.stage("examine").guide[-1]
    assert other.exams[0].samples == 3
    assert "bachelor" not in " ".join(other.exams[0].guide)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"premises_offered": 0}, "from 1 to 6"),
        ({"premises_offered": 7}, "from 1 to 6"),
        ({"split_shares": [8, 2]}, "three numbers"),
        ({"split_shares": [0, 0, 0]}, "three numbers"),
        ({"split_shares": [9, -1, 2]}, "three numbers"),
        ({"split_shares": ["8", "1", "1"]}, "three numbers"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        PMR.under(changed)


# --- premises and references -------------------------------------------------------------------------------


def test_six_premises_are_offered_one_of_each_category() -> None:
    payload = first().payload
    assert payload["_categories"] == [*CATEGORIES]
    assert len(set(payload["premises"])) == 6
    assert payload == first().payload, "the same premises every time"
    other = first(offers_seed=1).payload
    assert other["premises"] != payload["premises"]
    assert len(first(premises_offered=2).payload["premises"]) == 2


def test_six_reference_actions_are_shown_what_the_item_brings_first() -> None:
    assert len(first().payload["references"]) == 6
    assert len(set(first().payload["references"])) == 6
    brought = first(item()).payload["references"]
    vcr = structs.replace(
        item(),
        texts={"question": TaggedText(("What", "will", (0,), "do", "next", "?"))},
        choices=(TaggedText(((0,), "will", "sing", ".")),),
        gold=Pick(0),
    )
    assert first(vcr).payload["references"][0] == "[person1] will sing."
    asked_else = structs.replace(vcr, texts={"question": TaggedText(("Why", "is", (0,), "sad", "?"))})
    assert first(asked_else).payload["references"] == brought
    several = structs.replace(item(), extra={"reference_actions": [f"Text {n}." for n in range(9)]})
    assert first(several).payload["references"] == [f"Text {n}." for n in range(6)]
    alone = first(item(labels=("person", "cup"))).payload["references"]
    assert alone
    assert not any("person2" in text for text in alone)


def test_several_writers_get_premises_of_their_own() -> None:
    tasks = list(PMR.subjects(item(), DEFAULTS | {"writers": 3}, keep))
    assert len({task.key for task in tasks}) == 3
    assert len({tuple(task.payload["premises"]) for task in tasks}) == 3


@pytest.mark.parametrize(
    ("one", "taken"),
    [
        (item(), True),
        (item(labels=("person",) * 5), True),
        (item(labels=("person",) * 6), False),
        (item(labels=("person",) + ("cup",) * 14), True),
        (item(labels=("person",) + ("cup",) * 15), False),
        (item(labels=("cup", "dog")), False),
        (item(extra={"brightness": 0.5}), True),
        (item(extra={"brightness": 0.05}), False),
    ],
)
def test_crowded_and_dark_pictures_are_left_out(one: Item, taken: bool) -> None:
    assert bool(list(PMR.subjects(one, DEFAULTS, keep))) is taken


def test_movies_are_split_as_wholes_in_the_shares_that_are_set() -> None:
    names = [f"movie {number}" for number in range(2000)]
    found = [split_of({"groups": {"movie": name}, "split": "x"}, DEFAULTS) for name in names]
    assert found == [split_of({"groups": {"movie": name}, "split": "x"}, DEFAULTS) for name in names]
    shares = {split: found.count(split) / len(found) for split in ("train", "val", "test")}
    assert shares == pytest.approx({"train": 0.8, "val": 0.1, "test": 0.1}, abs=0.03)
    assert split_of({"groups": {"movie": "m"}, "split": "val"}, DEFAULTS | {"split_shares": []}) == "val"


# --- what a form takes -------------------------------------------------------------------------------------


def test_a_premise_may_change_its_tags_and_nothing_else() -> None:
    task = first()
    assert told("write", WRITTEN, task) == []
    for place, premise in enumerate(task.payload["premises"]):
        swapped = premise.replace("person1", "X").replace("person2", "person1").replace("X", "person2")
        said = WRITTEN | {"premise": str(place), "premise_text": swapped}
        assert told("write", said, task) == [], premise
    other = WRITTEN | {"premise_text": "[person1] is a very tall pianist."}
    assert told("write", other, task) == [
        ("premise_text", "Change nothing but the tags: whom the premise speaks of.")
    ]


def test_a_premise_speaks_of_different_people() -> None:
    task = first()
    place = next(n for n, text in enumerate(task.payload["premises"]) if text.count("[person") == 2)
    premise = task.payload["premises"][place]
    same = WRITTEN | {"premise": str(place), "premise_text": premise.replace("person1", "person2")}
    assert told("write", same, task)[0][1] == "The premise speaks of different people. Do not name one twice."
    thing = WRITTEN | {"premise": str(place), "premise_text": premise.replace("person1", "cup3")}
    assert told("write", thing, task)[0][1].startswith("A premise speaks of people.")


def test_words_may_change_where_that_is_set_as_long_as_it_is_of_a_category() -> None:
    task, changed = first(), {"premise_words_may_change": True}
    for text in ("[person2] is [person1]'s cousin.", "[person1] is quite grumpy about most things."):
        assert told("write", WRITTEN | {"premise_text": text}, task, **changed) == []
    far = WRITTEN | {"premise_text": "Bring me nine bottles before Tuesday evening, please!"}
    assert "no longer a premise" in told("write", far, task, **changed)[0][1]
    said = WRITTEN | {"premise": "1", "premise_text": "[person2] is [person1]'s cousin."}
    (task,) = then(first(), said, 1, changed=changed).tasks
    assert task.payload["_category"] == "relationship", "told by the template that it is nearest to"


@pytest.mark.parametrize(
    ("changed", "field", "why"),
    [
        ({"action_true": "[person1] will offer [person2] a seat."}, "action_true", "in {curly brackets}"),
        ({"action_false": "[person1] {with the [cup3] will go."}, "action_false", "never closed"),
        ({"action_true": FALSE.replace("{with", "with {also}")}, "action_true", "Close every {"),
        ({"action_true": FALSE.replace("with", "With")}, "action_false", "Action-True again"),
        ({"action_true": "[person1] {runs}."}, "action_true", "at least 4 words"),
        ({"action_true": "[person9] {with a hat} will sing a song."}, "action_true", "no box"),
        ({"premise": "6"}, "premise", "Choose one"),
    ],
)
def test_what_an_action_wants_is_told(changed: dict[str, str], field: str, why: str) -> None:
    ((at, message),) = told("write", WRITTEN | changed, first())
    assert at == field
    assert why in message


def test_an_examiner_accepts_with_two_distractors_or_drops_with_a_reason() -> None:
    task = to_examine()
    assert told("examine", ACCEPTED, task) == []
    assert told("examine", DROPPED, task) == []
    assert told("examine", {"decision": "drop", "fault": "words"}, task) == []
    assert [at for at, _ in told("examine", {"decision": "accept"}, task)] == ["distractor1", "distractor2"]
    assert [at for at, _ in told("examine", {"decision": "drop"}, task)] == ["fault"]
    assert "read alike" in told("examine", ACCEPTED | {"distractor1": TRUE}, task)[0][1]
    twice = ACCEPTED | {"distractor2": ACCEPTED["distractor1"].replace("{", "").replace("}", "")}
    assert "read alike" in told("examine", twice, task)[0][1]
    assert "Close every {" in told("examine", ACCEPTED | {"distractor1": "One } two three four."}, task)[0][1]


def test_distractors_may_be_held_to_the_brackets() -> None:
    task, strict = to_examine(), {"only_marked_words_change": True}
    free = ACCEPTED | {"distractor1": "[person1] with a hat will at once offer [person2] a seat."}
    assert told("examine", free, task) == []
    assert told("examine", ACCEPTED, task, **strict) == []
    messages = dict(told("examine", free, task, **strict))
    assert messages == {"distractor1": "Change the words in brackets alone, and keep the brackets."}
    moved = ACCEPTED | {"distractor1": "[person1] {with a hat} will at once offer [person2] a seat."}
    assert "brackets alone" in told("examine", moved, task, **strict)[0][1]


def test_who_says_no_says_why() -> None:
    task = to_check(ACCEPTED)
    assert told("check", {"meets": "yes"}, task) == []
    assert told("check", {"meets": "no"}, task)[0][0] == "feedback"
    assert told("check", {"meets": "no", "feedback": "The hat is there."}, task) == []


# --- three phases ------------------------------------------------------------------------------------------


def test_phase_1_goes_to_an_examiner() -> None:
    task = to_examine()
    assert (task.stage, task.key, task.about) == ("examine", f"{first().key}/1", (1,))
    assert task.payload["premise"] == first().payload["premises"][1]
    assert (task.payload["action_true"], task.payload["action_false"]) == (TRUE, FALSE)
    assert task.payload["_category"] == CATEGORIES[1]
    adjusted = to_examine(premise="2", premise_text="[person2] is a pilot.")
    assert adjusted.payload["premise"] == "[person2] is a pilot."
    assert adjusted.payload["_category"] == CATEGORIES[2]


def test_what_is_accepted_and_not_looked_at_is_a_record_and_pays_both() -> None:
    outcome = then(to_examine(), ACCEPTED, 2, changed=NEVER)
    assert outcome.tasks == ()
    (record,) = outcome.records
    assert (record.key, record.by) == (first().key, (1, 2))
    assert [verdict.assignment for verdict in outcome.verdicts] == [1]
    assert outcome.verdicts[0].good
    assert outcome.rewards == (
        Reward(1, 1350, "accepted"),
        Reward(2, 600, "accepted, with two distractors"),
    )
    write, examine = PMR.stage("write").pay, PMR.stage("examine").pay
    assert (write.amount + 1350, examine.amount + 600) == (1500, 750), "$0.15 and 7.5 cents in all"


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_dropped_pays_the_least_and_tells_the_writer_why(fault: str) -> None:
    outcome = then(to_examine(), DROPPED | {"fault": fault}, 2, changed=NEVER)
    (verdict,) = outcome.verdicts
    reason = f"dropped in phase 2: {fault}"
    assert verdict == Verdict(1, False, reason, f"{FAULTS[fault]}. Why a seat?")
    assert (outcome.tasks, outcome.records, outcome.rewards, outcome.dropped) == ((), (), (), reason)


def test_a_tenth_of_phase_2_is_looked_at_accepted_or_dropped() -> None:
    task = to_examine()
    for answers in (ACCEPTED, DROPPED):
        looked_at = sum(bool(then(task, answers, 2, seed=seed).tasks) for seed in range(1500))
        assert 110 <= looked_at <= 190


def test_what_is_looked_at_waits_for_its_record() -> None:
    outcome = then(to_examine(), ACCEPTED, 2, changed=ALWAYS)
    (task,) = outcome.tasks
    assert (task.stage, task.about, outcome.records) == ("check", (2,), ())
    assert len(outcome.rewards) == 2, "pay follows from phase 2"
    assert task.payload["decision"] == [
        {
            "Decision": "accepted",
            "Distractor 1": ACCEPTED["distractor1"],
            "Distractor 2": ACCEPTED["distractor2"],
        }
    ]
    kept = then(task, {"meets": "yes", "feedback": "Well chosen."}, 3)
    assert kept.verdicts == (Verdict(2, True, "phase 3", "Well chosen."),)
    assert [record.by for record in kept.records] == [(1, 2)]
    out = then(task, {"meets": "no", "feedback": "The hat is there."}, 3)
    assert out.verdicts == (Verdict(2, False, "phase 3", "The hat is there."),)
    assert (out.records, out.tasks, out.dropped) == ((), (), "rejected in phase 3")


def test_a_drop_that_is_looked_at_counts_once_it_was_found_right() -> None:
    outcome = then(to_examine(), DROPPED, 2, changed=ALWAYS)
    assert (outcome.verdicts, outcome.rewards, outcome.dropped) == ((), (), "")
    (task,) = outcome.tasks
    assert task.payload["decision"] == [{"Decision": "dropped", "Why": f"{FAULTS['true']}. Why a seat?"}]
    right = then(task, {"meets": "yes"}, 3)
    assert [(verdict.assignment, verdict.good) for verdict in right.verdicts] == [(2, True), (1, False)]
    assert right.dropped == "dropped in phase 2: true"


def test_good_work_that_was_dropped_goes_to_another_examiner() -> None:
    wrong = then(to_check(DROPPED), {"meets": "no", "feedback": "This is fine."}, 3)
    (again,) = wrong.tasks
    assert [(verdict.assignment, verdict.good) for verdict in wrong.verdicts] == [(2, False)]
    assert (again.stage, again.key) == ("examine", f"{first().key}/2")
    assert (again.about, again.not_for) == ((1,), (102,))
    (second,) = then(again, DROPPED, 4, changed=ALWAYS).tasks
    (third,) = then(second, {"meets": "no", "feedback": "Again."}, 5).tasks
    assert (third.key, third.not_for) == (f"{first().key}/3", (102, 104))
    (record,) = then(third, ACCEPTED, 6, changed=NEVER).records
    assert record.by == (1, 6)


# --- what examiners earn -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ever", "in_round", "rate"),
    [
        ((), (), None),
        ((True, True, False, True), (), 0.75),
        ((False, True, True), (True, True), 1.0),
        ((True, False), (False,), 0.0),
    ],
)
def test_an_examiners_pay_is_times_the_share_that_was_right(
    ever: tuple[bool, ...], in_round: tuple[bool, ...], rate: float | None
) -> None:
    history = History((), (), by_stage={"examine": ever}, round_by_stage={"examine": in_round})
    assert PMR.standing(history, DEFAULTS).rates == ({} if rate is None else {"examine": rate})


def test_nobody_is_sent_home_unless_that_is_set() -> None:
    bad = History((False,) * 20, (), by_stage={"write": (False,) * 20})
    assert PMR.standing(bad, DEFAULTS).qualified
    standing = PMR.standing(bad, DEFAULTS | {"least_accepted": 0.5})
    assert not standing.qualified
    assert "20" in standing.reason
    few = History((), (), by_stage={"write": (False,) * 9})
    assert PMR.standing(few, DEFAULTS | {"least_accepted": 0.5}).qualified
    assert not PMR.standing(History((), (False,) * 5), DEFAULTS).qualified


# --- what it becomes ---------------------------------------------------------------------------------------


def record(seed: int = 7, one: Item | None = None) -> Record:
    (examine,) = then(first(one), WRITTEN, 1).tasks
    (made,) = then(examine, ACCEPTED, 2, seed=seed, changed=NEVER).records
    return made


def test_a_record_is_a_complete_item() -> None:
    (made,) = PMR.item_of(record(one=item(provenance={"drawn": True})))
    assert list(faults(made)) == []
    by_type = dict(zip(made.extra["answer_types"], made.choices, strict=True))
    assert by_type["Action-True"] == TaggedText(
        ((0,), "with", "the", (2,), "will", "offer", (1,), "a", "seat", ".")
    )
    assert by_type["Distractor2"].bracketed(LABELS) == "[person1] with a hat will turn away from [person2]."
    assert isinstance(made.gold, Pick)
    assert made.extra["answer_types"][made.gold.index] == "Action-True"
    words = dict(zip(made.extra["answer_types"], made.provenance["image_words"], strict=True))
    assert words == {
        "Action-True": ["with the [cup3]"], "Action-False": ["with the [cup3]"],
        "Distractor1": ["with a hat"], "Distractor2": ["with a hat"],
    }  # fmt: skip
    assert made.groups == {"movie": "drawn", "image": "val-0", "category": CATEGORIES[1], "half": "ori"}
    assert (made.provenance["writer"], made.provenance["examiner"]) == ("worker:101", "worker:102")
    assert made.provenance["drawn"] is True


@given(st.integers(0, 2**40))
def test_the_right_action_stands_anywhere(seed: int) -> None:
    (made,) = PMR.item_of(record(seed))
    assert sorted(made.extra["answer_types"]) == ["Action-False", "Action-True", "Distractor1", "Distractor2"]
    assert isinstance(made.gold, Pick)
    assert made.choices[made.gold.index].tokens[:4] == ((0,), "with", "the", (2,))


def test_each_place_is_as_likely() -> None:
    places = [record(seed).data["order"].index(0) for seed in range(800)]
    assert all(150 < places.count(place) < 250 for place in range(4))


def test_items_come_through_the_native_format_and_a_dataset(tmp_path: Path) -> None:
    benchmark = find_benchmark("pmr")
    items = [
        structs.replace(made, scenes=(structs.replace(made.scenes[0], stored=None),), provenance={})
        for made in PMR.item_of(record())
    ]
    (native,) = [benchmark.native.from_item(made) for made in items]
    assert native["total_id"] == int(items[0].id)
    assert native["category"] == CATEGORIES[1]
    write_native(benchmark.native, items, tmp_path / "native")
    (line,) = (tmp_path / "native").glob("*-ori.jsonl")
    back = list(read_native(benchmark.native, [line], images=tmp_path / "native/images"))
    assert [benchmark.native.from_item(one) for one in back] == [native]
    assert back == items
    typed = msgspec.convert(native, benchmark.native.record)
    assert benchmark.native.to_item(typed, {}, Source(line.name, items[0].split)).choices == items[0].choices
    made = Made("collect", "0.1.0")
    write_dataset(tmp_path / "set", items, DatasetInfo("collected", "pmr", "1.0.0", made, {}))
    assert check_dataset(tmp_path / "set") == []


def test_items_are_asked_and_scored() -> None:
    (made,) = PMR.item_of(record())
    (task,) = find_benchmark("pmr").tasks
    ask = task.ask(made)
    assert ask.gold == made.gold
    assert set(ask.choices) == set(made.choices)
    assert find_benchmark("pmr").scoring.labelled(made)

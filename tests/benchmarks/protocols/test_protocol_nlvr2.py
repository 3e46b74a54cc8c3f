"""NLVR2's protocol: the rules that the paper names, each by a case of its own."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from itertools import chain
from typing import Any

import msgspec
import pytest
from hand_made import done
from hypothesis import given
from hypothesis import strategies as st

from commonsight.benchmarks import nlvr2 as native
from commonsight.benchmarks.protocols import nlvr2_exams, nlvr2_words
from commonsight.benchmarks.protocols.nlvr2 import NLVR2, SETTINGS
from commonsight.benchmarks.protocols.nlvr2_flow import TRUSTED, set_number
from commonsight.collect.earning import earned, most_earned
from commonsight.collect.forms import complaints
from commonsight.collect.protocol import History, NewTask, Outcome, Record, Shown
from commonsight.core.answer import Verdict
from commonsight.core.benchmark import Source
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError

DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}
SENTENCE = "The right image has more kettles."


def keep(name: str) -> Shown:
    side = 150 if name.startswith("small") else 640
    content = name.removesuffix("-again")
    return Shown(hashlib.sha256(content.encode()).hexdigest() + ".png", side, 480, name)


def image_set(*names: str, name: str = "s-1", split: str = "train", **extra: Any) -> Item:
    scenes = tuple(Scene(each, (Region("kettle"),), extra={"url": f"http://x/{each}"}) for each in names)
    return Item("i", split, scenes, groups={"set": name}, extra={"synset": "kettle", **extra})


def ten(**more: Any) -> Item:
    return image_set(*(f"p{place}" for place in range(10)), **more)


def first(item: Item | None = None, **changed: Any) -> NewTask:
    (task,) = NLVR2.subjects(item or ten(), DEFAULTS | changed, keep)
    return task


def then(task: NewTask, *answers: dict[str, Any], **more: Any) -> Outcome:
    return NLVR2.stage(task.stage).then(done(NLVR2, task, *answers, **more))


def to_write(**changed: Any) -> NewTask:
    return first(begin="write", **changed)


def said(*selected: int, sentence: str = SENTENCE) -> dict[str, Any]:
    return {"fit": "yes", "selected": [str(place) for place in selected], "sentence": sentence}


def to_validate(split: str = "train", **changed: Any) -> tuple[NewTask, ...]:
    task = first(ten(split=split), begin="write", keep_splits=True, **changed)
    return then(task, said(0, 2), changed=changed).tasks


def urls(pictures: list[dict[str, Any]]) -> list[str]:
    by_content = {keep(f"p{place}").picture: f"p{place}" for place in range(10)}
    return [by_content[shown["picture"]] for shown in pictures]


# --- numbers of the paper ----------------------------------------------------------------------------------


def test_the_papers_numbers_are_the_defaults() -> None:
    write = NLVR2.stage("write")
    selected = next(field for field in write.form if field.name == "selected")
    assert (selected.least, selected.most, selected.options_from) == (2, 2, "pairs")
    assert (write.overlap, write.days) == (2, 3)
    assert (NLVR2.stage("validate").overlap, NLVR2.stage("extra").overlap) == (1, 4)
    assert (DEFAULTS["most_pictures"], DEFAULTS["shortest_side"], DEFAULTS["set_size"]) == (16, 200, 8)
    assert (DEFAULTS["least_interesting"], DEFAULTS["held_out"], DEFAULTS["most_against"]) == (3, 0.2, 1)
    assert NLVR2.sampling is not None
    assert (NLVR2.sampling.stage, NLVR2.sampling.size) == ("write", 20)
    assert (DEFAULTS["high_share"], DEFAULTS["low_share"]) == (0.75, 0.5)
    exams = {stage.name: stage.exam for stage in NLVR2.stages}
    assert exams == {
        "prune": "", "construct": "writing", "write": "writing", "validate": "checking",
        "extra": "checking", "judge": "",
    }  # fmt: skip
    assert NLVR2.stage("judge").role == "reviewer"


def test_the_exams_are_as_long_as_the_papers() -> None:
    writing, checking = NLVR2.exams
    assert (len(nlvr2_exams.TASK), len(nlvr2_exams.SENTENCES), len(nlvr2_exams.EXAMPLES)) == (6, 19, 8)
    assert len({about for about, *_ in nlvr2_exams.SENTENCES}) == 2
    assert (len(writing.graded), len(checking.graded)) == (25, 8)
    assert [field.name for field in writing.written] == ["selected", "sentence"]
    assert {question.right for question in checking.graded} == {"true", "false", "nonsense"}


def test_the_six_kinds_of_table_8_have_an_example_each() -> None:
    bad = [example.why for example in nlvr2_words.WRITING_EXAMPLES if not example.good]
    assert len(nlvr2_words.AVOID) == 6
    for kind in nlvr2_words.AVOID.values():
        assert any(why.startswith(kind) for why in bad)


def test_pay_is_what_table_9_comes_to() -> None:
    """Sentences: with a bonus for three in four, within a cent of $9,570.46 for 31,418."""
    assert round(1_310.76 / 27_678 * 10_000) == DEFAULTS["prune_pay"]
    assert round(1_798.84 / 19_500 * 10_000) == DEFAULTS["construct_pay"]
    judgements = 4 * 31_418 + 4 * 0.2 * 108_516
    assert round(6_452.93 / judgements * 10_000) == DEFAULTS["validate_pay"]
    mean = DEFAULTS["write_pay"] + 0.75 * DEFAULTS["high_bonus"]
    assert abs(mean - 9_570.46 / 31_418 * 10_000) < 100


def test_who_reports_a_set_is_not_paid_for_a_sentence() -> None:
    write = NLVR2.stage("write")
    assert earned(write, said(0, 1)) == most_earned(write) == 2500
    assert earned(write, {"fit": "duplicate"}) == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"begin": "paint"}, {"set_size": 7}, {"set_size": 2}, {"selected": 4}, {"selected": 0},
        {"sentences": 0}, {"extra_votes": 0},
    ],
)
def test_settings_that_do_not_go_together_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(changed))):
        NLVR2.under(changed)


def test_settings_reach_forms_pay_and_exams() -> None:
    other = NLVR2.under(
        {"selected": 1, "sentences": 3, "write_pay": 9, "wait_days": 1.0, "begin": "write", "round_sample": 5}
    )
    write = other.stage("write")
    assert (write.form[1].most, write.overlap, write.pay.amount, write.days) == (1, 3, 9, 1.0)
    assert other.start == "write"
    assert other.sampling is not None
    assert other.sampling.size == 5
    assert any("Choose 1 of the pairs" in paragraph for paragraph in write.guide)


# --- sets --------------------------------------------------------------------------------------------------


def test_a_set_begins_with_its_pictures_and_what_was_searched_for() -> None:
    task = first()
    assert (task.stage, task.key) == ("prune", "s-1")
    assert task.payload["synset"] == "kettle"
    assert len(task.payload["pictures"]) == 10
    assert all(shown["regions"] == () for shown in task.payload["pictures"]), "boxes would show what counts"


def test_small_pictures_doubles_and_what_is_beyond_sixteen_are_left_out() -> None:
    names = [f"p{place}" for place in range(20)]
    names[2], names[3] = "small", "p1-again"
    shown = first(image_set(*names)).payload["pictures"]
    assert len(shown) == 14
    assert not list(NLVR2.subjects(image_set(*names[:9]), DEFAULTS, keep)), "seven are too few for a set"


def test_a_set_without_a_synset_says_what_is_meant() -> None:
    (task,) = NLVR2.subjects(Item("i", "train", ten().scenes), DEFAULTS, keep)
    assert task.payload["synset"] == "what most of these pictures show"
    assert task.key == "i"


def test_pruning_takes_out_what_was_chosen_and_keeps_the_order() -> None:
    (task,) = then(first(), {"remove": ["0", "4"]}).tasks
    assert task.stage == "construct"
    assert urls(task.payload["pictures"]) == ["p1", "p2", "p3", "p5", "p6", "p7", "p8", "p9"]
    assert then(first(), {}).tasks[0].payload["pictures"] == done(NLVR2, first()).payload["pictures"]


def test_a_set_with_fewer_than_eight_after_pruning_is_dropped() -> None:
    outcome = then(first(), {"remove": ["0", "1", "2"]})
    assert outcome == Outcome(dropped="Only 7 pictures are left.")


def test_of_several_who_prune_more_than_half_must_agree() -> None:
    outcome = then(first(), {"remove": ["0", "1"]}, {"remove": ["1"]}, {"remove": ["2"]})
    assert urls(outcome.tasks[0].payload["pictures"])[:2] == ["p0", "p2"]


def constructed(**answers: list[str]) -> Outcome:
    (task,) = then(first(), {}).tasks
    return then(task, answers)


def test_interesting_pictures_come_first_then_the_most_similar() -> None:
    (task,) = constructed(dull=["0", "1", "9"], duplicates=["3"]).tasks
    assert task.stage == "write"
    shown = [picture for pair in task.payload["pairs"] for picture in pair]
    # p2, p4 … p8 are interesting; of the dull, p0 and p1 are the most similar.
    assert sorted(urls(shown)) == ["p0", "p1", "p2", "p4", "p5", "p6", "p7", "p8"]


def test_sets_without_enough_pictures_or_interest_are_dropped() -> None:
    assert constructed(duplicates=["0", "1", "2"]).dropped == "Only 7 pictures are left."
    assert constructed(dull=[str(place) for place in range(8)]).dropped == "Only 2 pictures are interesting."
    dull = [str(place) for place in range(9)]
    assert constructed(dull=dull).dropped == "Only 1 picture is interesting."
    assert constructed(dull=dull[:7]).tasks, "three interesting ones are enough"


def test_eight_pictures_become_four_pairs_by_chance() -> None:
    (task,) = then(first(), {}).tasks
    seen = set()
    for seed in range(20):
        (write,) = then(task, {}, seed=seed).tasks
        pairs = write.payload["pairs"]
        assert len(pairs) == 4
        assert sorted(urls([*chain(*pairs)])) == [f"p{place}" for place in range(8)]
        assert {picture["alt"] for left, _ in pairs for picture in [left]} == {"Left image"}
        seen.add(tuple(urls([*chain(*pairs)])))
    assert len(seen) > 15


def test_a_fifth_of_the_sets_is_held_out_evenly_and_half_is_open_to_all() -> None:
    (task,) = then(first(), {}).tasks
    made = [then(task, {}, seed=seed).tasks[0] for seed in range(1500)]
    splits = Counter(write.payload["_split"] for write in made)
    assert set(splits) == {"train", "dev", "test1", "test2"}
    assert 0.76 < splits["train"] / 1500 < 0.84
    assert all(70 < splits[split] < 130 for split in ("dev", "test1", "test2"))
    pools = Counter(write.pool for write in made)
    assert set(pools) == {"", TRUSTED}
    assert 0.46 < pools[""] / 1500 < 0.54
    assert all(write.overlap == 2 for write in made)


def test_sets_may_begin_with_writing_in_the_pairs_that_were_made() -> None:
    pairs = ((7, 0), (1, 2), (3, 4), (5, 6))
    eight = image_set(*(f"p{place}" for place in range(8)), pairs=pairs)
    shown = first(eight, begin="write").payload["pairs"]
    assert [tuple(urls(pair)) for pair in shown] == [(f"p{left}", f"p{right}") for left, right in pairs]
    assert first(eight, begin="write") == first(eight, begin="write")
    bad = image_set(*(f"p{place}" for place in range(8)), pairs=((7, 7), (1, 2), (3, 4), (5, 6)))
    again = first(bad, begin="write").payload["pairs"]
    assert sorted(urls([*chain(*again)])) == [f"p{place}" for place in range(8)], "paired anew"
    assert first(ten(), begin="construct").stage == "construct"


def test_splits_can_be_kept() -> None:
    assert first(ten(split="test2"), begin="write", keep_splits=True).payload["_split"] == "test2"


# --- sentences ---------------------------------------------------------------------------------------------


def told(answers: dict[str, Any]) -> list[tuple[str, str]]:
    stage = NLVR2.stage("write")
    payload = done(NLVR2, to_write()).payload
    return [(each.field, each.message) for each in complaints(stage.form, payload, answers, stage.checks)]


def test_a_sentence_needs_two_pairs_and_speaks_of_no_letters() -> None:
    assert told(said(0, 3)) == []
    assert told(said(0)) == [("selected", "Choose at least 2; here there is 1.")]
    assert told(said(0, 1, 2)) == [("selected", "Choose at most 2; here there are 3.")]
    assert told(said(0, 1, sentence="Two kettles here"))[0][0] == "sentence"
    lettered = "Pair B has more kettles than others."
    assert told(said(0, 1, sentence=lettered)) == [
        ("sentence", "Whoever checks the sentence sees one pair alone: leave out “Pair B”.")
    ]
    assert told(said(0, 1, sentence="In the selected pairs there are kettles."))
    assert told(said(0, 1, sentence="A pair of kettles a cat can see.")) == []
    assert told({"fit": "unfit"}) == [], "who reports a set writes nothing"


def test_each_pair_with_each_sentence_is_an_example_for_someone_else() -> None:
    outcome = then(to_write(), said(0, 2), said(1, 3, sentence="Both images have one kettle."))
    assert len(outcome.tasks) == 8
    labels = {task.payload["_identifier"].rsplit("-", 2)[1:][0]: task for task in outcome.tasks[:4]}
    assert [labels[place].payload["_label"] for place in "0123"] == [True, False, True, False]
    assert [task.payload["_label"] for task in outcome.tasks[4:]] == [False, True, False, True]
    assert {task.about for task in outcome.tasks[:4]} == {(1,)}
    assert {task.about for task in outcome.tasks[4:]} == {(2,)}
    visible = [{name for name in task.payload if name[0] != "_"} for task in outcome.tasks]
    assert all(names == {"pair", "sentence"} for names in visible), "nobody sees what the writer chose"


def test_reported_sets_are_dropped_unless_another_wrote() -> None:
    outcome = then(to_write(), {"fit": "duplicate"}, {"fit": "unfit"})
    assert outcome == Outcome(dropped="Reported by who was to write: duplicate, unfit.")
    assert len(then(to_write(), {"fit": "other"}, said(0, 1)).tasks) == 4


def test_a_set_goes_on_with_one_sentence_if_nobody_else_writes() -> None:
    assert len(then(to_write(), said(0, 1)).tasks) == 4


def test_identifiers_read_as_the_benchmarks_do() -> None:
    for task in to_validate("dev"):
        parsed = native.Identifier.parse(task.payload["_identifier"])
        assert (parsed.split, parsed.image_set) == ("dev", set_number("s-1"))
    assert set_number("850") == "850"
    assert set_number("train-0") != set_number("dev-0")
    assert set_number("train-0").isdigit()


# --- validation --------------------------------------------------------------------------------------------


def test_an_example_stays_if_the_validator_says_what_the_writer_meant() -> None:
    true, false = to_validate()[:2]
    (record,) = then(true, {"label": "true"}, first=5).records
    assert (record.data["label"], record.by) == ("True", (1, 5))
    assert record.data["validation"] == {"worker:105": "True"}
    assert record.data["writer"] == "worker:101"
    assert then(false, {"label": "false"}).records[0].data["label"] == "False"
    assert then(true, {"label": "false"}).dropped == "Labelled false; who wrote it meant true."
    assert then(false, {"label": "true"}).dropped == "Labelled true; who wrote it meant false."
    assert then(true, {"label": "nonsense"}).dropped == "Reported as making no sense."
    assert not then(true, {"label": "false"}).verdicts, "validation is no judgement of the writer"


def test_examples_for_testing_get_four_more_votes_by_others() -> None:
    outcome = then(to_validate("test1")[0], {"label": "true"}, first=5)
    assert not outcome.records
    (task,) = outcome.tasks
    assert (task.stage, task.overlap, task.about, task.not_for) == ("extra", 4, (1,), (105,))
    assert {name for name in task.payload if name[0] != "_"} == {"pair", "sentence"}


def extra(*labels: str, **changed: Any) -> Outcome:
    (task,) = then(to_validate("dev")[0], {"label": "true"}, first=5).tasks
    return then(task, *({"label": label} for label in labels), first=10, changed=changed)


def test_an_example_with_two_or_more_against_it_is_removed() -> None:
    (record,) = extra("true", "true", "false", "true").records
    assert record.data["extra_validations"] == {
        "worker:110": "True", "worker:111": "True", "worker:112": "False", "worker:113": "True",
    }  # fmt: skip
    assert record.by == (1, 5, 10, 11, 12, 13)
    outcome = extra("true", "false", "false", "true")
    assert outcome == Outcome(dropped="2 of 4 further judgements are against its label.")
    assert extra("true", "false", "nonsense", "true").dropped
    (record,) = extra("true", "nonsense", "true", "true").records
    assert len(record.data["extra_validations"]) == 3, "as in the released files"
    assert extra("false", "false", "true", "true", most_against=2).records


@given(st.lists(st.sampled_from(["true", "false", "nonsense"]), min_size=1, max_size=7), st.integers(0, 5))
def test_any_votes_keep_or_remove(labels: list[str], most_against: int) -> None:
    outcome = extra(*labels, most_against=most_against)
    against = sum(label != "true" for label in labels)
    assert bool(outcome.records) == (against <= most_against)
    assert bool(outcome.dropped) != bool(outcome.records)


# --- rounds ------------------------------------------------------------------------------------------------


def judge(**answers: Any) -> tuple[NewTask, Outcome]:
    assert NLVR2.sampling is not None
    task = NLVR2.sampling.task(done(NLVR2, to_write(), said(1, 3), first=8))
    assert task is not None
    return task, then(task, answers, first=20)


def test_a_sample_is_judged_by_the_rules_for_writing() -> None:
    task, outcome = judge(follows="yes")
    assert (task.stage, task.about) == ("judge", (8,))
    assert (task.payload["selected"], task.payload["sentence"]) == ("B and D", SENTENCE)
    (verdict,) = outcome.verdicts
    assert (verdict.assignment, verdict.good, verdict.reason) == (8, True, "rules")
    _, outcome = judge(follows="no", violations=["opinion", "text"], feedback="Count them instead.")
    (verdict,) = outcome.verdicts
    assert not verdict.good
    assert verdict.reason == "rules: opinion, text"
    assert verdict.feedback.endswith("Count them instead.")
    assert verdict.feedback.startswith("An opinion")


def test_who_reported_a_set_has_no_sentence_to_judge() -> None:
    assert NLVR2.sampling is not None
    assert NLVR2.sampling.task(done(NLVR2, to_write(), {"fit": "duplicate"})) is None


def stands(good: int, of: int, tier: str = "", closing: bool = True, **changed: Any) -> tuple[str, int]:
    verdicts = tuple(place < good for place in range(of))
    history = History(
        verdicts, (), verdicts, 30, tier, {"write": verdicts}, {"write": verdicts}, closing=closing
    )
    found = NLVR2.standing(history, DEFAULTS | changed)
    assert found.qualified
    assert found.pools == ((TRUSTED,) if found.tier == TRUSTED else ())
    assert found.bonus_for == ("write",)
    return found.tier, found.bonus_each


def test_bonuses_and_tiers_by_the_share_that_follows_the_rules() -> None:
    assert stands(15, 20) == (TRUSTED, 600), "75 % is enough"
    assert stands(14, 20) == ("", 400)
    assert stands(10, 20) == ("", 400), "50 % is enough for the lower bonus"
    assert stands(9, 20) == ("", 0)
    assert stands(0, 0) == ("", 0), "nothing was looked at"
    assert stands(20, 20, closing=False) == ("", 0), "not before the round is closed"


def test_who_was_trusted_once_stays_so() -> None:
    assert stands(2, 20, TRUSTED) == (TRUSTED, 0)
    assert stands(0, 0, TRUSTED, closing=False) == (TRUSTED, 0)


@given(st.integers(0, 30), st.integers(0, 30))
def test_more_that_follows_the_rules_never_earns_less(good: int, bad: int) -> None:
    now, better = stands(good, good + bad), stands(good + 1, good + 1 + bad)
    assert better[1] >= now[1]
    assert better[0] >= now[0]


def test_who_fails_gold_is_out() -> None:
    out = NLVR2.standing(History((), (True, True, True, False, False)), DEFAULTS)
    assert (out.qualified, out.reason) == (False, "Of 5 questions with known answers, 3 were answered right.")
    assert NLVR2.standing(History((), (False, False)), DEFAULTS).qualified, "two are too few to tell"


def test_gold_for_pictures_compares_what_was_taken() -> None:
    agrees = NLVR2.stage("prune").agrees
    assert agrees is not None
    assert agrees({"remove": ["1", "2"]}, {"remove": ["2", "1"]})
    assert agrees({}, {})
    assert not agrees({"remove": ["1"]}, {})


# --- what it becomes ---------------------------------------------------------------------------------------


def item_of(record: Record) -> Item:
    stored = json.loads(msgspec.json.encode(record.data))
    (item,) = NLVR2.item_of(Record(record.key, stored, record.by))
    return item


def test_a_record_is_the_item_that_the_benchmark_reads() -> None:
    (record,) = extra("true", "true", "false", "true").records
    item = item_of(record)
    raw = native.from_item(item)
    assert raw["left_url"].startswith("http://x/p")
    assert (raw["synset"], raw["label"], raw["writer"]) == ("kettle", "True", "worker:101")
    again = native.to_item(msgspec.convert(raw, native.Nlvr2Record), {}, Source("dev.json", "dev"))
    bare = [Scene(scene.image) for scene in item.scenes]
    assert again == msgspec.structs.replace(item, scenes=tuple(bare), provenance={})
    assert [scene.stored for scene in item.scenes] == [shown["picture"] for shown in record.data["pair"]]
    assert item.gold == Verdict(True)
    assert item.groups["sentence"] == native.Identifier.parse(item.id).sentence_group
    assert [given.made_gold for given in native.judgements(item)] == [True, False, False, False, False]


def test_a_sentence_has_both_labels_in_one_group() -> None:
    meant = ("true", "false", "true", "false")
    outcomes = [then(task, {"label": label}) for task, label in zip(to_validate(), meant, strict=True)]
    items = [item_of(outcome.records[0]) for outcome in outcomes]
    assert [item.gold for item in items] == [Verdict(label == "true") for label in meant]
    assert len({item.groups["sentence"] for item in items}) == 1
    assert len({item.id for item in items}) == 4


def test_a_query_tells_the_number_of_its_result_as_in_the_released_files() -> None:
    task = first(ten(query="two kettles", result=38))
    assert task.payload["_set"]["query"] == "two kettles38"


def test_drawn_sets_stay_drawn() -> None:
    drawn = msgspec.structs.replace(ten(), provenance={"drawn": True})
    (task, *_) = then(first(drawn, begin="write", held_out=0.0), said(0, 1)).tasks
    assert item_of(then(task, {"label": "true"}).records[0]).provenance["drawn"] is True


def test_examples_of_a_dataset_can_be_checked_again() -> None:
    scenes = (Scene("dev-5-0-img0.png", width=640, height=480), Scene("dev-5-0-img1.png"))
    extra_fields = {"left_url": "http://a", "right_url": "http://b", "writer": "61", "synset": "kettle"}
    item = Item(
        "dev-5-0-1", "dev", scenes, {"sentence": TaggedText.plain(SENTENCE)}, gold=Verdict(False),
        groups={"set": "dev-5", "sentence": "dev-5-1"}, extra=extra_fields,
    )  # fmt: skip
    task = first(item)
    assert (task.stage, task.key, task.about) == ("validate", "dev-5-0-1", ())
    assert then(task, {"label": "true"}).dropped
    (more,) = then(task, {"label": "false"}).tasks
    (record,) = then(more, *[{"label": "false"}] * 4, first=4).records
    checked = item_of(record)
    assert (checked.id, checked.gold) == ("dev-5-0-1", Verdict(False))
    assert (checked.extra["left_url"], checked.extra["right_url"]) == ("http://a", "http://b")
    assert not list(NLVR2.subjects(msgspec.structs.replace(item, gold=None), DEFAULTS, keep))


def test_any_split_and_any_name_give_an_identifier_that_can_be_read() -> None:
    task = first(ten(split="my-dev"), begin="write", keep_splits=True)
    made = then(task, said(0, 1, sentence="One two\n three four.")).tasks[0]
    assert made.payload["sentence"] == "One two three four."
    parsed = native.Identifier.parse(made.payload["_identifier"])
    assert parsed.split == made.payload["_split"] == "my_dev"
    strange = Item(
        "a sentence", "my-dev", (Scene("a.png"), Scene("b.png")), {"sentence": TaggedText.plain(SENTENCE)},
        gold=Verdict(True),
    )  # fmt: skip
    again = first(strange)
    assert native.Identifier.parse(again.payload["_identifier"]).split == "my_dev"
    with pytest.raises(UsageError, match="held_out_splits"):
        NLVR2.under({"held_out_splits": ["../dev"]})


def test_long_names_leave_room_in_keys() -> None:
    task = first(ten(name="x" * 300), begin="write")
    assert all(len(each.key) <= 200 for each in then(task, said(0, 1)).tasks)
    assert first(ten(name="x" * 300)).key != first(ten(name="x" * 299)).key

"""The probe of choices: planted faults are found, item by item, and clean benchmarks raise nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.choices.probe import Choices
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Finding, Section
from commonsight.benchmarks import find
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.store.native import read_native
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())


def section_of(items: Sequence[Item]) -> Section:
    (section,) = Choices().measure(fakes.subject_of(items), SETTING)
    return section


def finding(section: Section, code: str) -> Finding:
    (found,) = [found for found in section.findings if found.code == code]
    return found


def gold(item: Item) -> int:
    assert isinstance(item.gold, Pick)
    return item.gold.index


def with_choice(item: Item, at: int, text: TaggedText) -> Item:
    return structs.replace(item, choices=tuple(text if at == i else c for i, c in enumerate(item.choices)))


def wrong(item: Item) -> int:
    return (gold(item) + 1) % len(item.choices)


@pytest.mark.parametrize("seeds", [range(25), range(25, 50)], ids=["first", "second"])
def test_a_clean_benchmark_raises_no_warning(seeds: range) -> None:
    for seed in seeds:
        count = random.Random(seed).choice((120, 200))
        findings = section_of(fakes.clean_items(count, seed)).findings
        assert {found.level for found in findings} <= {"fine", "note"}, seed
        assert [found.code for found in findings if found.level == "note"] in ([], ["two-plausible"])


@pytest.mark.slow
def test_a_large_clean_benchmark_raises_no_warning() -> None:
    for seed in range(50):
        assert not [f for f in section_of(fakes.clean_items(2000, seed)).findings if f.level == "warning"]


def again(item: Item) -> Item:
    """A wrong choice reads like the right one, but for case and marks."""
    right = item.choices[gold(item)]
    return with_choice(item, wrong(item), TaggedText((*[w.title() if isinstance(w, str) else w
                                                       for w in right.tokens], "!")))  # fmt: skip


def twice_wrong(item: Item) -> Item:
    one = wrong(item)
    return with_choice(item, (one + 1) % 4, item.choices[one])


def emptied(item: Item) -> Item:
    return with_choice(item, wrong(item), TaggedText(()))


def beyond(item: Item) -> Item:
    return with_choice(item, wrong(item), TaggedText((*item.choices[wrong(item)].tokens, (9,))))


def spelled(item: Item) -> Item:
    return with_choice(item, wrong(item), TaggedText(("near", "[person9]", ".")))


def other_order(item: Item) -> Item:
    tokens = item.choices[gold(item)].tokens
    return with_choice(item, wrong(item), TaggedText((*tokens[1:-1], tokens[0], ".")))


def quoted(item: Item) -> Item:
    question = TaggedText((*item.texts["question"].tokens, *item.choices[gold(item)].tokens))
    return structs.replace(item, texts={"question": question})


def gendered(item: Item) -> Item:
    """Her in the question and in the right choice, him in all wrong ones."""
    for at, choice in enumerate(item.choices):
        word = "she" if at == gold(item) else "he"
        item = with_choice(item, at, TaggedText((word, *choice.tokens)))
    return structs.replace(item, texts={"question": TaggedText(("her", *item.texts["question"].tokens))})


@pytest.mark.parametrize(
    ("plant", "code", "level", "share"),
    [
        (again, "right-equals-wrong", "warning", 0.01),
        (twice_wrong, "duplicate-choices", "note", 0.005),
        (twice_wrong, "duplicate-choices", "warning", 0.05),
        (emptied, "empty-choices", "warning", 0.01),
        (beyond, "tags-not-in-image", "warning", 0.01),
        (spelled, "tags-not-in-image", "warning", 0.01),
        (other_order, "near-duplicate-choices", "note", 0.01),
        (other_order, "near-duplicate-choices", "warning", 0.1),
        (quoted, "answer-in-question", "note", 0.01),
        (quoted, "answer-in-question", "warning", 0.1),
        (gendered, "gender-only-right-fits", "warning", 0.1),
        (gendered, "gender-shortcut", "warning", 0.1),
    ],
)
def test_what_is_planted_is_found_with_its_items(
    plant: Callable[[Item], Item], code: str, level: str, share: float
) -> None:
    items = fakes.clean_items(400, seed=5)
    chosen = set(random.Random(1).sample(range(400), round(share * 400)))
    section = section_of([plant(item) if at in chosen else item for at, item in enumerate(items)])
    found = finding(section, code)
    assert found.level == level
    assert set(found.items) == {items[at].id for at in chosen}
    assert len(found.items) == len(set(found.items))
    assert found.remedy
    if not code.endswith("-shortcut"):
        assert found.value == pytest.approx(share)
    others = {other.code for other in section.findings if other.level == "warning"} - {code}
    assert others <= {"two-plausible", "gender-shortcut", "gender-only-right-fits"}


def test_a_form_that_tells_the_answer_is_found() -> None:
    items = fakes.clean_items(300, seed=2)

    def shouted(item: Item, at: int) -> Item:
        words = [word.upper() if isinstance(word, str) else word for word in item.choices[at].tokens]
        return with_choice(item, at, TaggedText(("THE", *words)))

    tidy = [structs.replace(item, choices=tuple(TaggedText(("the", *c.tokens)) for c in item.choices))
            for item in items]  # fmt: skip
    told = section_of([shouted(item, gold(item)) if at < 60 else item for at, item in enumerate(tidy)])
    assert finding(told, "form-shortcut").level == "warning"
    assert finding(told, "form-shortcut").value == 1.0
    blind = section_of([shouted(item, at % 4) if at < 60 else item for at, item in enumerate(tidy)])
    assert finding(blind, "form-shortcut").level == "fine"


def test_people_who_saw_no_choices_may_know_better() -> None:
    items = fakes.clean_items(100, seed=2)

    def voted(item: Item, first: int, second: int) -> Item:
        said = fakes.subject_of([item]).cases["choose"].said[0]
        votes = [said[gold(item)]] * first + [said[wrong(item)]] * second
        return structs.replace(item, direct_answers=tuple(votes))

    votes = {0: (3, 7), 1: (5, 5), 2: (0, 10)}
    section = section_of([voted(item, *votes.get(at, (6, 4))) for at, item in enumerate(items)])
    assert finding(section, "wrong-choice-accepted").items == (items[2].id, items[0].id, items[1].id)
    assert finding(section, "right-choice-unsaid").items == (items[2].id,)
    assert finding(section, "right-choice-unsaid").level == "note"


def test_what_cannot_be_measured_is_said() -> None:
    items = fakes.clean_items(40, seed=1)
    hidden = section_of([structs.replace(item, gold=None) for item in items])
    assert "40 of 40 items have no label" in hidden.skipped[0]
    assert not [found for found in hidden.findings if found.code == "right-equals-wrong"]
    single = section_of([structs.replace(item, choices=item.choices[:1], gold=Pick(0)) for item in items])
    assert "40 of 40 items have fewer than two choices" in single.skipped[0]
    bare = section_of([structs.replace(item, scenes=()) for item in items])
    assert "No picture lists its objects" in bare.skipped[0]
    assert not [found for found in bare.findings if found.code.startswith("tags-")]
    assert section_of(items[:5]).findings
    blank = section_of([structs.replace(item, choices=(TaggedText(()),) * 4) for item in items])
    assert finding(blank, "empty-choices").value == 1.0
    with pytest.raises(CannotMeasure, match="No task has choices of its own"):
        Choices().measure(fakes.subject_of(fakes.clean_verdicts(40, seed=1), fakes.VERIFY), SETTING)


class _Unknown(HashedEncoder):
    def __init__(self) -> None:
        super().__init__()
        self.name = "unheard-of"


def test_an_encoder_without_coefficients_is_said_and_the_rest_goes_on() -> None:
    (section,) = Choices().measure(fakes.subject_of(fakes.clean_items(40, seed=1)), Setting(_Unknown()))
    assert "no coefficients" in section.skipped[0]
    assert finding(section, "right-equals-wrong").level == "fine"


def test_limits_can_be_set() -> None:
    items = fakes.clean_items(200, seed=5)
    twice = [twice_wrong(item) if at == 0 else item for at, item in enumerate(items)]
    strict = Choices(limits={"duplicate-choices": 0.0})
    (section,) = strict.measure(fakes.subject_of(twice), SETTING)
    assert [found.level for found in section.findings if found.code == "duplicate-choices"] == ["warning"]


@pytest.mark.real_data
def test_aokvqa_lists_seven_choices_twice(data_dir: Path) -> None:
    aokvqa = find("aokvqa")
    path = data_dir / "aokvqa" / "aokvqa_v1p0_val.json"
    subject = Subject(
        "val", "aokvqa", "A-OKVQA", lambda: read_native(aokvqa.native, [path]), aokvqa.tasks,
        aokvqa.scoring.cluster_of,
    )  # fmt: skip
    (section,) = Choices().measure(subject, SETTING)
    assert finding(section, "right-equals-wrong").items == (
        "5z9Zmf4GRKoCa7igqv4Ef7", "Cr6fmmEARGDPSbQvpNN4xY", "m4HzZ8497MsdVCT3HWMJA2",
    )  # fmt: skip
    assert len(finding(section, "duplicate-choices").items) == 4
    assert finding(section, "empty-choices").items == ("iTeGLgJNuQjkRqeTmKwWLs",)

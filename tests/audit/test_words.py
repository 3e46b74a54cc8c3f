"""Words that tell the label: found where they are, and nowhere else."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.values import Finding, Section
from commonsight.audit.words.grams import grams_of
from commonsight.audit.words.probe import WordArtifacts
from commonsight.audit.words.stats import association, by_choices, by_items, significance, totals
from commonsight.benchmarks import find
from commonsight.core.answer import Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.store.native import read_native
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())
PROBE = WordArtifacts()


def measured(items: list[Item], task: str = "choose", probe: WordArtifacts = PROBE) -> Section:
    subject = fakes.subject_of(items, fakes.CHOOSE if task == "choose" else fakes.VERIFY)
    (section,) = probe.measure(subject, SETTING)
    return section


def finding(section: Section) -> Finding:
    (found,) = section.findings
    return found


def test_pmi_by_hand() -> None:
    # A word in 30 false and 0 true texts, another in 0 and 10; one is added to each of the four counts.
    counts = np.array([[30.0, 0.0], [0.0, 10.0]])
    pmi = association(counts, 1.0)
    assert pmi[0, 0] == pytest.approx(math.log((31 / 44) / ((32 / 44) * (32 / 44))))
    assert pmi[1, 0] == pytest.approx(math.log((1 / 44) / ((12 / 44) * (32 / 44))))
    assert (association(np.zeros((2, 2)), 0.0) == 0).all()


def test_choices_are_dealt_out_within_their_item() -> None:
    # Item 0 has the word in two of four choices, a wrong one and the right one; item 1 in all four.
    grams = grams_of(["x", "x", "y", "y", "x", "x", "x", "x"], least=1, longest=1)
    right = np.array([True, False, False, False, False, False, True, False])
    item_of = np.repeat([0, 1], 4)
    found = totals(by_choices(grams.holds, item_of, ~right, np.array([0, 1])))
    x = grams.names.index("x")
    assert (found.held[x], found.hits[x], found.expected[x]) == (6, 4, 4.5)
    assert found.deviation.off[x] == -0.5
    assert found.deviation.variance[x] == 0.25  # the right one of four is among two with probability one half
    assert found.deviation.groups[x] == 1


def test_gardners_z_is_shown_beside_ours() -> None:
    grams = grams_of(["x"] * 60 + ["y"] * 40, least=1, longest=1)
    true = np.array([True] * 45 + [False] * 15 + [True] * 5 + [False] * 35)
    tested = significance(totals(by_items(grams.holds, true, np.arange(100))), 5, 20)
    x = grams.names.index("x")
    assert tested.share[x] == 0.75
    assert tested.plain[x] == pytest.approx((0.75 - 0.5) / math.sqrt(0.25 / 60))
    assert 0 < tested.z[x] < tested.plain[x]


def test_a_watermark_is_found_with_the_items_behind_it() -> None:
    items = fakes.planted(fakes.clean_items(1000, seed=1), fakes.watermark, 0.3, seed=1)
    section = measured(items)
    found = finding(section)
    assert (found.code, found.level) == ("word-artifacts", "warning")
    assert "“indeed”" in found.says
    assert found.value is not None
    assert found.value > 0.4
    marked = {item.id for item in items if any("indeed" in choice.tokens for choice in item.choices)}
    assert len(marked & set(found.items)) > 0.9 * len(marked)
    right = next(table for table in section.tables if table.title == "Words that mark right choices")
    assert right.rows[0][0] == "indeed"
    assert section.figures["words-alone"].value == pytest.approx(found.value)
    gain = section.numbers["coverage"] * section.numbers["lift"]
    assert gain == pytest.approx(section.numbers["gain"])


def test_a_word_of_one_movie_is_no_artifact() -> None:
    items = [
        fakes.watermark(item, None) if item.groups["movie"] == "movie3" else item  # type: ignore[arg-type]
        for item in fakes.clean_items(2000, seed=1)
    ]
    assert finding(measured(items)).level != "warning"
    assert not any("indeed" in str(row[0]) for table in measured(items).tables[1:] for row in table.rows)


@pytest.mark.parametrize("seed", range(3))
def test_a_clean_set_raises_no_warning(seed: int) -> None:
    assert finding(measured(fakes.clean_items(400, seed))).level != "warning"
    assert finding(measured(fakes.clean_verdicts(400, seed), "verify")).level == "fine"


@pytest.mark.slow
@pytest.mark.parametrize("count", [200, 1000])
def test_no_clean_set_raises_a_warning(count: int) -> None:
    for seed in range(50):
        assert finding(measured(fakes.clean_items(count, seed))).level != "warning"
        assert finding(measured(fakes.clean_verdicts(count, seed), "verify")).level != "warning"


def test_words_of_a_sentence_that_tell_its_label() -> None:
    items = [
        structs.replace(item, texts={"sentence": TaggedText.plain(f"not {item.texts['sentence'].tokens[0]}")})
        if item.gold == Verdict(value=False) and at % 2
        else item
        for at, item in enumerate(fakes.clean_verdicts(800, seed=2))
    ]
    found = finding(measured(items, "verify"))
    assert found.level == "warning"
    assert "“not”" in found.says


def test_types_of_choices_have_words_of_their_own() -> None:
    kinds = ["Action-True", "Action-False", "Distractor1", "Distractor2"]
    items = []
    for item in fakes.clean_items(600, seed=4):
        assert isinstance(item.gold, Pick)
        wrong = iter(kinds[1:])
        types = [kinds[0] if at == item.gold.index else next(wrong) for at in range(4)]
        choices = tuple(
            TaggedText(("green", *text.tokens)) if kind == "Distractor1" else text
            for kind, text in zip(types, item.choices, strict=True)
        )
        items.append(structs.replace(item, choices=choices, extra={"answer_types": types}))
    table = next(one for one in measured(items).tables if one.title == "Words that tell the type of a choice")
    assert table.rows[0][:2] == ("Distractor1", "green")


def test_the_same_seed_gives_the_same_section() -> None:
    items = fakes.planted(fakes.clean_items(300, seed=1), fakes.watermark, 0.3, seed=1)
    assert measured(items) == measured(items)


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (fakes.clean_items(5, seed=1), "only 5 items"),
        ([structs.replace(item, gold=None) for item in fakes.clean_items(30, seed=1)], "only 0 items"),
        (
            [structs.replace(one, choices=one.choices[:1], gold=Pick(0)) for one in fakes.clean_items(30, 1)],
            "only 0 items",
        ),
        (
            [structs.replace(item, choices=(TaggedText(()),) * 4) for item in fakes.clean_items(30, 1)],
            "no word stands in 20 choices",
        ),
    ],
    ids=["five items", "no labels", "one choice", "empty texts"],
)
def test_what_cannot_be_measured_is_said(items: list[Item], why: str) -> None:
    section = measured(items)
    assert section.findings == ()
    assert why in section.skipped[0]


def test_constant_labels_are_said_to_be_constant() -> None:
    items = [structs.replace(item, gold=Verdict(value=True)) for item in fakes.clean_verdicts(40, seed=1)]
    assert "every answer is 'True'" in measured(items, "verify").skipped[0]


@pytest.mark.real_data
def test_green_and_red_lead_on_pmr_as_in_its_table_4(data_dir: Path) -> None:
    pmr = find("pmr")
    path = data_dir / "pmr" / "val-ori.jsonl"
    subject = Subject(
        "pmr", "pmr", pmr.title, lambda: read_native(pmr.native, [path]), pmr.tasks, pmr.scoring.cluster_of
    )
    (section,) = PROBE.measure(subject, SETTING)
    by_pmi, wrong = section.tables[:2]
    assert [row[1] for row in by_pmi.rows[:2]] == ["green", "red"]
    assert by_pmi.rows[0][5] == pytest.approx(1.48, abs=0.01)
    assert [row[0] for row in wrong.rows[:2]] == ["green", "red"]
    assert finding(section).level == "warning"

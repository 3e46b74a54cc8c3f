"""Abilities, easy items, and labels to read again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from numpy.typing import NDArray

from commonsight.audit import fakes
from commonsight.audit.probe import CannotMeasure, RunAnswers, Setting
from commonsight.audit.runside.contradicted import contradictions
from commonsight.audit.runside.fakes import gold_of, guessed, run_of_picks, with_runs
from commonsight.audit.runside.graded import graded
from commonsight.audit.runside.irt import ItemResponse, reversed_items
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())


def skilled(
    items: list[Item], count: int, seed: int, low: float = -0.5, high: float = 2.5
) -> list[RunAnswers]:
    """Runs of rising ability on items of all difficulties."""
    difficulty = np.random.default_rng(seed).normal(0, 1.2, len(items))
    abilities = np.linspace(low, high, count)
    return [
        guessed(items, 1 / (1 + np.exp(difficulty - ability)), 1000 * seed + n, f"run{n}")
        for n, ability in enumerate(abilities)
    ]


def mislabelled(
    items: list[Item], runs: list[RunAnswers], places: NDArray[np.int64]
) -> tuple[RunAnswers, ...]:
    """The same runs as they look once these items' labels were moved by one: picks name the next choice."""
    changed = []
    for run in runs:
        picks = np.array([int(run.answers["choose"].get(item.id, -1)) for item in items])
        picks[places] = (picks[places] + 1) % 4
        changed.append(run_of_picks(items, picks, run.name))
    return tuple(changed)


def test_reversed_items_keep_false_alarms_low() -> None:
    # Doubts of 1, 3, 10 and 50 %, on average 1, 2, 4.7 and 16.
    assert reversed_items(np.array([0.5, 0.99, 0.97, 0.9]), 0.05) == [1, 2, 3]
    assert reversed_items(np.array([0.5, 0.99, 0.97, 0.9]), 0.02) == [1, 2]
    assert reversed_items(np.array([0.1, 0.2]), 0.05) == []


def test_contradictions_by_hand() -> None:
    items = fakes.clean_items(24, seed=5)
    gold = gold_of(items)
    runs = [run_of_picks(items, gold.copy(), f"run{n}") for n in range(4)]
    picks = [gold.copy() for _ in range(4)]
    picks[0][3] = picks[1][3] = picks[2][3] = (gold[3] + 1) % 4  # three agree on another choice
    picks[0][7], picks[1][7], picks[2][7] = ((gold[7] + n) % 4 for n in (1, 2, 3))  # they disagree
    picks[0][9] = picks[1][9] = (gold[9] + 2) % 4  # only half of them
    runs = [run_of_picks(items, row, f"run{n}") for n, row in enumerate(picks)]
    (matrix,) = graded(with_runs(fakes.subject_of(items), *runs))
    (found,) = contradictions(matrix)
    assert (found.place, found.for_rival, found.for_gold, found.answered) == (3, 3, 1, 4)
    assert found.rival == (gold[3] + 1) % 4
    # Runs 0 and 1 are right in 21 of 24, run 2 in 22, run 3 in all: one is added to both sides.
    weight = [np.log((k + 1) / (24 - k + 1) * 3) for k in (21, 21, 22, 24)]
    assert found.weight == pytest.approx(sum(weight[:3]) - weight[3])


def test_a_run_that_wavers_weighs_less() -> None:
    items = fakes.clean_items(24, seed=5)
    picks = gold_of(items)
    picks[3] = (picks[3] + 1) % 4
    sure = [run_of_picks(items, picks, f"run{n}") for n in range(4)]
    wavering = [replace(run, chances={"choose": {items[3].id: (0.1, 0.3, 0.2, 0.4)}}) for run in sure]
    (matrix,), (less,) = (graded(with_runs(fakes.subject_of(items), *runs)) for runs in (sure, wavering))
    (found,) = contradictions(matrix)
    full = 4 * np.log(24 / 2 * 3)  # right in 23 of 24, one added to both
    assert found.weight == pytest.approx(full)
    assert contradictions(less) == []  # a tenth of it
    assert contradictions(less, expected=0.3)[0].weight == pytest.approx(full / 10)


def test_what_people_said_counts_too() -> None:
    items = fakes.clean_items(24, seed=5)
    gold = gold_of(items)
    words = [[choice.render(lambda at: f"object{at}") for choice in item.choices] for item in items]
    said = {3: (gold[3],) * 9, 7: ((gold[7] + 1) % 4,) * 2 + (gold[7],)}  # nine for a label, one more against
    items = [
        structs.replace(item, direct_answers=tuple(words[at][pick].upper() for pick in said.get(at, ())))
        for at, item in enumerate(items)
    ]
    labels = [structs.replace(item, choices=tuple(map(TaggedText.plain, row)))
              for item, row in zip(items, words, strict=True)]  # fmt: skip
    picks = gold.copy()
    picks[[3, 7, 9]] = (picks[[3, 7, 9]] + 1) % 4
    runs = [run_of_picks(labels, picks, f"run{n}") for n in range(4)]
    (matrix,) = graded(with_runs(fakes.subject_of(labels), *runs))
    found = contradictions(matrix)
    assert [(one.place, one.people) for one in found] == [(7, 1), (9, 0)]
    assert found[0].weight == pytest.approx(found[1].weight + 1.0)


def test_wrong_labels_are_listed_first() -> None:
    items = fakes.clean_items(600, seed=6)
    places = np.arange(0, 600, 60)
    runs = mislabelled(items, skilled(items, 6, 6, low=1.0), places)
    (section,) = ItemResponse().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    found = {one.code: one for one in section.findings}
    doubted = found["gold-contradicted"]
    assert doubted.level == "note"
    planted = {items[at].id for at in places}
    assert len(planted & set(doubted.items)) >= 7
    assert len(set(doubted.items) - planted) <= 3
    assert "likely-mislabelled" not in found  # six runs are too few to tell
    assert "With 6 runs only difficulty is estimated" in section.skipped[0]
    abilities = next(table for table in section.tables if table.title == "Abilities")
    assert [row[0] for row in abilities.rows] == [f"run{n}" for n in (5, 4, 3, 2, 1, 0)]
    shown = next(table for table in section.tables if table.title == "Labels to read again")
    assert len(shown.rows) <= 10


def test_with_many_runs_wrong_labels_are_a_warning() -> None:
    items = fakes.clean_items(600, seed=7)
    places = np.arange(0, 600, 30)
    runs = mislabelled(items, skilled(items, 30, 7, low=-1.5, high=3.0), places)
    (section,) = ItemResponse().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    found = {one.code: one for one in section.findings}["likely-mislabelled"]
    assert found.level == "warning"
    planted = {items[at].id for at in places}
    assert len(planted & set(found.items)) >= 0.8 * len(found.items)


@pytest.mark.parametrize("seed", range(50))
def test_sound_labels_raise_no_warning(seed: int) -> None:
    items = fakes.clean_items(200, seed)
    subject = with_runs(fakes.subject_of(items), *skilled(items, 12 if seed % 2 else 5, seed))
    (section,) = ItemResponse().measure(subject, SETTING)
    assert all(found.level != "warning" for found in section.findings)


def test_items_that_all_solve() -> None:
    items = fakes.clean_items(200, seed=8)
    runs = [guessed(items, 0.97, n, f"run{n}") for n in range(4)]
    (section,) = ItemResponse().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    easy = next(found for found in section.findings if found.code == "saturated")
    assert easy.level == "warning"
    solved = np.min([run.scores["accuracy"] for run in runs], axis=0)
    assert easy.items == tuple(item.id for item, right in zip(items, solved, strict=True) if right)
    assert section.figures["saturated"].k == solved.sum()


def test_too_few_runs_are_told() -> None:
    items = fakes.clean_items(40, seed=1)
    subject = fakes.subject_of(items)
    with pytest.raises(CannotMeasure, match="Give runs with --run"):
        ItemResponse().measure(subject, SETTING)
    with pytest.raises(CannotMeasure, match=r"needs at least 4 runs on the same task.*there are 3 in all"):
        ItemResponse().measure(with_runs(subject, *skilled(items, 3, 1)), SETTING)

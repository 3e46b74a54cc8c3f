"""Several runs together: small tables worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec import structs

from commonsight.audit import fakes
from commonsight.audit.probe import CannotMeasure, Setting
from commonsight.audit.runside.ensemble import (
    Ensemble,
    agreement,
    kappa_of_errors,
    majority,
    pairwise_difference,
)
from commonsight.audit.runside.fakes import gold_of, guessed, run_of_picks, with_runs
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())
RIGHT = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]], float)


def test_pairwise_difference_is_the_papers() -> None:
    found = pairwise_difference(RIGHT)
    assert found[0].tolist() == [0, pytest.approx(2 / 3), 1]  # of three right, the second misses two
    assert found[1].tolist() == [0, 0, 1]
    assert np.isnan(found[2]).all()  # nothing right, so no share of it


def test_kappa_of_errors() -> None:
    # Observed agreement 2 of 4; expected 3/4 * 1/4 + 1/4 * 3/4 = 3/8; (1/2 - 3/8) / (5/8) = 1/5.
    found = kappa_of_errors(RIGHT)
    assert found[0, 1] == pytest.approx(0.2)
    assert found[0, 0] == pytest.approx(1.0)
    assert found[0, 2] == pytest.approx(0.0)
    assert math.isnan(found[2, 2])


def test_agreement_counts_only_what_both_answered() -> None:
    said = np.array([[0, 1, 2, -1], [0, 1, 1, 3]])
    assert agreement(said)[0, 1] == pytest.approx(2 / 3)
    assert math.isnan(agreement(np.array([[-1, -1], [0, 1]]))[0, 1])


def test_majority_shares_ties_and_skips_failures() -> None:
    said = np.array([[0, 0, 2, -1, -1], [0, 1, 1, 1, -1], [1, 2, 1, -1, -1]])
    scores = np.array([[1, 1, 0, 0, 0], [1, 0, 1, 1, 0], [0, 0, 1, 0, 0]], float)
    voted = majority(said, scores)
    # Two against one and right; three ways, one of them right; two against one; a lone vote; none.
    assert voted.scores.tolist() == [1, pytest.approx(1 / 3), 1, 1, 0]
    assert voted.ties == 1


def test_a_partial_score_of_the_vote_is_kept() -> None:
    said = np.array([[5], [5], [3]])
    assert majority(said, np.array([[2 / 3], [2 / 3], [1.0]])).scores.tolist() == [pytest.approx(2 / 3)]


def test_the_section_tells_what_nobody_solves() -> None:
    items = fakes.clean_items(40, seed=1)
    gold = gold_of(items)
    hopeless = np.arange(40) < 4
    runs = [run_of_picks(items, np.where(hopeless, (gold + 1) % 4, gold), f"run{n}") for n in range(3)]
    runs.append(run_of_picks(items, (gold + 1) % 4, "wrong"))
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    assert section.figures["oracle"].k == section.figures["majority"].k == section.figures["best"].k == 36
    assert section.figures["none_right"].k == 4
    assert section.figures["all_right"].k == 0
    unsolved = next(found for found in section.findings if found.code == "unsolved")
    assert unsolved.items == tuple(item.id for item in items[:4])
    alike = [found for found in section.findings if found.code == "runs-alike"]
    assert len(alike) == 3  # three runs that are one
    assert {table.title for table in section.tables} >= {"Pairwise difference", "Same answers"}


def test_runs_that_tell_only_scores_have_no_vote() -> None:
    items = fakes.clean_items(40, seed=1)
    runs = [guessed(items, 0.5, seed) for seed in (1, 2)]
    silent = [type(run)(f"{n}", run.ids, run.scores) for n, run in enumerate(runs)]
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *silent), SETTING)
    assert "majority" not in section.figures
    assert "no majority vote" in section.skipped[0]


def test_without_runs_it_says_so() -> None:
    items = fakes.clean_items(40, seed=1)
    with pytest.raises(CannotMeasure, match="Give runs with --run"):
        Ensemble().measure(fakes.subject_of(items), SETTING)
    with pytest.raises(CannotMeasure, match="Several runs on the same items"):
        Ensemble().measure(with_runs(fakes.subject_of(items), guessed(items, 0.5, 1)), SETTING)


def test_the_vote_is_told_with_and_without_the_best() -> None:
    """As in the paper: others vote better than each of them alone, and the best is better than any vote."""
    items = fakes.clean_items(120, seed=1)
    runs = [guessed(items, 0.5, seed, f"run{seed}") for seed in range(4)]
    runs.append(run_of_picks(items, gold_of(items), "best"))
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    figures = {name: figure.value or 0.0 for name, figure in section.figures.items()}
    assert figures["best"] == 1
    assert figures["best_of_others"] < figures["majority_of_others"] < figures["majority"] < 1
    rows = {row[0] for table in section.tables for row in table.rows}
    assert {"the second best run", "majority vote without the best run"} <= rows
    (few,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs[:3]), SETTING)
    assert "majority_of_others" not in few.figures  # of two voters none has a majority


def test_how_many_solve_an_item_is_counted() -> None:
    items = fakes.clean_items(40, seed=1)
    gold = gold_of(items)
    runs = [run_of_picks(items, np.where(np.arange(40) < n, gold, gold + 1) % 4, f"r{n}") for n in (10, 30)]
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    table = next(table for table in section.tables if table.title == "How many runs solve an item")
    assert table.rows == ((0, 10, 0.25), (1, 20, 0.5), (2, 10, 0.25))


def test_items_that_none_solves_are_shown_of_every_kind_of_knowledge() -> None:
    items = [
        structs.replace(item, extra={"knowledge_type": "visual" if at < 30 else "physical"})
        for at, item in enumerate(fakes.clean_items(40, seed=1))
    ]
    wrong = (gold_of(items) + 1) % 4
    runs = [run_of_picks(items, wrong, "one"), run_of_picks(items, wrong, "two")]
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    table = next(table for table in section.tables if table.title == "Items that no run solves")
    assert table.columns == ("item", "knowledge", "question", "right", "most said")
    assert [row[1] for row in table.rows] == ["visual", "physical"] * 4
    case = fakes.subject_of(items).cases["choose"].all[0]
    assert table.rows[0] == (items[0].id, "visual", case.asked, case.answer, case.said[wrong[0]])
    assert table.note.startswith("8 of 40")
    silent = fakes.subject_of([structs.replace(item, extra={}) for item in items])
    (section,) = Ensemble().measure(with_runs(silent, *runs), SETTING)
    table = next(table for table in section.tables if table.title == "Items that no run solves")
    assert table.columns == ("item", "question", "right", "most said")


def test_a_blind_run_that_is_told_of_pictures_is_one_of_them_and_other_blind_ones_are_named() -> None:
    """A-OKVQA compares a language model that reads generated rationales with those that see (section 6)."""
    items = fakes.clean_items(60, 1)
    runs = [guessed(items, 0.5, 1, "seeing"), guessed(items, 0.4, 2, "told", blind=True, context="why.jsonl")]
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    assert section.about.startswith("2 runs on ")
    assert "Left out" not in section.about
    runs.append(guessed(items, 0.3, 3, "guessing", blind=True))
    (section,) = Ensemble().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    assert section.about.startswith("2 runs on ")
    assert section.about.endswith(" Left out, since they were shown no pictures: guessing.")

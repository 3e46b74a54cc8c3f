"""Rotated choices: consistency worked out by hand, a planted liking found, none cried over clean runs."""

from __future__ import annotations

import numpy as np
import pytest

from commonsight.audit import fakes
from commonsight.audit.probe import CannotMeasure, Setting
from commonsight.audit.runside.circular import Circular, letter, models_of, position_preference, shown_at
from commonsight.audit.runside.fakes import gold_of, guessed, run_of_picks, with_runs
from commonsight.audit.runside.graded import graded
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())


def test_where_a_choice_was_shown() -> None:
    # At rotation 1 of four, choices B C D A are shown: B first, A last.
    picks = np.array([0, 1, 2, 3, -1])
    assert shown_at(picks, np.full(5, 4), 1).tolist() == [3, 0, 1, 2, -1]
    assert shown_at(picks, np.full(5, 4), 0).tolist() == [0, 1, 2, 3, -1]
    assert [letter(0), letter(3), letter(26)] == ["A", "D", "27"]


def test_right_at_all_and_flips() -> None:
    items = fakes.clean_items(40, seed=2)
    gold = gold_of(items)
    # Steady on all, but on the last ten it takes whatever is shown first.
    tempted = np.arange(40) >= 30
    runs = [
        run_of_picks(items, np.where(tempted, turn, gold), f"m@{turn}", model="m", circular=turn)
        for turn in range(4)
    ]
    (section,) = Circular().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    first = 30 + int((gold[30:] == 0).sum())
    assert section.figures["m@0.plain"].k == first
    assert section.figures["m@0.every"].k == 30
    assert section.figures["m@0.flips"].k == 10
    note = next(found for found in section.findings if found.code == "circular")
    assert set(note.items) == {item.id for item, at in zip(items[30:], gold[30:], strict=True) if at == 0}


def test_wrong_picks_are_held_against_what_was_left() -> None:
    items = fakes.clean_items(40, seed=2)
    gold = gold_of(items)
    subject = with_runs(fakes.subject_of(items), run_of_picks(items, np.where(gold == 0, 1, 0)))
    (matrix,) = graded(subject)
    found = position_preference(matrix)
    zeros = int((gold == 0).sum())
    assert found.taken.tolist() == [40 - zeros, zeros, 0, 0]
    # Position A is open to a wrong pick wherever the label is not there, at one in three.
    assert found.expected[0] == pytest.approx((40 - zeros) / 3)
    assert found.expected.sum() == pytest.approx(40)
    assert found.p_value < 1e-6


@pytest.mark.parametrize("rotated", [False, True])
def test_a_planted_liking_is_found(rotated: bool) -> None:
    items = fakes.clean_items(400, seed=3)
    gold = gold_of(items)
    rng = np.random.default_rng(0)
    runs = []
    for turn in range(4 if rotated else 1):
        first = np.full(400, turn)
        other = (gold + 1 + rng.integers(0, 3, 400)) % 4
        draw = rng.random(400)
        picks = np.where(draw < 0.5, gold, np.where(draw < 0.65, first, other))
        runs.append(run_of_picks(items, picks, f"m@{turn}", model="m", circular=turn))
    (section,) = Circular().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    (found,) = [one for one in section.findings if one.code == "position-preference"]
    assert found.level == "warning"
    assert "position A" in found.says
    if not rotated:
        picked = runs[0].answers["choose"]
        wanted = [item.id for item, at in zip(items, gold, strict=True) if picked[item.id] == 0 != at]
        assert list(found.items) == wanted


@pytest.mark.parametrize("seed", range(50))
def test_runs_without_a_liking_raise_nothing(seed: int) -> None:
    items = fakes.clean_items(200 + 20 * seed, seed)
    runs = [guessed(items, 0.3 + 0.1 * n, 1000 * seed + n, f"run{n}") for n in range(4)]
    (section,) = Circular().measure(with_runs(fakes.subject_of(items), *runs), SETTING)
    assert [found.level for found in section.findings] == ["fine"]


def test_runs_of_one_model_are_put_together() -> None:
    items = fakes.clean_items(8, seed=1)
    runs = [
        guessed(items, 0.5, 1, "a", model="m", circular=0),
        guessed(items, 0.5, 2, "a@1", model="m", circular=1),
        guessed(items, 0.5, 3, "again", model="m"),
        guessed(items, 0.5, 4, "dark", model="m", blind=True),
        guessed(items, 0.5, 5, "yes", circular=True),  # says that it was rotated, not by how much
    ]
    found = {name: [run.name for run in members] for name, members in models_of(runs).items()}
    assert found == {"a": ["a", "a@1"], "again": ["again"], "dark": ["dark"], "yes": ["yes"]}


def test_without_picks_it_says_so() -> None:
    items = fakes.clean_items(40, seed=1)
    subject = fakes.subject_of(items)
    with pytest.raises(CannotMeasure, match="Give runs with --run"):
        Circular().measure(subject, SETTING)
    run = guessed(items, 0.5, 1)
    silent = type(run)("silent", run.ids, run.scores)
    with pytest.raises(CannotMeasure, match="No run tells which of several choices"):
        Circular().measure(with_runs(subject, silent), SETTING)

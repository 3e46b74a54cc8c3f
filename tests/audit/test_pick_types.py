"""Kinds of choices (PMR, Table 3) and the test of evenness behind it."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs
from scipy.stats import chisquare

from commonsight.audit import fakes
from commonsight.audit.probe import CannotMeasure, Setting
from commonsight.audit.runside.evenness import evenness
from commonsight.audit.runside.fakes import gold_of, guessed, run_of_picks, with_runs
from commonsight.audit.runside.pick_types import PickTypes
from commonsight.core.item import Item
from commonsight.text.encoders import HashedEncoder

SETTING = Setting(HashedEncoder())
KINDS = ("right", "near", "far", "odd")


def typed(items: list[Item]) -> list[Item]:
    """The right choice is of the first kind, the one after it of the second, and so on."""
    found = []
    for item, gold in zip(items, gold_of(items), strict=True):
        types = [KINDS[(at - gold) % 4] for at in range(4)]
        found.append(structs.replace(item, extra={"answer_types": types}))
    return found


def test_evenness_is_pearsons_chi_square_where_all_items_are_alike() -> None:
    taken = np.repeat([0, 1, 2], [50, 30, 20])
    found = evenness(taken, np.full((100, 3), 1 / 3), np.arange(100))
    wanted = chisquare([50, 30, 20])
    assert found.statistic == pytest.approx(wanted.statistic)
    assert found.p_value == pytest.approx(wanted.pvalue)
    assert found.freedom == 2
    assert (found.most, found.excess) == (0, pytest.approx(0.5 - 1 / 3))


def test_copies_of_one_pick_count_less() -> None:
    taken = np.repeat([0, 1, 2, 0, 0], 8)
    chances = np.full((40, 3), 1 / 3)
    assert evenness(taken, chances, np.repeat(np.arange(5), 8)).p_value > 0.1
    assert evenness(taken, chances, np.arange(40)).p_value < 0.01


def test_nothing_taken_is_even() -> None:
    found = evenness(np.zeros(0, np.int64), np.zeros((0, 4)), np.zeros(0, np.int64))
    assert (found.p_value, found.excess) == (1.0, 0.0)


def test_shares_by_hand() -> None:
    items = typed(fakes.clean_items(40, seed=1))
    gold = gold_of(items)
    shift = np.repeat([0, 1, 2, 3], [20, 12, 5, 3])  # right, near, far, odd
    picks = (gold + shift) % 4
    picks[-1] = -1  # one of the odd ones could not be read
    (section,) = PickTypes().measure(with_runs(fakes.subject_of(items), run_of_picks(items, picks)), SETTING)
    assert [section.figures[f"run.{kind}"].k for kind in KINDS] == [20, 12, 5, 2]
    assert all(section.figures[f"run.{kind}"].n == 40 for kind in KINDS)
    assert section.tables[0].columns == ("run", *KINDS, "chi-square", "p")
    # 19 wrong picks, a third of them expected of each kind.
    assert section.tables[0].rows[0][5] == pytest.approx(chisquare([12, 5, 2]).statistic)


def test_a_liking_for_a_kind_is_a_note_and_none_is_none() -> None:
    items = typed(fakes.clean_items(400, seed=2))
    gold = gold_of(items)
    draw = np.random.default_rng(1).random(400)
    near = run_of_picks(items, np.where(draw < 0.6, gold, (gold + 1) % 4), "near")
    (section,) = PickTypes().measure(
        with_runs(fakes.subject_of(items), near, guessed(items, 0.5, 3, "even")), SETTING
    )
    (found,) = section.findings
    assert (found.code, found.level) == ("wrong-kind", "note")
    assert found.items == tuple(item.id for item, right in zip(items, draw < 0.6, strict=True) if not right)
    assert "Where near is wrong, 100% of its picks are of the kind near" in found.says


def test_without_kinds_it_says_so() -> None:
    items = fakes.clean_items(40, seed=1)
    with pytest.raises(CannotMeasure, match="do not say what kind each choice is"):
        PickTypes().measure(with_runs(fakes.subject_of(items), guessed(items, 0.5, 1)), SETTING)

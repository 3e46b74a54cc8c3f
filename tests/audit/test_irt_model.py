"""Item response theory: what went into a simulation comes out again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from commonsight.audit.runside.irt_model import Fitted, fit

Floats = NDArray[np.float64]


class Simulated:
    """Answers drawn from the model itself."""

    def __init__(
        self, runs: int, items: int, seed: int, *, two: bool = False, reversed_: float = 0.0
    ) -> None:
        rng = np.random.default_rng(seed)
        self.ability = np.sort(rng.normal(0.8, 1.0, runs))
        self.difficulty = rng.normal(0.0, 1.5, items)
        # Around 1 on average, as the model has it.
        self.discrimination = np.exp(rng.normal(-0.045, 0.3, items)) if two else np.ones(items)
        self.turned = rng.random(items) < reversed_
        a = np.where(self.turned, -1.0, self.discrimination)
        chance = 1 / (1 + np.exp(-a * (self.ability[:, None] - self.difficulty)))
        self.right: Floats = (rng.random((runs, items)) < chance).astype(np.float64)

    def fit(self, *, two: bool = False, clusters: NDArray[np.int64] | None = None) -> Fitted:
        own = np.arange(self.right.shape[1])
        return fit(self.right, own if clusters is None else clusters, two_parameters=two)


@pytest.mark.parametrize("runs", [4, 8])
def test_rasch_recovers_abilities_and_difficulties(runs: int) -> None:
    made = Simulated(runs, 1500, seed=runs)
    found = made.fit()
    assert found.converged
    assert np.corrcoef(made.ability, found.ability)[0, 1] > 0.99
    assert (np.argsort(found.ability) == np.arange(runs)).all()
    assert np.corrcoef(made.difficulty, found.difficulty)[0, 1] > (0.7 if runs == 4 else 0.8)
    assert found.spread == pytest.approx(1.5, abs=0.2)
    assert (found.turned == 0).all()


def test_two_parameters_recover_spreads_and_reversed_items() -> None:
    made = Simulated(40, 1500, seed=1, two=True, reversed_=0.03)
    found = made.fit(two=True)
    sound = ~made.turned
    assert found.spread == pytest.approx(1.5, abs=0.15)
    assert found.spread_discrimination == pytest.approx(0.3, abs=0.12)
    assert found.share_reversed == pytest.approx(0.03, abs=0.015)
    assert np.corrcoef(made.difficulty[sound], found.difficulty[sound])[0, 1] > 0.9
    assert np.corrcoef(made.discrimination[sound], found.discrimination[sound])[0, 1] > 0.3
    flagged = found.turned > 0.5
    assert (flagged & made.turned).sum() > 0.6 * made.turned.sum()
    assert (flagged & made.turned).sum() > 0.75 * flagged.sum()


def test_intervals_of_abilities_cover() -> None:
    """Over many simulations, the truth lies within two errors about as often as it should."""
    within = []
    for seed in range(30):
        made = Simulated(6, 400, seed)
        found = made.fit()
        within += (np.abs(found.ability - made.ability) < 1.96 * found.ability_se).tolist()
    assert 0.90 <= np.mean(within) <= 0.99


def test_items_that_are_copies_make_errors_larger() -> None:
    made = Simulated(6, 200, seed=1)
    made.right = np.repeat(made.right, 4, axis=1)
    apart = made.fit()
    together = made.fit(clusters=np.repeat(np.arange(200), 4))
    assert together.ability == pytest.approx(apart.ability)
    assert (together.ability_se > 1.5 * apart.ability_se).all()


def test_answers_that_were_never_asked_for_are_no_mistakes() -> None:
    made = Simulated(12, 1500, seed=3)
    rng = np.random.default_rng(0)
    made.right[rng.random(made.right.shape) < 0.6] = np.nan
    found = made.fit()
    assert np.corrcoef(made.ability, found.ability)[0, 1] > 0.98
    never = np.full(1500, np.nan)
    made.right[0] = never
    silent = made.fit()
    assert silent.ability[0] == pytest.approx(0.0, abs=0.1)  # nothing is known but the prior
    assert silent.ability_se[0] == pytest.approx(3.0, rel=0.05)


def test_a_run_that_is_always_right_ends_somewhere() -> None:
    made = Simulated(5, 300, seed=4)
    made.right[4] = 1.0
    found = made.fit()
    assert 4 < found.ability[4] < 11
    assert found.ability_se[4] > found.ability_se[3]


def test_the_same_answers_give_the_same_numbers() -> None:
    made = Simulated(12, 300, seed=5, two=True)
    one, other = made.fit(two=True), made.fit(two=True)
    assert (one.ability == other.ability).all()
    assert (one.turned == other.turned).all()

"""Held-out losses as a share of 1."""

from __future__ import annotations

import pytest
import torch
import toy_pairs as toy

from commonsight.models.libraries import seeded
from commonsight.models.networks.uniter import uniter_small
from commonsight.models.pretraining.judging import HeldOut
from commonsight.models.pretraining.systems import uniter_pretraining


class Alone:
    """A team of one."""

    device = torch.device("cpu")

    def summed(self, value: float) -> float:
        return value


def test_less_loss_is_better_and_the_same_weights_are_as_good_each_time() -> None:
    batches = [toy.batch_of(toy.drawn(8)), toy.batch_of(toy.drawn(4, seed=1))]
    judge = HeldOut(lambda: batches)
    with seeded(0):
        trained = uniter_pretraining(toy.tiny(uniter_small, dropout=0.0), toy.TOKENS, len(toy.LABELS)).train()
        before = judge(trained, Alone())
        assert trained.training
        assert before == judge(trained, Alone())
        toy.trained(trained, batches[0], steps=20, rate=3e-3)
    assert 0 < before < judge(trained, Alone()) < 1


def test_it_is_the_mean_over_questions() -> None:
    batches = [toy.batch_of(toy.drawn(6)), toy.batch_of(toy.drawn(2, seed=1))]
    with seeded(0):
        trained = uniter_pretraining(toy.tiny(uniter_small), toy.TOKENS, len(toy.LABELS)).eval()
    losses = [float(toy.scores_of(trained, batch).extra) for batch in batches]
    mean = torch.tensor((6 * losses[0] + 2 * losses[1]) / 8, dtype=torch.float64)
    expected = 1 / (1 + float(torch.nn.functional.softplus(mean)))
    assert HeldOut(lambda: batches)(trained, Alone()) == pytest.approx(expected, rel=1e-6)


def test_nothing_held_out_is_worth_nothing() -> None:
    trained = uniter_pretraining(toy.tiny(uniter_small), toy.TOKENS, len(toy.LABELS))
    assert HeldOut(list)(trained, Alone()) == 0.0

"""Masks: pooling sees what is there and nothing else, and nothing at all is zero."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Generator, Tensor

from commonsight.models.layers.masks import (
    lengths_to_mask,
    masked_max,
    masked_mean,
    masked_softmax,
    without_padding,
)

Pool = Callable[[Tensor, Tensor], Tensor]
pools = pytest.mark.parametrize("pool", [masked_max, masked_mean], ids=["max", "mean"])


def test_lengths_become_masks() -> None:
    assert lengths_to_mask(torch.tensor([2, 0, 3])).tolist() == [
        [True, True, False],
        [False, False, False],
        [True, True, True],
    ]
    longer = lengths_to_mask(torch.tensor([[1], [2]]), 3)
    assert longer.tolist() == [[[True, False, False]], [[True, True, False]]]
    assert lengths_to_mask(torch.zeros(0, dtype=torch.long)).shape == (0, 0)


def test_pooling_is_what_a_loop_says(chance: Generator) -> None:
    values = torch.randn(2, 3, 5, 4, generator=chance, dtype=torch.float64) - 3  # all may be below zero
    mask = torch.rand(2, 3, 5, generator=chance) < 0.6
    mask[0, 1] = False
    for i in range(2):
        for j in range(3):
            there = [values[i, j, place] for place in range(5) if mask[i, j, place]]
            rows = torch.stack(there) if there else torch.zeros(1, 4, dtype=torch.float64)
            assert torch.equal(masked_max(values, mask)[i, j], rows.max(dim=0).values)
            torch.testing.assert_close(masked_mean(values, mask)[i, j], rows.mean(dim=0))


@pools
@pytest.mark.parametrize("junk", [math.nan, math.inf, -math.inf, 1e300])
def test_padding_changes_neither_pool_nor_gradient(pool: Pool, junk: float, chance: Generator) -> None:
    values = torch.randn(3, 4, 2, generator=chance, dtype=torch.float64)
    longer = torch.cat((values, torch.full((3, 2, 2), junk, dtype=torch.float64)), dim=1).requires_grad_()
    values.requires_grad_()
    lengths = torch.tensor([4, 1, 2])
    short, long = pool(values, lengths_to_mask(lengths, 4)), pool(longer, lengths_to_mask(lengths, 6))
    assert torch.equal(short, long)
    short.square().sum().backward()
    long.square().sum().backward()
    assert values.grad is not None
    assert longer.grad is not None
    assert torch.equal(longer.grad[:, :4], values.grad)
    assert not longer.grad[:, 4:].any()


@pools
def test_nothing_to_pool_is_zero_and_so_is_its_gradient(pool: Pool) -> None:
    values = torch.ones(2, 3, 4, requires_grad=True)
    pooled = pool(values, torch.zeros(2, 3, dtype=torch.bool))
    assert torch.equal(pooled, torch.zeros(2, 4))
    pooled.sum().backward()
    assert values.grad is not None
    assert not values.grad.any()
    assert torch.equal(pool(torch.ones(2, 0, 4), torch.ones(2, 0, dtype=torch.bool)), torch.zeros(2, 4))


@pools
def test_pooling_does_not_mind_the_order(pool: Pool, chance: Generator) -> None:
    values = torch.randint(0, 3, (2, 6, 3), generator=chance).double().requires_grad_()  # with ties
    mask = lengths_to_mask(torch.tensor([4, 6]), 6)
    order = torch.randperm(6, generator=chance)
    pooled, other = pool(values, mask), pool(values[:, order], mask[:, order])
    torch.testing.assert_close(pooled, other)
    weights = torch.randn(2, 3, generator=chance, dtype=torch.float64)
    one, two = (torch.autograd.grad((result * weights).sum(), values)[0] for result in (pooled, other))
    torch.testing.assert_close(one, two)


def test_softmax_shares_among_what_is_there(chance: Generator) -> None:
    scores = torch.randn(3, 4, generator=chance, dtype=torch.float64) * 50
    mask = torch.tensor([[True, True, False, False], [False] * 4, [True] * 4])
    shares = masked_softmax(scores, mask)
    torch.testing.assert_close(shares[0, :2], scores[0, :2].softmax(dim=0))
    torch.testing.assert_close(shares[2], scores[2].softmax(dim=0))
    assert not shares[~mask].any()


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float32])
def test_softmax_is_finite_in_every_precision(kind: torch.dtype) -> None:
    scores = torch.tensor([[6e4, -6e4, 0.0], [1.0, 2.0, 3.0]], dtype=kind)
    shares = masked_softmax(scores, torch.tensor([[False, True, False], [False] * 3]))
    assert shares.tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_gradients_are_right_also_where_nothing_is_there(chance: Generator) -> None:
    scores = torch.randn(3, 4, generator=chance, dtype=torch.float64, requires_grad=True)
    mask = torch.tensor([[True, True, False, True], [False] * 4, [False, True, False, False]])
    assert torch.autograd.gradcheck(lambda given: masked_softmax(given, mask), (scores,))
    values = torch.randn(3, 4, 2, generator=chance, dtype=torch.float64, requires_grad=True)
    for pool in (masked_max, masked_mean, without_padding):
        assert torch.autograd.gradcheck(lambda given, pool=pool: pool(given, mask), (values,))

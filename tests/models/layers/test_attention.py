"""Attention: what loops over places say, whatever stands in padding, and zeros where there is nothing."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Generator, Tensor

from commonsight.models.layers.attention import BilinearAttention, co_attention
from commonsight.models.layers.masks import lengths_to_mask


def normal(*shape: int, chance: Generator) -> Tensor:
    return torch.randn(*shape, generator=chance, dtype=torch.float64)


def leaves(*tensors: Tensor) -> tuple[Tensor, ...]:
    return tuple(tensor.requires_grad_() for tensor in tensors)


def slow(scores: list[float], there: list[bool]) -> list[float]:
    """Shares of 1 by the definition, one number at a time."""
    raised = [math.exp(score) if known else 0.0 for score, known in zip(scores, there, strict=True)]
    return [one / sum(raised) for one in raised] if any(there) else [0.0] * len(raised)


@pytest.fixture
def bilinear(chance: Generator) -> BilinearAttention:
    layer = BilinearAttention(3, 5).double()
    with torch.no_grad():
        layer.weight.copy_(normal(3, 5, chance=chance))
    return layer


def test_bilinear_attention_is_equation_2(bilinear: BilinearAttention, chance: Generator) -> None:
    response, query = normal(2, 4, 3, chance=chance), normal(2, 6, 5, chance=chance)
    mask = torch.rand(2, 6, generator=chance) < 0.6
    seen, weight = bilinear(response, query, mask), bilinear.weight.detach()
    for item in range(2):
        for i in range(4):
            scores = [float(response[item, i] @ weight @ query[item, j]) for j in range(6)]
            weights = slow(scores, mask[item].tolist())
            torch.testing.assert_close(seen.weights[item, i], torch.tensor(weights, dtype=torch.float64))
            mixed = sum(weights[j] * query[item, j] for j in range(6))
            torch.testing.assert_close(seen.values[item, i], mixed)


def test_weights_add_up_to_one_or_to_nothing(bilinear: BilinearAttention, chance: Generator) -> None:
    mask = lengths_to_mask(torch.tensor([6, 0, 1]), 6)
    seen = bilinear(normal(3, 4, 3, chance=chance), normal(3, 6, 5, chance=chance), mask)
    torch.testing.assert_close(seen.weights.sum(-1), torch.tensor([[1.0] * 4, [0.0] * 4, [1.0] * 4]).double())
    assert not seen.values[1].any()


@pytest.mark.parametrize("junk", [math.nan, math.inf, 1e308])
def test_padding_reaches_neither_values_nor_gradients(
    bilinear: BilinearAttention, junk: float, chance: Generator
) -> None:
    response, query = normal(3, 4, 3, chance=chance).requires_grad_(), normal(3, 6, 5, chance=chance)
    mask = lengths_to_mask(torch.tensor([6, 0, 2]), 6)
    more = torch.full((3, 2, 5), junk, dtype=torch.float64)
    padded = torch.cat((query.masked_fill(~mask[..., None], junk), more), dim=1)
    short = bilinear(response, query, mask)
    long = bilinear(response, padded, torch.cat((mask, torch.zeros(3, 2, dtype=torch.bool)), dim=1))
    torch.testing.assert_close(long.values, short.values)
    assert not long.weights[..., 6:].any()
    inputs = (response, bilinear.weight)
    for one, other in zip(
        torch.autograd.grad(short.values.square().sum(), inputs),
        torch.autograd.grad(long.values.square().sum(), inputs),
        strict=True,
    ):
        torch.testing.assert_close(one, other)


def test_the_order_of_places_only_permutes_weights(bilinear: BilinearAttention, chance: Generator) -> None:
    response, query = normal(2, 4, 3, chance=chance), normal(2, 6, 5, chance=chance)
    mask, order = torch.rand(2, 6, generator=chance) < 0.7, torch.randperm(6, generator=chance)
    straight, turned = bilinear(response, query, mask), bilinear(response, query[:, order], mask[:, order])
    torch.testing.assert_close(turned.values, straight.values)
    torch.testing.assert_close(turned.weights, straight.weights[..., order])


def test_gradients_are_right_even_for_nothing(bilinear: BilinearAttention, chance: Generator) -> None:
    mask = lengths_to_mask(torch.tensor([3, 0]), 3)
    inputs = leaves(normal(2, 2, 3, chance=chance), normal(2, 3, 5, chance=chance))
    assert torch.autograd.gradcheck(lambda one, other: bilinear(one, other, mask).values, inputs)
    bilinear(*inputs, mask).values.square().sum().backward()
    assert bilinear.weight.grad is not None
    assert bilinear.weight.grad.isfinite().all()
    assert bilinear.weight.grad.any()


def test_one_query_serves_several_responses(bilinear: BilinearAttention, chance: Generator) -> None:
    responses, query = normal(2, 4, 7, 3, chance=chance), normal(2, 1, 6, 5, chance=chance)
    mask = lengths_to_mask(torch.tensor([[6], [3]]), 6)
    seen = bilinear(responses, query, mask)
    assert seen.values.shape == (2, 4, 7, 5)
    assert seen.weights.shape == (2, 4, 7, 6)
    torch.testing.assert_close(seen.values[1, 2], bilinear(responses[1, 2], query[1, 0], mask[1, 0]).values)


def test_co_attention_aligns_both_ways(chance: Generator) -> None:
    first, second = normal(2, 4, 3, chance=chance), normal(2, 5, 3, chance=chance)
    masks = lengths_to_mask(torch.tensor([4, 2]), 4), lengths_to_mask(torch.tensor([3, 5]), 5)
    both = co_attention(first, second, *masks)
    for item in range(2):
        table = [[float(first[item, i] @ second[item, j]) for j in range(5)] for i in range(4)]
        for i in range(4):
            weights = slow(table[i], masks[1][item].tolist())
            mixed = sum(weights[j] * second[item, j] for j in range(5))
            if masks[0][item, i]:
                torch.testing.assert_close(both.first.values[item, i], mixed)
        for j in range(5):
            weights = slow([table[i][j] for i in range(4)], masks[0][item].tolist())
            mixed = sum(weights[i] * first[item, i] for i in range(4))
            if masks[1][item, j]:
                torch.testing.assert_close(both.second.values[item, j], mixed)


def test_co_attention_turned_round_is_the_other_way(chance: Generator) -> None:
    first, second = normal(2, 4, 3, chance=chance), normal(2, 5, 3, chance=chance)
    masks = lengths_to_mask(torch.tensor([4, 2]), 4), lengths_to_mask(torch.tensor([0, 5]), 5)
    one, other = co_attention(first, second, *masks), co_attention(second, first, *reversed(masks))
    for a, b in zip((*one.first, *one.second), (*other.second, *other.first), strict=True):
        torch.testing.assert_close(a, b)
    assert not one.first.values[0].any()


def test_padding_does_not_reach_a_co_attention(chance: Generator) -> None:
    first, second = normal(2, 4, 3, chance=chance).requires_grad_(), normal(2, 5, 3, chance=chance)
    masks = lengths_to_mask(torch.tensor([4, 0]), 4), lengths_to_mask(torch.tensor([3, 2]), 5)
    dirty = co_attention(first, second.masked_fill(~masks[1][..., None], math.nan), *masks)
    clean = co_attention(first, second, *masks)
    for a, b in zip((*dirty.first, *dirty.second), (*clean.first, *clean.second), strict=True):
        assert torch.equal(a, b)
    (dirty.first.values.square().sum() + dirty.second.values.square().sum()).backward()
    assert first.grad is not None
    assert first.grad.isfinite().all()
    assert not first.grad[1].any()


def test_co_attention_has_the_right_gradients(chance: Generator) -> None:
    masks = lengths_to_mask(torch.tensor([2, 0]), 2), lengths_to_mask(torch.tensor([1, 3]), 3)
    inputs = leaves(normal(2, 2, 3, chance=chance), normal(2, 3, 3, chance=chance))

    def values(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
        both = co_attention(first, second, *masks)
        return both.first.values, both.second.values

    assert torch.autograd.gradcheck(values, inputs)

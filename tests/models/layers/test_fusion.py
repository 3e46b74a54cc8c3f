"""Fusions are the contractions that they stand for, with the whole tensor written out."""

from __future__ import annotations

import pytest
import torch
from torch import Generator, Tensor, nn

from commonsight.models.layers.fusion import MLB, MUTAN
from commonsight.models.libraries import seeded


def normal(*shape: int, chance: Generator) -> Tensor:
    return torch.randn(*shape, generator=chance, dtype=torch.float64)


@pytest.fixture
def mlb() -> MLB:
    with seeded(3):
        return MLB(4, 5, rank=6, out=3).double()


@pytest.fixture
def mutan() -> MUTAN:
    with seeded(3):
        return MUTAN(4, 5, first_core=6, second_core=7, out_core=3, rank=2, out=8).double()


def test_mlb_is_a_full_bilinear_map_of_low_rank(mlb: MLB, chance: Generator) -> None:
    one, other = normal(9, 4, chance=chance), normal(9, 5, chance=chance)
    x, y = mlb.first(one).tanh(), mlb.second(other).tanh()
    # The map from products of coordinates to outputs, every one of them: only those of equal place count.
    full = torch.einsum("or,ri,rj->oij", mlb.out.weight, torch.eye(6).double(), torch.eye(6).double())
    slow = torch.einsum("oij,bi,bj->bo", full, x, y) + mlb.out.bias
    torch.testing.assert_close(mlb(one, other), slow)


def test_mlb_without_its_tanh_is_bilinear_in_what_it_is_given(mlb: MLB, chance: Generator) -> None:
    """So small that tanh(x) = x to many digits, and without biases: x and y may be scaled apart."""
    for bias in (mlb.first.bias, mlb.second.bias, mlb.out.bias):
        nn.init.zeros_(bias)
    one, other = 1e-4 * normal(9, 4, chance=chance), 1e-4 * normal(9, 5, chance=chance)
    weights = torch.einsum("or,ri,rj->oij", mlb.out.weight, mlb.first.weight, mlb.second.weight)
    slow = torch.einsum("oij,bi,bj->bo", weights, one, other)
    torch.testing.assert_close(mlb(one, other), slow, rtol=1e-5, atol=1e-13)


def test_mutan_is_the_full_tucker_contraction(mutan: MUTAN, chance: Generator) -> None:
    one, other = normal(9, 4, chance=chance), normal(9, 5, chance=chance)
    left = torch.tanh(one @ mutan.first.weight.T + mutan.first.bias)
    right = torch.tanh(other @ mutan.second.weight.T + mutan.second.bias)
    core = torch.zeros(6, 7, 3, dtype=torch.float64)
    first, second = mutan.first_slices.weight.detach(), mutan.second_slices.weight.detach()
    for k in range(3):
        for r in range(2):
            core[:, :, k] += torch.outer(first[r * 3 + k], second[r * 3 + k])
    torch.testing.assert_close(mutan.core(), core)
    slow = torch.einsum("ijk,bi,bj,ok->bo", core, left, right, mutan.out.weight) + mutan.out.bias
    torch.testing.assert_close(mutan(one, other), slow)


def test_slices_of_the_core_have_the_rank_that_was_asked_for(mutan: MUTAN) -> None:
    ranks = torch.linalg.matrix_rank(mutan.core().detach().permute(2, 0, 1))
    assert ranks.tolist() == [2, 2, 2]


def test_more_rank_makes_any_core_possible(chance: Generator) -> None:
    """With as much rank as a slice has rows, the low-rank form holds whatever core there is."""
    core = normal(3, 4, 2, chance=chance)
    layer = MUTAN(3, 4, first_core=3, second_core=4, out_core=2, rank=3, out=2).double()
    with torch.no_grad():
        for k in range(2):
            u, s, v = torch.linalg.svd(core[:, :, k], full_matrices=False)
            layer.first_slices.weight.view(3, 2, 3)[:, k] = (u * s).T
            layer.second_slices.weight.view(3, 2, 4)[:, k] = v
    torch.testing.assert_close(layer.core().detach(), core)


@pytest.mark.parametrize("name", ["mlb", "mutan"])
def test_one_query_meets_many_regions(name: str, request: pytest.FixtureRequest, chance: Generator) -> None:
    layer = request.getfixturevalue(name)
    query, regions = normal(2, 1, 4, chance=chance), normal(2, 6, 5, chance=chance)
    fused = layer(query, regions)
    assert fused.shape[:2] == (2, 6)
    torch.testing.assert_close(fused[1, 4], layer(query[1, 0], regions[1, 4]))
    order = torch.randperm(6, generator=chance)
    torch.testing.assert_close(layer(query, regions[:, order]), fused[:, order])


@pytest.mark.parametrize("name", ["mlb", "mutan"])
def test_gradients_reach_all_weights(name: str, request: pytest.FixtureRequest, chance: Generator) -> None:
    layer = request.getfixturevalue(name)
    inputs = (normal(3, 4, chance=chance).requires_grad_(), normal(3, 5, chance=chance).requires_grad_())
    layer(*inputs).square().sum().backward()
    for parameter in layer.parameters():
        assert parameter.grad is not None
        assert parameter.grad.any()
    assert torch.autograd.gradcheck(layer, inputs)


def test_the_last_bias_can_be_left_out() -> None:
    mlb = MLB(4, 5, rank=6, out=3, bias=False)
    mutan = MUTAN(4, 5, first_core=6, second_core=7, out_core=3, rank=2, out=8, bias=False)
    for layer in (mlb, mutan):
        assert layer.out.bias is None
        assert layer.first.bias is not None

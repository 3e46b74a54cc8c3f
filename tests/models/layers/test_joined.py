"""Vectors side by side, without being laid side by side."""

from __future__ import annotations

import torch
from torch import Generator, Tensor
from torch.nn.functional import linear

from commonsight.models.layers.joined import GatedTanh, JoinedLinear
from commonsight.models.libraries import seeded


def normal(*shape: int, chance: Generator) -> Tensor:
    return torch.randn(*shape, generator=chance, dtype=torch.float64)


def test_it_is_one_linear_map_of_all_inputs(chance: Generator) -> None:
    with seeded(1):
        layer = JoinedLinear((3, 4, 5), 6).double()
    given = [normal(7, size, chance=chance) for size in (3, 4, 5)]
    torch.testing.assert_close(layer(*given), linear(torch.cat(given, dim=1), layer.weight, layer.bias))


def test_one_input_meets_many_of_another(chance: Generator) -> None:
    layer = JoinedLinear((3, 4), 6).double()
    one, many = normal(2, 1, 3, chance=chance), normal(2, 5, 4, chance=chance)
    joined = layer(one, many)
    assert joined.shape == (2, 5, 6)
    torch.testing.assert_close(joined[1, 3], layer(one[1, 0], many[1, 3]))


def test_a_gate_lets_a_share_of_the_value_pass(chance: Generator) -> None:
    layer = GatedTanh((3, 4), 6).double()
    one, other = normal(7, 3, chance=chance), normal(7, 4, chance=chance)
    both = torch.cat((one, other), dim=1)
    value = torch.tanh(both @ layer.value.weight.T + layer.value.bias)
    gate = torch.sigmoid(both @ layer.gate.weight.T + layer.gate.bias)
    torch.testing.assert_close(layer(one, other), value * gate)


def test_gradients_are_right(chance: Generator) -> None:
    layer = GatedTanh((3, 4), 2).double()
    given = (normal(2, 1, 3, chance=chance).requires_grad_(), normal(2, 3, 4, chance=chance).requires_grad_())
    assert torch.autograd.gradcheck(layer, given)
    layer(*given).square().sum().backward()
    for parameter in layer.parameters():
        assert parameter.grad is not None
        assert parameter.grad.any()

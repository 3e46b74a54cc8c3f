"""Rows of like length go through layers together, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from commonsight.models.layers.bert import Looked
from commonsight.models.layers.even import EVEN, evenly, groups, in_order
from commonsight.models.layers.masks import lengths_to_mask, masked_softmax

rows_of_one = st.lists(st.lists(st.integers(1, 60), min_size=1, max_size=1), min_size=1, max_size=40)
rows_of_two = st.lists(st.lists(st.integers(1, 60), min_size=2, max_size=2), min_size=1, max_size=40)


@given(lengths=rows_of_one | rows_of_two)
def test_every_row_is_in_one_group_of_which_little_is_empty(lengths: list[list[int]]) -> None:
    told = torch.tensor(lengths)
    taken = groups(told)
    assert sorted(torch.cat([group.rows for group in taken]).tolist()) == list(range(len(lengths)))
    for rows, longest in taken:
        assert told[rows].amax(dim=0).tolist() == list(longest)
        assert 1 - int(told[rows].sum()) / (len(rows) * sum(longest)) <= EVEN


def test_rows_of_one_length_stay_together() -> None:
    assert len(groups(torch.full((50, 2), 7))) == 1
    assert [len(group.rows) for group in groups(torch.tensor([[9], [3], [9], [3]]))] == [2, 2]


def test_what_was_made_of_groups_is_put_in_order() -> None:
    taken = groups(torch.tensor([[3], [9], [3], [20]]))
    assert len(taken) == 3
    assert in_order([group.rows * 10 for group in taken], taken).tolist() == [0, 10, 20, 30]


def _layers(values: Tensor, there: Tensor) -> Looked:
    """Twice every place looks at all that are there: like a transformer, without weights."""
    weights = values.new_zeros(())
    for _ in range(2):
        weights = masked_softmax(values @ values.transpose(1, 2), there[:, None])
        values = torch.tanh(values + weights @ values)
    return Looked(values, weights)


@pytest.mark.parametrize("scattered", [False, True], ids=["padding last", "padding anywhere"])
def test_it_is_as_if_all_rows_were_padded(chance: Any, scattered: bool) -> None:
    there = lengths_to_mask(torch.tensor([2, 11, 5, 5, 8, 1]))
    if scattered:
        there = there[:, torch.randperm(there.shape[1], generator=chance)]
    values = torch.randn(*there.shape, 4, generator=chance, dtype=torch.float64, requires_grad=True)
    sizes: list[int] = []

    def counted(part: Tensor, mask: Tensor) -> Looked:
        sizes.append(mask.numel())
        return _layers(part, mask)

    whole, parts = _layers(values, there), evenly(values, there, counted)
    assert len(sizes) > 1
    assert 1 - int(there.sum()) / sum(sizes) <= EVEN
    torch.testing.assert_close(parts.values[there], whole.values[there])
    torch.testing.assert_close(parts.weights[there], whole.weights[there])
    gradients = [torch.autograd.grad(one.values[there].pow(2).sum(), values)[0] for one in (whole, parts)]
    torch.testing.assert_close(*gradients)

"""The units of a MAC cell against the paper's equations, computed as they are written."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from commonsight.models.layers.reasoning import ControlUnit, ReadUnit, WriteUnit

DIM, PLACES = 6, 5


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)


def mask_of(*counts: int) -> Tensor:
    return torch.arange(PLACES) < torch.tensor(counts)[:, None]


def test_control_chooses_words() -> None:
    unit = ControlUnit(DIM)
    control, asked, words = torch.randn(2, DIM), torch.randn(2, DIM), torch.randn(2, PLACES, DIM)
    found = unit(control, asked, words, mask_of(5, 3))
    for row, count in enumerate((5, 3)):
        joined = unit.join.weight @ torch.cat((control[row], asked[row])) + unit.join.bias
        scores = torch.stack([unit.attend.weight[0] @ (joined * words[row, s]) for s in range(count)])
        shares = scores.softmax(dim=0)
        torch.testing.assert_close(found.weights[row, :count], shares)
        assert not found.weights[row, count:].any()
        torch.testing.assert_close(found.value[row], sum(shares[s] * words[row, s] for s in range(count)))


def test_reading_is_what_the_equations_say_place_by_place() -> None:
    """With the biases that are left out: they add the same to every place."""
    unit = ReadUnit(DIM)
    memory, control, places = torch.randn(2, DIM), torch.randn(2, DIM), torch.randn(2, PLACES, DIM)
    found = unit(memory, control, places, mask_of(4, 5))
    know_bias, join_bias = torch.randn(DIM), torch.randn(DIM)
    for row, count in enumerate((4, 5)):
        scores = []
        for place in places[row, :count]:
            met = unit.remember(memory[row]) * (unit.know.weight @ place + know_bias)
            joined = unit.join.weight @ torch.cat((met, place)) + join_bias
            scores.append(unit.attend.weight[0] @ (control[row] * joined))
        shares = torch.stack(scores).softmax(dim=0)
        torch.testing.assert_close(found.weights[row, :count], shares, rtol=1e-4, atol=1e-5)
        assert not found.weights[row, count:].any()
        expected = shares @ places[row, :count]
        torch.testing.assert_close(found.value[row], expected, rtol=1e-4, atol=1e-5)


def test_writing_joins_what_was_read_and_remembered() -> None:
    unit = WriteUnit(DIM)
    found, control, memory = torch.randn(2, DIM), torch.randn(2, DIM), torch.randn(2, DIM)
    expected = torch.cat((found, memory), dim=1) @ unit.join.weight.T + unit.join.bias
    torch.testing.assert_close(unit(found, [control, control], [memory]), expected)


def test_a_gate_keeps_some_of_the_memory() -> None:
    plain, unit = WriteUnit(DIM), WriteUnit(DIM, gate=True)
    unit.join = plain.join
    assert unit.keep is not None
    found, controls, memories = torch.randn(2, DIM), [torch.randn(2, DIM)] * 2, [torch.randn(2, DIM)]
    kept = torch.sigmoid(controls[-1] @ unit.keep.weight[0] + unit.keep.bias)[:, None]
    expected = kept * memories[0] + (1 - kept) * plain(found, controls, memories)
    torch.testing.assert_close(unit(found, controls, memories), expected)


def test_recall_looks_back_at_steps_about_the_like() -> None:
    plain, unit = WriteUnit(DIM), WriteUnit(DIM, recall=True)
    unit.join = plain.join
    assert unit.alike is not None
    assert unit.both is not None
    found = torch.randn(2, DIM)
    controls = [torch.randn(2, DIM) for _ in range(4)]  # before the first step, and after three
    memories = [torch.randn(2, DIM) for _ in range(3)]
    made = unit(found, controls, memories)
    for row in range(2):
        now = controls[-1][row]
        scores = torch.stack([unit.alike.weight[0] @ (now * controls[step][row]) for step in range(3)])
        before = sum(share * memories[step][row] for step, share in enumerate(scores.softmax(dim=0)))
        written = plain(found, controls, memories)[row]
        expected = unit.both.weight @ torch.cat((before, written)) + unit.both.bias
        torch.testing.assert_close(made[row], expected, rtol=1e-4, atol=1e-5)

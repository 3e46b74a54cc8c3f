"""The LSTM and the GRU read each sequence as if it stood alone, and drop the same dimensions at each step."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator, Tensor

from commonsight.errors import InputError
from commonsight.models.layers.masks import lengths_to_mask
from commonsight.models.layers.recurrent import (
    GRU,
    BidirectionalLSTM,
    ForwardLSTM,
    turned,
    variational_dropout,
)
from commonsight.models.libraries import seeded


def made(*, layers: int = 1, dropout: float = 0.0, seed: int = 5) -> BidirectionalLSTM:
    with seeded(seed):
        return BidirectionalLSTM(4, 3, layers=layers, dropout=dropout).double().eval()


def normal(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed), dtype=torch.float64)


def one_way(steps: Tensor, weights: list[Tensor]) -> list[Tensor]:
    """An LSTM by its equations, one step after the other."""
    from_input, from_hidden, input_bias, hidden_bias = weights
    hidden = cell = steps.new_zeros(from_hidden.shape[1])
    out = []
    for step in steps:
        gates = from_input @ step + input_bias + from_hidden @ hidden + hidden_bias
        enter, forget, new, leave = gates.chunk(4)
        cell = forget.sigmoid() * cell + enter.sigmoid() * new.tanh()
        hidden = leave.sigmoid() * cell.tanh()
        out.append(hidden)
    return out


def slow(layer: BidirectionalLSTM, steps: Tensor) -> tuple[Tensor, Tensor]:
    """One sequence without padding through all layers: every step, and what each direction ends with."""
    last = steps
    for forward, backward in zip(layer.lstm.all_weights[::2], layer.lstm.all_weights[1::2], strict=True):
        there, back = one_way(steps, forward), one_way(steps.flip(0), backward)
        last = torch.cat((there[-1], back[-1]))
        steps = torch.cat((torch.stack(there), torch.stack(back[::-1])), dim=1)
    return steps, last


def test_an_lstm_that_reads_forward_keeps_every_step() -> None:
    with seeded(5):
        layer = ForwardLSTM(4, 3, dropout=0.0).double().eval()
    lengths = torch.tensor([5, 2])
    steps = normal(2, 5, 4).masked_fill(~lengths_to_mask(lengths, 5)[..., None], math.nan)
    read, hidden, _ = layer(steps, lengths)
    assert read.shape == (2, 5, 3)
    for row, length in enumerate((5, 2)):
        expected = torch.stack(one_way(steps[row, :length], layer.lstm.all_weights[0]))
        torch.testing.assert_close(read[row, :length], expected)
        torch.testing.assert_close(hidden[0, row], expected[-1])
        assert not read[row, length:].any()


def test_an_lstm_that_reads_forward_drops_the_same_at_each_step() -> None:
    with seeded(5):
        layer = ForwardLSTM(4, 3, dropout=0.5).double().train()
    steps, lengths = torch.ones(3, 4, 4, dtype=torch.float64), torch.tensor([4, 4, 4])
    one, same, other = (
        layer(steps, lengths, generator=Generator().manual_seed(n)).steps for n in (1, 1, 2)
    )
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


@pytest.mark.parametrize("layers", [1, 2])
@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=4), more=st.integers(0, 2))
def test_each_sequence_is_read_alone(layers: int, lengths: list[int], more: int) -> None:
    layer, longest = made(layers=layers), max(lengths) + more
    steps = normal(len(lengths), longest, 4).masked_fill(
        ~lengths_to_mask(torch.tensor(lengths), longest)[..., None], math.nan
    )
    read = layer(steps, torch.tensor(lengths))
    assert read.steps.shape == (len(lengths), longest, 6)
    for row, length in enumerate(lengths):
        expected, last = slow(layer, steps[row, :length])
        torch.testing.assert_close(read.steps[row, :length], expected)
        torch.testing.assert_close(read.last[row], last)
        assert not read.steps[row, length:].any()


def test_the_order_of_the_batch_only_permutes() -> None:
    layer, steps, lengths = made(layers=2), normal(6, 5, 4), torch.tensor([2, 5, 1, 5, 3, 1])
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    read, turned = layer(steps, lengths), layer(steps[order], lengths[order])
    torch.testing.assert_close(turned.steps, read.steps[order])
    torch.testing.assert_close(turned.last, read.last[order])


def test_dimensions_before_the_steps_are_kept() -> None:
    layer, steps, lengths = made(), normal(2, 3, 5, 4), torch.tensor([[1, 5, 2], [3, 3, 4]])
    read, flat = layer(steps, lengths), layer(steps.flatten(0, 1), lengths.flatten())
    assert torch.equal(read.steps, flat.steps.reshape(2, 3, 5, 6))
    assert torch.equal(read.last, flat.last.reshape(2, 3, 6))


@pytest.mark.parametrize("training", [False, True])
def test_gradients_reach_every_parameter_and_no_padding(training: bool) -> None:
    layer = made(layers=2, dropout=0.3).train(training)
    steps, lengths = normal(3, 5, 4).requires_grad_(), torch.tensor([2, 5, 3])
    read = layer(steps, lengths, generator=Generator().manual_seed(0))
    (read.steps.square().sum() + read.last.sum()).backward()
    for name, parameter in layer.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    there = lengths_to_mask(lengths, 5)
    assert steps.grad is not None
    assert not steps.grad[~there].any()
    assert steps.grad[there].any(dim=-1).all()


def test_gradients_are_right() -> None:
    layer, lengths = made(), torch.tensor([1, 3])
    steps = normal(2, 3, 4).requires_grad_()
    assert torch.autograd.gradcheck(lambda given: tuple(layer(given, lengths)), (steps,))


def test_hidden_weights_are_orthogonal_and_the_forget_gate_is_open() -> None:
    layer = BidirectionalLSTM(4, 3, layers=2, dropout=0.3, forget_bias=1.5)
    for from_input, from_hidden, input_bias, hidden_bias in layer.lstm.all_weights:
        torch.testing.assert_close(from_hidden.T @ from_hidden, torch.eye(3))
        assert from_input.abs().max() <= math.sqrt(6 / sum(from_input.shape))
        assert not input_bias.any()
        assert hidden_bias.tolist() == [0.0] * 3 + [1.5] * 3 + [0.0] * 6
    one, other = made(seed=1).state_dict(), made(seed=1).state_dict()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_the_same_dimensions_are_dropped_at_every_step() -> None:
    dropped = variational_dropout(torch.ones(200, 7, 50), 0.3, Generator().manual_seed(1))
    assert torch.equal(dropped, dropped[:, :1].expand(-1, 7, -1))
    assert {round(value, 4) for value in dropped.unique().tolist()} == {0.0, round(1 / 0.7, 4)}
    assert float((dropped == 0).double().mean()) == pytest.approx(0.3, abs=0.02)
    assert not torch.equal(dropped[0], dropped[1])  # each sequence its own


def test_a_seed_repeats_a_step_of_training_however_far_it_is_padded() -> None:
    layer, lengths = made(dropout=0.5).train(), torch.tensor([2, 4])
    steps = normal(2, 4, 4)
    longer = torch.cat((steps, normal(2, 3, 4)), dim=1)
    one, same, padded, other = (
        layer(given, lengths, generator=Generator().manual_seed(seed)).last
        for given, seed in ((steps, 1), (steps, 1), (longer, 1), (steps, 2))
    )
    assert torch.equal(one, same)
    torch.testing.assert_close(padded, one)
    assert not torch.allclose(other, one)


def test_nothing_is_dropped_outside_training_and_nothing_drawn() -> None:
    layer, generator = made(dropout=0.5), Generator().manual_seed(1)
    before = generator.get_state()
    read = layer(normal(2, 4, 4), torch.tensor([2, 4]), generator=generator)
    assert torch.equal(read.last, layer(normal(2, 4, 4), torch.tensor([2, 4])).last)
    assert torch.equal(generator.get_state(), before)


def test_global_chance_is_not_touched() -> None:
    layer, before = made(dropout=0.5).train(), torch.get_rng_state()
    layer(normal(2, 4, 4), torch.tensor([2, 4]), generator=Generator().manual_seed(1))
    assert torch.equal(torch.get_rng_state(), before)


def test_empty_sequences_are_told() -> None:
    told = r"2 of 3 sequences have no length from 1 to 4: \[0\] \(length 0\), \[2\] \(length 5\)"
    with pytest.raises(InputError, match=told):
        made()(normal(3, 4, 4), torch.tensor([0, 4, 5]))
    with pytest.raises(InputError, match="no sequence to read"):
        made()(normal(0, 4, 4), torch.zeros(0, dtype=torch.long))


def test_wrong_use_is_told() -> None:
    with pytest.raises(ValueError, match=r"lengths are \(2,\), sequences \(3,\)"):
        made()(normal(3, 4, 4), torch.tensor([1, 4]))
    with pytest.raises(ValueError, match="pass generator=, or call eval"):
        made(dropout=0.3).train()(normal(1, 4, 4), torch.tensor([1]))
    with pytest.raises(ValueError, match="dropout is 1;"):
        made(dropout=1.0)


def gru(*, dropout: float = 0.0, seed: int = 5) -> GRU:
    with seeded(seed):
        return GRU(4, 3, dropout=dropout).double().eval()


def slow_gru(layer: GRU, steps: Tensor) -> Tensor:
    """A GRU by its equations, one step after the other."""
    from_input, from_hidden, input_bias, hidden_bias = layer.gru.all_weights[0]
    hidden = steps.new_zeros(3)
    for step in steps:
        own, before = (from_input @ step + input_bias).chunk(3), (from_hidden @ hidden + hidden_bias).chunk(3)
        reset, keep = (own[0] + before[0]).sigmoid(), (own[1] + before[1]).sigmoid()
        hidden = (1 - keep) * (own[2] + reset * before[2]).tanh() + keep * hidden
    return hidden


@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=4), more=st.integers(0, 2))
def test_the_gru_ends_where_each_sequence_ends(lengths: list[int], more: int) -> None:
    layer, longest = gru(), max(lengths) + more
    steps = normal(len(lengths), longest, 4).masked_fill(
        ~lengths_to_mask(torch.tensor(lengths), longest)[..., None], math.nan
    )
    read = layer(steps, torch.tensor(lengths))
    assert read.shape == (len(lengths), 3)
    for row, length in enumerate(lengths):
        torch.testing.assert_close(read[row], slow_gru(layer, steps[row, :length]))


def test_the_gru_keeps_dimensions_before_the_steps() -> None:
    layer, steps, lengths = gru(), normal(2, 3, 5, 4), torch.tensor([[1, 5, 2], [3, 3, 4]])
    read = layer(steps, lengths)
    assert torch.equal(read, layer(steps.flatten(0, 1), lengths.flatten()).reshape(2, 3, 3))


@pytest.mark.parametrize("training", [False, True])
def test_the_gru_sends_gradients_to_every_parameter_and_no_padding(training: bool) -> None:
    layer = gru(dropout=0.3).train(training)
    steps, lengths = normal(3, 5, 4).requires_grad_(), torch.tensor([2, 5, 3])
    layer(steps, lengths, generator=Generator().manual_seed(0)).square().sum().backward()
    for name, parameter in layer.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    there = lengths_to_mask(lengths, 5)
    assert steps.grad is not None
    assert not steps.grad[~there].any()
    assert steps.grad[there].any(dim=-1).all()


def test_the_gru_begins_with_orthogonal_hidden_weights() -> None:
    from_input, from_hidden, input_bias, hidden_bias = GRU(4, 3, dropout=0.0).gru.all_weights[0]
    torch.testing.assert_close(from_hidden.T @ from_hidden, torch.eye(3))
    assert from_input.abs().max() <= math.sqrt(6 / sum(from_input.shape))
    assert not input_bias.any()
    assert not hidden_bias.any()


def test_a_seed_repeats_what_the_gru_drops_however_far_it_is_padded() -> None:
    layer, lengths, steps = gru(dropout=0.5).train(), torch.tensor([2, 4]), normal(2, 4, 4)
    longer = torch.cat((steps, normal(2, 3, 4)), dim=1)
    one, same, padded, other = (
        layer(given, lengths, generator=Generator().manual_seed(seed))
        for given, seed in ((steps, 1), (steps, 1), (longer, 1), (steps, 2))
    )
    assert torch.equal(one, same)
    torch.testing.assert_close(padded, one)
    assert not torch.allclose(other, one)


def test_what_the_gru_cannot_read_is_told() -> None:
    with pytest.raises(InputError, match=r"1 of 2 sequences have no length from 1 to 4: \[1\] \(length 0\)"):
        gru()(normal(2, 4, 4), torch.tensor([4, 0]))
    with pytest.raises(ValueError, match="pass generator=, or call eval"):
        gru(dropout=0.3).train()(normal(1, 4, 4), torch.tensor([1]))
    with pytest.raises(ValueError, match="dropout is 1;"):
        gru(dropout=1.0)


def test_a_sequence_is_turned_within_its_own_length() -> None:
    steps = torch.arange(8.0).view(2, 4, 1)
    assert turned(steps, torch.tensor([3, 4]))[..., 0].tolist() == [[2, 1, 0, 3], [7, 6, 5, 4]]
    assert turned(steps, torch.tensor([1, 2]))[..., 0].tolist() == [[0, 1, 2, 3], [5, 4, 6, 7]]

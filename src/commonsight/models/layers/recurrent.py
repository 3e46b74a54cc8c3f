"""LSTMs that read both ways or forward, and a GRU, over sequences of any lengths, with one dropout mask for
all steps of a sequence.

Sequences are packed, so no step is spent on padding and none of it is seen: the backward direction starts at
each sequence's own last word.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from commonsight.errors import InputError
from commonsight.models.layers.dropout import checked, scales


class Encoded(NamedTuple):
    """What the last layer says; forward and backward side by side."""

    steps: Tensor
    """(..., step, 2 x hidden); zeros in padding."""
    last: Tensor
    """(..., 2 x hidden): each direction after all it has read."""


class BidirectionalLSTM(nn.Module):
    """As the VCR paper has it (appendix E): orthogonal hidden-to-hidden weights, dropout on the input.

    The paper says nothing of the other weights. As in its authors' released settings, the gates' matrices are
    orthogonal as one, input weights are Xavier's, and biases are zero but for the forget gate's.
    Weights are drawn from torch's own chance, which `models.libraries.seeded` starts from a seed.
    """

    def __init__(
        self, inputs: int, hidden: int, *, layers: int = 1, dropout: float, forget_bias: float = 1.0
    ) -> None:
        super().__init__()
        self.dropout = checked(dropout)
        self.lstm = nn.LSTM(inputs, hidden, num_layers=layers, bidirectional=True, batch_first=True)
        for name, weight in self.lstm.named_parameters():
            _initialise(name, weight, forget_bias)

    def forward(self, steps: Tensor, lengths: Tensor, *, generator: Generator | None = None) -> Encoded:
        """(..., step, inputs) and lengths, (...). In training the generator draws what is dropped."""
        before, longest = steps.shape[:-2], steps.shape[-2]
        if self.training and self.dropout > 0:
            steps = variational_dropout(steps, self.dropout, generator)
        packed = _packed(steps, lengths)
        read: PackedSequence
        hidden: Tensor  # (layers x 2, sequence, hidden)
        read, (hidden, _) = self.lstm(packed)
        out, _ = pad_packed_sequence(read, batch_first=True, total_length=longest)
        last = torch.cat((hidden[-2], hidden[-1]), dim=-1)
        return Encoded(out.reshape(*before, longest, -1), last.reshape(*before, -1))


class ReadForward(NamedTuple):
    """What an LSTM says that reads forward only, and how it ends."""

    steps: Tensor
    """(sequence, step, hidden) of the last layer; zeros in padding."""
    hidden: Tensor
    """(layer, sequence, hidden) after each sequence's own last step."""
    cell: Tensor
    """The same of the cells, so that another LSTM can go on from here."""


class ForwardLSTM(nn.Module):
    """One or more layers that read forward, for decoders that go on where it ends. Weights begin as above."""

    def __init__(
        self, inputs: int, hidden: int, *, layers: int = 1, dropout: float, forget_bias: float = 1.0
    ) -> None:
        super().__init__()
        self.dropout = checked(dropout)
        self.lstm = nn.LSTM(inputs, hidden, num_layers=layers, batch_first=True)
        for name, weight in self.lstm.named_parameters():
            _initialise(name, weight, forget_bias)

    def forward(self, steps: Tensor, lengths: Tensor, *, generator: Generator | None = None) -> ReadForward:
        """(sequence, step, inputs) and lengths, (sequence). In training the generator draws what is
        dropped."""
        if self.training and self.dropout > 0:
            steps = variational_dropout(steps, self.dropout, generator)
        read: PackedSequence
        read, (hidden, cell) = self.lstm(_packed(steps, lengths))
        out, _ = pad_packed_sequence(read, batch_first=True, total_length=steps.shape[1])
        return ReadForward(out, hidden, cell)


class GRU(nn.Module):
    """One layer that reads forward, of which only the end is kept: a text as one vector.

    Weights begin as the LSTM's do. The gates have no bias of their own to begin with.
    """

    def __init__(self, inputs: int, hidden: int, *, dropout: float) -> None:
        super().__init__()
        self.dropout = checked(dropout)
        self.gru = nn.GRU(inputs, hidden, batch_first=True)
        for name, weight in self.gru.named_parameters():
            _initialise(name, weight, forget_bias=0.0)

    def forward(self, steps: Tensor, lengths: Tensor, *, generator: Generator | None = None) -> Tensor:
        """(..., step, inputs) and lengths, (...) -> (..., hidden). In training the generator draws what is
        dropped."""
        if self.training and self.dropout > 0:
            steps = variational_dropout(steps, self.dropout, generator)
        last: Tensor  # (1, sequence, hidden)
        _, last = self.gru(_packed(steps, lengths))
        return last[0].reshape(*steps.shape[:-2], -1)


def turned(steps: Tensor, lengths: Tensor) -> Tensor:
    """Each sequence from its own last step to its first, (sequence, step, dim); padding stays behind."""
    places = torch.arange(steps.shape[1], device=steps.device)
    back = lengths[:, None] - 1 - places
    order = torch.where(back < 0, places, back)  # (sequence, step)
    return steps.gather(1, order[..., None].expand_as(steps))


def _packed(steps: Tensor, lengths: Tensor) -> PackedSequence:
    """(..., step, dim) and lengths, (...): all sequences, without their padding."""
    _check_lengths(lengths, steps.shape[:-2], steps.shape[-2])
    flat, ends = steps.reshape(-1, *steps.shape[-2:]), lengths.reshape(-1).cpu()
    return pack_padded_sequence(flat, ends, batch_first=True, enforce_sorted=False)


def variational_dropout(steps: Tensor, share: float, generator: Generator | None) -> Tensor:
    """Drop the same dimensions at every step of a sequence (Gal and Ghahramani, 2016): (..., step, dim).

    How far sequences are padded does not change what is drawn.
    """
    return steps * scales((*steps.shape[:-2], 1, steps.shape[-1]), share, generator, steps)


def _initialise(name: str, weight: Tensor, forget_bias: float) -> None:
    if name.startswith("weight_hh"):
        nn.init.orthogonal_(weight)
    elif name.startswith("weight_ih"):
        nn.init.xavier_uniform_(weight)
    else:
        nn.init.zeros_(weight)
        if forget_bias and name.startswith("bias_hh"):  # of two biases that are added, one is enough
            quarter = len(weight) // 4  # input, forget, cell and output gate
            nn.init.constant_(weight[quarter : 2 * quarter], forget_bias)


def _check_lengths(lengths: Tensor, before: torch.Size, longest: int) -> None:
    if lengths.shape != before:
        raise ValueError(f"lengths are {tuple(lengths.shape)}, sequences {tuple(before)}; give one for each")
    if not lengths.numel():
        raise InputError("There is no sequence to read. Leave out batches without any.")
    wrong = ((lengths < 1) | (lengths > longest)).nonzero().tolist()
    if wrong:
        places = ", ".join(f"{place} (length {int(lengths[tuple(place)])})" for place in wrong[:5])
        raise InputError(
            f"{len(wrong)} of {lengths.numel()} sequences have no length from 1 to {longest}: {places}. "
            "Leave out empty texts, or give them a word that stands for nothing."
        )

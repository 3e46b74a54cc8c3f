"""The units of a MAC cell (Hudson and Manning, 2018, section 3.2): control, read and write.

Equations are the paper's, computed in another order where that is the same: a score that is linear in every
place is one product of the places with one vector, instead of layers applied to each place. Biases that add
the same to every place are left out, since a softmax takes them away.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from commonsight.models.layers.joined import JoinedLinear
from commonsight.models.layers.masks import masked_softmax


class Read(NamedTuple):
    """What a unit took from a sequence."""

    value: Tensor
    """(batch, dim)"""
    scores: Tensor
    """(batch, place): before the softmax, padding included."""
    weights: Tensor
    """(batch, place): shares of 1."""


class ControlUnit(nn.Module):
    """What this step is about: words of the query, chosen by the query and by the step before."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.join = JoinedLinear((dim, dim), dim)
        self.attend = nn.Linear(dim, 1, bias=False)

    def forward(self, control: Tensor, asked: Tensor, words: Tensor, mask: Tensor) -> Read:
        """Control before and the step's query, (batch, dim); words, (batch, word, dim), and their mask."""
        joined = self.join(control, asked)  # (batch, dim)
        scores = _products(words, joined * self.attend.weight)
        weights = masked_softmax(scores, mask)
        return Read(_mixed(words, weights), scores, weights)


class ReadUnit(nn.Module):
    """What the places say that matters, given what is remembered and what the step is about.

    I = (W_m m + b) ∘ W_k k, then I' = W' [I; k], then w · (c ∘ I') is the score of a place k. All of it is
    linear in k, so that scores are k · q with one vector q for all places.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.remember = nn.Linear(dim, dim)
        self.know = nn.Linear(dim, dim, bias=False)
        self.join = nn.Linear(2 * dim, dim, bias=False)
        self.attend = nn.Linear(dim, 1, bias=False)

    def forward(self, memory: Tensor, control: Tensor, places: Tensor, mask: Tensor) -> Read:
        """Memory and control, (batch, dim); places, (batch, place, dim), and their mask."""
        about = control * self.attend.weight  # (batch, dim)
        met, alone = (about @ self.join.weight).chunk(2, dim=-1)  # (batch, dim) each
        asking = (met * self.remember(memory)) @ self.know.weight + alone  # (batch, dim)
        scores = _products(places, asking)
        weights = masked_softmax(scores, mask)
        return Read(_mixed(places, weights), scores, weights)


class WriteUnit(nn.Module):
    """What is remembered after a step.

    With `recall` it also looks back at what was remembered after steps that were about the like; with `gate`
    a step may leave the memory as it is. Both are the paper's options.
    """

    def __init__(self, dim: int, *, recall: bool = False, gate: bool = False) -> None:
        super().__init__()
        self.join = JoinedLinear((dim, dim), dim)
        self.alike = nn.Linear(dim, 1, bias=False) if recall else None
        self.both = JoinedLinear((dim, dim), dim) if recall else None
        self.keep = nn.Linear(dim, 1) if gate else None

    def forward(self, found: Tensor, controls: list[Tensor], memories: list[Tensor]) -> Tensor:
        """What was read, (batch, dim); controls of all steps, this one last, and memories of those before."""
        memory, control = memories[-1], controls[-1]
        written: Tensor = self.join(found, memory)  # (batch, dim)
        if self.alike is not None and self.both is not None:
            before = torch.stack(controls[:-1], dim=1)  # (batch, step, dim)
            weights = _products(before, control * self.alike.weight).softmax(dim=-1)
            written = self.both(_mixed(torch.stack(memories, dim=1), weights), written)
        if self.keep is None:
            return written
        kept = torch.sigmoid(self.keep(control))  # (batch, 1)
        return kept * memory + (1 - kept) * written


def _products(places: Tensor, asking: Tensor) -> Tensor:
    """(batch, place, dim) and (batch, dim) -> (batch, place)"""
    return (places @ asking[:, :, None]).squeeze(-1)


def _mixed(places: Tensor, weights: Tensor) -> Tensor:
    """(batch, place, dim) and (batch, place) -> (batch, dim)"""
    return (weights[:, None] @ places).squeeze(1)

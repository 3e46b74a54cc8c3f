"""Words and places, or words and objects, each in terms of the other (Tan and Bansal, 2018).

An LSTM reads the words. What is seen is met with every word at once: a word is matched with the places that
go with it, a place with the words. Both are read again beside their matches, and the largest of what was said
anywhere tells the answer. Of a canvas of several panels each is read by itself, and the panels' readings are
pooled. Places are read by convolutions (their CNN-BiATT for raw images), objects by an LSTM, from left to
right or in an order that is itself learned, by a pointer network (their BiATT-Pointer).
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy, pad

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch, Seen
from commonsight.models.layers.attention import co_attention
from commonsight.models.layers.masks import masked_max, masked_mean, without_padding
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.layers.searching import search_loss
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.ordering import ObjectPointer, Ordered
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors

BOX = 4
ENTROPY = 0.01
"""How much an undecided order is rewarded, so that search goes on: our choice, as N2NMN's."""


class Matched(NamedTuple):
    """Words and what is seen, each beside what it was matched with."""

    words: Tensor
    """(batch, word, dim)"""
    things: Tensor
    """(batch, thing, dim)"""
    looks: Tensor
    """(batch, 1, thing): what all words together look at, as shares of 1."""


class Matching(nn.Module):
    """A table of how well each word goes with each thing, read both ways; then [x; y; x - y; x ∘ y]."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.meet = nn.Linear(dim, dim, bias=False)
        self.of_words, self.of_things = nn.Linear(4 * dim, dim), nn.Linear(4 * dim, dim)

    def forward(self, words: Tensor, things: Tensor, word_mask: Tensor, thing_mask: Tensor) -> Matched:
        """(batch, word, dim) and (batch, thing, dim) with their masks."""
        words = self.meet(words)
        both = co_attention(words, things, word_mask, thing_mask)
        return Matched(
            self.of_words(_beside(words, both.first.values)).relu(),
            self.of_things(_beside(things, both.second.values)).relu(),
            masked_mean(both.first.weights, word_mask)[:, None],
        )


def _beside(own: Tensor, other: Tensor) -> Tensor:
    return torch.cat((own, other, own - other, own * other), dim=-1)


class CNNBiATT(nn.Module):
    """Over the places of a canvas, panel by panel."""

    def __init__(
        self,
        words: WordVectors,
        canvas: CanvasEncoder,
        *,
        answers: int,
        panels: int,
        hidden: int,
        layers: tuple[int, ...],
        dropout: float,
    ) -> None:
        super().__init__()
        self.words, self.canvas, self.panels = words, canvas, panels
        self.read = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        self.see = nn.Conv2d(canvas.dim, 2 * hidden, 1)
        self.match = Matching(2 * hidden)
        self.read_again = BidirectionalLSTM(2 * hidden, hidden, dropout=dropout)
        self.see_again = nn.Conv2d(2 * hidden, 2 * hidden, 3, padding=1)
        self.answer = Perceptron(4 * hidden, *layers, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = needed(batch.query, "a query word by word")
        maps = self.see(self.canvas(needed(batch.canvas, "a canvas"))).relu()  # (batch, dim, height, width)
        panels = in_panels(maps, self.panels)
        said = self.read(self.words(query), query.lengths, generator=generator).steps[:, 0]
        said = said.repeat_interleave(self.panels, dim=0)  # (batch x panel, word, dim)
        lengths = query.lengths[:, 0].repeat_interleave(self.panels)
        mask = query.mask[:, 0].repeat_interleave(self.panels, dim=0)
        met = self.match(said, panels.places, mask, panels.mask)
        words = self.read_again(met.words, lengths, generator=generator).steps
        pooled = torch.cat((masked_max(words, mask), self._seen(met.things, panels)), dim=-1)
        decided = pooled.reshape(len(batch), self.panels, -1).amax(dim=1)
        looks = whole_again(met.looks, panels)
        return scored(self.answer(decided, generator), batch, attention={"places": looks})

    def _seen(self, things: Tensor, panels: Panels) -> Tensor:
        """(batch x panel, dim)"""
        things = without_padding(things, panels.mask).transpose(1, 2)
        around = self.see_again(things.reshape(*things.shape[:2], *panels.shape)).relu()
        return masked_max(around.flatten(2).transpose(1, 2), panels.mask)


class Panels(NamedTuple):
    """A canvas cut into panels of one width; the last may be partly empty."""

    places: Tensor
    """(batch x panel, place, dim)"""
    mask: Tensor
    """(batch x panel, place)"""
    shape: tuple[int, int]
    """Height and width of a panel."""
    side_by_side: int
    width: int
    """Of the whole canvas."""


def in_panels(maps: Tensor, panels: int) -> Panels:
    """(batch, dim, height, width) side by side."""
    batch, dim, height, width = maps.shape
    each = -(-width // panels)
    filled = pad(maps, (0, panels * each - width)).reshape(batch, dim, height, panels, each)
    places = filled.permute(0, 3, 2, 4, 1).reshape(batch * panels, height * each, dim)
    there = (torch.arange(panels * each, device=maps.device) < width).reshape(panels, 1, each)
    mask = there.expand(batch, panels, height, each).reshape(batch * panels, -1)
    return Panels(places, mask, (height, each), panels, width)


def whole_again(looks: Tensor, panels: Panels) -> Tensor:
    """(batch x panel, 1, place of a panel) -> (batch, 1, 1, place of the canvas); a panel is as good as any
    other."""
    height, each = panels.shape
    rows = looks.reshape(-1, panels.side_by_side, height, each).transpose(1, 2)
    whole = rows.reshape(-1, height, panels.side_by_side * each)[..., : panels.width] / panels.side_by_side
    return whole.reshape(len(rows), 1, 1, -1)


class BiATTObjects(nn.Module):
    """Over objects, with what is seen of them, what they are called and where they are.

    With `ordered`, a pointer network says in which order they are read. Training draws orders; one with which
    the answer loses less than was expected becomes likelier.
    """

    def __init__(
        self,
        words: WordVectors,
        regions: RegionEncoder,
        *,
        classes: int,
        answers: int,
        hidden: int,
        layers: tuple[int, ...],
        dropout: float,
        ordered: bool = False,
        entropy: float = 0.0,
    ) -> None:
        super().__init__()
        self.words, self.regions, self.entropy = words, regions, entropy
        self.read = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        self.names = nn.Embedding(classes, hidden, padding_idx=0)
        self.see = BidirectionalLSTM(regions.dim + hidden + BOX, hidden, dropout=dropout)
        self.match = Matching(2 * hidden)
        self.read_again = BidirectionalLSTM(2 * hidden, hidden, dropout=dropout)
        self.see_again = BidirectionalLSTM(2 * hidden, hidden, dropout=dropout)
        self.answer = Perceptron(4 * hidden, *layers, answers, dropout=dropout)
        self.pointer: ObjectPointer | None = None
        self.expected: nn.Linear | None = None
        if ordered:
            told = regions.dim + hidden + BOX
            self.pointer = ObjectPointer(told, 2 * hidden, hidden, dropout=dropout)
            self.expected = nn.Linear(self.pointer.dim, 1)
            nn.init.constant_(self.expected.bias, math.log(max(answers, 1)))  # of one who knows nothing

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query, seen = needed(batch.query, "a query word by word"), needed(batch.seen, "pictures")
        there, order = seen.mask.sum(dim=1), from_left(seen)
        mask, word_mask, lengths = seen.mask.gather(1, order), query.mask[:, 0], query.lengths[:, 0]
        told = torch.cat((self.regions(seen), self.names(seen.classes), seen.boxes), dim=-1)
        told = without_padding(told, seen.mask).gather(1, order[..., None].expand_as(told))
        said = self.read(self.words(query), query.lengths, generator=generator).steps[:, 0]
        found = None
        if self.pointer is not None:
            found = self.pointer(told, there, said, word_mask, sampled=self.training, generator=generator)
            order = order.gather(1, found.places)
            told = told.gather(1, found.places[..., None].expand_as(told))
        things = self.see(told, there, generator=generator).steps  # (batch, object, dim)
        met = self.match(said, things, word_mask, mask)
        words = self.read_again(met.words, lengths, generator=generator).steps
        again = self.see_again(met.things, there, generator=generator).steps
        pooled = torch.cat((masked_max(words, word_mask), masked_max(again, mask)), dim=-1)
        looks = torch.zeros_like(met.looks).scatter(2, order[:, None], met.looks)
        answers = self.answer(pooled, generator)
        extra = None if found is None or not self.training else self._searched(found, answers, batch.gold)
        return scored(answers, batch, extra=extra, attention={"glimpses": looks[:, None]})

    def _searched(self, found: Ordered, answers: Tensor, gold: Tensor) -> Tensor:
        """(batch): what is lost by orders that were not the best."""
        lost = cross_entropy(answers, gold, reduction="none")
        expected = needed(self.expected, "an expectation")(found.read.detach()).squeeze(-1)
        return search_loss(lost, expected, found.log_chance, found.entropy, weight=self.entropy)


def from_left(seen: Seen) -> Tensor:
    """(batch, object): which object is first, second and so on, from left to right and from the top down;
    padding comes last."""
    left, top = seen.boxes[..., 0], seen.boxes[..., 1]
    place = (left + 1e-3 * top).masked_fill(~seen.mask, torch.finfo(left.dtype).max)
    return place.argsort(dim=1, stable=True)


def cnn_biatt_small(parts: Parts) -> CNNBiATT:
    """For drawings of three panels."""
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    return CNNBiATT(words, canvas, answers=parts.answers, panels=3, hidden=48, layers=(96,), dropout=0.1)


def cnn_biatt_paper(parts: Parts) -> CNNBiATT:
    """Three panels are the paper's. Its sizes were not at hand: 512 for both directions is our choice."""
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    return CNNBiATT(words, canvas, answers=parts.answers, panels=3, hidden=256, layers=(512,), dropout=0.0)


def _over_objects(
    parts: Parts, *, hidden: int, layers: tuple[int, ...], dropout: float, ordered: bool
) -> BiATTObjects:
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return BiATTObjects(
        words,
        regions,
        classes=parts.classes,
        answers=parts.answers,
        hidden=hidden,
        layers=layers,
        dropout=dropout,
        ordered=ordered,
        entropy=ENTROPY,
    )


_SMALL = partial(_over_objects, hidden=48, layers=(96,), dropout=0.1)
"""For a few objects that are drawn."""
_PAPER = partial(_over_objects, hidden=256, layers=(512,), dropout=0.0)
"""Of the same sizes as `cnn_biatt_paper`."""
biatt_objects_small, biatt_objects_paper = partial(_SMALL, ordered=False), partial(_PAPER, ordered=False)
biatt_pointer_small, biatt_pointer_paper = partial(_SMALL, ordered=True), partial(_PAPER, ordered=True)

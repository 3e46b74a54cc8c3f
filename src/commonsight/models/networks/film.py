"""FiLM (Perez et al., 2018): the sentence scales and shifts every feature map of a stack of convolutions.

A GRU reads the sentence; one layer makes of its end, for each block, a scale γ and a shift β for each map. A
block turns its input into features, normalises what a convolution makes of them, modulates that by γ and β
and adds it to the features. Blocks are told where they are by two maps of coordinates. NLVR2 has it see both
pictures as one (section 6, appendix E.3).
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.recurrent import GRU
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors

COORDINATES = 2


def with_coordinates(maps: Tensor) -> Tensor:
    """(batch, dim, height, width) -> (batch, dim + 2, height, width): how far right and how far down each
    place is, from -1 to 1."""
    batch, _, height, width = maps.shape
    right = torch.linspace(-1, 1, width, dtype=maps.dtype, device=maps.device)
    down = torch.linspace(-1, 1, height, dtype=maps.dtype, device=maps.device)
    where = torch.stack((right.expand(height, width), down[:, None].expand(height, width)))
    return torch.cat((maps, where.expand(batch, -1, -1, -1)), dim=1)


class ModulatedBlock(nn.Module):
    """x + relu(γ ∘ norm(conv(x)) + β), where x is what a layer makes of each place of the input."""

    def __init__(self, maps: int) -> None:
        super().__init__()
        self.enter = nn.Conv2d(maps + COORDINATES, maps, 1)
        # No bias, nor any of the norm's own: normalising takes the one away, and β is the other.
        self.look = nn.Conv2d(maps, maps, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(maps, affine=False)

    def forward(self, found: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
        """(batch, maps, height, width) with γ and β, (batch, maps) each."""
        entered: Tensor = self.enter(with_coordinates(found)).relu()
        looked: Tensor = self.norm(self.look(entered))
        modulated = scale[:, :, None, None] * looked + shift[:, :, None, None]
        return entered + modulated.relu()


class FiLM(nn.Module):
    """The sentence modulates what is seen of the canvas; the largest value of each map answers."""

    def __init__(
        self,
        words: WordVectors,
        canvas: CanvasEncoder,
        *,
        answers: int,
        hidden: int,
        maps: int,
        blocks: int,
        projected: int,
        layer: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.words, self.canvas = words, canvas
        self.ask = GRU(words.dim, hidden, dropout=dropout)
        self.modulate = nn.Linear(hidden, blocks * 2 * maps)
        self.enter = _normalised(canvas.dim, maps, 3)
        self.blocks = nn.ModuleList(ModulatedBlock(maps) for _ in range(blocks))
        self.leave = _normalised(maps, projected, 1)
        self.answer = Perceptron(projected, layer, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = needed(batch.query, "a query word by word")
        asked = self.ask(self.words(query), query.lengths, generator=generator)[:, 0]  # (batch, hidden)
        found = self.canvas(needed(batch.canvas, "a canvas"))  # (batch, dim, height, width)
        found = self.enter(with_coordinates(found))  # (batch, maps, height, width)
        # (batch, block, scale or shift, maps); scales begin around 1, so that at first nothing is lost.
        modulation = self.modulate(asked).unflatten(-1, (len(self.blocks), 2, -1))
        for number, block in enumerate(self.blocks):
            found = block(found, 1 + modulation[:, number, 0], modulation[:, number, 1])
        most = self.leave(with_coordinates(found)).amax(dim=(2, 3))  # (batch, projected)
        return scored(self.answer(most, generator), batch)


def _normalised(before: int, after: int, kernel: int) -> nn.Sequential:
    """A convolution over maps and their coordinates."""
    convolution = nn.Conv2d(before + COORDINATES, after, kernel, padding=kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(after), nn.ReLU())


def film_small(parts: Parts) -> FiLM:
    """For drawings and a CPU."""
    return FiLM(
        needed(parts.words, "word vectors"),
        needed(parts.canvas, "a canvas encoder"),
        answers=parts.answers,
        hidden=128,
        maps=32,
        blocks=3,
        projected=64,
        layer=64,
        dropout=0.0,
    )


def film_paper(parts: Parts) -> FiLM:
    """Blocks are the original's; the other numbers NLVR2's (appendix E.3), of which all are smaller than in
    the original. Nothing is dropped in either. Its last layers are not normalised here, as one question
    alone could not be."""
    return FiLM(
        needed(parts.words, "word vectors"),
        needed(parts.canvas, "a canvas encoder"),
        answers=parts.answers,
        hidden=1096,
        maps=28,
        blocks=4,
        projected=256,
        layer=512,
        dropout=0.0,
    )

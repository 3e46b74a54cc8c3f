"""Cascaded mutual modulation (Yao et al., 2018): in each of several steps the question modulates what is
seen, and what is seen modulates the question.

A step is a block of convolutions whose maps are scaled and shifted as the question says (FiLM), and then a
look at the question's words, scaled and shifted as the block's maps say. What is looked at is the question of
the next step. As the authors' released code has it, maps are normalised and keep no scale of their own; here
over a picture's own maps and not over a batch, so that no question depends on others.
"""

from __future__ import annotations

import torch
from torch import Generator, Tensor, nn

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.masks import masked_softmax
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.layers.recurrent import BidirectionalLSTM
from commonsight.models.network import Scores, needed, scored
from commonsight.models.parts import Parts
from commonsight.models.words import WordVectors

CORNERS = 2
"""Channels that say where a place is: across and down."""


class ModulatedBlock(nn.Module):
    """x + relu(FiLM(norm(conv(x)))), where x was first projected beside where its places are."""

    def __init__(self, said: int, dim: int) -> None:
        super().__init__()
        self.project = nn.Conv2d(dim + CORNERS, dim, 1)
        # No bias, and the norm has no weights: what is said brings both.
        self.around = nn.Conv2d(dim, dim, 3, padding=1, bias=False)
        self.normed = nn.GroupNorm(1, dim, affine=False)
        self.modulate = nn.Linear(said, 2 * dim)

    def forward(self, maps: Tensor, said: Tensor) -> Tensor:
        """(batch, dim, height, width) and (batch, said) -> (batch, dim, height, width)"""
        scale, shift = self.modulate(said)[..., None, None].chunk(2, dim=1)
        maps = self.project(with_corners(maps)).relu()
        # 1 more, so that nothing is switched off before anything is learned.
        modulated = (1 + scale) * self.normed(self.around(maps)) + shift
        out: Tensor = maps + modulated.relu()
        return out


class ModulatedLook(nn.Module):
    """Words scaled and shifted as maps say, and one look at them."""

    def __init__(self, said: int, dim: int) -> None:
        super().__init__()
        self.modulate = nn.Linear(dim + CORNERS, 2 * said)
        self.weigh = nn.Linear(said, 1, bias=False)  # a softmax would take a bias away

    def forward(self, words: Tensor, mask: Tensor, maps: Tensor) -> Tensor:
        """(batch, word, said), its mask and (batch, dim, height, width) -> (batch, said)"""
        found = with_corners(maps).amax(dim=(2, 3))
        scale, shift = self.modulate(found)[:, None].chunk(2, dim=-1)
        modulated = ((1 + scale) * words + shift).relu()
        looks = masked_softmax(self.weigh(modulated).squeeze(-1), mask)
        said: Tensor = (looks[:, None] @ modulated).squeeze(1)
        return said


class CMM(nn.Module):
    """Steps one after another; the product of what was read and seen in the end tells the answer."""

    def __init__(
        self,
        words: WordVectors,
        canvas: CanvasEncoder,
        *,
        answers: int,
        hidden: int,
        dim: int,
        steps: int,
        joint: int,
        layers: tuple[int, ...],
        dropout: float,
    ) -> None:
        super().__init__()
        said = 2 * hidden
        self.words, self.canvas, self.dropout = words, canvas, dropout
        self.read = BidirectionalLSTM(words.dim, hidden, dropout=dropout)
        self.stem = nn.Conv2d(canvas.dim + CORNERS, dim, 3, padding=1)
        self.blocks = nn.ModuleList(ModulatedBlock(said, dim) for _ in range(steps))
        self.looks = nn.ModuleList(ModulatedLook(said, dim) for _ in range(steps))
        self.saw, self.said = nn.Conv2d(dim + CORNERS, joint, 1), nn.Linear(said, joint)
        self.answer = Perceptron(joint, *layers, answers, dropout=dropout)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        query = needed(batch.query, "a query word by word")
        maps = self.canvas(needed(batch.canvas, "a canvas"))
        maps = self.stem(with_corners(maps)).relu()  # (batch, dim, height, width)
        read = self.read(self.words(query), query.lengths, generator=generator)
        words, said, mask = read.steps[:, 0], read.last[:, 0], query.mask[:, 0]
        for block, look in zip(self.blocks, self.looks, strict=True):
            maps = block(maps, said)
            said = look(words, mask, maps)
        # (batch, joint)
        met = self.saw(with_corners(maps)).relu().amax(dim=(2, 3)) * self.said(said).tanh()
        met = dropout(met, self.dropout, generator, self.training)
        return scored(self.answer(met, generator), batch)


def with_corners(maps: Tensor) -> Tensor:
    """(batch, dim, height, width) -> (batch, dim + 2, height, width): each place says where it is, from -1 to
    1."""
    batch, _, height, width = maps.shape
    down = torch.linspace(-1, 1, height, device=maps.device, dtype=maps.dtype)
    across = torch.linspace(-1, 1, width, device=maps.device, dtype=maps.dtype)
    corners = torch.stack(torch.meshgrid(across, down, indexing="xy"))  # (2, height, width)
    return torch.cat((maps, corners.expand(batch, -1, -1, -1)), dim=1)


def cmm_small(parts: Parts) -> CMM:
    """For a few thousand drawings."""
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    return CMM(
        words,
        canvas,
        answers=parts.answers,
        hidden=48,
        dim=48,
        steps=3,
        joint=96,
        layers=(96,),
        dropout=0.1,
    )


def cmm_paper(parts: Parts) -> CMM:
    """The settings of the authors' released code for NLVR: 3 steps of 128 maps, 256 for both directions of
    the LSTM, 512 where both meet, and a layer of 1,024."""
    words, canvas = needed(parts.words, "word vectors"), needed(parts.canvas, "a canvas encoder")
    return CMM(
        words,
        canvas,
        answers=parts.answers,
        hidden=128,
        dim=128,
        steps=3,
        joint=512,
        layers=(1024,),
        dropout=0.0,
    )

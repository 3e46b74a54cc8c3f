"""A small CLIP that learns from captions and pictures of one's own, from nothing (Radford et al., 2021).

Of a batch of pictures and captions, each caption has to be told from the others for its picture, and each
picture for its caption; the scale of cosines is learned. What comes of it is a CLIP of the transformers
library like any other, only small.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Generator as Chance
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from commonsight.errors import InputError, UsageError
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch
from commonsight.models.features.objects import EVERYTHING
from commonsight.models.features.pictures import opened, resized
from commonsight.models.features.source import made_ahead
from commonsight.models.libraries import libraries
from commonsight.models.network import Scores, scored
from commonsight.models.progress import Progress, silent
from commonsight.models.untrained import SPECIAL, tokenizer, vocabulary_of
from commonsight.models.wholes.clip import picture_vectors, text_vectors

LONGEST = 48
"""Sub-words of a caption that are read."""
WORDS = 8000
COMPARED = 32
"""Captions of other pictures, less one, that a held-out one has to be told from."""
LARGEST_SCALE = 100.0
"""Of cosines, as CLIP's authors have it."""
RECIPE = Recipe(
    epochs=40, batch=32, optimiser="adamw", rate=1e-3, decay=0.05, warm_up=0.1, plateau=None
)
"""For some hundred pictures of the drawn world, and a CPU."""


class Shape(Struct, frozen=True):
    """How large it is; the defaults suit drawn pictures and a CPU."""

    dim: int = 128
    width: int = 128
    heads: int = 4
    text_layers: int = 2
    picture_layers: int = 3
    pixels: int = 96
    patch: int = 12

    def __post_init__(self) -> None:
        """Squares must fill the picture."""
        if self.pixels % self.patch or self.width % self.heads:
            raise UsageError(
                f"Pictures of {self.pixels} pixels cannot be cut into squares of {self.patch}. Give a patch "
                "that divides them."
            )


class Captioned(NamedTuple):
    """A picture, and texts that say what it shows."""

    picture: str
    captions: tuple[str, ...]


class Shown(NamedTuple):
    """Pictures as they are looked at, with their captions cut into sub-words."""

    pixels: NDArray[np.uint8]
    """(picture, 3, pixels, pixels)"""
    texts: list[list[list[int]]]
    """Of each picture, of each caption, the numbers of its sub-words."""


def untrained_clip(captions: Sequence[str], shape: Shape) -> tuple[Any, Any]:
    """A model that has learned nothing, and a tokenizer of these captions' words."""
    transformers = libraries().transformers
    words = vocabulary_of(captions, WORDS)
    begin, end, padding = (words[mark] for mark in ("[CLS]", "[SEP]", "[PAD]"))
    assert SPECIAL.index("[SEP]") == end  # 2 would be taken for that of an older kind
    alike = {
        "hidden_size": shape.width,
        "intermediate_size": 4 * shape.width,
        "num_attention_heads": shape.heads,
        "projection_dim": shape.dim,
    }
    text = {
        "vocab_size": len(words),
        "num_hidden_layers": shape.text_layers,
        "max_position_embeddings": LONGEST,
        "bos_token_id": begin,
        "eos_token_id": end,
        "pad_token_id": padding,
    }
    picture = {
        "num_hidden_layers": shape.picture_layers,
        "image_size": shape.pixels,
        "patch_size": shape.patch,
    }
    config = transformers.CLIPConfig(
        text_config=alike | text, vision_config=alike | picture, projection_dim=shape.dim
    )
    return transformers.CLIPModel(config), tokenizer(words, LONGEST)


def shown(
    several: Sequence[Captioned], folder: Path, cut: Any, shape: Shape, *, progress: Progress = silent
) -> Shown:
    """Pictures of a folder, stretched to squares, with their captions cut by a tokenizer."""
    size = (shape.pixels, shape.pixels)
    pixels = np.zeros((len(several), 3, *size), np.uint8)
    texts = []
    for number, one in enumerate(several):
        pixels[number] = resized(opened(folder, one.picture), EVERYTHING, size)
        texts.append(cut(list(one.captions), truncation=True, max_length=LONGEST)["input_ids"])
        progress(number + 1, len(several))
    return Shown(pixels, texts)


@dataclass(frozen=True)
class PairBatch(Batch):
    """Pictures, each as a question whose choices are the captions of all."""

    pixels: Tensor | None = None
    """(batch, 3, height, width)"""
    ids: Tensor | None = None
    """(batch, piece)"""
    mask: Tensor | None = None
    """(batch, piece): 1 for pieces."""


class PairSource:
    """Pictures to learn from; which of its captions a picture comes with follows from the batch."""

    def __init__(self, given: Shown, *, padding: int, seed: int) -> None:
        self._given, self._padding, self._seed = given, padding, seed
        self.lengths: NDArray[np.int64] = np.ones(len(given.pixels), np.int64)

    def __len__(self) -> int:
        return len(self.lengths)

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        """Batches, made in the background."""
        return made_ahead(self.batch, chosen)

    def batch(self, numbers: NDArray[np.int64]) -> PairBatch:
        """These pictures, each with one of its captions."""
        count = len(numbers)
        drawn = np.random.default_rng((self._seed, *numbers.tolist()))
        texts = [self._given.texts[number] for number in numbers]
        rows = [several[int(drawn.integers(len(several)))] for several in texts]
        ids = torch.full((count, max(map(len, rows))), self._padding)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = torch.tensor(row)
        return PairBatch(
            torch.ones(count, count, dtype=torch.bool),
            torch.arange(count),
            pixels=torch.from_numpy(self._given.pixels[numbers]),
            ids=ids,
            mask=(ids != self._padding).long(),
        )


class LearningClip(nn.Module):
    """The model with its loss: which caption is a picture's, and which picture a caption's."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
        del generator  # nothing is drawn
        assert isinstance(batch, PairBatch)
        assert batch.pixels is not None
        assert batch.ids is not None
        assert batch.mask is not None
        pictures = normalize(picture_vectors(self.model, batch.pixels), dim=-1)  # (batch, dim)
        texts = normalize(text_vectors(self.model, batch.ids, batch.mask), dim=-1)  # (batch, dim)
        scale = self.model.logit_scale.exp().clamp(max=LARGEST_SCALE)
        logits = scale * pictures @ texts.T  # (picture, caption)
        other = cross_entropy(logits.T, batch.gold, reduction="none")
        return scored(logits, batch, extra=other)


def told_apart(source: PairSource, compared: int = COMPARED) -> Callable[[nn.Module, Team], float]:
    """A judge: the share of pictures whose caption scores highest of those of so many pictures."""

    def judged(network: nn.Module, team: Team) -> float:
        training, right = network.training, 0.0
        network.eval()
        numbers = np.arange(len(source))
        with torch.inference_mode():
            for start in range(0, len(numbers), compared):
                batch = source.batch(numbers[start : start + compared]).to(team.device)
                right += float((network(batch).logits.argmax(dim=1) == batch.gold).sum())
        network.train(training)
        return right / len(source)

    return judged


def refuse_few(learned: Sequence[Captioned], judged: Sequence[Captioned], path: Path) -> None:
    """There must be something to tell apart."""
    if min(len(learned), len(judged)) < 2:
        raise InputError(
            f"{path}: {len(learned)} captioned pictures to learn from and {len(judged)} to judge by are too "
            "few. Give at least two of each."
        )

"""Training the small detector on scene graphs, and keeping what it learned.

An object's label is its first name. What someone wears is left out: its box is a part of a person's, and a
picture's objects would be mostly shirts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from msgspec import Struct, structs
from numpy.typing import NDArray
from torch import Generator as Chance
from torch import Tensor, nn

from commonsight.build.imaging.canvas import fitted
from commonsight.build.imaging.suppression import surest
from commonsight.core.scene import Scene
from commonsight.errors import InputError
from commonsight.models.detection.network import (
    COARSEST,
    STRIDE,
    Found,
    Known,
    SmallDetector,
    Widths,
    losses,
    places,
)
from commonsight.models.engine.about import AboutFile
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch
from commonsight.models.features.pictures import opened
from commonsight.models.features.source import made_ahead
from commonsight.models.network import Scores, scored
from commonsight.score.average_precision import Shown, mean_average_precision

CANVAS = (288, 192)
"""Width and height that pictures are made to have: three quarters of the drawn world's, for speed."""
WORN = ("wearing",)
"""Relations whose objects are left out."""
AT_LEAST = 20
"""A label that fewer objects have teaches nothing."""
RECIPE = Recipe(
    epochs=6, batch=16, optimiser="adamw", rate=3e-3, decay=2e-2, clip=10.0, warm_up=0.05, plateau=None,
    ema=0.99, precision="bf16",
)  # fmt: skip
"""For some 5,000 scenes of the drawn world: eight minutes of one core."""
JUDGED = 100
"""Scenes that weights are chosen by, at most."""
_READ = 16
_LIKELY = 0.05
"""What is less likely is not looked at when weights are judged."""


class About(Struct, frozen=True):
    """What is kept beside the weights."""

    labels: tuple[str, ...]
    canvas: tuple[int, int] = CANVAS
    widths: tuple[int, int, int, int, int] = Widths()
    recipe: Recipe = RECIPE
    seed: int = 0

    def __post_init__(self) -> None:
        """Sizes from a file must be such as a network can have."""
        sides = all(side > 0 and not side % COARSEST for side in self.canvas)
        if not (self.labels and sides and all(width > 1 for width in self.widths)):
            raise ValueError(
                f"no detector tells {len(self.labels)} labels on a canvas of {list(self.canvas)} through "
                f"widths of {list(self.widths)}; sides are multiples of {COARSEST}"
            )


ABOUT = AboutFile("detector.json", About, what="trained detector", command="train-detector")


class Drawn(NamedTuple):
    """One picture, and the objects to find in it."""

    image: str
    boxes: NDArray[np.float64]
    """(object, 4): left, top, right, bottom, in the scene's own pixels."""
    labels: tuple[str, ...]
    size: tuple[int, int] | None
    """Width and height that the boxes are measured in; None for the picture's own."""


def drawn(scene: Scene, without: Collection[str] = WORN) -> Drawn:
    """A scene's objects that have a box with an area, but those that are `without`: objects of relations."""
    left_out = {edge.object for edge in scene.relations if edge.predicate in without}
    kept = [
        (region.label, (box.left, box.top, box.right, box.bottom))
        for place, region in enumerate(scene.regions)
        if place not in left_out and (box := region.box) is not None
    ]
    kept = [
        (label, box) for label, box in kept if np.isfinite(box).all() and box[2] > box[0] and box[3] > box[1]
    ]
    size = (scene.width, scene.height) if scene.width and scene.height else None
    boxes = np.array([box for _, box in kept], np.float64).reshape(-1, 4)
    return Drawn(scene.stored or scene.image, boxes, tuple(label for label, _ in kept), size)


def labels_of(scenes: Sequence[Drawn], at_least: int = AT_LEAST) -> tuple[str, ...]:
    """What there is enough of to be learned, frequent ones first."""
    counts = Counter(label for scene in scenes for label in scene.labels)
    kept = [label for label, count in counts.items() if count >= at_least]
    if not kept:
        raise InputError(
            f"No label has at least {at_least} objects with a box, so nothing is learned. Give more scenes."
        )
    return tuple(sorted(kept, key=lambda label: (-counts[label], label)))


@dataclass(frozen=True)
class PictureBatch(Batch):
    """Pictures, each as a question without a choice."""

    boxes: Tensor | None = None
    """(picture, object, 4): in pixels of the canvas."""
    names: Tensor | None = None
    """(picture, object): numbers of labels; -1 for padding."""


class PictureSource:
    """Pictures to learn from, opened whenever they are needed: a million of them need no more memory."""

    def __init__(
        self, scenes: Sequence[Drawn], folder: Path, labels: Sequence[str], canvas: tuple[int, int]
    ) -> None:
        self.scenes, self.labels, self.canvas = scenes, labels, canvas
        self._folder = folder
        self._number = {label: place for place, label in enumerate(labels)}
        self.lengths: NDArray[np.int64] = np.ones(len(scenes), np.int64)

    def __len__(self) -> int:
        return len(self.scenes)

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        """Batches, made in the background."""
        return made_ahead(self.batch, chosen)

    def batch(self, numbers: NDArray[np.int64]) -> PictureBatch:
        """These pictures."""
        read = [self._read(self.scenes[number]) for number in numbers]
        most = max(1, *(len(names) for _, _, names in read))
        boxes, names = np.zeros((len(read), most, 4), np.float32), np.full((len(read), most), -1)
        for row, (_, own, numbered) in enumerate(read):
            boxes[row, : len(own)], names[row, : len(numbered)] = own, numbered
        pixels = np.stack([pixels for pixels, _, _ in read])  # (picture, height, width, 3)
        return PictureBatch(
            torch.ones(len(read), 1, dtype=torch.bool),
            torch.zeros(len(read), dtype=torch.long),
            canvas=torch.from_numpy(pixels).permute(0, 3, 1, 2),
            boxes=torch.from_numpy(boxes),
            names=torch.from_numpy(names),
        )

    def _read(self, scene: Drawn) -> tuple[NDArray[np.uint8], NDArray[np.float64], list[int]]:
        """A picture on its canvas, and the objects to find there, of the labels that are learned."""
        picture = np.asarray(opened(self._folder, scene.image))
        pixels, placed = fitted(picture, self.canvas)
        tall, wide = picture.shape[:2]
        measured = scene.size or (wide, tall)
        own = [place for place, label in enumerate(scene.labels) if label in self._number]
        boxes = scene.boxes[own] * (np.array((wide, tall, wide, tall)) / np.tile(measured, 2))
        return pixels, placed.on_canvas(boxes), [self._number[scene.labels[place]] for place in own]


class Detecting(nn.Module):
    """The detector as the engine trains it; every other picture is seen mirrored."""

    def __init__(self, about: About) -> None:
        super().__init__()
        self.detector = SmallDetector(len(about.labels), Widths(*about.widths))

    def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
        """How wrong it is about each picture."""
        assert isinstance(batch, PictureBatch)
        assert batch.canvas is not None
        assert batch.boxes is not None
        assert batch.names is not None
        pixels, known = batch.canvas.float() / 255, Known(batch.boxes, batch.names)
        if self.training:
            chance = torch.rand(len(pixels), generator=generator).to(pixels.device)
            pixels, known = mirrored(pixels, known, chance < 0.5)
        tall, wide = pixels.shape[2:]
        found = self.detector(pixels)
        wrong = losses(found, known, places(tall // STRIDE, wide // STRIDE, pixels.device))
        return scored(wrong.new_zeros(len(wrong), 1), batch, extra=wrong)


def mirrored(pixels: Tensor, known: Known, which: Tensor) -> tuple[Tensor, Known]:
    """Left and right exchanged in some of the pictures, `which` is (picture)."""
    wide = pixels.shape[3]
    left, top, right, bottom = known.boxes.unbind(dim=-1)
    turned = torch.stack((wide - right, top, wide - left, bottom), dim=-1)
    boxes = torch.where(which[:, None, None], turned, known.boxes)
    return torch.where(which[:, None, None, None], pixels.flip(3), pixels), Known(boxes, known.labels)


def well_found(source: PictureSource) -> Any:
    """A judge: the mean average precision at an overlap of one half, over the labels."""

    def judged(network: nn.Module, team: Team) -> float:
        assert isinstance(network, Detecting)
        training = network.training
        network.eval()
        shown: list[Shown] = []
        with torch.inference_mode():
            for start in range(0, len(source), _READ):
                batch = source.batch(np.arange(start, min(start + _READ, len(source))))
                shown += _shown(network, batch.to(team.device))
        network.train(training)
        return mean_average_precision(shown)

    return judged


def _shown(network: Detecting, batch: PictureBatch) -> list[Shown]:
    assert batch.canvas is not None
    assert batch.boxes is not None
    assert batch.names is not None
    found: Found = network.detector(batch.canvas.float() / 255)
    chances, boxes = found.logits.sigmoid().cpu().numpy(), found.boxes.cpu().numpy()
    known, names = batch.boxes.cpu().numpy(), batch.names.cpu().numpy()
    shown = []
    for row in range(len(chances)):
        at, label = np.nonzero(chances[row] > _LIKELY)
        scores = chances[row][at, label]
        kept = surest(boxes[row][at], scores, label)
        there = names[row] >= 0
        shown.append(
            Shown(boxes[row][at][kept], scores[kept], label[kept], known[row][there], names[row][there])
        )
    return shown


def trained(folder: Path) -> SmallDetector:
    """The detector of a folder, with its best weights."""
    network = Detecting(ABOUT.read(folder))
    restore(network, weights(folder / BEST), folder / BEST)
    return network.detector.eval().requires_grad_(False)


def with_epochs(recipe: Recipe, epochs: int | None) -> Recipe:
    """The recipe, with another number of epochs if one is wanted."""
    return recipe if epochs is None else structs.replace(recipe, epochs=epochs)

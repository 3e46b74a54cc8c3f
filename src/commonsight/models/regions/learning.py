"""A region encoder that learns from scene graphs: what each object is, what it is like, what it does.

Bottom-up features are made this way from Visual Genome (Anderson et al., 2018): a network that must name an
object and its attributes keeps what questions will ask for. Here an object's targets are its label, its
attributes, the predicates it takes part in, as subject and as object, and what it does with what (holding a
cup); the whole picture's are the labels in it. Several hold at once, so each is a question of yes or no.
Relations of place are left out: where something is can be told from boxes, and not from how it looks; asked
for all the same, they drown what can be learned, such as faces (docs/decisions/0017).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from msgspec import Struct
from numpy.typing import NDArray
from torch import Generator as Chance
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from commonsight.core.scene import Scene
from commonsight.errors import InputError
from commonsight.models.engine.about import AboutFile
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch, Seen
from commonsight.models.features.objects import EVERYTHING, Shares, shares
from commonsight.models.features.pictures import Crops, opened
from commonsight.models.features.source import made_ahead
from commonsight.models.network import Scores, scored
from commonsight.models.progress import Progress, silent
from commonsight.models.regions.small import GROUPS, SmallRegions

WHOLE = ("image",)
PLACES = (
    "left of", "right of", "to the left of", "to the right of", "next to", "beside", "near", "behind",
    "in front of", "above", "below",
)  # fmt: skip
"""Relations that no look tells."""
LENGTH = 3.0
"""Of an object's vector: beside words' vectors longer ones drown these, and shorter ones are overlooked."""
AT_LEAST = 20
"""A target that fewer objects have teaches nothing."""
RECIPE = Recipe(
    epochs=8, batch=64, optimiser="adamw", rate=2e-3, decay=1e-2, clip=None, warm_up=0.1, plateau=None
)
"""For some 20,000 objects of the drawn world and more."""
MOST = 8192
"""Numbers of a layer, and pixels of a side."""
_READ = 512


class About(Struct, frozen=True):
    """What is kept beside the weights."""

    targets: tuple[str, ...]
    dim: int = 128
    size: int = 64
    widths: tuple[int, ...] = (24, 48, 96, 128)
    recipe: Recipe = RECIPE
    seed: int = 0

    def __post_init__(self) -> None:
        """Sizes from a file must be such as a network can have."""
        fit = all(1 <= width <= MOST and not width % GROUPS for width in self.widths)
        if not (fit and self.widths and self.targets and 1 <= self.dim <= MOST and 1 <= self.size <= MOST):
            raise ValueError(
                f"no encoder tells {len(self.targets)} targets by {self.dim} numbers from {self.size} pixels "
                f"through widths of {list(self.widths)}"
            )


ABOUT = AboutFile("regions.json", About, what="region encoder", command="train-regions")


class Looked(NamedTuple):
    """Objects of pictures, and what holds of each."""

    pixels: NDArray[np.uint8]
    """(object, 3, size, size)"""
    targets: list[frozenset[str]]


def looked_at(
    scenes: Sequence[Scene],
    images: Path,
    *,
    size: int = 64,
    without: Collection[str] = PLACES,
    progress: Progress = silent,
) -> Looked:
    """Every object of these scenes that has a box, and each whole picture; `without` these relations."""
    cut = Crops(size)
    pixels: list[NDArray[np.uint8]] = []
    targets: list[frozenset[str]] = []
    for number, scene in enumerate(scenes, start=1):
        picture = opened(images, scene.stored or scene.image)
        boxes = _boxes(scene, picture.size)
        pixels.append(cut.cut(picture, [EVERYTHING, *boxes.values()]))
        holds = _holding(scene, without)
        targets.append(frozenset((*WHOLE, *(f"shows {label}" for label in scene.labels))))
        targets += [holds[place] for place in boxes]
        progress(number, len(scenes))
    if not targets:
        raise InputError("There is no scene to learn from. Give scene graphs with boxes and their pictures.")
    return Looked(np.concatenate(pixels), targets)


def _boxes(scene: Scene, size: tuple[int, int]) -> dict[int, Shares]:
    """Of the objects that have one, by their place; measured as the scene says, or else as its picture is."""
    measured = (scene.width, scene.height) if scene.width and scene.height else size
    found = {
        place: shares(region.box, measured)
        for place, region in enumerate(scene.regions)
        if region.box is not None
    }
    return {place: box for place, box in found.items() if all(np.isfinite(box))}


def _holding(scene: Scene, without: Collection[str]) -> list[frozenset[str]]:
    """What holds of each object."""
    found = [{region.label, *(f"is {one}" for one in region.attributes)} for region in scene.regions]
    for edge in scene.relations:
        if edge.predicate in without:
            continue
        found[edge.subject] |= {
            f"{edge.predicate} something",
            f"{edge.predicate} {scene.regions[edge.object].label}",
        }
        found[edge.object].add(f"something {edge.predicate}")
    return [frozenset(one) for one in found]


def targets_of(looked: Looked, at_least: int = AT_LEAST) -> tuple[str, ...]:
    """What holds often enough to be learned, frequent ones first."""
    counts = Counter(one for holds in looked.targets for one in holds)
    kept = [name for name, count in counts.items() if count >= at_least]
    if not kept:
        raise InputError(
            f"Nothing holds of at least {at_least} objects, so nothing can be learned. Give more scenes."
        )
    return tuple(sorted(kept, key=lambda name: (-counts[name], name)))


@dataclass(frozen=True)
class LookBatch(Batch):
    """Objects, each as a question without a choice."""

    targets: Tensor | None = None
    """(batch, target): 1 for what holds."""


class LookSource:
    """Objects to learn from."""

    def __init__(self, looked: Looked, targets: Sequence[str]) -> None:
        self.pixels = looked.pixels
        self.holds = np.zeros((len(looked.targets), len(targets)), np.bool_)
        number = {name: place for place, name in enumerate(targets)}
        for row, holds in enumerate(looked.targets):
            self.holds[row, [number[name] for name in holds if name in number]] = True
        self.lengths: NDArray[np.int64] = np.ones(len(self.holds), np.int64)

    def __len__(self) -> int:
        return len(self.holds)

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        """Batches, made in the background."""
        return made_ahead(self.batch, chosen)

    def batch(self, numbers: NDArray[np.int64]) -> LookBatch:
        """These objects."""
        count = len(numbers)
        there = torch.ones(count, 1, dtype=torch.bool)
        pixels = torch.from_numpy(self.pixels[numbers])[:, None]  # (batch, 1, 3, size, size)
        seen = Seen(there, torch.zeros(count, 1, 4), torch.zeros(count, 1, dtype=torch.long), features=pixels)
        holds = torch.from_numpy(self.holds[numbers]).float()
        return LookBatch(there, torch.zeros(count, dtype=torch.long), seen=seen, targets=holds)


class Looking(nn.Module):
    """The encoder, with a yes or no for each target."""

    def __init__(self, about: About) -> None:
        super().__init__()
        self.regions = SmallRegions(about.dim, size=about.size, widths=about.widths)
        self.tell = nn.Linear(about.dim, len(about.targets))

    def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
        del generator  # nothing is drawn
        assert isinstance(batch, LookBatch)
        assert batch.seen is not None
        assert batch.targets is not None
        assert batch.seen.features is not None
        told = self.tell(self.regions.vectors(batch.seen.features[:, 0]))  # (batch, target)
        losses = binary_cross_entropy_with_logits(told, batch.targets, reduction="none").sum(dim=1)
        return scored(told.new_zeros(len(told), 1), batch, extra=losses)


def told_right(source: LookSource) -> Any:
    """A judge: of all that holds of the objects, the share that is among as many most likely targets."""

    def judged(network: nn.Module, team: Team) -> float:
        assert isinstance(network, Looking)
        training = network.training
        network.eval()
        right = 0.0
        numbers = team.share(np.arange(len(source)))
        with torch.inference_mode():
            for start in range(0, len(numbers), _READ):
                part = numbers[start : start + _READ]
                pixels = torch.from_numpy(source.pixels[part]).to(team.device)
                told = network.tell(network.regions.vectors(pixels)).cpu().numpy()
                right += _among_likeliest(told, source.holds[part])
        network.train(training)
        return team.summed(right) / max(1, int(source.holds.sum()))

    return judged


def _among_likeliest(told: NDArray[np.float32], holds: NDArray[np.bool_]) -> float:
    ranks = np.argsort(np.argsort(-told, axis=1, kind="stable"), axis=1, kind="stable")
    return float((holds & (ranks < holds.sum(axis=1, keepdims=True))).sum())


class LearnedLooks:
    """A trained encoder, frozen: gives crops vectors (an `Encoder`).

    An object's numbers are how likely each target holds of it. Networks learn from these in fewer questions
    than from the layer below, and a person can read them.
    """

    def __init__(self, folder: Path) -> None:
        about = ABOUT.read(folder)
        network = Looking(about)
        restore(network, weights(folder / BEST), folder / BEST)
        self._network = network.eval().requires_grad_(False)
        self.targets, self.dim, self.size = about.targets, len(about.targets), about.size
        self.name = f"told@{_print(folder)}"  # by its content: the folder may move

    def encode(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(object, 3, size, size) -> (object, target); no longer than `LENGTH`."""
        with torch.inference_mode():
            told = self._network.tell(self._network.regions.vectors(torch.from_numpy(crops))).sigmoid()
            long = told.norm(dim=1, keepdim=True).clamp(min=1.0)
            found: NDArray[np.float32] = (LENGTH * told / long).numpy()
        return found


def _print(folder: Path) -> str:
    with (folder / BEST).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:12]


class Parted(NamedTuple):
    """Scenes to learn from, and scenes to judge by."""

    learned: list[Scene]
    judged: list[Scene]


def parted(scenes: Iterable[Scene]) -> Parted:
    """By the split that each scene names; where none is for judging, every tenth is. Tests are left alone."""
    usable = [scene for scene in scenes if not str(scene.extra.get("split", "")).startswith("test")]
    judged = [scene for scene in usable if scene.extra.get("split") in ("val", "dev")]
    judged = judged or usable[9::10]
    chosen = {id(scene) for scene in judged}
    return Parted([scene for scene in usable if id(scene) not in chosen], judged)

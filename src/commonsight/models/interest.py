"""How interesting a picture is, from its pixels and from what was found in it.

As VCR's later filter (appendix B.2): a ResNet-50 looks at the whole picture; its 2048 numbers stand beside a
projection of the objects' counts to 512, and all of it is trained together. Without the counts it is the
classifier that A-OKVQA (section 3) chooses its test pictures with.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from msgspec import Struct, convert, structs
from numpy.typing import NDArray
from torch import Generator as Chance
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.engine.about import AboutFile
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.recipe import Recipe
from commonsight.models.engine.team import Team
from commonsight.models.features.batch import Batch
from commonsight.models.features.source import made_ahead
from commonsight.models.layers.perceptron import Perceptron
from commonsight.models.libraries import libraries, seeded
from commonsight.models.network import Scores, scored
from commonsight.models.pretrained import pretrained
from commonsight.models.regions.frozen_maps import normalised
from commonsight.models.regions.resnet import TINY, Shape
from commonsight.models.sources import place
from commonsight.store.paths import below
from commonsight.store.pictures import open_picture

PROJECTED = 512
"""Numbers that the objects' counts are projected to (VCR, appendix B.2)."""
SIDE = 224
"""Pixels of a picture, each way: what ImageNet's networks are trained with."""
RECIPE = Recipe(
    epochs=8,
    batch=32,
    optimiser="adamw",
    rate=3e-4,
    decay=1e-2,
    clip=1.0,
    warm_up=0.1,
    plateau=None,
    patience=3,
)
_READ = 32


class Settings(Struct, frozen=True):
    """What a ResNet is built by, as its library calls it."""

    embedding_size: int
    hidden_sizes: tuple[int, int, int, int]
    depths: tuple[int, int, int, int]
    layer_type: Literal["basic", "bottleneck"]
    downsample_in_first_stage: bool = False
    downsample_in_bottleneck: bool = False


class About(Struct, frozen=True):
    """What is kept beside the weights."""

    labels: tuple[str, ...]
    """Objects of these are counted, in this order; none for a network that looks at pixels alone."""
    built: Settings
    backbone: str | None = None
    """A ResNet's folder or hub name that training began with; None for a small one that knew nothing."""
    side: int = SIDE
    projected: int = PROJECTED
    recipe: Recipe = RECIPE
    seed: int = 0


ABOUT = AboutFile("interest.json", About, what="network", command="build learn-interest")


class Picture(NamedTuple):
    """One picture to judge."""

    name: str
    """Below the folder of pictures."""
    counts: dict[str, int]
    interesting: bool = False


@dataclass(frozen=True)
class InterestBatch(Batch):
    """Pictures, each as a question of two choices: not interesting, or interesting."""

    counts: Tensor | None = None
    """(picture, label)"""


class InterestSource:
    """Pictures, opened whenever they are needed."""

    def __init__(self, pictures: Sequence[Picture], folder: Path, about: About) -> None:
        self.pictures = pictures
        self._folder, self._about = folder, about
        self.lengths: NDArray[np.int64] = np.ones(len(pictures), np.int64)

    def __len__(self) -> int:
        return len(self.pictures)

    def ahead(self, chosen: Sequence[NDArray[np.int64]]) -> Generator[Batch]:
        """Batches, made in the background."""
        return made_ahead(self.batch, chosen)

    def batch(self, numbers: NDArray[np.int64]) -> InterestBatch:
        """These pictures."""
        chosen = [self.pictures[number] for number in numbers]
        pixels = np.stack([self._pixels(one.name) for one in chosen])  # (picture, height, width, 3)
        counts = [[one.counts.get(label, 0) for label in self._about.labels] for one in chosen]
        return InterestBatch(
            torch.ones(len(chosen), 2, dtype=torch.bool),
            torch.tensor([int(one.interesting) for one in chosen]),
            canvas=torch.from_numpy(pixels).permute(0, 3, 1, 2),
            counts=torch.tensor(counts, dtype=torch.float32).reshape(len(chosen), -1),
        )

    def _pixels(self, name: str) -> NDArray[np.uint8]:
        side = self._about.side
        picture = open_picture(below(self._folder, name), near=(side, side))
        return np.asarray(picture.resize((side, side)))


class InterestNetwork(nn.Module):
    """The whole picture and the counts, side by side."""

    def __init__(self, backbone: nn.Module, dim: int, labels: int, projected: int = PROJECTED) -> None:
        super().__init__()
        self.backbone = backbone
        self.project = Perceptron(labels, projected, projected) if labels else None
        self.tell = nn.Linear(dim + (projected if labels else 0), 2)

    def forward(self, batch: Batch, *, generator: Chance | None = None) -> Scores:
        """Two choices for each picture."""
        del generator  # nothing is drawn
        assert isinstance(batch, InterestBatch)
        assert batch.canvas is not None
        seen = self.backbone(normalised(batch.canvas)).pooler_output.flatten(1)  # (picture, dim)
        if self.project is not None:
            assert batch.counts is not None
            # Of the logarithm: ten people are not ten times as much to see as one.
            seen = torch.cat((seen, self.project(batch.counts.log1p()).relu()), dim=1)
        return scored(self.tell(seen), batch)


class Trained(NamedTuple):
    """A network, and what it is."""

    about: About
    network: InterestNetwork


def begun(
    labels: Sequence[str],
    backbone: str | None,
    *,
    shape: Shape = TINY,
    seed: int = 0,
    recipe: Recipe = RECIPE,
    side: int = SIDE,
) -> Trained:
    """A network to train: on a ResNet of others, or on one of this shape that knows nothing."""
    with seeded(seed):
        if backbone is not None:
            model = pretrained(libraries().transformers.ResNetModel, place(backbone))
        else:
            model = _resnet(convert(
                {"embedding_size": shape.stem, "hidden_sizes": shape.widths, "depths": shape.depths,
                 "layer_type": shape.kind}, Settings,
            ))  # fmt: skip
        built = convert(model.config, Settings, from_attributes=True)
        about = About(tuple(labels), built, backbone, side, recipe=recipe, seed=seed)
        return Trained(about, _network(about, model))


def _resnet(built: Settings) -> Any:
    transformers, given = libraries().transformers, structs.asdict(built)
    sizes = {name: list(given.pop(name)) for name in ("hidden_sizes", "depths")}
    return transformers.ResNetModel(transformers.ResNetConfig(**given, **sizes))


def _network(about: About, model: nn.Module) -> InterestNetwork:
    return InterestNetwork(model, about.built.hidden_sizes[-1], len(about.labels), about.projected)


def chances(network: nn.Module, source: InterestSource, team: Team | None = None) -> NDArray[np.float64]:
    """(picture): how likely each is interesting."""
    device = (team or Team("cpu")).device
    network.eval()
    found: list[NDArray[np.float64]] = []
    with torch.inference_mode():
        for start in range(0, len(source), _READ):
            batch = source.batch(np.arange(start, min(start + _READ, len(source)))).to(device)
            told = network(batch).logits.softmax(dim=1)[:, 1]
            found.append(told.double().cpu().numpy())
    return np.concatenate(found) if found else np.zeros(0)


def judged_by(
    source: InterestSource, good: Callable[[NDArray[np.float64], list[bool]], float]
) -> Callable[[nn.Module, Team], float]:
    """A judge: how `good` the chances of these pictures are, given which of them are interesting."""

    def judged(network: nn.Module, team: Team) -> float:
        training = network.training
        found = good(chances(network, source, team), [one.interesting for one in source.pictures])
        network.train(training)
        return found

    return judged


def trained(folder: Path) -> Trained:
    """The network of a folder, with its best weights."""
    about = ABOUT.read(folder)
    try:
        network = _network(about, _resnet(about.built))
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(
            f"{folder / ABOUT.name}: no network can be built by this ({error}). Train it anew."
        ) from error
    restore(network, weights(folder / BEST), folder / BEST)
    return Trained(about, network.eval())

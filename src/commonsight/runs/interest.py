"""Training a network that tells interesting pictures, and asking it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs

from commonsight.build.imaging.interest.curves import PRECISION, Chosen, average, curve, threshold_for
from commonsight.build.imaging.interest.lessons import Judgement, Learned, Rated, groups
from commonsight.build.imaging.sightings import Sighting
from commonsight.build.questions.split import draw
from commonsight.errors import UsageError
from commonsight.models.engine.loop import Training, Unwatched, Watch
from commonsight.models.engine.team import Team
from commonsight.models.interest import (
    ABOUT,
    RECIPE,
    InterestSource,
    Picture,
    begun,
    chances,
    judged_by,
    trained,
)
from commonsight.store.documents import read_document, write_document

THRESHOLD = "threshold.json"
HELD_OUT = 0.2
"""Of the pictures, to choose weights and threshold by."""
LABELS = 200
"""Labels that are counted, at most: the most frequent ones."""


class InterestPlan(NamedTuple):
    """How to learn."""

    images: Path
    counts: bool = True
    """Whether objects' counts are read beside the pixels."""
    backbone: str | None = None
    precision: float = PRECISION
    epochs: int | None = None
    seed: int = 0
    device: str | None = None


class Threshold(Struct, frozen=True):
    """What is kept beside a network."""

    chosen: Chosen
    average: float
    rated: int


def train_interest(
    rated: Rated, out: Path, plan: InterestPlan, *, watch: Callable[[], Watch] = Unwatched
) -> Learned:
    """Train a network into a folder; one that was begun is gone on with."""
    pictures = [
        Picture(one.name, one.counts, yes) for one, yes in zip(rated.seen, rated.interesting, strict=True)
    ]
    parts = _parted(pictures, plan.seed)
    recipe = RECIPE if plan.epochs is None else structs.replace(RECIPE, epochs=plan.epochs)
    labels = _labels(parts.own) if plan.counts else []
    about, network = begun(labels, plan.backbone, seed=plan.seed, recipe=recipe)
    ABOUT.begin(out, about, holds="a network", learned="pictures")
    judged = InterestSource(parts.held, plan.images, about)
    Training(
        network,
        InterestSource(parts.own, plan.images, about),
        judged_by(judged, lambda found, right: average(curve(found, right))),
        recipe,
        out,
        seed=plan.seed,
        watch=watch(),
        team=Team(plan.device),
    ).run()
    found, right = chances(trained(out).network, judged), [one.interesting for one in parts.held]
    chosen, made = threshold_for(found, right, plan.precision), curve(found, right)
    write_document(out / THRESHOLD, Threshold(chosen, average(made), len(pictures)))
    return Learned(len(pictures), sum(rated.interesting), chosen, made, average(made))


class _Parts(NamedTuple):
    held: list[Picture]
    own: list[Picture]


def _parted(pictures: Sequence[Picture], seed: int) -> _Parts:
    """Pictures held out, and pictures to learn from; by name, and of each kind the same share."""
    order = sorted(pictures, key=lambda one: draw(f"interest:{seed}:{one.name}"))
    parts = _Parts([], [])
    for kind in (False, True):
        alike = [one for one in order if one.interesting == kind]
        if len(alike) < 2:
            raise UsageError(
                "Two interesting pictures and two others are the least to learn from and to judge by."
            )
        cut = max(1, round(HELD_OUT * len(alike)))
        parts.held.extend(alike[:cut])
        parts.own.extend(alike[cut:])
    return parts


def _labels(pictures: Sequence[Picture]) -> list[str]:
    counts = Counter[str]()
    for one in pictures:
        counts.update(one.counts)
    return sorted(counts, key=lambda label: (-counts[label], label))[:LABELS]


def judgements(seen: Iterable[Sighting], folder: Path, images: Path) -> Iterator[Judgement]:
    """What a network of `train_interest` says of each picture."""
    found = trained(folder)
    kept = read_document(folder / THRESHOLD, Threshold, remedy="Train it to the end.").chosen.threshold
    for group in groups(seen):
        source = InterestSource([Picture(one.name, one.counts) for one in group], images, found.about)
        for one, chance in zip(group, chances(found.network, source).tolist(), strict=True):
            yield Judgement(one, chance, chance >= kept)

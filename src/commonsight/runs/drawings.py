"""Items that were drawn several times, one item for each drawing; and a part of the groups held out.

Networks see one picture of an item, and learn more from all of them. What is held out, to choose the best
weights by, is held out by whole groups: no sentence is in both parts (NLVR2, appendix E.5). Those to learn
from can be had in other looks as well, such as in other colours, of which their labels hold too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray
from PIL import Image

from commonsight.build.questions.split import draw
from commonsight.core.benchmark import Benchmark, Variant
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import UsageError
from commonsight.runs.derived import images_of, info_of, write_derived
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.store.info import DatasetInfo
from commonsight.store.paths import below
from commonsight.store.pictures import open_picture

Progress = Callable[[Iterator[Item], int], Iterator[Item]]
"""Is handed the items and their number, and passes them on."""
TRAIN, VAL, IMAGES = "train", "val", "images"
HELD_OUT = 0.05
"""Of the training groups (NLVR2, appendix E.5)."""


class HoldingOut(NamedTuple):
    """One split becomes `train`, but for some groups, which become `val`."""

    split: str
    share: float = HELD_OUT
    seed: int = 0

    def of(self, item: Item) -> str:
        """The split of an item."""
        if item.split != self.split:
            return item.split
        group = next(iter(item.groups.values()), item.id)
        return VAL if draw(f"held out:{self.seed}:{group}") % 10_000 < self.share * 10_000 else TRAIN


def write_drawings(
    opening: Opening,
    folder: Path,
    *,
    holding: HoldingOut | None = None,
    varied: bool = False,
    overwrite: bool = False,
    progress: Progress = lambda items, _: items,
) -> DatasetInfo:
    """A dataset of every drawing of every item; if `varied`, those to learn from in every other look too."""
    benchmark = benchmark_of(opening)
    if benchmark.views is None and holding is None:
        raise UsageError(
            f"{benchmark.name} shows each item once, so there are no further drawings. Give an NLVR dataset, "
            "or hold out whole groups of a split with --hold-out."
        )
    splits = info_of(opening.paths[0]).splits
    _check(splits, holding, benchmark if varied else None)
    views = benchmark.views or _alone
    total = sum(split.items for split in splits.values())

    def drawings() -> Iterator[Item]:
        for item in progress(opening.read(), total):
            for one in views(item):
                yield one if holding is None else structs.replace(one, split=holding.of(one))

    used = {} if holding is None else holding._asdict()
    with TemporaryDirectory() as scratch:
        looks = Looks(benchmark.variants, images_of(opening), Path(scratch)) if varied else None
        return write_derived(
            folder,
            drawings() if looks is None else chain.from_iterable(map(looks.of, drawings())),
            opening,
            by="build drawings",
            seed=0 if holding is None else holding.seed,
            options=used | ({"varied": True} if varied else {}),
            images=None if looks is None else looks.folder,
            overwrite=overwrite,
        )


def _alone(item: Item) -> tuple[Item, ...]:
    return (item,)


def _check(splits: Collection[str], holding: HoldingOut | None, varied: Benchmark[Any] | None) -> None:
    if holding is not None and holding.split not in splits:
        raise UsageError(
            f"There is no split '{holding.split}' to hold anything out of. There are: "
            f"{', '.join(sorted(splits))}."
        )
    if holding is not None and VAL in splits and holding.split != VAL:
        raise UsageError(
            f"There is a split '{VAL}' already, and what is held out of '{holding.split}' would be mixed "
            "with it. Train on the dataset as it is."
        )
    if varied is None:
        return
    if not varied.variants:
        raise UsageError(f"No other looks are known of {varied.name}. Leave out --recolour.")
    if holding is None and TRAIN not in splits:
        raise UsageError(
            f"There is nothing to learn from, so nothing to recolour: no split '{TRAIN}'. Name one that "
            f"becomes it with --hold-out: {', '.join(sorted(splits))}."
        )


class Looks:
    """Items to learn from, in every look; new pictures lie in a folder of their own beside the old ones."""

    def __init__(self, variants: Sequence[Variant], images: Path | None, folder: Path) -> None:
        if images is None or not (images / IMAGES).is_dir():
            raise UsageError("The dataset has no pictures to recolour. Convert it with --images.")
        self.folder, self._variants = folder, variants
        (folder / IMAGES).symlink_to((images / IMAGES).resolve(), target_is_directory=True)

    def of(self, item: Item) -> Iterator[Item]:
        """The item and, if it is one to learn from, its other looks."""
        yield item
        if item.split != TRAIN:
            return
        pictures = [np.asarray(open_picture(below(self.folder, _kept(one)))) for one in item.scenes]
        for variant in self._variants:
            made = variant.item(item)
            scenes = (self._drawn(*both, variant) for both in zip(made.scenes, pictures, strict=True))
            yield structs.replace(made, id=f"{item.id}-{variant.name}", scenes=tuple(scenes))

    def _drawn(self, scene: Scene, pixels: NDArray[np.uint8], variant: Variant) -> Scene:
        name = PurePosixPath(scene.image)
        stored = f"{variant.name}-{PurePosixPath(_kept(scene)).stem}.png"
        Image.fromarray(variant.pixels(pixels)).save(self.folder / stored)
        image = str(name.with_name(f"{name.stem}-{variant.name}.png"))
        return structs.replace(scene, image=image, stored=stored)


def _kept(scene: Scene) -> str:
    return scene.stored or scene.image

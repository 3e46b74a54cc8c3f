"""Datasets to train on, made from a drawn world, each with something changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from commonsight.core.item import Item
from commonsight.store.dataset import read_dataset, read_info, write_dataset


def changed(dataset: Path, folder: Path, change: Callable[[Item], Item | None]) -> Path:
    """The dataset with other items; those that become None are left out. Pictures stay as they are."""
    info = read_info(dataset)
    assert info is not None
    items = [new for item in read_dataset(dataset) if (new := change(item)) is not None]
    write_dataset(folder, items, info)
    shutil.rmtree(folder / "images", ignore_errors=True)
    shutil.copytree(dataset / "images", folder / "images")
    return folder


def without_outlines(item: Item) -> Item:
    """Boxes are enough here, and reading is several times as fast."""
    scenes = tuple(
        structs.replace(scene, regions=tuple(structs.replace(one, polygons=None) for one in scene.regions))
        for scene in item.scenes
    )
    return structs.replace(item, scenes=scenes)


def without_labels(item: Item) -> Item:
    return structs.replace(item, gold=None, rationale_gold=None)

"""Datasets to train on: of a drawn world, each with something changed, and of questions about colours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from commonsight.benchmarks import find
from commonsight.core.item import Item
from commonsight.store.dataset import read_dataset, read_info, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.native import read_native

COLOURS = ("red", "blue", "green", "brown")
THINGS = {"sky": "blue", "grass": "green", "blood": "red", "soil": "brown"}
"""What is asked about in turn, and the right colour of each."""


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


def colour_question(number: int, split: str, others: Sequence[str]) -> dict[str, Any]:
    """A native record with choices, and with direct answers: the right one as often as ten allow."""
    thing, right = list(THINGS.items())[number % 4]
    return {
        "split": split,
        "image_id": number % 4,
        "question_id": f"{split}{number}",
        "question": f"What colour is the {thing}?",
        "choices": COLOURS,
        "correct_choice_idx": COLOURS.index(right),
        "direct_answers": [*[right] * (10 - len(others)), *others],
        "difficult_direct_answer": False,
    }


def of_records(
    folder: Path,
    benchmark: str,
    splits: Mapping[str, Sequence[dict[str, Any]]],
    *,
    pattern: str = "aokvqa_v1p0_{}.json",
    images: Path | None = None,
) -> Path:
    """The dataset of native records, written into files that are called as the benchmark's."""
    files = [folder / pattern.format(split) for split in splits]
    for path, records in zip(files, splits.values(), strict=True):
        path.write_text(json.dumps(records))
    info = DatasetInfo(benchmark, benchmark, "1", Made("test", "0"), {})
    write_dataset(folder / "dataset", read_native(find(benchmark).native, files), info, images=images)
    return folder / "dataset"

"""A VLMEvalKit TSV written as a dataset folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import structs

from commonsight import __version__
from commonsight.benchmarks import find
from commonsight.core.item import Item
from commonsight.runs.exports.from_tsv import exported_items, foreign_items, without_pictures
from commonsight.runs.exports.info import read_export
from commonsight.store.dataset import source_file, write_dataset
from commonsight.store.info import DatasetInfo, Made

FOREIGN = "vlmevalkit"
"""What a dataset of no benchmark of ours says that it is."""

Passing = Callable[[Iterable[Item]], Iterable[Item]]


def dataset_of_tsv(
    table: Path,
    folder: Path,
    scratch: Path,
    *,
    images: Path | None = None,
    split: str | None = None,
    overwrite: bool = False,
    passing: Passing = lambda items: items,
) -> DatasetInfo:
    """Write the dataset. The pictures in a table of ours are drawn on: the plain ones come from `images`."""
    ours = exported_items(table)
    made = Made("import-tsv", __version__, sources=(source_file(table),) if table.is_file() else ())
    info = DatasetInfo(folder.resolve().name, FOREIGN, "1", made, {}, table.stem)
    if ours is not None:
        benchmark = find(read_export(table.parent).benchmark)
        info = structs.replace(
            info, benchmark=benchmark.name, title=benchmark.title, description=benchmark.summary,
            citation=str(benchmark.citation), licence=benchmark.licence, homepage=benchmark.homepage,
        )  # fmt: skip
        items: Iterable[Item] = ours if images is not None else map(without_pictures, ours)
        return write_dataset(folder, passing(items), info, images=images, overwrite=overwrite)
    found = list(foreign_items(table, scratch, split))
    for name in {scene.image for item in found for scene in item.scenes}:
        if not (scratch / name).exists():  # a picture by path: it lies below the table's folder
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(table.parent / name, scratch / name)
    pictures = scratch if any(item.scenes for item in found) else None
    return write_dataset(folder, passing(found), info, images=pictures, overwrite=overwrite)

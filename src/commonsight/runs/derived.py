"""Datasets made from others by an audit: a hardened subset, or the same items with edited choices."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import structs

from commonsight import __version__
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.subject import Opening
from commonsight.store.dataset import is_dataset, read_info, source_file, write_dataset
from commonsight.store.info import DatasetInfo, Made, SourceFile


def write_derived(
    folder: Path,
    items: Iterable[Item],
    opening: Opening,
    *,
    by: str,
    seed: int,
    options: dict[str, Any],
    images: Path | None = None,
    overwrite: bool = False,
) -> DatasetInfo:
    """Write these items of a subject as a dataset of its own, with its pictures where it has them; or with
    those below `images`, where new ones were made."""
    folders = [path for path in opening.paths if is_dataset(path)]
    if len(folders) > 1:
        raise UsageError("Several datasets cannot be written as one. Audit them one by one.")
    made = Made(by, __version__, seed, _sources(opening.paths), options)
    info = structs.replace(_described(opening), name=folder.resolve().name, made=made, splits={}, images=0)
    return write_dataset(folder, items, info, images=images or images_of(opening), overwrite=overwrite)


def images_of(opening: Opening) -> Path | None:
    """Below which folder the pictures of a subject lie."""
    stored = [path for path in opening.paths if is_dataset(path) and info_of(path).images]
    return stored[0] if stored else opening.images


def info_of(folder: Path) -> DatasetInfo:
    """What a dataset says of itself."""
    info = read_info(folder)
    assert info is not None  # `read_info` raises here
    return info


def _described(opening: Opening) -> DatasetInfo:
    """What the subject says of itself, or what is known of its benchmark."""
    for path in opening.paths:
        if is_dataset(path):
            return info_of(path)
    benchmark = opening.known()
    assert benchmark is not None  # only datasets may be of none
    return DatasetInfo(
        "", benchmark.name, "1", Made("", ""), {}, benchmark.title, benchmark.summary,
        str(benchmark.citation), benchmark.licence, benchmark.homepage,
    )  # fmt: skip


def _sources(paths: Iterable[Path]) -> tuple[SourceFile, ...]:
    files = [path / "dataset.json" if is_dataset(path) else path for path in paths]
    return tuple(source_file(path) for path in files if path.is_file())

"""A dataset on disk: a folder of Parquet files, images by content hash, and what it says about itself.

<split>.parquet   opens as it is with Hugging Face `datasets`, pandas, DuckDB …
images/           every picture once, under its SHA-256
dataset.json      name, version, how it was made, hashes of all files
croissant.json    Croissant metadata
README.md         the datasheet, and the dataset card that names the splits
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import structs

from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import InputError, InvalidRecords, OnProblem, Problem, fail
from commonsight.store.atomic import new_folder
from commonsight.store.croissant import croissant
from commonsight.store.datasheet import datasheet
from commonsight.store.images import ImageStore
from commonsight.store.info import FORMAT, DatasetInfo, SourceFile, SplitInfo
from commonsight.store.jsonfiles import read_bytes
from commonsight.store.paths import below, is_split_name
from commonsight.store.rows import SCHEMA, Page, from_row, to_page

ROWS = 1000
"""Items in a row group: small enough to stream, large enough to compress."""
READ = 250
"""Items that are read at once."""
OUTLINES = ".polygons."
"""What the paths of the columns of outlines have in them."""
Finish = Callable[[DatasetInfo], DatasetInfo]
TELLING = [field.name for field in SCHEMA if not pa.types.is_nested(field.type)]
"""Columns whose smallest and largest values a row group tells."""


def is_dataset(path: Path) -> bool:
    """Whether the path is a dataset folder."""
    return (path / "dataset.json").is_file()


def write_dataset(
    folder: Path,
    items: Iterable[Item],
    info: DatasetInfo,
    *,
    images: Path | None = None,
    overwrite: bool = False,
    finish: Finish | None = None,
) -> DatasetInfo:
    """Write a dataset; the folder appears only when all of it is there.

    `info` says everything but the splits and the image count, which are found while writing, and what else
    can be told only once all items were seen: `finish` adds that.
    """
    return write_pages(folder, _pages(items), info, images=images, overwrite=overwrite, finish=finish)


def write_pages(
    folder: Path,
    pages: Iterable[Page],
    info: DatasetInfo,
    *,
    images: Path | None = None,
    overwrite: bool = False,
    finish: Finish | None = None,
) -> DatasetInfo:
    """The same from items that are rows already."""
    with new_folder(folder, overwrite=overwrite) as beside:
        store = ImageStore(beside)
        with _Splits(beside) as splits:
            for page in pages:
                splits.add(page if images is None else _with_images(page, images, store))
        info = structs.replace(info, splits=splits.infos(), images=len(store))
        info = info if finish is None else finish(info)
        _write_json(beside / "dataset.json", info)
        _write_json(beside / "croissant.json", croissant(info))
        (beside / "README.md").write_text(datasheet(info), encoding="utf-8")
    return info


def _pages(items: Iterable[Item]) -> Iterator[Page]:
    waiting: list[Item] = []
    for item in items:
        waiting.append(item)
        if len(waiting) == ROWS:
            yield to_page(waiting)
            waiting = []
    if waiting:
        yield to_page(waiting)


def _write_json(path: Path, value: Any) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def _with_images(page: Page, images: Path, store: ImageStore) -> Page:
    """The page with its pictures copied in."""
    return page._replace(scenes=[_with_image(scene, images, store) for scene in page.scenes])


def _with_image(scene: Scene, images: Path, store: ImageStore) -> Scene:
    stored = store.add(below(images, scene.stored or scene.image))  # from a folder, or from a dataset
    size = {} if scene.width is not None else {"width": stored.width, "height": stored.height}
    return structs.replace(scene, stored=stored.stored, **size)


class _Splits:
    """The Parquet files of a dataset while they are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writers: dict[str, pq.ParquetWriter] = {}
        self._waiting: dict[str, pa.Table] = {}
        self._counts: dict[str, int] = {}

    def __enter__(self) -> _Splits:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            for split, rows in self._waiting.items():
                self._write(split, rows)
        for writer in self._writers.values():
            writer.close()

    def add(self, page: Page) -> None:
        for split, part in page.by_split():
            own = pa.Table.from_batches([part.batch()])
            if split in self._waiting:
                own = pa.concat_tables([self._waiting[split], own])
            whole = len(own) - len(own) % ROWS
            self._write(split, own.slice(0, whole))
            self._waiting[split] = own.slice(whole)

    def _write(self, split: str, rows: pa.Table) -> None:
        if split not in self._writers:
            if not is_split_name(split):
                raise InputError(f"'{split}' cannot be a split's name. Use letters, digits, _ and -.")
            path = self._folder / f"{split}.parquet"
            self._writers[split] = pq.ParquetWriter(
                path, SCHEMA, compression="zstd", write_statistics=TELLING
            )
            self._counts[split] = 0
        if len(rows):
            self._writers[split].write_table(rows, row_group_size=ROWS)
            self._counts[split] += len(rows)

    def infos(self) -> dict[str, SplitInfo]:
        return {
            split: SplitInfo(f"{split}.parquet", count, sha256(self._folder / f"{split}.parquet"))
            for split, count in self._counts.items()
        }


def sha256(path: Path) -> str:
    """A file's SHA-256, read piece by piece."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def source_file(path: Path) -> SourceFile:
    """A file that a dataset is made from, for its provenance."""
    return SourceFile(path.name, sha256(path))


def read_info(folder: Path, on_problem: OnProblem = fail) -> DatasetInfo | None:
    """What the dataset says about itself."""
    path = folder / "dataset.json"
    content = read_bytes(path, on_problem)
    if content is None:
        return None
    try:
        info = msgspec.json.decode(content, type=DatasetInfo)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        on_problem(Problem(path, str(error), "Make the dataset again, or restore this file."))
        return None
    if info.format != FORMAT:
        message = f"the dataset's format is {info.format}, this version reads {FORMAT}"
        on_problem(
            Problem(path, message, "Install the version that made it, or make it again.", field="format")
        )
        return None
    for name, entry in info.splits.items():
        if entry.file != f"{name}.parquet" or not is_split_name(name):
            message = f"split '{name}' cannot be in '{entry.file}'"
            on_problem(Problem(path, message, "A split lies beside this file, as <split>.parquet."))
            return None
    return info


def read_dataset(
    folder: Path, *, split: str | None = None, on_problem: OnProblem = fail, outlines: bool = True
) -> Iterator[Item]:
    """The items of a dataset, split by split, as a stream. Without objects' outlines it takes a fraction of
    the time: they are most of what a file with masks holds."""
    info = read_info(folder, on_problem)
    if info is None:
        return
    if split is not None and split not in info.splits:
        message = f"there is no split '{split}'"
        on_problem(Problem(folder, message, f"Choose one of: {', '.join(info.splits)}.", field="split"))
        return
    for name, entry in info.splits.items():
        if split in (None, name):
            yield from _read_split(folder / entry.file, on_problem, outlines)


def _read_split(path: Path, on_problem: OnProblem, outlines: bool = True) -> Iterator[Item]:
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(SCHEMA):
                on_problem(Problem(path, "the columns are not those of a dataset", "Make the dataset again."))
                return
            columns = None if outlines else [name for name in _columns(file) if OUTLINES not in name]
            for batch in file.iter_batches(batch_size=READ, columns=columns):
                for row in batch.to_pylist():
                    item = _decoded(path, row, on_problem)
                    if item is not None:
                        yield item
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        on_problem(
            Problem(path, f"the file cannot be read ({_first_line(error)})", "Make the dataset again.")
        )


def read_row(folder: Path, split: str, row: int) -> Item:
    """One item, by its place in its split: only the row group that holds it is read."""
    path = folder / f"{split}.parquet"
    try:
        with pq.ParquetFile(path) as file:
            group, first = 0, 0
            while row >= first + file.metadata.row_group(group).num_rows:
                first += file.metadata.row_group(group).num_rows
                group += 1
            (found,) = file.read_row_group(group).slice(row - first, 1).to_pylist()
    except (OSError, IndexError, pa.ArrowException) as error:
        message = f"row {row} cannot be read ({_first_line(error)})"
        raise InvalidRecords([Problem(path, message, "Make the dataset again.")]) from error
    return from_row(found)


class Readable(NamedTuple):
    """An item beside its texts as people read them, which the file holds ready."""

    item: Item
    texts: dict[str, str]
    choices: tuple[str, ...]
    rationales: tuple[str, ...]


def row_groups(folder: Path) -> list[tuple[str, int]]:
    """Every row group of a dataset, in order: what several processes can share out."""
    info = read_info(folder)
    assert info is not None  # `read_info` raises here
    found = []
    for split, entry in info.splits.items():
        with pq.ParquetFile(folder / entry.file) as file:
            found += [(split, group) for group in range(file.num_row_groups)]
    return found


def read_group(folder: Path, split: str, group: int) -> Iterator[Readable]:
    """The items of one row group, without outlines."""
    path = folder / f"{split}.parquet"
    with pq.ParquetFile(path) as file:
        columns = [name for name in _columns(file) if OUTLINES not in name]
        rows = file.read_row_group(group, columns=columns).to_pylist()
    for row in rows:
        item = _decoded(path, row, fail)
        assert item is not None  # `fail` raises
        texts = {entry["role"]: entry["text"]["text"] for entry in row["texts"]}
        readable = (tuple([text["text"] for text in row[name]]) for name in ("choices", "rationales"))
        yield Readable(item, texts, *readable)


def _columns(file: pq.ParquetFile) -> list[str]:
    """Each with the path that leads to it, such as scenes.list.element.image."""
    return [file.schema.column(number).path for number in range(len(file.schema))]


def _decoded(path: Path, row: dict[str, Any], on_problem: OnProblem) -> Item | None:
    try:
        return from_row(row)
    except (InputError, ValueError, TypeError, RecursionError) as error:
        message = f"this row is not an item ({_first_line(error)})"
        on_problem(Problem(path, message, "Make the dataset again.", record=str(row["id"])))
        return None


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


def check_dataset(folder: Path) -> list[Problem]:
    """Everything wrong with a dataset: files, hashes, counts, ids, items, images."""
    problems: list[Problem] = []
    info = read_info(folder, problems.append)
    if info is None:
        return problems
    images: dict[str, Problem | None] = {}
    for name, entry in info.splits.items():
        path = folder / entry.file
        if path.is_file() and sha256(path) != entry.sha256:
            problems.append(
                Problem(path, "the file is not the one that was written", "Restore it.", field="sha256")
            )
            continue  # whatever it holds now says nothing about the dataset
        seen: set[str] = set()
        rows = 0
        for item in _read_split(path, problems.append):
            problems.extend(_item_problems(path, item, seen))
            for stored in (scene.stored for scene in item.scenes if scene.stored is not None):
                if stored not in images:
                    images[stored] = _image_problem(folder, stored, item.id)
            seen.add(item.id)
            rows += 1
        if path.is_file() and rows != entry.items:
            message = f"split {name} holds {rows} items, dataset.json says {entry.items}"
            problems.append(Problem(path, message, "Restore the file or make the dataset again."))
    return problems + [problem for problem in images.values() if problem is not None]


def _item_problems(path: Path, item: Item, seen: set[str]) -> Iterator[Problem]:
    if item.id in seen:
        yield Problem(path, "the id was used before", "Give every item its own.", record=item.id, field="id")
    for fault in faults(item):
        yield Problem(path, fault.message, fault.remedy, record=item.id, field=fault.field)


def _image_problem(folder: Path, stored: str, record: str) -> Problem | None:
    try:
        path = below(folder, stored)
    except InputError as error:
        return Problem(folder, str(error).rstrip("."), "Make the dataset again.", record=record)
    if not path.is_file():
        return Problem(path, "the image is missing", "Restore it.", record=record)
    if sha256(path) != path.stem:  # a picture's name is its hash
        return Problem(path, "the image is not the one that was written", "Restore it.", record=record)
    return None


def open_items(folder: Path, split: str | None = None) -> tuple[DatasetInfo, Iterator[Item]]:
    """A dataset's information and its items, for those who need both."""
    info = read_info(folder)
    if info is None:
        raise InvalidRecords(
            [Problem(folder, "this is not a dataset", "Make one with `commonsight convert`.")]
        )
    return info, read_dataset(folder, split=split)

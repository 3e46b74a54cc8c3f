"""Native files, read and written from a benchmark's declaration of its format."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from commonsight.core.benchmark import NativeFormat, Sidecar, Source
from commonsight.core.checks import Fault, faults
from commonsight.core.item import Item
from commonsight.errors import InputError, OnProblem, Problem, fail
from commonsight.store.jsonfiles import Decoder, Record, json_problem, read_array, read_bytes, read_lines
from commonsight.store.paths import below, is_split_name

_SPLIT = re.compile(r"(?<![a-z])(train|validation|valid|val|dev|testdev|test\d*)(?![a-z])", re.IGNORECASE)
_SAME = {"valid": "val", "validation": "val"}


def split_from_name(name: str) -> str | None:
    """The split that a file's name tells: `val_152.jsonl` is val, `balanced_dev.json` is dev."""
    match = _SPLIT.search(Path(name).stem.replace("_", "-"))
    if match is None:
        return None
    split = match.group(1).lower()
    return _SAME.get(split, split)


def read_native(
    native: NativeFormat[Any],
    paths: Sequence[Path],
    *,
    split: str | None = None,
    images: Path | None = None,
    on_problem: OnProblem = fail,
) -> Iterator[Item]:
    """The items of native files, in order, checked. Sidecar files are looked up below `images`."""
    seen: dict[tuple[str, str], tuple[Path, int]] = {}
    sidecars = None
    if images is not None and native.sidecar is not None:
        sidecars = _Sidecars(native.sidecar, images, on_problem)
    for path in paths:
        sources = _Sources(native, path, split)
        for record in _records(native, path, on_problem):
            item = _item(native, record, path, sources, on_problem)
            if item is None:
                continue
            if sidecars is not None:
                item = sidecars.attach(item)
                if item is None:
                    continue
            wrong = [_problem(native, fault, path, record.line, item.id) for fault in faults(item)]
            if (item.split, item.id) in seen:
                wrong.append(_doubled(native, path, record.line, item.id, seen[item.split, item.id]))
            for problem in wrong:
                on_problem(problem)
            if not wrong:
                seen[item.split, item.id] = (path, record.line)
                yield item


def _records(native: NativeFormat[Any], path: Path, on_problem: OnProblem) -> Iterator[Record[Any]]:
    lines = native.layout == "lines" or path.suffix == ".jsonl"  # an ending that says so, whoever wrote it
    read = read_lines if lines else read_array
    return read(path, native.record, on_problem)


class _Sources:
    """Where the records of one file come from: made once a split, not once a record."""

    def __init__(self, native: NativeFormat[Any], path: Path, split: str | None) -> None:
        self._split_of = native.split_of
        self._name = path.name
        self._told = split
        self._by_name = split_from_name(path.name)
        self._made: dict[str, Source] = {}

    def of(self, record: Any) -> Source | None:
        split = self._told or self._split_of(record) or self._by_name
        if split is None:
            return None
        if split not in self._made:
            if not is_split_name(split):
                raise FieldError(
                    "split", f"'{split}' cannot be a split's name", "Use letters, digits, _ and -."
                )
            self._made[split] = Source(self._name, split)
        return self._made[split]


def _item(
    native: NativeFormat[Any], record: Record[Any], path: Path, sources: _Sources, on_problem: OnProblem
) -> Item | None:
    try:
        source = sources.of(record.value)
        if source is not None:
            return native.to_item(record.value, record.unknown, source)
    except FieldError as error:
        on_problem(Problem(path, error.message, error.remedy, record.line, field=error.field))
        return None
    message = "neither the record nor the file's name says which split this is"
    on_problem(
        Problem(path, message, "Name it with --split, such as --split val.", record.line, field="split")
    )
    return None


class FieldError(ValueError):
    """Raised by a benchmark's `to_item`: a value that has the right type and cannot be right."""

    def __init__(self, field: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.field, self.message, self.remedy = field, message, remedy


def _problem(native: NativeFormat[Any], fault: Fault, path: Path, line: int, record: str) -> Problem:
    name = native.native_names.get(fault.field, fault.field)
    return Problem(path, fault.message, fault.remedy, line, record, name)


def _doubled(
    native: NativeFormat[Any], path: Path, line: int, record: str, first: tuple[Path, int]
) -> Problem:
    where = f"{first[0].name}:{first[1]}"
    name = native.native_names.get("id", "id")
    return Problem(
        path, f"the id was used before, at {where}", "Give every record its own.", line, record, name
    )


class _Sidecars:
    """The files beside the images. Items of one image mostly stand together, so the last file is kept."""

    def __init__(self, sidecar: Sidecar[Any], images: Path, on_problem: OnProblem) -> None:
        self._sidecar, self._images, self._on_problem = sidecar, images, on_problem
        self._decoder = Decoder(sidecar.record)
        self._last: tuple[str, tuple[Any, dict[str, Any]] | None] | None = None

    def attach(self, item: Item) -> Item | None:
        """The item with what its image's file says; None once the problem has been told."""
        name = self._sidecar.name(item)
        if name is None:
            return item
        if self._last is None or self._last[0] != name:
            self._last = (name, self._read(name))
        content = self._last[1]
        if content is None:
            return None
        try:
            return self._sidecar.attach(item, *content)
        except FieldError as error:
            path = self._images / name
            self._on_problem(Problem(path, error.message, error.remedy, None, item.id, error.field))
            return None

    def _read(self, name: str) -> tuple[Any, dict[str, Any]] | None:
        try:
            path = below(self._images, name)
        except InputError as error:
            self._on_problem(Problem(self._images, str(error).rstrip("."), "Correct the record."))
            return None
        content = read_bytes(path, self._on_problem)
        if content is None:
            return None
        try:
            return self._decoder.decode(content)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._on_problem(json_problem(path, error, content, None))
            return None


def write_native(native: NativeFormat[Any], items: Iterable[Item], folder: Path) -> dict[str, int]:
    """Write items back as native files; gives each file's name and how many records it got.

    Files are written below a hidden folder and all renamed at the end: if anything fails, none is there.
    """
    records: dict[str, int] = {}
    with _renamed_at_end(folder) as beside, ExitStack() as open_files:
        writers: dict[str, _Writer] = {}
        for item in items:
            name = native.file_name(item)
            if name not in writers:
                if not is_split_name(item.split):
                    raise InputError(
                        f"'{item.split}' cannot be a split's name. Use letters, digits, _ and -."
                    )
                writers[name] = open_files.enter_context(
                    closing(_Writer(below(beside, name), native.layout == "array"))
                )
            writers[name].add(native.from_item(item))
            records[name] = records.get(name, 0) + 1
            if native.sidecar is not None:
                _write_sidecar(native.sidecar, item, beside, records)
    return records


class _Writer:
    """One native file while it is written: JSON lines, or the pieces of a JSON array."""

    def __init__(self, path: Path, array: bool) -> None:
        self._array = array
        self._stream = path.open("wb")
        self._first = True

    def add(self, record: dict[str, Any]) -> None:
        before = b"" if not self._array else b"[\n" if self._first else b",\n"
        self._stream.write(before + msgspec.json.encode(record) + (b"" if self._array else b"\n"))
        self._first = False

    def close(self) -> None:
        if self._array:
            self._stream.write(b"\n]\n")
        self._stream.close()


@contextmanager
def _renamed_at_end(folder: Path) -> Iterator[Path]:
    """A hidden folder inside `folder`; its files move up only if the block ends well."""
    made = not folder.exists()
    beside = folder / f".{os.getpid()}.part"
    beside.mkdir(parents=True, exist_ok=True)
    try:
        yield beside
        for path in sorted(path for path in beside.rglob("*") if path.is_file()):
            final = folder / path.relative_to(beside)
            final.parent.mkdir(parents=True, exist_ok=True)
            path.replace(final)
    except BaseException:
        shutil.rmtree(beside if not made else folder, ignore_errors=True)
        raise
    shutil.rmtree(beside, ignore_errors=True)


def _write_sidecar(sidecar: Sidecar[Any], item: Item, beside: Path, records: dict[str, int]) -> None:
    name, content = sidecar.name(item), sidecar.extract(item)
    if name is None or content is None:
        return
    key = f"images/{name}"
    if key not in records:
        path = below(beside / "images", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(content))
        records[key] = 1

"""Feature files: in the safetensors format, opened without being read, written piece by piece.

What frozen encoders make of a dataset is far larger than memory, and each batch needs a few rows of it. So a
file is mapped, and the system reads those pages that are looked at. The format is that of the safetensors
library, which opens the same files: eight bytes that say how long the header is, the header (JSON: what each
tensor is called, its type, its shape and its place), and the numbers.

A file is written beside and renamed when it is whole. The rows come last, so that they can be appended as
they are made, and whoever is killed goes on after the last of them. One process at a time writes to what was
begun; another that wants the same file meanwhile writes one of its own.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import DTypeLike, NDArray

from commonsight.errors import InvalidRecords, Problem

MOST_HEADER = 100_000_000
"""Bytes: the library's own limit, so that a damaged length is not believed."""
TYPES: dict[str, str] = {"U8": "|u1", "I64": "<i8", "F16": "<f2", "F32": "<f4"}
"""The types that feature files have, in the format's names and in numpy's."""
_NAMES = {np.dtype(kind): name for name, kind in TYPES.items()}
_TOLD = "__metadata__"
REMEDY = "Remove the file, so that it is made anew."


class Entry(Struct, frozen=True):
    """One tensor, as the header tells of it."""

    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


class Rows(NamedTuple):
    """What the rows of a file are."""

    total: int
    shape: tuple[int, ...]
    """Of one row."""
    dtype: str
    """As numpy calls it: uint8, float16, float32."""


class Opened(NamedTuple):
    """A file, mapped: arrays by name, of which nothing is read until it is looked at."""

    path: Path
    arrays: dict[str, NDArray[Any]]
    told: dict[str, str]


def feature_path(folder: Path, kind: str, *, sources: Iterable[str], name: str, **options: object) -> Path:
    """Where features lie: known by what they are made from.

    `sources` are the hashes of the dataset's files, `name` is the encoder's, which says which weights it has.
    """
    parts = {"sources": sorted(sources), "name": name, "options": options}
    said = json.dumps(parts, sort_keys=True, default=str).encode()
    return folder / f"{kind}-{hashlib.sha256(said).hexdigest()[:32]}.safetensors"


def header(small: Mapping[str, NDArray[Any]], rows: Rows, told: Mapping[str, str]) -> bytes:
    """The beginning of a file up to its first row: the header, and the small arrays."""
    entries: dict[str, object] = {_TOLD: dict(told)}
    end = 0
    for name, array in small.items():
        entries[name], end = _entry(array.dtype, array.shape, end)
    entries["rows"], _ = _entry(rows.dtype, (rows.total, *rows.shape), end)
    said = msgspec.json.encode(entries)
    said += b" " * (-len(said) % 8)  # so that numbers begin where processors like them to
    octets = (array.astype(array.dtype.newbyteorder("<")).tobytes() for array in small.values())
    return len(said).to_bytes(8, "little") + said + b"".join(octets)


def _entry(dtype: DTypeLike, shape: tuple[int, ...], start: int) -> tuple[Entry, int]:
    kind = np.dtype(dtype)
    if kind not in _NAMES:
        raise ValueError(f"feature files hold {', '.join(map(str, _NAMES))}, not {kind}")
    end = start + math.prod(shape) * kind.itemsize
    return Entry(_NAMES[kind], tuple(shape), (start, end)), end


def open_file(path: Path, kind: str) -> Opened:
    """Map a file of this kind; whatever it is instead is told, with the remedy."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            if size < 8:
                raise broken(path, f"the file has {size} bytes, which is no feature file")
            whole = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidRecords([Problem(path, f"the features cannot be read ({reason})", REMEDY)]) from error
    length = int.from_bytes(whole[:8], "little")
    if length > min(MOST_HEADER, size - 8):
        raise broken(path, f"the header is said to have {length} bytes; the file ends before that")
    entries, told = _decoded(path, whole[8 : 8 + length])
    if told.get("kind") != kind:
        raise broken(path, f"this holds {told.get('kind') or 'something else'}, not {kind}")
    _check_places(path, entries, size - 8 - length)
    return Opened(path, {name: _array(whole, 8 + length, entry) for name, entry in entries.items()}, told)


def _decoded(path: Path, said: bytes) -> tuple[dict[str, Entry], dict[str, str]]:
    try:
        parts = msgspec.json.decode(said, type=dict[str, msgspec.Raw])
        told = msgspec.json.decode(parts.pop(_TOLD, b"{}"), type=dict[str, str])
        return {name: msgspec.json.decode(part, type=Entry) for name, part in parts.items()}, told
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise broken(path, f"the header is not that of a safetensors file ({error})") from error


def _check_places(path: Path, entries: Mapping[str, Entry], size: int) -> None:
    """Tensors lie one after another, without a gap, and fill the file."""
    end = 0
    for name, entry in sorted(entries.items(), key=lambda named: named[1].data_offsets):
        if entry.dtype not in TYPES or min(entry.shape, default=0) < 0:
            raise broken(path, f"{name} is {entry.dtype} of the shape {list(entry.shape)}")
        start, stop = entry.data_offsets
        wanted = math.prod(entry.shape) * np.dtype(TYPES[entry.dtype]).itemsize
        if start != end or stop - start != wanted:
            message = f"{name} is said to lie from {start} to {stop}, but should begin at {end} and has "
            raise broken(path, f"{message}{wanted} bytes")
        end = stop
    if end != size:
        raise broken(path, f"the header tells of {end} bytes of numbers, the file has {size}")


def _array(whole: mmap.mmap, begin: int, entry: Entry) -> NDArray[Any]:
    count = math.prod(entry.shape)
    kind = np.dtype(TYPES[entry.dtype])
    if not count:
        return np.zeros(entry.shape, kind)
    flat = np.frombuffer(whole, kind, count, begin + entry.data_offsets[0])
    return flat.reshape(entry.shape)


def broken(path: Path, message: str) -> InvalidRecords:
    """A file that is not what it should be."""
    return InvalidRecords([Problem(path, message, REMEDY)])


def check_name(path: Path, found: str, wanted: str) -> None:
    """Whether features are of the encoder that is asked for."""
    if found != wanted:
        raise broken(path, f"this was made by {found}, not by {wanted}")


def array(opened: Opened, name: str, dtype: DTypeLike, dimensions: int) -> NDArray[Any]:
    """An array that the file must have."""
    found = opened.arrays.get(name)
    if found is None or found.dtype != np.dtype(dtype) or found.ndim != dimensions:
        what = "is missing" if found is None else f"is {found.dtype} of the shape {list(found.shape)}"
        raise broken(opened.path, f"{name} {what}; it should be {np.dtype(dtype)} in {dimensions} dimensions")
    return found


def rows(opened: Opened) -> NDArray[Any]:
    """The rows of a file."""
    found = opened.arrays.get("rows")
    if found is None or found.ndim < 1:
        raise broken(opened.path, "there are no rows in it")
    return found

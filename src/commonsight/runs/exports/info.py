"""What an export says of itself, and the items that it carries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from commonsight import __version__
from commonsight.core.item import Item
from commonsight.errors import InvalidRecords, Problem
from commonsight.store.jsonfiles import json_problem, numbered_lines, read_bytes

FORMAT = 1
INFO = "export.json"
ITEMS = "items.jsonl"
Peer = Literal["inspect", "lmms-eval", "vlmevalkit"]


class ExportedTask(Struct, frozen=True):
    """What an export says of one of its tasks."""

    name: str
    title: str
    called: str
    """What the peer calls it, such as `commonsight_vcr_q2a`."""
    prompt: str
    most_tokens: int
    samples: int
    metrics: dict[str, bool]
    """Each metric, and whether its unit is a whole group (consistency)."""


class ExportInfo(Struct, frozen=True):
    """What `export.json` holds."""

    peer: Peer
    benchmark: str
    title: str
    dataset: str
    pictures: bool
    tasks: tuple[ExportedTask, ...]
    commonsight: str = __version__
    format: int = FORMAT


def exported_name(benchmark: str, task: str) -> str:
    """What a peer calls a task: ours are told from its own by their first word."""
    return f"commonsight_{benchmark}_{task}"


def is_export(path: Path) -> bool:
    """Whether the path is an export's folder."""
    return (path / INFO).is_file() and (path / ITEMS).is_file()


def read_export(folder: Path) -> ExportInfo:
    """What an export says of itself."""
    path = folder / INFO
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:
        info = msgspec.json.decode(content, type=ExportInfo)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecords([Problem(path, str(error), "Export the benchmark again.")]) from error
    if info.format != FORMAT:
        message = f"the export's format is {info.format}, this version reads {FORMAT}"
        raise InvalidRecords([Problem(path, message, "Export the benchmark again.", field="format")])
    return info


def read_items(folder: Path) -> Iterator[Item]:
    """The items of an export, as they were."""
    path = folder / ITEMS
    decode = msgspec.json.Decoder(Item).decode
    for number, line in numbered_lines(path):
        try:
            yield decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidRecords([json_problem(path, error, line, number)]) from error

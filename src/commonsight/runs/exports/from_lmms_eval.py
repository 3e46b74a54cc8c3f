"""Replies from lmms-eval's samples: `<date>_samples_<task>.jsonl`, written with `--log_samples`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from commonsight.errors import UsageError, fail
from commonsight.runs.exports.marking import UNREAD
from commonsight.runs.exports.replies import Collected, Place, Replies
from commonsight.runs.variants import Key
from commonsight.store.jsonfiles import read_bytes, read_lines
from commonsight.vlm.client import Reply

SAMPLES = "*_samples_commonsight_*.jsonl"


class _Line(Struct):
    filtered_resps: Any
    resps: Any = None
    """Only where it differs: what the model said before lmms-eval's filters."""
    unread: dict[str, Any] = {}
    """The part of our own metric, which says whose reply it is."""
    doc: dict[str, Any] = {}


class _Results(Struct):
    model_name: str | None = None
    model_source: str | None = None


def read_lmms_eval(path: Path) -> Replies:
    """The replies of one file of samples, or of all in a folder."""
    files = sorted(path.rglob(SAMPLES)) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{path}: there is no file {SAMPLES} in it. Run lmms-eval with --log_samples.")
    return Replies(_model(files[0]), (found for file in files for found in _collected(file)))


def _model(path: Path) -> str:
    date = path.name.partition("_samples_")[0]
    results = path.with_name(f"{date}_results.json")
    if not results.is_file():
        return ""
    content = read_bytes(results)
    assert content is not None  # `read_bytes` raises here
    try:
        told = msgspec.json.decode(content, type=_Results)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""  # NaN, say: only a name would have been taken from it
    return told.model_name or told.model_source or ""


def _collected(path: Path) -> Iterator[Collected]:
    for record in read_lines(path, _Line):
        place = Place(path, record.line)
        line = record.value
        told = line.unread if "item" in line.unread else line.doc
        item, task = told.get("item"), told.get("task")
        if not isinstance(item, str) or not isinstance(task, str):
            remedy = "Give samples of a task that `commonsight export` wrote."
            fail(place.problem("this line does not say which item and task it is", remedy, UNREAD))
        texts = list(_texts(line.filtered_resps if line.resps is None else line.resps))
        if not texts:
            fail(place.problem("there is no reply in it", "Run lmms-eval again for it.", "filtered_resps"))
        for epoch, text in enumerate(texts):
            yield Collected(item, Key(task, epoch=epoch), Reply(text), "", place)


def _texts(value: Any) -> Iterator[str]:
    """The replies, however deep lmms-eval's lists around them are."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)

"""Replies from VLMEvalKit's result: the exported table, without pictures, with a column `prediction`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from commonsight.errors import UsageError
from commonsight.runs.exports.for_vlmevalkit import ITEM, TASK
from commonsight.runs.exports.replies import Collected, Place, Replies
from commonsight.runs.exports.tables import read_table
from commonsight.runs.variants import Key
from commonsight.vlm.client import Reply

FAILED = "Failed to obtain answer via API."
"""What VLMEvalKit writes for a question that got no answer."""


def read_vlmevalkit(path: Path) -> Replies:
    """The replies of one table, or of all in a folder."""
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in (".tsv", ".csv", ".xlsx"))
    if not files:
        raise UsageError(f"{path}: there is no result in it. Give MODEL_DATASET.tsv, .csv or .xlsx.")
    model, ours, _ = files[0].stem.partition("_commonsight_")
    return Replies(model if ours else "", (found for file in files for found in _collected(file)))


def _collected(path: Path) -> Iterator[Collected]:
    for row in read_table(path, (ITEM, TASK, "prediction")):
        cells, place = row.cells, Place(path, row.line)
        text = cells["prediction"]
        failed = FAILED in text
        reply = None if failed else Reply(text)
        yield Collected(cells[ITEM], Key(cells[TASK]), reply, FAILED if failed else "", place)

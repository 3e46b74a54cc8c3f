"""Runs that err at every so manyth item: made in a moment, for benchmarks and tests of what looks at runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run

CHOICES = 4


def erring_run(
    folder: Path,
    items: Sequence[Item],
    wrong_every: int,
    *,
    sure: float | None = None,
    reply: str | None = None,
) -> Path:
    """A run of VCR's first task, named as its folder; with `sure`, it tells how likely it held its pick."""
    create_run(folder, RunInfo("vcr", folder.name, "vcr", ("q2a",), "1"))
    lines = []
    for number, item in enumerate(items):
        assert isinstance(item.gold, Pick)
        pick = item.gold.index if number % wrong_every else (item.gold.index + 1) % CHOICES
        extra = {} if sure is None else {"probabilities": _chances(pick, sure), "model": "scripted"}
        lines.append(AnswerLine(item.id, "q2a", Pick(pick), reply and reply.format(number=number), extra))
    log = RunLog(folder)
    log.extend(lines)
    log.close()
    return folder


def _chances(pick: int, sure: float) -> list[float]:
    rest = (1 - sure) / (CHOICES - 1)
    return [sure if place == pick else rest for place in range(CHOICES)]

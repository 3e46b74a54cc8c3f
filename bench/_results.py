"""Scores of networks by table, row and seed: kept in bench/results.json, shown in docs/results.md."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
KEPT, PAGE = ROOT / "bench" / "results.json", ROOT / "docs" / "results.md"

def real_folder() -> Path:
    """Where the real files are: COMMONSIGHT_DATA, or shared/data beside the checkout."""
    named = os.environ.get("COMMONSIGHT_DATA")
    return Path(named) if named else ROOT.parent / "shared" / "data"


Scores = dict[str, float]
Results = dict[str, dict[str, dict[str, Scores]]]
"""By table, row and seed."""


class Shown(NamedTuple):
    """How a table is written."""

    name: str
    title: str
    metrics: Mapping[str, str]
    """By name what it is called."""
    rows: tuple[str, ...]
    by: str = "quality_networks.py"
    """The script that writes it."""

    @property
    def markers(self) -> tuple[str, str]:
        """Between which it stands on the page."""
        begin = f"<!-- begin {self.name}: written by `bench/{self.by} --write`, not by hand -->"
        return begin, f"<!-- end {self.name} -->"


def read_kept(path: Path = KEPT) -> Results:
    """What was measured before."""
    if not path.is_file():
        return {}
    found: Results = json.loads(path.read_text(encoding="utf-8"))
    return found


def merged(before: Results, now: Results) -> Results:
    """Both, with what was measured now in place of what was before."""
    together = json.loads(json.dumps(before))
    for table, rows in now.items():
        for row, seeds in rows.items():
            together.setdefault(table, {}).setdefault(row, {}).update(seeds)
    found: Results = together
    return found


def keep(results: Results, path: Path = KEPT) -> None:
    """Write them down, in a fixed order."""
    path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def lines(table: Shown, results: Results) -> Iterator[str]:
    """Mean and deviation over the seeds, as Markdown."""
    yield f"| {table.title} | seeds | " + " | ".join(table.metrics.values()) + " |"
    yield "|---|---:|" + "---:|" * len(table.metrics)
    for row in table.rows:
        seeds = list(results.get(table.name, {}).get(row, {}).values())
        if seeds:
            cells = [cell([seed[name] for seed in seeds if name in seed]) for name in table.metrics]
            yield f"| `{row}` | {len(seeds)} | " + " | ".join(cells) + " |"


def cell(values: list[float]) -> str:
    """In per cent."""
    if not values:
        return "–"
    spread = f" ± {100 * stdev(values):.1f}" if len(values) > 1 else ""
    return f"{100 * fmean(values):.1f}{spread}"


def written(text: str, tables: Iterable[Shown], results: Results) -> str:
    """The page with every table that has a place on it as it is now."""
    for table in tables:
        begin, end = table.markers
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise SystemExit(f"{PAGE} has no place for table '{table.name}': {begin} … {end}")
        text = "\n".join((before + begin, "", *lines(table, results), "", end + after))
    return text


def write(found: Results, tables: Iterable[Shown]) -> None:
    """Into what is kept, and on the page."""
    together = merged(read_kept(), found)
    keep(together)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), tables, together), encoding="utf-8")

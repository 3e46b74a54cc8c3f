"""Run every benchmark; with `--write`, put the figures into docs/performance.md and bench/README.md.

`--only NAME` runs one of them and leaves the other figures as they were written last.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import bench_audit
import bench_collect
import bench_detect
import bench_explore
import bench_imaging
import bench_matching
import bench_modules
import bench_programs
import bench_questions
import bench_read_vcr
import bench_reasoning
import bench_run
import bench_score
import bench_sets
import bench_train
import bench_world
from _figures import Figure, arguments, show, table

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "<!-- begin: written by `python bench/run_all.py --write`, not by hand -->"
END = "<!-- end -->"

INTRODUCTION = """# Performance

Every figure is a ratio of two things measured in the same run on the same machine, in turn, and the median
over the rounds: seconds differ from machine to machine, ratios hardly. Rates (so many a second), seconds and
gigabytes are this machine's own; the ratio beside them is what to compare. Memory is the peak of a process of
its own, less that of a process that only imports. The records are made up by seed, in the size and shape of
the real ones; the scenes are drawn. `make bench` measures on your machine;
[bench/README.md](../bench/README.md) says what each figure means.
"""


class Section(NamedTuple):
    """The figures of one benchmark file."""

    title: str
    figures: Callable[[int], list[Figure]]


SECTIONS = {
    "reading": Section("Reading", lambda rounds: bench_read_vcr.figures(rounds=rounds)),
    "scoring": Section("Scoring", lambda rounds: bench_score.figures(rounds=rounds)),
    "world": Section("The dollhouse", lambda rounds: bench_world.figures(rounds=rounds)),
    "matching": Section("Adversarial Matching", lambda rounds: bench_matching.figures(rounds=rounds)),
    "questions": Section("Compositional questions", lambda rounds: bench_questions.figures(rounds=rounds)),
    "audit": Section("Audit", lambda _: bench_audit.figures()),
    "run": Section("Asking a model", lambda rounds: bench_run.figures(rounds=rounds)),
    "collect": Section("Collecting", lambda rounds: bench_collect.figures(rounds=rounds)),
    "imaging": Section("Imaging", lambda rounds: bench_imaging.figures(rounds=rounds)),
    "detect": Section("Detection", lambda rounds: bench_detect.figures(rounds=rounds)),
    "sets": Section("Similar-image sets", lambda rounds: bench_sets.figures(rounds=rounds)),
    "train": Section("Training", lambda rounds: bench_train.figures(rounds=rounds)),
    "programs": Section("Executing programs", lambda rounds: bench_programs.figures(rounds=rounds)),
    "reasoning": Section("Reasoning networks", lambda rounds: bench_reasoning.figures(rounds=rounds)),
    "modules": Section("Module networks", lambda rounds: bench_modules.figures(rounds=rounds)),
    "explore": Section("Explorer", lambda rounds: bench_explore.figures(rounds=rounds)),
}


def page(tables: dict[str, str]) -> str:
    """The whole of docs/performance.md."""
    sections = [f"## {title}\n\n{rows}\n" for title, rows in tables.items()]
    return "\n".join([f"{BEGIN}\n{INTRODUCTION}", *sections]) + f"{END}\n"


def tables_in(text: str) -> dict[str, str]:
    """The tables of a page, by their headings."""
    found = re.findall(r"^## (.+)\n\n((?:\|.*\n)+)", text, re.MULTILINE)
    return {title: rows.rstrip("\n") for title, rows in found}


def between_markers(text: str, content: str) -> str:
    """The text with what stands between the markers replaced."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("bench/README.md has lost the markers between which the tables stand")
    return f"{before}{BEGIN}\n\n{content}\n\n{END}{after}"


def write(measured: dict[str, list[Figure]]) -> None:
    """Put new figures in the place of the old ones; those not measured stay."""
    performance, readme = ROOT / "docs" / "performance.md", ROOT / "bench" / "README.md"
    known = tables_in(performance.read_text("utf-8"))
    known |= {SECTIONS[name].title: table(figures) for name, figures in measured.items()}
    tables = {section.title: known[section.title] for section in SECTIONS.values() if section.title in known}
    performance.write_text(page(tables), encoding="utf-8")
    content = "\n\n".join(f"### {title}\n\n{rows}" for title, rows in tables.items())
    readme.write_text(between_markers(readme.read_text("utf-8"), content), encoding="utf-8")


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--write", action="store_true", help="write the figures into the docs")
    parser.add_argument("--only", choices=sorted(SECTIONS), help="run one benchmark")
    options = parser.parse_args()
    chosen = [options.only] if options.only else list(SECTIONS)
    measured = {name: SECTIONS[name].figures(options.rounds) for name in chosen}
    show([figure for figures in measured.values() for figure in figures], options.json)
    if options.write:
        write(measured)


if __name__ == "__main__":
    main()

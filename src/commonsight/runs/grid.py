"""A network trained on each part of a dataset and tested on each, as PMR's Table 2 does, for several seeds.

    <out>/seed-0/Ori/trained/       a training like any other
    <out>/seed-0/Ori/tested-Adv/    a run like any other: what it says to another part
    <out>/grid.json, grid.md        all cells: means and deviations over the seeds

Every folder is gone on with, so the same command goes on with the whole, and more seeds add to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from msgspec import Struct

from commonsight import __version__
from commonsight.errors import UsageError
from commonsight.models.catalogue import find
from commonsight.models.engine.team import refuse_several
from commonsight.runs.labels import labelled
from commonsight.runs.lessons import Lessons, lessons
from commonsight.runs.predicting import Asked, predict
from commonsight.runs.summary import RunReport
from commonsight.runs.training import Surroundings, planned, train
from commonsight.score.intervals import Figure
from commonsight.store.atomic import new_file
from commonsight.store.dataset import read_info
from commonsight.store.documents import write_document

NAME = "train-grid"
GRID, TABLES = "grid.json", "grid.md"
_PART = re.compile(r"\w[\w.-]*")
_EXAMPLE = '--parts "Ori:half=ori,Adv:half=adv,Mix:"'


class Summary(Struct, frozen=True):
    """One metric over all seeds."""

    mean: float | None
    """None where no item counts."""
    deviation: float | None
    """Of a sample, so none of one seed."""
    seeds: tuple[float | None, ...]
    n: int
    """Items or pairs that count, for each seed."""


class Cell(Struct, frozen=True):
    """One part to train on, one to test on."""

    trained: str
    tested: str
    metrics: dict[str, Summary]


class Grid(Struct, frozen=True):
    """What `grid.json` holds."""

    benchmark: str
    dataset: str
    network: str
    title: str
    parts: dict[str, str]
    """By name the slice, or nothing for everything."""
    seeds: int
    split: str
    cells: tuple[Cell, ...]
    drawn: bool = False
    commonsight: str = __version__

    def cell(self, trained: str, tested: str) -> Cell:
        """Of these parts."""
        return next(one for one in self.cells if (one.trained, one.tested) == (trained, tested))

    @property
    def metrics(self) -> tuple[str, ...]:
        """What was measured; the first is what tables of all parts show."""
        return tuple(dict.fromkeys(name for one in self.cells for name in one.metrics))


class Wanted(NamedTuple):
    """What is trained and tested."""

    network: str
    dataset: Path
    recipe: Mapping[str, Any]
    tasks: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    """As `training.planned` takes them, but for the part and the seed."""
    seeds: int = 1
    test: str = "test"
    parts: str | None = None


def parts_of(said: str | None, given: Lessons) -> dict[str, str]:
    """By name the slices that a person wrote, or else those that the benchmark's paper has."""
    scoring = given.benchmark.scoring
    if said is None:
        if scoring.parts:
            return dict(scoring.parts)
        slices = ", ".join(scoring.slices) or "none"
        raise UsageError(
            f"{given.benchmark.name} names no parts to train on apart. Give them, as in {_EXAMPLE}: a name, "
            f"a colon, and SLICE=LABEL, or nothing for everything. Its slices: {slices}."
        )
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in said.split(","))):
        name, colon, only = (part.strip() for part in one.partition(":"))
        if not (colon and _PART.fullmatch(name)) or name in found:
            raise UsageError(
                f"--parts: '{one}' is no part with a name of its own. Write it as in {_EXAMPLE}; names have "
                "letters, digits, dots and dashes."
            )
        found[name] = only
    if not found:
        raise UsageError(f"--parts names no part. Write it as in {_EXAMPLE}.")
    return found


def grid(wanted: Wanted, out: Path, around: Surroundings = Surroundings()) -> Grid:  # noqa: B008
    """Train and test what is not there yet, and write what all of it comes to."""
    refuse_several(NAME)
    whole = lessons(wanted.dataset, wanted.tasks, entry=find(wanted.network))
    parts = parts_of(wanted.parts, whole)
    _check(wanted, parts)
    reports: dict[tuple[str, str], list[RunReport]] = {}
    for seed in range(wanted.seeds):
        for trained in parts:
            folder = out / f"seed-{seed}" / trained
            for tested, report in _row(wanted, parts, trained, seed, folder, around):
                reports.setdefault((trained, tested), []).append(report)
    info = read_info(wanted.dataset)
    assert info is not None  # `lessons` read it
    cells = tuple(Cell(*names, _summed(several)) for names, several in reports.items())
    made = Grid(
        whole.benchmark.name,
        info.name,
        wanted.network,
        find(wanted.network).title,
        parts,
        wanted.seeds,
        wanted.test,
        cells,
        info.drawn,
    )
    write_document(out / GRID, made)
    with new_file(out / TABLES) as beside:
        beside.write_text(markdown(made), encoding="utf-8")
    return made


def _check(wanted: Wanted, parts: Mapping[str, str]) -> None:
    """Whatever is wrong with the last test is told before the first training."""
    for only in parts.values():
        plan = planned(
            wanted.network,
            wanted.dataset,
            recipe=wanted.recipe,
            tasks=wanted.tasks,
            only=only or None,
            **wanted.options,
        )
        given = lessons(wanted.dataset, wanted.tasks, only or None, entry=find(wanted.network))
        for split in (plan.train, plan.validate, wanted.test):
            items = given.items(split)
            if split == wanted.test:
                for task in given.tasks:
                    labelled(task, items, "test on")


def _row(
    wanted: Wanted, parts: Mapping[str, str], trained: str, seed: int, folder: Path, around: Surroundings
) -> Iterator[tuple[str, RunReport]]:
    """One training, and what it says to each part."""
    plan = planned(
        wanted.network,
        wanted.dataset,
        recipe=wanted.recipe,
        tasks=wanted.tasks,
        only=parts[trained] or None,
        seed=seed,
        **wanted.options,
    )
    train(plan, folder / "trained", around)
    for tested, only in parts.items():
        asked = Asked(
            wanted.dataset,
            wanted.test,
            only or None,
            attention=0,
            features=around.features,
            device=around.device,
            told=around.told,
        )
        report = predict(folder / "trained", asked, folder / f"tested-{tested}")
        assert report is not None  # all items have labels
        yield tested, report


def _summed(reports: list[RunReport]) -> dict[str, Summary]:
    return {name: _summary([report.metrics[name] for report in reports]) for name in reports[0].metrics}


def _summary(figures: list[Figure]) -> Summary:
    seeds = tuple(one.value for one in figures)
    known = [value for value in seeds if value is not None]
    return Summary(
        fmean(known) if known else None, stdev(known) if len(known) > 1 else None, seeds, figures[0].n
    )


def percents(one: Summary | None) -> str:
    """`79.9 ± 0.4`; the mean alone where there is one seed."""
    if one is None or one.mean is None:
        return "–"
    spread = "" if one.deviation is None else f" ± {100 * one.deviation:.1f}"
    return f"{100 * one.mean:.1f}{spread}"


def markdown(made: Grid) -> str:
    """The first metric in one row, as the paper has it, and the others by what was tested on."""
    first, *others = made.metrics
    names = list(made.parts)
    pairs = [(trained, tested) for trained in names for tested in names]
    row = [percents(made.cell(*pair).metrics.get(first)) for pair in pairs]
    drawn = ", a drawn dataset" if made.drawn else ""
    lines = [
        f"# {made.title} on the parts of {made.dataset}",
        "",
        f"Split `{made.split}`{drawn}; percent, {_seeds(made.seeds)}.",
        "",
        f"## {first}",
        "",
        *_table(
            ["", *(f"{trained} train" if tested == names[0] else "" for trained, tested in pairs)],
            [["", *(f"{tested} test" for _, tested in pairs)], [made.title, *row]],
        ),
    ]
    for tested in names if others else ():
        rows = [
            [f"{trained} train", *(percents(made.cell(trained, tested).metrics.get(one)) for one in others)]
            for trained in names
        ]
        lines += ["", f"## {tested} test", "", *_table(["", *others], rows)]
    return "\n".join(lines) + "\n"


def _seeds(count: int) -> str:
    return "one seed" if count == 1 else f"mean and deviation of {count} seeds"


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    rule = ["---", *("---:" for _ in head[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]

"""Does the answer change when the choices change places?

A run with the choices rotated (`options["circular"]` says by how much; see `rotation_of`) is held against the
same model's other rotations: right in all of them is harder to get by a liking for the first letter. At
rotation k the item's choice (p + k) modulo n was shown at position p, and picks name the item's own choices.
A liking for a position shows without rotations too, in where the wrong picks stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import CannotMeasure, RunAnswers, Setting, Subject
from commonsight.audit.runside.evenness import Evenness, evenness
from commonsight.audit.runside.graded import NO_RUNS, Graded, graded, is_blind, model_of, rotation_of
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, figure
from commonsight.score.paired import holm
from commonsight.store.figures import Bars, Level, Series

PREFERENCE = 0.05
"""How much more often than expected a position may be taken, as a share of picks, before it is a warning."""
SURE = 0.001
"""The level of the test, corrected for all runs: an audit looks at many runs, and should hardly ever err."""


class Turned(NamedTuple):
    """One model's picks at several rotations, on the cases that it answered at all of them."""

    rotations: tuple[int, ...]
    plain: NDArray[np.float64]
    """Right at the first rotation, which is 0 where there is one."""
    every: NDArray[np.float64]
    """Right at all."""
    flips: NDArray[np.float64]
    """Not the same pick at all."""
    clusters: NDArray[np.int64]
    ids: tuple[str, ...]


def letter(place: int) -> str:
    """What a position is called: A, B, C, …; by number once letters are used up."""
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def shown_at(picks: NDArray[np.int64], sizes: NDArray[np.int64], rotation: int) -> NDArray[np.int64]:
    """Where the picked choices were shown; -1 stays -1."""
    return np.where(picks >= 0, (picks - rotation) % np.maximum(sizes, 1), -1)


def turned(matrix: Graded) -> Turned:
    """What several rotations of one model have in common. An answer that failed is no pick, and wrong."""
    order = np.argsort([rotation_of(run) for run in matrix.runs], kind="stable")
    rows = matrix.only(order.tolist()).shared
    said = rows.said
    flips = ((said != said[0]).any(0) | (said < 0).any(0)).astype(np.float64)
    every = np.min(rows.right, axis=0)
    rotations = tuple(rotation_of(run) for run in rows.runs)
    return Turned(rotations, rows.right[0], every, flips, rows.cases.clusters, tuple(rows.ids))


def position_preference(matrix: Graded) -> Evenness:
    """Where the wrong picks of these runs were shown, against any wrong choice being as likely as another."""
    sizes, gold, clusters = matrix.cases.sizes, matrix.cases.gold, matrix.cases.clusters
    kinds = int(sizes.max(initial=1))
    places: list[NDArray[np.int64]] = []
    chances, groups = [], []
    for run, rows, said in _wrong(matrix):
        turn = rotation_of(run)
        places.append(shown_at(said[rows], sizes[rows], turn))
        offered = (np.arange(kinds) < sizes[rows, None]).astype(np.float64)
        offered[np.arange(len(rows)), shown_at(gold[rows], sizes[rows], turn)] = 0
        chances.append(offered / (sizes[rows, None] - 1))
        groups.append(clusters[rows])
    return evenness(np.concatenate(places), np.concatenate(chances), np.concatenate(groups))


def _wrong(matrix: Graded) -> Iterator[tuple[RunAnswers, NDArray[np.int64], NDArray[np.int64]]]:
    """Each run, the cases that it picked a wrong choice in, and all its picks."""
    sizes, gold = matrix.cases.sizes, matrix.cases.gold
    for run, said, scores in zip(matrix.runs, matrix.said, matrix.scores, strict=True):
        rows = np.flatnonzero((said >= 0) & (said != gold) & (scores == 0) & (sizes > 1))
        yield run, rows, said


def wrong_at(matrix: Graded, place: int) -> tuple[str, ...]:
    """The items in which a wrong choice was picked that was shown at this place, once each."""
    sizes = matrix.cases.sizes
    found = [
        rows[shown_at(said[rows], sizes[rows], rotation_of(run)) == place]
        for run, rows, said in _wrong(matrix)
    ]
    return tuple(matrix.cases.all[at].id for at in np.unique(np.concatenate(found)))


@dataclass(frozen=True)
class Circular:
    """Rotated choices: consistency, flips, and a liking for a position."""

    preference: float = PREFERENCE
    sure: float = SURE
    name: str = "circular"
    title: str = "Choices in other places"

    codes = ("position-preference", "circular")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task with choices of its own."""
        if not subject.runs:
            raise CannotMeasure(NO_RUNS)
        groups = models_of(subject.runs)
        found: dict[str, dict[str, Graded]] = {}
        for matrix in graded(subject, subject.runs):
            place = {run.name: at for at, run in enumerate(matrix.runs)}
            for name, runs in groups.items():
                part = matrix.only([place[run.name] for run in runs if run.name in place])
                if matrix.cases.kind == "pick" and part.runs and part.tells_answers:
                    found.setdefault(matrix.task, {})[name] = part
        if not found:
            raise CannotMeasure("No run tells which of several choices it picked. Give runs of such a task.")
        return [self._section(task, models, setting) for task, models in found.items()]

    def _section(self, task: str, models: dict[str, Graded], setting: Setting) -> Section:
        rotated = {name: turned(matrix) for name, matrix in models.items() if len(matrix.runs) > 1}
        rotated = {name: found for name, found in rotated.items() if len(found.ids)}
        liked = {name: position_preference(matrix) for name, matrix in models.items()}
        figures: dict[str, Figure] = {}
        rows: list[tuple[Cell, ...]] = []
        for name, found in rotated.items():
            plain, every, flips = (
                figure(values, found.clusters, confidence=setting.confidence)
                for values in (found.plain, found.every, found.flips)
            )
            figures |= {f"{name}.plain": plain, f"{name}.every": every, f"{name}.flips": flips}
            rows.append((name, len(found.rotations), plain, every, flips))
        columns = ("model", "rotations", "right at the first", "right at all", "pick changes")
        tables = (Table("The same items with choices rotated", columns, tuple(rows)),) if rows else ()
        return Section(
            self.name,
            self.title,
            "Picks at several rotations of the choices, and where wrong picks stood: without a liking for a "
            "position every wrong choice is taken equally often.",
            task,
            (*self._likings(task, models, liked), *_flipping(task, rotated)),
            figures,
            {f"{name}.position_p": test.p_value for name, test in liked.items()},
            (*tables, _position_table(liked)),
            (_position_plot(task, liked),),
            () if rows else ("No model was run with its choices rotated, so that only positions are told.",),
        )

    def _likings(
        self, task: str, models: dict[str, Graded], liked: dict[str, Evenness]
    ) -> Iterator[Finding]:
        adjusted = holm([test.p_value for test in liked.values()])
        found = False
        for (name, test), p_value in zip(liked.items(), adjusted, strict=True):
            if p_value > self.sure or test.excess <= self.preference:
                continue
            found = True
            total = test.taken.sum()
            yield Finding(
                "position-preference",
                "warning",
                f"Where {name} is wrong it takes position {letter(test.most)} in "
                f"{test.taken[test.most] / total:.0%} of items, and not in the "
                f"{test.expected[test.most] / total:.0%} that chance would give.",
                "Report accuracy over all rotations of the choices (right at all, or the mean of them); and "
                "check that the wrong choices stand in random order in the data.",
                test.excess,
                self.preference,
                wrong_at(models[name], test.most),
                task,
            )
        if not found:
            most = max((test.excess for test in liked.values()), default=0.0)
            yield Finding(
                "position-preference", "fine", "No run shows a liking for a position when it is wrong.",
                value=most, limit=self.preference, task=task,
            )  # fmt: skip


def models_of(runs: Sequence[RunAnswers]) -> dict[str, list[RunAnswers]]:
    """Runs of one model that differ only in rotation, each rotation once; blind ones apart."""
    found: dict[tuple[str, bool], list[RunAnswers]] = {}
    for run in runs:
        key = (model_of(run), is_blind(run))
        if rotation_of(run) in map(rotation_of, found.get(key, ())):
            key = (run.name, is_blind(run))  # a second run of the same model is one of its own
        found.setdefault(key, []).append(run)
    return {members[0].name: members for members in found.values()}


def _flipping(task: str, rotated: dict[str, Turned]) -> Iterator[Finding]:
    for name, found in rotated.items():
        share, lost = float(found.flips.mean()), float((found.plain - found.every).mean())
        items = tuple(found.ids[at] for at in np.flatnonzero((found.plain > 0) & (found.every == 0)))
        yield Finding(
            "circular",
            "note",
            f"{name} changes its pick in {share:.1%} of items when the choices change places; "
            f"{lost:.1%} of items are right at first and not in all {len(found.rotations)} rotations.",
            "Report right-at-all beside plain accuracy.",
            share,
            items=items,
            task=task,
        )


def _position_table(liked: dict[str, Evenness]) -> Table:
    kinds = max(len(test.taken) for test in liked.values())
    rows: list[tuple[Cell, ...]] = []
    for name, test in liked.items():
        total = test.taken.sum()
        shares = [f"{a / total:.3f} ({b / total:.3f})" if total else "" for a, b in
                  zip(test.taken, test.expected, strict=True)]  # fmt: skip
        padded = [*shares, *[""] * (kinds - len(shares))]
        rows.append((name, int(total), *padded, test.statistic, test.p_value))
    columns = ("run", "wrong picks", *map(letter, range(kinds)), "chi-square", "p")
    note = "In brackets what is expected without a preference."
    return Table("Where wrong picks stand", columns, tuple(rows), note)


def _position_plot(task: str, liked: dict[str, Evenness]) -> Plot:
    kinds = max(len(test.taken) for test in liked.values())
    ratios = {
        name: [float(a / b) if b else None for a, b in zip(test.taken, test.expected, strict=True)]
        for name, test in liked.items()
    }
    series = tuple(
        Series(name, (), (*values, *[None] * (kinds - len(values)))) for name, values in ratios.items()
    )
    places = tuple(map(letter, range(kinds)))
    bars = Bars(places, series, "taken / expected", levels=(Level(1.0, "no preference"),))
    return Plot(f"circular-{task}", (bars,), "Wrong picks by position, against what is expected.")

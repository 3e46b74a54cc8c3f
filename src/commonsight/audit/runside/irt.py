"""Item response theory over runs: how able each is; which items are too easy, and whose label is doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.runside.contradicted import Contradiction, contradictions
from commonsight.audit.runside.graded import NO_RUNS, Graded, graded, plain_runs
from commonsight.audit.runside.irt_model import Fitted, fit
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import Figure, figure, normal_quantile
from commonsight.store.figures import Bars, Panel, Series

LEAST_RUNS = 4
"""With fewer runs an item's difficulty is one of three or four numbers: how many got it right."""
MANY_RUNS = 11
"""From here on discrimination is estimated too; before, an item has too few answers to tell it from luck."""
SATURATED = 0.5
"""The share of items that all runs get right from which on a benchmark hardly tells runs apart."""
NO_SPREAD = 0.1
"""Difficulties that spread less than this, in logits, are all the same."""
SHOWN = 10
"""Doubtful items in the table; the findings name all of them."""


@dataclass(frozen=True)
class ItemResponse:
    """Abilities with intervals, difficulties, and items to read again."""

    saturated: float = SATURATED
    least_runs: int = LEAST_RUNS
    many_runs: int = MANY_RUNS
    name: str = "irt"
    title: str = "Abilities of runs, difficulties of items"

    codes = ("saturated", "gold-contradicted", "likely-mislabelled")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task with enough runs."""
        runs = plain_runs(subject)
        if not runs:
            raise CannotMeasure(NO_RUNS)
        enough = [matrix for matrix in graded(subject) if len(matrix.runs) >= self.least_runs]
        if not enough:
            raise CannotMeasure(
                f"Item response theory needs at least {self.least_runs} runs on the same task, and more tell "
                f"more; there {'is' if len(runs) == 1 else 'are'} {len(runs)} in all."
            )
        return [self._section(matrix, setting) for matrix in enough]

    def _section(self, matrix: Graded, setting: Setting) -> Section:
        many = len(matrix.runs) >= self.many_runs
        fitted = fit(matrix.right, matrix.cases.clusters, two_parameters=many)
        doubted = contradictions(matrix) if matrix.tells_answers else []
        answered = (~np.isnan(matrix.right)).sum(0)
        solved = np.nansum(matrix.right, axis=0) == answered
        enough = answered >= self.least_runs
        everyone = (solved & enough).astype(np.float64)
        share = figure(everyone[enough], matrix.cases.clusters[enough], confidence=setting.confidence)
        turned = reversed_items(fitted.turned, setting.false_discovery)
        findings = (
            *self._easy(matrix, share, everyone),
            *_contradicted(matrix, doubted),
            *(_turned(matrix, turned, fitted) if many else ()),
        )
        tables = [_abilities(matrix, fitted, setting), _difficulties(fitted)]
        if doubted:
            tables.append(_doubted(matrix, fitted, doubted))
        return Section(
            self.name,
            self.title,
            _about(matrix, many),
            matrix.task,
            findings,
            {"saturated": share},
            _numbers(matrix, fitted, len(doubted), len(turned)),
            tuple(tables),
            (_plot(matrix, fitted, setting),),
            tuple(self._limits(matrix, fitted)),
        )

    def _limits(self, matrix: Graded, fitted: Fitted) -> Iterator[str]:
        runs = len(matrix.runs)
        if runs < self.many_runs:
            yield (
                f"With {runs} runs only difficulty is estimated (Rasch's model), and roughly: how well an "
                f"item tells able runs from others takes at least {self.many_runs} runs."
            )
        if fitted.spread < NO_SPREAD:
            yield "The items do not differ in difficulty beyond luck: their difficulties tell nothing."
        if not fitted.converged:
            yield "The estimates did not settle: take the abilities as rough."

    def _easy(self, matrix: Graded, share: Figure, everyone: NDArray[np.float64]) -> Iterator[Finding]:
        ids = tuple(item for item, solved in zip(matrix.ids, everyone, strict=True) if solved)
        sure = share.low is not None and share.low > self.saturated
        yield Finding(
            "saturated",
            "warning" if sure else "note" if ids else "fine",
            f"{len(ids):,} items of {share.n:,} are solved by every run that answered them"
            + (": most items no longer tell these runs apart." if sure else "."),
            "Report results on the other items too, or replace these by harder ones." if sure else "",
            share.value,
            self.saturated,
            ids,
            matrix.task,
        )


def reversed_items(turned: NDArray[np.float64], false_discovery: float) -> list[int]:
    """The largest set of items, the surest first, of which at most this share is expected to be sound."""
    order = np.argsort(-turned, kind="stable")
    doubt = np.cumsum(1 - turned[order]) / np.arange(1, len(order) + 1)
    allowed = np.flatnonzero(doubt <= false_discovery + 1e-12)  # but for rounding
    return order[: int(allowed[-1]) + 1].tolist() if len(allowed) else []


def _about(matrix: Graded, many: bool) -> str:
    model = (
        "a two-parameter logistic model: items differ in difficulty and in how well they tell able runs from "
        "others, and a share of them may be reversed"
        if many
        else "Rasch's model: items differ in difficulty alone"
    )
    return (
        f"{len(matrix.runs)} runs on {len(matrix.cases):,} items by {matrix.metric}, {model}. Abilities and "
        "difficulties are in logits, 0 being the average item: a run solves an item of its own ability half "
        "of the time."
    )


def _contradicted(matrix: Graded, doubted: Sequence[Contradiction]) -> Iterator[Finding]:
    if not matrix.tells_answers:
        return
    ids = tuple(matrix.ids[one.place] for one in doubted)
    if not ids:
        yield Finding(
            "gold-contradicted", "fine", "No label is contradicted by most of the able runs.", value=0.0,
            task=matrix.task,
        )  # fmt: skip
        return
    yield Finding(
        "gold-contradicted",
        "note",
        f"In {len(ids):,} items ({len(ids) / len(matrix.cases):.1%}) most runs agree on one answer that is "
        "not the label: the label may be wrong, two answers may fit, or the runs share a mistake.",
        "Read these items, the surest first, and correct or drop those whose label is wrong.",
        len(ids) / len(matrix.cases),
        items=ids,
        task=matrix.task,
    )


def _turned(matrix: Graded, turned: Sequence[int], fitted: Fitted) -> Iterator[Finding]:
    if not turned:
        yield Finding(
            "likely-mislabelled", "fine", "No item is failed by able runs and solved by weak ones.",
            value=0.0, task=matrix.task,
        )  # fmt: skip
        return
    yield Finding(
        "likely-mislabelled",
        "warning",
        f"{len(turned):,} items are failed by able runs and solved by weak ones, as happens where the label "
        f"is wrong; the model puts the share of such items at {fitted.share_reversed:.1%}.",
        "Read these items, the surest first, and correct or drop those whose label is wrong.",
        len(turned) / len(matrix.cases),
        0.0,
        tuple(matrix.ids[at] for at in turned),
        matrix.task,
    )


def _numbers(matrix: Graded, fitted: Fitted, doubted: int, turned: int) -> dict[str, float]:
    return {
        **{f"{name}.ability": float(value) for name, value in zip(matrix.names, fitted.ability, strict=True)},
        "difficulty_spread": fitted.spread,
        "discrimination_spread": fitted.spread_discrimination,
        "reversed_share": fitted.share_reversed,
        "contradicted": float(doubted),
        "mislabelled": float(turned),
    }


def _abilities(matrix: Graded, fitted: Fitted, setting: Setting) -> Table:
    reach = normal_quantile(0.5 + setting.confidence / 2)
    rows: list[tuple[Cell, ...]] = []
    for at in np.argsort(-fitted.ability, kind="stable"):
        there = ~np.isnan(matrix.right[at])
        share = figure(matrix.right[at][there], matrix.cases.clusters[there], confidence=setting.confidence)
        ability, error = float(fitted.ability[at]), reach * float(fitted.ability_se[at])
        rows.append((matrix.names[at], ability, ability - error, ability + error, share))
    return Table("Abilities", ("run", "ability", "low", "high", "items right"), tuple(rows))


def _difficulties(fitted: Fitted) -> Table:
    columns = ("", "least", "a quarter below", "median", "a quarter above", "most")
    rows: list[tuple[Cell, ...]] = [("difficulty", *_quartiles(fitted.difficulty))]
    if fitted.spread_discrimination > 0:
        rows.append(("discrimination", *_quartiles(fitted.discrimination)))
    note = "Means of what is known of each item; few answers draw them towards the average."
    return Table("Items", columns, tuple(rows), note)


def _quartiles(values: NDArray[np.float64]) -> list[float]:
    return [float(value) for value in np.quantile(values, [0, 0.25, 0.5, 0.75, 1])]


def _doubted(matrix: Graded, fitted: Fitted, doubted: Sequence[Contradiction]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in doubted[:SHOWN]:
        case = matrix.cases.all[one.place]
        instead = case.said[one.rival] if matrix.cases.kind == "pick" else _word(matrix, one)
        rows.append((
            case.id, case.asked, case.answer, instead, f"{one.for_rival} of {one.answered}", one.for_gold,
            one.people if case.accepted else None, float(fitted.difficulty[one.place]),
        ))  # fmt: skip
    columns = ("item", "asked", "label", "runs say", "so many", "for the label", "people", "difficulty")
    note = "The surest first. People: how many more gave the runs' answer than the label, in their own words."
    return Table("Labels to read again", columns, tuple(rows), note)


def _word(matrix: Graded, one: Contradiction) -> str:
    item = matrix.ids[one.place]
    at = int(np.flatnonzero(matrix.said[:, one.place] == one.rival)[0])
    return str(matrix.runs[at].answers[matrix.task][item])


def _plot(matrix: Graded, fitted: Fitted, setting: Setting) -> Plot:
    reach = normal_quantile(0.5 + setting.confidence / 2)
    order = np.argsort(-fitted.ability, kind="stable")
    y, error = fitted.ability[order], reach * fitted.ability_se[order]
    places = tuple(float(at) for at in range(len(order)))
    low, high = (tuple(ends.tolist()) for ends in (y - error, y + error))
    points = Series("", places, tuple(y.tolist()), low, high, line=False)
    ticks = tuple((place, str(int(place) + 1)) for place in places)
    abilities = Panel((points,), "run, the ablest first", "ability (logits)", "Abilities", ticks)
    counts, edges = np.histogram(fitted.difficulty, bins=8)
    names = tuple(f"{middle:.1f}" for middle in (edges[:-1] + edges[1:]) / 2)
    items = Bars(names, (Series("", (), tuple(map(float, counts))),), "items", "Items by difficulty (logits)")
    return Plot(f"irt-{matrix.task}", (abilities, items), "Abilities with intervals, and how hard items are.")

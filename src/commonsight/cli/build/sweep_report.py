"""What a sweep over lambda is told as: figures with error bars, a page to read, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import Struct, field, structs
from rich.table import Table

from commonsight import __version__
from commonsight.build.matching.rounds import LAMBDA_ANSWER, LAMBDA_RATIONALE
from commonsight.build.matching.run import digest
from commonsight.build.matching.sweep import SweepRun, drawn
from commonsight.build.matching.sweep_work import Sweep, Tried
from commonsight.cli.tables import interval_cell, percent, plural, table
from commonsight.score.intervals import Figure, figure
from commonsight.store.atomic import new_file
from commonsight.store.figures import Level, Panel, Series, log_places, write_figure

if TYPE_CHECKING:
    from commonsight.build.matching.sweep_people import Answered, Key
    from commonsight.build.matching.values import Annotation
    from commonsight.core.text import TaggedText

SIMILAR = 0.5
"""From here on a wrong choice is more likely than not to be right as well."""
BY_LOT = "random"
COLUMNS = ("chooser", "judge", "similarity", f"similar > {SIMILAR:g}", "people")


class Row(Struct, frozen=True):
    """What one lambda gave; None for wrong choices drawn by lot."""

    trade: float | None = field(name="lambda")
    chooser: Figure
    """How often the model that chose finds the right choice."""
    judge: Figure
    """How often one does that had no part in choosing."""
    similarity: Figure
    """P_sim of the wrong choices with the right one."""
    similar: Figure
    """How many wrong choices have one above a half."""
    people: Figure | None = None


class SampleChoices(Struct, frozen=True):
    """The wrong choices that one lambda gave a sample."""

    trade: float = field(name="lambda")
    wrong: tuple[str, ...]
    similar: tuple[float, ...]
    pick: int


class Sample(Struct, frozen=True):
    """A question to read, with the choices that every lambda gave it."""

    id: str
    question: str
    right: str
    choices: tuple[SampleChoices, ...]
    answer: str | None = None


class Report(Struct, frozen=True):
    """Everything about a sweep that is told; `sweep` and `annotations` say what it is of."""

    task: str
    n: int
    groups: int
    chance: float
    lambdas: tuple[Row, ...]
    by_lot: Row
    sweep: Sweep
    annotations: str
    made: str
    drawn: bool
    samples: tuple[Sample, ...] = ()


def report(run: SweepRun) -> Report:
    """The figures of a sweep, groups taken for the independent draws, and its samples."""
    groups = [annotation.group for annotation in run.annotations]
    rows = zip(run.sweep.lambdas, run.tried, strict=True)
    return Report(
        run.sweep.task,
        len(groups),
        len(set(groups)),
        1 / (run.sweep.recipe.rounds + 1),
        tuple(_row(trade, tried, groups) for trade, tried in rows),
        _row(None, run.by_lot, groups),
        run.sweep,
        digest(sorted(run.annotations, key=lambda annotation: annotation.id)),
        __version__,
        all(annotation.extra.get("drawn") is True for annotation in run.annotations),
        _samples(run),
    )


def _row(trade: float | None, tried: Tried, groups: Sequence[str]) -> Row:
    similar = np.array(tried.similar)  # (queries, wrong choices)
    return Row(
        trade,
        figure(tried.chooser, groups),
        figure(tried.judge, groups),
        figure(similar.mean(axis=1), groups),
        figure((similar > SIMILAR).mean(axis=1), groups),
    )


def _samples(run: SweepRun) -> tuple[Sample, ...]:
    annotations = {annotation.id: annotation for annotation in run.annotations}
    return tuple(_sample(run, annotations[name]) for name in drawn(run.annotations, run.sweep).samples)


def _sample(run: SweepRun, own: Annotation) -> Sample:
    def said(texts: Sequence[TaggedText]) -> tuple[str, ...]:
        return tuple(text.bracketed(own.objects) for text in texts)

    choices = (
        SampleChoices(trade, said(shown.texts), shown.similar, shown.pick)
        for trade, shown in zip(run.sweep.lambdas, (tried.shown[own.id] for tried in run.tried), strict=True)
    )
    question, answer = said((own.question, own.answer))
    if run.sweep.task == "answers":
        return Sample(own.id, question, answer, tuple(choices))
    assert own.rationale is not None
    return Sample(own.id, question, said((own.rationale,))[0], tuple(choices), answer)


def with_people(told: Report, answers: Sequence[Answered], keys: Sequence[Key]) -> Report:
    """The report with what people got right."""
    key = {(entry.trade, entry.id): entry for entry in keys}
    rows = []
    for row in told.lambdas:
        own = [answer for answer in answers if answer.trade == row.trade]
        asked = [key[answer.trade, answer.id] for answer in own]
        right = [answer.choice == entry.label for answer, entry in zip(own, asked, strict=True)]
        people = figure(np.array(right, float), [entry.group for entry in asked]) if own else None
        rows.append(structs.replace(row, people=people))
    return structs.replace(told, lambdas=tuple(rows))


def put(folder: Path, told: Report) -> None:
    """Write the report as numbers, as a page and as a plot."""
    with new_file(folder / "sweep.json") as beside:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
    with new_file(folder / "sweep.md") as beside:
        beside.write_text(page(told), encoding="utf-8")
    write_figure(folder / "sweep", _panels(told), _title(told))


def _title(told: Report) -> str:
    kind = ", drawn" if told.drawn else ""
    return f"λ for {told.task}: {plural(told.n, 'item')} of {plural(told.groups, 'group')}{kind}"


def shown(told: Report) -> Table:
    """The figures as a table for the console."""
    made = table("lambda", *COLUMNS)
    for row in (told.by_lot, *told.lambdas):
        made.add_row(_name(row), *(("–" if each is None else interval_cell(each)) for each in _figures(row)))
    return made


def _name(row: Row) -> str:
    return BY_LOT if row.trade is None else f"{row.trade:g}"


def _figures(row: Row) -> tuple[Figure | None, ...]:
    return (row.chooser, row.judge, row.similarity, row.similar, row.people)


def page(told: Report) -> str:
    """A page to read: the table, the plot, and samples side by side."""
    rows = [(_name(row), *map(_cell, _figures(row))) for row in (told.by_lot, *told.lambdas)]
    how = (
        f"Made by Commonsight {told.made}, seed {told.sweep.recipe.seed}. Figures are in percent, with 95 % "
        "intervals that take groups for independent."
    )
    parts = [
        f"# {_title(told)}",
        f"{how} The annotations are drawn, not real." if told.drawn else how,
        _table([("lambda", *COLUMNS), ("---", *("---:" for _ in COLUMNS)), *rows]),
        _legend(told),
        "![Accuracy and similarity against lambda](sweep.svg)",
        *(["## Samples"] if told.samples else []),
        *(_sample_part(sample) for sample in told.samples),
    ]
    return "\n\n".join(parts) + "\n"


def _legend(told: Report) -> str:
    recipe = told.sweep.recipe
    lines = {
        "chooser": "how often the model that chose the wrong choices finds the right one "
        f"({recipe.relevance}); chance is {percent(told.chance)}.",
        "judge": f"the same for a model that had no part in choosing ({told.sweep.judge}). It learned "
        "from the same annotations, so it may share the chooser's mistakes.",
        "similarity": f"P_sim of the wrong choices with the right one ({recipe.similarity}): its mean, and "
        f"how many are above {SIMILAR:g}; these may be right as well.",
        BY_LOT: "wrong choices drawn by lot within the same rules. A model that does badly even there "
        "cannot tell hard from easy.",
    }
    return "\n".join(f"- **{name}**: {meaning}" for name, meaning in lines.items())


def _cell(told: Figure | None) -> str:
    if told is None or told.value is None:
        return "–"
    return f"{percent(told.value)} ({percent(told.low)}–{percent(told.high)})"


def _sample_part(sample: Sample) -> str:
    wrong = len(sample.choices[0].wrong)
    cells = [("lambda", *(f"wrong {number + 1}" for number in range(wrong)), "chooser picks")]
    cells.append(tuple("---" for _ in cells[0]))
    for entry in sample.choices:
        texts = (f"{text} ({percent(like)})" for text, like in zip(entry.wrong, entry.similar, strict=True))
        cells.append(
            (f"{entry.trade:g}", *texts, "the right one" if not entry.pick else f"wrong {entry.pick}")
        )
    given = "" if sample.answer is None else f" — {sample.answer}"
    asked = _plain(f"{sample.question}{given}")
    return f"### {_plain(sample.id)}\n\n{asked}\n\nRight: **{_plain(sample.right)}**\n\n{_table(cells)}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(map(_plain, row))} |" for row in rows)


def _plain(text: str) -> str:
    """On one line, with nothing that ends a cell or begins a tag."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _panels(told: Report) -> tuple[Panel, ...]:
    """Accuracy on the left, similarity on the right; what was drawn by lot stands apart at the end."""
    lambdas = told.sweep.lambdas
    places = log_places(lambdas)
    lot = places[-1] + 0.6
    ticks = (*zip(places, (f"{trade:g}" for trade in lambdas), strict=True), (lot, BY_LOT))
    usual = LAMBDA_ANSWER if told.task == "answers" else LAMBDA_RATIONALE
    mark = (places[lambdas.index(usual)], "VCR's λ") if usual in lambdas else None

    def lines(name: str, label: str, colour: int) -> tuple[Series, ...]:
        rows: list[Figure | None] = [getattr(row, name) for row in told.lambdas]
        on_axis = [trade > 0 for trade in lambdas]
        joined = [row if on else None for row, on in zip(rows, on_axis, strict=True)]
        alone = [None if on else row for row, on in zip(rows, on_axis, strict=True)]
        by_lot = getattr(told.by_lot, name)
        beside = 0.14 * (colour % 3) - 0.14  # so that two error bars do not lie on one another
        return (
            _series(label, places, joined, line=True, colour=colour),
            _series("", [at + beside for at in (*places, lot)], [*alone, by_lot], line=False, colour=colour),
        )

    people = lines("people", "people", 2) if any(row.people for row in told.lambdas) else ()
    accuracy = (*lines("chooser", "chooser", 0), *lines("judge", "judge", 1), *people)
    alike = (
        *lines("similarity", "mean P_sim", 3),
        *lines("similar", f"share with P_sim > {SIMILAR:g}", 4),
    )
    chance = (Level(100 * told.chance, "chance"),)
    top = max(row.similarity.high or 0 for row in (told.by_lot, *told.lambdas))
    return (
        Panel(accuracy, "λ", "accuracy (%)", "", ticks, (0, 100), chance, mark),
        Panel(alike, "λ", "similarity to the right choice (%)", "", ticks, (0, max(10, 110 * top)), (), mark),
    )


def _series(
    label: str, x: Sequence[float], rows: Sequence[Figure | None], *, line: bool, colour: int
) -> Series:
    def column(name: str) -> tuple[float | None, ...]:
        values = (None if row is None else getattr(row, name) for row in rows)
        return tuple(None if value is None else 100 * value for value in values)

    return Series(label, tuple(x), column("value"), column("low"), column("high"), line, colour)

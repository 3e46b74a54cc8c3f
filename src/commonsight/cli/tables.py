"""Figures as table cells, the same in every verb."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from rich.table import Table

from commonsight.score.intervals import Figure

_NUMBER = re.compile(r"\d+")

FIGURE_COLUMNS = ("score", "low", "high", "k", "n")


def percent(value: float | None) -> str:
    """A score as people read it: 0.5086 is 50.9."""
    return "–" if value is None or math.isnan(value) else f"{100 * value:.1f}"


def count(value: float) -> str:
    """A number of items; sums of partial scores keep one digit."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def figure_cells(figure: Figure) -> tuple[str, ...]:
    """A figure in the columns of `FIGURE_COLUMNS`: raw k and n beside the percentages."""
    percents = (percent(figure.value), percent(figure.low), percent(figure.high))
    return (*percents, count(figure.k), count(figure.n))


def interval_cell(figure: Figure) -> str:
    """Score and interval in one cell; a dash where no item counts."""
    if not figure.n:
        return "–"
    return f"{percent(figure.value)} [dim]({percent(figure.low)}–{percent(figure.high)})[/]"


def in_order(labels: Iterable[str]) -> list[str]:
    """Labels as a person sorts them: 6-10 before 11-20."""

    def key(label: str) -> tuple[float, str]:
        number = _NUMBER.match(label)
        return (float(number.group()) if number else math.inf, label)

    return sorted(labels, key=key)


def failures_told(failures: dict[str, int]) -> str:
    """Answers that scored 0 for want of a readable one, by kind."""
    return ", ".join(f"{kind.replace('_', ' ')} {number:,}" for kind, number in failures.items())


def plural(number: int, noun: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def table(first: str, *others: str) -> Table:
    """A plain table: the first column is text, the others are numbers."""
    made = Table(first, box=None, pad_edge=False)
    for column in others:
        made.add_column(column, justify="right")
    return made

"""Figures as table cells, the same in every verb."""

from __future__ import annotations

import math

from rich.table import Table

from commonsight.score.intervals import Figure

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


def table(first: str, *others: str) -> Table:
    """A plain table: the first column is text, the others are numbers."""
    made = Table(first, box=None, pad_edge=False)
    for column in others:
        made.add_column(column, justify="right")
    return made

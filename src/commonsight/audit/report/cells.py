"""Cells of tables as people read them, the same in every kind of report."""

from __future__ import annotations

import math

from commonsight.audit.values import Cell
from commonsight.score.intervals import Figure

MISSING = "–"


def shown(cell: Cell) -> str:
    """One cell: shares in percent with their interval, other numbers with three digits that count."""
    match cell:
        case None:
            return MISSING
        case Figure():
            return percent_with_interval(cell)
        case bool() | str():
            return str(cell)
        case int():
            return f"{cell:,}"
        case float():
            return number(cell)


def percent_with_interval(figure: Figure) -> str:
    """`50.9 (49.7–52.0)`; a dash where nothing was scored."""
    if figure.value is None or not figure.n:
        return MISSING
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f}"
    return f"{100 * figure.value:.1f} ({100 * figure.low:.1f}–{100 * figure.high:.1f})"


def number(value: float) -> str:
    """Three digits that count; whole ones with thousands marked, tiny ones as powers of ten."""
    if math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    if size >= 100:
        return f"{value:.0f}"
    if size >= 10:
        return f"{value:.1f}"
    if size >= 0.001 or value == 0:
        return f"{value:.3f}".rstrip("0").rstrip(".") if size < 1 else f"{value:.2f}"
    return f"{value:.1e}"


def is_number(cell: Cell) -> bool:
    """Whether a cell stands to the right of its column."""
    return cell is None or isinstance(cell, Figure | int | float)

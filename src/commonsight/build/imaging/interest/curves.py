"""How well pictures are chosen: precision and recall at each threshold, and which threshold to take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.store.figures import Level, Panel, Series, write_figure

PRECISION = 0.7
"""Of the pictures that are chosen, so many shall be interesting (VCR, appendix B.2)."""
_DRAWN = 400
"""Points of a plotted curve, at most."""


class Curve(Struct, frozen=True):
    """Thresholds from high to low, and what choosing everything at or above each comes to."""

    thresholds: tuple[float, ...]
    precision: tuple[float, ...]
    recall: tuple[float, ...]


class Chosen(Struct, frozen=True):
    """A threshold, and what choosing by it came to."""

    threshold: float
    precision: float
    recall: float
    pictures: int
    """How many were chosen."""
    reached: bool
    """Whether the precision that was wanted is reached at all."""


def curve(chances: Sequence[float] | NDArray[np.float64], interesting: Sequence[bool]) -> Curve:
    """At every chance that any picture has; there must be an interesting one."""
    order = np.argsort(-np.asarray(chances, np.float64), kind="stable")
    sorted_chances = np.asarray(chances, np.float64)[order]
    hits = np.cumsum(np.asarray(interesting, np.bool_)[order])
    last = np.flatnonzero(np.r_[sorted_chances[1:] != sorted_chances[:-1], True])  # ties are chosen together
    return Curve(
        tuple(sorted_chances[last].tolist()),
        tuple((hits[last] / (last + 1)).tolist()),
        tuple((hits[last] / hits[-1]).tolist()),
    )


def threshold_for(
    chances: Sequence[float] | NDArray[np.float64], interesting: Sequence[bool], precision: float = PRECISION
) -> Chosen:
    """The lowest threshold with this precision, so that most pictures are chosen; else the most precise."""
    made = curve(chances, interesting)
    enough = [place for place, value in enumerate(made.precision) if value >= precision]
    place = enough[-1] if enough else int(np.argmax(made.precision))
    threshold = made.thresholds[place]
    count = int((np.asarray(chances) >= threshold).sum())
    return Chosen(threshold, made.precision[place], made.recall[place], count, bool(enough))


def average(made: Curve) -> float:
    """The area below the curve, by steps."""
    steps = np.diff(np.r_[0.0, made.recall])
    return float(np.sum(steps * np.asarray(made.precision)))


def plot(stem: Path, made: Curve, chosen: Chosen, wanted: float, share: float) -> tuple[Path, Path]:
    """Write `stem`.svg and `stem`.png: the curve, what was wanted, and the point that was taken."""
    kept = np.unique(np.linspace(0, len(made.recall) - 1, min(_DRAWN, len(made.recall))).astype(int))
    line = Series(
        "pictures held out",
        tuple(made.recall[at] for at in kept),
        tuple(made.precision[at] for at in kept),
        size=2.0,
    )
    point = Series("taken", (chosen.recall,), (chosen.precision,), line=False, size=8.0)
    levels = (Level(wanted, f"wanted {wanted:.0%}"), Level(share, f"all pictures {share:.0%}"))
    panel = Panel(
        (line, point), "recall", "precision", "Interesting pictures", y_range=(0.0, 1.03), levels=levels
    )
    return write_figure(stem, [panel])

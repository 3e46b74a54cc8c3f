"""Figures for papers and pages: the one place that draws, so that all of them look alike.

Drawn without a window system and without matplotlib's global state. The same numbers give the same bytes:
no date, no random ids. Colours are told apart by people who do not see all of them (Okabe and Ito), and every
line has a mark of its own besides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from commonsight.store.atomic import new_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS = ("o", "s", "D", "^", "v", "P", "X")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1)))
"""Lines that lie on one another can still be told apart."""
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # matplotlib brings it, so that it is the same everywhere
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "xtick.labelsize": 7,
    "ytick.labelsize": 8,
    "figure.constrained_layout.w_pad": 0.08,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "commonsight",
    "svg.fonttype": "path",
}
GREY = "#6E6E6E"
_LEGEND_ROW = 19
"""Points that a row of the legend takes."""
PANEL = (3.9, 3.0)
"""Inches that a panel takes: two side by side fill the width of a page."""
DOTS = 200
"""To an inch, in pictures of pixels."""
LETTERS = 56
"""As many fit side by side under the bars of a panel."""


class Series(Struct, frozen=True):
    """Values along x, with their error bars if there are any. A value of None is left out."""

    label: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    line: bool = True
    """Whether the values are joined, with a band for their errors; else each stands with its own bar."""
    colour: int | None = None
    """Its place among the colours, by default its place in the panel."""
    size: float = 5.0
    """Of its marks, in points: smaller where there are thousands."""


class Level(Struct, frozen=True):
    """A horizontal line to compare with, such as chance."""

    value: float
    label: str


class Panel(Struct, frozen=True, tag="panel"):
    """One plot of lines."""

    series: tuple[Series, ...]
    x_label: str
    y_label: str
    title: str = ""
    ticks: tuple[tuple[float, str], ...] | None = None
    """Places on x and what they are called; by default as the numbers fall."""
    y_range: tuple[float, float] | None = None
    levels: tuple[Level, ...] = ()
    mark: tuple[float, str] | None = None
    """A place on x to point out, and why."""
    notes: tuple[tuple[float, float, str], ...] = ()
    """Words beside some of the points: x, y and what stands there."""


class Bars(Struct, frozen=True, tag="bars"):
    """One plot of bars: for each name one bar of every series, whose x is left alone."""

    names: tuple[str, ...]
    series: tuple[Series, ...]
    y_label: str
    title: str = ""
    y_range: tuple[float, float] | None = None
    levels: tuple[Level, ...] = ()


def crowded(names: Sequence[str]) -> bool:
    """Whether names under bars would run into one another if they stood level."""
    widest = (max(map(len, name.split("\n"))) for name in names)
    return sum(width + 2 for width in widest) > LETTERS


def log_places(values: Sequence[float]) -> tuple[float, ...]:
    """Where values stand on a logarithmic axis; zero, which has no place there, one step before the least."""
    positive = [math.log10(value) for value in values if value > 0]
    steps = [later - earlier for earlier, later in pairwise(positive)]
    before = min(positive, default=0.0) - max([0.5, *steps])
    return tuple(math.log10(value) if value > 0 else before for value in values)


def write_figure(stem: Path, panels: Sequence[Panel | Bars], title: str = "") -> tuple[Path, Path]:
    """Draw the panels side by side and write `stem`.svg and `stem`.png."""
    import matplotlib
    from matplotlib.figure import Figure

    paths = (stem.with_name(f"{stem.name}.svg"), stem.with_name(f"{stem.name}.png"))
    # A person's own settings must not show; the backend is for windows, of which there are none.
    plain = {name: value for name, value in matplotlib.rcParamsDefault.items() if name != "backend"}
    settings: Any = dict(chain(plain.items(), STYLE.items()))
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(PANEL[0] * len(panels), PANEL[1] + 0.25 * bool(title)), layout="constrained")
        for number, panel in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), number + 1)
            _draw_lines(axes, panel) if isinstance(panel, Panel) else _draw_bars(axes, panel)
        if title:
            figure.suptitle(title, x=0.01, ha="left", fontsize=10)
        for path in paths:
            _save(figure, path)
    return paths


def _save(figure: Figure, path: Path) -> None:
    """What tells date and program is left out: it would change the bytes."""
    kind = path.suffix.removeprefix(".")
    metadata: dict[str, Any] = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with new_file(path) as beside:
        figure.savefig(beside, format=kind, dpi=DOTS, metadata=metadata)


def _draw_lines(axes: Axes, panel: Panel) -> None:
    if panel.mark is not None:
        at, why = panel.mark
        axes.axvline(at, color="#E6E6E6", linewidth=6, zorder=0.5)
        axes.annotate(
            why, (at, 0), xycoords=("data", "axes fraction"), xytext=(0, 4), textcoords="offset points",
            rotation=90, ha="center", va="bottom", fontsize=6.5, color=GREY,
        )  # fmt: skip
    for number, series in enumerate(panel.series):
        place = number if series.colour is None else series.colour
        _draw_series(axes, series, place)
    for x, y, said in panel.notes:
        axes.annotate(said, (x, y), xytext=(3, 1), textcoords="offset points", fontsize=6.5, color="#333333")
    axes.set_xlabel(panel.x_label)
    if panel.ticks is not None:
        axes.set_xticks([at for at, _ in panel.ticks], [name for _, name in panel.ticks])
    _finish(axes, panel)


class _Points(Struct, frozen=True):
    """The values of a series that are there."""

    x: list[float]
    y: list[float]
    low: list[float]
    high: list[float]

    @property
    def errors(self) -> tuple[list[float], list[float]]:
        """How far the bounds are below and above."""
        return (
            [y - low for y, low in zip(self.y, self.low, strict=True)],
            [high - y for y, high in zip(self.y, self.high, strict=True)],
        )


def _points(series: Series, x: Sequence[float]) -> _Points:
    bounds = zip(series.low or series.y, series.high or series.y, strict=True)
    found = [
        (at, y, y if low is None else low, y if high is None else high)
        for at, y, (low, high) in zip(x, series.y, bounds, strict=True)
        if y is not None
    ]
    columns = [list(column) for column in zip(*found, strict=True)] or [[], [], [], []]
    return _Points(*columns)


def _draw_series(axes: Axes, series: Series, place: int) -> None:
    points = _points(series, series.x)
    colour, dash = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
    look: dict[str, Any] = {
        "color": colour, "marker": MARKS[place % len(MARKS)], "markersize": series.size,
        "label": series.label, "markeredgecolor": "white", "markeredgewidth": 0.12 * series.size,
    }  # fmt: skip
    if series.line:
        if series.low:
            axes.fill_between(points.x, points.low, points.high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(points.x, points.y, linewidth=1.4, linestyle=dash, **look)
        return
    bars = points.errors if series.low else None
    axes.errorbar(points.x, points.y, yerr=bars, linestyle="none", capsize=2, elinewidth=1, **look)


def _draw_bars(axes: Axes, panel: Bars) -> None:
    width = 0.8 / max(1, len(panel.series))
    for number, series in enumerate(panel.series):
        shift = (number - (len(panel.series) - 1) / 2) * width
        points = _points(series, [place + shift for place in range(len(panel.names))])
        place = number if series.colour is None else series.colour
        axes.bar(
            points.x, points.y, width * 0.92, label=series.label, color=COLOURS[place % len(COLOURS)],
            yerr=points.errors if series.low else None, capsize=2, ecolor="#333333",
            error_kw={"elinewidth": 1},
        )  # fmt: skip
    axes.set_xticks(range(len(panel.names)), panel.names)
    if crowded(panel.names):
        axes.tick_params(axis="x", labelrotation=35)
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    _finish(axes, panel)


def _finish(axes: Axes, panel: Panel | Bars) -> None:
    for level in panel.levels:
        axes.axhline(level.value, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1.5)
        axes.annotate(
            level.label, (1, level.value), xycoords=("axes fraction", "data"), xytext=(0, 2),
            textcoords="offset points", ha="right", va="bottom", fontsize=7, color=GREY,
        )  # fmt: skip
    axes.set_ylabel(panel.y_label)
    if panel.y_range is not None:
        axes.set_ylim(panel.y_range)
    if not any(series.label for series in panel.series):
        axes.set_title(panel.title)
        return
    columns = min(3, len(panel.series))  # above the plot, where they hide nothing, and the title above them
    axes.set_title(panel.title, pad=_LEGEND_ROW * math.ceil(len(panel.series) / columns))
    axes.legend(
        loc="lower left", bbox_to_anchor=(-0.02, 1), ncols=columns, columnspacing=1.2, handlelength=2.2
    )

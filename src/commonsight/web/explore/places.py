"""Places of a canvas, as squares on the pictures that were laid side by side on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.core.scene import Scene

PANEL = (530, 416)
"""Each of several pictures is made to fit this before they are joined (NLVR2, appendix E)."""


class Square(NamedTuple):
    """One place: left, top, width and height in the picture's pixels, and how much was looked at it."""

    left: float
    top: float
    width: float
    height: float
    step: int


class Looks(NamedTuple):
    """One glimpse, picture by picture."""

    pictures: tuple[tuple[Square, ...], ...]


class _Panel(NamedTuple):
    """Where a picture lies on the canvas, in parts of the canvas' width and height."""

    left: float
    top: float
    width: float
    height: float


def looks(
    canvas: tuple[int, int] | None, steps: NDArray[np.int64], scenes: Sequence[Scene]
) -> Iterator[Looks]:
    """Each glimpse's squares; none where the run does not tell what its places are of."""
    shape = None if canvas is None else grid_of(steps.shape[-1], canvas)
    if shape is None or not scenes:
        return
    panels = [_panel(scene, place, len(scenes)) for place, scene in enumerate(scenes)]
    for glimpse in steps:
        laid = glimpse.reshape(shape)
        yield Looks(
            tuple(
                tuple(_squares(laid, panel, scene)) for panel, scene in zip(panels, scenes, strict=True)
            )
        )


def grid_of(places: int, canvas: tuple[int, int]) -> tuple[int, int] | None:
    """How many rows and columns of places there are: squares as near as can be on this canvas."""
    wide, tall = canvas
    ways = [(rows, places // rows) for rows in range(1, places + 1) if places % rows == 0]
    return min(ways, key=lambda way: abs(np.log(way[1] * tall / (way[0] * wide))), default=None)


def _panel(scene: Scene, place: int, count: int) -> _Panel:
    """A single picture fills the canvas; of several, each keeps its shape within its part."""
    if count == 1:
        return _Panel(0, 0, 1, 1)
    wide, tall = scene.width or PANEL[0], scene.height or PANEL[1]
    scale = min(PANEL[0] / wide, PANEL[1] / tall)
    across, down = scale * wide / PANEL[0], scale * tall / PANEL[1]
    return _Panel((place + (1 - across) / 2) / count, (1 - down) / 2, across / count, down)


def _squares(laid: NDArray[np.int64], panel: _Panel, scene: Scene) -> Iterator[Square]:
    wide, tall = scene.width or PANEL[0], scene.height or PANEL[1]
    rows, columns = laid.shape
    width, height = wide / panel.width / columns, tall / panel.height / rows
    for row, column in np.argwhere(laid > 0).tolist():
        left = (column / columns - panel.left) / panel.width * wide
        top = (row / rows - panel.top) / panel.height * tall
        if left + width > 0 and top + height > 0 and left < wide and top < tall:
            step = int(laid[row, column])
            yield Square(round(left, 1), round(top, 1), round(width, 1), round(height, 1), step)

"""Boxes of a picture that was turned upright, as its file has them: datasets measure boxes there.

Cameras note how to turn a picture (EXIF, 1 to 8). A detector sees it upright, or it would look for people who
lie on their side; what it finds is then measured in the file's own pixels, where everything else looks.
"""

from __future__ import annotations

from collections.abc import Sequence

from commonsight.build.imaging.detector import Detected
from commonsight.core.scene import Polygon
from commonsight.store.pictures import UPRIGHT

_SIDEWAYS = 5
"""From this note on, the upright picture is as wide as the file's is tall."""
_FROM_RIGHT = frozenset((2, 3, 7, 8))
_FROM_BOTTOM = frozenset((3, 4, 6, 7))
"""Notes with which the file counts against the upright picture, across and down."""


def turned_back(found: Sequence[Detected], turn: int, size: tuple[int, int]) -> list[Detected]:
    """What was found in the upright picture, in pixels of a file of this width and height."""
    if turn == UPRIGHT:
        return list(found)
    return [_back(one, turn, size) for one in found]


def _back(one: Detected, turn: int, size: tuple[int, int]) -> Detected:
    left, top, right, bottom = one.box
    (x, y), (across, down) = (_point(corner, turn, size) for corner in ((left, top), (right, bottom)))
    outline = one.polygons
    return one._replace(
        box=(min(x, across), min(y, down), max(x, across), max(y, down)),
        polygons=None if outline is None else tuple(_polygon(part, turn, size) for part in outline),
    )


def _polygon(polygon: Polygon, turn: int, size: tuple[int, int]) -> Polygon:
    return tuple(_point((x, y), turn, size) for x, y in polygon)


def _point(point: tuple[float, float], turn: int, size: tuple[int, int]) -> tuple[float, float]:
    x, y = reversed(point) if turn >= _SIDEWAYS else point
    return size[0] - x if turn in _FROM_RIGHT else x, size[1] - y if turn in _FROM_BOTTOM else y

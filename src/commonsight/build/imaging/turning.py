"""Boxes of a picture that was turned upright, as its file has them: datasets measure boxes there.

Cameras note how to turn a picture (EXIF, 1 to 8). A detector sees it upright, or it would look for people who
lie on their side; what it finds is then measured in the file's own pixels, where everything else looks.
People see it upright, too: `upright` is the way there.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from commonsight.build.imaging.detector import Detected
from commonsight.core.scene import Box, Polygon, Region, Scene
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


def upright(scene: Scene, turn: int, size: tuple[int, int]) -> Scene:
    """A scene that was measured in a file of this width and height, as it is in the picture upright."""
    if turn == UPRIGHT:
        return scene
    width, height = reversed(size) if turn >= _SIDEWAYS else size
    regions = tuple(_upright_region(region, turn, size) for region in scene.regions)
    return structs.replace(scene, regions=regions, width=width, height=height)


def _upright_region(region: Region, turn: int, size: tuple[int, int]) -> Region:
    box, outline = region.box, region.polygons
    if box is not None:
        (x, y), (across, down) = (
            _upright_point(corner, turn, size)
            for corner in ((box.left, box.top), (box.right, box.bottom))
        )
        box = Box(min(x, across), min(y, down), max(x, across), max(y, down))
    if outline is not None:
        outline = tuple(tuple(_upright_point(point, turn, size) for point in part) for part in outline)
    return structs.replace(region, box=box, polygons=outline)


def _upright_point(point: tuple[float, float], turn: int, size: tuple[int, int]) -> tuple[float, float]:
    x = size[0] - point[0] if turn in _FROM_RIGHT else point[0]
    y = size[1] - point[1] if turn in _FROM_BOTTOM else point[1]
    return (y, x) if turn >= _SIDEWAYS else (x, y)

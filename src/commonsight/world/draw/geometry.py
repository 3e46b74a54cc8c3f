"""From the room to the picture: where something stands decides where and how large it is drawn."""

from __future__ import annotations

from typing import NamedTuple

from commonsight.world.model import Camera, Prop, Spot
from commonsight.world.things import SCALE, THINGS

WIDTH, HEIGHT = 384, 256
HORIZON = 0.46
"""How far down the picture the back wall meets the floor, as a share of its height."""
FRONT = 0.97
"""Where the floor at depth 0 lies."""
GROWN_UP = 0.62
"""Height of a grown-up at depth 0, as a share of the picture's height."""
SHRINK = 0.48
"""How much smaller things at depth 1 are."""
PILLOW = -0.33
"""Where a bed's pillow is, from its middle, in widths."""
AGE_HEIGHT = {"adult": 1.0, "child": 0.62, "old": 0.94}


class Foot(NamedTuple):
    """Where something touches the floor, in pixels, and how long a grown-up's height is there."""

    x: float
    y: float
    unit: float


def foot(spot: Spot, camera: Camera, width: int = WIDTH, height: int = HEIGHT) -> Foot:
    """Project a spot on the floor."""
    across = 0.5 + (spot.x - 0.5) * (1.0 - 0.18 * spot.depth)  # what is deeper moves a little to the middle
    down = FRONT - (FRONT - HORIZON - 0.03) * spot.depth
    x = (0.5 + (across - 0.5 + camera.shift_x) * camera.zoom) * width
    y = (0.5 + (down - 0.5 + camera.shift_y) * camera.zoom) * height
    return Foot(x, y, GROWN_UP * height * (1.0 - SHRINK * spot.depth) * camera.zoom)


class Extent(NamedTuple):
    """Width and height in pixels."""

    width: float
    height: float


def extent(prop: Prop, unit: float) -> Extent:
    """How large a thing is where a grown-up is `unit` pixels tall."""
    thing, scale = THINGS[prop.name], SCALE[prop.size]
    return Extent(thing.width * scale * unit, thing.height * scale * unit)

"""Shapes in boxes, and how they lie to each other; all in whole pixels of a box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from commonsight.core.scene import Box, Region, Scene
from commonsight.errors import InputError

PANELS = 3
SIDE = 100
"""Width and height of a box."""
STEP = 150
"""Pixels from one box's left edge to the next one's."""

KINDS = ("circle", "square", "triangle")
COLOURS = ("yellow", "black", "blue")
SIZES = (10, 20, 30)
PAINTS = {"yellow": "Yellow", "black": "Black", "blue": "#0099ff"}
"""What a source calls our colours."""
RGB = {"yellow": (255, 255, 0), "black": (0, 0, 0), "blue": (0, 153, 255)}
BACKGROUND = (211, 211, 211)
_COLOUR_OF = {paint.lower(): colour for colour, paint in PAINTS.items()} | {name: name for name in COLOURS}

TOUCHING = 1
"""Shapes with at most so many pixels between them touch: stacked ones are drawn one pixel apart."""

AT_WALL = 1
"""A shape with at most so many pixels between it and a wall touches the wall."""
NEAR = 10
"""What nearly touches is at most so many pixels away."""

Place = tuple[int, int]
"""A shape by where it is listed: its box, and its number there, both from zero."""


class Shape(Struct, frozen=True, order=True):
    """One shape; `left` and `top` are those of the square that it fills."""

    kind: str
    colour: str
    size: int
    left: int
    top: int

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.left + self.size

    @property
    def bottom(self) -> int:
        """Where it ends."""
        return self.top + self.size

    def __str__(self) -> str:
        return f"{self.colour} {self.kind} {self.size} at ({self.left}, {self.top})"

    def walls(self, within: int = AT_WALL) -> frozenset[str]:
        """The walls of its box that are at most so many pixels away."""
        reached = {
            "left": self.left <= within, "right": SIDE - self.right <= within,
            "top": self.top <= within, "bottom": SIDE - self.bottom <= within,
        }  # fmt: skip
        return frozenset(name for name, is_so in reached.items() if is_so)


def above(one: Shape, other: Shape) -> bool:
    """Whether a shape is higher up than another, wherever they stand."""
    return one.bottom <= other.top


def resting_on(one: Shape, other: Shape) -> bool:
    """Whether a shape stands right on top of another."""
    overlaps = one.left < other.right and other.left < one.right
    return overlaps and 0 <= other.top - one.bottom <= TOUCHING


def touching(one: Shape, other: Shape, within: int = TOUCHING) -> bool:
    """Whether the squares that two shapes fill meet, or are at most so many pixels apart."""
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    return max(across, down) <= within


class Panel(Struct, frozen=True, dict=True):
    """One box and its shapes."""

    shapes: tuple[Shape, ...] = ()

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The shapes' numbers from the lowest to the highest; of two as high, the left one first."""
        return tuple(
            sorted(range(len(self.shapes)), key=lambda n: (-self.shapes[n].bottom, self.shapes[n].left))
        )

    def longest_run(self, wanted: Iterable[int]) -> int:
        """The most of these shapes that lie on each other without another between them."""
        chosen, best, run = set(wanted), 0, 0
        for below, number in pairwise((None, *self.levels)):
            if number not in chosen:
                run = 0
                continue
            assert number is not None
            joined = below in chosen and resting_on(self.shapes[number], self.shapes[below])
            run = run + 1 if joined else 1
            best = max(best, run)
        return best


class Tableau(Struct, frozen=True):
    """All boxes of one picture, from left to right."""

    panels: tuple[Panel, ...]

    @property
    def places(self) -> frozenset[Place]:
        """Every shape."""
        return frozenset((box, n) for box, panel in enumerate(self.panels) for n in range(len(panel.shapes)))

    def shape(self, place: Place) -> Shape:
        """The shape at a place."""
        return self.panels[place[0]].shapes[place[1]]


def tableau(boxes: Sequence[Iterable[Shape]]) -> Tableau:
    """Boxes of shapes, in the order given."""
    return Tableau(tuple(Panel(tuple(shapes)) for shapes in boxes))


def tableau_of(scene: Scene) -> Tableau:
    """The shapes that a scene lists, by the box that they lie in."""
    boxes: list[list[Shape]] = [[] for _ in range(PANELS)]
    if not scene.regions:
        raise InputError(f"{scene.image}: the scene lists no shapes. Read them from the pixels instead.")
    for region in scene.regions:
        box = int(region.box.left // STEP) if region.box is not None else -1
        if not 0 <= box < PANELS:
            raise InputError(f"{scene.image}: {region.label} lies in none of three boxes. {_REMEDY}")
        boxes[box].append(_shape(region, scene.image, box * STEP))
    return tableau(boxes)


_REMEDY = "Give a dataset of flat shapes: circles, squares and triangles, yellow, black and blue."


def colour_of(paint: str) -> str | None:
    """Our name of what a source calls a colour."""
    return _COLOUR_OF.get(paint.lower())


def _shape(region: Region, image: str, left: int) -> Shape:
    assert region.box is not None
    colour = next((c for word in region.attributes if (c := colour_of(word))), None)
    if region.label not in KINDS or colour is None:
        told = " ".join((*region.attributes, region.label))
        raise InputError(f"{image}: '{told}' is no such shape. {_REMEDY}")
    box = region.box
    size = round(box.right - box.left)
    return Shape(region.label, colour, size, round(box.left) - left, round(box.top))


def regions_of(boxes: Tableau) -> tuple[Region, ...]:
    """The same as a scene lists them."""
    return tuple(
        Region(
            shape.kind,
            Box(STEP * n + shape.left, shape.top, STEP * n + shape.right, shape.bottom),
            attributes=(PAINTS[shape.colour],),
        )
        for n, panel in enumerate(boxes.panels)
        for shape in panel.shapes
    )

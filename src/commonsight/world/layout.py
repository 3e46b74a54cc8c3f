"""Where everyone and everything goes: boxes in the picture, and spots at which nothing important is hidden.

Boxes are guesses from sizes, before anything is drawn; they only have to keep faces and evidence in view.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from commonsight.world.draw.geometry import AGE_HEIGHT, GROWN_UP, HEIGHT, SHRINK, WIDTH, foot
from commonsight.world.model import Camera, Spot
from commonsight.world.things import SCALE, THINGS

_STILL = Camera()
EDGE = 0.03 * WIDTH
"""How close to the picture's edge someone may stand."""
APART = 0.075
"""How far apart people must be, across the room."""
HIDDEN = {"face": 0.04, "body": 0.62, "evidence": 0.25, "clutter": 0.6}
"""Which share of something may be covered by what is nearer."""


class Cramped(Exception):  # noqa: N818 - not a fault: the planner tries another arrangement
    """No free spot was found."""


class Box(NamedTuple):
    """A box in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)

    def shared(self, other: Box) -> float:
        """The area that two boxes have in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        tall = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * tall if wide > 0 and tall > 0 else 0.0


class Body(NamedTuple):
    """Something that covers what is behind it, and the parts of it that must be seen."""

    spot: Spot
    solid: Box
    vital: tuple[tuple[Box, float], ...] = ()
    """Boxes, each with the share of it that may be hidden."""
    person: bool = False


def across(width: float, depth: float) -> float:
    """How much of the room's width something takes at a depth."""
    return width * GROWN_UP * HEIGHT * (1 - SHRINK * depth) / WIDTH


def thing_body(name: str, size: str, spot: Spot, hidden: str | None = None, lift: float = 0.0) -> Body:
    """A thing on the floor, or `lift` units above it. `hidden` names the share of it that may be hidden."""
    thing, scale, at = THINGS[name], SCALE[size], foot(spot, _STILL)
    wide, tall = thing.width * scale * at.unit / 2, thing.height * scale * at.unit
    base = at.y - lift * at.unit
    if thing.stands in ("wall", "ceiling"):
        base = HEIGHT * (0.4 if name != "door" else 0.48)
    box = Box(at.x - wide, base - tall, at.x + wide, base)
    return Body(spot, box, ((box, HIDDEN[hidden]),) if hidden else ())


def person_body(age: str, pose: str, spot: Spot, lift: float = 0.0, seated: bool = False) -> Body:
    """A person on the floor, or on a seat `lift` units high."""
    at = foot(spot, _STILL)
    tall, base = AGE_HEIGHT[age] * at.unit, at.y - lift * at.unit
    if pose in ("lying", "sleeping") and seated and lift:
        box = Box(at.x - tall / 2, base - 0.3 * at.unit, at.x + tall / 2, base)
        return Body(spot, box, ((box, 0.15),), person=True)
    tall *= 0.56 if seated else 0.62 if pose == "crouching" else 1.0
    half = at.unit * (0.2 if pose in ("running", "pointing", "walking") else 0.15)
    half *= 0.8 if age == "child" else 1.0
    box = Box(at.x - half, base - tall, at.x + half, base)
    head = Box(at.x - 0.11 * at.unit, base - tall, at.x + 0.11 * at.unit, base - tall + 0.2 * at.unit)
    return Body(spot, box, ((head, HIDDEN["face"]), (box, HIDDEN["body"])), person=True)


def fits(body: Body, others: list[Body], slack: float = 0.0) -> bool:
    """Whether it can stand there without hiding or being hidden."""
    if body.solid.left < EDGE * (1 - slack) or body.solid.right > WIDTH - EDGE * (1 - slack):
        return False
    for other in others:
        if body.person and other.person and abs(body.spot.x - other.spot.x) < APART:
            return False
        front, back = (body, other) if body.spot.depth <= other.spot.depth else (other, body)
        for box, share in back.vital:
            if front.solid.shared(box) > (share + slack) * box.area:
                return False
    return True


def find(
    rng: Random, spots: Callable[[Random], Spot], make: Callable[[Spot], Body], others: list[Body],
    tries: int = 24, slack: float = 0.0,
) -> Body:  # fmt: skip
    """The first of some proposed spots that is free; `Cramped` if none is."""
    for _ in range(tries):
        body = make(spots(rng))
        if fits(body, others, slack):
            return body
    raise Cramped


def anywhere(nearest: float, farthest: float) -> Callable[[Random], Spot]:
    """Spots all over the room between two depths."""
    return lambda rng: Spot(rng.uniform(0.07, 0.93), rng.uniform(nearest, farthest))


def beside(
    spot: Spot, least: float, most: float, forward: float = 0.12, back: float = 0.12
) -> Callable[[Random], Spot]:
    """Spots to the left or right of another."""

    def propose(rng: Random) -> Spot:
        x = spot.x + rng.choice((-1, 1)) * rng.uniform(least, most)
        return Spot(x, min(max(spot.depth + rng.uniform(-forward, back), 0.02), 0.92))

    return propose

"""Where a person's joints are: a pose as a few points, before any paint.

A body is measured in its own height, forward (the way it faces) and up, from where its feet or its seat are.
Poses say where hips, neck, knees, feet and hands go; elbows follow from the length of an arm.
"""

from __future__ import annotations

from math import atan2, cos, hypot, radians, sin
from typing import NamedTuple

from commonsight.world.draw.geometry import AGE_HEIGHT
from commonsight.world.draw.pen import Point
from commonsight.world.model import Actor

HEAD = {"adult": 0.13, "child": 0.185, "old": 0.13}
"""Radius of the head as a share of the height: larger than life, so that faces can be read."""
ARM = 0.17
"""Length of the upper arm, and of the forearm."""
SEAT_HEIGHT = 0.26
"""How high people sit where nobody says."""

Pair = tuple[Point, Point]


class Limb(NamedTuple):
    """Shoulder, elbow and hand, or hip, knee and foot."""

    root: Point
    joint: Point
    end: Point


class Body(NamedTuple):
    """A posed person in pixels. The front arm is the one that reaches and holds."""

    side: int
    """1 if facing right, -1 if left."""
    height: float
    scale: float
    """What one body measure is in pixels: the height, a little less for children, whose heads are larger."""
    hip: Point
    neck: Point
    head: Point
    radius: float
    tilt: float
    """How far the head leans, in radians clockwise on the picture."""
    front_arm: Limb
    back_arm: Limb
    front_leg: Limb
    back_leg: Limb
    lies: bool


class _Stance(NamedTuple):
    hip: Point
    neck: Point
    tilt: float
    front_leg: Pair
    back_leg: Pair
    front_hand: Point
    back_hand: Point
    lies: bool = False


_STANDING = _Stance((0, 0.42), (0, 0.75), 0, ((0.06, 0.21), (0.065, 0)), ((-0.055, 0.21), (-0.06, 0.012)),
                    (0.135, 0.375), (-0.135, 0.375))  # fmt: skip
_WALKING = _Stance((0, 0.41), (0.03, 0.74), 4, ((0.13, 0.23), (0.17, 0)), ((-0.02, 0.2), (-0.19, 0.055)),
                   (-0.09, 0.46), (0.22, 0.5))  # fmt: skip
_RUNNING = _Stance((-0.02, 0.37), (0.11, 0.68), 12, ((0.2, 0.3), (0.15, 0.06)),
                   ((-0.13, 0.19), (-0.33, 0.09)), (0.33, 0.61), (-0.14, 0.4))  # fmt: skip
_PLAYING = _Stance((0, 0.43), (-0.01, 0.76), -6, ((0.17, 0.33), (0.13, 0.11)), ((-0.04, 0.21), (-0.06, 0)),
                   (0.27, 0.93), (-0.28, 0.9))  # fmt: skip
_CROUCHING = _Stance((-0.1, 0.15), (0.05, 0.43), 14, ((0.13, 0.26), (0.07, 0)),
                     ((0.03, 0.23), (-0.05, 0.012)), (0.25, 0.14), (0.17, 0.2))  # fmt: skip
_SITTING = _Stance((-0.02, 0.05), (-0.04, 0.38), 0, ((0.19, 0.07), (0.2, -0.24)),
                   ((0.13, 0.085), (0.115, -0.22)), (0.17, 0.14), (0.1, 0.15))  # fmt: skip
_STRADDLING = _Stance((0, 0.05), (0.03, 0.38), 0, ((0.14, -0.06), (0.08, -0.27)),
                      ((0.1, -0.03), (0.14, -0.2)), (0.25, 0.12), (0.2, 0.12))  # fmt: skip
_ON_FLOOR = _Stance((-0.06, 0.07), (-0.07, 0.4), 0, ((0.16, 0.22), (0.27, 0.01)), ((0.1, 0.2), (0.2, 0.02)),
                    (0.14, 0.25), (0.08, 0.22))  # fmt: skip
_LYING = _Stance((0.04, 0.085), (-0.2, 0.23), -8, ((0.25, 0.16), (0.4, 0.05)), ((0.26, 0.06), (0.46, 0.035)),
                 (0.06, 0.17), (-0.32, 0.06), True)  # fmt: skip
_ASLEEP = _Stance((0.06, 0.08), (-0.23, 0.1), -78, ((0.28, 0.12), (0.45, 0.06)), ((0.28, 0.06), (0.47, 0.03)),
                  (0.04, 0.16), (-0.02, 0.1), True)  # fmt: skip


def pose_body(
    actor: Actor, x: float, y: float, unit: float, reach_for: Point | None = None, *, lies: bool = True,
    drop: float | None = None, width: float = 0.0, aloft: bool = False, ear: bool = False,
) -> Body:  # fmt: skip
    """Pose an actor.

    `lies` tells whether one who sleeps has the room to lie, `drop` how high the seat is over the floor,
    `width` how wide the held thing is: a wide one is held in both hands, one held `aloft` in a raised one,
    one at the `ear` in the hand of the far side, which is where the ear is.
    """
    height = unit * AGE_HEIGHT[actor.look.age]
    radius = HEAD[actor.look.age] * height
    scale = (height - 2 * radius) / 0.75
    side = -1 if actor.facing == "left" else 1
    if reach_for is not None and actor.pose in ("hugging", "handing over", "pointing"):
        side = -1 if reach_for[0] < x else 1
    fall = (SEAT_HEIGHT * unit if drop is None else drop) / scale
    stance = _bend(_stance(actor, lies, fall), actor)

    def place(point: Point) -> Point:
        return x + side * point[0] * scale, y - point[1] * scale

    tilt = radians(stance.tilt) * side
    neck = place(stance.neck)
    lift = radius * 0.93
    head = neck[0] + sin(tilt) * lift, neck[1] - cos(tilt) * lift
    shoulders = _shoulders(stance)
    target = None if reach_for is None else ((reach_for[0] - x) * side / scale, (y - reach_for[1]) / scale)
    mouth = ((head[0] - x) * side / scale, (y - head[1]) / scale)
    hands = _hands(actor, stance, shoulders, mouth, radius / scale, target, width / scale)
    if aloft and not stance.lies and actor.pose not in ("handing over", "pointing", "eating"):
        hands = (shoulders[0][0] + 0.08 + 0.6 * radius / scale, shoulders[0][1] + 0.09), hands[1]
    outwards = (1, -1)
    if ear and not stance.lies:
        (mx, my), head_size = mouth, radius / scale
        shoulders, outwards = (shoulders[1], shoulders[0]), (-1, 1)
        hands = (mx - 0.95 * head_size, my - 0.4 * head_size), stance.front_hand
    arms = [
        Limb(*map(place, _arm(shoulder, hand, out, stance.lies)))
        for shoulder, hand, out in zip(shoulders, hands, outwards, strict=True)
    ]
    legs = []
    for (knee, foot), gap in ((stance.front_leg, 0.045), (stance.back_leg, -0.04)):
        root = (stance.hip[0] + (0 if stance.lies else gap), stance.hip[1] + (gap / 2 if stance.lies else 0))
        legs.append(Limb(place(root), place(knee), place(foot)))
    return Body(
        side, height, scale, place(stance.hip), neck, head, radius, tilt, arms[0], arms[1], legs[0], legs[1],
        stance.lies,
    )  # fmt: skip


def _stance(actor: Actor, lies: bool, fall: float) -> _Stance:
    """Legs and back, and where idle hands hang."""
    pose = actor.pose
    if pose == "lying":
        return _LYING
    if pose == "sleeping" and lies:
        return _ASLEEP
    if actor.seat is not None and pose not in ("standing", "walking", "running", "crouching"):
        seated = _STRADDLING if fall > 0.36 and actor.look.age != "child" else _SITTING
        reach = -min(fall, 0.29)
        (front, (fx, _)), (back, (bx, _)) = seated.front_leg, seated.back_leg
        return seated._replace(front_leg=(front, (fx, reach)), back_leg=(back, (bx, reach + 0.02)))
    if pose in ("sitting", "sleeping"):
        return _ON_FLOOR
    return {"walking": _WALKING, "running": _RUNNING, "playing": _PLAYING, "crouching": _CROUCHING}.get(
        pose, _STANDING
    )


def _bend(stance: _Stance, actor: Actor) -> _Stance:
    """How age, mood and what one does bend the back and the head."""
    (x, y), tilt = stance.neck, stance.tilt
    if stance.lies:
        return stance
    if actor.look.age == "old":
        x, y, tilt = x + 0.045, y - 0.02, tilt + 5
    if actor.pose == "sleeping":
        return stance._replace(neck=(x + 0.02, y - 0.02), tilt=24)
    if actor.expression in ("sad", "tired"):
        x, y, tilt = x + 0.015, y - 0.015, tilt + 9
    elif actor.expression == "afraid":
        x, tilt = x - 0.03, tilt - 5
    elif actor.expression == "angry":
        x, tilt = x + 0.02, tilt + 4
    if actor.pose == "reading":
        tilt += 10
    elif actor.pose == "hugging":
        x, tilt = x + 0.03, tilt + 8
    elif actor.pose == "playing" and actor.seat is not None:
        tilt -= 4
    lean = x - stance.neck[0]
    (fx, fy), (bx, by) = stance.front_hand, stance.back_hand
    return stance._replace(neck=(x, y), tilt=tilt, front_hand=(fx + lean, fy), back_hand=(bx + lean, by))


def _shoulders(stance: _Stance) -> Pair:
    (hx, hy), (nx, ny) = stance.hip, stance.neck
    length = hypot(nx - hx, ny - hy)
    ux, uy = (nx - hx) / length, (ny - hy) / length  # along the back, upwards
    cx, cy = nx - ux * 0.05, ny - uy * 0.05
    return (cx + uy * 0.085, cy - ux * 0.085), (cx - uy * 0.085, cy + ux * 0.085)


def _hands(
    actor: Actor, stance: _Stance, shoulders: Pair, mouth: Point, head: float, target: Point | None,
    width: float,
) -> Pair:  # fmt: skip
    """Where both hands go, the front one first."""
    pose, (front, back) = actor.pose, (stance.front_hand, stance.back_hand)
    sx, sy = shoulders[0]
    nx, ny = stance.neck
    if pose == "sleeping":
        return front, back
    if pose == "lying":
        return ((sx + 0.16, sy + 0.02) if actor.holds is not None else front), back
    if pose == "pointing":
        return _towards(shoulders[0], target or (sx + 1, sy), 2 * ARM), back
    if pose == "handing over":
        hand = _towards(shoulders[0], target or (sx + 1, sy - 0.05), 1.9 * ARM)
        return hand, (_towards(shoulders[1], (hand[0] - width, hand[1]), 2 * ARM) if width > 0.2 else back)
    if pose == "hugging":
        tx, ty = target or (sx + 0.3, sy - 0.08)
        return (tx, ty), (tx - 0.03, ty - 0.11)
    if pose == "eating":
        return (mouth[0] + 1.0 * head, mouth[1] - 0.72 * head), (
            back if actor.seat is None else (nx + 0.1, ny - 0.24)
        )
    if pose == "reading":
        half = max(0.07, width / 2)
        return (nx + 0.13 + half, ny - 0.15), (nx + 0.13 - half, ny - 0.16)
    if pose in ("playing", "crouching") and width <= 0.2:
        if pose == "crouching":
            return target or front, back
        out, up = 0.14 + head, ny + 0.3 - head  # beside the head, however large
        return (nx + out, up), (nx - out, up - 0.03)
    if actor.holds is not None:
        if width > 0.2:
            half = min(0.15, width / 2)
            return (nx + 0.1 + half, ny - 0.24), (nx + 0.1 - half, ny - 0.24)
        return (sx + 0.13, sy - 0.17), back
    if target is not None and pose in ("standing", "sitting"):
        return _towards(shoulders[0], target, 1.75 * ARM), back
    return _gesture(actor, stance, mouth, head)


def _gesture(actor: Actor, stance: _Stance, mouth: Point, head: float) -> Pair:
    """What idle hands say of a mood."""
    (mx, my), (hx, hy) = mouth, stance.hip
    if actor.pose not in ("standing", "sitting") or stance.lies:
        return stance.front_hand, stance.back_hand
    match actor.expression:
        case "afraid":
            return (mx + 0.9 * head, my - 0.6 * head), (mx - 0.75 * head, my - 0.7 * head)
        case "surprised":
            return (hx + 0.23, hy + 0.34), (hx - 0.23, hy + 0.34)
        case "angry" if actor.pose == "standing":
            return (hx + 0.1, hy + 0.05), (hx - 0.1, hy + 0.05)
        case "happy" if actor.pose == "standing":
            return (hx + 0.24, hy + 0.04), (hx - 0.24, hy + 0.04)
    return stance.front_hand, stance.back_hand


def _towards(start: Point, target: Point, length: float) -> Point:
    dx, dy = target[0] - start[0], target[1] - start[1]
    distance = hypot(dx, dy) or 1.0
    return start[0] + dx / distance * length, start[1] + dy / distance * length


def _arm(shoulder: Point, hand: Point, out: int, lies: bool) -> Limb:
    """Shoulder, elbow, hand. The elbow of a hanging or raised arm points outwards, of any other down."""
    dx, dy = hand[0] - shoulder[0], hand[1] - shoulder[1]
    distance = hypot(dx, dy) or 0.01
    if distance > 2 * ARM:  # out of reach: as far as the arm goes
        hand = (shoulder[0] + dx / distance * 2 * ARM, shoulder[1] + dy / distance * 2 * ARM)
        distance = 2 * ARM
    half = distance / 2
    bow = (ARM * ARM - half * half) ** 0.5 if half < ARM else 0.0
    bow = min(bow, 0.05 if lies else 0.09 if dy > 0 else 0.13)  # the rest of it comes towards us
    angle = atan2(dy, dx)
    middle = (shoulder[0] + hand[0]) / 2, (shoulder[1] + hand[1]) / 2
    elbows = [(middle[0] - s * sin(angle) * bow, middle[1] + s * cos(angle) * bow) for s in (1, -1)]
    pull = 0.6 if dy > 0 else 2.0 if abs(dx) <= 0.08 else 0.0
    elbow = min(elbows, key=lambda e: e[1] - pull * out * e[0])
    return Limb(shoulder, elbow, hand)

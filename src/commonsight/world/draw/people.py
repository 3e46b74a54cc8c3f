"""People: posed (`people_body`), dressed (`people_clothes`, `people_torso`), with a head and a face.

They are drawn half turned: whichever way one faces, both eyes show, so that a mood can always be read.
"""

from __future__ import annotations

from typing import NamedTuple

from commonsight.world.draw.pen import BACKGROUND, Pen, Point
from commonsight.world.draw.people_body import Body, pose_body
from commonsight.world.draw.people_clothes import dark, draw_arm, draw_finger, draw_hand, draw_leg
from commonsight.world.draw.people_face import draw_face
from commonsight.world.draw.people_head import Skull, draw_back_hair, draw_hat, draw_head
from commonsight.world.draw.people_torso import draw_torso
from commonsight.world.model import Actor

__all__ = ["Hands", "draw_body", "draw_grip", "draw_person", "draw_reach", "hands_of", "pose_body"]


class Hands(NamedTuple):
    """Where a drawn person's hands and head are, in pixels."""

    hold: Point
    """The hand that holds, points and reaches."""
    other: Point
    both: bool
    """Whether both hands hold the thing, one at each side."""
    grip: Point
    """Where the middle of a held thing belongs: in the hand, or between both."""
    head: Point
    radius: float
    """Of the head."""


def draw_person(
    pen: Pen, actor: Actor, x: float, y: float, unit: float, look_towards: Point | None = None,
    reach_for: Point | None = None, *, lies: bool = True, drop: float | None = None, width: float = 0.0,
    aloft: bool = False,
) -> Hands:  # fmt: skip
    """Draw a person with feet (or seat) at (x, y), where a grown-up is `unit` pixels tall.

    `look_towards` turns head and pupils; `reach_for` is what is pointed at, hugged or handed to; for the rest
    see `people_body.pose_body`.
    """
    body = pose_body(actor, x, y, unit, reach_for, lies=lies, drop=drop, width=width, aloft=aloft)
    draw_body(pen, actor, body, look_towards)
    return hands_of(actor, body, width)


def hands_of(actor: Actor, body: Body, width: float = 0.0) -> Hands:
    """Where the hands and the head of a posed person are."""
    hold, other = body.front_arm.end, body.back_arm.end
    both = actor.pose == "reading" or (
        width > 0.2 * body.scale and actor.pose not in ("eating", "pointing", "lying", "sleeping")
    )
    grip = ((hold[0] + other[0]) / 2, (hold[1] + other[1]) / 2) if both else hold
    return Hands(hold, other, both, grip, body.head, body.radius)


def draw_body(pen: Pen, actor: Actor, body: Body, look_towards: Point | None) -> None:
    """Paint a posed person from back to front."""
    look = actor.look
    raised = body.back_arm.end[1] < body.neck[1] + 0.08 * body.scale and body.back_arm.joint[1] < body.hip[1]
    over = raised or actor.pose in ("reading", "eating") or body.lies
    skull = Skull(pen, body, look_towards)
    draw_back_hair(skull, look)
    draw_leg(pen, body, body.back_leg, look, far=True)
    if not over:
        draw_arm(pen, body, body.back_arm, look, far=True)
    draw_leg(pen, body, body.front_leg, look)
    _neck(pen, body, look.skin)
    draw_torso(pen, body, look)
    draw_head(skull, look)
    draw_face(skull, actor)
    draw_hat(skull, look)
    if over:
        draw_arm(pen, body, body.back_arm, look)
    draw_reach(pen, actor, body)
    if actor.pose == "sleeping":
        _snore(pen, body)


def draw_reach(pen: Pen, actor: Actor, body: Body) -> None:
    """The front arm alone: drawn again over whomever it goes round."""
    draw_arm(pen, body, body.front_arm, actor.look)
    if actor.pose == "pointing":
        draw_finger(pen, body.front_arm, body.scale, actor.look.skin)


def draw_grip(pen: Pen, actor: Actor, body: Body, *points: Point) -> None:
    """Hands over what they hold."""
    for point in points:
        draw_hand(pen, point, body.scale, actor.look.skin)


def _neck(pen: Pen, body: Body, skin: str) -> None:
    (x, y), (hx, hy) = body.neck, body.head
    low = (x + (body.hip[0] - x) * 0.12, y + (body.hip[1] - y) * 0.12)
    pen.line([low, ((x + hx) / 2, (y + hy) / 2)], dark(skin), 0.085 * body.scale)


def _snore(pen: Pen, body: Body) -> None:
    """Letters z that rise from the head. They are no part of the sleeper."""
    entity, pen.entity = pen.entity, BACKGROUND
    x, y = body.head[0] + body.side * body.radius * 0.7, body.head[1] - body.radius * 1.25
    for step, size in enumerate((0.05, 0.07, 0.09)):
        half = size * body.scale / 2
        cx, cy = x + body.side * step * 0.085 * body.scale, y - step * 0.085 * body.scale
        points = [
            (cx - half, cy - half),
            (cx + half, cy - half),
            (cx - half, cy + half),
            (cx + half, cy + half),
        ]
        pen.line(points, "#4c6ea8", max(1.0, 0.016 * body.scale))
    pen.entity = entity

"""A stage as a picture, with what can be seen of everything on it.

Background first, then walls and ceiling, then from back to front: a seat before its sitter, a support before
what stands on it, a body before what it holds, and the hands over that. Shadows, light and rain come last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from commonsight.errors import UsageError
from commonsight.world.draw.compose_layout import DEEP, Layout
from commonsight.world.draw.compose_light import Lamp, Shadow, cast_light, cast_shadows, let_it_rain
from commonsight.world.draw.compose_outline import Box, Polygon, outlines
from commonsight.world.draw.geometry import HEIGHT, WIDTH, extent
from commonsight.world.draw.pen import BACKGROUND, Pen
from commonsight.world.draw.people import draw_body, draw_grip, draw_reach
from commonsight.world.draw.places import draw_place
from commonsight.world.draw.things import draw_thing
from commonsight.world.model import Stage
from commonsight.world.things import THINGS

OUTDOORS = frozenset({"park", "street", "beach"})
"""Where rain falls on one."""
MOST = 250
"""The largest id: a number on the pen's map is a byte, and 0 is the background."""


class Visible(NamedTuple):
    """What can be seen of an entity."""

    box: Box
    """Left, top, right, bottom of its pixels; right and bottom are just outside."""
    polygons: tuple[Polygon, ...]
    """Its outline in pieces, each within the box."""
    share: float
    """How much of it shows: the part of its frame (the box it would fill if nothing were in the way) that
    lies in the picture and that nothing drawn after it covers. An estimate, since frames have corners."""


class Rendered(NamedTuple):
    """A picture and what can be seen in it, by entity id. What is wholly hidden is not there."""

    image: Image.Image
    visible: dict[int, Visible]


def render(stage: Stage, width: int = WIDTH, height: int = HEIGHT) -> Rendered:
    """Draw a stage."""
    _check_ids(stage)
    pen = Pen(width, height)
    draw_place(pen, stage.place, stage.palette, stage.light, stage.weather, stage.seed)
    pen.entity = BACKGROUND
    scene = _Scene(stage, pen)
    scene.draw()
    numbers = np.ascontiguousarray(pen.numbers())
    picture = pen.picture()
    cast_shadows(picture, numbers == BACKGROUND, scene.shadows(), stage.seed)
    picture = cast_light(picture, stage.light, scene.lamps())
    if stage.weather == "rain" and stage.place in OUTDOORS:
        picture = let_it_rain(picture, stage.seed)
    return Rendered(picture, _visible(scene, numbers))


def _check_ids(stage: Stage) -> None:
    ids = [actor.id for actor in stage.actors] + [prop.id for prop in stage.props]
    wrong = sorted({entity for entity in ids if not 0 <= entity <= MOST or ids.count(entity) > 1})
    if wrong:
        raise UsageError(
            f"stage {stage.id}: ids {wrong} cannot be drawn. Give every entity its own id from 0 to {MOST}"
        )


class _Scene:
    """Draws entities in order and remembers the order."""

    def __init__(self, stage: Stage, pen: Pen) -> None:
        self._stage, self._pen = stage, pen
        self.layout = Layout(stage, pen.width, pen.height)
        self.order: list[int] = []

    def draw(self) -> None:
        """Everything, from back to front."""
        layout = self.layout
        roots: list[tuple[float, int]] = []
        for prop in self._stage.props:
            if prop.id in layout.holder or prop.on is not None or prop.inside is not None:
                continue
            behind = {"wall": -2.0, "ceiling": -1.0}.get(THINGS[prop.name].stands)
            roots.append((layout.feet[prop.id].y if behind is None else behind, prop.id))
        last = {entity: pair for pair in layout.pairs for entity in pair}
        for actor in self._stage.actors:
            if actor.seat is None:
                pair = last.get(actor.id, (actor.id,))
                roots.append((max(layout.feet[entity].y for entity in pair), actor.id))
        for _, entity in sorted(roots):
            if entity in layout.props:
                self._thing(entity)
            elif entity not in self.order:
                self._people(last.get(entity, (entity,)))

    def _thing(self, entity: int) -> None:
        """A thing with what is in it, what stands on it and who sits on it."""
        layout, prop = self.layout, self.layout.props[entity]
        inside, deep = layout.contained[entity], prop.name in DEEP
        if not deep:
            for other in inside:
                self._thing(other)
        self._pen.entity = entity + 1
        draw_thing(self._pen, prop, *layout.feet[entity], self._stage.light, self._stage.weather)
        self.order.append(entity)
        if deep and (prop.name not in ("refrigerator", "oven") or prop.state == "open"):
            for other in inside:
                self._thing(other)
        for other in layout.carried[entity]:
            self._thing(other)
        for sitter in layout.sitters[entity]:
            if sitter not in self.order:
                self._people((sitter,))

    def _people(self, together: tuple[int, ...]) -> None:
        """One person, or two in each other's arms: the arm of the one behind goes over the one in front."""
        together = tuple(entity for entity in together if self.layout.actors[entity].seat is None) or together
        for entity in together:
            self._person(entity)
        first = self.layout.actors[together[0]]
        if len(together) > 1 and first.pose == "hugging":
            body, front = self.layout.bodies[first.id], self.layout.bodies[together[1]]
            self._pen.entity = first.id + 1
            if front.height > 0.8 * body.height:
                draw_reach(self._pen, first, body)
            else:  # an arm would hide a child's face
                draw_grip(self._pen, first, body, body.front_arm.end)

    def _person(self, entity: int) -> None:
        layout, actor = self.layout, self.layout.actors[entity]
        body, hands = layout.bodies[entity], layout.hands[entity]
        self._pen.entity = entity + 1
        draw_body(self._pen, actor, body, layout.gaze(actor))
        self.order.append(entity)
        if actor.holds is None:
            return
        if layout.props[actor.holds].name == "kite":
            self._pen.entity = actor.holds + 1
            x, y, unit = layout.feet[actor.holds]
            self._pen.line([hands.hold, (x, y - 0.15 * unit)], "#5a5450", 0.8)
        self._thing(actor.holds)
        self._pen.entity = entity + 1
        if hands.both:
            x, _, unit = layout.feet[actor.holds]
            half = extent(layout.props[actor.holds], unit).width / 2 + 0.015 * unit
            sides = (hands.hold[0], hands.other[0])
            near, far = (x + half, x - half) if sides[0] > sides[1] else (x - half, x + half)
            draw_grip(self._pen, actor, body, (near, hands.hold[1]), (far, hands.other[1]))
        else:
            draw_grip(self._pen, actor, body, hands.hold)

    def shadows(self) -> list[Shadow]:
        """Under everything that stands on the floor."""
        layout = self.layout
        found = []
        for entity in self.order:
            x, y, unit = layout.feet[entity]
            actor, prop = layout.actors.get(entity), layout.props.get(entity)
            if actor is not None and actor.seat is None:
                body = layout.bodies[entity]
                found.append(Shadow(x, y, body.height * (1.0 if body.lies else 0.36)))
            elif prop is not None and entity not in layout.holder and prop.on is None and prop.inside is None:
                thing = THINGS[prop.name]
                if thing.stands in ("floor", "surface") and thing.height > 0.1:
                    found.append(Shadow(x, y, extent(prop, unit).width * 1.1))
        return found

    def lamps(self) -> list[Lamp]:
        """Everything that is lit."""
        found = []
        for prop in self._stage.props:
            if prop.state == "lit":
                x, y, unit = self.layout.feet[prop.id]
                high = extent(prop, unit).height
                down = prop.name == "stage light"
                reach = unit * (0.75 if prop.name in ("lamp", "stage light", "tv") else 0.45)
                found.append(Lamp(x, y + 0.3 * unit if down else y - 0.8 * high, reach))
        return found

    def frame(self, entity: int) -> tuple[float, float, float, float]:
        """The box that an entity would fill if nothing were in its way."""
        layout = self.layout
        if entity in layout.bodies:
            body = layout.bodies[entity]
            points = (*body.front_arm, *body.back_arm, *body.front_leg, *body.back_leg)
            xs, ys = zip(*points, strict=True)
            (hx, hy), r = body.head, body.radius
            return min(*xs, hx - r), min(*ys, hy - r), max(*xs, hx + r), max(*ys, hy + r)
        x, y, unit = layout.feet[entity]
        wide, high = extent(layout.props[entity], unit)
        return x - wide / 2, y - high, x + wide / 2, y


def _visible(scene: _Scene, numbers: NDArray[np.uint8]) -> dict[int, Visible]:
    rank = np.zeros(256, dtype=np.int16)
    for place, entity in enumerate(scene.order, start=1):
        rank[entity + 1] = place
    ranks = rank[numbers]
    found = {}
    for number, outline in sorted(outlines(numbers).items()):
        share = _share(ranks, scene.frame(number - 1), int(rank[number]))
        found[number - 1] = Visible(outline.box, outline.polygons, share)
    return found


def _share(ranks: NDArray[np.int16], frame: tuple[float, float, float, float], own: int) -> float:
    height, width = ranks.shape
    left, top, right, bottom = frame
    whole = max(1.0, (right - left) * (bottom - top))
    inside = ranks[
        max(0, int(top)) : min(height, int(bottom) + 1), max(0, int(left)) : min(width, int(right) + 1)
    ]
    return min(1.0, (inside.size - np.count_nonzero(inside > own)) / whole)

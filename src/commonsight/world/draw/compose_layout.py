"""Where everything goes before anything is drawn: feet, bodies, and what hands hold.

The floor plan is the stage's, with two liberties: those who hug or hand something over are moved within reach
of each other, and things that share a support (or people that share a seat) are spread over it in the order
of their x.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

from msgspec.structs import replace

from commonsight.errors import UsageError
from commonsight.world.draw.geometry import AGE_HEIGHT, HORIZON, PILLOW, Foot, extent, foot
from commonsight.world.draw.pen import Point
from commonsight.world.draw.people import Hands, hands_of
from commonsight.world.draw.people_body import Body, pose_body
from commonsight.world.model import Actor, Prop, Spot, Stage
from commonsight.world.things import THINGS, one_can_lie_on

HUGGED, HANDED = 0.33, 0.68
"""How far apart people stand who hug or hand something over, in grown-ups' heights."""
HANGING = frozenset({"backpack", "handbag", "suitcase", "bucket", "stethoscope"})
"""Held by what is at their top."""
STANDING = frozenset({"broom", "surfboard", "guitar"})
"""Held upright before or beside one, the foot on the floor."""
RAISED = frozenset({
    "balloon", "kite", "umbrella", "flower", "tennis racket", "candle", "hammer", "microphone", "fork",
    "knife", "spoon", "wine glass", "pencil",
})  # fmt: skip
"""Held by what is at their lower end."""
ONE_HANDED = RAISED | HANGING | (STANDING - {"guitar"})
SERVED = frozenset({"tray", "plate", "pizza", "cake", "pot", "bowl", "laptop"})
"""Carried on the palm."""
DEEP = frozenset({"refrigerator", "oven", "shelf", "car", "bus", "truck", "boat", "sink"})
"""So deep that what is inside is drawn in front of the back wall, not half hidden behind the rim."""
SMALL = 0.14
"""What is lower than this share of a grown-up's height stands on the hand that holds it."""
PHONING = ("standing", "sitting", "walking")
"""Poses in which a phone is held to the ear; whoever bends the head over it reads."""
ALOFT = frozenset({"umbrella", "balloon", "kite"})
"""Held up high."""
_WALL = {"door": 0.0, "window": 0.48, "blackboard": 0.36, "painting": 0.78, "clock": 0.78}
"""How high over the floor line things hang."""


class Layout:
    """Feet of all entities and bodies of all actors, in pixels."""

    def __init__(self, stage: Stage, width: int, height: int) -> None:
        self._stage, self._width, self._height = stage, width, height
        self._random = Random(stage.seed)
        self.actors = {actor.id: actor for actor in stage.actors}
        self.props = {prop.id: prop for prop in stage.props}
        self.holder = {actor.holds: actor.id for actor in stage.actors if actor.holds is not None}
        self.sitters: dict[int, list[int]] = defaultdict(list)
        self.carried: dict[int, list[int]] = defaultdict(list)
        self.contained: dict[int, list[int]] = defaultdict(list)
        self._gather()
        self.feet: dict[int, Foot] = {}
        for entity in (*self.props, *self.actors):
            if entity not in self.feet and entity not in self.holder:
                self._place(entity)
        self.pairs = self._draw_together()
        self.bodies: dict[int, Body] = {}
        self.hands: dict[int, Hands] = {}
        self._pose_all()

    def _gather(self) -> None:
        for actor in self._stage.actors:
            if actor.seat is not None:
                self.sitters[actor.seat].append(actor.id)
        for prop in self._stage.props:
            if prop.id in self.holder:
                continue
            if prop.on is not None:
                self.carried[prop.on].append(prop.id)
            elif prop.inside is not None:
                self.contained[prop.inside].append(prop.id)
        for crowd in (*self.sitters.values(), *self.carried.values(), *self.contained.values()):
            crowd.sort(key=lambda entity: (self._spot(entity).x, entity))

    def _spot(self, entity: int) -> Spot:
        return self._stage.spots.get(entity, Spot(0.5, 0.5))

    def _standing(self, entity: int) -> Spot:
        """The spot of an entity that is on, in or held by no other: it must have one."""
        spot = self._stage.spots.get(entity)
        if spot is None:
            raise UsageError(
                f"stage {self._stage.id}: entity {entity} has no spot; only what is on, in or held by "
                "another can go without. Add it to `spots`"
            )
        return spot

    # feet

    def _place(self, entity: int) -> Foot:
        """Where an entity that nobody holds stands, after whatever it stands on."""
        if entity in self.feet:
            return self.feet[entity]
        actor, prop = self.actors.get(entity), self.props.get(entity)
        if actor is not None and actor.seat is not None:
            found = self._seated(entity, actor.seat)
        elif prop is not None and prop.on is not None:
            found = self._on(prop, prop.on)
        elif prop is not None and prop.inside is not None:
            found = self._inside(prop, prop.inside)
        elif prop is not None and THINGS[prop.name].stands in ("wall", "ceiling"):
            found = self._hung(prop)
        else:
            found = foot(self._standing(entity), self._stage.camera, self._width, self._height)
        self.feet[entity] = found
        return found

    def _base(self, entity: int) -> Foot:
        """Where a support stands; one that is held itself is where its holder's hand will be, roughly."""
        if entity in self.holder:
            x, y, unit = self._place(self.holder[entity])
            return Foot(x, y - 0.55 * unit, unit)
        return self._place(entity)

    def _seated(self, entity: int, seat: int) -> Foot:
        prop, (x, y, unit) = self.props[seat], self._base(seat)
        size, share = extent(prop, unit), THINGS[prop.name].seat or 1.0
        crowd = self.sitters[seat]
        across = (crowd.index(entity) + 0.5) / len(crowd) - 0.5
        actor = self.actors[entity]
        if prop.name == "bed" and actor.pose in ("lying", "sleeping"):  # the head on the pillow
            across = PILLOW + 0.32 * AGE_HEIGHT[actor.look.age] * unit / size.width
        return Foot(x + across * size.width * 0.9, y - size.height * share, unit)

    def _on(self, prop: Prop, support: int) -> Foot:
        """On the upper surface, beside its neighbours."""
        below, (x, y, unit) = self.props[support], self._base(support)
        size, thing = extent(below, unit), THINGS[below.name]
        share = thing.top or thing.seat or 1.0
        crowd = self.carried[support]
        if prop.id not in crowd:  # held, and so not there
            crowd = [prop.id]
        widths = [extent(self.props[other], unit).width for other in crowd]
        free = size.width * 0.94 - sum(widths)
        gap = free / (len(crowd) + 1)
        place = crowd.index(prop.id)
        left = -size.width * 0.47 + gap * (place + 1) + sum(widths[:place]) + widths[place] / 2
        if gap > 0:
            left += self._random.uniform(-0.35, 0.35) * gap
        front = self._random.uniform(0.0, 0.018) * unit if thing.top is not None else 0.0
        return Foot(x + left, y - size.height * share + front, unit)

    def _inside(self, prop: Prop, container: int) -> Foot:
        around, (x, y, unit) = self.props[container], self._base(container)
        room, size = extent(around, unit), extent(prop, unit)
        crowd = self.contained[container]
        across = (crowd.index(prop.id) + 0.5) / len(crowd) - 0.5
        if around.name in DEEP:
            return Foot(x + across * room.width * 0.8, y - room.height * 0.45, unit)
        return Foot(x + across * room.width * 0.7, y - room.height + size.height * 0.5, unit)

    def _hung(self, prop: Prop) -> Foot:
        """On the back wall, or from the ceiling (or up in the sky)."""
        spot, camera = self._standing(prop.id), self._stage.camera
        if THINGS[prop.name].stands == "wall":
            x, _, unit = foot(Spot(spot.x, 1.0), camera, self._width, self._height)
            return Foot(x, HORIZON * self._height - _WALL.get(prop.name, 0.45) * unit, unit)
        x, _, unit = foot(spot, camera, self._width, self._height)
        drop = 0.0 if prop.name == "stage light" else 0.03 * self._height * (1 + spot.depth)
        return Foot(x, drop + extent(prop, unit).height, unit)

    # partners

    def _draw_together(self) -> list[tuple[int, int]]:
        """Bring those who hug or hand something over within reach; the one in front is drawn last."""
        pairs: list[tuple[int, int]] = []
        for actor in self._stage.actors:
            other = self.actors.get(actor.partner) if actor.partner is not None else None
            if (
                other is None
                or actor.pose not in ("hugging", "handing over")
                or self._paired(pairs, actor, other)
            ):
                continue
            self._approach(actor, other, HUGGED if actor.pose == "hugging" else HANDED)
            back = sorted((actor, other), key=lambda a: self.feet[a.id].y)
            if actor.pose == "hugging":  # the smaller one in front
                back = sorted(back, key=lambda a: -AGE_HEIGHT[a.look.age])
            pairs.append((back[0].id, back[1].id))
        return pairs

    def _paired(self, pairs: list[tuple[int, int]], actor: Actor, other: Actor) -> bool:
        return any(one in pair for pair in pairs for one in (actor.id, other.id))

    def _approach(self, actor: Actor, other: Actor, distance: float) -> None:
        here, there = self.feet[actor.id], self.feet[other.id]
        sizes = AGE_HEIGHT[actor.look.age] + AGE_HEIGHT[other.look.age]
        wanted = distance * (here.unit + there.unit) / 2 * (0.4 + 0.3 * sizes)
        way = 1.0 if there.x > here.x or (there.x == here.x and actor.facing == "right") else -1.0
        excess = abs(there.x - here.x) - wanted
        if actor.seat is None and other.seat is None:
            middle = (here.x + there.x) / 2
            here, there = (
                here._replace(x=middle - way * wanted / 2),
                there._replace(x=middle + way * wanted / 2),
            )
            if actor.pose == "hugging":  # shoulder to shoulder
                near = max(here, there, key=lambda foot: foot.y)
                here, there = (
                    here._replace(y=near.y - 1, unit=near.unit),
                    there._replace(y=near.y, unit=near.unit),
                )
        elif actor.seat is None:
            here = here._replace(x=here.x + way * excess)
        elif other.seat is None:
            there = there._replace(x=there.x - way * excess)
        self.feet[actor.id], self.feet[other.id] = here, there

    # bodies and hands

    def _pose_all(self) -> None:
        """First without reaching, to know where heads and hands are; then givers; then those who take."""
        for actor in self._stage.actors:
            self._pose(actor, None)
        taking = {
            a.partner: a.id for a in self._stage.actors if a.pose == "handing over" and a.partner is not None
        }
        for late in (False, True):
            for actor in self._stage.actors:
                if (actor.id in taking) == late:
                    target = self._reach(actor, taking.get(actor.id))
                    if target is not None:
                        self._pose(actor, target)

    def _pose(self, actor: Actor, reach_for: Point | None) -> None:
        here = self.feet[actor.id]
        held = self.props.get(actor.holds) if actor.holds is not None else None
        width = 0.0
        if held is not None and held.name not in ONE_HANDED:
            width = extent(held, here.unit).width
        seat = self.props.get(actor.seat) if actor.seat is not None else None
        drop = None
        if seat is not None:
            drop = extent(seat, here.unit).height * (THINGS[seat.name].seat or 1.0)
            if seat.name == "bed" and actor.pose in ("lying", "sleeping"):
                actor = replace(actor, facing="right")  # the pillow is on the left
        lies = seat is None or one_can_lie_on(seat.name)
        aloft = held is not None and held.name in ALOFT
        ear = held is not None and held.name == "cell phone" and actor.pose in PHONING
        body = pose_body(actor, *here, reach_for, lies=lies, drop=drop, width=width, aloft=aloft, ear=ear)
        self.bodies[actor.id] = body
        self.hands[actor.id] = hands_of(actor, body, width)
        if held is not None:
            self.feet[held.id] = _grasp(held, self.hands[actor.id], body, here)
            for other in self.carried[held.id]:
                self.feet[other] = self._on_held(self.props[other], held)

    def _on_held(self, prop: Prop, support: Prop) -> Foot:
        x, y, unit = self.feet[support.id]
        crowd, size = self.carried[support.id], extent(support, unit)
        across = (crowd.index(prop.id) + 0.5) / len(crowd) - 0.5
        return Foot(x + across * size.width * 0.8, y - size.height * 0.8, unit)

    def _reach(self, actor: Actor, giver: int | None) -> Point | None:
        if actor.pose == "pointing" and actor.points_at is not None:
            return self.point(actor.points_at)
        partner = self.bodies.get(actor.partner) if actor.partner is not None else None
        if actor.pose == "hugging" and partner is not None:  # no higher than one's own shoulders
            body = self.bodies[actor.id]
            below = 0.13 if partner.height > 0.8 * body.height else 0.24  # under a child's chin
            high = max(partner.neck[1] + below * partner.scale, body.neck[1] + 0.1 * body.scale)
            away = 1 if partner.neck[0] > body.neck[0] else -1
            return partner.neck[0] + away * 0.09 * partner.scale, high
        if actor.pose == "handing over" and partner is not None:
            x, y = partner.neck
            own = self.bodies[actor.id].neck[1] + 0.12 * self.bodies[actor.id].scale
            return x, (y + 0.14 * partner.scale + own) / 2
        if giver is not None and actor.holds is None:
            (x, y), unit = self.hands[giver].grip, self.feet[giver].unit
            side = 1 if self.feet[actor.id].x > x else -1
            return x + side * 0.05 * unit, y + 0.045 * unit
        return None

    def point(self, entity: int) -> Point:
        """What one looks at or points at: a face, the middle of a thing."""
        if entity in self.bodies:
            return self.bodies[entity].head
        x, y, unit = self.feet[entity]
        return x, y - extent(self.props[entity], unit).height / 2

    def gaze(self, actor: Actor) -> Point | None:
        """Where an actor looks; who reads looks at what is in the hands."""
        looks_at = actor.holds if actor.pose == "reading" and actor.looks_at is None else actor.looks_at
        return None if looks_at is None else self.point(looks_at)


def _grasp(prop: Prop, hands: Hands, body: Body, floor: Foot) -> Foot:
    """Where the foot of a held thing is, so that the hand has it where one would take it."""
    (x, y), size = hands.grip, extent(prop, floor.unit)
    if hands.both and prop.name not in SERVED | STANDING:
        return Foot(x, y + size.height * 0.55, floor.unit)
    if prop.name in HANGING:
        low = y + size.height * 0.95
        return Foot(x, low if body.lies else min(low, max(floor.y, y + 0.1 * size.height)), floor.unit)
    if prop.name == "kite":  # up in the air, on its string
        return Foot(x + body.side * 0.1 * floor.unit, max(size.height, y - 0.3 * floor.unit), floor.unit)
    if prop.name == "guitar":
        return Foot(x - body.side * 0.04 * body.scale, y + size.height * 0.5, floor.unit)
    if prop.name in STANDING:  # beside the hand, so that the face shows
        return Foot(x + body.side * size.width * 0.35, max(y + 0.3 * size.height, floor.y), floor.unit)
    if prop.name in RAISED:
        return Foot(x, y + 0.12 * size.height, floor.unit)
    if prop.name in SERVED:
        return Foot(x, y + 0.02 * floor.unit, floor.unit)
    if size.height < SMALL * floor.unit:  # on top of the hand, which would hide it
        return Foot(x, y - 0.005 * floor.unit, floor.unit)
    return Foot(x, y + size.height * 0.45, floor.unit)

"""Eight similar scenes, as a search engine returns them: one kind of thing, one place, all else varied.

Scenes are planned for counting: what is to be counted is large enough, not hidden, and clearly next to
something or clearly not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct, structs

from commonsight.world.draw.geometry import AGE_HEIGHT, WIDTH, foot
from commonsight.world.facts import DEEPER, NEAR
from commonsight.world.model import HAIRS, SKINS, Actor, Camera, Look, Prop, Size, Spot, Stage
from commonsight.world.things import SCALE, THINGS


class Theme(Struct, frozen=True):
    """What a set is searched for, and what it is found with."""

    noun: str
    places: tuple[str, ...]
    companions: tuple[str, ...]
    most: int = 6


def _theme(noun: str, places: str, companions: str, most: int = 6) -> Theme:
    return Theme(noun, tuple(places.split(", ")), tuple(companions.split(", ")), most)


THEMES = (
    _theme("dog", "park, living room, street", "cat, bird, sports ball", 5),
    _theme("cat", "living room, kitchen, street", "bird, dog, sports ball", 5),
    _theme("bird", "park, beach, street", "dog, cat"),
    _theme("horse", "park, beach", "dog, bucket", 3),
    _theme("chair", "classroom, restaurant, office", "backpack, potted plant", 5),
    _theme("potted plant", "office, living room, shop", "chair, bucket", 5),
    _theme("suitcase", "street, hospital room", "backpack, dog", 5),
    _theme("backpack", "classroom, park", "sports ball, suitcase", 5),
    _theme("bicycle", "street, park", "dog, skateboard", 3),
    _theme("sports ball", "park, beach", "dog, bucket, backpack"),
    _theme("bucket", "beach, shop", "sports ball, broom"),
    _theme("skateboard", "street, park", "backpack, sports ball", 4),
    _theme("drum", "stage, classroom", "guitar, chair", 4),
    _theme("guitar", "stage, living room", "drum, backpack", 4),
    _theme("cup", "kitchen, office, restaurant", "bottle, bowl, book"),
    _theme("bottle", "kitchen, shop, restaurant", "cup, bowl, apple"),
    _theme("bowl", "kitchen, restaurant", "cup, orange, bottle", 4),
    _theme("apple", "kitchen, classroom, shop", "orange, banana, bottle"),
    _theme("orange", "kitchen, shop", "apple, banana, bowl"),
    _theme("donut", "restaurant, kitchen, office", "cup, apple"),
    _theme("book", "classroom, office, living room", "cup, laptop, apple", 5),
    _theme("vase", "living room, shop, restaurant", "flower, cup, book", 5),
    _theme("teddy bear", "living room, shop", "gift box, book", 4),
    _theme("gift box", "living room, shop", "teddy bear, cake, vase", 4),
    _theme("laptop", "office, classroom", "cup, book", 3),
)
ANCHORS: dict[str, tuple[str, ...]] = {
    "park": ("bench", "fire hydrant"), "street": ("fire hydrant", "stop sign", "bench"),
    "beach": ("chair", "sand castle"), "living room": ("lamp", "chair", "potted plant"),
    "kitchen": ("chair", "refrigerator"), "classroom": ("easel", "chair"), "office": ("lamp", "chair"),
    "restaurant": ("potted plant", "chair", "piano"), "shop": ("shopping cart", "ladder"),
    "stage": ("chair", "easel"), "hospital room": ("wheelchair", "chair"),
}  # fmt: skip
"""One thing on the floor that every scene of a set has once, to stand next to, sit on or be left of."""
TABLES = {"office": "desk", "classroom": "desk", "shop": "counter"}
"""What stands on a surface stands on this; on a dining table elsewhere."""
CARRIED = ("umbrella", "book", "camera", "balloon", "sports ball", "backpack", "guitar", "newspaper")
PLAIN_STATES = frozenset(("asleep", "open", "lit", "broken", "fallen"))
"""States that one can make out in a small drawing."""
ROWS = (0.05, 0.36, 0.68)
"""How deep things stand on the floor: rows so far apart that what is behind is clearly behind."""
TINY = 0.1
"""Things this wide or less are all drawn large, so that they can be counted."""
BREADTHS = {"standing": 0.4, "walking": 0.6, "running": 0.75, "crouching": 0.55}
"""How wide people are, as a share of their height."""
OUTDOORS = ("park", "street", "beach")


class Plan(Struct, frozen=True):
    """What the scenes of one set have in common, as what a search engine returns has."""

    theme: Theme
    place: str
    anchor: str
    companion: str
    carried: str
    colours: dict[str, tuple[str, ...]]
    states: dict[str, str | None]
    sizes: tuple[Any, ...]
    poses: tuple[Any, ...]
    hats: tuple[Any, ...]
    tops: tuple[str, ...]
    seats: bool
    palette: int


def _plan(rng: random.Random) -> Plan:
    theme = rng.choice(THEMES)
    place, companion = rng.choice(theme.places), rng.choice(theme.companions)
    anchor = rng.choice([name for name in ANCHORS[place] if name not in (theme.noun, companion)])
    # What is held has no place of its own on the floor, so it is never what is asked to be left of something.
    carried = rng.choice([name for name in CARRIED if name not in (theme.noun, companion)])
    if THINGS[theme.noun].held and THINGS[theme.noun].stands == "surface" and rng.random() < 0.6:
        carried = theme.noun
    names = {theme.noun, companion, anchor, carried}
    colours, states = {}, {}
    for name in sorted(names):
        known, plain = THINGS[name].colours, PLAIN_STATES.intersection(THINGS[name].states)
        colours[name] = tuple(rng.sample(known, min(len(known), rng.choice((2, 2, 3)))))
        telling = name != "book"  # an open book hides its colour
        states[name] = rng.choice(sorted(plain)) if plain and telling and rng.random() < 0.6 else None
    colours[anchor], states[anchor] = colours[anchor][:1], None
    poses = ("standing", rng.choice(("crouching", "running" if place in OUTDOORS else "walking")))
    return Plan(
        theme, place, anchor, companion, carried, colours, states,
        ("medium",) if THINGS[theme.noun].stands == "surface" or rng.random() < 0.6 else ("small", "large"),
        poses, tuple(rng.sample(("cap", "straw hat", "beanie", "party hat"), 1)),
        tuple(rng.sample(("red", "blue", "yellow", "green", "purple", "white", "black"), 2)),
        THINGS[anchor].seat is not None, rng.randrange(4),
    )  # fmt: skip


class _Bounds(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def hides(self, other: _Bounds) -> float:
        """The share of the smaller of two that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high) / min(self.area, other.area)

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)


class _Builder:
    """Puts one scene together, so that nothing to be counted hides another or is nearly next to it."""

    def __init__(self, rng: random.Random, plan: Plan) -> None:
        self.rng, self.plan = rng, plan
        self.actors: list[Actor] = []
        self.props: list[Prop] = []
        self.spots: dict[int, Spot] = {}
        self.bounds: dict[int, _Bounds] = {}
        self.free = 0

    def build(self, name: str, seed: int) -> Stage:
        rng, plan = self.rng, self.plan
        self._stand(self._prop(plan.anchor, True), (ROWS[1], ROWS[2]), 0.16, 0.84)
        on_table = [n for n in (plan.theme.noun, plan.companion) if THINGS[n].stands == "surface"]
        if on_table:
            table = self._prop(TABLES.get(plan.place, "dining table"), False)
            self._stand(table, ROWS[:1], 0.24, 0.76)
            if table.id in self.bounds:  # who stands behind a table seems to stand on it
                self.bounds[table.id] = self.bounds[table.id]._replace(top=0.0)
        few = rng.random() < 0.5
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3))):
            self._person(few)
        alike = rng.random() < 0.45
        wanted = min(plan.theme.most, rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6)))
        for name_of, number in ((plan.theme.noun, wanted), (plan.companion, rng.choice((0, 1, 1, 2, 3)))):
            first = self._prop(name_of, True)
            for _ in range(number):
                other = self._prop(name_of, True)
                prop = structs.replace(first, id=other.id) if alike else other
                if name_of in on_table:
                    self._put(prop, table)
                else:
                    self._stand(prop, ROWS[:2], 0.08, 0.92)
        camera = Camera(rng.uniform(-0.012, 0.012), rng.uniform(-0.01, 0.01), rng.uniform(0.97, 1.0))
        return Stage(
            name, f"search-{plan.theme.noun}", plan.place, tuple(self.actors), tuple(self.props), self.spots,
            "day", "clear", camera, plan.palette, seed,  # by dusk one could not tell the colours
        )  # fmt: skip

    def _prop(self, name: str, varied: bool) -> Prop:
        self.free += 1
        thing, rng, plan = THINGS[name], self.rng, self.plan
        state = plan.states.get(name) if varied and rng.random() < 0.5 else None
        colour = rng.choice(plan.colours.get(name, thing.colours[:1]))
        size: Size = "large" if thing.width <= TINY and thing.stands == "surface" else "medium"
        if name == plan.theme.noun and len(plan.sizes) > 1:
            size = rng.choice(plan.sizes)
        return Prop(self.free, name, colour, size, thing.materials[0] if thing.materials else "", state)

    def _stand(self, prop: Prop, rows: Sequence[float], low: float, high: float) -> bool:
        scale = SCALE[prop.size]
        width, height = THINGS[prop.name].width * scale, THINGS[prop.name].height * scale
        if prop.state == "fallen":
            width, height = height, width
        spot = self._spot(width, height, rows, low, high)
        if spot is None:
            return False
        self.props.append(prop)
        self.spots[prop.id], self.bounds[prop.id] = spot, _bounds(spot, width, height)
        return True

    def _spot(
        self, width: float, height: float, rows: Sequence[float], low: float, high: float
    ) -> Spot | None:
        """A place where it is clear what stands next to, behind and left of what."""
        for _ in range(60):
            spot = Spot(round(self.rng.uniform(low, high), 3), self.rng.choice(rows))
            if self.bounds and len(rows) > 1 and self.rng.random() < 0.3:
                anchor = self.spots[next(iter(self.bounds))]
                x = anchor.x + self.rng.choice((-1, 1)) * self.rng.uniform(0.08, NEAR - 0.01)
                spot = Spot(round(x, 3), anchor.depth if self.rng.random() < 0.7 else spot.depth)
            box = _bounds(spot, width, height)
            inside = box.left > 0.02 * WIDTH and box.right < 0.98 * WIDTH and box.top > 2
            if inside and all(self._clear(spot, box, other) for other in self.bounds):
                return spot
        return None

    def _clear(self, spot: Spot, box: _Bounds, other: int) -> bool:
        there, taken = self.spots[other], self.bounds[other]
        across, deep = abs(spot.x - there.x), abs(spot.depth - there.depth)
        if box.hides(taken) > 0.04 or across < 0.03:
            return False
        if other != next(iter(self.bounds)):
            return True
        if across <= (NEAR - 0.01 if deep < DEEPER else 0.1):
            return across >= 0.06
        gap = max(box.left, taken.left) - min(box.right, taken.right)
        return gap > (0.08 if deep < DEEPER else 0.0) * WIDTH and across > NEAR + 0.03

    def _put(self, prop: Prop, table: Prop) -> None:
        """Onto the table, as long as there is room."""
        width = THINGS[prop.name].width * SCALE[prop.size]
        taken = sum(THINGS[p.name].width * SCALE[p.size] * 1.15 for p in self.props if p.on == table.id)
        room = THINGS[table.name].width * 0.92
        if taken + width <= room and table.id in self.spots:
            self.props.append(structs.replace(prop, on=table.id))
            left = self.spots[table.id].x - room * 0.2
            self.spots[prop.id] = Spot(round(left + (taken + width / 2) * 0.4, 3), self.spots[table.id].depth)

    def _person(self, alike: bool) -> None:
        rng, plan = self.rng, self.plan
        self.free += 1
        me = self.free
        look = Look(
            rng.choice(SKINS), rng.choice(tuple(HAIRS)), rng.choice(("short", "long", "curly", "ponytail")),
            plan.tops[0] if alike else rng.choice(plan.tops), rng.choice(("blue", "grey", "brown")),
            "child" if rng.random() < 0.25 else "adult", "casual", rng.choice((*plan.hats, None, None)),
        )  # fmt: skip
        anchor = self.props[0] if self.props and self.props[0].name == plan.anchor else None
        pose = plan.poses[0] if alike else rng.choice(plan.poses)
        facing: Literal["left", "right"] = "left" if rng.random() < 0.5 else "right"
        if plan.seats and anchor is not None and not self.actors and rng.random() < 0.35:
            self.spots[me] = self.spots[anchor.id]
            self.bounds[me] = _bounds(self.spots[me], 0.4, 1.0)
            self.actors.append(Actor(me, "", look, "sitting", "neutral", facing, seat=anchor.id))
            return
        tall = AGE_HEIGHT[look.age]
        wide = BREADTHS[pose] * tall
        spot = self._spot(wide, tall, ROWS[1:], 0.1, 0.9)
        if spot is None:
            return
        holds = None
        if rng.random() < 0.45 and pose in ("standing", "walking"):
            thing = self._prop(plan.carried, varied=True)
            self.props.append(thing)
            self.spots[thing.id], holds = spot, thing.id
        self.spots[me], self.bounds[me] = spot, _bounds(spot, wide, tall)
        self.actors.append(Actor(me, "", look, pose, "neutral", facing, holds=holds))


def _bounds(spot: Spot, width: float, height: float) -> _Bounds:
    x, y, unit = foot(spot, Camera())
    return _Bounds(x - width * unit / 2, y - height * unit, x + width * unit / 2, y)


class Scenes(NamedTuple):
    """The scenes of a set, and what they have in common."""

    plan: Plan
    stages: tuple[Stage, ...]


def similar_scenes(rng: random.Random, name: str, count: int = 8) -> Scenes:
    """So many scenes that one search might have found."""
    plan = _plan(rng)
    stages = (_Builder(rng, plan).build(f"{name}-{number}", rng.randrange(2**31)) for number in range(count))
    return Scenes(plan, tuple(stages))

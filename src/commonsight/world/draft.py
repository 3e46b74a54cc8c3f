"""A stage in the making: people and things by key, until every id is known."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from commonsight.world.cast import Character
from commonsight.world.model import Actor, Expression, Look, Pose, Prop, Size, Spot


class Person(Struct):
    """An actor in the making: others are named by key."""

    key: str
    character: Character
    look: Look
    pose: Pose
    face: Expression
    spot: Spot
    looks: str = ""
    points: str = ""
    partner: str = ""
    seat: str = ""
    holds: str = ""


class Thing(Struct):
    """A prop in the making."""

    key: str
    name: str
    colour: str
    spot: Spot
    size: Size = "medium"
    material: str = ""
    state: str | None = None
    on: str = ""


class Draft:
    """Who and what is on stage so far."""

    def __init__(self) -> None:
        self.people: dict[str, Person] = {}
        self.things: dict[str, Thing] = {}
        self.alias: dict[str, str] = {}
        """Needs that the place's own things fill."""

    def ids(self) -> dict[str, int]:
        """Every key's id: people first, then things, as VCR lists them."""
        ids = {key: number for number, key in enumerate((*self.people, *self.things))}
        ids |= {key: ids[there] for key, there in self.alias.items()}
        return ids | {f"%{person.key}": ids[person.seat] for person in self.people.values() if person.seat}

    def known(self, key: str) -> bool:
        """Whether this is on stage already; the empty key is."""
        return not key or key in self.people or key in self.things or key in self.alias

    def spot_of(self, key: str) -> Spot:
        """Where someone or something is."""
        key = self.alias.get(key, key)
        return self.people[key].spot if key in self.people else self.things[key].spot

    def actors(self, rng: Random) -> tuple[Actor, ...]:
        """The people, finished; those who look at nothing face left or right by lot."""
        ids = self.ids()
        return tuple(self._actor(person, ids, rng) for person in self.people.values())

    def _actor(self, person: Person, ids: dict[str, int], rng: Random) -> Actor:
        regarded = person.partner or person.points or person.looks
        target = self.spot_of(regarded).x if regarded and regarded != person.holds else None
        if target is None or target == person.spot.x:
            target = person.spot.x + rng.choice((-1, 1))
        return Actor(
            id=ids[person.key], character=person.character.name, look=person.look, pose=person.pose,
            expression=person.face, facing="left" if target < person.spot.x else "right",
            holds=ids.get(person.holds), looks_at=ids.get(person.looks), points_at=ids.get(person.points),
            seat=ids.get(person.seat), partner=ids.get(person.partner),
        )  # fmt: skip

    def props(self) -> tuple[Prop, ...]:
        """The things, finished."""
        ids = self.ids()
        return tuple(
            Prop(
                ids[thing.key],
                thing.name,
                thing.colour,
                thing.size,
                thing.material,
                thing.state,
                ids.get(thing.on),
            )
            for thing in self.things.values()
        )

    def spots(self) -> dict[int, Spot]:
        """Where everything is."""
        ids = self.ids()
        places = {key: each.spot for key, each in self.people.items()}
        places |= {key: each.spot for key, each in self.things.items()}
        return {ids[key]: Spot(round(spot.x, 4), round(spot.depth, 4)) for key, spot in places.items()}

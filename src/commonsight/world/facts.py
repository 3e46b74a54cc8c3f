"""What is true of a scene, as facts: those that can be seen, and those that follow by everyday rules.

A fact is a kind and its arguments: entities by id, everything else by name. Seen facts come from the stage
and are exactly what the picture shows; concluded facts come from rules (`world.rules`), each with the
evidence that it rests on. Every text of the world is written from facts and carries them, so that anyone can
prove its label.

Seen                                           concluded
----                                           ---------
("place", "kitchen")                           ("doing", p, "cooking", x or None)
("light", "night")  ("weather", "rain")        ("feels", p, "sad")
("is", e, "person" or a thing's name)          ("wants", p, "a drink" …, x or None)
("colour", t, "red")  ("size", t, "large")     ("occupation", p, "doctor")
("material", t, "glass")  ("state", t, "lit")  ("related", p, q, "parent and child")
("pose", p, "running")                         ("happened", "broke", x, p or None)
("expression", p, "happy")  ("age", p, "child")("next", p, "catch", x or None)
("outfit", p, "apron")  ("hat", p, "cap")      ("at", "restaurant")   where this is
("top", p, "red")  ("hair", p, "grey")         ("time", "night")      when it is
("holds", p, t)  ("looks_at", p, e)            ("reason", effect, cause)  both facts
("points_at", p, e)  ("sits_on", p, t)         ("would", p, condition, action, x or None)
("lies_on", p, t)  ("hugs", p, q)
("hands", p, t, q)  ("on", a, b)  ("in", a, b)
("next_to", a, b)  ("behind", a, b)
("left_of", a, b)  ("right_of", a, b)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from commonsight.world.model import Actor, Prop, Stage
from commonsight.world.things import THINGS, one_can_lie_on

Fact = tuple[object, ...]
"""A kind and its arguments. Facts may be arguments of facts."""

NEAR = 0.16
"""How close two things must stand, across the room, to be next to each other."""
DEEPER = 0.18
"""How much deeper something must stand to be behind."""


class Proof(NamedTuple):
    """A concluded fact, the rule that gave it, and the facts that the rule took."""

    fact: Fact
    rule: str
    evidence: tuple[Fact, ...]


def seen(stage: Stage) -> frozenset[Fact]:
    """Everything that the picture shows."""
    facts: set[Fact] = {("place", stage.place), ("light", stage.light), ("weather", stage.weather)}
    names = {prop.id: prop.name for prop in stage.props}
    for actor in stage.actors:
        facts.update(_actor_facts(actor, names.get(actor.seat) if actor.seat is not None else None))
    for prop in stage.props:
        facts.update(_prop_facts(prop))
    facts.update(_spatial_facts(stage))
    return frozenset(facts)


def _actor_facts(actor: Actor, seat: str | None) -> Iterator[Fact]:
    me, look = actor.id, actor.look
    yield ("is", me, "person")
    yield ("pose", me, actor.pose)
    yield ("expression", me, actor.expression)
    yield ("age", me, look.age)
    yield ("outfit", me, look.outfit)
    yield ("top", me, look.top)
    yield ("hair", me, look.hair)
    if look.hat is not None:
        yield ("hat", me, look.hat)
    if actor.holds is not None:
        yield ("holds", me, actor.holds)
    if actor.looks_at is not None:
        yield ("looks_at", me, actor.looks_at)
    if actor.points_at is not None:
        yield ("points_at", me, actor.points_at)
    if actor.seat is not None:
        asleep = actor.pose == "sleeping" and (seat is None or one_can_lie_on(seat))
        yield ("lies_on" if actor.pose == "lying" or asleep else "sits_on", me, actor.seat)
    if actor.partner is not None and actor.pose == "hugging":
        yield ("hugs", me, actor.partner)
    if actor.partner is not None and actor.pose == "handing over" and actor.holds is not None:
        yield ("hands", me, actor.holds, actor.partner)


def _prop_facts(prop: Prop) -> Iterator[Fact]:
    yield ("is", prop.id, prop.name)
    yield ("colour", prop.id, prop.colour)
    yield ("size", prop.id, prop.size)
    if prop.material:
        yield ("material", prop.id, prop.material)
    if prop.state is not None:
        yield ("state", prop.id, prop.state)
    if prop.on is not None:
        yield ("on", prop.id, prop.on)
    if prop.inside is not None:
        yield ("in", prop.id, prop.inside)


def _spatial_facts(stage: Stage) -> Iterator[Fact]:
    """How those that stand on the floor stand to one another; what is held or put somewhere goes along.

    A small thing that is nowhere else (a broken vase, a dropped sandwich) lies on the floor as well.
    """
    held = {actor.holds for actor in stage.actors}
    standing = [actor.id for actor in stage.actors if actor.seat is None]
    standing += [
        prop.id
        for prop in stage.props
        if prop.on is None and prop.inside is None and prop.id not in held
        and THINGS[prop.name].stands in ("floor", "surface")
    ]  # fmt: skip
    for one, other in combinations(standing, 2):
        here, there = stage.spots[one], stage.spots[other]
        left, right = (one, other) if here.x < there.x else (other, one)
        yield ("left_of", left, right)
        yield ("right_of", right, left)
        if abs(here.x - there.x) <= NEAR and abs(here.depth - there.depth) < DEEPER:
            yield ("next_to", one, other)
            yield ("next_to", other, one)
        if abs(here.x - there.x) <= NEAR and abs(here.depth - there.depth) >= DEEPER:
            front, back = (one, other) if here.depth < there.depth else (other, one)
            yield ("behind", back, front)

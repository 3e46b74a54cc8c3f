"""What the picture shows, as facts."""

from __future__ import annotations

import pytest

from commonsight.world.facts import Fact, seen
from commonsight.world.model import Actor, Look, Prop, Spot, Stage

LOOK = Look(skin="#f3d3b3", hair="brown", hair_style="short", top="red", bottom="blue")


def stage(
    actors: tuple[Actor, ...] = (), props: tuple[Prop, ...] = (), **spots: tuple[float, float]
) -> Stage:
    where = {actor.id: Spot(0.2 + 0.3 * actor.id, 0.3) for actor in actors}
    where |= {prop.id: Spot(0.5, 0.5) for prop in props}
    where |= {int(key[1:]): Spot(*spot) for key, spot in spots.items()}
    return Stage("s", "m", "kitchen", actors, props, where, light="dusk")


def test_the_room() -> None:
    assert seen(stage()) == {("place", "kitchen"), ("light", "dusk"), ("weather", "clear")}


@pytest.mark.parametrize(
    ("actor", "fact"),
    [
        (Actor(0, "Ada", LOOK), ("pose", 0, "standing")),
        (Actor(0, "Ada", LOOK, expression="sad"), ("expression", 0, "sad")),
        (Actor(0, "Ada", LOOK), ("top", 0, "red")),
        (Actor(0, "Ada", LOOK, holds=2), ("holds", 0, 2)),
        (Actor(0, "Ada", LOOK, looks_at=1), ("looks_at", 0, 1)),
        (Actor(0, "Ada", LOOK, pose="pointing", points_at=2), ("points_at", 0, 2)),
        (Actor(0, "Ada", LOOK, pose="eating", seat=3), ("sits_on", 0, 3)),
        (Actor(0, "Ada", LOOK, pose="lying", seat=3), ("lies_on", 0, 3)),
        (Actor(0, "Ada", LOOK, pose="hugging", partner=1), ("hugs", 0, 1)),
        (Actor(0, "Ada", LOOK, pose="handing over", partner=1, holds=2), ("hands", 0, 2, 1)),
    ],
)
def test_a_person(actor: Actor, fact: Fact) -> None:
    people = (actor, Actor(1, "Bela", LOOK))
    things = (Prop(2, "cup", "red"), Prop(3, "bed", "white"))
    assert fact in seen(stage(people, things))


def test_a_thing() -> None:
    cup = Prop(1, "cup", "red", "large", "clay", "full", on=0)
    facts = seen(stage((), (Prop(0, "desk", "brown"), cup)))
    assert {("is", 1, "cup"), ("colour", 1, "red"), ("size", 1, "large"), ("material", 1, "clay")} <= facts
    assert {("state", 1, "full"), ("on", 1, 0)} <= facts


def test_next_to_behind_and_sides() -> None:
    people = tuple(Actor(number, "Ada", LOOK) for number in range(3))
    facts = seen(stage(people, (), s0=(0.2, 0.1), s1=(0.3, 0.15), s2=(0.25, 0.6)))
    assert {("next_to", 0, 1), ("next_to", 1, 0), ("behind", 2, 0), ("behind", 2, 1)} <= facts
    assert {("left_of", 0, 1), ("right_of", 1, 0)} <= facts
    assert ("next_to", 0, 2) not in facts


def test_a_dropped_thing_lies_on_the_floor_and_a_held_one_does_not() -> None:
    things = (Prop(1, "sandwich", "brown"), Prop(2, "cup", "red"), Prop(3, "clock", "white"))
    facts = seen(stage((Actor(0, "Ada", LOOK, holds=2),), things, s0=(0.5, 0.5)))
    assert ("next_to", 0, 1) in facts
    assert not any(fact[0] == "next_to" and {2, 3} & set(fact[1:]) for fact in facts)

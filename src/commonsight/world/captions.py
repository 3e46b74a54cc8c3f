"""What a scene shows, in a sentence or two, as COCO's people caption photographs.

A caption is told from what can be seen alone: not from what follows from it, and not from what is asked about
the scene. It tells of the largest people and things, what people do with their bodies and hands, and where it
is. Every caption carries the facts that it tells, so that anyone can check it.

`graph.captions` puts any scene graph into words. There are two because they know different things: a graph
has neither the place nor facts that the world has wordings for, and whoever learns from it wants all its
attributes and relations told. Both take articles from `core.inflect`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from commonsight.core.inflect import with_article
from commonsight.store.workers import worked
from commonsight.world.english import Say, sentence, together
from commonsight.world.facts import Fact
from commonsight.world.frame import Frame
from commonsight.world.make import SCENES_A_MOVIE, Plan, Unit, frames_of, units
from commonsight.world.places import PLACES
from commonsight.world.vcr_items import image_name

PEOPLE, THINGS = 2, 2
"""So many are told of at most: a caption is no inventory."""
DEEDS = ("hands", "hugs", "sits_on", "lies_on", "points_at", "holds", "pose")
"""What is told of a person, the most telling first."""
_MARK = re.compile(r"\{(\d+)\}")


class Caption(NamedTuple):
    """A text, and all that it says of the scene."""

    text: str
    facts: tuple[Fact, ...]


class Captioned(NamedTuple):
    """A caption, and what its picture is called in the world's formats."""

    images: tuple[str, ...]
    caption: Caption


def caption(shot: Frame, rng: random.Random) -> Caption:
    """One caption; `rng` chooses between wordings."""
    say: Say = lambda row: rng.choice(row.split("|"))  # noqa: E731 - a wording of a row
    people, things = _largest(shot)
    deeds = [fact for person in people for fact in _deeds(shot, person)]
    told = {part for fact in deeds for part in fact if isinstance(part, int)}
    kinds = {shot.names[thing]: thing for thing in reversed(things) if thing not in told}
    others = [thing for thing in things if thing in kinds.values()][:THINGS]
    place = next(fact for fact in shot.facts if fact[0] == "place")
    where = PLACES[str(place[1])].phrase
    seen = _listed([f"{{{thing}}}" for thing in others])
    if deeds:
        clauses = [f"{together(deeds, say)} {where}", *([f"there is {seen} too"] if others else [])]
    else:
        clauses = [f"there is {seen} {where}" if others else f"an empty place {where}"]
    mentioned = {*told, *others}
    named = tuple(fact for fact in _sorted(shot) if fact[0] in ("is", "age") and fact[1] in mentioned)
    text = _named(". ".join(sentence(one, "") for one in clauses) + ".", shot)
    return Caption(text, (place, *deeds, *named))


def captions(plan: Plan, workers: int) -> Iterator[list[Captioned]]:
    """The captions of a world's pictures, planned and drawn anew, movie by movie."""
    yield from worked(partial(_movie, plan), movies_of(plan), workers)


def movies_of(plan: Plan) -> list[Unit]:
    """The pieces of a world that `captions` tells of."""
    return [unit for unit in units(plan) if unit.what == "movie"]


def _movie(plan: Plan, unit: Unit) -> list[Captioned]:
    first = unit.number * SCENES_A_MOVIE + 1
    return [
        Captioned(
            (image_name(shot), f"{first + place:012d}.jpg"),
            caption(shot, random.Random(f"{plan.seed}:caption:{shot.stage.id}")),
        )
        for place, shot in enumerate(frames_of(plan, unit))
    ]


class _Seen(NamedTuple):
    people: list[int]
    things: list[int]


def _largest(shot: Frame) -> _Seen:
    """People and things that can be made out, the largest first."""

    def area(entity: int) -> float:
        left, top, right, bottom = shot.picture.visible[entity].box
        return float((right - left) * (bottom - top))

    order = sorted(shot.index, key=lambda entity: (-area(entity), entity))
    people = [entity for entity in order if shot.names[entity] == "person"]
    return _Seen(people[:PEOPLE], [entity for entity in order if shot.names[entity] != "person"])


def _deeds(shot: Frame, person: int) -> list[Fact]:
    """What a person is seen doing: the most telling thing, with the pose that it goes with."""
    own = {str(fact[0]): fact for fact in _sorted(shot) if fact[1] == person and fact[0] in DEEDS}
    first = next(kind for kind in DEEDS if kind in own)
    return [own[kind] for kind in dict.fromkeys((first, "pose"))]


def _sorted(shot: Frame) -> Iterable[Fact]:
    return sorted(shot.facts, key=repr)


def _listed(names: list[str]) -> str:
    return " and ".join(names)


def _named(text: str, shot: Frame) -> str:
    """Marks as words: "a child", of a second one "another child", and of the same once more "the child"."""
    ages = {fact[1]: str(fact[2]) for fact in shot.facts if fact[0] == "age"}
    told: set[int] = set()
    used: set[str] = set()

    def word(mark: re.Match[str]) -> str:
        entity = int(mark.group(1))
        noun = {"child": "child", "old": "old person"}.get(ages.get(entity, ""), shot.names[entity])
        if entity in told:
            return f"the {noun}"
        article = f"another {noun}" if noun in used else with_article(noun)
        told.add(entity)
        used.add(noun)
        return article

    words = _MARK.sub(word, text)
    return re.sub(r"(^|\. )([a-z])", lambda found: found.group(1) + found.group(2).upper(), words)

"""Captions of scenes: what a scene graph says of a picture, in plain words.

A caption is a few of the graph's own statements, such as "a red boat, a man holding a cup": nothing is said
that the graph does not say, and what it does not know is left out.

`world.captions` tells of drawn scenes in whole sentences. There are two because they know different things:
the world knows the place, and has wordings for its facts; a graph has labels, attributes and predicates,
whatever they are. Both take articles from `core.inflect`.
"""

from __future__ import annotations

import random

from commonsight.core.inflect import with_article
from commonsight.core.scene import Region, Scene

STATEMENTS = 3
"""Of a caption, at most."""


def statements(scene: Scene) -> tuple[str, ...]:
    """Every object with its attributes, and every relation; each once, in the graph's order."""
    objects = (_named(region) for region in scene.regions)
    relations = (
        f"{_named(scene.regions[edge.subject])} {edge.predicate} {_named(scene.regions[edge.object])}"
        for edge in scene.relations
    )
    return tuple(dict.fromkeys((*objects, *relations)))


def captions(scene: Scene, count: int, *, seed: int) -> tuple[str, ...]:
    """So many captions at most, each of a few statements that are drawn."""
    told = statements(scene)
    chance = random.Random(f"{seed}:{scene.image}")
    drawn = (chance.sample(told, min(STATEMENTS, len(told))) for _ in range(count if told else 0))
    return tuple(dict.fromkeys(", ".join(some) for some in drawn))


def _named(region: Region) -> str:
    return with_article(" ".join((*region.attributes, region.label)))

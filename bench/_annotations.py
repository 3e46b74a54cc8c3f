"""Raw annotations in any number: what annotators of the dollhouse write, several to each drawn scene."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from commonsight.build.matching.values import Annotation, Pair
from commonsight.core.text import TaggedText
from commonsight.world.english import tagged
from commonsight.world.frame import Frame, frame
from commonsight.world.make import CREW, Plan, film_of, units
from commonsight.world.plan import plan_scene, scene_rng
from commonsight.world.vcr import Triplet, triplets
from commonsight.world.voices import voices

SEED = 7
WRITERS = 4
"""Annotators of a scene, each of whom writes up to three triplets."""


def written(count: int) -> list[Annotation]:
    """So many annotations, none of which answers word for word what another of its image does."""
    return list(islice(_written(), count))


def joined(annotation: Annotation) -> Pair:
    """A question, and as the response answer and rationale together: most of these are there only once."""
    assert annotation.rationale is not None
    response = TaggedText(annotation.answer.tokens + annotation.rationale.tokens)
    image = annotation.image or annotation.id
    return Pair(annotation.id, image, annotation.objects, annotation.question, response)


def _written() -> Iterator[Annotation]:
    crew = voices(SEED, CREW)
    for shot in _frames():
        seen: set[str] = set()
        for writer in range(WRITERS):
            rng = random.Random(f"{SEED}:{shot.stage.id}:{writer}")
            for number, triplet in enumerate(triplets(shot.proofs, crew, rng, shot.index)):
                if triplet.answer not in seen:
                    seen.add(triplet.answer)
                    yield _annotation(f"{shot.stage.id}-{writer}-{number}", shot, triplet)


def _frames() -> Iterator[Frame]:
    plan = Plan(10**6, SEED, ("vcr",))
    for unit in units(plan):
        film = film_of(plan, unit.number)
        for at in range(unit.scenes):
            yield frame(plan_scene(film, at, scene_rng(SEED, film, at)))


def _annotation(name: str, shot: Frame, triplet: Triplet) -> Annotation:
    texts = (triplet.question, triplet.answer, triplet.rationale)
    question, answer, rationale = (tagged(text, shot.index, shot.names) for text in texts)
    objects = tuple(shot.names[entity] for entity in shot.index)
    return Annotation(name, shot.stage.movie, objects, question, answer, rationale, shot.stage.id)

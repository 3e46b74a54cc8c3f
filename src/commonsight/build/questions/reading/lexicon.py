"""The words that a reader knows: what is in the scene, categories, attributes, and phrases of knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from commonsight.build.questions.reading.phrases import Phrasebook
from commonsight.build.questions.reading.relations import meaning
from commonsight.core.scene import Scene
from commonsight.graph.attributes import attribute_types, values
from commonsight.graph.knowledge import Knowledge
from commonsight.graph.programs import ANY
from commonsight.graph.sets import SceneSets

THINGS = frozenset((ANY, "thing"))
"""Nouns that say nothing about what they stand for."""


class Named(NamedTuple):
    """What a noun stands for."""

    name: str
    is_category: bool


class Words(NamedTuple):
    """The words for one scene."""

    nouns: Mapping[str, tuple[Named, ...]]
    attributes: Mapping[str, str]
    predicates: Mapping[str, tuple[str, ...]]
    """By what they mean."""
    phrases: Phrasebook
    longest: int
    """The most words that a noun, an attribute or a predicate has."""


class _Seen(NamedTuple):
    scene: Scene
    words: Words
    sets: SceneSets


class Lexicon:
    """What a reader knows before seeing a scene. The words of the scene seen last are kept."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._phrases = Phrasebook(knowledge.queries)
        names = sorted({above for parents in knowledge.parents.values() for above in parents})
        self._categories = {name.lower(): Named(name, True) for name in names}
        self._last: _Seen | None = None

    def of(self, scene: Scene) -> Words:
        """The words for a scene: with the names, attributes and predicates that it has."""
        return self._see(scene).words

    def sets(self, scene: Scene) -> SceneSets:
        """The objects of a scene as sets."""
        return self._see(scene).sets

    def _see(self, scene: Scene) -> _Seen:
        if self._last is None or self._last.scene is not scene:
            self._last = _Seen(scene, self._words(scene), SceneSets(scene, self.knowledge))
        return self._last

    def _words(self, scene: Scene) -> Words:
        nouns: dict[str, tuple[Named, ...]] = {
            name: (category,) for name, category in self._categories.items()
        }
        for label in dict.fromkeys(scene.labels):
            own, above = Named(label, False), self._categories.get(label.lower())
            nouns[label.lower()] = (own,) if above is None else (own, above)
        nouns |= {thing: (Named(ANY, False), *nouns.get(thing, ())) for thing in THINGS}
        attributes = attribute_words() | {
            word.lower(): word for region in scene.regions for word in region.attributes
        }
        predicates: dict[str, tuple[str, ...]] = {}
        for predicate in dict.fromkeys(relation.predicate for relation in scene.relations):
            key = meaning(predicate)
            predicates[key] = (*predicates.get(key, ()), predicate)
        counts = (len(text.split()) for words in (nouns, attributes, predicates) for text in words)
        return Words(nouns, attributes, predicates, self._phrases, max(counts))


@cache
def attribute_words() -> dict[str, str]:
    """All attributes whose type is known."""
    return {word: word for kind in attribute_types() for word in values(kind)}

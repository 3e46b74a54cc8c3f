"""Which words a collection of scene graphs uses, how often, and which are common enough to ask about.

CRIC keeps 1,291 objects, 267 attributes and 210 relationships of Visual Genome (section 3). Counting takes a
pass of its own, so a source has to be one that can be opened twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct, field

from commonsight.core.scene import Scene
from commonsight.errors import OnProblem, fail
from commonsight.graph.aliases import Aliases, bundled_predicates, read_aliases, read_groups

Source = Callable[[], Iterable[Scene]]
"""Scenes that can be gone through more than once: each call opens them anew."""

OBJECTS, ATTRIBUTES, RELATIONS = 1291, 267, 210
"""How many of each CRIC keeps."""


class Wording(Struct):
    """The words to use for objects, attributes and relations."""

    objects: Aliases = field(default_factory=Aliases)
    attributes: Aliases = field(default_factory=Aliases)
    relations: Aliases = field(default_factory=lambda: Aliases(bundled_predicates()))


def read_wording(
    objects: Iterable[Path] = (),
    attributes: Iterable[Path] = (),
    relations: Iterable[Path] = (),
    on_problem: OnProblem = fail,
) -> Wording:
    """The wording of alias files; for relations our own comes after them."""
    wording = Wording(
        read_aliases(objects, on_problem), read_aliases(attributes, on_problem),
        read_aliases(relations, on_problem),
    )  # fmt: skip
    for group in bundled_predicates():
        wording.relations.add(group)
    return wording


class Counts(Struct):
    """How often each word is used."""

    objects: Counter[str] = field(default_factory=Counter)
    attributes: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)

    def add(self, scene: Scene, wording: Wording) -> None:
        """Count one scene, worded anew."""
        told = [word for region in scene.regions for word in region.attributes]
        self.objects.update(wording.objects.all_of([region.label for region in scene.regions]))
        self.attributes.update(wording.attributes.all_of(told))
        self.relations.update(wording.relations.all_of([each.predicate for each in scene.relations]))

    def update(self, other: Counts) -> None:
        """Take over what was counted elsewhere."""
        self.objects.update(other.objects)
        self.attributes.update(other.attributes)
        self.relations.update(other.relations)


def counted(scenes: Iterable[Scene], wording: Wording) -> Counts:
    """The words of all scenes, in one pass."""
    counts = Counts()
    for scene in scenes:
        counts.add(scene, wording)
    return counts


class Limits(Struct, frozen=True):
    """How common a word has to be: among the most frequent, and used so often at least. None: no limit."""

    objects: int | None = OBJECTS
    attributes: int | None = ATTRIBUTES
    relations: int | None = RELATIONS
    fewest: int = 1


class Vocabulary(Struct, frozen=True):
    """The words that stay. None: all do."""

    objects: frozenset[str] | None = None
    attributes: frozenset[str] | None = None
    relations: frozenset[str] | None = None


def frequent(counts: Counts, limits: Limits | None = None) -> Vocabulary:
    """The vocabulary of the most frequent words."""
    limits = limits or Limits()
    return Vocabulary(
        most_frequent(counts.objects, limits.objects, limits.fewest),
        most_frequent(counts.attributes, limits.attributes, limits.fewest),
        most_frequent(counts.relations, limits.relations, limits.fewest),
    )


def most_frequent(counts: Counter[str], most: int | None, fewest: int = 1) -> frozenset[str]:
    """The most frequent words; of equally frequent ones the first in the alphabet, so that it is settled."""
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return frozenset(word for word, times in ranked[:most] if times >= fewest and word)


def read_vocabulary(path: Path, aliases: Aliases, on_problem: OnProblem = fail) -> frozenset[str]:
    """The words of a vocabulary file, one a line; other spellings on a line become aliases."""
    words = []
    for group in read_groups(path, on_problem):
        aliases.add(group.words)
        words.append(group.words[0])
    return frozenset(map(aliases.of, words))

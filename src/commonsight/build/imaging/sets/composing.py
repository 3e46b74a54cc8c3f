"""Sets of eight, step by step as NLVR2's were made (Suhr et al., 2019, section 3.1 and appendix B).

1. Each result of a search is collected with its fifteen most similar images.
2. Broken images go, those that an earlier set of the query has, those below 200 x 200 pixels, and exact
   duplicates; then sets with fewer than eight.
3. People take out what does not show the thing, artwork and collages; again sets with fewer than eight go.
4. Duplicates go, which people found in the paper and a perceptual hash finds here.
5. Sets with fewer than three interesting images go.
6. Interesting images come first, then the most similar; the first eight stay, paired at random.

Where no search tells what is similar, steps 2 to 4 come first, so that a set is made of images that stay.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonsight.build.imaging.sets.collecting import Alikeness, found, searched, searched_here
from commonsight.build.imaging.sets.pruning import Pruning
from commonsight.build.imaging.sets.rules import Fitness, Search
from commonsight.build.imaging.sets.values import (
    Collected,
    Discarded,
    Dropped,
    ImageSet,
    Member,
    Pool,
    SetReason,
)
from commonsight.build.imaging.sets.vectors import Places, cosines, mean_cosine

STAGES = ("collected", "pruned", "kept by people", "without duplicates", "interesting enough")


@dataclass
class Made:
    """The sets, all that was left out, and how many sets and images there were after each step."""

    sets: list[ImageSet] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    discarded: list[Discarded] = field(default_factory=list)
    sets_after: Counter[str] = field(default_factory=Counter)
    images_after: Counter[str] = field(default_factory=Counter)

    def passed(self, stage: str, images: int) -> None:
        """A set of so many images came so far."""
        self.sets_after[stage] += 1
        self.images_after[stage] += images


class Composer:
    """Makes sets of a pool of images."""

    def __init__(
        self,
        pool: Pool,
        search: Search,
        fitness: Fitness,
        *,
        alike: float,
        skipped: Collection[str],
        split: str,
        seed: int,
    ) -> None:
        self._pool, self._search, self._fitness = pool, search, fitness
        self._alikeness = Alikeness(fitness.size, alike, seed)
        self._split, self._seed = split, seed
        self.made = Made()
        self._pruning = Pruning(pool, fitness, skipped, self.made.dropped.append)

    def compose(self) -> Made:
        """All sets, query by query in the order of the candidates, then those of folders."""
        for places in _by_query(self._pool):
            if self._pool.candidates[places[0]].result is not None:
                self._of_results(places)
            else:
                self._of_neighbours(places)
        return self.made

    def _of_results(self, places: Sequence[int]) -> None:
        """Of a query whose results the list tells."""
        met: set[str] = set()
        observed: set[int] = set()
        for collected in searched(self._pool, places, self._search):
            observed.update(collected.members)
            self.made.passed("collected", len(collected.members))
            members = self._pruning.unmet(self._pruning.fit(collected.members), met)
            members = self._pruning.different(members)
            if not self._enough(members, collected, "pruned"):
                continue
            members = self._pruning.kept_by_people(members)
            if not self._enough(members, collected, "kept by people"):
                continue
            members = self._pruning.distinct(members)
            if self._enough(members, collected, "without duplicates"):
                self._finish(members, collected)
        for place in places:
            if place not in observed:
                self._pruning.drop(place, "in no set")

    def _of_neighbours(self, places: Sequence[int]) -> None:
        """Of a query, or of folders, where nobody tells what is similar."""
        pruning = self._pruning
        fit = pruning.kept_by_people(pruning.different(pruning.fit(places)))
        fit = pruning.distinct(fit)
        taken: set[int] = set()
        for collected in self._neighbours(fit) if fit else ():
            for stage in STAGES[:4]:
                self.made.passed(stage, len(collected.members))
            taken.update(self._finish(collected.members, collected))
        for place in fit:
            if place not in taken:
                pruning.drop(place, "in no set")

    def _neighbours(self, places: Sequence[int]) -> Iterator[Collected]:
        if self._pool.candidates[places[0]].query is None:
            return found(self._pool, places, self._search, self._alikeness, self._chosen)
        return searched_here(self._pool, places, self._search, self._alikeness)

    def _enough(self, members: Sequence[int], collected: Collected, stage: str) -> bool:
        if len(members) < self._fitness.size:
            self._discard(members, collected, "too few images")
            return False
        self.made.passed(stage, len(members))
        return True

    def _finish(self, members: Sequence[int], collected: Collected) -> Sequence[int]:
        """Make a set of the best of these; the images of which something is told."""
        chosen = self._chosen(members)
        if chosen is None:
            members = members if collected.query is not None else members[: self._fitness.size]
            self._discard(members, collected, "too few interesting images")
            return members
        self.made.passed(STAGES[-1], len(members))
        self.made.sets.append(self._composed(chosen, collected))
        if collected.query is None:
            return chosen
        for place in members:
            if place not in chosen:
                self._pruning.drop(place, "beyond the set's size")
        return members

    def _chosen(self, members: Sequence[int]) -> list[int] | None:
        """Interesting images first, then the most similar, as many as a set has; None if too few interest."""
        dull = {place for place in members if not self._pool.interesting.get(place, True)}
        if len(members) - len(dull) < self._fitness.interesting:
            return None
        return sorted(members, key=dull.__contains__)[: self._fitness.size]

    def _discard(self, members: Sequence[int], collected: Collected, reason: SetReason) -> None:
        images = tuple(self._pool.candidates[place].image for place in members)
        self.made.discarded.append(Discarded(reason, images, collected.query, collected.result))

    def _composed(self, members: Sequence[int], collected: Collected) -> ImageSet:
        name = f"{self._split}-{len(self.made.sets)}"
        first = next((place for place in collected.members if place in members), members[0])
        similarity = cosines(self._pool.vectors, self._rows(members))
        to_first = similarity[members.index(first)]
        order = random.Random(f"{self._seed}:{name}:pairs").sample(range(len(members)), len(members))
        return ImageSet(
            name,
            tuple(self._member(place, float(own)) for place, own in zip(members, to_first, strict=True)),
            tuple(zip(order[::2], order[1::2], strict=True)),
            round(mean_cosine(similarity), 4),
            collected.query,
            collected.result,
            next((one.synset for place in members if (one := self._pool.candidates[place]).synset), None),
        )

    def _rows(self, members: Sequence[int]) -> Places:
        return np.array([seen.row for place in members if (seen := self._pool.seen[place]) is not None])

    def _member(self, place: int, similarity: float) -> Member:
        candidate, seen = self._pool.candidates[place], self._pool.seen[place]
        assert seen is not None
        return Member(
            candidate.image,
            seen.sha256,
            seen.width,
            seen.height,
            self._pool.interesting.get(place, True),
            round(similarity, 4),
            candidate.url,
            seen.path,
        )


def _by_query(pool: Pool) -> Iterator[list[int]]:
    """The places of each query's images; those of folders are one lot, whatever folder they are in."""
    lots: dict[tuple[str | None, bool], list[int]] = {}
    for place, candidate in enumerate(pool.candidates):
        lots.setdefault((candidate.query, candidate.result is not None), []).append(place)
    yield from lots.values()

"""Sets as a search engine would give them: each result with those most similar to it (NLVR2, appendix B).

A list that says which result each image was found by has them already. Where it does not, and in folders,
an image's nearest neighbours among those that no set has yet are what is similar to it. The results of a
query are looked at in their order, as in the paper; the images of a folder, which have none, from the one
with the nearest neighbours on. What a set leaves over is gone in a search, which the paper had no end of, and
free for other sets in a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from commonsight.build.imaging.sets.neighbours import neighbours
from commonsight.build.imaging.sets.rules import Search
from commonsight.build.imaging.sets.values import Collected, Pool
from commonsight.build.imaging.sets.vectors import Places, Some
from commonsight.build.matching.threads import one_thread

MORE = 4
"""Neighbours that are looked for, times those that a set has: sets before may have taken the nearest."""


Choose = Callable[[Sequence[int]], Collection[int] | None]
"""What a set keeps of its images; None where it does not become one."""


class Alikeness(NamedTuple):
    """When images count as similar, where nobody else says so."""

    at_least: int
    """Images of a set: a result with fewer neighbours has no similar images."""
    cosine: float
    """Of a result and a similar image, at least."""
    seed: int


def searched(pool: Pool, places: Sequence[int], search: Search) -> Iterator[Collected]:
    """The sets of one query, of which the list says which results there are.

    Observing ends with so many results, so many sets, or so many results in a row without similar images.
    """
    query = pool.candidates[places[0]].query
    results: dict[int, list[int]] = {}
    for place in places:
        results.setdefault(pool.candidates[place].result or 0, []).append(place)
    most_results, most_sets = search.limits(query)
    saved = barren = 0
    for observed, result in enumerate(sorted(results)):
        if observed >= most_results or saved >= most_sets or barren >= search.barren:
            return
        members = sorted(results[result], key=lambda place: pool.candidates[place].rank or 0)
        if len(members) < 2:
            barren += 1
            continue
        barren, saved = 0, saved + 1
        yield Collected(tuple(members[: search.related]), query, result)


def searched_here(
    pool: Pool, places: Sequence[int], search: Search, alikeness: Alikeness
) -> Iterator[Collected]:
    """The sets of one query, of which the list tells only the images: in their order, as far as limits go."""
    query = pool.candidates[places[0]].query
    near = _Near(pool, places, search, alikeness)
    most_results, most_sets = search.limits(query)
    observed = saved = barren = 0
    for one in range(len(places)):
        if observed >= most_results or saved >= most_sets or barren >= search.barren:
            return
        if not near.free[one]:
            continue
        observed += 1
        members = near.similar(one)
        if members is None:
            barren += 1
            continue
        barren, saved = 0, saved + 1
        near.free[members] = False
        yield Collected(tuple(places[member] for member in members), query, observed - 1)


def found(
    pool: Pool, places: Sequence[int], search: Search, alikeness: Alikeness, choose: Choose
) -> Iterator[Collected]:
    """Sets in a folder. What `choose` takes of a set is in no other; the rest may be.

    Who lost its neighbours to earlier sets looks for others among those left, until no set is found.
    """
    left = list(places)
    some = True
    while some and len(left) >= alikeness.at_least:
        near = _Near(pool, left, search, alikeness)
        some = False
        for one in near.tight():
            members = near.similar(one) if near.free[one] else None
            if members is None:
                continue
            collected = Collected(tuple(left[member] for member in members), None, None)
            chosen = choose(collected.members) or collected.members[: alikeness.at_least]
            near.free[[member for member in members if left[member] in chosen]] = False
            some = True
            yield collected
        left = [place for place, free in zip(left, near.free, strict=True) if free]


class _Near:
    """Images and their neighbours, of which some are taken."""

    def __init__(self, pool: Pool, places: Sequence[int], search: Search, alikeness: Alikeness) -> None:
        rows = np.array([seen.row for place in places if (seen := pool.seen[place]) is not None])
        with one_thread():
            count = MORE * (search.related - 1)
            self._near = neighbours(Some(pool.vectors, rows), count, seed=alikeness.seed)
        self._related, self._alikeness = search.related, alikeness
        self.free = np.ones(len(places), bool)

    def tight(self) -> Iterator[int]:
        """All images, from the one with the likest neighbours on."""
        likest = self._near.cosines[:, : self._alikeness.at_least - 1].sum(axis=1)
        yield from map(int, np.argsort(-likest, kind="stable"))

    def similar(self, one: int) -> Places | None:
        """An image with those that are similar to it and free; None if there are too few."""
        mates = self._near.places[one]
        fit = (mates >= 0) & self.free[mates] & (self._near.cosines[one] >= self._alikeness.cosine)
        mates = mates[fit][: self._related - 1]
        return np.concatenate(([one], mates)) if len(mates) >= self._alikeness.at_least - 1 else None

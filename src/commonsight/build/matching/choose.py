"""From numbers to choices: responses remapped for a query, the most relevant ones, and none twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.judges import Judges
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.rounds import Keys, keys
from commonsight.build.matching.scorers import RelevanceBlocks, Rows
from commonsight.build.matching.values import Pair, normalised
from commonsight.errors import InputError

SCORED_AT_ONCE = 8192
"""Remapped responses that are scored together; at least all of one query."""


def most_relevant(own: Sequence[Pair], judges: Judges, remap: Remap, recipe: Recipe) -> Rows:
    """For each query the most relevant responses as they read once remapped (PMR, appendix C)."""
    relevance, allowed = judges.weigh(own, remap), keys(own)
    n = len(own)
    at_once = max(1, SCORED_AT_ONCE // min(n, recipe.shortlist or n))
    chosen = np.zeros((n, recipe.rounds), np.int64)
    for start in range(0, n, at_once):
        queries = np.arange(start, min(start + at_once, n), dtype=np.int64)
        best = _candidates(relevance, queries, allowed, recipe)
        asked = [int(query) for query, found in zip(queries, best, strict=True) for _ in found]
        texts = [remap(int(q), int(r)) for q, found in zip(queries, best, strict=True) for r in found]
        scores = judges.score([own[query] for query in asked], texts)
        at = 0
        for query, found in zip(queries, best, strict=True):
            part = slice(at, at + len(found))
            at += len(found)
            order = np.argsort(-scores[part], kind="stable")
            ranked = [(int(found[place]), normalised(texts[part][place])) for place in order]
            chosen[query] = _different(own[int(query)], ranked, recipe.rounds)
    return chosen


def _candidates(relevance: RelevanceBlocks, queries: Rows, allowed: Keys, recipe: Recipe) -> list[Rows]:
    scores = relevance.rows(queries).astype(np.float32, copy=True)
    scores[allowed.texts[queries][:, None] == allowed.texts[None, :]] = -np.inf
    if not recipe.same_image:
        scores[allowed.images[queries][:, None] == allowed.images[None, :]] = -np.inf
    best = []
    for row in scores:
        order = np.argsort(-row, kind="stable")[: int(np.isfinite(row).sum())]
        once = np.sort(np.unique(allowed.texts[order], return_index=True)[1])  # of equal texts the best
        best.append(order[once][: recipe.shortlist and max(recipe.shortlist, 4 * recipe.rounds)])
    return best


def _different(query: Pair, ranked: Sequence[tuple[int, str]], count: int) -> list[int]:
    """The first responses that read unlike one another and unlike the right one."""
    seen, found = {normalised(query.response)}, []
    for response, text in ranked:
        if text not in seen:
            seen.add(text)
            found.append(response)
        if len(found) == count:
            return found
    raise InputError(
        f"Annotation {query.id} finds only {len(found)} responses that it may have, and needs {count}. "
        "Use fewer folds, add annotations, or allow responses of the same image."
    )


class Undoubled(NamedTuple):
    """The responses of each query, and the queries of whose choices two still read alike."""

    chosen: Rows
    left: tuple[int, ...]


def without_doubles(own: Sequence[Pair], chosen: Rows, remap: Remap, *, same_image: bool) -> Undoubled:
    """The matching with responses swapped where remapping made two choices of a query read alike.

    "[car2] is red" becomes "the car is red" where there is no car, which may be another choice already. The
    query then swaps that choice with the next one in the bucket with whom both are well served. Where there
    is none, it keeps both and is named.
    """
    chosen = chosen.copy()
    images = keys(own).images
    turns = range(chosen.shape[1])
    doubled = [query for query in range(len(own)) if _doubled(_choices(own, chosen, remap, query))]
    for query in doubled:
        for turn in turns:
            if not _doubled(_choices(own, chosen, remap, query)):  # also where another's swap has helped
                break
            _swap(own, chosen, remap, None if same_image else images, query, turn)
    left = (query for query in doubled if _doubled(_choices(own, chosen, remap, query)))
    return Undoubled(chosen, tuple(left))


def _choices(own: Sequence[Pair], chosen: Rows, remap: Remap, query: int) -> list[str]:
    """How a query's choices read as they were and as they are remapped, the right one first."""
    given = [int(response) for response in chosen[query]]
    return [normalised(own[query].response), *(normalised(remap(query, response)) for response in given)]


def _doubled(texts: Sequence[str]) -> bool:
    return len(set(texts)) < len(texts)


def _swap(
    own: Sequence[Pair], chosen: Rows, remap: Remap, images: NDArray[np.int64] | None, query: int, turn: int
) -> None:
    for step in range(1, len(own)):
        other = (query + step) % len(own)
        chosen[[query, other], turn] = chosen[[other, query], turn]
        if all(_well_served(own, chosen, remap, images, each) for each in (query, other)):
            return
        chosen[[query, other], turn] = chosen[[other, query], turn]


def _well_served(
    own: Sequence[Pair], chosen: Rows, remap: Remap, images: NDArray[np.int64] | None, query: int
) -> bool:
    given = [int(response) for response in chosen[query]]
    if images is not None and (images[given] == images[query]).any():
        return False
    as_lent = [normalised(own[place].response) for place in (query, *given)]
    return not _doubled(as_lent) and not _doubled(_choices(own, chosen, remap, query))

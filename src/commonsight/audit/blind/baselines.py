"""What is got with hardly any learning: guessing, the most frequent place, the most frequent answer."""

from __future__ import annotations

from collections import Counter

import numpy as np

from commonsight.audit.blind.labels import Labels
from commonsight.audit.blind.lists import Floats, Folds, Listing
from commonsight.audit.blind.sights import found


def pick_baselines(listing: Listing, folds: Folds, seed: int) -> dict[str, Floats]:
    """What each earns on every item.

    `most_common` takes the choice that was most often right elsewhere (A-OKVQA, Table 3), `weighted_random`
    draws in proportion to that: its value is what it earns on average. Long texts do not count, as a borrowed
    choice is always somebody's right answer.
    """
    place = np.arange(len(listing.item)) - listing.starts[listing.item]
    frequent_place, often = np.zeros(len(place)), np.zeros(len(place))
    for fold in range(folds.parts):
        held = (folds.of == fold)[listing.item]
        learned = ~held & listing.right
        places = np.bincount(place[learned], minlength=int(listing.sizes.max()))
        frequent_place[held] = places[place[held]]
        counts = Counter(listing.plain[row] for row in np.flatnonzero(learned & (listing.long < 0)).tolist())
        often[held] = [counts[listing.plain[row]] for row in np.flatnonzero(held).tolist()]
    total = np.add.reduceat(often, listing.starts)
    chance = 1.0 / listing.sizes
    return {
        "chance": chance,
        "majority": found(frequent_place, listing, seed),
        "most_common": _expected(often, listing),
        "weighted_random": np.where(total > 0, often[listing.right] / np.maximum(1.0, total), chance),
    }


def _expected(scores: Floats, listing: Listing) -> Floats:
    """1 where the right choice has the highest score; a share where several have."""
    top = scores == np.maximum.reduceat(scores, listing.starts)[listing.item]
    shares: Floats = top[listing.right] / np.add.reduceat(top.astype(np.float64), listing.starts)
    return shares


def label_baselines(labels: Labels, folds: Folds) -> dict[str, Floats]:
    """What guessing, the most frequent answer, and drawing by frequency earn on every item."""
    majority, weighted = np.zeros(len(labels.of)), np.zeros(len(labels.of))
    for fold in range(folds.parts):
        held = folds.of == fold
        counts = np.bincount(labels.of[~held & (labels.of >= 0)], minlength=len(labels.names))
        majority[held] = labels.worth[held, int(counts.argmax())]
        weighted[held] = labels.worth[held] @ (counts / max(1, counts.sum()))
    chance = np.full(len(labels.of), 1.0 / max(1, labels.distinct))
    return {"chance": chance, "majority": majority, "weighted_random": weighted}

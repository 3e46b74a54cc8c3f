"""What solvers get that see only a part of each item, by cross-validation.

Several solvers try each part, and the best of them is reported. The best of several on the same items would
flatter, so it is chosen for every fold by other folds, with models that have not seen the fold either: folds
lie in a ring, and for each two neighbours the solvers learn from the rest and are tried on both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from commonsight.audit.blind.features import SCALE, TextFeatures
from commonsight.audit.blind.lists import Flags, Floats, Folds, Ints, Listing
from commonsight.audit.blind.solvers import Boosted, ChoiceSolver, Learner, Linear, bayes_classes, ridge
from commonsight.audit.cases import Cases
from commonsight.text.encoders import Vectors

EVERYTHING = "all of them together"
FREQUENT = 3
"""An answer that is right so often may be learned as a class of its own."""
MOST_ANSWERS = 300
SHARPNESS = 4
"""How much nearer answers count: the likeness of two unlike ones is far from nothing."""
RIDGE = 10.0
MOST_DENSE = 10_000
"""Items that solvers with few hundred features learn from: more teach them hardly anything."""
LEAST_LISTS = 5
"""With fewer items to learn from, nothing is learned: all choices are equally likely then."""

MOST_INNER = 4_000
"""Items that are learned from to choose a solver: enough to tell which is better."""

HoldOut = Callable[[Flags, int | None], Floats]
"""Scores of all rows (only those of held-out items count), learned from so many of the other items."""


class Scores(NamedTuple):
    """What one solver makes of every row."""

    outer: Floats
    """While its fold was held out."""
    inner: tuple[Floats, ...]
    """While each two neighbouring folds were: what the choice of a solver goes by."""


@dataclass(frozen=True)
class Sight:
    """What was got by seeing one part of the items."""

    name: str
    sees: str
    """In words: "the choices, one at a time"."""
    cases: Cases
    """The items that were tried."""
    solvers: dict[str, Floats]
    """What every solver earned on each item, out of fold."""
    values: Floats
    """What the chosen solvers earned."""
    margins: Floats
    """How far the right answer was above all others, as a chance: above zero where it was found."""
    chosen: tuple[str, ...]
    """Which solver was taken, by fold."""

    @property
    def best(self) -> str:
        """The solver that was taken most often."""
        return max(dict.fromkeys(self.chosen), key=self.chosen.count)


class Others(NamedTuple):
    """What a caller may choose about solvers."""

    solvers: tuple[ChoiceSolver, ...] = ()
    """From outside, tried beside the usual ones."""
    trees: int = 60
    """Of boosted solvers."""


def pick_sights(
    listing: Listing, features: TextFeatures, folds: Folds, others: Others, seed: int
) -> Iterator[Sight]:
    """What is got from the choices, one by one and at once, from the question, and from both."""
    trees = Boosted(seed, others.trees)
    alone = _tried(listing, folds, {
        "grams, linear": _rows(listing, features.choice_grams, Linear()),
        "embeddings, linear": _rows(listing, features.alone, Linear(), MOST_DENSE),
        "embeddings, boosted trees": _rows(listing, features.alone_reduced, trees, MOST_DENSE),
        **{each.name: _texts(listing, each, seed, asked=False) for each in others.solvers},
    })  # fmt: skip
    yield settled("choices", "the choices, one at a time", alone, listing, folds, seed)
    together = _tried(listing, folds, {
        "embeddings and standing, linear": _rows(listing, features.together, Linear(), MOST_DENSE),
        "embeddings and standing, boosted trees": _rows(
            listing, features.together_reduced, trees, MOST_DENSE
        ),
    })  # fmt: skip
    yield settled("choices_together", "all choices of an item at once", together, listing, folds, seed)
    asked = _tried(listing, folds, _from_question(listing, features))
    yield settled("question", "the question, then the nearest choice", asked, listing, folds, seed)
    both = _tried(listing, folds, {
        "pairs of words, linear": _rows(listing, features.pairs, Linear()),
        "products of embeddings, linear": _rows(listing, features.fitting, Linear(), MOST_DENSE),
        "products of embeddings, boosted trees": _rows(listing, features.fitting_reduced, trees, MOST_DENSE),
        **{each.name: _texts(listing, each, seed, asked=True) for each in others.solvers},
    })  # fmt: skip
    tried = [*alone.values(), *together.values(), *asked.values(), *both.values()]
    most = max(len(each.inner) for each in tried)
    both[EVERYTHING] = Scores(
        averaged([each.outer for each in tried], listing),
        tuple(averaged([each.inner[at] for each in tried if each.inner], listing) for at in range(most)),
    )
    yield settled("question_and_choices", "the question and the choices", both, listing, folds, seed)


def picture_sight(
    listing: Listing, features: TextFeatures, folds: Folds, picture: Floats, seed: int
) -> Sight:
    """What is got from pictures, one row of numbers an item."""
    seen = _tried(listing, folds, {"picture to answer, ridge": _to_answer(listing, features, picture)})
    return settled("image", "the picture, then the nearest choice", seen, listing, folds, seed)


def _from_question(listing: Listing, features: TextFeatures) -> dict[str, HoldOut]:
    found = {"question to answer, ridge": _to_answer(listing, features, _doubles(features.asked_vectors))}
    answers = frequent_answers(listing)
    if len(np.unique(answers[answers >= 0])) > 1:
        found["frequent answers, naive Bayes"] = _to_frequent(listing, features, answers)
    return found


def neighbours(parts: int) -> list[tuple[int, int]]:
    """Each two folds that lie side by side in a ring; none where nothing would be left to learn from."""
    return [] if parts < 3 else [(fold, (fold + 1) % parts) for fold in range(parts)]


def _tried(listing: Listing, folds: Folds, solvers: Mapping[str, HoldOut]) -> dict[str, Scores]:
    """What each solver makes of all rows."""
    alone = len(solvers) == 1  # then there is nothing to choose
    found = {}
    for name, solver in solvers.items():
        outer = np.zeros(len(listing.item))
        for fold in range(folds.parts):
            held = folds.of == fold
            rows = held[listing.item]
            outer[rows] = solver(held, None)[rows]
        pairs = [] if alone else neighbours(folds.parts)
        found[name] = Scores(outer, tuple(solver(np.isin(folds.of, pair), MOST_INNER) for pair in pairs))
    return found


def _rows(listing: Listing, features: Any, learner: Learner, most: int | None = None) -> HoldOut:
    """A solver by the features of rows, learned from `most` items drawn by luck if there are more."""

    def solve(held: Flags, limit: int | None) -> Floats:
        scores = np.zeros(len(listing.item))
        rows = _limited(listing, listing.to_learn(held), limit if limit is not None else most)
        lists = listing.lists(rows)
        if len(lists.starts) >= LEAST_LISTS and features.shape[1]:
            out = held[listing.item]
            scores[out] = learner.fit(features[rows], lists)(features[out])
        return scores

    return solve


def _limited(listing: Listing, rows: Flags, most: int | None) -> Flags:
    """The rows of so many items, drawn by luck."""
    return rows if most is None else rows & drawn(listing.item[rows], most, len(listing.cases))[listing.item]


def drawn(items: Ints, most: int, count: int) -> Flags:
    """Which of all items to learn from: these, or as many of them as allowed."""
    unique = np.unique(items)
    kept = np.random.default_rng(most).permutation(unique)[:most]
    chosen = np.zeros(count, np.bool_)
    chosen[kept] = True
    return chosen


def _texts(listing: Listing, solver: ChoiceSolver, seed: int, *, asked: bool) -> HoldOut:
    """A solver by texts."""
    given = listing.asked if asked else ("",) * len(listing.item)

    def solve(held: Flags, limit: int | None) -> Floats:
        scores = np.zeros(len(listing.item))
        rows = np.flatnonzero(_limited(listing, listing.to_learn(held), limit))
        out = np.flatnonzero(held[listing.item])
        if listing.right[rows].sum() >= LEAST_LISTS:
            fitted = solver.fit(*_taken((given, listing.said), rows), listing.right[rows].tolist(), seed=seed)
            scores[out] = fitted.scores(*_taken((given, listing.said), out))
        return scores

    return solve


def _taken(columns: tuple[Sequence[str], Sequence[str]], rows: Ints) -> tuple[list[str], list[str]]:
    places = rows.tolist()
    return [columns[0][place] for place in places], [columns[1][place] for place in places]


def _to_answer(listing: Listing, features: TextFeatures, given: Floats) -> HoldOut:
    """Learns how the right answer's embedding departs from the usual one, and takes the choice that does so.

    The usual one itself does not count: being near to it is a matter of the choices, not of what is given.
    """

    def solve(held: Flags, limit: int | None) -> Floats:
        scores = np.zeros(len(listing.item))
        rows = np.flatnonzero(_limited(listing, listing.to_learn(held), limit) & listing.right)
        if len(rows) >= LEAST_LISTS:
            answers = features.choice_vectors[rows].astype(np.float64)
            out = held[listing.item]
            wanted = ridge(given[listing.item[rows]], answers, RIDGE)(given[held])  # (item, dimension)
            wanted -= answers.mean(axis=0)
            place = np.cumsum(held) - 1
            scores[out] = (wanted[place[listing.item[out]]] * features.choice_vectors[out]).sum(axis=1)
        return SCALE * scores

    return solve


def _doubles(vectors: Vectors) -> Floats:
    return SCALE * vectors.astype(np.float64)


def frequent_answers(listing: Listing) -> Ints:
    """The number of each item's right answer among the frequent ones; -1 for others."""
    answers = np.array(listing.plain)[listing.right]
    names, number, counts = np.unique(answers, return_inverse=True, return_counts=True)
    del names
    frequent = np.argsort(-counts, kind="stable")[:MOST_ANSWERS]
    frequent = frequent[counts[frequent] >= FREQUENT]
    rank = np.full(len(counts), -1, np.int64)
    rank[frequent] = np.arange(len(frequent))
    return rank[number]


def _to_frequent(listing: Listing, features: TextFeatures, answers: Ints) -> HoldOut:
    """Learns which of the frequent answers it is, and takes the choice that is nearest to the likely ones."""
    classes = int(answers.max()) + 1
    first = np.array([int(np.flatnonzero(answers == each)[0]) for each in range(classes)])
    vectors = features.choice_vectors[np.flatnonzero(listing.right)[first]]  # (class, dimension)

    def solve(held: Flags, limit: int | None) -> Floats:
        scores = np.zeros(len(listing.item))
        use = np.zeros(len(held), np.bool_)
        use[listing.item[_limited(listing, listing.to_learn(held), limit) & listing.right]] = True
        use &= answers >= 0
        if use.sum() >= LEAST_LISTS:
            predict = bayes_classes(features.asked_grams[use], answers[use], classes)
            chances = predict(features.asked_grams[held])  # (item, class)
            out = held[listing.item]
            near = np.maximum(0.0, features.choice_vectors[out] @ vectors.T) ** SHARPNESS  # (row, class)
            place = np.cumsum(held) - 1
            scores[out] = (near * chances[place[listing.item[out]]]).sum(axis=1)
        return SCALE * scores

    return solve


def averaged(scores: Sequence[Floats], listing: Listing) -> Floats:
    """The mean of scores, each brought to one scale."""
    total = np.zeros(len(listing.item))
    for each in scores:
        centred = each - (np.add.reduceat(each, listing.starts) / listing.sizes)[listing.item]
        spread = float(centred.std())
        total += centred / spread if spread > 0 else 0.0
    return total / max(1, len(scores))


def settled(
    name: str, sees: str, scores: Mapping[str, Scores], listing: Listing, folds: Folds, seed: int
) -> Sight:
    """The best of several solvers, chosen for each fold by its neighbours."""
    hits = {each: found(given.outer, listing, seed) for each, given in scores.items()}
    margins = {each: clearness(given.outer, listing) for each, given in scores.items()}
    inner = {each: [found(one, listing, seed) for one in given.inner] for each, given in scores.items()}
    chosen = chosen_solvers(inner, folds)
    values, clear = taken_by_fold(hits, chosen, folds), taken_by_fold(margins, chosen, folds)
    return Sight(name, sees, listing.cases, hits, values, clear, chosen)


def chosen_solvers(earned: Mapping[str, Sequence[Floats]], folds: Folds) -> tuple[str, ...]:
    """For each fold, the solver that earned most on its neighbours; the first of equals.

    What was earned is given by pairs of neighbours, as they were held out together.
    """
    pairs = neighbours(folds.parts)

    def merit(fold: int, name: str) -> float:
        return sum(
            float(values[folds.of == (one if other == fold else other)].sum())
            for (one, other), values in zip(pairs, earned[name], strict=False)
            if fold in (one, other)
        )

    names = tuple(earned)
    return tuple(max(names, key=partial(merit, fold)) for fold in range(folds.parts))


def taken_by_fold(columns: Mapping[str, Floats], chosen: Sequence[str], folds: Folds) -> Floats:
    """Each item's value under the solver that was chosen for its fold."""
    found = np.zeros(len(folds.of))
    for fold, name in enumerate(chosen):
        found[folds.of == fold] = columns[name][folds.of == fold]
    return found


def found(scores: Floats, listing: Listing, seed: int) -> Floats:
    """1 where the right choice has the highest score, else 0; among equal ones luck decides."""
    luck = np.random.default_rng([seed, 1]).random(len(scores))
    order = np.lexsort((luck, scores, listing.item))
    best = order[listing.starts + listing.sizes - 1]
    hits: Floats = listing.right[best].astype(np.float64)
    return hits


def clearness(scores: Floats, listing: Listing) -> Floats:
    """The chance of the right choice, less that of the likeliest other."""
    chances = listing.chances(scores)
    others = np.where(listing.right, -1.0, chances)
    clear: Floats = chances[listing.right] - np.maximum.reduceat(others, listing.starts)
    return clear

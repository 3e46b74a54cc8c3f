"""Tasks whose items share the answers: what is got from the question alone, or from the picture alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from commonsight.audit.blind.features import SCALE, embedded, grams, reduced
from commonsight.audit.blind.lists import Flags, Floats, Folds, Ints
from commonsight.audit.blind.sights import (
    LEAST_LISTS,
    RIDGE,
    Others,
    Sight,
    chosen_solvers,
    neighbours,
    taken_by_fold,
)
from commonsight.audit.blind.solvers import (
    ChoiceSolver,
    Classify,
    bayes_classes,
    boosted_classes,
    logistic_classes,
    ridge_classes,
)
from commonsight.audit.cases import Cases
from commonsight.score.direct_answer import ENOUGH
from commonsight.text.encoders import Encoder

MOST_CLASSES = 500
"""So many of the most frequent answers are classes; the paper's classifiers know some thousands (A-OKVQA)."""
FEW = 5
"""Up to so many classes, solvers that are fitted for each class are affordable."""

Scored = Callable[[Flags], Floats]
"""Scores of all classes for the held-out items, learned from the others: (held-out items, classes)."""


class Labels:
    """The answers of a task as classes, the most frequent first."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        counts = Counter(spelled(case.answer) for case in cases)
        self.names: tuple[str, ...] = tuple(name for name, _ in counts.most_common(MOST_CLASSES))
        self.distinct = len(counts)
        number = {name: place for place, name in enumerate(self.names)}
        self.of: Ints = np.array([number.get(spelled(case.answer), -1) for case in cases], np.int64)

        self.worth: Floats = np.zeros((len(cases), len(self.names)))
        """What each class would earn on each item: by several people's answers if there are any."""
        for row, case in zip(self.worth, cases, strict=True):
            votes = Counter(map(spelled, case.accepted)) if case.accepted else {spelled(case.answer): ENOUGH}
            for name, count in votes.items():
                if name in number:
                    row[number[name]] = min(1.0, count / ENOUGH)

    def earned(self, picked: Ints) -> Floats:
        """What these answers, by number of their class, earn on each item."""
        found: Floats = self.worth[np.arange(len(picked)), picked]
        return found


def spelled(answer: str | None) -> str:
    """An answer as answers are compared."""
    return " ".join((answer or "").lower().split())


def label_sights(
    labels: Labels, folds: Folds, encoder: Encoder, others: Others, seed: int
) -> Iterator[Sight]:
    """What is got from the text alone."""
    texts = labels.cases.asked
    vectors, words = embedded(texts, encoder), grams(texts)
    few = len(labels.names) <= FEW
    solvers: dict[str, Scored] = {
        "embeddings, ridge": _learned(labels, SCALE * vectors, ridge_classes(RIDGE)),
        "grams, linear" if few else "grams, naive Bayes": _learned(
            labels, words, logistic_classes if few else bayes_classes
        ),
    }
    if few:
        small = reduced(vectors, seed)
        solvers["embeddings, boosted trees"] = _learned(labels, small, boosted_classes(seed, others.trees))
        solvers |= {each.name: _texts(labels, each, seed) for each in others.solvers}
    yield _settled("question", "the text alone", solvers, labels, folds)


def label_picture_sight(
    labels: Labels, folds: Folds, picture: Floats, others: Others, seed: int
) -> Sight:
    """What is got from pictures alone, one row of numbers an item."""
    solvers = {"pictures, ridge": _learned(labels, picture, ridge_classes(RIDGE))}
    if len(labels.names) <= FEW:
        solvers["pictures, boosted trees"] = _learned(labels, picture, boosted_classes(seed, others.trees))
    return _settled("image", "the picture alone", solvers, labels, folds)


def _learned(labels: Labels, features: Any, classify: Classify) -> Scored:
    def solve(held: Flags) -> Floats:
        use = ~held & (labels.of >= 0)
        if use.sum() < LEAST_LISTS or len(np.unique(labels.of[use])) < 2 or not features.shape[1]:
            return np.zeros((int(held.sum()), len(labels.names)))
        return classify(features[use], labels.of[use], len(labels.names))(features[held])

    return solve


def _texts(labels: Labels, solver: ChoiceSolver, seed: int) -> Scored:
    """A solver of choices: every class is one."""

    def pairs(places: Ints) -> tuple[list[str], list[str]]:
        asked = [labels.cases.asked[place] for place in places.tolist() for _ in labels.names]
        return asked, list(labels.names) * len(places)

    def solve(held: Flags) -> Floats:
        use = np.flatnonzero(~held & (labels.of >= 0))
        right = (labels.of[use, None] == np.arange(len(labels.names))).ravel()
        fitted = solver.fit(*pairs(use), right.tolist(), seed=seed)
        return fitted.scores(*pairs(np.flatnonzero(held))).reshape(-1, len(labels.names))

    return solve


def _settled(name: str, sees: str, solvers: Mapping[str, Scored], labels: Labels, folds: Folds) -> Sight:
    earned, margins, inner = {}, {}, {}
    pairs = neighbours(folds.parts)
    for solver, solve in solvers.items():
        scores = np.zeros((len(labels.of), len(labels.names)))
        for fold in range(folds.parts):
            held = folds.of == fold
            scores[held] = solve(held)
        earned[solver] = labels.earned(scores.argmax(axis=1))
        margins[solver] = _clearness(scores, labels.of)
        inner[solver] = [_inner(solve, labels, np.isin(folds.of, pair)) for pair in pairs]
    chosen = chosen_solvers(inner, folds)
    values, clear = (taken_by_fold(each, chosen, folds) for each in (earned, margins))
    return Sight(name, sees, labels.cases, earned, values, clear, chosen)


def _inner(solve: Scored, labels: Labels, held: Flags) -> Floats:
    """What a solver earns on items that are held out; nothing on others."""
    earned = np.zeros(len(held))
    earned[held] = labels.worth[np.flatnonzero(held), solve(held).argmax(axis=1)]
    return earned


def _clearness(scores: Floats, right: Ints) -> Floats:
    """How far the right class is above all others; below zero where it is not the first."""
    places = np.arange(len(scores))
    own = scores[places, right]
    others = scores.copy()
    others[places, right] = -np.inf
    clear: Floats = np.where(right >= 0, own - others.max(axis=1, initial=-np.inf), -1.0)
    return clear

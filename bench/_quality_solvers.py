"""How well the right answer is found from text alone, by solvers that never saw the fold tried on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from _quality_items import Asked
from commonsight.build.matching.relevance import EmbeddedRelevance
from commonsight.build.matching.relevance_views import reading
from commonsight.build.matching.scorers import worded
from commonsight.text.encoders import Encoder

Floats = NDArray[np.float64]
Features = Callable[[Sequence[Asked]], Any]
"""Numbers of every choice of every question: (questions x choices, numbers)."""

CHOICES = 4
SEED = 0
_WORD = re.compile(r"\w+")


class Solved(NamedTuple):
    """Which questions were solved, 1 or 0; a part where several choices were held equally likely."""

    hits: Floats

    @property
    def accuracy(self) -> float:
        return float(self.hits.mean())

    @property
    def margin(self) -> float:
        """Half of a 95 % interval."""
        return float(1.96 * self.hits.std(ddof=1) / np.sqrt(len(self.hits)))

    def __str__(self) -> str:
        return f"{100 * self.accuracy:.1f} ± {100 * self.margin:.1f}"


def solved(scores: Floats) -> Solved:
    """By scores of all choices, (questions, choices), the right one first."""
    best = scores >= scores.max(axis=1, keepdims=True) - 1e-12
    return Solved(best[:, 0] / best.sum(axis=1))


def held_out(items: Sequence[Asked], features: Features, model: Callable[[], Any]) -> Solved:
    """Trained to tell right choices from wrong ones on all folds but one, tried on that one."""
    numbers = features(items)
    right = np.tile(np.arange(CHOICES) == 0, len(items))
    folds = np.repeat([item.fold for item in items], CHOICES)
    scores = np.zeros(len(right))
    for fold in sorted(set(folds.tolist())):
        out = folds == fold
        fitted = model().fit(numbers[~out], right[~out])
        scores[out] = fitted.predict_proba(numbers[out])[:, 1]
    return solved(scores.reshape(-1, CHOICES))


def logistic(strength: float = 1.0) -> Any:
    """For many sparse numbers."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, solver="liblinear", random_state=SEED)


def boosted() -> Any:
    """For few dense numbers."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=120, learning_rate=0.06, max_leaf_nodes=15, l2_regularization=5.0, random_state=SEED
    )


def grams(items: Sequence[Asked]) -> Any:
    """Words in a row and letters in a row of every choice, its tags with their numbers and as classes."""
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    numbered = [text.bracketed(item.pair.objects) for item in items for text in item.choices]
    named = [worded(text, item.pair.objects) for item in items for text in item.choices]
    words = {"ngram_range": (1, 3), "sublinear_tf": True, "min_df": 2, "lowercase": False}
    token = r"\w+|[^\w\s]"  # punctuation and capitals may give a choice away
    return hstack(
        (
            TfidfVectorizer(token_pattern=token, **words).fit_transform(numbered),
            TfidfVectorizer(token_pattern=token, **words).fit_transform(named),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=3).fit_transform(named),
            csr_matrix(surface(items)),
        )
    ).tocsr()


def surface(items: Sequence[Asked]) -> Floats:
    """What a choice looks like: its length, its tags, how often they are repeated."""
    return np.array([list(_looks(item, place)) for item in items for place in range(CHOICES)])


def _looks(item: Asked, place: int) -> Iterator[float]:
    text, objects = item.choices[place], item.pair.objects
    tags, words = list(text.references()), _WORD.findall(worded(text, objects))
    yield from (np.log1p(len(words)), len(tags), len(tags) - len(set(tags)))
    # How many objects the image has is not among them: an answer alone does not tell.
    yield from (max(tags, default=-1) / 10, min(tags, default=-1) / 10)
    people = [tag for tag in tags if objects[tag] == "person"]
    yield from (len(people), len(set(people)), sum(map(len, words)) / max(1, len(words)))
    said = " ".join(words).lower()
    yield from (said.count("the "), said.count(" and "), float(isinstance(text.tokens[0], tuple)))


def meanings(encoder: Encoder) -> Features:
    """The embedding of every choice and what it looks like."""

    def features(items: Sequence[Asked]) -> Any:
        return np.hstack((_vectors(items, encoder), surface(items)))

    return features


def _vectors(items: Sequence[Asked], encoder: Encoder) -> Any:
    return encoder.encode([worded(text, item.pair.objects) for item in items for text in item.choices])


def compared(encoder: Encoder) -> Features:
    """How every choice stands among the four: how near the others, whether it shares their tags."""

    def features(items: Sequence[Asked]) -> Any:
        vectors = _vectors(items, encoder).reshape(len(items), CHOICES, -1)
        near = np.einsum("icd,ied->ice", vectors, vectors)
        others = np.sort(np.where(np.eye(CHOICES, dtype=bool)[None], -9.0, near), axis=2)[:, :, 1:]
        looks = surface(items).reshape(len(items), CHOICES, -1)
        apart = looks - looks.mean(axis=1, keepdims=True)
        tags = np.array([[_shared_tags(item, place) for place in range(CHOICES)] for item in items])
        means = others.mean(axis=2, keepdims=True)
        told = (others, means, means - means.mean(axis=1, keepdims=True), looks, apart, tags)
        return np.concatenate(told, axis=2).reshape(len(items) * CHOICES, -1)

    return features


def _shared_tags(item: Asked, place: int) -> list[float]:
    tags = [set(text.references()) for text in item.choices]
    own, others = tags[place], [each for number, each in enumerate(tags) if number != place]
    shared = sum(len(own & each) for each in others)
    alone = len(own - set().union(*others))
    first = [next(iter(text.references()), -1) for text in item.choices]
    return [shared, alone, shared / max(1, len(own)), first.count(first[place]) if own else 0]


def fits(encoder: Encoder) -> Features:
    """How every choice goes with its question: learned anew on these very items."""

    def features(items: Sequence[Asked]) -> Any:
        choices = _vectors(items, encoder)
        asked = encoder.encode([worded(item.pair.query, item.pair.objects) for item in items])
        questions = np.repeat(asked, CHOICES, axis=0)
        near = (questions * choices).sum(axis=1, keepdims=True)
        words = np.array([_overlap(item, place) for item in items for place in range(CHOICES)])
        return np.hstack((choices, questions * choices, near, words, surface(items)))

    return features


def _overlap(item: Asked, place: int) -> list[float]:
    query = set(reading(item.pair.query, item.pair.objects).split())
    choice = set(reading(item.choices[place], item.pair.objects).split())
    tags, asked = set(item.choices[place].references()), set(item.pair.query.references())
    return [
        len(query & choice),
        len(query & choice) / max(1, len(choice)),
        len(tags & asked),
        len(tags - asked),
    ]


class Relevant(NamedTuple):
    """What cross-fitted models of relevance, trained on random answers, make of all choices."""

    chances: Floats  # (questions, choices)


def relevance(items: Sequence[Asked], encoder: Encoder) -> Relevant:
    """P_rel of every choice as it reads once remapped, by a model of the other folds."""
    chances = np.zeros((len(items), CHOICES))
    for fold in sorted({item.fold for item in items}):
        model = EmbeddedRelevance(encoder).fit([i.pair for i in items if i.fold != fold], seed=SEED)
        own = [place for place, item in enumerate(items) if item.fold == fold]
        queries = [items[place].pair for place in own for _ in range(CHOICES)]
        scores = model.score(queries, [text for place in own for text in items[place].choices])
        chances[own] = np.exp(scores.astype(np.float64)).reshape(-1, CHOICES)
    return Relevant(chances)

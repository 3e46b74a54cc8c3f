"""Texts as numbers for solvers: grams, embeddings, how a choice looks, how it stands among the others.

Nothing here sees a label, so all of it is computed once for all folds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from commonsight.audit.blind.lists import Ints, Listing
from commonsight.core.text import TaggedText
from commonsight.text.encoders import Encoder, Vectors

_TOKEN = r"\w+|[^\w\s]"
_WORD = re.compile(r"\w+")
BUCKETS = 2**18
SHORT_TEXTS = 4.0
"""Below so many words on average, letters count too: there are too few words to learn from."""
SCALE = 8.0
"""Embeddings have length 1 over hundreds of dimensions: so much larger, the penalty fits them."""
COMPONENTS = 32
"""Dimensions of an embedding that trees are given."""
OPENING, RAREST = 2, 6
"""Words of a text that are paired with those of another: the first, and the rarest of those that recur."""


def grams(texts: Sequence[str]) -> Any:
    """Words, pairs of words and, in short texts, runs of letters, hashed and weighed: (texts, kinds)."""
    from scipy.sparse import hstack

    parts = [_hashed(texts, token_pattern=_TOKEN, ngram_range=(1, 2))]
    if sum(len(_WORD.findall(text)) for text in texts) < SHORT_TEXTS * len(texts):
        parts.append(_hashed(texts, analyzer="char_wb", ngram_range=(2, 4)))
    return recurring(hstack([weighed(part) for part in parts]).tocsr())


def _hashed(texts: Sequence[str], **options: Any) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(norm=None, alternate_sign=False, n_features=BUCKETS, **options).transform(texts)


def weighed(counts: Any) -> Any:
    """Counts by tf-idf, each row of length 1."""
    from sklearn.feature_extraction.text import TfidfTransformer

    return TfidfTransformer(sublinear_tf=True).fit_transform(counts)


def recurring(matrix: Any) -> Any:
    """The columns that more than one row has: nothing is learned from the others."""
    used = np.bincount(matrix.indices, minlength=matrix.shape[1]) > 1
    return matrix[:, np.flatnonzero(used)].astype(np.float64)


def embedded(texts: Sequence[str], encoder: Encoder) -> Vectors:
    """One row of length 1 a text; each text is encoded once."""
    places: dict[str, int] = {}
    where = [places.setdefault(text, len(places)) for text in texts]
    return np.asarray(encoder.encode(tuple(places)), np.float32)[where]


def reduced(rows: Vectors, seed: int, components: int = COMPONENTS) -> Vectors:
    """The directions in which rows differ most."""
    if rows.shape[1] <= components or len(rows) <= components:
        return rows
    centred = rows - rows.mean(axis=0)
    sample = centred[np.random.default_rng(seed).permutation(len(rows))[:20_000]]
    _, directions = np.linalg.eigh(sample.T @ sample)
    found: Vectors = centred @ directions[:, -components:].astype(np.float32)
    return found


def looks(texts: Iterable[TaggedText], said: Sequence[str]) -> Vectors:
    """What a text looks like, whatever it says: lengths, tags, marks, capitals."""
    return np.array([_look(text, plain) for text, plain in zip(texts, said, strict=True)], np.float32)


def _look(text: TaggedText, said: str) -> tuple[float, ...]:
    words = _WORD.findall(said)
    tags = list(text.references())
    count = max(1, len(words))
    return (
        np.log1p(len(words)),
        len(said) / count / 10,
        len(tags) / 3,
        len(set(tags)) / 3,
        (max(tags) + 1) / 10 if tags else 0.0,
        len(set(words)) / count,
        sum(said.count(mark) for mark in ",;:") / 3,
        float(said[-1:] in ".!?"),
        float(said[:1].isupper()),
        float(bool(tags) and text.tokens[0].__class__ is tuple),
    )


class TextFeatures:
    """Everything that texts of one task tell, computed when first asked for."""

    def __init__(self, listing: Listing, encoder: Encoder, seed: int) -> None:
        self._listing, self._encoder, self._seed = listing, encoder, seed

    @cached_property
    def choice_grams(self) -> Any:
        """Grams of every choice."""
        return grams(self._listing.said)

    @cached_property
    def choice_vectors(self) -> Vectors:
        """Embedding of every choice."""
        return embedded(self._listing.said, self._encoder)

    @cached_property
    def asked_vectors(self) -> Vectors:
        """Embedding of what is asked, one row an item."""
        return embedded(self._listing.cases.asked, self._encoder)

    @cached_property
    def asked_grams(self) -> Any:
        """Grams of what is asked, one row an item."""
        return grams(self._listing.cases.asked)

    @cached_property
    def choice_looks(self) -> Vectors:
        """How every choice looks."""
        return looks((text for case in self._listing.cases for text in case.choices), self._listing.said)

    @property
    def alone(self) -> Vectors:
        """A choice by itself, for the linear solver."""
        return np.hstack((SCALE * self.choice_vectors, self.choice_looks))

    @cached_property
    def alone_reduced(self) -> Vectors:
        """A choice by itself, for trees."""
        return np.hstack((reduced(self.choice_vectors, self._seed), self.choice_looks))

    @cached_property
    def standing(self) -> Vectors:
        """How a choice stands among the others: likeness, shared words and tags, longer or shorter.

        Not its place: the most frequent one is a row of its own, and by luck it is right so often in all
        parts at once that solvers which know it vary half as much again as guesses do.
        """
        listing = self._listing
        apart = self.choice_looks - self._mean(self.choice_looks)
        return np.hstack((
            apart, _ranks(self.choice_looks[:, :1], listing), self._likeness, self._shared
        ))  # fmt: skip

    @property
    def together(self) -> Vectors:
        """All choices at once, for the linear solver: what sets this one apart."""
        apart = self.choice_vectors - self._mean(self.choice_vectors)
        return np.hstack((SCALE * apart, self.choice_looks, self.standing))

    @property
    def together_reduced(self) -> Vectors:
        """All choices at once, for trees."""
        return np.hstack((self.alone_reduced, self.standing))

    @cached_property
    def fit_looks(self) -> Vectors:
        """How a choice goes with what is asked: likeness, shared words and tags, also against the others."""
        listing = self._listing
        asked = self.asked_vectors[listing.item]
        near = (asked * self.choice_vectors).sum(axis=1, keepdims=True)
        words, tags = self._words, self._tags
        given_words = _word_sets(listing.cases.asked)
        given_tags = _tag_sets([case.given for case in listing.cases], tags.shape[1])
        columns = [near]
        for own, given in ((words, given_words), (tags, given_tags)):
            both = _summed(own.multiply(given[listing.item]))
            columns += [both, both / np.maximum(1.0, _summed(own)), _summed(own) - both]
        found = np.hstack(columns)
        return np.hstack((found, found - self._mean(found)))

    @property
    def fitting(self) -> Vectors:
        """A choice with what is asked, for the linear solver: products of embeddings, and all the above."""
        products = self.asked_vectors[self._listing.item] * self.choice_vectors
        return np.hstack((4 * SCALE * products, self.fit_looks, self.together))

    @property
    def fitting_reduced(self) -> Vectors:
        """A choice with what is asked, for trees."""
        products = self.asked_vectors[self._listing.item] * self.choice_vectors
        return np.hstack((reduced(products, self._seed, 16), self.fit_looks, self.together_reduced))

    @property
    def pairs(self) -> Any:
        """Grams of the choice, and words of what is asked paired with words of the choice."""
        from scipy.sparse import hstack

        pairs = word_pairs(self._listing.cases.asked, self._listing.said, self._listing.item)
        return hstack((self.choice_grams, recurring(weighed(pairs)))).tocsr()

    def _mean(self, rows: Vectors) -> Vectors:
        """The mean over the choices of an item, beside each of them."""
        listing = self._listing
        means = np.add.reduceat(rows, listing.starts, axis=0) / listing.sizes[:, None].astype(np.float32)
        found: Vectors = means[listing.item].astype(np.float32)
        return found

    @cached_property
    def _likeness(self) -> Vectors:
        """How near the other choices are: on average, the nearest, the farthest."""
        found = np.zeros((len(self._listing.item), 3), np.float32)
        for size in np.unique(self._listing.sizes).tolist():
            if size < 2:
                continue
            starts = self._listing.starts[self._listing.sizes == size]
            rows = starts[:, None] + np.arange(size)
            vectors = self.choice_vectors[rows]  # (item, choice, dimension)
            near = np.einsum("icd,ied->ice", vectors, vectors)
            others = near[:, ~np.eye(size, dtype=bool)].reshape(len(starts), size, size - 1)
            found[rows] = np.stack((others.mean(axis=2), others.max(axis=2), others.min(axis=2)), axis=2)
        return found

    @cached_property
    def _words(self) -> Any:
        return _word_sets(self._listing.said)

    @cached_property
    def _tags(self) -> Any:
        texts = [text for case in self._listing.cases for text in case.choices]
        given = [case.given for case in self._listing.cases]
        most = max((tag for text in (*texts, *given) for tag in text.references()), default=0) + 1
        return _tag_sets(texts, most)

    @cached_property
    def _shared(self) -> Vectors:
        """How many words and tags are in the other choices too, and how many in none of them."""
        from scipy.sparse import csr_matrix

        listing = self._listing
        ones = np.ones(len(listing.item))
        of_item = csr_matrix((ones, (listing.item, np.arange(len(listing.item)))))
        columns = []
        for own in (self._words, self._tags):
            total = (of_item @ own)[listing.item]
            common = own.multiply(total - own)
            columns += [_summed(common), _summed(own) - _summed(common > 0)]
        found: Vectors = (np.hstack(columns) / 3).astype(np.float32)
        return found


def _word_sets(texts: Sequence[str]) -> Any:
    return _hashed(texts, token_pattern=r"\w+", binary=True).astype(np.float64)


def _tag_sets(texts: Sequence[TaggedText], most: int) -> Any:
    from scipy.sparse import csr_matrix

    found = [sorted(set(text.references())) for text in texts]
    ends = np.cumsum([0, *(len(tags) for tags in found)])
    places = np.array([tag for tags in found for tag in tags], np.int64)
    keep = (places >= 0) & (places < most)  # a tag that points nowhere is another probe's to tell
    values = keep.astype(np.float64)
    return csr_matrix((values, np.where(keep, places, 0), ends), shape=(len(texts), most))


def _summed(matrix: Any) -> Vectors:
    return np.asarray(matrix.sum(axis=1), np.float32).reshape(-1, 1)


def _ranks(column: Vectors, listing: Listing) -> Vectors:
    """The share of an item's choices that are below this one, ties as halves."""
    found = np.zeros_like(column)
    for size in np.unique(listing.sizes).tolist():
        rows = listing.starts[listing.sizes == size][:, None] + np.arange(size)
        own = column[rows, 0]
        below = (own[:, :, None] > own[:, None, :]) + 0.5 * (own[:, :, None] == own[:, None, :])
        found[rows, 0] = below.mean(axis=2)
    return found


def word_pairs(asked: Sequence[str], said: Sequence[str], item: Ints) -> Any:
    """Each word of what is asked with each word of the choice, hashed and counted: (choices, kinds)."""
    from scipy.sparse import csr_matrix

    known: dict[str, int] = {}
    numbers = [_numbered(texts, known) for texts in (asked, said)]
    often = np.bincount(np.concatenate([np.concatenate([*each, np.zeros(0, np.int64)]) for each in numbers]),
                        minlength=len(known))  # fmt: skip
    given, own = ([_telling(words, often) for words in each] for each in numbers)
    sizes_given = np.array([len(words) for words in given], np.int64)[item]
    sizes_own = np.array([len(words) for words in own], np.int64)
    counts = sizes_given * sizes_own
    ends = np.concatenate(([0], np.cumsum(counts)))
    within = np.arange(ends[-1]) - np.repeat(ends[:-1], counts)
    flat_given, begins_given = _flat(given)
    flat_own, begins_own = _flat(own)
    width = np.repeat(sizes_own, counts)
    left = flat_given[np.repeat(begins_given[item], counts) + within // np.maximum(1, width)]
    right = flat_own[np.repeat(begins_own, counts) + within % np.maximum(1, width)]
    # Knuth's multiplier spreads pairs over the buckets; the words' numbers are the same on every machine.
    kinds = ((left * len(known) + right) * 2654435761 % 2**32) >> (32 - 18)
    found = csr_matrix((np.ones(len(kinds)), kinds, ends), shape=(len(said), BUCKETS))
    found.sum_duplicates()
    return found


def _numbered(texts: Sequence[str], known: dict[str, int]) -> list[Ints]:
    return [
        np.array([known.setdefault(word, len(known)) for word in _WORD.findall(text.lower())], np.int64)
        for text in texts
    ]


def _telling(words: Ints, often: Ints) -> Ints:
    """The first words of a text and the rarest of those that recur, each once."""
    later = words[OPENING:]
    later = later[often[later] > 2]
    rarest = later[np.argsort(often[later], kind="stable")[:RAREST]]
    return np.unique(np.concatenate((words[:OPENING], rarest)))


def _flat(parts: Sequence[Ints]) -> tuple[Ints, Ints]:
    begins = np.cumsum([0, *(len(part) for part in parts)])[:-1]
    return np.concatenate([*parts, np.zeros(1, np.int64)]), begins

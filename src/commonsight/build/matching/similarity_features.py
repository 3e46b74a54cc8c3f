"""What the similarity model looks at in two texts, for pairs side by side and for all pairs of a bucket.

Everything is prepared once per text. What remains per pair is a few products of matrices, so that all pairs
of a bucket come in blocks of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.similarity_synonyms import LIGHT, plainly, senses
from commonsight.build.matching.similarity_words import OPPOSITES, negates, stem, words_of
from commonsight.text.encoders import Encoder

Matrix = NDArray[np.float32]
Places = NDArray[np.int64]

FEATURES = (
    "alike",  # cosine of the sentence vectors
    "covered",  # share of the hypothesis, by the weight of its words, that the premise says or nearly says
    "lacking",  # square root of the weight that it does not: every word more makes following less likely
    "negated",  # covered, but one of the two is negated
    "opposed",  # covered, but the premise has the opposite of a word, or another number or colour
    "longer",  # logarithm of how many times longer the hypothesis is
)
"""In the order of the coefficients. Does one text, the hypothesis, follow from another, the premise?"""

RELATED = 0.25
"""Words whose vectors are closer than this count as related."""
SYNONYMOUS = 0.9
"""How near a text comes to saying a word that it says by a synonym."""
LIGHTEST = 0.1
"""Words that say little weigh at most this."""
SHARPNESS = 4
"""The power mean that stands for the best of several related words."""
WORDS_AT_ONCE = 1024


class Vocabulary(NamedTuple):
    """How much words weigh: those in the table as it says, others `rare`."""

    weights: Mapping[str, float]
    rare: float = 1.0

    def weight(self, word: str) -> float:
        """The weight of a word, by its stem."""
        weight = self.weights.get(stem(word), self.rare)
        return min(weight, LIGHTEST) if word in LIGHT else weight


class Texts(NamedTuple):
    """Texts as they are compared; each field has one row a text."""

    vectors: Matrix  # (text, dimension)
    weighed: Any  # sparse (text, word): the weight of each of its words
    says: Any  # sparse (text, word): from 0 to 1, how near it comes to saying each word in some form
    says_by_word: Any  # the same, (word, text)
    mass: Matrix  # the weight of all of its words; never zero
    length: Matrix  # logarithm of the number of words, and one
    negated: NDArray[np.bool_]
    opposites: Any  # sparse (text, word of the table of opposites): 1 for those that it means
    not_opposites: Any  # ... and for those that it excludes
    same: Places  # texts that read alike have the same number; empty ones -1

    def __len__(self) -> int:
        return len(self.same)


def prepare(texts: Sequence[str], encoder: Encoder, vocabulary: Vocabulary) -> Texts:
    """All that is needed once per text."""
    read = [words_of(text) for text in texts]
    split = [words_of(plainly(text)) or own for text, own in zip(texts, read, strict=True)]
    words = sorted({word for found in split for word in found})
    present = _presence(split, words)
    related = _without_opposites(_related(words, encoder), words)
    related = related.maximum(_synonymous(words)).maximum(_same_stem(words))
    weights = np.array([vocabulary.weight(word) for word in words], np.float32)
    weighed = present.multiply(weights[None, :]).tocsr()
    related.data **= SHARPNESS
    says = present @ related
    says.data = np.minimum(says.data ** np.float32(1 / SHARPNESS), np.float32(1))
    opposites, not_opposites = _opposed([frozenset().union(*map(senses, found)) for found in split])
    return Texts(
        np.asarray(encoder.encode(list(texts)), np.float32).reshape(len(split), encoder.dimension),
        weighed,
        says,
        says.T.tocsr(),
        np.maximum(_row_sums(weighed), np.float32(1e-6)),
        np.log1p(np.array([len(found) for found in split], np.float32)),
        np.array([any(map(negates, found)) for found in split], np.bool_),
        opposites,
        not_opposites,
        _numbered([" ".join(found) for found in read]),
    )


def _numbered(texts: Sequence[str]) -> Places:
    numbers: dict[str, int] = {"": -1}
    return np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)


def _presence(split: Sequence[Iterable[str]], words: Sequence[str]) -> Any:
    """Sparse (text, word): 1 where a text has a word."""
    from scipy.sparse import csr_array

    place = {word: number for number, word in enumerate(words)}
    columns = [sorted({place[word] for word in found}) for found in split]
    starts = np.cumsum([0, *map(len, columns)])
    flat = np.array([column for found in columns for column in found], np.int64)
    return csr_array((np.ones(len(flat), np.float32), flat, starts), shape=(len(split), len(words)))


def _same_stem(words: Sequence[str]) -> Any:
    """Sparse (word, word): 1 where two words have the same stem."""
    stems = [[stem(word)] for word in words]
    of_stem = _presence(stems, sorted({word for (word,) in stems}))
    return of_stem @ of_stem.T


def _synonymous(words: Sequence[str]) -> Any:
    """Sparse (word, word): nearly 1 where two words can mean the same."""
    meanings = [senses(word) for word in words]
    of_sense = _presence(meanings, sorted({sense for found in meanings for sense in found}))
    shared = of_sense @ of_sense.T
    shared.data = np.full_like(shared.data, np.float32(SYNONYMOUS))
    return shared


def _related(words: Sequence[str], encoder: Encoder) -> Any:
    """Sparse (word, word): from 0 to 1, how far the vectors of two words are above the threshold."""
    from scipy.sparse import csr_array, vstack

    if not words:
        return csr_array((0, 0), dtype=np.float32)
    vectors = np.asarray(encoder.encode(list(words)), np.float32)
    found = []
    for start in range(0, len(words), WORDS_AT_ONCE):
        near = vectors[start : start + WORDS_AT_ONCE] @ vectors.T  # (some words, words)
        near = (near - np.float32(RELATED)) / np.float32(1 - RELATED)
        found.append(csr_array(np.clip(near, 0, 1)))
    return vstack(found, format="csr")


def _without_opposites(related: Any, words: Sequence[str]) -> Any:
    """The same, but nothing for words that exclude one another: their vectors are often close."""
    has, excludes = _opposed([senses(word) for word in words])
    return related - related.multiply((has @ excludes.T) > 0)


def _opposed(meant: Sequence[frozenset[str]]) -> tuple[Any, Any]:
    """Which words of the table each text means, and which it excludes: opposites that it does not mean."""
    entries = [(line, senses(word)) for line, group in enumerate(OPPOSITES) for word in group.split()]
    table = sorted({sense for _, own in entries for sense in own})
    means = _presence([found.intersection(table) for found in meant], table)
    has = means @ _presence([own for _, own in entries], table).T
    has.data = np.ones_like(has.data)
    in_line = _presence([[str(line)] for line, _ in entries], sorted({str(line) for line, _ in entries}))
    beside = has @ (in_line @ in_line.T)
    beside.data = np.ones_like(beside.data)
    return has, beside - beside.multiply(has)


def aligned(texts: Texts, premises: Places, hypotheses: Places) -> Matrix:
    """The features of pairs side by side: (pair, feature)."""
    a, b = premises, hypotheses
    held = _row_sums(texts.says[a].multiply(texts.weighed[b]))
    covered = held / texts.mass[b]
    return np.stack(
        [
            np.einsum("ij,ij->i", texts.vectors[a], texts.vectors[b]),
            covered,
            np.sqrt(np.maximum(texts.mass[b] - held, 0)),
            covered * (texts.negated[a] != texts.negated[b]),
            covered * (_row_sums(texts.not_opposites[a].multiply(texts.opposites[b])) > 0),
            texts.length[b] - texts.length[a],
        ],
        axis=1,
    ).astype(np.float32)


def _row_sums(matrix: Any) -> Matrix:
    return np.asarray(matrix.sum(axis=1), np.float32).ravel()


class OneWay(NamedTuple):
    """What the features of some texts with all are made from, each (some, all), in one direction."""

    held: Matrix  # the weight of the hypothesis' words that the premise says
    mass: Matrix  # the weight of all of them: (1, all) or (some, 1)
    opposed: tuple[Places, ...]  # the pairs in which the premise has the opposite of a word


def from_some(texts: Texts, some: Places) -> OneWay:
    """These texts are the premises, all texts the hypotheses."""
    held = np.ascontiguousarray((texts.weighed @ np.ascontiguousarray(texts.says[some].toarray().T)).T)
    opposed = (texts.not_opposites[some] @ texts.opposites.T).nonzero()
    return OneWay(held, texts.mass[None, :], opposed)


def to_some(texts: Texts, some: Places) -> OneWay:
    """All texts are the premises, these the hypotheses."""
    own = texts.weighed[some]
    words = np.unique(own.indices)  # the product needs no more rows than these texts have words
    held = own[:, words] @ texts.says_by_word[words].toarray()
    opposed = (texts.opposites[some] @ texts.not_opposites.T).nonzero()
    return OneWay(held, texts.mass[some, None], opposed)

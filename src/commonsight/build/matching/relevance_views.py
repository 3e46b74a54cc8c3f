"""What the embedded relevance model sees of texts: numbers per text, never per pair.

A pair's features are products of a query's numbers and a response's, so that all pairs of a bucket come from
matrix products. Texts are read with tags as class names and without "the": a tag whose class the query's
image lacks is remapped to "the" and that class, and must not be told from a tag by its article.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.matching.scorers import worded
from commonsight.build.matching.values import Pair
from commonsight.core.text import TaggedText
from commonsight.text.encoders import Encoder
from commonsight.text.pronouns import FEMALE, MALE
from commonsight.text.question_types import QUESTION_TYPES, question_types

Matrix = NDArray[np.float32]
Index = NDArray[np.int64]

WORDS = 128
OPENINGS = 64
OPENING_LENGTH = 3
"""How many frequent words and how many beginnings of up to three words are looked at, on either side."""
COMMON = 0.05
"""Words that more texts than this share have are not counted as overlap: they say nothing and cost much."""

_WORD = re.compile(r"\w+")


def reading(text: TaggedText, objects: Sequence[str]) -> str:
    """A text as the model reads it: lower case, words only, tags as classes, no "the"."""
    return " ".join(word for word in _WORD.findall(worded(text, objects).lower()) if word != "the")


class Lexicon(NamedTuple):
    """What is counted in the texts of one side, and the column it has."""

    words: Mapping[str, int]
    openings: Mapping[str, int]


class Vocabulary(NamedTuple):
    """What was learned from the training texts about words."""

    queries: Lexicon
    responses: Lexicon
    classes: Mapping[str, int]
    """Words of object classes."""
    rarity: Mapping[str, float]
    """The logarithm of how rare a word is; 0 for one that is too common to count."""
    unseen: float


def learn_vocabulary(queries: Sequence[str], responses: Sequence[str], pairs: Sequence[Pair]) -> Vocabulary:
    """Count the words of the training texts."""
    texts = (*queries, *responses)
    counts = Counter(word for text in texts for word in set(text.split()))
    unseen = math.log(len(texts) + 1)
    rarity = {
        word: 0.0 if count > max(COMMON * len(texts), 2) else math.log((len(texts) + 1) / (count + 1))
        for word, count in counts.items()
    }
    labels = {label for pair in pairs for label in pair.objects}
    classes = sorted({word for label in labels for word in _WORD.findall(label.lower())})
    return Vocabulary(_lexicon(queries), _lexicon(responses), _numbered(classes), rarity, unseen)


def _lexicon(texts: Sequence[str]) -> Lexicon:
    split = [text.split() for text in texts]
    words = Counter(word for text in split for word in set(text))
    openings = Counter(opening for text in split for opening in _openings(text))
    return Lexicon(_numbered(_most_common(words, WORDS)), _numbered(_most_common(openings, OPENINGS)))


def _openings(words: Sequence[str]) -> list[str]:
    return [" ".join(words[:length]) for length in range(1, min(OPENING_LENGTH, len(words)) + 1)]


def _most_common(counts: Counter[str], most: int) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))[:most]


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: column for column, name in enumerate(names)}


class Views(NamedTuple):
    """What is known of the texts of one side, a row each."""

    texts: tuple[str, ...]
    meaning: Matrix
    """Their embeddings."""
    form: Matrix
    """Which frequent words and openings they have, and how long they are."""
    classes: Matrix
    """Which words of object classes they have."""
    length: Matrix
    """The logarithm of the number of words: one column."""
    gender: Matrix
    """Whether there is a female and whether there is a male pronoun: two columns."""


def look(texts: Sequence[str], lexicon: Lexicon, vocabulary: Vocabulary, encoder: Encoder) -> Views:
    """Everything about these texts."""
    split = [text.split() for text in texts]
    length = np.log1p(np.array([len(words) for words in split], np.float32)).reshape(-1, 1)
    form = np.hstack(
        (
            _marked([_openings(words) for words in split], lexicon.openings),
            _marked(split, lexicon.words),
            length,
        )
    )
    gender = [(not FEMALE.isdisjoint(words), not MALE.isdisjoint(words)) for words in split]
    return Views(
        texts=tuple(texts),
        meaning=encoder.encode(texts),
        form=form,
        classes=_marked(split, vocabulary.classes),
        length=length,
        gender=np.array(gender, np.float32).reshape(-1, 2),
    )


def circumstances(pairs: Sequence[Pair], texts: Sequence[str], vocabulary: Vocabulary) -> Circumstances:
    """The types of the questions, and the classes in their images."""
    types = _numbered(QUESTION_TYPES)
    labels = [_WORD.findall(" ".join(set(pair.objects)).lower()) for pair in pairs]
    return Circumstances(
        _marked([question_types(text) for text in texts], types), _marked(labels, vocabulary.classes)
    )


class Circumstances(NamedTuple):
    """What is known of queries beside their words."""

    types: Matrix
    present: Matrix


def _marked(found: Sequence[Iterable[str]], columns: Mapping[str, int]) -> Matrix:
    """One where a row has what a column stands for."""
    marks = np.zeros((len(found), len(columns)), np.float32)
    for row, names in zip(marks, found, strict=True):
        row[[columns[name] for name in names if name in columns]] = 1.0
    return marks


class Overlap(NamedTuple):
    """Rare words of queries and responses, sparse rows of length at most 1; their product is the overlap."""

    queries: Any
    responses: Any

    def of(self, query: Index, response: Index) -> NDArray[np.float64]:
        """The overlap of queries with the responses beside them."""
        shared = self.queries[query].multiply(self.responses[response])
        return np.asarray(shared.sum(axis=1, dtype=np.float64)).ravel()


def rare_words(queries: Sequence[str], responses: Sequence[str], vocabulary: Vocabulary) -> Overlap:
    """Rows over all words of these texts, those never seen in training too: the rarest say the most."""
    columns = _numbered(dict.fromkeys(word for text in (*queries, *responses) for word in text.split()))
    return Overlap(_sparse(queries, columns, vocabulary), _sparse(responses, columns, vocabulary))


def _sparse(texts: Sequence[str], columns: Mapping[str, int], vocabulary: Vocabulary) -> Any:
    from scipy.sparse import csr_matrix

    starts, places, values = [0], list[int](), list[float]()
    for text in texts:
        weights = {word: vocabulary.rarity.get(word, vocabulary.unseen) for word in text.split()}
        norm = math.sqrt(1.0 + sum(weight * weight for weight in weights.values()))
        for word in sorted(word for word, weight in weights.items() if weight > 0):
            places.append(columns[word])
            values.append(weights[word] / norm)
        starts.append(len(places))
    shape = (len(texts), len(columns))
    return csr_matrix((np.array(values, np.float32), places, starts), shape=shape)

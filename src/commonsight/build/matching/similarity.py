"""The embedded similarity model: whether one text follows from another, by words and vectors.

P_sim is the greater of both directions of entailment (VCR, appendix C). Where the paper runs a network over
every pair, this is a logistic regression on what can be had for all pairs at once: how alike the sentence
vectors are, how much of one text the other says, whether one is negated or says the opposite. It was fitted
on pairs that people labelled (similarity_fit.py), and its few numbers are shipped in similarity.json.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from msgspec import Struct, json

from commonsight.build.matching.scorers import Rows, Scores, worded
from commonsight.build.matching.similarity_features import (
    FEATURES,
    Matrix,
    OneWay,
    Places,
    Texts,
    Vocabulary,
    aligned,
    from_some,
    prepare,
    to_some,
)
from commonsight.build.matching.similarity_pairs import beside, dot_products
from commonsight.build.matching.values import Pair
from commonsight.errors import InputError
from commonsight.text.encoders import Encoder

ROWS_AT_ONCE = 256
"""Rows that are worked on at a time: what a block takes beyond its result is a few times this by all."""


class Coefficients(Struct, frozen=True):
    """One logistic regression: the logarithm of the odds that the hypothesis follows."""

    intercept: float
    weights: Mapping[str, float]
    """By the names of the features."""

    def vector(self) -> Matrix:
        """The weights in the order of the features."""
        return np.array([self.weights[name] for name in FEATURES], np.float32)


class Fitted(Struct, frozen=True):
    """What similarity.json holds."""

    note: str
    words: Mapping[str, float]
    """What the commoner words weigh, by their stems; all others weigh 1."""
    encoders: Mapping[str, Coefficients]
    """By the names of the encoders."""


@cache
def shipped() -> Fitted:
    """The numbers that come with the package."""
    content = files("commonsight.build.matching").joinpath("similarity.json").read_bytes()
    return json.decode(content, type=Fitted)


class EmbeddedSimilarity:
    """How likely one of two responses is to follow from the other."""

    def __init__(self, encoder: Encoder, fitted: Fitted | None = None) -> None:
        numbers = shipped() if fitted is None else fitted
        set_name = _set_for(encoder.name, numbers)
        self.name = f"embedded similarity, {encoder.name}, coefficients of {set_name}"
        self._encoder = encoder
        self._vocabulary = Vocabulary(numbers.words)
        self._coefficients = numbers.encoders[set_name]

    def weigh(self, bucket: Sequence[Pair]) -> EmbeddedSimilarityBlocks:
        """All pairs of a bucket's responses, every tag as the class of its object."""
        return self.weigh_texts([worded(pair.response, pair.objects) for pair in bucket])

    def weigh_texts(self, texts: Sequence[str]) -> EmbeddedSimilarityBlocks:
        """All pairs of these texts."""
        return EmbeddedSimilarityBlocks(self._prepare(texts), self._coefficients)

    def entails(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Scores:
        """How likely each hypothesis is to follow from the premise beside it, in this direction only."""
        if len(premises) != len(hypotheses):
            raise ValueError(f"{len(premises)} premises cannot stand beside {len(hypotheses)} hypotheses")
        texts = self._prepare([*premises, *hypotheses])
        a = np.arange(len(premises), dtype=np.int64)
        b = a + len(premises)
        odds = aligned(texts, a, b) @ self._coefficients.vector() + np.float32(self._coefficients.intercept)
        return _settled(_likely(odds), texts.same[a], texts.same[b])

    def _prepare(self, texts: Sequence[str]) -> Texts:
        return prepare(texts, self._encoder, self._vocabulary)


class EmbeddedSimilarityBlocks:
    """P_sim of prepared texts, in blocks of rows."""

    def __init__(self, texts: Texts, coefficients: Coefficients) -> None:
        self._texts, self._coefficients = texts, coefficients

    def __len__(self) -> int:
        return len(self._texts)

    def rows(self, responses: Rows) -> Scores:
        """P_sim of these texts with all: (these, all)."""
        scores = np.empty((len(responses), len(self)), np.float32)
        for start in range(0, len(responses), ROWS_AT_ONCE):
            some, same = responses[start : start + ROWS_AT_ONCE], self._texts.same
            likely = _likely(self._odds(some))
            scores[start : start + ROWS_AT_ONCE] = _settled(likely, same[some, None], same[None, :])
        return scores

    def pairs(self, ones: Rows, others: Rows) -> Scores:
        """P_sim of each text with the one beside it."""
        texts = self._texts
        alike, covered, lacking, negated, opposed, longer = self._coefficients.vector()
        worth = np.where(texts.negated[ones] != texts.negated[others], covered + negated, covered)
        length = longer * (texts.length[others] - texts.length[ones])
        odds = alike * dot_products(texts.vectors, ones, others)
        there = _one_way(beside(texts, ones, others), worth, lacking, opposed) + length
        back = _one_way(beside(texts, others, ones), worth, lacking, opposed) - length
        odds += np.maximum(there, back)
        odds += np.float32(self._coefficients.intercept)
        return _settled(_likely(odds), texts.same[ones], texts.same[others])

    def _odds(self, some: Places) -> Matrix:
        """The logarithm of the odds in the likelier direction, as `aligned` would have it, in few passes."""
        texts = self._texts
        alike, covered, lacking, negated, opposed, longer = self._coefficients.vector()
        negation = texts.negated[some, None] != texts.negated[None, :]
        worth = np.where(negation, covered + negated, covered)  # what it is worth to be covered
        both: Matrix = (alike * texts.vectors[some]) @ texts.vectors.T  # what is the same in both directions
        length = longer * texts.length
        there = _one_way(from_some(texts, some), worth, lacking, opposed)
        there += length[None, :]
        there -= length[some, None]
        back = _one_way(to_some(texts, some), worth, lacking, opposed)
        back -= length[None, :]
        back += length[some, None]
        both += np.maximum(there, back, out=there)
        both += np.float32(self._coefficients.intercept)
        return both


def _one_way(way: OneWay, worth: Matrix, lacking: np.float32, opposed: np.float32) -> Matrix:
    """What the words of two texts add to the odds in one direction."""
    held, mass, pairs = way
    odds = mass - held
    np.sqrt(np.maximum(odds, np.float32(0), out=odds), out=odds)
    odds *= lacking
    held /= mass
    odds[pairs] += opposed * held[pairs]
    held *= worth
    odds += held
    return odds


def _likely(odds: Matrix) -> Scores:
    np.clip(odds, -30, 30, out=odds)
    np.exp(np.negative(odds, out=odds), out=odds)
    odds += 1
    return np.reciprocal(odds, out=odds)


def _settled(scores: Scores, one: Places, other: Places) -> Scores:
    """What needs no model: texts that read alike are, and an empty one is like no other."""
    scores[(one < 0) | (other < 0)] = 0
    scores[one == other] = 1
    return scores


def _set_for(encoder: str, numbers: Fitted) -> str:
    """The coefficients fitted for this encoder, else for another of its kind (version or dimension)."""
    if encoder in numbers.encoders:
        return encoder
    kind = encoder.partition("-")[0]
    for name in sorted(numbers.encoders):
        if name.partition("-")[0] == kind:
            return name
    known = ", ".join(sorted(numbers.encoders)) or "none"
    raise InputError(
        f"There are no coefficients of the similarity model for the encoder {encoder} "
        f"(there are for: {known}). Fit them with commonsight.build.matching.similarity_fit."
    )

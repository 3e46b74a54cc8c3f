"""Items as lists of rows with few dense features: what the hardness measures learn from.

A task whose items share a few answers is a choice among those: each answer gets columns of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonsight.audit.blind.features import SCALE, TextFeatures, embedded, looks, reduced
from commonsight.audit.blind.labels import FEW, Labels
from commonsight.audit.blind.lists import Flags, Floats, Ints, Listing, Lists, softmax
from commonsight.audit.blind.sights import MOST_DENSE, drawn
from commonsight.audit.blind.solvers import Linear
from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure
from commonsight.text.encoders import Encoder, Vectors

COMPONENTS = 48
"""Dimensions of the products of two embeddings, and of texts that are asked about: fewer, to save time."""


@dataclass(frozen=True)
class View:
    """Rows of features in lists, one list an item."""

    cases: Cases
    features: Vectors
    """(rows, features)"""
    starts: Ints
    item: Ints
    right: Flags
    long: Ints
    """The number of each row's text where it is a long one that may recur, else -1."""

    def trained(self, learn: Flags, tested: Flags, linear: Linear) -> Floats | None:
        """The chance of every row, by a model of some items; None if they are too few.

        Rows whose long text is also among the items to be tested are left out.
        """
        outside = tested[self.item]
        rows = learn[self.item] & ((self.long < 0) | ~np.isin(self.long, self.long[outside]))
        count = len(self.cases)
        left = np.bincount(self.item[rows], minlength=count)
        right = np.bincount(self.item[rows & self.right], minlength=count)
        rows &= ((left > 1) & (right > 0))[self.item]
        rows &= drawn(self.item[rows], MOST_DENSE, count)[self.item]
        items = self.item[rows]
        if not len(items):
            return None
        begins = np.flatnonzero(np.concatenate(([True], items[1:] != items[:-1])))
        scores = linear.fit(self.features[rows], Lists(begins, self.right[rows]))(self.features)
        return softmax(scores, self.starts)

    def solved(self, chances: Floats) -> Floats:
        """1 where the right row of an item is likelier than all others; a share where some are as likely."""
        top = (chances >= np.maximum.reduceat(chances, self.starts)[self.item] - 1e-12).astype(np.float64)
        found: Floats = top[self.right] / np.add.reduceat(top, self.starts)
        return found


def view_of(cases: Cases, encoder: Encoder, seed: int) -> View:
    """What linear models learn from, for one task whose cases are all labelled."""
    return _choices(cases, encoder, seed) if cases.kind == "pick" else _answers(cases, encoder, seed)


def _choices(cases: Cases, encoder: Encoder, seed: int) -> View:
    if cases.sizes.max() < 2:
        raise CannotMeasure(f"{cases.title}: every item has only one choice, so there is nothing to choose.")
    listing = Listing(cases)
    texts = TextFeatures(listing, encoder, seed)
    products = texts.asked_vectors[listing.item] * texts.choice_vectors
    features = np.hstack((
        SCALE * texts.choice_vectors,
        4 * SCALE * reduced(products, seed, COMPONENTS),
        texts.choice_looks,
        texts.standing,
        texts.fit_looks,
    ))  # fmt: skip
    return View(cases, features, listing.starts, listing.item, listing.right, listing.long)


def _answers(cases: Cases, encoder: Encoder, seed: int) -> View:
    labels = Labels(cases)
    width = len(labels.names)
    if not 2 <= labels.distinct <= FEW:
        raise CannotMeasure(
            f"{cases.title}: there are {labels.distinct} different answers; hardness is measured where items "
            f"bring choices of their own, or share two to {FEW} answers."
        )
    vectors = SCALE * reduced(embedded(cases.asked, encoder), seed, COMPONENTS)
    own = np.hstack((vectors, looks((case.given for case in cases), cases.asked), np.ones((len(cases), 1))))
    features = np.zeros((len(cases), width, width, own.shape[1]), np.float32)
    for answer in range(width):
        features[:, answer, answer] = own
    rows = len(cases) * width
    return View(
        cases,
        features.reshape(rows, -1),
        np.arange(0, rows, width),
        np.repeat(np.arange(len(cases)), width),
        (labels.of[:, None] == np.arange(width)).ravel(),
        np.full(rows, -1, np.int64),
    )

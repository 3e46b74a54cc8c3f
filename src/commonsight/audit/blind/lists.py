"""Choices as rows: which item each belongs to, which is right, and which may be learned from.

Cross-validation keeps whole groups on one side. That is not enough where wrong choices were borrowed: an
answer that is right once is a wrong choice of three other items, so that a solver which saw those learns that
it is wrong. Within one pool this is a bias of the procedure, not of the benchmark. So no long text is learned
from that also occurs among the held-out choices. Short ones stay: that "dog" is often right is a prior that
any solver may have.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure
from commonsight.build.matching.values import normalised

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LONG = 4
"""From so many words on (tags count) a text is one that somebody wrote for one item, not a common answer."""
LARGEST = 0.5
"""No group may hold more than this share of the items: else there is too little left to learn from."""


class Lists(NamedTuple):
    """Rows in lists, one list an item: where each begins, and which row of it is right."""

    starts: Ints
    right: Flags

    @property
    def sizes(self) -> Ints:
        """How many rows each list has."""
        return np.diff(np.append(self.starts, len(self.right)))


class Listing:
    """All choices of a task, one row each, item after item."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        self.sizes = cases.sizes
        self.starts: Ints = np.concatenate(([0], np.cumsum(self.sizes)[:-1])).astype(np.int64)
        self.item: Ints = np.repeat(np.arange(len(cases)), self.sizes)
        self.right: Flags = np.zeros(len(self.item), np.bool_)
        self.right[self.starts + cases.gold] = True

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Every choice."""
        return tuple(text for texts in self.cases.said for text in texts)

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """What is asked, beside every choice."""
        return tuple(self.cases.asked[item] for item in self.item.tolist())

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """Every choice in lower case, words only, all tags alike: what makes two choices the same."""
        return tuple(normalised(choice) for case in self.cases for choice in case.choices)

    @cached_property
    def long(self) -> Ints:
        """The number of each long text, the same where it recurs; -1 for short ones."""
        seen: dict[str, int] = {}
        return np.array(
            [seen.setdefault(text, len(seen)) if text.count(" ") + 1 >= LONG else -1 for text in self.plain],
            np.int64,
        )

    def to_learn(self, held: Flags) -> Flags:
        """Which rows may be learned from while these items are held out.

        A list is of use if its right choice and at least one wrong one are left.
        """
        out = held[self.item]
        rows: Flags = ~out & ((self.long < 0) | ~np.isin(self.long, self.long[out]))
        left = np.bincount(self.item[rows], minlength=len(self.cases))
        right = np.bincount(self.item[rows & self.right], minlength=len(self.cases))
        use = (left > 1) & (right > 0)
        return rows & use[self.item]

    def lists(self, rows: Flags) -> Lists:
        """The rows of a selection, in lists."""
        items = self.item[rows]
        begins = np.flatnonzero(np.concatenate(([True], items[1:] != items[:-1])))
        return Lists(begins[: len(items)].astype(np.int64), self.right[rows])

    def chances(self, scores: Floats) -> Floats:
        """Scores as chances that add up to one within each item."""
        return softmax(scores, self.starts)


def softmax(scores: Floats, starts: Ints) -> Floats:
    """Chances within each list."""
    sizes = np.diff(np.append(starts, len(scores)))
    powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    shares: Floats = powers / np.repeat(np.add.reduceat(powers, starts), sizes)
    return shares


class Folds(NamedTuple):
    """Which part each item is held out with, and what was kept together."""

    of: Ints
    parts: int
    note: str
    """What was kept together and why; empty where it is as usual."""


def folded(cases: Cases, most: int, seed: int) -> Folds:
    """Parts of about the same size, with whole groups in each.

    Where wrong choices were borrowed within several match folds, those are the parts: no text is in two.
    """
    lent = _codes([case.lent[0] if case.lent else "" for case in cases])
    if all(case.lent for case in cases) and lent.max(initial=0) > 0 and _nested(cases.groups, lent):
        count = min(most, int(lent.max()) + 1)
        return Folds(balanced(lent, count, seed), count, "Match folds were kept whole: texts recur within.")
    levels = (
        ("groups", cases.groups),
        ("clusters", cases.clusters),
        ("items", np.arange(len(cases), dtype=np.int64)),
    )
    for name, codes in levels:
        sizes = np.bincount(codes)
        count = min(most, len(sizes))
        if count >= 2 and sizes.max() <= LARGEST * len(cases):
            return Folds(balanced(codes, count, seed), count, _note(name, count, most))
    raise CannotMeasure("Cross-validation needs at least two items.")


def _note(name: str, count: int, most: int) -> str:
    said = (
        ""
        if name == "groups"
        else f"Groups are too few or too large to hold out; {name} were kept whole instead."
    )
    fewer = "" if count == most else f" There are only {count} of them, so there are {count} parts."
    return (said + fewer).strip()


def balanced(codes: Ints, count: int, seed: int) -> Ints:
    """Groups dealt out to parts, the largest first, each to the smallest part; ties by luck."""
    sizes = np.bincount(codes)
    order = np.random.default_rng(seed).permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    part, load = np.zeros(len(sizes), np.int64), np.zeros(count, np.int64)
    for group in order.tolist():
        part[group] = load.argmin()
        load[part[group]] += sizes[group]
    return part[codes]


def _nested(inner: Ints, outer: Ints) -> bool:
    """Whether no inner group is in two outer ones."""
    pairs = np.unique(np.stack((inner, outer)), axis=1)
    return bool(pairs.shape[1] == len(np.unique(inner)))


def _codes(names: list[str]) -> Ints:
    return np.unique(names, return_inverse=True)[1].astype(np.int64) if names else np.zeros(0, np.int64)

"""A full matching that is allowed, whatever it weighs: so that there always is one to be improved upon.

Responses are sorted by how they read and handed on by as many places as the commonest text is there, which
gives nobody its own. Whoever still got what it may not have is helped by augmenting paths, which find a full
matching if there is one. As nearly everything is allowed, they are short.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InputError

NO_MATCHING = (
    "There is no way to give every query a response that it is allowed to have. "
    "Use larger buckets, or allow responses of the same image."
)

Places = NDArray[np.int64]
Allowed = NDArray[np.bool_]


class Keys(NamedTuple):
    """What decides whether a query may have a response: numbers for images, and for texts that read alike."""

    images: Places
    texts: Places


class Rules:
    """Whether queries may have responses, given what each has so far."""

    def __init__(self, keys: Keys, had: Places, *, same_image: bool = False) -> None:
        self._keys, self._same_image = keys, same_image
        self._read = keys.texts[had]  # (queries, texts that each has, its own first)

    def __len__(self) -> int:
        return len(self._keys.texts)

    def rows(self, queries: Places) -> Allowed:
        """These queries with all responses: (queries, responses)."""
        read, keys = self._read[queries], self._keys
        allowed: Allowed = read[:, 0, None] != keys.texts[None, :]
        for column in range(1, read.shape[1]):  # nothing that reads like what the query has already
            allowed &= read[:, column, None] != keys.texts[None, :]
        if not self._same_image:
            allowed &= keys.images[queries][:, None] != keys.images[None, :]
        return allowed

    def pairs(self, queries: Places, responses: Places) -> Allowed:
        """Each query with the response beside it."""
        keys = self._keys
        allowed: Allowed = (self._read[queries] != keys.texts[responses][:, None]).all(axis=1)
        if not self._same_image:
            allowed &= keys.images[queries] != keys.images[responses]
        return allowed

    def shifted(self) -> Places:
        """Everybody given the response of one who reads otherwise, if at most half read alike."""
        order = np.argsort(self._keys.texts, kind="stable")
        commonest = int(np.bincount(self._keys.texts).max(initial=1))
        given = np.empty(len(order), np.int64)
        given[order] = np.roll(order, -commonest)
        return given


def full_matching(rules: Rules) -> Places:
    """The response that each query gets in some matching that is allowed."""
    n = len(rules)
    given = rules.shifted()
    given[~rules.pairs(np.arange(n), given)] = -1
    owner = np.full(n, -1, np.int64)
    owner[given[given >= 0]] = np.flatnonzero(given >= 0)
    for query in np.flatnonzero(given < 0):
        _augment(rules, int(query), given, owner)
    return given


def _augment(rules: Rules, query: int, given: Places, owner: Places) -> None:
    """Give this query a response; others pass theirs on where need be."""
    taker = np.full(len(owner), -1, np.int64)  # who would take each response, on the way from this query
    waiting = [np.array([query], np.int64)]
    while waiting:
        for one in waiting.pop():
            fresh = np.flatnonzero(rules.rows(np.array([one]))[0] & (taker < 0))
            taker[fresh] = one
            free = fresh[owner[fresh] < 0]
            if len(free):
                _hand_on(int(free[0]), query, taker, given, owner)
                return
            if len(fresh):
                waiting.append(owner[fresh])
    raise InputError(NO_MATCHING)


def _hand_on(response: int, first: int, taker: Places, given: Places, owner: Places) -> None:
    while True:
        query = int(taker[response])
        before = int(given[query])
        given[query], owner[response] = response, query
        if query == first:
            return
        response = before

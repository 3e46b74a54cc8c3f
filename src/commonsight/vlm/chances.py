"""The probability of each candidate, from the alternatives to the first token of a reply."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct


class Alternative(Struct, frozen=True):
    """A token that could have come first, and the logarithm of its probability."""

    token: str
    logprob: float


def chances(alternatives: Sequence[Alternative], candidates: Sequence[str]) -> tuple[float, ...] | None:
    """The candidates' probabilities among themselves, or None where not every one of them can be read.

    A token counts for a candidate that it spells, or that it begins and no other candidate does; white space
    around it does not matter, so that "A" and " A" add up. A candidate that is not among the alternatives is
    less likely than all of them, but how much less nobody said, so nothing is said here either.
    """
    mass = [0.0] * len(candidates)
    for token, logprob in {one.token: one.logprob for one in alternatives}.items():
        place = _meant(token.strip(), candidates)
        if place is not None and not math.isnan(logprob):
            mass[place] += math.exp(min(logprob, 0.0))
    total = sum(mass)
    if not candidates or not all(mass):
        return None
    return tuple(one / total for one in mass)


def _meant(token: str, candidates: Sequence[str]) -> int | None:
    """The one candidate that this token is, or can only be the beginning of."""
    if not token:
        return None
    spelt = [place for place, candidate in enumerate(candidates) if candidate.strip() == token]
    begun = spelt or [place for place, text in enumerate(candidates) if text.strip().startswith(token)]
    return begun[0] if len(begun) == 1 else None

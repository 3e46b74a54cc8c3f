"""What is said to a writer, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from commonsight.audit.blind.lists import Floats

Kind = Literal["length", "likeness", "telling-word", "blind-model"]
Place = tuple[str, tuple[str, ...]]
"""A stage, and a field by its path in the answers."""


class Warning_(NamedTuple):  # noqa: N801 - `Warning` is Python's own
    """Something to think about before handing in. It never stands in the way."""

    field: str
    """`triplets.0.answer`"""
    message: str
    kind: Kind


class Usual(NamedTuple):
    """How many words the earlier texts of a field have."""

    texts: int
    low: float
    """Nineteen of twenty have more."""
    middle: float
    high: float
    """Nineteen of twenty have fewer."""


class Telling(NamedTuple):
    """A word, or a run of words, that leans to right or to wrong choices more than chance allows."""

    wrong: bool
    share: float
    """Of the side that it leans to, among the choices that hold it."""
    usual: float
    """What that share would be by chance."""
    texts: int


class Standout(NamedTuple):
    """A way to pick without understanding that is right more often than guessing, in the records so far."""

    kind: Kind
    feature: str
    """A column of `audit.shortcuts.features`."""
    sign: float
    """1.0 where the choice with the most of it is picked, -1.0 for the least."""
    says: str
    reached: float
    chance: float


class Blind(NamedTuple):
    """A linear model that sees the choices alone, and how it did on records that it had not learned from."""

    weights: Floats
    reached: float
    chance: float


class Learned(NamedTuple):
    """What a campaign's own work so far tells about what is being written. It never changes: what was
    learned later is another one."""

    records: int = 0
    usual: Mapping[Place, Usual] = {}
    telling: Mapping[str, Telling] = {}
    standouts: tuple[Standout, ...] = ()
    blind: Blind | None = None

"""What an answerer said, and the honest ways in which it can fail to say anything.

`Unparsed`, `Truncated` and `Refused` score 0 and are counted on their own. Nothing is ever guessed.
"""

from __future__ import annotations

from msgspec import Struct


class Pick(Struct, frozen=True, tag="pick"):
    """The choice at this position, counted from zero."""

    index: int


class Verdict(Struct, frozen=True, tag="verdict"):
    """True or False (NLVR2), yes or no."""

    value: bool


class FreeText(Struct, frozen=True, tag="text"):
    """An answer in the answerer's own words."""

    text: str


class Grounded(Struct, frozen=True, tag="grounded", gc=False):
    """An answer and the object it points to; `object_id` is None for "no such object" (CRIC)."""

    text: str
    object_id: int | None


class Unparsed(Struct, frozen=True, tag="unparsed"):
    """A reply in which no answer, or more than one, could be read."""

    reply: str
    why: str = "no answer found"


class Truncated(Struct, frozen=True, tag="truncated"):
    """A reply that was cut off before it came to an answer."""

    reply: str


class Refused(Struct, frozen=True, tag="refused"):
    """A reply that declines to answer."""

    reply: str


Given = Pick | Verdict | FreeText | Grounded
Failure = Unparsed | Truncated | Refused
Answer = Given | Failure

FAILURES = (Unparsed, Truncated, Refused)

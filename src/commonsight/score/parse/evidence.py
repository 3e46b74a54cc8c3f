"""The one order in which evidence counts, whatever kind of answer is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from commonsight.core.answer import Failure, Refused, Truncated, Unparsed
from commonsight.score.parse.final import Final, final_answers
from commonsight.score.parse.reply import plain, refuses, spoken

T = TypeVar("T")
Read = TypeVar("Read", covariant=True)


class Clash(Struct, frozen=True):
    """Evidence that speaks against itself, and why: a reply that has it is never read."""

    why: str


class Reader(Protocol[Read]):
    """How one kind of answer is read from a stretch of text: a value, a clash, or None for nothing."""

    def final(self, text: str, /) -> Read | Clash | None:
        """From what the reply marks as its answer."""
        ...

    def whole(self, text: str, /) -> Read | Clash | None:
        """From a reply that is an answer and little else."""
        ...

    def named(self, text: str, /) -> Read | Clash | None:
        """From prose that names its answer in passing."""
        ...

    def unfinished(self, text: str, /) -> bool:
        """Whether a final answer that was cut off here could have gone on to be another one."""
        ...


def read(reply: str, reader: Reader[T], *, truncated: bool) -> T | Failure:
    """The answer that the strongest evidence gives, or the honest failure."""
    said = spoken(reply)
    finals = final_answers(said)
    found = agreed(reader.final(final.text) for final in finals)
    cut_off = any(final.open and reader.unfinished(final.text) for final in finals)
    if truncated and (found is None or cut_off):
        return Truncated(reply)
    if found is None and not finals:
        found = reader.whole(said)
    if found is None and refuses(said):
        return Refused(reply)
    if found is None and not finals:
        found = reader.named(said)
    if isinstance(found, Clash):
        return Unparsed(reply, found.why)
    return Unparsed(reply, _why_nothing(reply, said, finals)) if found is None else found


def agreed(
    readings: Iterable[T | Clash | None], otherwise: str = "two final answers differ"
) -> T | Clash | None:
    """What all readings say that say anything, or why there is no such thing."""
    found: T | Clash | None = None
    for reading in readings:
        if isinstance(reading, Clash):
            return reading
        if found is not None and reading is not None and reading != found:
            return Clash(otherwise)
        found = reading if found is None else found
    return found


def _why_nothing(reply: str, said: str, finals: Sequence[Final]) -> str:
    if not said:
        return "nothing but an echoed prompt or reasoning" if plain(reply) else "the reply is empty"
    if not finals:
        return "no answer found"
    return "the final answer cannot be read" if any(f.text for f in finals) else "the final answer is empty"

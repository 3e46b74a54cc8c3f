"""Frozen text encoders: what gives every word of a question a vector, once, before anything is trained.

One encoder a file. Networks never meet them: they read the vectors that were kept (`features/texts.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from commonsight.models.progress import Progress, silent

Text = tuple[str, ...]
"""Words."""


class Pair(NamedTuple):
    """A query and one of its responses, word by word. Either may be without a word."""

    query: Text
    response: Text


class Encoded(NamedTuple):
    """What an encoder made of a pair: (word, dim) each."""

    query: NDArray[Any]
    response: NDArray[Any]


class WordEncoder(Protocol):
    """Gives the words of pairs their vectors. It depends on no other pair than the one it reads."""

    @property
    def name(self) -> str:
        """For provenance and for finding what was kept: says which weights, and how they are used."""
        ...

    @property
    def dim(self) -> int:
        """How many numbers a word gets."""
        ...

    @property
    def paired(self) -> bool:
        """Whether both texts are read together, so that words differ with the text beside theirs."""
        ...

    def encode(self, pairs: Sequence[Pair], *, progress: Progress = silent) -> list[Encoded]:
        """The vectors of each pair's words, in their order."""
        ...

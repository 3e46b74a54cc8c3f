"""Words and references to regions, in both notations that the papers use.

Token notation: `["Why", "is", [3], "pointing", "?"]`, where `[3]` points to the fourth region.
Bracket notation: `Why is [person4] pointing?`, where the number counts regions from one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

Token = str | tuple[int, ...]
"""A word, or the regions that one reference points to (several for "[person1, person2]")."""

NEUTRAL_NAMES = (
    "Casey", "Riley", "Jessie", "Jackie", "Avery", "Jaime", "Peyton", "Kerry",
    "Jody", "Kendall", "Skyler", "Frankie", "Pat", "Quinn", "Morgan", "Finley",
)  # fmt: skip
"""Gender-neutral names, given to the people of a scene in order (VCR's appendix renders text this way)."""

_TAG = re.compile(r"\[([^\[\]]+)\]")
_TAG_PART = re.compile(r"^\s*([A-Za-z][A-Za-z ]*?)\s*(\d{1,6})\s*$")
_NO_SPACE_BEFORE = frozenset(".,?!;:)]}%'’")
_NO_SPACE_AFTER = frozenset("([{$")
_ELISIONS = frozenset(("s", "t", "re", "ve", "ll", "m", "d"))


class TaggedText(Struct, frozen=True, array_like=True, gc=False):
    """A text whose words may point to regions of a scene."""

    tokens: tuple[Token, ...]

    @classmethod
    def plain(cls, text: str) -> TaggedText:
        """A text without references, kept as the one string it is."""
        return cls((text,))

    @classmethod
    def parse(cls, text: str, labels: Sequence[str]) -> TaggedText:
        """Read bracket notation against a scene's labels; `[person4]` is the region with index 3.

        Brackets that name no region of the scene stay words: nothing is guessed.
        """
        tokens: list[Token] = []
        for piece in pieces(text, labels):
            tokens.extend([piece.regions] if piece.regions else _words(piece.text))
        return cls(tuple(tokens))

    @property
    def is_plain(self) -> bool:
        """Whether it is one string without references."""
        return len(self.tokens) == 1 and type(self.tokens[0]) is str

    def references(self) -> Iterator[int]:
        """Every region index that the text points to, in order, repeats included."""
        for token in self.tokens:
            if type(token) is tuple:
                yield from token

    def native(self) -> list[str | list[int]]:
        """Token notation, as VCR and PMR write it."""
        return [list(token) if isinstance(token, tuple) else token for token in self.tokens]

    def render(self, name: Callable[[int], str]) -> str:
        """The text as a person would write it, each region by the name that `name` gives it."""
        words: list[str] = []
        for token in self.tokens:
            said = token if isinstance(token, str) else named(map(name, token), words[-1] if words else "")
            words.append(said)
        return join_words(words)

    def bracketed(self, labels: Sequence[str]) -> str:
        """Bracket notation: `Why is [person4] pointing?`. Inverse of `parse` for tokenised text."""
        return join_words(
            "[" + ", ".join(f"{labels[i]}{i + 1}" for i in token) + "]" if isinstance(token, tuple) else token
            for token in self.tokens
        )

    def with_class_names(self, labels: Sequence[str]) -> str:
        """Each region by its class and its number: `Why is person 4 pointing?`."""
        return self.render(lambda index: f"{labels[index]} {index + 1}")

    def with_names(self, labels: Sequence[str]) -> str:
        """People by gender-neutral names, everything else as "the" and its class."""
        return self.render(neutral_namer(labels))


class Piece(NamedTuple):
    """A stretch of a text as it was written: one reference, or what stands between two."""

    text: str
    regions: tuple[int, ...] = ()
    """What it points to; nothing for words."""


def pieces(text: str, labels: Sequence[str]) -> Iterator[Piece]:
    """A text in bracket notation, cut at its references; put together again it is the same text."""
    end = 0
    for match in _TAG.finditer(text):
        reference = _reference(match.group(1), labels)
        if reference is None:
            continue
        if match.start() > end:
            yield Piece(text[end : match.start()])
        yield Piece(match.group(), reference)
        end = match.end()
    if end < len(text):
        yield Piece(text[end:])


_DETERMINERS = frozenset(("the", "a", "an", "this", "that", "his", "her", "their", "its", "my", "your"))


def named(names: Iterable[str], before: str) -> str:
    """Names in a row; "the" is left out where the word before it is a determiner already ("the [cup3]")."""
    said = " and ".join(names)
    return said.removeprefix("the ") if before.lower() in _DETERMINERS else said


def neutral_namer(labels: Sequence[str]) -> Callable[[int], str]:
    """A naming that gives each person of the scene one gender-neutral name, the same in every text."""
    people = [index for index, label in enumerate(labels) if label == "person"]
    names = {index: NEUTRAL_NAMES[rank % len(NEUTRAL_NAMES)] for rank, index in enumerate(people)}
    return lambda index: names[index] if index in names else f"the {labels[index]}"


def join_words(words: Iterator[str] | Sequence[str]) -> str:
    """Put tokens back together with the spacing of ordinary English."""
    pieces: list[str] = []
    glue = True  # whether the next word follows without a space
    elision = False  # whether the last token was an apostrophe inside a word, as in "can ' t"
    for word in words:
        lowered = word.lower()
        tight = (
            glue
            or word[:1] in _NO_SPACE_BEFORE
            or (elision and lowered in _ELISIONS)
            or lowered in ("n't", "n’t")
        )
        pieces.append(word if tight or not word else f" {word}")
        elision = word in ("'", "’")
        glue = word[-1:] in _NO_SPACE_AFTER
    return "".join(pieces).strip()


def _reference(inside: str, labels: Sequence[str]) -> tuple[int, ...] | None:
    indices = []
    for part in inside.split(","):
        match = _TAG_PART.match(part)
        if match is None:
            return None
        index = int(match.group(2)) - 1
        if not 0 <= index < len(labels) or labels[index] != match.group(1):
            return None
        indices.append(index)
    return tuple(indices)


_WORD = re.compile(r"\w+|[^\w\s]")


def _words(text: str) -> list[str]:
    return _WORD.findall(text)

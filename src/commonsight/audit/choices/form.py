"""Form: a choice that is written unlike all others of its item, whatever it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from commonsight.core.text import TaggedText

Trait = Callable[[TaggedText, str], Hashable]
"""What a choice is like in one respect; None where it does not apply."""


def _capitals(text: TaggedText, said: str) -> bool | None:
    """Whether it is shouted. Single letters and words such as "TV" beside others are not."""
    del text
    letters = [letter for letter in said if letter.isalpha()]
    return None if len(letters) < 2 else all(letter.isupper() for letter in letters)


def _start(text: TaggedText, said: str) -> bool | None:
    """Whether it begins with a capital letter; a tag has none."""
    tagged = bool(text.tokens) and not isinstance(text.tokens[0], str)
    return None if tagged or not said[:1].isalpha() else said[0].isupper()


def _end(text: TaggedText, said: str) -> bool | None:
    """Whether it ends as a sentence does."""
    del text
    return said.rstrip()[-1] in ".!?" if said.strip() else None


def _number(text: TaggedText, said: str) -> bool | None:
    """Whether it is written in digits alone."""
    del text
    marks = [letter for letter in said if letter.isalnum()]
    return all(letter.isdigit() for letter in marks) if marks else None


TRAITS: dict[str, Trait] = {"capitals": _capitals, "start": _start, "end": _end, "number": _number}
LEAST_CHOICES = 3
"""Of two choices that differ neither is the odd one."""


def odd_ones(choices: Sequence[TaggedText], said: Sequence[str]) -> dict[str, int]:
    """By trait: the position of the one choice that differs from all others, which agree."""
    if len(choices) < LEAST_CHOICES:
        return {}
    read = list(zip(choices, said, strict=True))
    found = {}
    for name, trait in TRAITS.items():
        values = [trait(*choice) for choice in read]
        counts = Counter(values)
        if None not in counts and len(counts) == 2 and min(counts.values()) == 1:
            found[name] = values.index(min(counts, key=counts.__getitem__))
    return found

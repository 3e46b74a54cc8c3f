"""The verbs that tell of knowledge, and what each says; and the small words around them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Literal, NamedTuple

Mode = Literal["be", "can", "do"]
"""What stands before the rest of a clause: is, can, or nothing but the verb's own form (does … have)."""

MODES: Mapping[str, Mode] = {
    "is": "be", "are": "be", "can": "can", "could": "can", "may": "can", "might": "can", "do": "do",
    "does": "do",
}  # fmt: skip
"""Verbs that come before their subject in a question."""
ARTICLES = frozenset(("a", "an"))
RELATIVES = frozenset(("that", "which", "who"))
ADVERBS = frozenset((
    "usually", "often", "typically", "commonly", "generally", "normally", "sometimes", "mostly", "mainly",
    "also", "frequently", "ordinarily",
))  # fmt: skip
PICTURES = frozenset(("image", "picture", "photo", "photograph", "scene"))
ATTRIBUTE_NOUNS: Mapping[str, str] = {"colour": "color", "mood": "expression", "kind of material": "material"}
"""Nouns that ask for a type of attribute under another name."""
HOW: Mapping[str, str] = {
    "old": "age", "big": "size", "large": "size", "long": "length", "thick": "thickness", "wide": "width",
}  # fmt: skip
LOOKS = frozenset(("look", "feel", "seem"))


class Frame(NamedTuple):
    """Words after which the tail of a relation follows; `cost` says how unlikely one is to mean it."""

    words: tuple[str, ...]
    relation: str
    cost: float = 0.0


_PLACES = ("in", "on", "at", "inside", "near", "by", "under", "around", "above", "behind", "outside", "with")
_FOUND = [(verb, place) for verb, place in product(("found", "located", "kept", "seen", "present"), _PLACES)]
_KINDS = [
    (*article, noun, "of")
    for article, noun in product(((), ("a",)), ("type", "kind", "sort", "types", "kinds", "sorts"))
]
_FRAMES: Mapping[Mode, tuple[Frame, ...]] = {
    "be": (
        *(Frame(("used", link), "UsedFor") for link in ("for", "to", "in")),
        *(Frame((word, "for"), "UsedFor") for word in ("useful", "meant", "good", "suitable")),
        *(Frame(words, "AtLocation") for words in _FOUND),
        *(Frame(("made", *link), "MadeFrom") for link in (("from",), ("of",), ("out", "of"))),
        *(Frame(words, "IsA-Taxonomy") for words in _KINDS),
        *(Frame((word, "for"), "HasPrerequisite") for word in ("needed", "required", "necessary")),
        Frame(("capable", "of"), "CapableOf"),
        Frame(("able", "to"), "CapableOf"),
        Frame((), "HasProperty", 0.3),
        Frame((), "ReceivesAction", 0.4),
    ),
    "can": (Frame((), "CapableOf"), Frame(("have",), "HasA", 0.3)),
    "do": (
        *(Frame((verb,), "HasPrerequisite") for verb in ("require", "requires", "need", "needs")),
        *(Frame((verb,), "HasSubevent") for verb in ("involve", "involves", "include", "includes")),
        *(Frame((verb,), "HasA", 0.3) for verb in ("have", "has")),
        Frame((), "CapableOf", 0.5),
    ),
}  # fmt: skip


def _by_first_word(frames: tuple[Frame, ...]) -> dict[str, tuple[Frame, ...]]:
    found: dict[str, tuple[Frame, ...]] = {}
    for frame in frames:
        first = frame.words[0] if frame.words else ""
        found[first] = (*found.get(first, ()), frame)
    return found


FRAMES: Mapping[Mode, Mapping[str, tuple[Frame, ...]]] = {
    mode: _by_first_word(frames) for mode, frames in _FRAMES.items()
}
"""By their first word; under no word those whose tail comes at once."""

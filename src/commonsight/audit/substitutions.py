"""What was changed to make a wrong choice out of the right one: PMR's nine types (Table 5), by rules.

People wrote PMR's distractors by replacing a few words of the right action: the colour of a shirt, a gun by a
knife. The paper sorted 100 of them by hand; here the replaced words, and those right after them, decide by
short lists of words. What no list knows is "Objects" where a word or a tag was replaced, else "Other".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib import resources
from typing import NamedTuple

from commonsight.core.text import TaggedText
from commonsight.graph.attributes import attribute_type, values

TYPES = (
    "Appearance", "Emotion", "Clothing", "Body State", "Location", "Objects", "Color", "Texture", "Scenery",
    "Other",
)  # fmt: skip
"""As in the paper, and what is none of them."""
MOST_CHANGED = 0.5
"""Two choices that differ in more than this share of the words are two sentences, not a substitution."""
TAG = "[tag]"
_WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")


@cache
def _words() -> dict[str, frozenset[str]]:
    """The lists of words, by what they tell."""
    text = resources.files("commonsight.audit").joinpath("substitutions.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {kind: frozenset(words.split()) for kind, words in rows}


class Substitution(NamedTuple):
    """The words that were replaced and by what, and the unchanged words that follow them."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    after: tuple[str, ...]


def words_of(text: TaggedText) -> tuple[str, ...]:
    """Words in lower case; every tag with the numbers it points to. A text may be one string, or tokens."""
    found: list[str] = []
    for token in text.tokens:
        if isinstance(token, str):
            found += _WORD.findall(token.lower())
        else:
            found.append(f"{TAG}{','.join(map(str, token))}")
    return tuple(found)


def substitution(before: Sequence[str], after: Sequence[str]) -> Substitution | None:
    """What changed from one text to the other; None if nothing did, or too much to call it a replacement."""
    old: list[str] = []
    new: list[str] = []
    follow: list[str] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            old += before[start:end]
            new += after[new_start:new_end]
            follow += before[end : end + 3]
    longest = max(len(before), len(after), 1)
    if not (old or new) or max(len(old), len(new)) > MOST_CHANGED * longest:
        return None
    return Substitution(tuple(old), tuple(new), tuple(follow))


def substitution_type(found: Substitution) -> str:
    """One of `TYPES`. A colour is told by what it colours: hair is appearance, a shirt clothing."""
    lists = _words()
    changed = set(found.old) | set(found.new)
    describes = any(_describes(word) for word in changed)
    near = changed | set(found.after) if describes else changed
    if near & lists["appearance"]:
        return "Appearance"
    if near & lists["clothing"]:
        return "Clothing"
    if changed & lists["emotion"]:
        return "Emotion"
    if changed & lists["body"]:
        return "Body State"
    if any(attribute_type(word) in ("color", "brightness") for word in changed):
        return "Color"
    if any(attribute_type(word) in ("material", "texture", "pattern") for word in changed):
        return "Texture"
    if changed & lists["scenery"]:
        return "Scenery"
    if changed & lists["place"] or (changed & lists["preposition"] and len(changed) > 2):
        return "Location"
    return "Objects" if any(word.startswith(TAG) or word.isalpha() for word in changed) else "Other"


def _describes(word: str) -> bool:
    parts = word.split("-")
    return any(attribute_type(part) is not None or part in values("color") for part in (word, *parts))


def nearest_wrong(choices: Sequence[TaggedText], gold: int) -> Substitution | None:
    """What sets the right choice apart from the wrong one that is most like it."""
    right = words_of(choices[gold])
    found = [
        change
        for at, choice in enumerate(choices)
        if at != gold and (change := substitution(right, words_of(choice))) is not None
    ]
    return min(found, key=lambda change: len(change.old) + len(change.new), default=None)

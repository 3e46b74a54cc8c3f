"""Predicates of scene graphs by what they say, in whatever form: "hold", "holds" and "is holding" are one."""

from __future__ import annotations

from functools import lru_cache

from commonsight.core.inflect import base, is_verb, participle

PREPOSITIONS = frozenset((
    "about", "above", "across", "against", "along", "among", "around", "at", "atop", "before", "behind",
    "below", "beneath", "beside", "between", "beyond", "by", "down", "from", "in", "inside", "left", "like",
    "near", "next", "of", "off", "on", "onto", "opposite", "out", "outside", "over", "past", "right",
    "through", "to", "toward", "towards", "under", "underneath", "up", "upon", "with", "within", "without",
))  # fmt: skip
_SIDES = frozenset(("left", "right"))
_SILENT = frozenset(("a", "an", "the", "something"))
"""Words that predicates have or lack without meaning anything else."""
_FULLER = {"look": "look at", "park next": "park next to", "in front": "in front of", "talk": "talk to"}
"""Predicates that lack the preposition they need before a noun."""


@lru_cache(maxsize=100_000)
def meaning(predicate: str) -> str:
    """What a predicate says, whatever form its verb is in and however it names a side."""
    words = [word for word in predicate.lower().split() if word not in _SILENT]
    while len(words) > 1 and words[0] in ("is", "are", "be"):
        del words[0]
    if not words:
        return ""
    if words[0] in ("to", "on", "at") and words[1:2] and words[1] in _SIDES:
        del words[0]  # to the left of, on the left of
    if words[0] not in PREPOSITIONS:
        words[0] = base(words[0])
    key = " ".join(words)
    return _FULLER.get(key, key)


@lru_cache(maxsize=100_000)
def follows_be(word: str) -> bool:
    """Whether a word can open what something is: on, holding, parked; not "covers"."""
    if word in PREPOSITIONS or not is_verb(word):
        return True
    return word.endswith("ing") or participle(base(word)) == word


@lru_cache(maxsize=100_000)
def is_finite(word: str) -> bool:
    """Whether a word can be the verb of a clause, or follow "does"."""
    return word not in PREPOSITIONS and is_verb(word) and not word.endswith("ing")

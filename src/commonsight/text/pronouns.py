"""Pronouns: whether a text speaks of her, of him, or of neither (VCR, appendix C, semantic categories)."""

from __future__ import annotations

import re
from typing import Literal

Gender = Literal["female", "male", "neutral"]

FEMALE = frozenset(("she", "her", "hers", "herself"))
MALE = frozenset(("he", "him", "his", "himself"))

_WORD = re.compile(r"[a-z]+")


def pronoun_gender(text: str) -> Gender:
    """The gender of the text's pronouns; of its first one where it has both, which the paper leaves open."""
    for word in _WORD.findall(text.lower()):
        if word in FEMALE:
            return "female"
        if word in MALE:
            return "male"
    return "neutral"


def pronoun_genders(text: str) -> frozenset[Gender]:
    """All genders that the text's pronouns have: one, both, or none."""
    words = set(_WORD.findall(text.lower()))
    female: frozenset[Gender] = frozenset(() if words.isdisjoint(FEMALE) else ("female",))
    return female | frozenset(() if words.isdisjoint(MALE) else ("male",))

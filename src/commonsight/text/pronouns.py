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

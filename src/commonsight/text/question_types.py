"""What kind of question a question is, by the words it contains (VCR, Table 4).

The paper lists words; how a word counts is our reading. It counts as a whole word in any case, a phrase
with any white space between its words. One entry is a beginning: "relation*" also finds "relationship",
the form in which people ask for it. A question may be of several types, or of none: "other", to callers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

QUESTION_TYPES: dict[str, tuple[str, ...]] = {
    "Explanation": ("why", "how come", "how does"),
    "Activity": ("doing", "looking", "event", "playing", "preparing"),
    "Temporal": ("happened", "before", "after", "earlier", "later", "next"),
    "Mental": ("feeling", "thinking", "saying", "love", "upset", "angry"),
    "Role": ("relation*", "occupation", "strangers", "married"),
    "Scene": ("where", "time", "near"),
    "Hypothetical": ("if", "would", "could", "chance", "might", "may"),
}
"""In the order of the paper. A `*` at the end stands for any further letters."""


def question_types(text: str, rules: Mapping[str, tuple[str, ...]] = QUESTION_TYPES) -> tuple[str, ...]:
    """Every type one of whose words is in the text, in the order of the rules."""
    return tuple(name for name, words in rules.items() if _any_of(words).search(text))


@lru_cache(maxsize=256)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, words)) or r"(?!)", re.IGNORECASE)


def _pattern(words: str) -> str:
    spelled = r"\s+".join(map(re.escape, words.removesuffix("*").split()))
    return rf"(?<!\w){spelled}" if words.endswith("*") else rf"(?<!\w){spelled}(?!\w)"

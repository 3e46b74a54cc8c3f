"""Guesses at attachment ambiguities: a phrase that may belong to either of two things (NLVR2, Table 5).

"A panda near a fallen branch on the ground": is the panda on the ground, or the branch? Telling needs a
parse, and people differ on it too. These rules only count prepositions, conjunctions and relative pronouns
within a clause; `text.phenomena.tag_scores` tells how often they are right.
"""

from __future__ import annotations

import re
from itertools import pairwise

from commonsight.text.image_mentions import without_images, without_sides

_PREPOSITION = re.compile(
    r"\b(?:next to|in front of|on top of|on|in|at|with|under|underneath|over|near|behind|beside|by|from"
    r"|around|above|below|beneath|inside|into|onto|through|along|across|against|between|towards?|for|atop|past)\b"
)
_CLAUSE = re.compile(
    r"[;.]|, (?:and|but|while|or)\b|\band (?=(?:the|a|an|one|each|all|both|at least) )|\bwhile\b|,"
)
_BOUND = re.compile(r"\bat (?:the )?(?:least|most)\b")
_PRONOUN = re.compile(r"\s*(?:it|them|each)\b")
_FARTHEST = 5
"""Words between two prepositions that may still be in a row."""


def _clauses(text: str) -> list[str]:
    return _CLAUSE.split(without_sides(_BOUND.sub(" ", text)))


def prepositional(text: str) -> bool:
    """Two prepositional phrases in a row, the second of which is about a thing of its own."""
    return any(
        1 <= len(clause[first.end() : second.start()].split()) <= _FARTHEST
        and not _PRONOUN.match(clause, second.end())
        for clause in _clauses(text)
        for first, second in pairwise(_PREPOSITION.finditer(clause))
    )


_MODIFIER = r"(?:a|an|with|of|the|tall|upright|white|black|red|small|large|[\w-]+ed|[\w-]+y)"
_MODIFIED = rf"\b{_MODIFIER} (?:[\w-]+ ){{1,3}}"
_BARE = (
    r"(?!(?:a|an|the|one|two|no|at|its|their|right|left|white|black|blue|red|yellow|green|gr[ea]y|brown|has|is"
    r"|are)\b)[\w-]+"
)
_PAIR = re.compile(
    rf"{_MODIFIED}(?:and|or) {_BARE}(?: [\w-]+){{0,12}} "
    r"(?:with|in|on|that|standing|sitting|swimming|coloring|into|from|of)\b"
)


def coordinated(text: str) -> bool:
    """Two things joined, the first with words before it and the second with words after it."""
    return bool(_PAIR.search(without_images(text)))


_RELATIVE = re.compile(
    r"\b(?:of|with|in|on|at|to|from|near|containing|holding)\b(?: [\w'-]+){1,5} (?:that|which|who|where)\b"
)


def clausal(text: str) -> bool:
    """A relative clause after a thing that itself belongs to another."""
    return any(_RELATIVE.search(clause) for clause in _clauses(text))

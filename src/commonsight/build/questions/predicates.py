"""How a predicate of a scene graph is said of its subject: "is on", "is holding", "has", "covers".

Annotators wrote verbs in any form and some only as lemmas, so the form is chosen here, once for all wordings.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from commonsight.core.inflect import base, gerund, participle, third_person

PREPOSITIONS = frozenset((
    "on", "in", "at", "by", "near", "under", "above", "below", "behind", "over", "beside", "beneath",
    "inside", "outside", "next", "against", "along", "across", "around", "between", "among", "with", "atop",
    "left", "right", "front", "adjacent", "underneath", "opposite", "beyond", "upon", "within", "close",
    "to", "taller", "shorter", "larger", "smaller", "bigger", "part", "full",
))  # fmt: skip
STRANDING = frozenset(("on", "in", "on top of", "inside", "at", "with"))
"""Prepositions that sound well at the end of a clause."""
STATES = frozenset((
    "have", "contain", "cover", "surround", "support", "face", "line", "touch", "overlook", "border",
    "belong", "enclose", "connect", "separate", "show", "fill", "match", "lead",
))  # fmt: skip
"""Verbs that are said in the simple present; all others are going on in the picture."""
PASSIVE = frozenset((
    "attach to", "fill with", "paint on", "make of", "surround by", "cover with", "cover in", "cover by",
    "park on", "park in", "park next to", "park near", "park behind", "park along", "park by", "park at",
    "reflect in", "reflect on", "connect to", "mount on", "mount to", "tie to", "locate in", "locate on",
    "print on", "write on", "place on", "place in", "build into", "plug into", "embed in", "fix to",
    "tape to", "perch on", "seat on", "seat in", "seat at", "dock in", "dock at", "draw on", "dress in",
    "stack on", "pile on", "wrap in", "wrap around", "decorate with", "gather around", "crowd with",
    "carve into",
))  # fmt: skip
"""Lemmas whose verb was a participle: "fill with" is what a glass filled with water does."""
REWRITTEN = {
    "in the front of": "in front of", "on the top of": "on top of", "look": "looking at",
    "park next": "parked next to", "left of": "to the left of", "right of": "to the right of",
    "on the left of": "to the left of", "on the right of": "to the right of",
    "on left of": "to the left of", "on right of": "to the right of", "handing to": "handing something to",
    "has a": "has", "wears a": "wearing", "in front": "in front of",
}  # fmt: skip
UNSAYABLE = frozenset(("of", "to", "for", "from", "and", "a", "that", "says", "before", "talk", "as"))
"""Predicates that no clause can be made of."""
NO_BEGINNING = frozenset(("is", "are", "be", "of", "and"))


class Said(NamedTuple):
    """A predicate after its subject: "is on" or "covers"; with an auxiliary: "is … on", "does … cover"."""

    auxiliary: str
    rest: str
    plain: str
    bare: bool
    """Whether it can follow a noun without "that is": the cup on the table."""
    strands: bool
    """Whether it can end a clause: "that the man is holding", "that the cup is on"; not "… is behind"."""
    verbal: bool = True
    """Whether it is a verb, so that it can end a question as well: "What is the man … holding?"."""


@cache
def said(predicate: str, many: bool = False) -> Said | None:
    """How a predicate is said of one thing or of many; None if there is no good way."""
    words = REWRITTEN.get(predicate, predicate).split()
    if not words or predicate in UNSAYABLE or words[0] in NO_BEGINNING:
        return None
    first, rest = words[0], words[1:]
    if first in PREPOSITIONS:
        return _being(words, many)._replace(strands=" ".join(words) in STRANDING, verbal=False)
    if first.endswith(("ing", "ed")):
        return _being(words, many)
    verb = base(first)
    if " ".join([verb, *rest]) in PASSIVE:
        return _being([participle(verb), *rest], many)
    if participle(verb) == first != verb:  # worn by, held by, made of
        return _being(words, many)
    if verb in STATES:
        plain = " ".join([verb if many else third_person(verb), *rest])
        return Said("do" if many else "does", " ".join([verb, *rest]), plain, bare=False, strands=True)
    return _being([gerund(verb), *rest], many)


def _being(words: list[str], many: bool) -> Said:
    be, whole = "are" if many else "is", " ".join(words)
    return Said(be, whole, f"{be} {whole}", bare=True, strands=True)

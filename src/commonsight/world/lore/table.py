"""How the tables of commonsense are written, and how they become rules.

A condition is written as people would note it: `"pose p eating; holds p t; is t FOOD"`. A single small letter
is a variable (p, q, r: people; t, u, v: things; e: either), a capital word is a set of names from `SETS`, and
`a|b` is any of two. What is left is a name, spaces included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from commonsight.world.facts import Fact
from commonsight.world.logic import Rule

SETS: dict[str, str] = {
    "FOOD": "sandwich|pizza|hot dog|donut|cake|apple|banana|orange|carrot",
    "SNACK": "sandwich|hot dog|donut|apple|banana|pizza",
    "SERVED": "sandwich|pizza|hot dog|donut|cake|plate|bowl|cup|wine glass|tray",
    "DISH": "plate|bowl|tray",
    "DRINK": "cup|wine glass|bottle",
    "TEXT": "book|newspaper|letter",
    "PRESENT": "gift box|flower|teddy bear|balloon",
    "TREAT": "teddy bear|balloon|donut|kite|cake",
    "BALL": "sports ball|frisbee",
    "TOY": "sports ball|frisbee|teddy bear|balloon|skateboard",
    "GOODS": "apple|banana|orange|carrot|bottle|book|flower|teddy bear|handbag|umbrella",
    "SEAT": "chair|couch|bench",
    "FRAGILE": "vase|wine glass|bottle|plate|potted plant|cell phone",
    "MOUNT": "bicycle|motorcycle|horse",
    "PET": "dog|cat",
    "BAG": "suitcase|backpack|handbag",
    "TALKING": "standing|sitting|walking",
    "WORKWEAR": "apron|chef jacket|doctor coat|police uniform|work vest",
}
"""Sets of names that conditions use."""

ONE_OF = ("pose", "expression", "outfit", "age", "hat")
"""A person has one of each, so rows that ask for different ones never hold together."""

PERSON_AT = {
    **dict.fromkeys((*ONE_OF, "top", "hair", "holds", "looks_at", "points_at", "sits_on", "lies_on"), (1,)),
    **dict.fromkeys(("doing", "feels", "wants", "next", "occupation", "would"), (1,)),
    "hugs": (1, 2), "hands": (1, 3), "related": (1, 2),
}  # fmt: skip
"""Where in a fact only a person can be."""

_LETTER = re.compile(r"[a-z]")


class Row(NamedTuple):
    """One line of a table: the fact it gives, the condition, and what speaks against it."""

    then: str
    when: str
    unless: tuple[str, ...] = ()


def pattern(text: str) -> Fact:
    """One fact pattern: `"is t hot dog|pizza"`."""
    kind, *words = text.split()
    variables: list[object] = []
    while words and _LETTER.fullmatch(words[0]):
        variables.append(f"?{words.pop(0)}")
    rest = " ".join(words)
    if not rest:
        return (kind, *variables)
    names = frozenset("|".join(SETS.get(name, name) for name in rest.split("|")).split("|"))
    return (kind, *variables, names if len(names) > 1 else rest)


def patterns(text: str) -> tuple[Fact, ...]:
    """A condition: fact patterns with `;` between them."""
    return tuple(pattern(part.strip()) for part in text.split(";"))


def conclusion(kind: str, then: str) -> Fact:
    """What a row gives: `"p, cooking, t"` of a kind; `-` stands for nothing (None)."""
    words = [part.strip() for part in then.split(",")]
    values = [f"?{word}" if _LETTER.fullmatch(word) else word for word in words]
    return (kind, *(None if value == "-" else value for value in values))


def sure(when: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The condition, with `is q person` added for people of whom it says nothing that only people do."""
    people = dict.fromkeys(part for fact in when for part in fact if part in ("?p", "?q", "?r"))
    told = {fact[position] for fact in when for position in PERSON_AT.get(str(fact[0]), ())}
    return (*when, *(("is", person, "person") for person in people if person not in told))


def rules(kind: str, rows: Iterable[Row]) -> tuple[Rule, ...]:
    """Rows that stand on their own: each is a rule."""
    return tuple(_rule(kind, row, ()) for row in rows)


def ladder(kind: str, rows: Iterable[Row], who: tuple[str, ...] = ("?p",)) -> tuple[Rule, ...]:
    """Rows of which only the first that fits `who` counts: a person does, feels and is one thing at a time.

    Earlier rows become exceptions of later ones. With two in `who` the pair counts in both orders.
    """
    made: list[Rule] = []
    earlier: list[tuple[Fact, ...]] = []
    for row in rows:
        when = sure(patterns(row.when))
        against = [group for group in earlier if not _apart(when, group, who)]
        made.append(_rule(kind, row, tuple(_with_others_renamed(group, who) for group in against)))
        earlier.append(when)
        if len(who) == 2:
            earlier.append(_renamed(when, {who[0]: who[1], who[1]: who[0]}))
    return tuple(made)


def after(name: str, when: tuple[Fact, ...], then: Fact, rows: Iterable[Row]) -> Rule:
    """One more rung below a ladder: a rule for those people that no row of it fits."""
    groups = (_with_others_renamed(sure(patterns(row.when)), ("?p",)) for row in rows)
    return Rule(name, when, then, tuple(groups))


def _rule(kind: str, row: Row, exceptions: tuple[Fact, ...]) -> Rule:
    own: tuple[Fact, ...] = tuple(patterns(text) for text in row.unless)
    name = f"{kind}: {row.then} if {row.when}"
    return Rule(name, sure(patterns(row.when)), conclusion(kind, row.then), own + exceptions)


def _apart(one: tuple[Fact, ...], other: tuple[Fact, ...], who: tuple[str, ...]) -> bool:
    """Whether two conditions ask for different values where a person has only one."""
    values = {fact[:2]: _names(fact[2]) for fact in one if fact[0] in ONE_OF and fact[1] in who}
    return any(
        fact[:2] in values and values[fact[:2]].isdisjoint(_names(fact[2]))
        for fact in other
        if fact[0] in ONE_OF and fact[1] in who
    )


def _names(value: object) -> frozenset[object]:
    return value if isinstance(value, frozenset) else frozenset((value,))


def _with_others_renamed(group: tuple[Fact, ...], who: tuple[str, ...]) -> tuple[Fact, ...]:
    variables = {
        value for fact in group for value in fact if isinstance(value, str) and value.startswith("?")
    }
    return _renamed(group, {name: f"{name}'" for name in variables if name not in who})


def _renamed(group: tuple[Fact, ...], names: Mapping[str, str]) -> tuple[Fact, ...]:
    return tuple(
        tuple(names.get(value, value) if isinstance(value, str) else value for value in fact)
        for fact in group
    )

"""What kind of thing an attribute tells: red is a colour, wooden a material, open says how a door is.

A question asks "What colour …?" or "What is … made of?", so each attribute has one type; attributes whose
type depends on the object ("light", "fine") have none and are never asked for. Within a type, attributes that
count as the same do not exclude each other: a tan bag may well be called brown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

NUMBER = "number"
"""The type of counts, which captions tell of: "2"."""
SEVERAL = frozenset(
    {"material", "activity", "condition", "texture", "pattern", "position", "realism", "ground"}
)
"""Types of which an object can have several at once: of wood and metal, eating and watching."""


class _Entry(NamedTuple):
    type: str
    counts_as: frozenset[str]


@cache
def _table() -> Mapping[str, _Entry]:
    text = resources.files("commonsight.graph").joinpath("attributes.tsv").read_text("utf-8")
    table = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            word, kind, *heads = line.split("\t")
            table[word] = _Entry(kind, frozenset(heads[0].split(",") if heads else (word,)))
    return table


def attribute_types() -> tuple[str, ...]:
    """All types, numbers last."""
    return (*dict.fromkeys(entry.type for entry in _table().values()), NUMBER)


@lru_cache(maxsize=1 << 16)
def attribute_type(attribute: str) -> str | None:
    """The type of an attribute, or None where it is unknown or depends on the object."""
    entry = _table().get(attribute)
    if entry is not None:
        return entry.type
    return NUMBER if attribute.isascii() and attribute.isdigit() else None


def values(kind: str) -> tuple[str, ...]:
    """The attributes of a type, in the order of the table; numbers are not listed."""
    return tuple(word for word, entry in _table().items() if entry.type == kind)


def exclusive(one: str, other: str) -> bool:
    """Whether nothing can be both: red and blue, open and closed; not red and maroon, not red and open."""
    kind = attribute_type(one)
    if kind is None or kind != attribute_type(other) or kind in SEVERAL:
        return False
    if kind == NUMBER:
        return int(one) != int(other)
    return not _table()[one].counts_as & _table()[other].counts_as


def same(one: str, other: str) -> bool:
    """Whether two attributes say the same: wood and wooden, gray and grey."""
    table = _table()
    return one in table and other in table and table[one] == table[other]


def only_value(kind: str, attributes: Iterable[str]) -> str | None:
    """The one value of this type among an object's attributes; None where there is none or more than one.

    What has two colours cannot be asked for its colour, not even if they are alike.
    """
    found = {attribute for attribute in attributes if attribute_type(attribute) == kind}
    return found.pop() if len(found) == 1 else None

"""Meanings put into each other: a modifier is a program with a gap, where the objects go that it modifies."""

from __future__ import annotations

from commonsight.graph.shapes.programs import Form, Part

GAP = "_"
FILTERS = frozenset(
    ("colour", "kind", "size", "wall", "near-wall", "top", "base", "middle", "level", "from-top")
)
"""Functions that only leave objects out, so that their order changes nothing."""

RELATING = frozenset(("relate", "unlike", "alike"))
"""Functions that leave out objects by others, which come last."""

OBJECTS: Form = ("objects",)
BOXES: Form = ("boxes",)


def applied(modifier: Form, objects: Form) -> Form:
    """A modifier with these objects in its gap; filters come in one order, whatever was said first."""
    return _sorted(_filled(modifier, objects))


def _filled(part: Form, objects: Form) -> Form:
    return tuple(
        objects if inner == GAP else _filled(inner, objects) if isinstance(inner, tuple) else inner
        for inner in part
    )


def _sorted(form: Form) -> Form:
    chain: list[tuple[Part, ...]] = []
    inner: Part = form
    while isinstance(inner, tuple) and (inner[0] in FILTERS or inner[0] in RELATING):
        call = inner[:-1] if inner[0] in FILTERS else (inner[0], inner[1], GAP, inner[3])
        chain.append(call)
        inner = inner[-1] if inner[0] in FILTERS else inner[2]
    result = inner
    for call in sorted(chain, key=str, reverse=True):
        result = (*call, result) if call[0] in FILTERS else (*call[:2], result, call[3])
    assert isinstance(result, tuple)
    return result


def both(one: Form, other: Form) -> Form:
    """Boxes that are both; all boxes add nothing."""
    if one in (BOXES, other):
        return other
    return one if other == BOXES else ("both", one, other)


def within(boxes: Form, objects: Form) -> Form:
    """Objects of some boxes; all boxes leave nothing out."""
    return objects if boxes == BOXES else ("inside", boxes, objects)


def colour_of(modifier: Form) -> bool:
    """Whether a modifier is just a colour."""
    return modifier[0] == "colour" and modifier[-1] == GAP

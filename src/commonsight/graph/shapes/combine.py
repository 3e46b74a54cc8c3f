"""What becomes of the meanings of two neighbouring phrases, or of one that counts as another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from commonsight.graph.shapes.meaning import BOXES, GAP, OBJECTS, applied, both, colour_of
from commonsight.graph.shapes.programs import Form


class Made(NamedTuple):
    """What a rule makes of phrases, with more to tell of it than the rule's name."""

    category: str
    meaning: Any
    features: tuple[str, ...] = ()


class Many(NamedTuple):
    """How many of which objects or boxes."""

    compare: str
    number: int
    what: Form
    how: str
    """How the number was said: with a comparison, bare, as an article."""

    def has(self) -> Form:
        """Boxes that have so many."""
        return ("has", self.compare, self.number, self.what)


class Hues(NamedTuple):
    """How many colours or kinds some objects have."""

    compare: str
    number: int
    function: str
    what: Form
    how: str

    def boxes(self) -> Form:
        """Boxes in which they have so many."""
        return (self.function, self.compare, self.number, self.what)

    def truth(self) -> Form:
        """Whether they have so many in the whole picture."""
        return (f"all-{self.function}", self.compare, self.number, self.what)


Combine = Callable[[Any, Any], Iterator[Made]]

INVERSE = {
    "above": "below", "on": "under", "below": "above", "under": "on",
    "touching": "touching", "near": "near", "beside": "beside",
}  # fmt: skip
"""The same relation, told of the other object."""


def one(category: str, meaning: Callable[[Any, Any], Any]) -> Combine:
    """A rule that always makes one meaning of both."""
    def combine(left: Any, right: Any) -> Iterator[Made]:
        yield Made(category, meaning(left, right))

    return combine


def passed(category: str, *, left: bool = False) -> Combine:
    """A rule that keeps the meaning of one phrase; the other is only a word."""
    return one(category, (lambda one, _: one) if left else (lambda _, other: other))


def counted(quantity: tuple[str, int, str], objects: Form) -> Iterator[Made]:
    """So many objects; "only two blue blocks" may also say that there are no others."""
    compare, number, how = quantity
    yield Made("QN", Many(compare, number, objects, how))
    if how == "only" and objects != OBJECTS:
        alone = both(("has", compare, number, objects), ("has", compare, number, OBJECTS))
        yield Made("QNS", alone, ("exclusive",))


def joined_modifiers(one: Form, other: Form) -> Iterator[Made]:
    """Two modifiers with "and": two colours are of different objects, anything else may be of the same."""
    if colour_of(one) and colour_of(other):
        yield Made("MOD", ("union", one, other))
    else:
        yield Made("MOD", applied(other, one), ("and-both",))
        yield Made("MOD", ("union", one, other), ("and-union",))


def rested(relation: str, many: Many) -> Iterator[Made]:
    """As in "above a blue block"; none and "at most" are said of no such block."""
    if many.compare in (">=", ">") or (many.compare, many.number) == ("==", 1):
        yield Made("MOD", ("relate", relation, GAP, many.what), (f"rel:{relation}",))


def unlike(relation: str, objects: Form) -> Iterator[Made]:
    """As in "above a block of another colour"."""
    yield Made("MOD", ("unlike", relation, GAP, objects), (f"rel:{relation}",))


def at_wall(relation: str, wall: str) -> Iterator[Made]:
    """As in "touching the wall" and "nearly touching the wall"."""
    if relation == "touching":
        yield Made("MOD", ("wall", wall, GAP), (f"wall:{wall}",))
    if relation == "near":
        yield Made("MOD", ("near-wall", wall, GAP), (f"wall:{wall}",))


def only_boxes(objects: Form) -> Iterator[Made]:
    """As in "only blue and black": nothing else, and perhaps each of them."""
    yield Made("QNS", ("only", objects), ("only-plain",))
    if objects[0] == "union":
        parts = [("has", ">=", 1, part) for part in objects[1:]]
        yield Made("QNS", both(("only", objects), both(*parts)), ("only-each",))


def which(many: Many, modifier: Form) -> Iterator[Made]:
    """Exactly one object, which is black: one in all, and it is black."""
    inner = Many(many.compare, many.number, applied(modifier, many.what), many.how)
    yield Made("QNS", both(many.has(), inner.has()))


def counted_objects(many: Many) -> Iterator[Made]:
    """As in "there are two circles"."""
    yield Made("T", ("count", many.compare, many.number, many.what), said("all", many))


def counted_boxes(many: Many) -> Iterator[Made]:
    """As in "there are two towers"."""
    yield Made("T", ("count-boxes", many.compare, many.number, many.what), said("box", many))


def in_boxes(many: Many, boxes: Many) -> Iterator[Made]:
    """As in "two circles in one box"."""
    meant = both(boxes.what, many.has())
    yield Made("T", ("count-boxes", boxes.compare, boxes.number, meant), said("box", boxes))


def each_has(boxes: Form, many: Many) -> Iterator[Made]:
    """As in "each box has a circle"."""
    yield Made("T", ("every", boxes, many.has()), said("each", many))


def together(pairs: tuple[Many, ...], modifier: Form) -> Iterator[Made]:
    """As in "two yellow and one black item touch the wall": the modifier is said of all."""
    made = [Many(m.compare, m.number, applied(modifier, m.what), m.how) for m in pairs]
    yield Made("T", all_true(made))


def all_true(several: list[Many]) -> Form:
    """Every one of several counts."""
    truth: Form = ("count", several[0].compare, several[0].number, several[0].what)
    for many in several[1:]:
        truth = ("and", truth, ("count", many.compare, many.number, many.what))
    return truth


def all_boxes(several: tuple[Many, ...]) -> Iterator[Made]:
    """Boxes that have all of these."""
    boxes = BOXES
    for many in several:
        boxes = both(boxes, many.has())
    yield Made("QNS", boxes, tuple(name for many in several for name in said("in", many)))


def sharing(boxes: Many, trait: str) -> Iterator[Made]:
    """As in "two towers of the same height"."""
    yield Made("T", ("share", boxes.compare, max(boxes.number, 2), trait, boxes.what))


def differing(boxes: Many, trait: str) -> Iterator[Made]:
    """As in "two towers of different height": not all alike, or as many kinds as towers."""
    yield Made("T", ("differ", ">=", 2, trait, boxes.what))
    yield Made("T", ("differ", boxes.compare, boxes.number, trait, boxes.what))


def said(where: str, many: Many | Hues) -> tuple[str, ...]:
    """How a number was said and what it is taken for, as a feature."""
    number = "1" if many.number == 1 else "n"
    return (f"number:{where}:{many.how}:{number}:{many.compare}",)


def has_so_many(many: Many) -> Iterator[Made]:
    """As in "with two circles"."""
    yield Made("BM", many.has(), said("in", many))


def negated(modifier: Form) -> Form:
    """As in "not touching the wall"."""
    return ("except", GAP, modifier)


def between(_: str, many: Many) -> Iterator[Made]:
    """As in "between two circles": above one and below one, with or without a gap."""
    for over, under in (("above", "below"), ("on", "under")):
        inner = ("relate", over, GAP, many.what)
        yield Made("MOD", ("relate", under, inner, many.what), (f"rel:{over}",))


def mutual(many: Many, relation: str) -> Iterator[Made]:
    """Two triangles that touch each other: one box has as many that touch one."""
    yield Made("QNS", ("has", many.compare, many.number, ("relate", relation, many.what, many.what)))


def counted_with(category: str) -> Combine:
    """A condition on boxes and how many objects they have."""

    def combine(boxes: Form, many: Many) -> Iterator[Made]:
        yield Made(category, both(boxes, many.has()), said("in", many))

    return combine


def hued(quantity: tuple[str, int, str], function: str) -> Hues:
    """As in "three colours"."""
    compare, number, how = quantity
    return Hues(compare, number, function, OBJECTS, how)


def hued_of(hues: Hues, objects: Form) -> Iterator[Made]:
    """As in "items of three colours"; said once."""
    if hues.what == OBJECTS:
        yield Made("QC", Hues(hues.compare, hues.number, hues.function, objects, hues.how))


def level_from(ordinal: tuple[int, Form], end: str) -> Form:
    """As in "second from the top"."""
    return applied(("from-top" if end == "top" else "level", ordinal[0], GAP), ordinal[1])


def or_more(quantity: tuple[str, int, str], _: Any) -> Iterator[Made]:
    """As in "two or more"."""
    yield Made("Q", (">=", quantity[1], "said"))


def bare(number: tuple[int, str]) -> Iterator[Made]:
    """A number without a comparison: exactly so many, or at least."""
    value, how = number
    for compare in (">=", "=="):
        yield Made("Q", (compare, value, how))

"""How the meanings of neighbouring phrases combine.

Categories, with what their meaning is:

    CMP   a comparison              NUM   a number                  Q     (compare, number, how it was said)
    MOD   objects with a gap        N     objects                   QN    how many of which objects
    BN    boxes                     QB    how many of which boxes   EB    each of these boxes
    BM    what boxes are like       QNS   the same without "with"   QNP   several QN
    AN    all of these objects      ONLYN only these objects        QC    how many colours or kinds
    T     a whole sentence; HAS, NOT, AND, OR, REL, SIDE, … stand for words

`&X` and `|X` are an X after "and" and after "or". A rule may give several meanings or none: which one is meant,
the weights of features decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from commonsight.graph.shapes.meaning import BOXES, GAP, OBJECTS, applied, both, colour_of, within
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


class Rule(NamedTuple):
    """Two neighbouring phrases that make one."""

    left: str
    right: str
    name: str
    combine: Combine
    prior: float = 0.0
    """How likely it is before anything is learned: what its weight begins with."""


class Lift(NamedTuple):
    """A phrase that counts as one of another category."""

    of: str
    name: str
    lift: Callable[[Any], Iterator[Made]]
    prior: float = 0.0


def _one(category: str, meaning: Callable[[Any, Any], Any]) -> Combine:
    def combine(left: Any, right: Any) -> Iterator[Made]:
        yield Made(category, meaning(left, right))

    return combine


def _pass(category: str, *, left: bool = False) -> Combine:
    return _one(category, (lambda one, _: one) if left else (lambda _, other: other))


def _counted(quantity: tuple[str, int, str], objects: Form) -> Iterator[Made]:
    compare, number, how = quantity
    yield Made("QN", Many(compare, number, objects, how))
    if how == "only" and objects != OBJECTS:
        alone = both(("has", compare, number, objects), ("has", compare, number, OBJECTS))
        yield Made("QNS", alone, ("exclusive",))


def _joined_modifiers(one: Form, other: Form) -> Iterator[Made]:
    if colour_of(one) and colour_of(other):
        yield Made("MOD", ("union", one, other))
    else:
        yield Made("MOD", applied(other, one), ("and-both",))
        yield Made("MOD", ("union", one, other), ("and-union",))


def _rested(relation: str, many: Many) -> Iterator[Made]:
    if many.compare in (">=", ">") or (many.compare, many.number) == ("==", 1):
        yield Made("MOD", ("relate", relation, GAP, many.what), (f"rel:{relation}",))


def _unlike(relation: str, objects: Form) -> Iterator[Made]:
    yield Made("MOD", ("unlike", relation, GAP, objects), (f"rel:{relation}",))


def _at_wall(relation: str, wall: str) -> Iterator[Made]:
    if relation == "touching":
        yield Made("MOD", ("wall", wall, GAP), (f"wall:{wall}",))
    if relation == "near":
        yield Made("MOD", ("near-wall", wall, GAP), (f"wall:{wall}",))


INVERSE = {"above": "below", "on": "under", "below": "above", "under": "on", "touching": "touching", "near": "near"}


def _only_boxes(objects: Form) -> Iterator[Made]:
    yield Made("QNS", ("only", objects), ("only-plain",))
    if objects[0] == "union":
        parts = [("has", ">=", 1, part) for part in objects[1:]]
        yield Made("QNS", both(("only", objects), both(*parts)), ("only-each",))


def _which(many: Many, modifier: Form) -> Iterator[Made]:
    """Exactly one object, which is black: one in all, and it is black."""
    inner = Many(many.compare, many.number, applied(modifier, many.what), many.how)
    yield Made("QNS", both(many.has(), inner.has()))


def _in_boxes(many: Many, boxes: Many) -> Iterator[Made]:
    yield Made("T", ("count-boxes", boxes.compare, boxes.number, both(boxes.what, many.has())), _said("box", boxes))


def _each_has(boxes: Form, many: Many) -> Iterator[Made]:
    yield Made("T", ("every", boxes, many.has()), _said("each", many))


def _together(pairs: tuple[Many, ...], modifier: Form) -> Iterator[Made]:
    made = [Many(m.compare, m.number, applied(modifier, m.what), m.how) for m in pairs]
    yield Made("T", _all_true(made))


def _all_true(several: list[Many]) -> Form:
    truth: Form = ("count", several[0].compare, several[0].number, several[0].what)
    for many in several[1:]:
        truth = ("and", truth, ("count", many.compare, many.number, many.what))
    return truth


def _all_boxes(several: tuple[Many, ...]) -> Iterator[Made]:
    boxes = BOXES
    for many in several:
        boxes = both(boxes, many.has())
    yield Made("QNS", boxes, tuple(name for many in several for name in _said("in", many)))


def _shared(boxes: Many, trait: str) -> Iterator[Made]:
    yield Made("T", ("share", boxes.compare, max(boxes.number, 2), trait, boxes.what))


def _differing(boxes: Many, trait: str) -> Iterator[Made]:
    yield Made("T", ("differ", ">=", 2, trait, boxes.what))
    yield Made("T", ("differ", boxes.compare, boxes.number, trait, boxes.what))


def _said(where: str, many: Many | Hues) -> tuple[str, ...]:
    number = "1" if many.number == 1 else "n"
    return (f"number:{where}:{many.how}:{number}:{many.compare}",)


def _has(many: Many) -> Iterator[Made]:
    yield Made("BM", many.has(), _said("in", many))


def _negated(modifier: Form) -> Form:
    return ("except", GAP, modifier)


def _between(_: str, many: Many) -> Iterator[Made]:
    for over, under in (("above", "below"), ("on", "under")):
        inner = ("relate", over, GAP, many.what)
        yield Made("MOD", ("relate", under, inner, many.what), (f"rel:{over}",))


def _mutual(many: Many, relation: str) -> Iterator[Made]:
    """Two triangles that touch each other: one box has as many that touch one."""
    yield Made("QNS", ("has", many.compare, many.number, ("relate", relation, many.what, many.what)))


def _counted_with(category: str) -> Combine:
    """A condition on boxes and how many objects they have."""

    def combine(boxes: Form, many: Many) -> Iterator[Made]:
        yield Made(category, both(boxes, many.has()), _said("in", many))

    return combine


def _hued(quantity: tuple[str, int, str], function: str) -> Hues:
    compare, number, how = quantity
    return Hues(compare, number, function, OBJECTS, how)


def _hued_of(hues: Hues, objects: Form) -> Iterator[Made]:
    if hues.what == OBJECTS:
        yield Made("QC", Hues(hues.compare, hues.number, hues.function, objects, hues.how))


def _level_from(ordinal: tuple[int, Form], end: str) -> Form:
    return applied(("from-top" if end == "top" else "level", ordinal[0], GAP), ordinal[1])


def _or_more(quantity: tuple[str, int, str], _: Any) -> Iterator[Made]:
    yield Made("Q", (">=", quantity[1], "said"))


RULES: tuple[Rule, ...] = (
    # numbers
    Rule("CMP", "NUM", "compare", lambda c, n: iter([Made("Q", (c[0], n[0], c[1]))])),
    Rule("Q", "ORMORE", "or-more", _or_more),
    # objects
    Rule("MOD", "N", "before", _one("N", applied)),
    Rule("N", "MOD", "after", _one("N", lambda n, m: applied(m, n)), -0.1),
    Rule("MOD", "MOD", "modifiers", _one("MOD", lambda a, b: applied(b, a)), -0.2),
    Rule("NOT", "MOD", "not", _one("MOD", lambda _, m: _negated(m))),
    Rule("AND", "MOD", "and-mod", _pass("&MOD")),
    Rule("MOD", "&MOD", "mod-and-mod", _joined_modifiers, -0.3),
    Rule("OR", "MOD", "or-mod", _pass("|MOD")),
    Rule("MOD", "|MOD", "mod-or-mod", _one("MOD", lambda a, b: ("union", a, b))),
    Rule("AND", "N", "and-n", _pass("&N")),
    Rule("N", "&N", "n-and-n", _one("N", lambda a, b: ("union", a, b)), -0.5),
    Rule("OR", "N", "or-n", _pass("|N")),
    Rule("N", "|N", "n-or-n", _one("N", lambda a, b: ("union", a, b))),
    Rule("REL", "QN", "relate", _rested),
    Rule("REL", "N", "relate-bare", lambda r, n: _rested(r, Many(">=", 1, n, "none")), -0.2),
    Rule("REL", "SIDE", "wall", _at_wall),
    Rule("BETWEEN", "QN", "between", _between),
    Rule("REL", "EACHOTHER", "each-other", _one("MUTUAL", lambda r, _: r)),
    Rule("QN", "MUTUAL", "mutual", _mutual),
    Rule("NUM", "SIDE", "a-wall", _pass("SIDE")),
    Rule("SIDE", "QB", "wall-of", _pass("SIDE", left=True)),
    Rule("UNLIKE", "N", "unlike", _one("UNLIKEN", lambda _, n: n)),
    Rule("NUM", "UNLIKEN", "a-unlike", _one("UNLIKEN", lambda _, n: n)),
    Rule("REL", "UNLIKEN", "relate-unlike", _unlike),
    Rule("N", "BN", "of-boxes", _one("N", lambda n, b: within(b, n)), -0.5),
    Rule("N", "QB", "of-some-boxes", _one("N", lambda n, b: within(b.what, n)), -0.5),
    Rule("MOD", "QB", "modifier-of", _one("MOD", lambda m, b: within(b.what, m)), -0.1),
    Rule("ORD", "N", "ordinal", _one("ORDN", lambda o, n: (o, n))),
    Rule("ORDN", "FROM", "ordinal-from", _one("N", _level_from)),
    # how many objects
    Rule("Q", "N", "count", _counted),
    Rule("AND", "QN", "and-qn", _pass("&QN")),
    Rule("QN", "&QN", "qn-and-qn", _one("QNP", lambda a, b: (a, b))),
    Rule("QNP", "&QN", "more-qn", _one("QNP", lambda a, b: (*a, b))),
    Rule("QN", "QN", "qn-qn", _one("QNP", lambda a, b: (a, b)), -0.7),
    Rule("QN", "QNP", "qn-qnp", _one("QNP", lambda a, b: (a, *b)), -0.7),
    Rule("OR", "QN", "or-qn", _pass("|QN")),
    Rule("QN", "|QN", "qn-or-qn", _one("QNS", lambda a, b: ("either", a.has(), b.has()))),
    Rule("QN", "MOD", "which", _which, -0.5),
    Rule("QN", "STACK", "stack", _one("QNS", lambda q, _: ("run", q.compare, q.number, q.what))),
    Rule("STACK", "N", "stack-n", _pass("N"), -1.0),
    Rule("QN", "ITREL", "it", _one("ITQ", lambda q, r: ("relate", INVERSE[r], GAP, q.what))),
    Rule("HAS", "ITQ", "has-it", _pass("MOD")),
    Rule("AND", "ITQ", "and-it", _pass("MOD"), -0.2),
    # only
    Rule("ONLY", "N", "only", _pass("ONLYN")),
    Rule("ONLY", "MOD", "only-mod", _one("ONLYN", lambda _, m: applied(m, OBJECTS))),
    Rule("N", "ONLYN", "n-only", _pass("ONLYN"), -0.3),
    Rule("ONLYN", "N", "only-n", _pass("ONLYN", left=True), -0.5),
    Rule("ONLYN", "COL", "only-colour", _pass("ONLYN", left=True)),
    Rule("ONLYN", "MOD", "only-are", _one("T", lambda n, m: ("all", applied(m, OBJECTS), n)), -0.3),
    Rule("QN", "ONLYN", "qn-only", lambda q, n: _counted_with("QNS")(("only", n), q)),
    # colours and kinds
    Rule("Q", "COL", "hues", _one("QC", _hued)),
    Rule("QC", "MOD", "hues-mod", lambda h, m: _hued_of(h, applied(m, h.what))),
    Rule("N", "QC", "n-hues", lambda n, h: _hued_of(h, n)),
    Rule("EACH", "QC", "all-hues", _pass("QC")),
    Rule("QN", "QC", "qn-hues", lambda q, h: _counted_with("QNS")(h.boxes(), q)),
    Rule("MOD", "COL", "mod-colour", _pass("MOD", left=True)),
    Rule("Q", "SAMECOL", "some-same", _one("QSAME", lambda q, _: q)),
    Rule("QSAME", "N", "some-same-n", _one("QNS", lambda q, n: ("same", q[0], q[1], n))),
    Rule("QN", "SAMECOL", "qn-same", _one("QNS", lambda q, _: ("same", q.compare, q.number, q.what))),
    Rule("N", "SAMECOL", "n-same", _one("QNS", lambda n, f: (f, "==", 1, n))),
    Rule("SAMECOL", "N", "same-n", _one("QNS", lambda f, n: (f, "==", 1, n)), -0.2),
    Rule("QN", "COL", "qn-differ", _one("QNS", lambda q, f: both(q.has(), (f, "==", q.number, q.what))), -0.5),
    Rule("EQUAL", "N", "equal", _pass("EQUALN")),
    Rule("EQUALN", "&N", "equal-and", _one("QNS", lambda a, b: ("equal", a, b))),
    # what boxes have
    Rule("AND", "QNS", "and-qns", _pass("&QNS")),
    Rule("QNS", "&QN", "qns-and-qn", _counted_with("QNS")),
    Rule("QNS", "&QNS", "qns-and-qns", _one("QNS", both)),
    Rule("QN", "&QNS", "qn-and-qns", lambda a, b: _counted_with("QNS")(b, a)),
    Rule("HAS", "QN", "has", lambda _, q: _has(q)),
    Rule("HAS", "QNS", "has-all", _pass("BM")),
    Rule("NOHAS", "QN", "without", _one("BM", lambda _, q: ("has", "==", 0, q.what))),
    Rule("NOT", "BM", "not-bm", _one("BM", lambda _, b: ("other", b))),
    Rule("AND", "BM", "and-bm", _pass("&BM")),
    Rule("BM", "&BM", "bm-and-bm", _one("BM", both)),
    Rule("BM", "&QN", "bm-and-qn", _counted_with("BM"), -0.3),
    Rule("BM", "&QNS", "bm-and-qns", _one("BM", both), -0.3),
    Rule("BM", "BM", "bm-bm", _one("BM", both), -0.3),
    Rule("BM", "QN", "bm-qn", _counted_with("BM"), -1.0),
    Rule("OR", "BM", "or-bm", _pass("|BM")),
    Rule("BM", "|BM", "bm-or-bm", _one("BM", lambda a, b: ("either", a, b))),
    # boxes
    Rule("BN", "BM", "boxes-with", _one("BN", both)),
    Rule("BN", "QN", "boxes-of", _counted_with("BN"), -0.7),
    Rule("BN", "QNS", "boxes-of-all", _one("BN", both), -0.7),
    Rule("MOD", "BN", "all-of-it", _one("BN", lambda m, b: both(("only", applied(m, OBJECTS)), b)), -0.2),
    Rule("QN", "BN", "boxes-so-high", lambda q, b: _counted_with("BN")(b, q), -0.2),
    Rule("N", "BN", "n-boxes", _one("BN", lambda n, b: both(("only", n), b)), -1.0),
    Rule("TALL", "BN", "extreme", _one("BN", lambda t, b: (t, b))),
    Rule("Q", "BN", "count-boxes", _one("QB", lambda q, b: Many(q[0], q[1], b, q[2]))),
    Rule("EACH", "BN", "each", _pass("EB")),
    Rule("EACH", "QB", "each-of", _one("EB", lambda _, b: b.what)),
    Rule("EB", "BM", "each-with", _one("T", lambda e, b: ("every", e, b))),
    Rule("EB", "QN", "each-of-n", _each_has, -0.3),
    Rule("EB", "QNS", "each-of-all", _one("T", lambda e, b: ("every", e, b)), -0.3),
    Rule("QN", "EB", "in-each", lambda q, e: _each_has(e, q)),
    Rule("QN", "QB", "in-some", _in_boxes, -0.3),
    # whole sentences
    Rule("EACH", "N", "all", _pass("AN")),
    Rule("EACH", "QN", "all-of-n", _one("AN", lambda _, q: q.what), -0.2),
    Rule("AN", "MOD", "all-are", _one("T", lambda n, m: ("all", n, applied(m, n)))),
    Rule("AN", "TOGETHER", "all-together", _one("T", lambda n, _: ("together", n))),
    Rule("N", "TOGETHER", "together", _one("T", lambda n, _: ("together", n))),
    Rule("N", "MOD", "generic", _one("T", lambda n, m: ("all", n, applied(m, n))), -1.5),
    Rule("QNP", "MOD", "each-are", _together, -0.2),
    Rule("QB", "SAME", "same", _shared),
    Rule("EB", "SAME", "all-same", _one("T", lambda b, t: ("differ", "==", 1, t, b))),
    Rule("QB", "DIFF", "differ", _differing),
    Rule("EB", "DIFF", "all-differ", _one("T", lambda b, t: ("differ", "==", 3, t, b))),
    Rule("HAS", "SAME", "has-same", _pass("SAME")),
    Rule("HAS", "DIFF", "has-differ", _pass("DIFF")),
    Rule("MORE", "N", "more", _pass("MOREN")),
    Rule("MORE", "MOD", "more-mod", _one("MOREN", lambda _, m: applied(m, OBJECTS))),
    Rule("THAN", "N", "than", _pass("THANN")),
    Rule("MOREN", "THANN", "more-than", _one("QNS", lambda a, b: ("more", a, b))),
    Rule("MOREN", "THANN", "outnumber", _one("T", lambda a, b: ("outnumber", a, b))),
    Rule("AND", "T", "and-t", _pass("&T")),
    Rule("T", "&T", "t-and-t", _one("T", lambda a, b: ("and", a, b)), -0.2),
    Rule("OR", "T", "or-t", _pass("|T")),
    Rule("T", "|T", "t-or-t", _one("T", lambda a, b: ("or", a, b)), -0.2),
)


def _bare(number: tuple[int, str]) -> Iterator[Made]:
    value, how = number
    for compare in (">=", "=="):
        yield Made("Q", (compare, value, how))


LIFTS: tuple[Lift, ...] = (
    Lift("NUM", "bare", _bare),
    Lift("MOD", "elided", lambda m: iter([Made("N", applied(m, OBJECTS))]), -1.0),
    Lift("ORD", "level", lambda o: iter([Made("MOD", ("level", o, GAP))])),
    Lift("N", "some", lambda n: iter([Made("QN", Many(">=", 1, n, "none"))]), -0.4),
    Lift("BN", "some-boxes", lambda b: iter([Made("QB", Many(">=", 1, b, "none"))]), -0.4),
    Lift("ONLYN", "only-boxes", _only_boxes),
    Lift("QNP", "all-boxes", _all_boxes),
    Lift("QNP", "all-true", lambda p: iter([Made("T", _all_true(list(p)))]), -0.2),
    Lift("QC", "hues-in-box", lambda h: iter([Made("QNS", h.boxes(), _said("hues", h))])),
    Lift("QC", "hues-in-all", lambda h: iter([Made("T", h.truth(), _said("all-hues", h))])),
    Lift("QNS", "some-box", lambda b: iter([Made("T", ("count-boxes", ">=", 1, b))]), -1.5),
    Lift("EB", "each-box", lambda b: iter([Made("T", ("every", BOXES, b))]), -0.3),
    Lift(
        "QN", "objects", lambda q: iter([Made("T", ("count", q.compare, q.number, q.what), _said("all", q))])
    ),
    Lift(
        "QB", "boxes", lambda q: iter([Made("T", ("count-boxes", q.compare, q.number, q.what), _said("box", q))])
    ),
)

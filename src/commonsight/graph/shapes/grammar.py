"""How the meanings of neighbouring phrases combine.

Categories, with what their meaning is:

    CMP   a comparison              NUM   a number                  Q     (compare, number, how it was said)
    MOD   objects with a gap        N     objects                   QN    how many of which objects
    BN    boxes                     QB    how many of which boxes   EB    each of these boxes
    BM    what boxes are like       QNS   the same without "with"   QNP   several QN
    AN    all of these objects      ONLYN only these objects        QC    how many colours or kinds
    T     a whole sentence; HAS, NOT, AND, OR, REL, SIDE, … stand for words

`&X` and `|X` are an X after "and" and after "or". A rule may give several meanings or none: which one is
meant, the weights of features decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from commonsight.graph.shapes.combine import (
    INVERSE,
    Combine,
    Made,
    Many,
    all_boxes,
    all_true,
    at_wall,
    bare,
    between,
    counted,
    counted_boxes,
    counted_objects,
    counted_with,
    differing,
    each_has,
    has_so_many,
    hued,
    hued_of,
    in_boxes,
    joined_modifiers,
    level_from,
    mutual,
    negated,
    one,
    only_boxes,
    or_more,
    passed,
    rested,
    said,
    sharing,
    together,
    unlike,
    which,
)
from commonsight.graph.shapes.meaning import BOXES, GAP, OBJECTS, applied, both, within


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


RULES: tuple[Rule, ...] = (
    # numbers
    Rule("CMP", "NUM", "compare", lambda c, n: iter([Made("Q", (c[0], n[0], c[1]))])),
    Rule("Q", "ORMORE", "or-more", or_more),
    # objects
    Rule("MOD", "N", "before", one("N", applied)),
    Rule("N", "MOD", "after", one("N", lambda n, m: applied(m, n)), -0.1),
    Rule("MOD", "MOD", "modifiers", one("MOD", lambda a, b: applied(b, a)), -0.2),
    Rule("NOT", "MOD", "not", one("MOD", lambda _, m: negated(m))),
    Rule("AND", "MOD", "and-mod", passed("&MOD")),
    Rule("MOD", "&MOD", "mod-and-mod", joined_modifiers, -0.3),
    Rule("OR", "MOD", "or-mod", passed("|MOD")),
    Rule("MOD", "|MOD", "mod-or-mod", one("MOD", lambda a, b: ("union", a, b))),
    Rule("AND", "N", "and-n", passed("&N")),
    Rule("N", "&N", "n-and-n", one("N", lambda a, b: ("union", a, b)), -0.5),
    Rule("OR", "N", "or-n", passed("|N")),
    Rule("N", "|N", "n-or-n", one("N", lambda a, b: ("union", a, b))),
    Rule("REL", "QN", "relate", rested),
    Rule("REL", "N", "relate-bare", lambda r, n: rested(r, Many(">=", 1, n, "none")), -0.2),
    Rule("REL", "SIDE", "wall", at_wall),
    Rule("BETWEEN", "QN", "between", between),
    Rule("REL", "EACHOTHER", "each-other", one("MUTUAL", lambda r, _: r)),
    Rule("QN", "MUTUAL", "mutual", mutual),
    Rule("NUM", "SIDE", "a-wall", passed("SIDE")),
    Rule("SIDE", "QB", "wall-of", passed("SIDE", left=True)),
    Rule("UNLIKE", "N", "unlike", one("UNLIKEN", lambda _, n: n)),
    Rule("NUM", "UNLIKEN", "a-unlike", one("UNLIKEN", lambda _, n: n)),
    Rule("REL", "UNLIKEN", "relate-unlike", unlike),
    Rule("N", "BN", "of-boxes", one("N", lambda n, b: within(b, n)), -0.5),
    Rule("N", "QB", "of-some-boxes", one("N", lambda n, b: within(b.what, n)), -0.5),
    Rule("MOD", "QB", "modifier-of", one("MOD", lambda m, b: within(b.what, m)), -0.1),
    Rule("ORD", "N", "ordinal", one("ORDN", lambda o, n: (o, n))),
    Rule("ORDN", "FROM", "ordinal-from", one("N", level_from)),
    # how many objects
    Rule("Q", "N", "count", counted),
    Rule("AND", "QN", "and-qn", passed("&QN")),
    Rule("QN", "&QN", "qn-and-qn", one("QNP", lambda a, b: (a, b))),
    Rule("QNP", "&QN", "more-qn", one("QNP", lambda a, b: (*a, b))),
    Rule("QN", "QN", "qn-qn", one("QNP", lambda a, b: (a, b)), -0.7),
    Rule("QN", "QNP", "qn-qnp", one("QNP", lambda a, b: (a, *b)), -0.7),
    Rule("OR", "QN", "or-qn", passed("|QN")),
    Rule("QN", "|QN", "qn-or-qn", one("QNS", lambda a, b: ("either", a.has(), b.has()))),
    Rule("QN", "MOD", "which", which, -0.5),
    Rule("QN", "STACK", "stack", one("QNS", lambda q, _: ("run", q.compare, q.number, q.what))),
    Rule("STACK", "N", "stack-n", passed("N"), -1.0),
    Rule("QN", "ITREL", "it", one("ITQ", lambda q, r: ("relate", INVERSE[r], GAP, q.what))),
    Rule("HAS", "ITQ", "has-it", passed("MOD")),
    Rule("AND", "ITQ", "and-it", passed("MOD"), -0.2),
    # only
    Rule("ONLY", "N", "only", passed("ONLYN")),
    Rule("ONLY", "MOD", "only-mod", one("ONLYN", lambda _, m: applied(m, OBJECTS))),
    Rule("N", "ONLYN", "n-only", passed("ONLYN"), -0.3),
    Rule("ONLYN", "N", "only-n", passed("ONLYN", left=True), -0.5),
    Rule("ONLYN", "COL", "only-colour", passed("ONLYN", left=True)),
    Rule("ONLYN", "MOD", "only-are", one("T", lambda n, m: ("all", applied(m, OBJECTS), n)), -0.3),
    Rule("QN", "ONLYN", "qn-only", lambda q, n: counted_with("QNS")(("only", n), q)),
    # colours and kinds
    Rule("Q", "COL", "hues", one("QC", hued)),
    Rule("QC", "MOD", "hues-mod", lambda h, m: hued_of(h, applied(m, h.what))),
    Rule("N", "QC", "n-hues", lambda n, h: hued_of(h, n)),
    Rule("EACH", "QC", "all-hues", passed("QC")),
    Rule("QN", "QC", "qn-hues", lambda q, h: counted_with("QNS")(h.boxes(), q)),
    Rule("MOD", "COL", "mod-colour", passed("MOD", left=True)),
    Rule("Q", "SAMECOL", "some-same", one("QSAME", lambda q, _: q)),
    Rule("QSAME", "N", "some-same-n", one("QNS", lambda q, n: ("same", q[0], q[1], n))),
    Rule("QN", "SAMECOL", "qn-same", one("QNS", lambda q, _: ("same", q.compare, q.number, q.what))),
    Rule("N", "SAMECOL", "n-same", one("QNS", lambda n, f: (f, "==", 1, n))),
    Rule("SAMECOL", "N", "same-n", one("QNS", lambda f, n: (f, "==", 1, n)), -0.2),
    Rule("QN", "COL", "qn-differ", one("QNS", lambda q, f: both(q.has(), (f, "==", q.number, q.what))), -0.5),
    Rule("EQUAL", "N", "equal", passed("EQUALN")),
    Rule("EQUALN", "&N", "equal-and", one("QNS", lambda a, b: ("equal", a, b))),
    # what boxes have
    Rule("AND", "QNS", "and-qns", passed("&QNS")),
    Rule("QNS", "&QN", "qns-and-qn", counted_with("QNS")),
    Rule("QNS", "&QNS", "qns-and-qns", one("QNS", both)),
    Rule("QN", "&QNS", "qn-and-qns", lambda a, b: counted_with("QNS")(b, a)),
    Rule("HAS", "QN", "has", lambda _, q: has_so_many(q)),
    Rule("HAS", "QNS", "has-all", passed("BM")),
    Rule("NOHAS", "QN", "without", one("BM", lambda _, q: ("has", "==", 0, q.what))),
    Rule("NOT", "BM", "not-bm", one("BM", lambda _, b: ("other", b))),
    Rule("AND", "BM", "and-bm", passed("&BM")),
    Rule("BM", "&BM", "bm-and-bm", one("BM", both)),
    Rule("BM", "&QN", "bm-and-qn", counted_with("BM"), -0.3),
    Rule("BM", "&QNS", "bm-and-qns", one("BM", both), -0.3),
    Rule("BM", "BM", "bm-bm", one("BM", both), -0.3),
    Rule("BM", "QN", "bm-qn", counted_with("BM"), -1.0),
    Rule("OR", "BM", "or-bm", passed("|BM")),
    Rule("BM", "|BM", "bm-or-bm", one("BM", lambda a, b: ("either", a, b))),
    # boxes
    Rule("BN", "BM", "boxes-with", one("BN", both)),
    Rule("BN", "QN", "boxes-of", counted_with("BN"), -0.7),
    Rule("BN", "QNS", "boxes-of-all", one("BN", both), -0.7),
    Rule("MOD", "BN", "all-of-it", one("BN", lambda m, b: both(("only", applied(m, OBJECTS)), b)), -0.2),
    Rule("QN", "BN", "boxes-so-high", lambda q, b: counted_with("BN")(b, q), -0.2),
    Rule("N", "BN", "n-boxes", one("BN", lambda n, b: both(("only", n), b)), -1.0),
    Rule("TALL", "BN", "extreme", one("BN", lambda t, b: (t, b))),
    Rule("Q", "BN", "count-boxes", one("QB", lambda q, b: Many(q[0], q[1], b, q[2]))),
    Rule("EACH", "BN", "each", passed("EB")),
    Rule("EACH", "QB", "each-of", one("EB", lambda _, b: b.what)),
    Rule("EB", "BM", "each-with", one("T", lambda e, b: ("every", e, b))),
    Rule("EB", "QN", "each-of-n", each_has, -0.3),
    Rule("EB", "QNS", "each-of-all", one("T", lambda e, b: ("every", e, b)), -0.3),
    Rule("QN", "EB", "in-each", lambda q, e: each_has(e, q)),
    Rule("QN", "QB", "in-some", in_boxes, -0.3),
    # whole sentences
    Rule("EACH", "N", "all", passed("AN")),
    Rule("EACH", "QN", "all-of-n", one("AN", lambda _, q: q.what), -0.2),
    Rule("AN", "MOD", "all-are", one("T", lambda n, m: ("all", n, applied(m, n)))),
    Rule("AN", "TOGETHER", "all-together", one("T", lambda n, _: ("together", n))),
    Rule("N", "TOGETHER", "together", one("T", lambda n, _: ("together", n))),
    Rule("N", "MOD", "generic", one("T", lambda n, m: ("all", n, applied(m, n))), -1.5),
    Rule("QNP", "MOD", "each-are", together, -0.2),
    Rule("QB", "SAME", "same", sharing),
    Rule("EB", "SAME", "all-same", one("T", lambda b, t: ("differ", "==", 1, t, b))),
    Rule("QB", "DIFF", "differ", differing),
    Rule("EB", "DIFF", "all-differ", one("T", lambda b, t: ("differ", "==", 3, t, b))),
    Rule("HAS", "SAME", "has-same", passed("SAME")),
    Rule("HAS", "DIFF", "has-differ", passed("DIFF")),
    Rule("MORE", "N", "more", passed("MOREN")),
    Rule("MORE", "MOD", "more-mod", one("MOREN", lambda _, m: applied(m, OBJECTS))),
    Rule("THAN", "N", "than", passed("THANN")),
    Rule("MOREN", "THANN", "more-than", one("QNS", lambda a, b: ("more", a, b))),
    Rule("MOREN", "THANN", "outnumber", one("T", lambda a, b: ("outnumber", a, b))),
    Rule("AND", "T", "and-t", passed("&T")),
    Rule("T", "&T", "t-and-t", one("T", lambda a, b: ("and", a, b)), -0.2),
    Rule("OR", "T", "or-t", passed("|T")),
    Rule("T", "|T", "t-or-t", one("T", lambda a, b: ("or", a, b)), -0.2),
)

LIFTS: tuple[Lift, ...] = (
    Lift("NUM", "bare", bare),
    Lift("MOD", "elided", lambda m: iter([Made("N", applied(m, OBJECTS))]), -1.0),
    Lift("ORD", "level", lambda o: iter([Made("MOD", ("level", o, GAP))])),
    Lift("N", "some", lambda n: iter([Made("QN", Many(">=", 1, n, "none"))]), -0.4),
    Lift("BN", "some-boxes", lambda b: iter([Made("QB", Many(">=", 1, b, "none"))]), -0.4),
    Lift("ONLYN", "only-boxes", only_boxes),
    Lift("QNP", "all-boxes", all_boxes),
    Lift("QNP", "all-true", lambda p: iter([Made("T", all_true(list(p)))]), -0.2),
    Lift("QC", "hues-in-box", lambda h: iter([Made("QNS", h.boxes(), said("hues", h))])),
    Lift("QC", "hues-in-all", lambda h: iter([Made("T", h.truth(), said("all-hues", h))])),
    Lift("QNS", "some-box", lambda b: iter([Made("T", ("count-boxes", ">=", 1, b))]), -1.5),
    Lift("EB", "each-box", lambda b: iter([Made("T", ("every", BOXES, b))]), -0.3),
    Lift("QN", "objects", counted_objects),
    Lift("QB", "boxes", counted_boxes),
)

"""The engine: patterns, joins, exceptions, chains; it ends, and the order of rules does not matter."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.world.facts import Fact
from commonsight.world.logic import Facts, Rule, conclude, fill, holds, match

WET = Rule("wet", (("rain", "?p"),), ("wet", "?p"))


def told(seen: set[Fact], *rules: Rule) -> set[Fact]:
    return {proof.fact for proof in conclude(seen, rules)}


@pytest.mark.parametrize(
    ("pattern", "fact", "binding"),
    [
        (("is", "?t", "cup"), ("is", 3, "cup"), {"?t": 3}),
        (("is", "?t", frozenset({"cup", "bowl"})), ("is", 3, "bowl"), {"?t": 3}),
        (("is", "?t", frozenset({"cup", "bowl"})), ("is", 3, "fork"), None),
        (("hugs", "?p", "?p"), ("hugs", 1, 2), None),
        (("why", ("is", "?t", "cup")), ("why", ("is", 3, "cup")), {"?t": 3}),
        (("why", ("is", "?t", "cup")), ("why", 3), None),
        (("is", "?t"), ("is", 3, "cup"), None),
    ],
)
def test_a_pattern_fits_or_does_not(pattern: Fact, fact: Fact, binding: dict[str, object] | None) -> None:
    assert match(pattern, fact, {}) == binding
    found = [bound for _, bound in Facts([fact]).matching(pattern, {})]
    assert found == ([] if binding is None else [binding])


def test_a_pattern_is_filled() -> None:
    assert fill(("why", ("is", "?t", "cup"), None), {"?t": 3}) == ("why", ("is", 3, "cup"), None)


def test_conclusions_carry_their_evidence_and_build_on_each_other() -> None:
    cold = Rule("cold", (("wet", "?p"), ("windy",)), ("cold", "?p"))
    first, second = conclude([("rain", 1), ("windy",)], (cold, WET))
    assert (first.fact, first.rule, first.evidence) == (("wet", 1), "wet", (("rain", 1),))
    assert (second.fact, second.evidence) == (("cold", 1), (("wet", 1), ("windy",)))


def test_what_is_seen_is_not_concluded() -> None:
    assert told({("rain", 1), ("wet", 1)}, WET) == set()


def test_an_exception_is_one_pattern_or_several_together() -> None:
    seen: set[Fact] = {
        ("rain", 1),
        ("rain", 2),
        ("holds", 1, 7),
        ("holds", 2, 8),
        ("is", 7, "umbrella"),
        ("is", 8, "cup"),
    }
    one = WET._replace(unless=(("holds", "?p", "?t"),))
    both = WET._replace(unless=((("holds", "?p", "?t"), ("is", "?t", "umbrella")),))
    assert told(seen, one) == set()
    assert told(seen, both) == {("wet", 2)}


def test_an_exception_is_about_what_is_seen_never_about_conclusions() -> None:
    dry = Rule("dry", (("rain", "?p"),), ("dry", "?p"), unless=(("wet", "?p"),))
    assert told({("rain", 1)}, WET, dry) == told({("rain", 1)}, dry, WET) == {("wet", 1), ("dry", 1)}


def test_two_variables_are_two_entities_unless_the_rule_allows_one() -> None:
    pair = Rule("pair", (("is", "?p", "person"), ("is", "?q", "person")), ("pair", "?p", "?q"))
    people: set[Fact] = {("is", 0, "person"), ("is", 1, "person")}
    assert told(people, pair) == {("pair", 0, 1), ("pair", 1, 0)}
    assert len(told(people, pair._replace(distinct=False))) == 4


def test_holds_is_for_seen_and_for_proved() -> None:
    seen: list[Fact] = [("rain", 1)]
    assert holds(("rain", 1), seen, (WET,))
    assert holds(("wet", 1), seen, (WET,))
    assert not holds(("wet", 2), seen, (WET,))


KINDS = st.sampled_from(("a", "b", "c", "d"))
VARIABLES = st.sampled_from(("?p", "?q", 0, 1, frozenset({0, 2})))
SEEN = st.frozensets(st.tuples(KINDS, st.integers(0, 2), st.integers(0, 2)), max_size=8)


@st.composite
def small_rules(draw: st.DrawFn) -> Rule:
    when = tuple(draw(st.lists(st.tuples(KINDS, VARIABLES, VARIABLES), min_size=1, max_size=3)))
    bound = sorted({part for fact in when for part in fact[1:] if isinstance(part, str)})
    argument = st.sampled_from([*bound, 0, 1])
    then = draw(st.tuples(KINDS, argument, argument))
    unless = tuple(draw(st.lists(st.tuples(KINDS, VARIABLES, VARIABLES), max_size=1)))
    return Rule(repr((when, then, unless)), when, then, unless, distinct=draw(st.booleans()))


@given(SEEN, st.lists(small_rules(), max_size=5), st.randoms(use_true_random=False))
def test_it_ends_and_the_order_of_rules_does_not_matter(
    seen: frozenset[Fact], rules: list[Rule], rng: random.Random
) -> None:
    facts = {proof.fact for proof in conclude(seen, rules)}
    shuffled = rng.sample(rules, len(rules))
    assert facts == {proof.fact for proof in conclude(seen, shuffled)}
    assert not facts & seen


@given(SEEN, st.lists(small_rules(), max_size=4))
def test_every_proof_stands_on_facts_that_hold(seen: frozenset[Fact], rules: list[Rule]) -> None:
    known = set(seen)
    for proof in conclude(seen, rules):
        assert known.issuperset(proof.evidence)
        known.add(proof.fact)

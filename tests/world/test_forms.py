"""Forms against a table worked out by hand, and against brute force on scenes that Hypothesis thinks of."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.world.facts import Fact, seen
from commonsight.world.forms import Form, from_json, holds_in, mentioned, phenomena, reasoning, visible_facts
from commonsight.world.model import SKINS, Actor, Look, Prop, Spot, Stage

LOOK = Look(SKINS[0], "brown", "short", "red", "blue")
CHILD = Look(SKINS[1], "blond", "long", "blue", "grey", "child", hat="cap")
DOG, CAT, PERSON, BENCH = ("is", "dog"), ("is", "cat"), ("is", "person"), ("is", "bench")
BROWN, RED, ASLEEP = ("has", "colour", "brown"), ("has", "colour", "red"), ("has", "state", "asleep")

LEFT = Stage(
    "left", "m", "park",
    (Actor(1, "a", LOOK, holds=5), Actor(2, "b", CHILD, "sitting", seat=3)),
    (
        Prop(3, "bench", "green"), Prop(4, "dog", "brown", state="asleep"), Prop(5, "umbrella", "red"),
        Prop(6, "dog", "black", "large"), Prop(7, "dining table", "brown", material="wooden"),
        Prop(8, "cup", "white", on=7),
    ),
    {
        1: Spot(0.2, 0.3), 2: Spot(0.5, 0.3), 3: Spot(0.5, 0.3), 4: Spot(0.62, 0.3), 5: Spot(0.2, 0.3),
        6: Spot(0.55, 0.7), 7: Spot(0.9, 0.1), 8: Spot(0.9, 0.1),
    },
)  # fmt: skip
RIGHT = Stage(
    "right", "m", "park", (Actor(1, "a", LOOK, "running"),),
    (Prop(2, "dog", "brown"), Prop(3, "cat", "grey", state="asleep")),
    {1: Spot(0.1, 0.3), 2: Spot(0.5, 0.3), 3: Spot(0.9, 0.3)}, light="night",
)  # fmt: skip


def _all(*parts: Form) -> Form:
    return ("all_of", *parts)


TABLE: list[tuple[Form, bool]] = [
    (("left", ("count", "exactly", 2, DOG)), True),
    (("right", ("count", "exactly", 2, DOG)), False),
    (("pair", ("count", "exactly", 3, DOG)), True),
    (("pair", ("count", "fewer than", 3, DOG)), False),
    (("pair", ("count", "no more than", 3, DOG)), True),
    (("pair", ("count", "more than", 3, ("category", "animal"))), True),
    (("both images", ("some", _all(DOG, BROWN))), True),
    (("both images", ("some", _all(DOG, ASLEEP))), False),
    (("one image", ("some", _all(DOG, ASLEEP))), True),
    (("exactly one image", ("some", _all(DOG, ASLEEP))), True),
    (("exactly one image", ("some", DOG)), False),
    (("neither image", ("some", ("is", "bus"))), True),
    (("left", ("every", DOG, ASLEEP)), False),
    (("right", ("every", CAT, ASLEEP)), True),
    (("left", ("every", CAT, ASLEEP)), False),
    (("right", ("the", DOG, BROWN)), True),
    (("left", ("the", DOG, BROWN)), False),
    (("left", ("the", _all(DOG, ASLEEP), BROWN)), True),
    (("left", ("some", _all(DOG, ("rel", "next_to", BENCH)))), True),
    (("left", ("some", _all(DOG, ("rel", "behind", ("the", BENCH))))), True),
    (("left", ("some", _all(BENCH, ("rel", "in_front_of", DOG)))), True),
    (("left", ("some", _all(DOG, BROWN, ("rel", "behind", BENCH)))), False),
    (("left", ("count", "exactly", 1, _all(PERSON, ("rel", "sits_on", BENCH)))), True),
    (("left", ("every", PERSON, ("rel", "left_of", DOG))), False),
    (("left", ("some", _all(PERSON, ("rel", "holds", _all(("is", "umbrella"), RED))))), True),
    (("left", ("some", _all(("is", "cup"), ("rel", "on", ("has", "material", "wooden"))))), True),
    (("left", ("some", ("rel", "under", ("is", "cup")))), True),
    (("left", ("some", _all(("is", "umbrella"), ("rel", "held_by", ("has", "age", "child"))))), False),
    (("left", ("some", _all(PERSON, ("has", "hat", None)))), True),
    (("right", ("some", _all(PERSON, ("has", "hat", None)))), False),
    (("left", ("some", _all(PERSON, ("related", "exactly", 0, "holds", ("is", "umbrella"))))), True),
    (("right", ("no", _all(PERSON, ("not", ("has", "pose", "running"))))), True),
    (("left", ("more", DOG, CAT)), True),
    (("right", ("more", DOG, CAT)), False),
    (("right", ("as many", DOG, CAT)), True),
    (("right", ("scene", "light", "night")), True),
    (("compare", "more than", DOG), True),
    (("compare", "fewer than", CAT), True),
    (("compare", "as many as", ("any_of", DOG, CAT)), True),
    (("differ", "exactly", 1, DOG), True),
    (("and", ("left", ("some", DOG)), ("right", ("some", ("is", "bus")))), False),
    (("or", ("left", ("some", ("is", "bus"))), ("right", ("some", CAT))), True),
    (("not", ("left", ("or", ("some", CAT), ("no", DOG)))), True),
    (("left", ("and", ("some", DOG), ("not", ("some", CAT)))), True),
]


@pytest.mark.parametrize(("form", "truth"), TABLE, ids=lambda value: str(value)[:60])
def test_a_form_means_what_it_says(form: Form, truth: bool) -> None:
    assert holds_in(form, seen(LEFT), seen(RIGHT)) is truth
    assert from_json(json.loads(json.dumps(form))) == form
    assert holds_in(("not", form), seen(LEFT), seen(RIGHT)) is not truth


def test_only_what_is_visible_counts() -> None:
    two = ("left", ("count", "exactly", 2, DOG))
    assert holds_in(two, visible_facts(LEFT, range(1, 9)), seen(RIGHT))
    assert not holds_in(two, visible_facts(LEFT, {1, 2, 3, 4}), seen(RIGHT))
    assert visible_facts(LEFT, range(1, 9)) == seen(LEFT)
    near = ("left", ("some", _all(DOG, ("rel", "next_to", BENCH))))
    assert not holds_in(near, visible_facts(LEFT, {4, 6}), seen(RIGHT))


@pytest.mark.parametrize(
    ("form", "says"),
    [
        (("middle", ("some", DOG)), "is not a form"),
        (("left", ("lots", DOG)), "is not a claim"),
        (("left", ("some", ("was", "dog"))), "is not a description"),
        (("left", ("count", "about", 2, DOG)), "'about' is no way to count"),
        (("left", ("some", ("has", "smell", "bad"))), "'smell' is no attribute"),
        (("left", ("some", _all(DOG, ("rel", "near", BENCH)))), "'near' is no relation"),
    ],
)
def test_what_is_no_form_is_refused(form: Form, says: str) -> None:
    with pytest.raises(InputError, match=says):
        holds_in(form, seen(LEFT), seen(RIGHT))


def test_forms_tell_what_they_are_about() -> None:
    form = ("one image", ("and", ("count", "exactly", 2, _all(DOG, ("rel", "behind", BENCH))), ("no", CAT)))
    assert mentioned(form) == {"dog", "bench", "cat"}
    assert phenomena(form) == {"cardinality (hard)", "spatial relations", "coordination", "negation"}
    assert reasoning(form) == "existential"
    assert phenomena(("differ", "exactly", 1, DOG)) == {"cardinality (hard)", "comparative"}


NAMES, COLOURS = ("dog", "cat", "bench"), ("brown", "black")
THING = st.tuples(st.sampled_from(NAMES), st.sampled_from(COLOURS), st.integers(0, 19), st.integers(0, 3))
SCENE = st.lists(THING, max_size=6)
KIND = st.tuples(st.sampled_from(NAMES), st.sampled_from(COLOURS))


def _facts(things: list[tuple[Any, ...]]) -> frozenset[Fact]:
    props = tuple(Prop(i, name, colour) for i, (name, colour, _, _) in enumerate(things))
    spots = {i: Spot(x / 20 + i / 1000, deep / 4) for i, (_, _, x, deep) in enumerate(things)}
    return seen(Stage("s", "m", "park", (), props, spots))


def _near(things: list[tuple[Any, ...]], one: int, other: int) -> bool:
    x = abs(things[one][2] / 20 + one / 1000 - things[other][2] / 20 - other / 1000)
    return one != other and x <= 0.16 and abs(things[one][3] - things[other][3]) / 4 < 0.18


@given(SCENE, SCENE, KIND, st.sampled_from(NAMES), st.integers(0, 4))
def test_counting_agrees_with_brute_force(
    left: list[Any], right: list[Any], kind: tuple[str, str], other: str, number: int
) -> None:
    described = _all(("is", kind[0]), ("has", "colour", kind[1]), ("rel", "next_to", ("is", other)))
    counts = []
    for things in (left, right):
        ids = range(len(things))
        others = [j for j in ids if things[j][0] == other]
        counts.append(sum(things[i][:2] == kind and any(_near(things, i, j) for j in others) for i in ids))
    facts = _facts(left), _facts(right)
    claim = ("count", "at least", number, described)
    assert holds_in(("left", claim), *facts) == (counts[0] >= number)
    assert holds_in(("both images", claim), *facts) == (min(counts) >= number)
    assert holds_in(("one image", claim), *facts) == (max(counts) >= number)
    assert holds_in(("exactly one image", claim), *facts) == ((counts[0] >= number) != (counts[1] >= number))
    assert holds_in(("pair", claim), *facts) == (sum(counts) >= number)
    assert holds_in(("compare", "more than", described), *facts) == (counts[0] > counts[1])
    apart = abs(counts[0] - counts[1])
    assert holds_in(("differ", "at most", number, described), *facts) == (apart <= number)


@given(SCENE, st.sampled_from(NAMES), st.sampled_from(COLOURS))
def test_every_and_no_are_duals(things: list[Any], name: str, colour: str) -> None:
    facts, kind, coloured = _facts(things), ("is", name), ("has", "colour", colour)
    every = holds_in(("left", ("every", kind, coloured)), facts, ())
    assert every == all(t[1] == colour for t in things if t[0] == name) & any(t[0] == name for t in things)
    spotless = holds_in(("left", ("no", _all(kind, ("not", coloured)))), facts, ())
    assert every == (spotless and holds_in(("left", ("some", kind)), facts, ()))

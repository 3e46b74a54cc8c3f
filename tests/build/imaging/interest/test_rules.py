"""The papers' rules, at and beside their numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.imaging.interest.rules import DARK, RULES, Rule
from commonsight.build.imaging.sightings import Sighting
from commonsight.errors import InputError


def seen(people: int, others: int, brightness: float | None = 0.5) -> Sighting:
    counts = {label: count for label, count in (("person", people), ("chair", others)) if count}
    return Sighting("a.jpg", None, counts, brightness=brightness)


@pytest.mark.parametrize(
    ("rule", "people", "others", "against"),
    [
        ("vcr", 2, 1, ()),
        ("vcr", 3, 0, ()),
        ("vcr", 2, 0, ("fewer than 3 objects",)),
        ("vcr", 1, 9, ("fewer than 2 people",)),
        ("vcr", 0, 0, ("fewer than 2 people", "fewer than 3 objects")),
        ("aokvqa", 0, 4, ()),
        ("aokvqa", 3, 1, ()),
        ("aokvqa", 1, 2, ("fewer than 4 objects",)),
        ("pmr", 5, 10, ()),
        ("pmr", 6, 0, ("more than 5 people",)),
        ("pmr", 5, 11, ("more than 15 objects",)),
        ("none", 0, 0, ()),
    ],
)
def test_the_papers_numbers(rule: str, people: int, others: int, against: tuple[str, ...]) -> None:
    assert RULES[rule].rule.against(seen(people, others)) == against


def test_dark_pictures_are_left_out_by_pmr() -> None:
    rule = RULES["pmr"].rule
    assert rule.against(seen(1, 1, DARK)) == ()
    assert rule.against(seen(1, 1, DARK - 0.001)) == ("darker than 0.15",)


def test_brightness_that_nobody_measured_is_asked_for() -> None:
    with pytest.raises(InputError, match=r"a\.jpg: nobody has measured how bright it is"):
        RULES["pmr"].rule.against(seen(1, 1, None))
    assert RULES["vcr"].rule.against(seen(2, 2, None)) == ()


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 9), st.integers(0, 9))
def test_more_is_never_too_few_and_fewer_never_too_many(
    people: int, others: int, more: int, bound: int
) -> None:
    least, most = Rule(least_people=bound, least_objects=bound), Rule(most_people=bound, most_objects=bound)
    if not least.against(seen(people, others)):
        assert not least.against(seen(people + more, others))
    if not most.against(seen(people + more, others)):
        assert not most.against(seen(people, others))

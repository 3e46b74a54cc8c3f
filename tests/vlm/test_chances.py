"""Probabilities of candidates, or none."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.vlm.chances import Alternative, chances


def told(**logprobs: float) -> list[Alternative]:
    return [Alternative(token.replace("_", " "), logprob) for token, logprob in logprobs.items()]


def test_candidates_are_compared_among_themselves() -> None:
    assert chances(told(A=math.log(0.6), B=math.log(0.2), The=math.log(0.1)), ("A", "B")) == pytest.approx(
        (0.75, 0.25)
    )


def test_spellings_of_one_candidate_add_up() -> None:
    alternatives = told(A=math.log(0.3), _A=math.log(0.3), B=math.log(0.2))
    assert chances(alternatives, ("A", "B")) == pytest.approx((0.75, 0.25))


def test_a_token_may_be_the_beginning_of_one_candidate() -> None:
    assert chances(told(Tr=math.log(0.3), False_=math.log(0.1)), ("True", "False")) == pytest.approx(
        (0.75, 0.25)
    )


@pytest.mark.parametrize(
    ("alternatives", "candidates"),
    [
        (told(A=-1.0), ("A", "B")),
        (told(T=-1.0), ("True", "Trust")),
        (told(a=-1.0, b=-1.0), ("A", "B")),
        (told(Apple=-1.0, B=-1.0), ("A", "B")),
        (told(_=-1.0), ("A",)),
        ([], ("A",)),
        (told(A=-1.0), ()),
        (told(A=float("nan"), B=-1.0), ("A", "B")),
        (told(A=float("-inf"), B=-1.0), ("A", "B")),
    ],
)
def test_where_not_all_can_be_read_nothing_is_said(
    alternatives: list[Alternative], candidates: tuple[str, ...]
) -> None:
    assert chances(alternatives, candidates) is None


def test_a_candidate_that_begins_another_is_itself() -> None:
    assert chances(told(A=-1.0, AB=-1.0), ("A", "AB")) == (0.5, 0.5)


@given(st.lists(st.floats(-20, 0), min_size=2, max_size=8))
def test_they_sum_to_one(logprobs: list[float]) -> None:
    letters = tuple("ABCDEFGH"[: len(logprobs)])
    given_ = chances([Alternative(*pair) for pair in zip(letters, logprobs, strict=True)], letters)
    assert given_ is not None
    assert sum(given_) == pytest.approx(1)
    assert sorted(range(len(letters)), key=given_.__getitem__)[-1] in [
        place for place, one in enumerate(logprobs) if one == pytest.approx(max(logprobs))
    ]

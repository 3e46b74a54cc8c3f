"""What asking in several ways tells, held against counting by hand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.answer import Answer, Pick, Unparsed
from commonsight.runs.checks import Places, circular, pass_at, positions, repeated
from commonsight.store.runs import AnswerLine

PLACES = Places({"mc": {"a": 0, "b": 2}}, {"mc": {"a": 4, "b": 4}})


def line(item: str, task: str, place: int | None) -> AnswerLine:
    answer: Answer = Unparsed("hm") if place is None else Pick(place)
    return AnswerLine(item, task, answer)


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(rights: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(rights)))
    draws = list(combinations(rights, k))
    expected = sum(map(any, draws)) / len(draws)
    assert pass_at(k, len(rights), sum(rights)) == pytest.approx(expected)


def test_an_item_is_right_in_a_circle_only_if_right_at_every_rotation() -> None:
    lines = [line("a", f"mc~{turn}" if turn else "mc", 0) for turn in range(4)]
    lines += [line("b", f"mc~{turn}" if turn else "mc", 2 if turn < 3 else None) for turn in range(4)]
    found = circular(lines, PLACES, 0.95)["mc"]
    assert (found.k, found.n) == (1, 2)


def test_an_item_that_was_not_asked_at_every_rotation_is_left_out_of_the_circle() -> None:
    lines = [line("a", task, 0) for task in ("mc", "mc~1", "mc~2", "mc~3")] + [line("b", "mc", 2)]
    found = circular(lines, PLACES, 0.95)["mc"]
    assert (found.k, found.n) == (1, 1)


def test_without_rotations_there_is_no_circle() -> None:
    assert circular([line("a", "mc", 0)], PLACES, 0.95) == {}


def test_positions_are_those_that_the_model_saw() -> None:
    lines = [line("a", "mc", 0), line("a", "mc~1", 1), line("a", "mc~3", 3), line("b", "mc", None)]
    assert positions(lines, PLACES) == {"mc": (1.0, 0.0, 0.0, 0.0)}


def test_repeats_are_counted_on_items_that_were_asked_every_time() -> None:
    lines = [line("a", task, place) for task, place in (("mc", 0), ("mc#1", 1), ("mc#2", 0))]
    lines += [line("b", "mc", 2), line("b", "mc#1", 2)]
    found = repeated(lines, PLACES, 0.95)["mc"]
    assert found.epochs == 3
    assert found.mean == pytest.approx(2 / 3)
    assert found.pass_at == {"1": pytest.approx(2 / 3), "2": pytest.approx(1.0), "3": pytest.approx(1.0)}
    assert (found.unsteady.k, found.unsteady.n) == (1, 1)

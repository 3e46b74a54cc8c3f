"""Overlapping boxes: the surest stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.imaging.suppression import surest
from commonsight.core.scene import Box
from commonsight.graph.boxes import overlap, overlaps

BOX = st.tuples(*(st.integers(0, 12) for _ in range(4)), st.integers(0, 1), st.integers(0, 5)).map(
    lambda t: (t[0], t[1], t[0] + t[2] + 1, t[1] + t[3] + 1, t[4], t[5] / 5)
)


def by_hand(boxes: list[Box], labels: list[int], scores: list[float], over: float) -> list[int]:
    kept: list[int] = []
    for place in sorted(range(len(boxes)), key=lambda at: (-scores[at], at)):
        if all(
            labels[place] != labels[other] or overlap(boxes[place], boxes[other]) <= over for other in kept
        ):
            kept.append(place)
    return kept


@given(st.lists(BOX, max_size=12), st.sampled_from((0.0, 0.3, 0.5, 0.9)))
def test_it_keeps_what_going_through_them_one_by_one_keeps(
    rows: list[tuple[float, ...]], over: float
) -> None:
    table = np.array(rows, np.float64).reshape(-1, 6)
    labels = table[:, 4].astype(int)
    kept = surest(table[:, :4], table[:, 5], labels, overlap=over)
    boxes = [Box(*row[:4]) for row in rows]
    assert kept.tolist() == by_hand(boxes, labels.tolist(), table[:, 5].tolist(), over)


@given(st.lists(BOX, min_size=1, max_size=6))
def test_overlaps_of_many_are_those_of_two(rows: list[tuple[float, ...]]) -> None:
    table = np.array(rows, np.float64)[:, :4]
    found = overlaps(table, table)
    for one, row in enumerate(rows):
        for other, column in enumerate(rows):
            assert abs(found[one, other] - overlap(Box(*row[:4]), Box(*column[:4]))) < 1e-12


def test_boxes_without_an_area_overlap_nothing() -> None:
    flat = np.array([(3.0, 3.0, 3.0, 9.0)])
    assert overlaps(flat, flat).tolist() == [[0.0]]


def test_no_more_than_wanted_are_kept() -> None:
    boxes = np.array([(10.0 * n, 0, 10 * n + 5, 5) for n in range(6)])
    assert surest(boxes, np.arange(6) / 6, np.zeros(6, int), most=2).tolist() == [5, 4]

"""Pictures on a canvas: where they are, and back again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonsight.build.imaging.canvas import GREY, fitted, next_multiple

SIDES = st.integers(1, 300)


@given(SIDES, SIDES, st.sampled_from((32, 64, 96)), st.sampled_from((32, 64, 128)))
def test_boxes_come_back_as_they_were(wide: int, tall: int, across: int, down: int) -> None:
    fit = fitted(np.zeros((tall, wide, 3), np.uint8), (across, down))
    assert fit.pixels.shape == (down, across, 3)
    boxes = np.array([(0.0, 0.0, wide, tall), (wide / 4, tall / 3, wide / 2, tall / 2)])
    placed = fit.placed.on_canvas(boxes)
    assert (placed >= -1).all()
    assert (placed[:, [0, 2]] <= across + 1).all()
    assert (placed[:, [1, 3]] <= down + 1).all()
    np.testing.assert_allclose(fit.placed.in_picture(placed, wide, tall), boxes, atol=1e-6)


def test_the_picture_is_in_the_middle_and_grey_is_around() -> None:
    fit = fitted(np.full((10, 40, 3), 200, np.uint8), (80, 60))
    assert (fit.placed.scale, fit.placed.left, fit.placed.top) == (2.0, 0, 20)
    assert (fit.pixels[20:40] == 200).all()
    assert (fit.pixels[:20] == GREY).all()
    assert (fit.pixels[40:] == GREY).all()


def test_boxes_beyond_the_edge_are_cut() -> None:
    fit = fitted(np.zeros((20, 20, 3), np.uint8), (20, 20))
    assert fit.placed.in_picture(np.array([(-5.0, 3.0, 90.0, 9.0)]), 20, 20).tolist() == [
        [0.0, 3.0, 20.0, 9.0]
    ]


def test_the_next_multiple_is_never_zero() -> None:
    assert [next_multiple(length, 32) for length in (0, 1, 32, 32.5, 65)] == [32, 32, 32, 64, 96]

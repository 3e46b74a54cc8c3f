"""Masks as polygons: drawn again they cover what the mask covered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from commonsight.build.imaging.outlines import pasted, polygons


def drawn_again(
    found: tuple[tuple[tuple[float, float], ...], ...], wide: int, tall: int
) -> NDArray[np.bool_]:
    """At eight times the size, so that half pixels count."""
    canvas = Image.new("L", (8 * wide, 8 * tall))
    for polygon in found:
        ImageDraw.Draw(canvas).polygon([(8 * x, 8 * y) for x, y in polygon], fill=255)
    return np.asarray(canvas.resize((wide, tall), Image.Resampling.BOX)) > 127


@given(st.integers(0, 20), st.integers(0, 20), st.integers(3, 20), st.integers(3, 20))
def test_a_rectangle_is_itself(left: int, top: int, wide: int, tall: int) -> None:
    mask = np.zeros((42, 44))
    mask[top : top + tall, left : left + wide] = 1
    (found,) = polygons(mask)
    corners = np.array(found)
    np.testing.assert_allclose(corners.min(axis=0), (left, top), atol=0.51)
    np.testing.assert_allclose(corners.max(axis=0), (left + wide, top + tall), atol=0.51)
    again = drawn_again((found,), 44, 42)
    # A corner of a rectangle is cut off, by half a pixel.
    assert (again ^ (mask > 0)).sum() <= 4


def test_two_parts_are_two_polygons_the_larger_first_and_crumbs_are_none() -> None:
    mask = np.zeros((60, 60))
    mask[2:8, 2:8], mask[20:50, 20:50], mask[55, 55] = 1, 1, 1
    found = polygons(mask)
    assert len(found) == 2
    assert min(x for x, _ in found[0]) > 15
    assert max(x for x, _ in found[1]) < 10


def test_a_hole_is_filled() -> None:
    mask = np.ones((30, 30))
    mask[10:20, 10:20] = 0
    assert drawn_again(polygons(mask), 30, 30)[15, 15]


def test_an_empty_mask_has_no_outline() -> None:
    assert polygons(np.zeros((9, 9))) == ()


def test_a_mask_of_a_box_is_put_where_the_box_is() -> None:
    whole = pasted(np.ones((28, 28)), (4.0, 6.0, 14.0, 10.0), 20, 12)
    assert whole.shape == (12, 20)
    assert np.flatnonzero(whole.any(axis=0)).tolist() == list(range(4, 14))
    assert np.flatnonzero(whole.any(axis=1)).tolist() == list(range(6, 10))


@pytest.mark.parametrize("box", [(-5.0, -5.0, 3.0, 3.0), (15.0, 8.0, 40.0, 40.0), (-9.0, -9.0, 90.0, 90.0)])
def test_a_mask_of_a_box_beyond_the_edge_is_cut(box: tuple[float, float, float, float]) -> None:
    whole = pasted(np.ones((28, 28)), box, 20, 12)
    left, top, right, bottom = np.clip(box, 0, (20, 12, 20, 12))
    assert whole.sum() == pytest.approx((right - left) * (bottom - top))

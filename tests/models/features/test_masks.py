"""How much of each part of its box an object covers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from commonsight.core.scene import Box, Polygon
from commonsight.models.features.batch import Seen
from commonsight.models.features.examples import Example, SeenObject, Spoken
from commonsight.models.features.masks import object_mask, with_masks
from commonsight.models.layers.object_masks import pool_masks

BOX = Box(10, 20, 38, 76)


def _rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def test_an_outline_that_fills_half_of_its_box() -> None:
    found = object_mask(SeenObject("x", BOX, (_rectangle(10, 20, 24, 76),)))
    assert found.shape == (14, 14)
    assert found[:, :6].min() == 1
    assert found[:, 8:].max() == 0
    assert found.mean() == pytest.approx(0.5, abs=0.01)


def test_it_is_about_what_pooling_the_painted_mask_gives() -> None:
    outline: Polygon = ((12, 22), (36, 40), (30, 74), (11, 60))
    found = object_mask(SeenObject("x", BOX, (outline,)))
    y, x = torch.meshgrid(torch.arange(80) + 0.5, torch.arange(40) + 0.5, indexing="ij")
    inside = torch.ones(80, 40, dtype=torch.bool)
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
    pooled = pool_masks(inside[None].float(), torch.tensor([[10.0, 20.0, 38.0, 76.0]]))[0]
    assert np.abs(found - pooled.numpy()).mean() < 0.03


def test_several_outlines_are_one_object() -> None:
    both = object_mask(SeenObject("x", BOX, (_rectangle(10, 20, 17, 76), _rectangle(31, 20, 38, 76))))
    assert both[:, 0].min() == both[:, 13].min() == 1
    assert both[:, 5:9].max() == 0


@pytest.mark.parametrize(
    ("box", "polygons"),
    [
        (None, None),
        (BOX, None),
        (BOX, ()),
        (BOX, (((1, 1), (2, 2)),)),
        (Box(5, 5, 5, 9), (_rectangle(5, 5, 5, 9),)),
        (Box(float("nan"), 5, 6, 9), (_rectangle(5, 5, 5, 9),)),
    ],
)
def test_without_an_outline_it_fills_its_box(box: Box | None, polygons: tuple[Polygon, ...] | None) -> None:
    assert (object_mask(SeenObject("x", box, polygons)) == 1).all()


def test_masks_become_a_batch() -> None:
    text = Spoken(("a",), (0,))
    half = SeenObject("x", BOX, (_rectangle(10, 20, 24, 76),))
    one = Example("1", "t", None, (40, 80), text, (text,), (SeenObject("image", BOX), half), (0,))
    other = Example("2", "t", None, (40, 80), text, (text,), (SeenObject("image", BOX),), ())
    mask = torch.tensor([[True, True], [True, False]])
    found = with_masks(Seen(mask, torch.zeros(2, 2, 4), mask.long()), [one, other]).masks
    assert found is not None
    assert found.shape == (2, 2, 14, 14)
    assert found.mean(dim=(2, 3)).tolist() == [[1, pytest.approx(0.5, abs=0.01)], [1, 0]]

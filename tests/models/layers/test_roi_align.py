"""RoIAlign against loops over bins and points, values and gradients; masks within boxes."""

from __future__ import annotations

import math
from typing import NamedTuple

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator, Tensor

from commonsight.errors import InputError
from commonsight.models.layers.object_masks import MaskOverlay, pool_masks
from commonsight.models.layers.roi_align import roi_align


def normal(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed), dtype=torch.float64)


def between(feature_map: Tensor, y: float, x: float) -> Tensor:
    """(channel, height, width) at one point: zero beyond one pixel outside, else from the nearest four."""
    height, width = feature_map.shape[1:]
    if not (-1 <= y <= height and -1 <= x <= width):
        return feature_map[:, 0, 0] * 0  # still joined to the map
    y, x = min(max(y, 0.0), height - 1.0), min(max(x, 0.0), width - 1.0)
    top, left = int(y), int(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    down, across = y - top, x - left
    upper = (1 - across) * feature_map[:, top, left] + across * feature_map[:, top, right]
    lower = (1 - across) * feature_map[:, bottom, left] + across * feature_map[:, bottom, right]
    return (1 - down) * upper + down * lower


def slow_box(
    feature_map: Tensor,
    box: list[float],
    size: tuple[int, int],
    scale: float,
    samples: int | None,
    aligned: bool,
) -> Tensor:
    """One box by the definition: (channel, height, width) -> (channel, *size)."""
    shift = 0.5 if aligned else 0.0
    left, top, right, bottom = (side * scale for side in box)
    width, height = right - left, bottom - top
    if not aligned:
        width, height = max(width, 1.0), max(height, 1.0)
    bin_height, bin_width = height / size[0], width / size[1]
    down = samples or max(math.ceil(bin_height), 1)
    across = samples or max(math.ceil(bin_width), 1)
    rows = []
    for row in range(size[0]):
        for column in range(size[1]):
            total = feature_map[:, 0, 0] * 0
            for i in range(down):
                for j in range(across):
                    y = top - shift + (row + (i + 0.5) / down) * bin_height
                    x = left - shift + (column + (j + 0.5) / across) * bin_width
                    total = total + between(feature_map, y, x)
            rows.append(total / (down * across))
    return torch.stack(rows, dim=1).reshape(-1, *size)


class Case(NamedTuple):
    map_size: tuple[int, int]
    boxes: list[list[float]]
    image_of: list[int]
    size: tuple[int, int]
    scale: float
    samples: int | None
    aligned: bool


# Sixteenths are exact in binary, so that both versions agree on which side of a border a point lies.
sides = st.integers(-160, 320).map(lambda sixteenths: sixteenths / 16)


@st.composite
def box(draw: st.DrawFn) -> list[float]:
    """Anywhere on or beyond a map of a few pixels; a quarter are empty along a side."""
    left, top, wide, high = draw(sides), draw(sides), draw(st.integers(0, 200)), draw(st.integers(0, 200))
    return [left, top, left + max(wide - 50, 0) / 16, top + max(high - 50, 0) / 16]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    boxes = draw(st.lists(box(), max_size=4))
    return Case(
        map_size=(draw(st.integers(1, 6)), draw(st.integers(1, 6))),
        boxes=boxes,
        image_of=[draw(st.integers(0, 2)) for _ in boxes],
        size=draw(st.sampled_from([(1, 1), (2, 2), (1, 4), (4, 2)])),  # powers of two, for the same reason
        scale=draw(st.sampled_from([1.0, 0.5, 0.25])),
        samples=draw(st.sampled_from([1, 2, 4])),
        aligned=draw(st.booleans()),
    )


def both(case: Case, features: Tensor) -> tuple[Tensor, Tensor]:
    """What the layer says, and what the loops say."""
    quick = roi_align(
        features,
        torch.tensor(case.boxes, dtype=torch.float64).reshape(-1, 4),
        torch.tensor(case.image_of, dtype=torch.long),
        size=case.size,
        scale=case.scale,
        samples=case.samples,
        aligned=case.aligned,
    )
    rows = [
        slow_box(features[image], one, case.size, case.scale, case.samples, case.aligned)
        for one, image in zip(case.boxes, case.image_of, strict=True)
    ]
    return quick, torch.stack(rows) if rows else features.new_zeros((0, features.shape[1], *case.size))


def compare(case: Case) -> None:
    features = normal(3, 2, *case.map_size).requires_grad_()
    quick, slow = both(case, features)
    torch.testing.assert_close(quick, slow, rtol=1e-9, atol=1e-9)
    (gradient,) = torch.autograd.grad((quick * normal(*quick.shape, seed=2)).sum(), features)
    if not case.boxes:
        assert not gradient.any()
        return
    (expected,) = torch.autograd.grad((slow * normal(*slow.shape, seed=2)).sum(), features, allow_unused=True)
    torch.testing.assert_close(
        gradient, torch.zeros_like(features) if expected is None else expected, rtol=1e-9, atol=1e-9
    )


@given(cases())
def test_values_and_gradients_are_those_of_the_loops(case: Case) -> None:
    compare(case)


@given(cases())
def test_with_as_many_points_as_pixels_too(case: Case) -> None:
    """Three points in a bin can lie a rounding error from the border; boxes a little aside lie not."""
    compare(case._replace(samples=None, boxes=[[side + 0.0123 for side in one] for one in case.boxes]))


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("samples", [2, None])
@pytest.mark.parametrize(
    "sides",
    [
        [3.0, 3.0, 3.0, 3.0],
        [0.0, 2.0, 8.0, 2.0],
        [-9.0, -9.0, 20.0, 20.0],
        [-40.0, 1.0, -30.0, 5.0],
        [7.5, 7.5, 8.0, 8.0],
        [0.0, 0.0, 8.0, 8.0],
        [8.0, 8.0, 8.0, 8.0],
    ],
    ids=["empty", "line", "larger", "outside", "corner", "whole", "empty-corner"],
)
def test_boxes_at_the_limits(sides: list[float], samples: int | None, aligned: bool) -> None:
    compare(Case((8, 8), [sides], [1], (4, 4), 1.0, samples, aligned))


def test_an_even_slope_is_read_exactly() -> None:
    """Where pixels are worth their middle, so are bins; the first version is half a pixel off."""
    middles = torch.arange(16.0).double() + 0.5
    slope = torch.stack((middles.expand(16, 16), middles[:, None].expand(16, 16)))[None]
    one, zero = torch.tensor([[3.2, 5.0, 9.6, 7.2]]).double(), torch.tensor([0])
    second = roi_align(slope, one, zero, size=(2, 4), scale=1.0, samples=3)
    assert second[0, 0, 0].tolist() == pytest.approx([4.0, 5.6, 7.2, 8.8], abs=1e-6)
    assert second[0, 1, :, 0].tolist() == pytest.approx([5.55, 6.65], abs=1e-6)
    first = roi_align(slope, one, zero, size=(2, 4), scale=1.0, samples=3, aligned=False)
    torch.testing.assert_close(first, second + 0.5)


@pytest.mark.parametrize(("x", "value"), [(-0.5, 3.0), (-0.51, 0.0), (4.5, 7.0), (4.51, 0.0)])
def test_the_border_holds_for_one_pixel_and_no_further(x: float, value: float) -> None:
    """An empty box is one point. In the features' indices, x is half a pixel less: -1 and 4 still count."""
    features = torch.tensor([3.0, 5.0, 6.0, 7.0]).double().expand(1, 1, 4, 4)
    point = torch.tensor([[x, 2.0, x, 2.0]], dtype=torch.float64)
    read = roi_align(features, point, torch.tensor([0]), size=(1, 1), scale=1.0, samples=1)
    assert read.item() == value


def test_images_have_their_own_boxes_in_any_order() -> None:
    features, boxes = normal(3, 2, 6, 7), torch.tensor([[0.0, 0.0, 9.0, 9.0], [4.0, 2.0, 8.0, 12.0]]).double()
    four, image_of = boxes[[0, 1, 0, 1]], torch.tensor([2, 0, 0, 2])
    out = roi_align(features, four, image_of, size=(3, 3), scale=0.5, samples=2)
    for place in range(4):
        own, zero = features[image_of[place]][None], torch.tensor([0])
        alone = roi_align(own, four[place][None], zero, size=(3, 3), scale=0.5, samples=2)
        torch.testing.assert_close(out[place], alone[0])
    order = torch.tensor([2, 0, 3, 1])
    turned = roi_align(features, four[order], image_of[order], size=(3, 3), scale=0.5, samples=2)
    torch.testing.assert_close(turned, out[order])


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_lower_precision_loses_the_features_digits_and_no_places(kind: torch.dtype) -> None:
    features, boxes = normal(1, 2, 40, 60).to(kind), torch.tensor([[101.3, 77.7, 900.1, 612.9]])
    places = torch.zeros(1, dtype=torch.long)
    low = roi_align(features, boxes, places, size=(7, 7), scale=1 / 16, samples=2)
    high = roi_align(features.double(), boxes.double(), places, size=(7, 7), scale=1 / 16, samples=2)
    assert low.dtype == kind
    torch.testing.assert_close(low.double(), high, rtol=0, atol=1e-5 if kind == torch.float32 else 1e-2)


def test_gradcheck() -> None:
    features = normal(2, 1, 3, 4).requires_grad_()
    boxes = torch.tensor([[-2.0, 0.3, 2.7, 2.1], [1.0, 1.0, 9.0, 2.0], [0.2, 0.2, 0.2, 0.2]]).double()
    image_of = torch.tensor([1, 0, 1])
    assert torch.autograd.gradcheck(
        lambda given: roi_align(given, boxes, image_of, size=(2, 2), scale=1.0, samples=2), (features,)
    )


def test_wrong_boxes_are_told() -> None:
    features, zero = normal(1, 1, 4, 4), torch.tensor([0])
    for sides in ([3.0, 0.0, 1.0, 2.0], [0.0, 3.0, 1.0, 2.0], [0.0, 0.0, math.nan, 2.0], [0, 0, math.inf, 1]):
        with pytest.raises(InputError, match=r"Box 0 is \[.*right is at least left, and bottom at least top"):
            roi_align(features, torch.tensor([sides]), zero, size=(2, 2), scale=1.0, samples=2)
    good = torch.tensor([[0.0, 0.0, 1.0, 1.0]])
    with pytest.raises(ValueError, match=r"boxes \[0\] are of images that are not among the 1"):
        roi_align(features, good, torch.tensor([-1]), size=(2, 2), scale=1.0, samples=2)
    with pytest.raises(ValueError, match=r"give \(box, 4\) and \(box\)"):
        roi_align(features, good, torch.tensor([0, 0]), size=(2, 2), scale=1.0, samples=2)
    with pytest.raises(ValueError, match="samples is 0"):
        roi_align(features, good, zero, size=(2, 2), scale=1.0, samples=0)


def test_a_mask_is_pooled_within_its_own_box() -> None:
    masks = torch.zeros(2, 40, 60, dtype=torch.bool)
    masks[0, 10:24, 20:34] = True  # fills the left upper quarter of its box
    masks[1, 5:9] = True  # a band through the middle of its box
    boxes = torch.tensor([[20.0, 10.0, 48.0, 38.0], [0.0, 0.0, 60.0, 14.0]])
    pooled = pool_masks(masks, boxes)
    assert pooled.shape == (2, 14, 14)
    assert pooled[0, :6, :6].eq(1).all()
    assert pooled[0, 8:].eq(0).all()
    assert pooled[0, :, 8:].eq(0).all()
    assert float(pooled[0].mean()) == pytest.approx(0.25, abs=0.01)
    torch.testing.assert_close(pooled[1].mean(dim=1), torch.tensor([0.0] * 5 + [1.0] * 4 + [0.0] * 5))
    assert pool_masks(masks[:0], boxes[:0], size=(7, 7)).shape == (0, 7, 7)


def test_no_part_of_a_mask_is_stepped_over() -> None:
    stripes = torch.zeros(1, 6, 42, dtype=torch.bool)
    stripes[:, :, ::3] = True  # at the side of every bin, which is three pixels wide
    pooled = pool_masks(stripes, torch.tensor([[0.0, 0.0, 42.0, 6.0]]), size=(2, 14))
    torch.testing.assert_close(pooled, torch.full((1, 2, 14), 1 / 3))


@pytest.mark.parametrize("stride", [1, 2])
def test_an_overlay_adds_to_the_first_channels_alone(stride: int) -> None:
    overlay, regions = MaskOverlay(3, stride=stride).double(), normal(2, 5, 7, 7)
    masks = torch.rand(2, 7 * stride, 7 * stride, generator=Generator().manual_seed(4))
    out = overlay(regions, masks)
    assert torch.equal(out[:, 3:], regions[:, 3:])
    torch.testing.assert_close(out[:, :3] - regions[:, :3], overlay.paint(masks.double()[:, None] - 0.5))
    blank = overlay(regions, torch.full_like(masks, 0.5))
    torch.testing.assert_close(blank[:, :3], regions[:, :3] + overlay.paint.bias[:, None, None])
    out.square().sum().backward()
    assert all(weight.grad is not None and weight.grad.any() for weight in overlay.parameters())


def test_an_overlay_of_another_size_is_told() -> None:
    with pytest.raises(ValueError, match=r"masks become \(14, 14\), the features are \(7, 7\)"):
        MaskOverlay(3, stride=1)(torch.zeros(1, 5, 7, 7), torch.zeros(1, 14, 14))

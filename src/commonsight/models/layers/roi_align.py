"""RoIAlign: each box of a feature map as a grid of a fixed size, read between the pixels.

A box is cut into bins, each bin is sampled at a few evenly spaced points by bilinear interpolation, and a
bin's value is the mean of its points (He et al., 2017). Nothing is rounded. The reading is `grid_sample`'s;
what is here is where to read.

At the border: the value at index 0 or size - 1 holds for one pixel beyond the index (from -1 to size, both
included), and further out everything is zero, as Mask R-CNN's own implementations have it. Such zeros count
in the mean.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import grid_sample

from commonsight.errors import InputError


def roi_align(
    features: Tensor,
    boxes: Tensor,
    image_of: Tensor,
    *,
    size: tuple[int, int],
    scale: float,
    samples: int | None,
    aligned: bool = True,
) -> Tensor:
    """(image, channel, height, width), (box, 4) and (box) -> (box, channel, *size).

    A box is left, top, right, bottom in pixels of the image, `scale` times which are those of the features;
    `image_of` is the number of its image, so that images may have any number of boxes, or none. `samples` is
    the number of points along each side of a bin; None takes as many as the bin has pixels, rounded up.
    `aligned` is the second version, which knows that a pixel's value stands at its middle and shifts by half
    a pixel; the first does not, and widens boxes under one pixel to one. An empty box is read at its one
    point.
    """
    _check(boxes, image_of, len(features), samples)
    # Half precision is too coarse for places on a map of more than a few dozen pixels.
    exact = torch.promote_types(features.dtype, torch.float32)
    corners = boxes.to(exact) * scale
    start, extent = corners[:, :2], corners[:, 2:] - corners[:, :2]  # (box, 2) each: x, y
    start, extent = (start - 0.5, extent) if aligned else (start, extent.clamp(min=1.0))
    per_bin = extent / extent.new_tensor((size[1], size[0]))
    groups = _groups(image_of, _counts(per_bin, samples))
    # One map at a time, so that none is copied for each of its boxes; unbind's gradient is one stack of them.
    maps = features.unbind(0)
    pooled = [features[:0, :, :1, :1].expand(-1, -1, *size)]  # so that no box at all has a gradient too
    for (image, across, down), chosen in groups.items():
        x = _points(start[chosen, 0], per_bin[chosen, 0], size[1], across)
        y = _points(start[chosen, 1], per_bin[chosen, 1], size[0], down)
        read = _read(maps[image].to(exact), x, y)
        bins = read.reshape(len(chosen), -1, size[0], down, size[1], across)
        pooled.append(bins.mean(dim=(3, 5)).to(features.dtype))
    order = torch.tensor([box for chosen in groups.values() for box in chosen], dtype=torch.long)
    return torch.cat(pooled)[order.argsort().to(features.device)]


def _groups(image_of: Tensor, counts: Tensor) -> dict[tuple[int, int, int], list[int]]:
    """The boxes that can be read at once: of one image, with as many points along x and along y."""
    groups: dict[tuple[int, int, int], list[int]] = {}
    for box, (image, (across, down)) in enumerate(zip(image_of.tolist(), counts.tolist(), strict=True)):
        groups.setdefault((image, across, down), []).append(box)
    return groups


def _counts(per_bin: Tensor, samples: int | None) -> Tensor:
    """Points along x and y for each box: (box, 2)."""
    if samples is not None:
        return torch.full_like(per_bin, samples, dtype=torch.long)
    return per_bin.ceil().long().clamp(min=1)


def _points(start: Tensor, per_bin: Tensor, bins: int, count: int) -> Tensor:
    """Where to read along one side, evenly within each bin: (box) -> (box, bins x count)."""
    steps = (torch.arange(bins * count, device=start.device, dtype=start.dtype) + 0.5) / count
    return start[:, None] + steps * per_bin[:, None]


def _read(feature_map: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """(channel, height, width) at every y and x: (box, x), (box, y) -> (box, channel, y, x)."""
    channels, height, width = feature_map.shape
    boxes, columns, rows = len(x), x.shape[1], y.shape[1]
    across, down = (2 * x + 1) / width - 1, (2 * y + 1) / height - 1  # -1 and 1 are the outer edges
    where = torch.stack(
        (across[:, None, :].expand(-1, rows, -1), down[:, :, None].expand(-1, -1, columns)), dim=-1
    ).reshape(1, boxes * rows, columns, 2)
    read = grid_sample(feature_map[None], where, padding_mode="border", align_corners=False)
    inside = _within(y, height)[:, :, None] & _within(x, width)[:, None, :]  # (box, y, x)
    return read.reshape(channels, boxes, rows, columns).transpose(0, 1).masked_fill(~inside[:, None], 0.0)


def _within(points: Tensor, size: int) -> Tensor:
    return (points >= -1.0) & (points <= size)


def _check(boxes: Tensor, image_of: Tensor, images: int, samples: int | None) -> None:
    if boxes.ndim != 2 or boxes.shape[1] != 4 or image_of.shape != boxes.shape[:1]:
        raise ValueError(
            f"boxes have the shape {tuple(boxes.shape)} and their images {tuple(image_of.shape)}; "
            "give (box, 4) and (box)"
        )
    if samples is not None and samples < 1:
        raise ValueError(f"samples is {samples}; give at least 1, or None for as many as a bin has pixels")
    lost = ((image_of < 0) | (image_of >= images)).nonzero().squeeze(1).tolist()
    if lost:
        raise ValueError(f"boxes {lost[:5]} are of images that are not among the {images}")
    fair = boxes.isfinite().all(dim=1) & (boxes[:, 2:] >= boxes[:, :2]).all(dim=1)
    if not bool(fair.all()):
        number = int((~fair).nonzero()[0])
        raise InputError(
            f"Box {number} is {boxes[number].tolist()}. Give left, top, right and bottom, in this order: "
            "right is at least left, and bottom at least top."
        )

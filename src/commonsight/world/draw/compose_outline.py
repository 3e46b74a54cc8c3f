"""From a map of entity numbers to boxes and polygons, for all entities in one pass.

Each row of the map is a list of runs (pixels of one entity side by side). Two runs that touch each other,
and no other run of their entity in the other's row, belong together; such chains are the polygons. So a
table's top and its legs become one polygon each, holes stay holes, and no entity costs a scan of the whole
picture.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Polygon = tuple[tuple[float, float], ...]
Box = tuple[int, int, int, int]

ROWS = 12
"""How many rows of a chain become corners at least, if it has them."""
JUMP = 3
"""Corners also go where an edge moves by this many pixels from one row to the next."""
CRUMB = 0.012
"""Chains smaller than this share of their entity are left out."""


class Outline(NamedTuple):
    """What can be seen of one entity."""

    box: Box
    """Left, top, right, bottom; right and bottom are just outside."""
    polygons: tuple[Polygon, ...]
    area: int
    """In pixels."""


class _Runs(NamedTuple):
    """Sorted by entity, then row, then column."""

    label: Ints
    row: Ints
    start: Ints
    end: Ints


def outlines(numbers: NDArray[np.uint8]) -> dict[int, Outline]:
    """Box, polygons and area of every number on the map but 0."""
    runs = _find_runs(numbers)
    if not runs.label.size:
        return {}
    first = np.flatnonzero(np.r_[True, runs.label[1:] != runs.label[:-1]])
    areas = np.add.reduceat(runs.end - runs.start, first)
    boxes = np.stack(
        [
            np.minimum.reduceat(runs.start, first), np.minimum.reduceat(runs.row, first),
            np.maximum.reduceat(runs.end, first), np.maximum.reduceat(runs.row, first) + 1,
        ],
        axis=1,
    ).tolist()  # fmt: skip
    labels = runs.label[first].tolist()
    floor = np.zeros(256, dtype=np.int64)
    floor[labels] = np.maximum(3, areas * CRUMB)
    polygons = _polygons(runs, *_chains(runs, numbers.shape), floor)
    return {
        label: Outline((box[0], box[1], box[2], box[3]), tuple(polygons.get(label) or [_frame(box)]), area)
        for label, box, area in zip(labels, boxes, areas.tolist(), strict=True)
    }


def _frame(box: list[int]) -> Polygon:
    """The box itself: for an entity of which only crumbs can be seen."""
    left, top, right, bottom = map(float, box)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _find_runs(numbers: NDArray[np.uint8]) -> _Runs:
    height, width = numbers.shape
    padded = np.zeros((height, width + 2), dtype=np.uint8)
    padded[:, 1:-1] = numbers
    changes = np.flatnonzero(padded[:, 1:] != padded[:, :-1])  # in a map of (height, width + 1)
    row, column = np.divmod(changes, width + 1)
    label = padded[row, column + 1]
    ends = np.r_[column[1:], 0]  # a row ends in 0, so the next change of a run is in its row
    keep = np.flatnonzero(label)
    keep = keep[np.argsort(label[keep], kind="stable")]
    return _Runs(label[keep].astype(np.int64), row[keep], column[keep], ends[keep])


def _chains(runs: _Runs, shape: tuple[int, ...]) -> tuple[Ints, Ints]:
    """For every run, the first run of its chain, and how many runs come before it."""
    height, stride = shape[0], shape[1] + 1
    base = (runs.label * (height + 2) + runs.row) * stride
    starts, ends = base + runs.start, base + runs.end

    def touching(shift: int) -> tuple[Ints, Ints]:
        near = np.searchsorted(ends, starts + shift, side="right")
        return near, np.searchsorted(starts, ends + shift, side="left") - near

    below, below_count = touching(stride)
    _, above_count = touching(-stride)
    here = np.flatnonzero(below_count == 1)
    here = here[above_count[below[here]] == 1]
    root = np.arange(len(base))
    root[below[here]] = here
    before = np.zeros(len(base), dtype=np.int64)
    before[below[here]] = 1
    for _ in range(int(height).bit_length()):  # twice as far each time
        before = before + before[root]
        root = root[root]
    return root, before


def _polygons(runs: _Runs, root: Ints, before: Ints, floor: Ints) -> dict[int, list[Polygon]]:
    order = np.argsort(root.astype(np.uint16) if len(root) < 65536 else root, kind="stable")
    root, before, label, row, start, end = (
        array[order] for array in (root, before, runs.label, runs.row, runs.start, runs.end)
    )
    opens = np.r_[True, root[1:] != root[:-1]]
    closes = np.r_[opens[1:], True]
    first = np.flatnonzero(opens)
    areas = np.add.reduceat(end - start, first)
    lengths = np.diff(np.r_[first, len(root)])
    step = np.repeat((lengths + ROWS - 1) // ROWS, lengths)
    jumps = np.r_[np.abs(np.diff(start)) + np.abs(np.diff(end)) >= JUMP, False]
    keep = opens | closes | (before % step == 0) | jumps | np.r_[False, jumps[:-1]]
    keep &= np.repeat(areas >= floor[label[first]], lengths)
    kept = np.flatnonzero(keep)
    found: dict[int, list[Polygon]] = {}
    heads = np.flatnonzero(opens[kept]).tolist()
    rows, lefts, rights = row[kept].tolist(), start[kept].tolist(), end[kept].tolist()
    names = label[kept].tolist()
    for begin, stop in zip(heads, [*heads[1:], len(rows)], strict=True):
        polygon = _polygon(rows[begin:stop], lefts[begin:stop], rights[begin:stop])
        found.setdefault(names[begin], []).append(polygon)
    return found


def _polygon(rows: list[int], lefts: list[int], rights: list[int]) -> Polygon:
    """Down the right side and up the left one, through the middles of rows, from edge to edge."""
    ys = [row + 0.5 for row in rows]
    top, bottom = float(rows[0]), rows[-1] + 1.0
    right = [(float(rights[0]), top), *zip(map(float, rights), ys, strict=True), (float(rights[-1]), bottom)]
    left = [(float(lefts[0]), top), *zip(map(float, lefts), ys, strict=True), (float(lefts[-1]), bottom)]
    return (*right, *reversed(left))

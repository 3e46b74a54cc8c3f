"""What exported detectors give: two common layouts of their outputs, told apart by names and shapes.

`yolo`: one table (picture, 4 + labels, place) of middles, sizes and a chance for each label, or the same
turned over; older ones have the chance of any object in a fifth column. Sure boxes must be chosen among its
places. Where there is a second output (picture, number, height, width), each place has numbers more, which
weigh those maps to a mask. Some newer ones have chosen already: (picture, place, 6) of corners, score, label.

`lists`: outputs called boxes, labels and scores, perhaps masks, as torch's detection models are exported.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging import coco
from commonsight.build.imaging.suppression import surest
from commonsight.errors import InputError

Floats = NDArray[np.floating]
CHOSEN = 6
"""Columns of a table whose boxes have been chosen …"""
FEW = 1000
"""… and rows, at most."""


class Layout(NamedTuple):
    """How to read a model's outputs."""

    kind: str
    """`yolo`, `yolo-objectness`, `yolo-chosen` or `lists`."""
    outputs: tuple[str, ...]
    """Which to ask for: the table and perhaps its maps; or boxes, labels, scores and perhaps masks."""
    names: Mapping[int, str]
    turned: bool = False
    """Whether places come before columns."""


class Raw(NamedTuple):
    """What was found on one canvas, the surest first."""

    boxes: NDArray[np.float64]
    """(object, 4): left, top, right, bottom in pixels of the canvas."""
    scores: NDArray[np.float64]
    labels: NDArray[np.int64]
    masks: Floats | None = None
    """(object, height, width): chances; of the whole canvas, or of each box alone."""


def layout_of(shapes: Mapping[str, Sequence[object]], names: Mapping[int, str] | None) -> Layout:
    """By the outputs' names and shapes; sizes that are not fixed are words or None."""
    if {"boxes", "labels", "scores"} <= set(shapes):
        wanted = ("boxes", "labels", "scores", *(("masks",) if "masks" in shapes else ()))
        return Layout("lists", wanted, coco.BY_ID if names is None else names)
    tables = [name for name, shape in shapes.items() if len(shape) == 3]
    maps = [name for name, shape in shapes.items() if len(shape) == 4]
    if len(tables) != 1:
        raise _unknown(shapes)
    return _table_layout(
        tables[0], shapes[tables[0]], shapes[maps[0]][1] if maps else 0, maps[:1], names, shapes
    )


def _table_layout(
    table: str,
    shape: Sequence[object],
    weights: object,
    maps: list[str],
    names: Mapping[int, str] | None,
    shapes: Mapping[str, Sequence[object]],
) -> Layout:
    known = dict(enumerate(coco.NAMES)) if names is None else names
    more = weights if isinstance(weights, int) else 0
    columns = {4 + len(known) + more: "yolo", 5 + len(known) + more: "yolo-objectness"}
    if shape[1] in columns:
        return Layout(columns[shape[1]], (table, *maps), known)
    # One label with the chance of any object, or two labels, make six columns too: but thousands of rows.
    if shape[2] == CHOSEN and not maps and isinstance(shape[1], int) and shape[1] <= FEW:
        return Layout("yolo-chosen", (table,), known, True)
    if shape[2] in columns:
        return Layout(columns[shape[2]], (table, *maps), known, True)
    raise _unknown(shapes, len(known))


def _unknown(shapes: Mapping[str, Sequence[object]], labels: int | None = None) -> InputError:
    told = ", ".join(f"{name} {list(shape)}" for name, shape in shapes.items())
    counted = "" if labels is None else f" for {labels} labels"
    return InputError(
        f"The model's outputs are in no layout that is known here{counted}: {told}. Give one table of "
        "4 + labels columns, or outputs called boxes, labels and scores; and the labels' names (--names) "
        "if the model does not tell them."
    )


def read_outputs(
    layout: Layout, outputs: Sequence[Floats], canvas: tuple[int, int], least: float
) -> list[Raw]:
    """What the outputs say of each picture, boxes in pixels of the canvas (width, height)."""
    if layout.kind == "lists":
        return [_of_lists(outputs, least)]
    table = outputs[0].swapaxes(1, 2) if not layout.turned else outputs[0]  # (picture, place, column)
    if layout.kind == "yolo-chosen":
        return [_chosen(rows, least) for rows in table]
    maps: Sequence[Floats | None] = outputs[1] if len(outputs) > 1 else [None] * len(table)  # type: ignore[assignment]
    return [
        _of_places(rows, own, len(layout.names), layout.kind == "yolo-objectness", canvas, least)
        for rows, own in zip(table, maps, strict=True)
    ]


def _of_places(
    rows: Floats, maps: Floats | None, labels: int, objectness: bool, canvas: tuple[int, int], least: float
) -> Raw:
    first = 5 if objectness else 4
    chances = rows[:, first : first + labels]
    if objectness:
        chances = chances * rows[:, 4:5]
    label = chances.argmax(axis=1)
    score = chances[np.arange(len(rows)), label]
    kept = np.flatnonzero(score >= least)
    middle, size = rows[kept, :2].astype(np.float64), rows[kept, 2:4].astype(np.float64)
    boxes = np.concatenate((middle - size / 2, middle + size / 2), axis=1)
    best = surest(boxes, score[kept], label[kept])
    boxes, kept = boxes[best], kept[best]
    masks = None if maps is None else _masks(rows[kept, first + labels :], maps, boxes, canvas)
    return Raw(boxes, score[kept].astype(np.float64), label[kept].astype(np.int64), masks)


def _masks(weights: Floats, maps: Floats, boxes: Floats, canvas: tuple[int, int]) -> Floats:
    """(object, height, width) of chances at the maps' own size, nothing outside of each box."""
    number, tall, wide = maps.shape
    chances = 1 / (1 + np.exp(-(weights @ maps.reshape(number, -1)).reshape(-1, tall, wide)))
    left, top, right, bottom = (boxes.T / np.array([canvas[0] / wide, canvas[1] / tall] * 2)[:, None])[
        ..., None, None
    ]
    across, down = np.arange(wide)[None, None] + 0.5, np.arange(tall)[None, :, None] + 0.5
    inside = (across > left) & (across < right) & (down > top) & (down < bottom)
    found: Floats = np.where(inside, chances, 0.0)
    return found


def _chosen(rows: Floats, least: float) -> Raw:
    sure = np.asarray(rows[rows[:, 4] >= least], np.float64)
    kept = sure[np.argsort(-sure[:, 4], kind="stable")]
    return Raw(kept[:, :4], kept[:, 4], kept[:, 5].astype(np.int64))


def _of_lists(outputs: Sequence[Floats], least: float) -> Raw:
    """Of one picture; some exports keep the dimension of pictures, and masks have one of channels."""
    boxes, labels, scores = (
        np.asarray(part).reshape(shape) for part, shape in zip(outputs, ((-1, 4), -1, -1), strict=False)
    )
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] >= least]
    masks = outputs[3].reshape(-1, *outputs[3].shape[-2:])[order] if len(outputs) > 3 else None
    return Raw(
        boxes[order].astype(np.float64),
        scores[order].astype(np.float64),
        labels[order].astype(np.int64),
        masks,
    )


def names_in(told: str) -> dict[int, str]:
    """The labels as exported models tell them: a Python dict or list as text, read without running it."""
    try:
        value = ast.literal_eval(told)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise InputError(
            f"The model tells its labels in a way that cannot be read: {told[:60]!r}."
        ) from error
    pairs = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if pairs is None:
        raise InputError(f"The model tells its labels in a way that cannot be read: {told[:60]!r}.")
    try:
        return {int(number): str(name) for number, name in pairs}
    except (ValueError, TypeError) as error:
        raise InputError(f"The model's labels are not numbered: {told[:60]!r}.") from error

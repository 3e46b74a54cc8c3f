"""How well objects are found: COCO's average precision, at one overlap.

Of each label, detections of all pictures are gone through from the surest on; one is right if it overlaps an
object of that label that none before it has taken. Precision is read off at 101 shares of objects found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.graph.boxes import overlaps

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]

SHARES = np.linspace(0.0, 1.0, 101)
"""Of the objects, at which COCO reads off the precision."""


class Shown(NamedTuple):
    """One picture: what was found in it, and what is in it."""

    boxes: Floats
    """(detection, 4): left, top, right, bottom."""
    scores: Floats
    labels: Ints
    known_boxes: Floats
    """(object, 4)"""
    known_labels: Ints


def mean_average_precision(pictures: Sequence[Shown], overlap: float = 0.5) -> float:
    """Over the labels that any object has; 0 where there is no object at all."""
    present = np.unique(np.concatenate([shown.known_labels for shown in pictures] or [np.zeros(0, int)]))
    found = [average_precision(pictures, int(label), overlap) for label in present]
    return float(np.mean(found)) if found else 0.0


def average_precision(pictures: Sequence[Shown], label: int, overlap: float = 0.5) -> float:
    """Of one label."""
    scores, right, objects = [], [], 0
    for shown in pictures:
        own = shown.labels == label
        known = shown.known_boxes[shown.known_labels == label]
        order = np.argsort(-shown.scores[own], kind="stable")
        scores.append(shown.scores[own][order])
        right.append(_matched(shown.boxes[own][order], known, overlap))
        objects += len(known)
    if not objects:
        return 0.0
    order = np.argsort(-np.concatenate(scores), kind="stable")
    hits = np.cumsum(np.concatenate(right)[order])
    precision = hits / np.arange(1, len(hits) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]  # of all that find at least as many
    at = np.searchsorted(hits / objects, SHARES, side="left")
    return float(np.where(at < len(best), np.append(best, 0.0)[at], 0.0).mean())


def _matched(boxes: Floats, known: Floats, overlap: float) -> NDArray[np.bool_]:
    """(detection): whether each takes an object that none before it has taken."""
    right = np.zeros(len(boxes), np.bool_)
    if not len(known):
        return right
    alike = overlaps(boxes, known)
    for place, row in enumerate(alike):
        best = int(row.argmax())
        if row[best] >= overlap:
            right[place] = True
            alike[:, best] = -1.0
    return right

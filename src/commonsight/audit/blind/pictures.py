"""Pictures as a few cheap numbers: small grey copies, colours, edges, and how many of each object there are.

This is no understanding of a picture. It finds what gives an answer away without one: a border, a colour
cast, a source that has one answer, a class of object that only one answer goes with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonsight.audit.blind.lists import Floats, Ints
from commonsight.audit.cases import Cases
from commonsight.audit.probe import Subject
from commonsight.core.item import Item
from commonsight.errors import InvalidRecords
from commonsight.store.pictures import read_picture

THUMB = 8
BINS = 4
MOST_PICTURES = 3000
"""Pictures that are opened at most: a photograph takes some milliseconds."""
MOST_OBJECTS = 100
"""Classes of objects that are counted, the most frequent first."""


class Pictures(NamedTuple):
    """What pictures tell: numbers for those items that have any."""

    items: Ints
    """Which items, by place."""
    numbers: Floats
    """(items, numbers)"""
    told: str
    """What they were made of, for the report."""


def pictures_of(subject: Subject, cases: Cases) -> Pictures | None:
    """What the pictures of these cases tell, by pixels and by objects; None if there is nothing to go by."""
    objects = object_counts([case.labels for case in cases])
    places, pixels = _pixels(subject, cases) if subject.images is not None else (np.zeros(0, np.int64), None)
    if pixels is not None and len(places) >= 20:
        parts = [pixels] if objects is None else [pixels, objects[places]]
        told = "pixels" if objects is None else "pixels and the objects listed with the picture"
        return Pictures(places, standardised(np.hstack(parts)), told)
    if objects is None:
        return None
    told = "the objects listed with the picture, no pixels"
    return Pictures(np.arange(len(cases)), standardised(objects), told)


def object_counts(labels: Sequence[Sequence[str]]) -> Floats | None:
    """How many objects of each class there are: (items, classes); None where none are listed."""
    often = Counter(label for found in labels for label in set(found))
    number = {name: place for place, (name, _) in enumerate(often.most_common(MOST_OBJECTS))}
    if not number:
        return None
    counts = np.zeros((len(labels), len(number)))
    for row, found in zip(counts, labels, strict=True):
        for label in found:
            if label in number:
                row[number[label]] += 1.0
    return np.log1p(counts)


def _pixels(subject: Subject, cases: Cases) -> tuple[Ints, Floats | None]:
    """The numbers of all pictures of each item, side by side, for items whose pictures are all there."""
    wanted = {case.id: place for place, case in enumerate(cases)}
    known: dict[Path, Floats | None] = {}
    rows: dict[int, Floats] = {}
    for item in subject.read():
        paths = _paths(item, subject.images)
        if item.id not in wanted or not paths or len(known.keys() | set(paths)) > MOST_PICTURES:
            continue
        for path in paths:
            if path not in known:
                known[path] = picture_numbers(path)
        found = [known[path] for path in paths]
        if all(each is not None for each in found):
            rows[wanted[item.id]] = np.concatenate([each for each in found if each is not None])
    if not rows:
        return np.zeros(0, np.int64), None
    widths = Counter(len(row) for row in rows.values())
    width = widths.most_common(1)[0][0]
    places = np.array(sorted(place for place, row in rows.items() if len(row) == width), np.int64)
    return places, np.stack([rows[place] for place in places.tolist()])


def _paths(item: Item, folder: Path | None) -> list[Path]:
    return [] if folder is None else [folder / (scene.stored or scene.image) for scene in item.scenes]


def picture_numbers(path: Path) -> Floats | None:
    """A small grey copy, a histogram of colours, how much changes across and down; None if unreadable."""
    try:
        opened = read_picture(path, turned=False, near=(64, 64))
    except InvalidRecords:
        return None
    shape = opened.size[0] / max(1, opened.size[1])
    small = opened.image.resize((32, 32))
    pixels = np.asarray(small, np.float64) / 255  # (32, 32, 3)
    grey = pixels.mean(axis=2)
    step = 32 // THUMB
    thumb = grey.reshape(THUMB, step, THUMB, step).mean(axis=(1, 3)).ravel()
    bins = np.minimum(BINS - 1, (pixels * BINS).astype(np.int64)) @ np.array([BINS * BINS, BINS, 1])
    colours = np.bincount(bins.ravel(), minlength=BINS**3) / bins.size
    edges = [np.abs(np.diff(grey, axis=axis)).mean() for axis in (0, 1)]
    return np.concatenate((thumb, colours, edges, pixels.mean(axis=(0, 1)), pixels.std(axis=(0, 1)), [shape]))


def standardised(numbers: Floats) -> Floats:
    """Every column with mean 0 and deviation 1; constant ones are left out."""
    spread = numbers.std(axis=0)
    kept = spread > 1e-9
    found: Floats = (numbers[:, kept] - numbers[:, kept].mean(axis=0)) / spread[kept]
    return found

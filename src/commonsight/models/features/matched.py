"""Each object of a dataset with the features that somebody else made of the region that it is.

Boxes decide: an object is the region that overlaps most with it. The whole picture is the region that covers
all of it, or else the mean of all regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from commonsight.errors import InputError
from commonsight.graph.boxes import overlaps
from commonsight.models.features.examples import Example
from commonsight.models.features.files import Rows, check_name
from commonsight.models.features.given import GivenFeatures, GivenRegions
from commonsight.models.features.index import index_arrays
from commonsight.models.features.objects import (
    EVERYTHING,
    OBJECTS,
    ObjectFeatures,
    Pictured,
    Shares,
    picture_digest,
    pictures_digest,
    shares,
)
from commonsight.models.features.writing import row_writer
from commonsight.models.keeping import Keeping

MATCH = 0.5
"""Intersection over union that an object and its region have at least, as detections are counted right."""
WHOLE = 0.95
"""The same for the region that is the whole picture; some leave out the last row and column of pixels."""
EXACT = 1.0
"""Pixels by which each side of two equal boxes may differ: boxes without an area overlap with nothing."""
_AT_ONCE = 8


class _Wanted(NamedTuple):
    """An object that a network looks at."""

    corners: tuple[float, ...]
    """In pixels."""
    example: Example
    place: int


class _Looked(NamedTuple):
    """A picture, and its objects by their boxes."""

    stored: str
    size: tuple[int, int]
    objects: dict[Shares, _Wanted]

    @property
    def pictured(self) -> Pictured:
        return Pictured(self.stored, (EVERYTHING, *self.objects))


def kept_matches(where: Keeping, examples: Sequence[Example], given: GivenFeatures) -> ObjectFeatures:
    """The features of all objects in view of these examples: found, or else matched and kept."""
    looked = _looked(examples, given)
    path = where.path("objects", given.name, pictures_digest(one.pictured for one in looked))
    if not path.is_file():
        _keep(path, looked, given, where)
    kept = ObjectFeatures.open(path)
    check_name(path, kept.name, given.name)
    return kept


def _looked(examples: Sequence[Example], given: GivenFeatures) -> list[_Looked]:
    """Pictures by the files that they are in, so that these are read from the first to the last."""
    found: dict[str, _Looked] = {}
    files: dict[str, str] = {}
    for example in examples:
        assert example.picture is not None  # those without were refused
        if example.picture not in found:
            files[example.picture] = str(_file_of(example, given))
        own = found.setdefault(example.picture, _Looked(example.picture, example.size, {}))
        for place, seen in enumerate(example.objects[1:], start=1):
            if seen.box is not None and all(np.isfinite(box := shares(seen.box, example.size))):
                own.objects.setdefault(box, _Wanted(structs.astuple(seen.box), example, place))
    return [found[name] for name in sorted(found, key=lambda name: (files[name], name))]


def _file_of(example: Example, given: GivenFeatures) -> Path:
    path = given.file_of(str(example.picture))
    if path is None:
        raise InputError(
            f"{given.place}: there are no features of {example.picture}, the picture of item {example.item}. "
            "Add them under this name, or leave such items out."
        )
    return path


def _keep(path: Path, looked: Sequence[_Looked], given: GivenFeatures, where: Keeping) -> None:
    boxes = [box for one in looked for box in one.pictured.boxes]
    counts = [len(one.pictured.boxes) for one in looked]
    small = index_arrays([picture_digest(one.stored) for one in looked], counts)
    small["boxes"] = np.asarray(boxes, np.float32).reshape(-1, 4)
    rows = Rows(len(boxes), (given.dim,), given.dtype)
    told = where.told("matching objects")
    with row_writer(path, small, rows, {"kind": OBJECTS, "name": given.name}) as writer:
        for number in range(writer.go_on(small["starts"], _AT_ONCE), len(looked)):
            writer.append(_rows(looked[number], given))
            told(number + 1, len(looked))


def _rows(one: _Looked, given: GivenFeatures) -> NDArray[Any]:
    """(box, dim): the whole picture, and each object."""
    regions = given.of(one.stored)
    rows = [_whole(regions, one.size)]
    if one.objects:
        wanted = np.asarray([object_.corners for object_ in one.objects.values()], np.float64)
        alike = _alike(wanted, regions.boxes)  # (object, region)
        best = alike.argmax(axis=1)
        for object_, likeness in zip(one.objects.values(), alike.max(axis=1), strict=True):
            if likeness < MATCH:
                raise _unmatched(object_, float(likeness), given, one)
        rows.extend(regions.features[best])
    return np.stack(rows)


def _alike(wanted: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """(object, region): how much they overlap; one more where they are the same."""
    same = (np.abs(wanted[:, None] - found[None]) <= EXACT).all(axis=-1)
    likeness: NDArray[np.float64] = overlaps(wanted, found) + same
    return likeness


def _whole(regions: GivenRegions, size: tuple[int, int]) -> NDArray[Any]:
    everything = np.asarray([(0.0, 0.0, *size)])
    alike = overlaps(everything, regions.boxes)[0]
    if alike.max() >= WHOLE:
        row: NDArray[Any] = regions.features[alike.argmax()]
        return row
    mean: NDArray[Any] = regions.features.mean(axis=0, dtype=np.float64).astype(regions.features.dtype)
    return mean


def _unmatched(wanted: _Wanted, likeness: float, given: GivenFeatures, one: _Looked) -> InputError:
    example, place = wanted.example, wanted.place
    box = ", ".join(f"{side:g}" for side in wanted.corners)
    return InputError(
        f"{given.place}: no region of {one.stored} is object {place} ({example.objects[place].label}) of "
        f"item {example.item}, whose box is ({box}) in a picture of {one.size[0]} x {one.size[1]}: the "
        f"nearest overlaps by {likeness:.2f}, and {MATCH} is needed. Add a row with its box, in pixels of "
        "this size."
    )

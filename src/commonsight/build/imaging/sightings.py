"""What was found in each picture: VCR's metadata file to read boxes from, and a line of a log to count by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from commonsight.build.imaging.detector import Detected
from commonsight.build.premises.pictures import PERSON, read_pictures
from commonsight.core.scene import Box, Polygon, Region, Scene
from commonsight.errors import OnProblem, Problem, fail
from commonsight.store.atomic import new_file
from commonsight.store.journal import read_journal
from commonsight.store.jsonfiles import json_problem, read_bytes
from commonsight.store.walk import ENDINGS, Found

LOG = "detections.jsonl"
METADATA = "metadata"
"""The folder of metadata files, beside the log."""

Pixels = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Count = Annotated[int, Meta(ge=0)]


class Metadata(Struct, frozen=True):
    """The JSON file of one picture, as VCR has it."""

    boxes: tuple[tuple[float, float, float, float, float], ...]
    """Left, top, right, bottom in pixels, and the score."""
    names: tuple[str, ...]
    width: Pixels
    height: Pixels
    segms: tuple[tuple[Polygon, ...], ...] | UnsetType = UNSET
    """Each object's outline as polygons; left out where the detector tells none."""


class Sighting(Struct, frozen=True):
    """One picture's line in the log: enough to choose pictures by, without opening their files."""

    name: str
    """The picture, below the folder that was given."""
    metadata: str | None
    """Its metadata file, below the folder of these."""
    counts: dict[str, Count]
    """How many objects there are of each label."""
    width: Pixels | None = None
    height: Pixels | None = None
    brightness: Annotated[float, Meta(ge=0, le=1)] | None = None
    """The mean of its pixels' shades, from 0 (black) to 1; None where nobody measured."""

    @property
    def people(self) -> int:
        """How many of the objects are people."""
        return self.counts.get(PERSON, 0)

    @property
    def objects(self) -> int:
        """How many objects there are, people among them."""
        return sum(self.counts.values())


def metadata_of(found: Sequence[Detected], width: int, height: int) -> Metadata:
    """Of one picture; objects in the order in which they were found."""
    boxes = tuple((*(round(side, 2) for side in one.box), round(one.score, 4)) for one in found)
    outlines = [one.polygons for one in found if one.polygons is not None]
    return Metadata(
        boxes,  # type: ignore[arg-type]
        tuple(one.label for one in found),
        width,
        height,
        tuple(outlines) if outlines and len(outlines) == len(found) else UNSET,
    )


def scene_of(image: str, metadata: Metadata) -> Scene:
    """What was found in a picture, as a scene."""
    outlines = metadata.segms if metadata.segms is not UNSET else (None,) * len(metadata.names)
    regions = tuple(
        Region(label, Box(*box[:4]), polygons, box[4])
        for label, box, polygons in zip(metadata.names, metadata.boxes, outlines, strict=True)
    )
    return Scene(image, regions, width=metadata.width, height=metadata.height)


def metadata_name(picture: Found) -> str:
    """Like the picture with another ending; with both where two pictures differ by that alone."""
    own = picture.path.suffix
    shared = any(
        picture.path.with_suffix(ending).exists()
        for other in ENDINGS
        for ending in (other, other.upper())
        if ending != own
    )
    return f"{picture.name}.json" if shared or not own else f"{picture.name[: -len(own)]}.json"


def write_metadata(path: Path, metadata: Metadata) -> None:
    """As a whole or not at all."""
    with new_file(path) as beside:
        beside.write_bytes(msgspec.json.encode(metadata))


def read_metadata(path: Path, on_problem: OnProblem = fail) -> Metadata | None:
    """What `write_metadata` wrote, or VCR's own file; None once `on_problem` has been told why not."""
    content = read_bytes(path, on_problem)
    if content is None:
        return None
    try:
        found = msgspec.json.decode(content, type=Metadata)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        on_problem(json_problem(path, error, content, None))
        return None
    if len(found.names) != len(found.boxes) or (
        found.segms is not UNSET and len(found.segms) != len(found.boxes)
    ):
        message = f"{len(found.names)} names for {len(found.boxes)} boxes"
        on_problem(Problem(path, message, "Detect anew, or restore the file.", field="names"))
        return None
    return found


def counted(names: Iterable[str]) -> dict[str, int]:
    """How many there are of each, frequent ones first."""
    counts = Counter(names)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def read_sightings(place: Path, on_problem: OnProblem = fail) -> Iterator[Sighting]:
    """From a folder that `build detect` wrote, or its log; or whatever else tells the objects of pictures:
    a folder of VCR's metadata files, lines with `objects` and `img_fn`, a dataset."""
    log = place / LOG if place.is_dir() else place
    if not log.with_suffix(".begun.json").is_file():
        for picture in read_pictures(place, on_problem):
            yield Sighting(picture.image, picture.metadata, counted(picture.objects))
        return
    seen = False
    for sighting in read_journal(log, Sighting, on_problem):
        seen = True
        yield sighting
    if not seen:
        on_problem(Problem(log, "there is no detection in it", "Run `commonsight build detect` first."))

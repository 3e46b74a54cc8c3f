"""What a collection may begin with: datasets, folders of pictures, sets and clusters that were built.

Each becomes items. A picture of a dataset or a folder lies below it. A set or a cluster names its pictures by
wherever they lay when it was made, and by their hashes: only a file with that very content is taken, so that
a list from elsewhere cannot make this machine show a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from commonsight.build.imaging.sets.grouping import CLUSTERS, Cluster
from commonsight.build.imaging.sets.values import ImageSet, Member
from commonsight.build.imaging.sets.writing import IMAGES, SETS, pictures
from commonsight.build.imaging.sightings import (
    LOG,
    METADATA,
    Metadata,
    Sighting,
    metadata_name,
    read_metadata,
    scene_of,
)
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import InputError, InvalidRecords, OnProblem, Problem, UsageError, fail
from commonsight.store.dataset import is_dataset, read_dataset, read_info, sha256
from commonsight.store.journal import read_journal
from commonsight.store.jsonfiles import read_lines
from commonsight.store.paths import below, is_split_name
from commonsight.store.pictures import picture_size
from commonsight.store.walk import Found, pictures_in

Find = Callable[[str], Path]
"""Where a picture of an item is, by the name that its scene has."""


class Subject(NamedTuple):
    """An item to collect about, and where its pictures are."""

    item: Item
    find: Find


class Source(NamedTuple):
    """What is imported: a stream, and how many there are, where that is known."""

    what: str
    subjects: Iterator[Subject]
    total: int | None = None


class Beside(NamedTuple):
    """What else is known about a source's pictures."""

    detected: Path | None = None
    """A folder that `build detect` wrote."""
    pictures: Path | None = None
    """Where pictures are that do not lie in the source, by their names."""
    split: str = "train"
    """Of pictures and clusters, which have none of their own."""


def open_source(place: Path, beside: Beside, on_problem: OnProblem = fail) -> Source:
    """What is at this place, told by what lies there."""
    if not place.exists():
        raise UsageError(f"{place}: there is no such file or folder. Check the path.")
    if not is_split_name(beside.split):
        raise UsageError(f"'{beside.split}' cannot be a split's name. Use letters, digits, _ and -.")
    for folder in (beside.detected, beside.pictures):
        if folder is not None and not folder.is_dir():
            raise UsageError(f"{folder}: there is no such folder. Check the path.")
    if is_dataset(place):
        return _dataset(place, beside, on_problem)
    sets = place / SETS if place.is_dir() else place
    if sets.name == SETS and sets.is_file():
        return Source("sets", _sets(sets, beside, on_problem))
    clusters = place / CLUSTERS if place.is_dir() else place
    if clusters.name == CLUSTERS and clusters.is_file():
        return Source("clusters", _clusters(clusters, beside, on_problem))
    return Source("pictures", _pictures(place, beside, on_problem))


def below_one_of(folders: Sequence[Path], name: str) -> Path:
    """The file of this name below the first of these folders that has it."""
    paths = [below(folder, name) for folder in folders]
    return next((path for path in paths if path.is_file()), paths[0])


def _dataset(folder: Path, beside: Beside, on_problem: OnProblem) -> Source:
    info = read_info(folder, on_problem)
    find = partial(below_one_of, [folder] if beside.pictures is None else [folder, beside.pictures])
    items = read_dataset(folder, on_problem=on_problem)
    return Source("items", (Subject(item, find) for item in items), None if info is None else info.items)


# --- pictures, and what was detected in them ---------------------------------------------------------------


def _pictures(place: Path, beside: Beside, on_problem: OnProblem) -> Iterator[Subject]:
    brightness = {} if beside.detected is None else _brightness(beside.detected, on_problem)
    for found in pictures_in([place], on_problem):
        try:
            scene = _scene(found, beside.detected)
        except InvalidRecords as error:
            for problem in error.problems:
                on_problem(problem)
            continue
        measured = brightness.get(found.name)
        if measured is not None:
            scene = Scene(
                scene.image, scene.regions, (), scene.width, scene.height, extra={"brightness": measured}
            )
        yield Subject(Item(found.name, beside.split, (scene,)), partial(_only, found))


def _only(found: Found, name: str) -> Path:
    if name != found.name:
        raise UsageError(f"'{name:.80}' is not the picture {found.name}.")
    return found.path


def _brightness(detected: Path, on_problem: OnProblem) -> dict[str, float]:
    log = detected / LOG
    if not log.is_file():
        return {}
    seen = read_journal(log, Sighting, on_problem)
    return {sighting.name: sighting.brightness for sighting in seen if sighting.brightness is not None}


def _scene(found: Found, detected: Path | None) -> Scene:
    """The picture with its boxes, where some are known: beside it, or in the folder of detections."""
    size = picture_size(found.path)
    for path in _metadata_paths(found, detected):
        if path.is_file() and (metadata := read_metadata(path)) is not None:
            _check_fits(path, metadata, size)
            return scene_of(found.name, metadata)
    return Scene(found.name, width=size[0], height=size[1])


def _metadata_paths(found: Found, detected: Path | None) -> Iterator[Path]:
    if detected is not None:
        yield below(detected / METADATA, metadata_name(found))
    yield found.path.with_name(Path(metadata_name(found)).name)


def _check_fits(path: Path, metadata: Metadata, size: tuple[int, int]) -> None:
    """Boxes of a picture of another size would stand in the wrong places."""
    measured = (metadata.width, metadata.height)
    if measured != size:
        told = f"it tells of {measured[0]} x {measured[1]} pixels, the picture has {size[0]} x {size[1]}"
        raise InvalidRecords([Problem(path, told, "Detect anew, or restore the picture.", field="width")])


# --- sets and clusters -------------------------------------------------------------------------------------


class _Listed(NamedTuple):
    """A picture of a list: what it is called there, where it may be, and what it must be."""

    places: tuple[Path, ...]
    sha256: str


def _sets(path: Path, beside: Beside, on_problem: OnProblem) -> Iterator[Subject]:
    for record in read_lines(path, ImageSet, on_problem):
        made = record.value
        try:
            _check_pairs(made)
            listed = _listed(path.parent, made, beside)
        except InputError as error:
            on_problem(Problem(path, str(error).rstrip("."), "Make the sets again.", record.line, made.id))
            continue
        told = {"pairs": made.pairs, "query": made.query, "result": made.result, "synset": made.synset}
        split = made.id.partition("-")[0]
        item = Item(
            made.id,
            split if is_split_name(split) else beside.split,
            tuple(_member_scene(member) for member in made.images),
            groups={"set": made.id},
            extra={name: value for name, value in told.items() if value is not None},
        )
        yield Subject(item, partial(_of_list, path, listed))


def _check_pairs(made: ImageSet) -> None:
    for side in (side for pair in made.pairs for side in pair):
        if not 0 <= side < len(made.images):
            raise InputError(f"a pair names image {side} of {len(made.images)}")


def _member_scene(member: Member) -> Scene:
    extra = {"interesting": member.interesting, "similarity": member.similarity, "url": member.url}
    known = {name: value for name, value in extra.items() if value is not None}
    return Scene(member.image, width=member.width, height=member.height, extra=known)


def _listed(folder: Path, made: ImageSet, beside: Beside) -> dict[str, _Listed]:
    copies = _copies(folder, made)
    return {
        member.image: _Listed(
            _places(folder, beside.pictures, member.image, member.path, copies.get(place)), member.sha256
        )
        for place, member in enumerate(made.images)
    }


def _copies(folder: Path, made: ImageSet) -> dict[int, Path]:
    """Where `build sets` copied a set's pictures to, by their position."""
    if not (folder / IMAGES).is_dir() or any(member.path is None for member in made.images):
        return {}
    members = (member for pair in made.pairs for member in pair)
    return {
        member: below(folder / IMAGES, name)
        for member, (name, _) in zip(members, pictures(made), strict=True)
    }


def _clusters(path: Path, beside: Beside, on_problem: OnProblem) -> Iterator[Subject]:
    for record in read_lines(path, Cluster, on_problem):
        name, images = f"cluster-{record.value.cluster}", record.value.images
        try:
            places = (_places(path.parent, beside.pictures, one.image, one.path, None) for one in images)
            listed = {
                one.image: _Listed(own, one.sha256) for one, own in zip(images, places, strict=True)
            }
        except InputError as error:
            on_problem(Problem(path, str(error).rstrip("."), "Make the clusters again.", record.line, name))
            continue
        scenes = tuple(Scene(one.image) for one in images)
        item = Item(name, beside.split, scenes, groups={"set": name})
        yield Subject(item, partial(_of_list, path, listed))


def _places(
    folder: Path, given: Path | None, name: str, path: str | None, copy: Path | None
) -> tuple[Path, ...]:
    """Where a picture of a list may be, the likeliest first."""
    named = [] if given is None else [below(given, name)]
    copied = [] if copy is None else [copy]
    noted = [] if path is None else [Path(path), folder / path]
    return (*named, *copied, *noted)


def _of_list(path: Path, listed: dict[str, _Listed], name: str) -> Path:
    own = listed.get(name)
    if own is None:
        raise UsageError(f"{path} names no picture '{name:.80}'.")
    for place in own.places:
        if place.is_file() and sha256(place) == own.sha256:
            return place
    message = f"the picture {name} is not where it was, or is another one now"
    raise InvalidRecords([Problem(path, message, "Name the folder that holds it: --pictures DIR.")])

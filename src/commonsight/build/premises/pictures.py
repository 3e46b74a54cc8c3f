"""Images and the objects in them: from metadata files, from lines of JSON, or from a dataset.

A folder holds VCR's metadata files, one JSON beside (or instead of) each image, with the objects' `names`.
A line holds `objects` and the image's name: `img_fn` as in VCR's and PMR's files, or `image` as in raw ones.
Several lines may be about one image, if they agree on its objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from commonsight.errors import InputError, OnProblem, Problem, fail
from commonsight.store.dataset import is_dataset, read_dataset
from commonsight.store.jsonfiles import json_problem, read_bytes, read_lines

PERSON = "person"
ENDINGS = (".jpg", ".jpeg", ".png", ".webp")


class Picture(Struct, frozen=True):
    """An image by name, and the names of the objects in it."""

    image: str
    objects: tuple[str, ...]
    metadata: str | None = None
    """The metadata file's name, where there is one."""

    @property
    def people(self) -> list[int]:
        """The positions of the people among the objects."""
        return [index for index, name in enumerate(self.objects) if name == PERSON]


class Metadata(Struct):
    """What is read of a metadata file."""

    names: tuple[str, ...]


class Line(Struct):
    """What is read of a line."""

    objects: tuple[str, ...]
    img_fn: str | UnsetType = UNSET
    image: str | UnsetType = UNSET
    metadata_fn: str | None = None


def read_pictures(path: Path, on_problem: OnProblem = fail) -> Iterator[Picture]:
    """Every image once, in the source's order."""
    if is_dataset(path):
        yield from _once(path, _of_dataset(path, on_problem), on_problem)
    elif path.is_dir():
        yield from _of_folder(path, on_problem)
    else:
        yield from _once(path, _of_lines(path, on_problem), on_problem)


def _once(
    path: Path, found: Iterator[tuple[int | None, Picture]], on_problem: OnProblem
) -> Iterator[Picture]:
    seen: dict[str, tuple[str, ...]] = {}
    for line, picture in found:
        before = seen.setdefault(picture.image, picture.objects)
        if before is picture.objects:
            yield picture
        elif before != picture.objects:
            message = f"the image {picture.image} was said to hold other objects before"
            on_problem(Problem(path, message, "Give an image one list of objects.", line, field="objects"))


def _of_lines(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, Picture]]:
    for record in read_lines(path, Line, on_problem):
        value = record.value
        name = value.img_fn if value.img_fn is not UNSET else value.image
        if name is UNSET or not name.strip():
            message = "the line names no image"
            on_problem(
                Problem(path, message, "Add img_fn, the image's file name.", record.line, field="img_fn")
            )
            continue
        yield record.line, Picture(name, value.objects, value.metadata_fn)


def _of_dataset(path: Path, on_problem: OnProblem) -> Iterator[tuple[None, Picture]]:
    for item in read_dataset(path, on_problem=on_problem):
        metadata = item.extra.get("metadata_fn") if len(item.scenes) == 1 else None
        for scene in item.scenes:
            yield None, Picture(scene.image, scene.labels, metadata)


def _of_folder(folder: Path, on_problem: OnProblem) -> Iterator[Picture]:
    files = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not files:
        raise InputError(f"{folder}: the folder holds no metadata files. Give one with a JSON file an image.")
    for path in files:
        content = read_bytes(path, on_problem)
        if content is None:
            continue
        try:
            names = msgspec.json.decode(content, type=Metadata).names
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            on_problem(json_problem(path, error, content, None))
            continue
        yield Picture(_image_of(path, folder), names, path.relative_to(folder).as_posix())


def _image_of(metadata: Path, folder: Path) -> str:
    """The image beside a metadata file; where only the metadata is at hand, the name that VCR gives it."""
    beside = (metadata.with_suffix(ending) for ending in ENDINGS)
    image = next((path for path in beside if path.is_file()), metadata.with_suffix(ENDINGS[0]))
    return image.relative_to(folder).as_posix()

"""Visual relationships as JSON lines: a picture, objects with corners, relations by the objects' positions.

{"image": "a.jpg", "objects": [{"name": "car", "box": [0, 10, 50, 60]}, …], "relations": [[0, "on", 1], …]}

VRD tells no attributes; a file that does may give each object a list of them. An object's position is its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec import Struct

from commonsight.core.scene import Box, Region, Scene
from commonsight.graph.readers.draft import Draft, Options
from commonsight.store.jsonfiles import Decoder, empty_problem, json_problem, numbered_lines


class _Object(Struct):
    name: str
    box: tuple[float, float, float, float] | None = None
    attributes: list[str] = []


class _Picture(Struct):
    image: str
    objects: list[msgspec.Raw] = []
    relations: list[msgspec.Raw] = []
    width: int | None = None
    height: int | None = None


class _Named(Struct):
    image: str


_OBJECT = msgspec.json.Decoder(_Object)
_RELATION = msgspec.json.Decoder(tuple[int, str, int])


def read_vrd(path: Path, options: Options) -> Iterator[Scene]:
    """The scenes of a file, line by line."""
    decoder = Decoder(_Picture)
    some = False
    for number, line in numbered_lines(path, options.on_problem):
        some = True
        try:
            picture, extra = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            found = json_problem(path, error, line, number)
            options.on_problem(replace(found, record=_name_in(line)))
            continue
        draft = Draft(path, picture.image, options, number)
        _fill(draft, picture)
        scene = draft.scene(width=picture.width, height=picture.height, extra=extra)
        if scene is not None:
            yield scene
    if not some and path.is_file():
        options.on_problem(empty_problem(path))


def _name_in(line: bytes) -> str | None:
    try:
        return msgspec.json.decode(line, type=_Named).image
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _fill(draft: Draft, picture: _Picture) -> None:
    for number, raw in enumerate(picture.objects):
        at = f"objects[{number}]"
        told = draft.one(raw, _OBJECT, at)
        if told is None:
            draft.skip(number)
            continue
        box = Box(*told.box) if told.box is not None else None
        draft.add(number, Region(told.name, box, attributes=tuple(told.attributes), id=number), at)
    for at, (subject, predicate, object_) in draft.decoded(picture.relations, _RELATION, "relations"):
        draft.relate(subject, predicate, object_, at)

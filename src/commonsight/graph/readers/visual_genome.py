"""Visual Genome's layouts, which our world speaks too.

`scene_graphs.json` is one array of pictures with objects and relationships. The same is also published in
three files (`objects.json`, `attributes.json`, `relationships.json`), each readable alone, and together as
the folder that holds them. Of several names of an object the first is taken, as Visual Genome ranks them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from commonsight.core.scene import Region, Scene
from commonsight.graph.readers.draft import Draft, Options, object_id, sized_box
from commonsight.store.jsonfiles import Decoder, json_problem, numbered_lines
from commonsight.store.jsonstream import read_members

PARTS = ("objects.json", "attributes.json", "relationships.json")
"""What the folder of the three files holds, in the order in which they are put together."""
KEPT_OUT = ("synsets", "image_url", "merged_object_ids")
"""Large and of no use here."""

Id = int | str
Raws = list[msgspec.Raw]


class _Object(Struct):
    object_id: Id
    names: list[str] = []
    name: str = ""
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    attributes: list[str] | None = None


class _Relationship(Struct):
    predicate: str
    subject_id: Id | None = None
    object_id: Id | None = None
    subject: _Object | None = None
    object: _Object | None = None


class _Picture(Struct):
    image_id: Id
    image: str = ""
    width: int | None = None
    height: int | None = None
    objects: Raws = []
    attributes: Raws = []
    relationships: Raws = []


class _Named(Struct):
    image_id: Id


_OBJECT = msgspec.json.Decoder(_Object)
_RELATIONSHIP = msgspec.json.Decoder(_Relationship)


class _Read(NamedTuple):
    path: Path
    picture: _Picture
    unknown: dict[str, Any]
    line: int


def read_visual_genome(path: Path, options: Options) -> Iterator[Scene]:
    """The scenes of one file, or of the folder of three files."""
    if path.is_dir():
        for reads in _joined([path / name for name in PARTS if (path / name).is_file()], options):
            yield from _scenes(reads, options)
        return
    for read in _pictures(path, options):
        yield from _scenes([read], options)


def _pictures(path: Path, options: Options) -> Iterator[_Read]:
    decoder = Decoder(_Picture)
    for line, raw in _records(path, options):
        try:
            picture, unknown = decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            options.on_problem(replace(json_problem(path, error, raw, line), record=_name_in(raw)))
            continue
        yield _Read(path, picture, unknown, line)


def _records(path: Path, options: Options) -> Iterator[tuple[int, bytes]]:
    """An array's members, or lines: both are met."""
    if _is_lines(path):
        yield from numbered_lines(path, options.on_problem)
    else:
        yield from ((member.line, member.raw) for member in read_members(path, options.on_problem))


def _is_lines(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    except OSError:
        return False  # whoever reads it says why it cannot be read


def _name_in(raw: bytes) -> str | None:
    try:
        return str(msgspec.json.decode(raw, type=_Named).image_id)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _joined(paths: Sequence[Path], options: Options) -> Iterator[list[_Read]]:
    """What all files say of a picture. They list pictures in one order, so that few have to wait."""
    streams = [_pictures(path, options) for path in paths]
    waiting: dict[Id, list[_Read]] = {}
    going = list(streams)
    while going:
        for stream in list(going):
            read = next(stream, None)
            if read is None:
                going.remove(stream)
                continue
            parts = waiting.setdefault(read.picture.image_id, [])
            parts.append(read)
            if len(parts) == len(streams):
                yield sorted(waiting.pop(read.picture.image_id), key=lambda part: paths.index(part.path))
    for parts in waiting.values():
        yield sorted(parts, key=lambda part: paths.index(part.path))


def _scenes(reads: Sequence[_Read], options: Options) -> Iterator[Scene]:
    first = reads[0]
    own = first.picture.image or str(first.picture.image_id)
    draft = Draft(first.path, own, options, first.line)
    for read in reads:
        _add_objects(draft, read.picture)
    for read in reads:
        _add_relationships(draft, read.picture)
    extra = {name: value for name, value in first.unknown.items() if name not in KEPT_OUT}
    if first.picture.image:
        extra["image_id"] = first.picture.image_id
    scene = draft.scene(width=first.picture.width, height=first.picture.height, extra=extra)
    if scene is not None:
        yield scene


def _add_objects(draft: Draft, picture: _Picture) -> None:
    for at, told in draft.decoded(picture.objects, _OBJECT, "objects"):
        _add(draft, told, at)
    for at, told in draft.decoded(picture.attributes, _OBJECT, "attributes"):
        if draft.knows(told.object_id):
            draft.describe(told.object_id, told.attributes or ())
        else:
            _add(draft, told, at)


def _add(draft: Draft, told: _Object, at: str) -> None:
    name = next((name for name in (*told.names, told.name) if name.strip()), "")
    box = sized_box(draft, at, told.x, told.y, told.w, told.h)
    region = Region(name, box, attributes=tuple(told.attributes or ()), id=object_id(told.object_id))
    draft.add(told.object_id, region, at)


def _add_relationships(draft: Draft, picture: _Picture) -> None:
    for at, told in draft.decoded(picture.relationships, _RELATIONSHIP, "relationships"):
        for end in (told.subject, told.object):
            if end is not None and not draft.knows(end.object_id):
                _add(draft, end, at)
        subject = told.subject.object_id if told.subject is not None else told.subject_id
        object_ = told.object.object_id if told.object is not None else told.object_id
        if subject is None or object_ is None:
            draft.problem(at, "the relation does not say between which objects", "Give both ids.")
        else:
            draft.relate(subject, told.predicate, object_, at)

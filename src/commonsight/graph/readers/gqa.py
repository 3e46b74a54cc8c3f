"""GQA's layout: one JSON object by picture, objects by id, and relations inside the objects they begin at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec import Struct

from commonsight.core.scene import Region, Scene
from commonsight.graph.readers.draft import Draft, Options, object_id, sized_box
from commonsight.store.jsonfiles import Decoder, json_problem
from commonsight.store.jsonstream import Member, members_of, read_members


class _Relation(Struct):
    name: str
    object: str


class _Object(Struct):
    name: str
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    attributes: list[str] = []
    relations: list[msgspec.Raw] = []


class _Picture(Struct):
    objects: msgspec.Raw
    width: int | None = None
    height: int | None = None


_OBJECT = msgspec.json.Decoder(_Object)
_RELATION = msgspec.json.Decoder(_Relation)


def read_gqa(path: Path, options: Options) -> Iterator[Scene]:
    """The scenes of a file. Width, height, location and weather are kept where they are told."""
    decoder = Decoder(_Picture)
    for member in read_members(path, options.on_problem):
        image = str(member.key)
        try:
            picture, extra = decoder.decode(member.raw)
            objects = list(_objects(picture))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            found = json_problem(path, error, member.raw, member.line)
            options.on_problem(replace(found, record=image))
            continue
        draft = Draft(path, image, options, member.line)
        _fill(draft, objects)
        scene = draft.scene(width=picture.width, height=picture.height, extra=extra)
        if scene is not None:
            yield scene


def _objects(picture: _Picture) -> Iterator[Member]:
    """Objects by id, doubled ids too: a plain decoder would keep the last and say nothing."""
    raw = bytes(picture.objects)
    if not raw.startswith(b"{"):
        raise msgspec.ValidationError("Expected `object`, with each object by its id - at `$.objects`")
    return members_of(raw)


def _fill(draft: Draft, objects: list[Member]) -> None:
    told = []
    for member in objects:
        key, at = str(member.key), f"objects.{member.key}"
        object_ = draft.one(member.raw, _OBJECT, at)
        if object_ is None:
            draft.skip(key)
            continue
        if not draft.knows(key):
            told.append((key, at, object_))
        box = sized_box(draft, at, object_.x, object_.y, object_.w, object_.h)
        region = Region(object_.name, box, attributes=tuple(object_.attributes), id=object_id(key))
        draft.add(key, region, at)
    for key, place, object_ in told:
        for at, relation in draft.decoded(object_.relations, _RELATION, f"{place}.relations"):
            draft.relate(key, relation.name, relation.object, at)

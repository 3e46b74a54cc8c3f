"""A scene while it is put together from a file: parts that cannot be used are reported, the rest stays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.errors import OnProblem, Problem
from commonsight.store.jsonfiles import json_problem

T = TypeVar("T")


class Options(NamedTuple):
    """How strictly files are read."""

    on_problem: OnProblem
    boxes_required: bool = False
    """Whether an object without a box is a problem: captions tell of objects without saying where."""


class Draft:
    """One picture's graph. Objects go by any key that the source refers to them with."""

    def __init__(self, path: Path, image: str, options: Options, line: int | None = None) -> None:
        self.image = image
        self._path, self._line, self._options = path, line, options
        self._regions: list[Region] = []
        self._place: dict[Hashable, int] = {}
        self._skipped: set[Hashable] = set()
        self._relations: list[Relation] = []

    @property
    def objects(self) -> int:
        """How many objects there are so far."""
        return len(self._regions)

    def problem(self, field: str, message: str, remedy: str) -> None:
        """Report one part of this picture's graph."""
        self._options.on_problem(Problem(self._path, message, remedy, self._line, self.image, field))

    def decoded(
        self, raws: Iterable[msgspec.Raw], decoder: msgspec.json.Decoder[T], field: str
    ) -> Iterator[tuple[str, T]]:
        """Each part of a list and what the source calls its place; one of the wrong shape is left out."""
        raws = list(raws)
        whole = b"[" + b",".join(map(bytes, raws)) + b"]"
        try:
            parts: list[T] = _listed(cast("Hashable", decoder.type)).decode(whole)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            yield from self._one_by_one(raws, decoder, field)
            return
        for number, part in enumerate(parts):
            yield f"{field}[{number}]", part

    def _one_by_one(
        self, raws: Iterable[msgspec.Raw], decoder: msgspec.json.Decoder[T], field: str
    ) -> Iterator[tuple[str, T]]:
        """The slow way, which tells what is wrong with each."""
        for number, raw in enumerate(raws):
            at = f"{field}[{number}]"
            part = self.one(raw, decoder, at)
            if part is not None:
                yield at, part

    def one(self, raw: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T], at: str) -> T | None:
        """One part, or None once it was reported that its shape is wrong."""
        try:
            return decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            found = json_problem(self._path, error, bytes(raw), self._line)
            inner = at
            if found.field is not None:
                inner += found.field if found.field.startswith("[") else f".{found.field}"
            self._options.on_problem(replace(found, record=self.image, field=inner))
            return None

    def knows(self, key: Hashable) -> bool:
        """Whether an object of this key was told before, usable or not."""
        return key in self._place or key in self._skipped

    def skip(self, key: Hashable) -> None:
        """The object was reported: its relations go with it, without a word each."""
        self._skipped.add(key)

    def add(self, key: Hashable, region: Region, field: str) -> None:
        """One object; its box may be missing, unless boxes are required."""
        if self.knows(key):
            self.problem(field, f"the object id {key} was used before", "Give every object its own.")
            return
        if not region.label.strip():
            self.problem(field, "the object has no name", "Name it, or remove it and its relations.")
            self.skip(key)
            return
        if region.box is not None and not _has_area(region.box):
            self.problem(field, "the box has no area", "Give it a width and a height above 0.")
            region = msgspec.structs.replace(region, box=None)
        if region.box is None and self._options.boxes_required:
            self.problem(field, "the object has no box", "Give it one, or remove it and its relations.")
            self.skip(key)
            return
        self._place[key] = len(self._regions)
        self._regions.append(region)

    def describe(self, key: Hashable, attributes: Iterable[str]) -> None:
        """More attributes of an object that was told before."""
        place = self._place.get(key)
        if place is not None:
            region = self._regions[place]
            more = dict.fromkeys((*region.attributes, *attributes))
            self._regions[place] = msgspec.structs.replace(region, attributes=tuple(more))

    def relate(self, subject: Hashable, predicate: str, target: Hashable, field: str) -> None:
        """One relation; an end that nobody told of is a problem, one that was reported is not told again."""
        ends = self._place.get(subject), self._place.get(target)
        if ends[0] is not None and ends[1] is not None and predicate.strip():  # as nearly all are
            self._relations.append(Relation(ends[0], predicate, ends[1]))
            return
        for key in (subject, target):
            if not self.knows(key):
                message = f"the relation names object {key}, which is not in this graph"
                self.problem(field, message, "Add the object or remove the relation.")
                return
        if not predicate.strip():
            self.problem(field, "the relation has no name", "Name it or remove it.")

    def scene(
        self, *, width: int | None = None, height: int | None = None, extra: dict[str, Any] | None = None
    ) -> Scene | None:
        """The scene, or None once it was reported that nothing is in it."""
        if not self._regions:
            self.problem("objects", "the graph is empty", "Nothing can be asked about it: leave it out.")
            return None
        sides = [self._side(name, value) for name, value in (("width", width), ("height", height))]
        return Scene(
            self.image, tuple(self._regions), tuple(self._relations), sides[0], sides[1], extra=extra or {}
        )

    def _side(self, name: str, value: int | None) -> int | None:
        if value is not None and value <= 0:
            self.problem(name, f"a picture cannot be {value} pixels wide or high", "Correct or remove it.")
            return None
        return value


@cache
def _listed(part: Hashable) -> msgspec.json.Decoder[Any]:
    """A decoder of many such parts at once."""
    return msgspec.json.Decoder(list[part])  # type: ignore[valid-type]


def _has_area(box: Box) -> bool:
    return box.left < box.right and box.top < box.bottom


def sized_box(
    draft: Draft, field: str, x: float | None, y: float | None, w: float | None, h: float | None
) -> Box | None:
    """A box told by its corner and its size, or None where none is told; half a box is a problem."""
    if x is None or y is None or w is None or h is None:
        if not x is y is w is h is None:
            draft.problem(field, "the box is not complete", "Give x, y, w and h, or none of them.")
        return None
    return Box(x, y, x + w, y + h)


def object_id(key: int | str) -> int | None:
    """The source's id as our regions keep it: a number, or nothing."""
    if isinstance(key, int):
        return key
    return int(key) if key.isascii() and key.isdigit() and len(key) < 19 else None

"""What pictures show, looked up by their content: the scenes of a world, drawn again from its seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from commonsight.errors import UsageError
from commonsight.store.dataset import is_dataset, read_info, sha256
from commonsight.world.frame import Frame, frame
from commonsight.world.make import KINDS, MADE, Plan, film_of, movies
from commonsight.world.model import Stage
from commonsight.world.nlvr2 import SetScenes, scenes_of_set
from commonsight.world.plan import plan_scene, scene_rng

_SCENE = re.compile(r"(?P<movie>[^/]+)/(?P<index>\d+)\.jpg")
_SIDE = re.compile(r"(?P<split>\w+)-(?P<number>\d+)-(?P<pair>\d+)-img(?P<side>[01])\.png")
SAME = 0.5
"""Boxes that overlap so much of what they cover together, and have the same label, are of the same thing."""


class InSet(NamedTuple):
    """A picture of a set of similar scenes: the set's name, the set, and the scene's place in it."""

    name: tuple[str, int]
    made: SetScenes
    place: int

    @property
    def stage(self) -> Stage:
        """The scene."""
        return self.made.scenes.stages[self.place]


class DrawnWorld:
    """A folder that `world make` made. Scenes are drawn again when someone looks at them, and kept."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.plan = folder, _plan(folder)
        self._frames: dict[str, Frame] = {}
        self._sets: dict[tuple[str, int], SetScenes] = {}

    @cached_property
    def names(self) -> dict[str, str]:
        """What the world calls each picture, by the hash of its content."""
        images = self.folder / "raw" / "images"
        paths = [path for path in sorted(images.rglob("*")) if path.suffix in (".jpg", ".png")]
        named = {sha256(path): path.relative_to(images).as_posix() for path in paths}
        for path in paths:  # the same picture may lie there under a number as well: its own name counts
            name = path.relative_to(images).as_posix()
            if _SCENE.fullmatch(name):
                named[sha256(path)] = name
        return named

    @cached_property
    def _films(self) -> dict[str, int]:
        return {film_of(self.plan, number).name: number for number in range(movies(self.plan))}

    def frame(self, picture: str) -> Frame | None:
        """The scene behind a picture, by the name that a collection keeps it under; None if not of here."""
        name = self.names.get(picture.partition(".")[0], "")
        found = _SCENE.fullmatch(name)
        if found is None or found["movie"] not in self._films:
            return None
        if name not in self._frames:
            film, index = film_of(self.plan, self._films[found["movie"]]), int(found["index"])
            self._frames[name] = frame(plan_scene(film, index, scene_rng(self.plan.seed, film, index)))
        return self._frames[name]

    def look_around(self) -> None:
        """Draw every single scene now, so that nobody waits for it at work."""
        for digest, name in self.names.items():
            if _SCENE.fullmatch(name):
                self.frame(digest)

    def in_set(self, picture: str) -> InSet | None:
        """The scene behind a picture of a set; None if it is not of one of this world's sets."""
        found = _SIDE.fullmatch(self.names.get(picture.partition(".")[0], ""))
        if found is None:
            return None
        name = (found["split"], int(found["number"]))
        if name not in self._sets:
            self._sets[name] = scenes_of_set(self.plan.seed, name[1], name[0])
        made = self._sets[name]
        return InSet(name, made, made.pairs[int(found["pair"])][int(found["side"])])


def _plan(folder: Path) -> Plan:
    for kind in KINDS:
        info = read_info(folder / kind) if is_dataset(folder / kind) else None
        if info is not None and info.made.by == MADE and info.made.seed is not None:
            return Plan(int(info.made.options["scenes"]), info.made.seed, tuple(_kinds(folder)))
    raise UsageError(f"{folder} is no world. Give a folder that `commonsight world make` made.")


def _kinds(folder: Path) -> Iterator[Any]:
    yield from (kind for kind in KINDS if (folder / kind).is_dir())


def regions_of(seen: Frame, shown: Mapping[str, Any]) -> dict[int, int]:
    """Which of the numbered boxes of a shown picture stands for each thing of its scene.

    Boxes may come from the world itself, then all fit; or from a detector, then those that overlap do.
    """
    regions: Sequence[Mapping[str, Any]] = shown.get("regions") or ()
    found: dict[int, int] = {}
    for entity in seen.index:
        box = [float(edge) for edge in seen.picture.visible[entity].box]
        near = [
            (_overlap(box, region.get("box")), place)
            for place, region in enumerate(regions)
            if region["label"] == seen.names[entity] and place not in found.values()
        ]
        best = max(near, default=(0.0, -1))
        if best[0] >= SAME:
            found[entity] = best[1]
    return found


def _overlap(one: Sequence[float], other: Sequence[float] | None) -> float:
    if other is None:
        return 0.0
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return width * height / (sum(areas) - width * height)



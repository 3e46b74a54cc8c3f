"""The door to whatever finds objects in pictures, and a fake behind it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from msgspec import Struct

from commonsight.build.imaging.canvas import Pixels
from commonsight.core.scene import Polygon
from commonsight.store.documents import read_document

LEAST_SCORE = 0.7
"""How sure a detector must be (VCR, appendix B.1)."""


class Detected(NamedTuple):
    """One object that was found."""

    label: str
    score: float
    """From 0 to 1."""
    box: tuple[float, float, float, float]
    """Left, top, right, bottom, in pixels of the picture."""
    polygons: tuple[Polygon, ...] | None = None
    """Its outline, where the detector tells one."""


class Detector(Protocol):
    """Finds objects in pictures."""

    @property
    def name(self) -> str:
        """For provenance: another detector, or other weights, have another name."""
        ...

    def detect(self, pictures: Sequence[Pixels], least: float = LEAST_SCORE) -> list[list[Detected]]:
        """Of each picture (height, width, 3) what it finds with at least this score, the surest first."""
        ...


class ScriptedDetector:
    """Finds in every picture what it was told: for tests, and to try out what comes after detection."""

    def __init__(self, script: Sequence[Detected], name: str = "scripted") -> None:
        self.script, self.name = tuple(script), name
        self.seen = 0
        """Pictures so far."""

    def detect(self, pictures: Sequence[Pixels], least: float = LEAST_SCORE) -> list[list[Detected]]:
        """The script, as far as it is sure enough, within each picture."""
        self.seen += len(pictures)
        told = sorted((one for one in self.script if one.score >= least), key=lambda one: -one.score)
        return [[_within(one, picture) for one in told] for picture in pictures]


def _within(one: Detected, picture: Pixels) -> Detected:
    tall, wide = picture.shape[:2]
    left, top, right, bottom = one.box
    return one._replace(box=(min(left, wide), min(top, tall), min(right, wide), min(bottom, tall)))


class _Line(Struct, forbid_unknown_fields=True):
    label: str
    score: float
    box: tuple[float, float, float, float]
    polygons: tuple[Polygon, ...] | None = None


def read_script(path: Path) -> ScriptedDetector:
    """A fake from a JSON list of objects with label, score and box."""
    lines = read_document(path, list[_Line], remedy="Write a JSON list of {label, score, box}.")
    return ScriptedDetector(
        [Detected(line.label, line.score, line.box, line.polygons) for line in lines], path.stem
    )

"""What a picture shows: regions, and how they relate."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

Point = tuple[float, float]
Polygon = tuple[Point, ...]


class Box(Struct, frozen=True, array_like=True, gc=False):
    """Corners in pixels: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float


class Region(Struct, frozen=True, gc=False):
    """One thing in a picture. `label` is always known; where it stands may not be."""

    label: str
    box: Box | None = None
    polygons: tuple[Polygon, ...] | None = None
    score: float | None = None
    attributes: tuple[str, ...] = ()
    id: int | None = None
    """The source's own object id, where it has one (Visual Genome); texts refer by position instead."""


class Relation(Struct, frozen=True, gc=False):
    """`subject` predicate `object`, both by position in the scene's regions."""

    subject: int
    predicate: str
    object: int


class Scene(Struct, frozen=True):
    """One picture and what is known to be in it."""

    image: str
    """What the source calls it: a file name, a URL or an id."""
    regions: tuple[Region, ...] = ()
    relations: tuple[Relation, ...] = ()
    width: int | None = None
    height: int | None = None
    stored: str | None = None
    """Where a dataset keeps the pixels: `images/<hash>.<ending>`, relative to the dataset's folder."""
    extra: dict[str, Any] = field(default_factory=dict)
    """What the source says beyond this, kept word for word."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The regions' labels, by position: what texts need to be rendered."""
        return tuple(region.label for region in self.regions)

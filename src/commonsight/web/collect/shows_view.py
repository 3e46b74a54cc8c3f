"""What a task shows, as a page draws it: pictures with numbered boxes, pairs under letters, tagged texts.

Payloads are JSON that a protocol made. An entry that a task does not have is left out, so that one stage can
serve tasks with and without captions.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from commonsight.collect.protocol import Payload, Show, labels_of
from commonsight.core.text import Piece, pieces

LETTERS = string.ascii_uppercase


@dataclass(frozen=True)
class BoxView:
    """One numbered region of a picture."""

    index: int
    name: str
    """As tags write it: `person4`."""
    corners: tuple[float, float, float, float] | None
    """Left, top, width, height, where it is known where it stands."""
    outlines: tuple[str, ...] = ()
    """Polygons, as SVG has points."""

    @property
    def area(self) -> float:
        """Small ones are drawn above large ones, so that each can be pointed at."""
        return self.corners[2] * self.corners[3] if self.corners else 0.0


@dataclass(frozen=True)
class PictureView:
    """One picture with its boxes."""

    entry: str
    """The payload's entry, which fields name by `about`."""
    picture: str
    width: int
    height: int
    alt: str
    letter: str = ""
    boxes: tuple[BoxView, ...] = ()

    @property
    def shape(self) -> int:
        """Tenths of its height that it is wide: how wide it may be so that all of it fits the window."""
        return min(30, max(3, round(10 * self.width / max(1, self.height))))

    @property
    def drawn(self) -> list[BoxView]:
        """The boxes that can be drawn, large ones first."""
        return sorted((box for box in self.boxes if box.corners), key=lambda box: -box.area)


class PairView(NamedTuple):
    """Pictures side by side, under one letter."""

    entry: str
    letter: str
    pictures: tuple[PictureView, ...]


@dataclass(frozen=True)
class Line:
    """One named thing that someone said, or one step of a program: a label and its texts."""

    label: str
    texts: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True)
class ShowView:
    """One thing that a worker sees."""

    name: str
    kind: str
    label: str
    pictures: tuple[PictureView, ...] = ()
    pairs: tuple[PairView, ...] = ()
    texts: tuple[tuple[Piece, ...], ...] = ()
    said: tuple[tuple[Line, ...], ...] = ()
    about: str = ""
    """The picture that tags in its texts point to."""


def show_views(shows: Iterable[Show], payload: Payload, scope: str = "") -> tuple[ShowView, ...]:
    """The entries of the payload that the stage shows, in its order.

    Where a page shows several payloads, what each one's pictures are called begins with its `scope`.
    """
    shows = tuple(shows)
    scenes = (show.name for show in shows if show.kind == "scene")
    about = next((name for name in scenes if is_picture(payload.get(name))), "")
    labels = labels_of(payload, about)
    return tuple(
        _view(show, payload[show.name], scope, about, labels)
        for show in shows
        if payload.get(show.name) not in (None, "", [])
    )


def _view(show: Show, entry: Any, scope: str, about: str, labels: Sequence[str]) -> ShowView:
    name = f"{scope}{show.name}"

    def of(**more: Any) -> ShowView:
        return ShowView(name, show.kind, show.label, about=f"{scope}{about}", **more)

    if show.kind == "scene":
        return of(pictures=(picture_view(name, entry),))
    if show.kind == "pictures":
        views = (picture_view(f"{name}.{n}", each, letter(n)) for n, each in enumerate(entry))
        return of(pictures=tuple(views))
    if show.kind == "pairs":
        return of(pairs=tuple(_pair(name, n, pair) for n, pair in enumerate(entry)))
    if show.kind == "text":
        return of(texts=(tagged(entry, labels),))
    if show.kind == "texts":
        return of(texts=tuple(tagged(each, labels) for each in entry))
    if show.kind == "steps":
        return of(said=tuple(_step(each, labels) for each in entry))
    several = entry if isinstance(entry, list | tuple) else [entry]
    return of(said=tuple(lines(each, labels) for each in several))


def _pair(name: str, position: int, pair: Any) -> PairView:
    entry, sides = f"{name}.{position}", (pair["left"], pair["right"]) if isinstance(pair, Mapping) else pair
    pictures = (picture_view(f"{entry}.{n}", each) for n, each in enumerate(sides))
    return PairView(entry, letter(position), tuple(pictures))


def _step(entry: Any, labels: Sequence[str]) -> tuple[Line, ...]:
    if not isinstance(entry, Mapping):
        return (Line("", (tagged(entry, labels),)),)
    return tuple(Line(str(name), _texts(value, labels)) for name, value in entry.items())


def lines(entry: Any, labels: Sequence[str]) -> tuple[Line, ...]:
    """What someone said, name by name; entries of a group stand one after the other."""
    if not isinstance(entry, Mapping):
        return (Line("", _texts(entry, labels)),)
    found: list[Line] = []
    for name, value in entry.items():
        if isinstance(value, list | tuple) and any(isinstance(each, Mapping) for each in value):
            for each in value:
                found.extend(lines(each, labels))
        else:
            found.append(Line(humane(str(name)), _texts(value, labels)))
    return tuple(found)


def _texts(value: Any, labels: Sequence[str]) -> tuple[tuple[Piece, ...], ...]:
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(tagged(each, labels) for each in several)


def tagged(text: Any, labels: Sequence[str]) -> tuple[Piece, ...]:
    """A text cut at its tags; anything else as it is written."""
    if isinstance(text, bool):
        text = "yes" if text else "no"
    return tuple(pieces("—" if text is None else str(text), labels))


def humane(name: str) -> str:
    """A name of a program's as people read it: `answer_type` is "Answer type"."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def letter(position: int) -> str:
    """What a picture among several is called: A, B … Z, then by number."""
    return LETTERS[position] if position < len(LETTERS) else str(position + 1)


def is_picture(entry: Any) -> bool:
    """Whether an entry of a payload is a `Shown`."""
    return isinstance(entry, Mapping) and "picture" in entry and "width" in entry


def first_picture(payload: Payload) -> str:
    """The entry that is a picture, where there is one."""
    return next((name for name, entry in payload.items() if is_picture(entry)), "")


def picture_view(entry: str, shown: Mapping[str, Any], named: str = "") -> PictureView:
    """A picture of the payload."""
    regions = shown.get("regions") or ()
    boxes = tuple(_box(index, region) for index, region in enumerate(regions))
    return PictureView(
        entry, shown["picture"], shown["width"], shown["height"], shown.get("alt", ""), named, boxes
    )


def _box(index: int, region: Mapping[str, Any]) -> BoxView:
    corners = None
    if region.get("box") is not None:
        left, top, right, bottom = (round(float(each), 1) for each in region["box"])
        corners = (left, top, round(right - left, 1), round(bottom - top, 1))
    outlines = tuple(
        " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in polygon)
        for polygon in region.get("polygons") or ()
    )
    return BoxView(index, f"{region['label']}{index + 1}", corners, outlines)

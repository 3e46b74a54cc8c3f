"""Items to look at in a report: that all runs get right, that none does, and that they differ on."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.errors import InputError, InvalidRecords
from commonsight.runs.exploring.book import Book
from commonsight.runs.exploring.cards import asked_role
from commonsight.store.paths import below
from commonsight.store.pictures import read_picture

SIDE = 360
"""Pixels of an inlined picture, each way."""
KINDS = {
    "wrong": "No run is right",
    "differ": "Runs differ",
    "right": "Every run is right",
}


class Outlined(NamedTuple):
    """A box on a picture, in the picture's own pixels."""

    name: str
    left: float
    top: float
    width: float
    height: float


class Pictured(NamedTuple):
    """A small picture with boxes; the address is the picture itself, so that a page needs nothing else."""

    address: str
    width: int
    height: int
    boxes: tuple[Outlined, ...]


class Example(NamedTuple):
    """One item of a report."""

    id: str
    kind: str
    asked: str
    choices: tuple[tuple[str, bool], ...]
    """Each with whether it is right."""
    right: str
    said: tuple[tuple[str, str, bool], ...]
    """Of every run: its name, what it answered, and whether that earned anything."""
    pictures: tuple[Pictured, ...]


def examples(book: Book, count: int, seed: int = 0) -> list[Example]:
    """So many of each kind, drawn by a seed from all that there are."""
    if not book.runs or not count:
        return []
    rng = np.random.default_rng(seed)
    scores = np.stack([run.score for run in book.runs.values()])
    answered = ~np.isnan(scores).any(0)
    earned = (np.nan_to_num(scores) > 0).sum(0)
    rows = {
        "wrong": np.flatnonzero(answered & (earned == 0)),
        "differ": np.flatnonzero(answered & (earned > 0) & (earned < len(scores))),
        "right": np.flatnonzero(answered & (earned == len(scores))),
    }
    found = []
    for kind, several in rows.items():
        for row in sorted(rng.permutation(several)[:count]):
            item = book.item(book.index.ids[row])
            assert item is not None  # the index has it
            found.append(_example(book, item, kind))
    return found


def _example(book: Book, item: Item, kind: str) -> Example:
    labels = item.labels
    role = asked_role(item)
    asked = item.texts[role].bracketed(labels) if role else ""
    card = book.index.cards([book.index.row(item.id) or 0])[0]
    choices = [text.bracketed(labels) for text in item.choices]
    right = card.right
    said = tuple(
        (run.name, _said(run.lines[0].answer, choices) if run.lines else "", bool(run.score))
        for run in book.said(item.id)
        if run.score is not None
    )
    return Example(
        item.id, kind, asked, tuple((text, text == right) for text in choices), right, said,
        tuple(_pictured(book.folder, item)),
    )  # fmt: skip


def _said(answer: object, choices: list[str]) -> str:
    index = getattr(answer, "index", None)
    if isinstance(index, int):
        return choices[index] if index < len(choices) else f"choice {index + 1}"
    for name in ("text", "value"):
        if hasattr(answer, name):
            return str(getattr(answer, name))
    return type(answer).__name__.lower()


def _pictured(folder: Path, item: Item) -> Iterator[Pictured]:
    mentioned = {
        place
        for text in (*item.texts.values(), *item.choices, *item.rationales)
        for place in text.references()
    }
    for number, scene in enumerate(item.scenes[:2]):
        if scene.stored is not None:
            picture = small(folder, scene.stored)
            if picture is not None:
                boxes = tuple(_outlined(scene, sorted(mentioned))) if number == 0 else ()
                size = (scene.width or 1, scene.height or 1)
                yield Pictured(picture, *size, boxes)


def small(folder: Path, stored: str) -> str | None:
    """A picture as an address of its own, small; None where it cannot be read."""
    try:
        content = below(folder, stored).read_bytes()
        image = read_picture(content, near=SIDE, name=stored).image
    except (OSError, InputError, InvalidRecords):
        return None
    image.thumbnail((SIDE, SIDE))
    stream = io.BytesIO()
    image.convert("RGB").save(stream, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(stream.getvalue()).decode()


def _outlined(scene: Scene, places: list[int]) -> Iterator[Outlined]:
    for place in places:
        region: Region | None = scene.regions[place] if place < len(scene.regions) else None
        if region is not None and region.box is not None:
            box = region.box
            name = f"{region.label}{place + 1}"
            yield Outlined(name, box.left, box.top, box.right - box.left, box.bottom - box.top)

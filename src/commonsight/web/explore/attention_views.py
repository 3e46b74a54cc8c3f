"""What a network looked at, as its page draws it: heatmaps of words, shares of objects, places and facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from commonsight.core.benchmark import Ask
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.runs.exploring.attention import Looked

WHOLE = "whole picture"
SHADES = 10
"""Steps of opacity: each is a class of the style sheet, since pages may not style inline."""


class Heatmap(NamedTuple):
    """Shares by row and column, in steps of opacity."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[float, ...], ...]
    regions: tuple[int | None, ...] = ()
    """Of objects: each column's region."""


class LookedView(NamedTuple):
    """One kind of attention of one run at one task."""

    run: str
    task: str
    kind: str
    maps: tuple[Heatmap, ...]
    """One for each choice."""
    objects: tuple[tuple[int, int], ...]
    """Regions with how much was looked at them, in steps: to be drawn on the picture."""


def looked_view(run: str, looked: Looked, item: Item, ask: Ask | None) -> LookedView:
    """What one run looked at, choice by choice."""
    columns, regions = _columns(looked, item, ask)
    maps = []
    for choice, shares in enumerate(np.asarray(looked.shares, np.float64)):
        rows = _rows(looked, item, ask, choice, len(shares))
        kept = shares[: len(rows), : len(columns)]
        maps.append(
            Heatmap(
                f"choice {choice + 1}" if len(looked.shares) > 1 else "",
                rows,
                columns,
                tuple(tuple(map(shade, row)) for row in kept.tolist()),
                tuple(tuple(round(share, 3) for share in row) for row in kept.tolist()),
                regions,
            )
        )
    return LookedView(run, looked.task, looked.kind, tuple(maps), tuple(_on_picture(looked, regions)))


def shade(share: float) -> int:
    """A share of 1 in steps."""
    return min(SHADES, max(0, round(share * SHADES)))


def _rows(looked: Looked, item: Item, ask: Ask | None, choice: int, length: int) -> tuple[str, ...]:
    """Words of the response, where it is looked word by word; else glimpses by number."""
    if looked.kind in ("query", "objects") and ask is not None and choice < len(ask.choices):
        words = tokens(ask.choices[choice], item.labels)
        if len(words) <= length:
            return words
    return tuple(f"{number + 1}" for number in range(length))


def _columns(looked: Looked, item: Item, ask: Ask | None) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    length = looked.shares.shape[-1]
    if looked.kind == "facts" and looked.facts:
        return looked.facts[:length], ()
    if looked.kind in ("objects", "glimpses"):
        regions = _objects(item, ask, length)
        return tuple(
            WHOLE if place is None else f"{item.labels[place]}{place + 1}" for place in regions
        ), regions
    if looked.kind == "query" and ask is not None:
        words = tuple(word for text in ask.texts.values() for word in tokens(text, item.labels))
        if len(words) == length:
            return words, ()
    return tuple(str(number + 1) for number in range(length)), ()


def _objects(item: Item, ask: Ask | None, length: int) -> tuple[int | None, ...]:
    """The whole picture, then those objects that a text points to, or all, in the order of the scene."""
    count = len(item.labels)
    texts = (*ask.texts.values(), *ask.choices) if ask is not None else ()
    mentioned = sorted({place for text in texts for place in text.references() if place < count})
    several: Sequence[int] = mentioned if len(mentioned) == length - 1 else range(min(count, length - 1))
    return (None, *several)


def _on_picture(looked: Looked, regions: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """Over all words of the choice that was looked for hardest, how much each object was looked at."""
    if not regions:
        return
    shares = np.asarray(looked.shares, np.float64).max(axis=(0, 1))
    for place, share in zip(regions, shares, strict=False):
        if place is not None:
            yield place, shade(float(share))


def tokens(text: TaggedText, labels: Sequence[str]) -> tuple[str, ...]:
    """Words of a text, one for each token; a tag is one."""
    return tuple(
        token
        if isinstance(token, str)
        else "[" + ", ".join(f"{labels[place]}{place + 1}" for place in token) + "]"
        for token in text.tokens
    )

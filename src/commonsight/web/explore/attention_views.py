"""What a network looked at, as its page draws it: heatmaps of words, shares of objects, places and facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.core.benchmark import Ask
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.runs.exploring.attention import Looked
from commonsight.web.explore.places import Looks, looks

WHOLE = "whole picture"
SHADES = 10
"""Steps of opacity: each is a class of the style sheet, since pages may not style inline."""
PEAK = 3
"""A look is at something where it has so many times the share that an even look would have: paler colours are
for looks that are spread about."""
MOST_FACTS = 12
"""Facts that are shown, those that were looked at most."""

Shares = NDArray[np.float64]


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
    """One kind of attention of one run at one task. What is darker was looked at more."""

    run: str
    task: str
    kind: str
    most: float
    """The largest share."""
    even: float
    """The share of each if all were looked at alike."""
    full: float
    """The share that is drawn darkest."""
    maps: tuple[Heatmap, ...] = ()
    """Of words, objects and glimpses: one for each choice."""
    objects: tuple[tuple[int, int], ...] = ()
    """Regions with how much was looked at them, in steps: to be drawn on the picture."""
    facts: tuple[tuple[str, float], ...] = ()
    """What was read, that with the largest share first."""
    looks: tuple[Looks, ...] = ()
    """Of places: one for each glimpse, to be drawn on the pictures."""


def looked_view(run: str, looked: Looked, item: Item, ask: Ask | None) -> LookedView:
    """What one run looked at."""
    shares = np.asarray(looked.shares, np.float64)
    most, even = float(shares.max(initial=0.0)), 1 / max(1, shares.shape[-1])
    full = min(1.0, max(most, PEAK * even))
    view = LookedView(run, looked.task, looked.kind, most, even, full)
    scaled = shares / full
    if looked.kind == "facts":
        return view._replace(facts=tuple(_facts(looked.facts, shares)))
    if looked.kind == "places":
        return view._replace(looks=tuple(looks(looked.canvas, _steps(scaled[0]), item.scenes)))
    columns, regions = _columns(looked, item, ask)
    maps = tuple(_heatmaps(looked, shares, scaled, item, ask, columns, regions))
    return view._replace(maps=maps, objects=tuple(_on_picture(scaled, regions)))


def _steps(scaled: Shares) -> NDArray[np.int64]:
    """Parts of the largest share, in steps."""
    return np.rint(np.clip(scaled, 0, 1) * SHADES).astype(np.int64)


def _facts(facts: Sequence[str], shares: Shares) -> Iterator[tuple[str, float]]:
    told = shares.max(axis=(0, 1))[: len(facts)]
    for place in np.argsort(-told, kind="stable")[:MOST_FACTS]:
        if told[place] > 0:  # others were not of the relation that was asked for
            yield facts[place], float(told[place])


def _heatmaps(
    looked: Looked,
    shares: Shares,
    scaled: Shares,
    item: Item,
    ask: Ask | None,
    columns: tuple[str, ...],
    regions: tuple[int | None, ...],
) -> Iterator[Heatmap]:
    for choice, (mine, shade) in enumerate(zip(shares, _steps(scaled), strict=True)):
        rows = _rows(looked, item, ask, choice, len(mine))
        part = (slice(len(rows)), slice(len(columns)))
        yield Heatmap(
            f"choice {choice + 1}" if len(shares) > 1 else "",
            rows,
            columns,
            tuple(map(tuple, shade[part].tolist())),
            tuple(map(tuple, mine[part].round(3).tolist())),
            regions,
        )


def _rows(looked: Looked, item: Item, ask: Ask | None, choice: int, length: int) -> tuple[str, ...]:
    """Words of the response, where it is looked word by word; else glimpses by number."""
    if looked.kind in ("query", "objects") and ask is not None and choice < len(ask.choices):
        words = tokens(ask.choices[choice], item.labels)
        if len(words) <= length:
            return words
    return tuple(f"look {number + 1}" for number in range(length))


def _columns(looked: Looked, item: Item, ask: Ask | None) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    length = looked.shares.shape[-1]
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


def _on_picture(scaled: Shares, regions: Sequence[int | None]) -> Iterator[tuple[int, int]]:
    """Over all words of the choice that was looked for hardest, how much each object was looked at."""
    if not regions:
        return
    for place, step in zip(regions, _steps(scaled.max(axis=(0, 1))).tolist(), strict=False):
        if place is not None:
            yield place, step


def tokens(text: TaggedText, labels: Sequence[str]) -> tuple[str, ...]:
    """Words of a text, one for each token; a tag is one."""
    return tuple(
        token
        if isinstance(token, str)
        else "[" + ", ".join(f"{labels[place]}{place + 1}" for place in token) + "]"
        for token in text.tokens
    )

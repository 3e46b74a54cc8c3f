"""Layouts that networks are given with questions, made of the questions' words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import structs

from commonsight.core.layout import Layout
from commonsight.graph import layouts as constituents
from commonsight.graph.shapes import layouts as grammar
from commonsight.models.catalogue_entry import LayoutRule
from commonsight.models.features.examples import Example


def with_layouts(rule: LayoutRule, read: Iterable[Example]) -> list[Example]:
    """Questions with the layouts that their words make."""
    return [structs.replace(example, layout=_made(rule, example.query.words)) for example in read]


def _made(rule: LayoutRule, words: Sequence[str]) -> Layout:
    return grammar.layout_of(words) if rule == "grammar" else constituents.layout_of(words).layout


def layouts_told(rule: LayoutRule, learned: Sequence[Example]) -> str:
    """How many layouts say less than the words that they were made of."""
    if rule == "grammar":
        plain = _unread(learned)
        return f"{len(learned):,} layouts read by a grammar; {plain:,} are plain, for lack of a reading"
    given_up = Counter(constituents.layout_of(example.query.words).given_up for example in learned)
    return (
        f"{len(learned):,} layouts made of words; {given_up['end']:,} leave out the end of a long text, and "
        f"{given_up['all']:,} are plain, for lack of anything to find"
    )


def unread_told(rule: LayoutRule | None, asked: Sequence[Example]) -> str | None:
    """How many questions are answered by a plain layout, if any are."""
    unread = _unread(asked) if rule == "grammar" else 0
    return f"{unread:,} of {len(asked):,} questions have no reading, and a plain layout" if unread else None


def _unread(read: Iterable[Example]) -> int:
    return sum(grammar.falls_back(example.query.words) for example in read)

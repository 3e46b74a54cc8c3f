"""What descriptive probes count: tokens and words, the parts of a dataset, an item's texts by role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonsight.audit.probe import CannotMeasure
from commonsight.core.answer import FreeText, Grounded, Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.store.figures import Bars, Series

IDENTITIES = ("image", "movie", "sentence", "set")
"""Groups that say which one an item belongs to, not what kind it is."""
MOST_KINDS = 40
"""A field with more different values than this names things; with fewer, it sorts items into kinds."""

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def tokens_of(text: TaggedText, labels: Sequence[str] = ()) -> list[str]:
    """Words and marks in lower case; every object that a tag points to counts once, by its class.

    A text that came in tokens keeps them, as the papers counted; one that came as a string is cut here.
    """
    if len(text.tokens) == 1 and isinstance(text.tokens[0], str):
        return _TOKEN.findall(text.tokens[0].lower())
    found: list[str] = []
    for token in text.tokens:
        if isinstance(token, str):
            found.append(token.lower())
        else:
            found.extend(labels[index] if 0 <= index < len(labels) else "object" for index in token)
    return found


def is_word(token: str) -> bool:
    """Whether a token has a letter or a digit in it, and is no mark."""
    return any(map(str.isalnum, token))


def part_of(item: Item) -> str:
    """The split, with the half where a split has halves (written by people, or made by matching)."""
    half = item.groups.get("half")
    return f"{item.split}, {half}" if half else item.split


def question_of(item: Item) -> tuple[str, TaggedText] | None:
    """What is asked, and its role: the question, or else the first text that there is."""
    if "question" in item.texts:
        return "question", item.texts["question"]
    return next(iter(item.texts.items()), None)


def right_choice(item: Item) -> TaggedText | None:
    """The right choice, where it is known and there."""
    if isinstance(item.gold, Pick) and 0 <= item.gold.index < len(item.choices):
        return item.choices[item.gold.index]
    return None


def right_rationale(item: Item) -> TaggedText | None:
    """The right one of several rationales; the first where all of them are right."""
    at = item.rationale_gold or 0
    return item.rationales[at] if 0 <= at < len(item.rationales) else None


def answer_of(item: Item) -> str | None:
    """The right answer in words, if it is known; true and false are none."""
    match item.gold:
        case Pick():
            text = right_choice(item)
            return None if text is None else " ".join(tokens_of(text, item.labels))
        case FreeText(text) | Grounded(text, _):
            return text.lower()
        case _:
            return None


def roles_of(item: Item) -> Iterator[tuple[str, TaggedText]]:
    """Every text of an item with its role; the right choice comes once more, as such."""
    yield from item.texts.items()
    for choice in item.choices:
        yield "choice", choice
    if (right := right_choice(item)) is not None:
        yield "right choice", right
    for rationale in item.rationales:
        yield "rationale", rationale
    if item.rationale_gold is not None and (told := right_rationale(item)) is not None:
        yield "right rationale", told
    for answer in item.direct_answers:
        yield "direct answer", TaggedText.plain(answer)


def nothing_to_describe() -> CannotMeasure:
    """There are no items at all."""
    return CannotMeasure("There are no items, so there is nothing to describe.")


def bars(names: Sequence[str], values: Sequence[float], y_label: str, title: str = "") -> Bars:
    """One series of bars."""
    series = Series("", tuple(map(float, range(len(names)))), tuple(values))
    return Bars(tuple(names), (series,), y_label, title)

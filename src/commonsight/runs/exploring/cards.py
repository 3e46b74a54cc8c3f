"""What a person sees of an item among many, and what the item is found and sorted by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from commonsight.core.answer import FreeText, Given, Grounded, Pick, Verdict
from commonsight.core.hiding import without_gold
from commonsight.core.item import Item
from commonsight.score.gold import SliceOf
from commonsight.store.dataset import Readable
from commonsight.text.question_types import question_types

ASKED = ("question", "premise", "sentence", "caption")
"""What stands for an item among many: the first of these roles that it has, or else its first text."""
NAMING = frozenset(("image", "sentence"))
"""Groups that name an item rather than sort it: as a filter they would have a label for each item."""


class Picture(Struct, frozen=True, array_like=True):
    """One picture of an item: where the dataset keeps it, and its size."""

    stored: str | None
    width: int
    height: int


class Card(Struct, frozen=True):
    """An item in a grid."""

    id: str
    split: str
    asked: str
    right: str
    """The right answer, in words; empty where the data has none."""
    pictures: tuple[Picture, ...]
    drawn: bool
    """Whether it is of the embedded world, and so no figure from it is one of the real benchmark."""


class Found(NamedTuple):
    """A card with what the item is found by and filtered by."""

    card: Card
    text: str
    labels: dict[str, tuple[str, ...]]
    """By filter: the item's labels, one, several or none."""


def found_of(row: Readable, slices: Mapping[str, SliceOf]) -> Found:
    """All that an index keeps of an item."""
    item = row.item
    asked = row.texts.get(asked_role(item), "")
    card = Card(item.id, item.split, asked, right_answer(row), tuple(_pictures(item)), is_drawn(item))
    labels = (label for scene in item.scenes for label in scene.labels)
    texts = (*row.texts.values(), *row.choices, *row.rationales, *item.direct_answers, *dict.fromkeys(labels))
    return Found(card, " ".join((item.id, *texts)), _labels(item, asked, slices))


def hidden_row(row: Readable) -> Readable:
    """The row without what is right of it."""
    item = without_gold(row.item)
    return Readable(item, row.texts, row.choices, row.rationales if item.rationales else ())


def asked_role(item: Item) -> str:
    """The role of the text that says what is asked."""
    for role in ASKED:
        if role in item.texts:
            return role
    return next(iter(item.texts), "")


def right_answer(row: Readable) -> str:
    """The right answer, in words."""
    gold = row.item.gold
    if isinstance(gold, Pick):
        return row.choices[gold.index] if gold.index < len(row.choices) else ""
    return answer_words(gold)


def answer_words(answer: Given | None) -> str:
    """An answer that is no pick, in words."""
    if isinstance(answer, Verdict):
        return "True" if answer.value else "False"
    if isinstance(answer, FreeText | Grounded):
        return answer.text
    return ""


def is_drawn(item: Item) -> bool:
    """Whether the item says that it is of the embedded world."""
    return bool(item.provenance.get("drawn"))


def _pictures(item: Item) -> Iterator[Picture]:
    for scene in item.scenes:
        yield Picture(scene.stored, scene.width or 0, scene.height or 0)


def _labels(item: Item, asked: str, slices: Mapping[str, SliceOf]) -> dict[str, tuple[str, ...]]:
    """The item's own groups, then what the benchmark sorts by, which goes first where both have a name."""
    found: dict[str, tuple[str, ...]] = {"split": (item.split,), "answer_type": (answer_type(item),)}
    found["question_type"] = question_types(asked) if asked else ()
    found |= {name: (label,) for name, label in item.groups.items() if name not in NAMING}
    found |= {name: labels for name, of in slices.items() if (labels := _sliced(of, item))}
    found["label"] = tuple(dict.fromkeys(label for scene in item.scenes for label in scene.labels))
    found["objects"] = (_how_many(sum(len(scene.regions) for scene in item.scenes)),)
    return found


def _sliced(of: Callable[[Item], tuple[str, ...]], item: Item) -> tuple[str, ...]:
    try:
        return of(item)
    except ValueError:  # a slice of the gold, and this item has none
        return ()


def answer_type(item: Item) -> str:
    """Of what kind the right answer is; of yes and no and of picks, which."""
    if item.gold is None:
        return "unknown"
    if isinstance(item.gold, Pick):
        return f"choice {item.gold.index + 1}"
    if isinstance(item.gold, Verdict):
        return "true" if item.gold.value else "false"
    return item.gold.text if item.gold.text in ("yes", "no") else "in words"


def _how_many(objects: int) -> str:
    for least, label in ((20, "20 or more"), (10, "10 to 19"), (5, "5 to 9"), (1, "1 to 4")):
        if objects >= least:
            return label
    return "none"

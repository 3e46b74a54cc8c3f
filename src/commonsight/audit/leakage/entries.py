"""Items as leakage sees them: what they say, which pictures they show, and what they share with others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from commonsight.audit.normal import compared, normal, pieces
from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.item import Item

FIRST = "train"
"""The split that models learn from; splits are otherwise taken in the order in which they appear."""
PEOPLE = ("writer", "worker", "annotator")
"""Fields that name who wrote an item."""


class Entry(NamedTuple):
    """One item, its texts as they are compared."""

    id: str
    split: str
    question: tuple[str, ...]
    choices: tuple[tuple[str, ...], ...]
    """In the order of the alphabet: the same choices in another order are the same."""
    answer: tuple[str, ...] | None
    """The right choice, or the answer that most people gave; None where it is hidden, or true or false."""
    verdict: bool | None
    answers: frozenset[tuple[str, ...]]
    """All that counts as right, the answers of several people among them."""
    pictures: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    """By kind: what the item shares with others. `picture`, `url` and `writer` are kinds as well."""

    @property
    def told(self) -> tuple[str, ...]:
        """The question with its right answer."""
        return self.question if self.answer is None else (*self.question, *self.answer)

    @property
    def whole(self) -> tuple[object, ...]:
        """All that the item says, and what is right."""
        return (self.question, self.choices, self.answer, self.verdict)


def entry_of(item: Item) -> Entry:
    """The item as leakage sees it."""
    labels = item.labels
    choices = [compared(choice, labels) for choice in item.choices]
    given = Counter(filter(None, (pieces(answer) for answer in item.direct_answers)))
    answer, verdict = _right(item, choices)
    if answer is None and given:
        answer = given.most_common(1)[0][0]
    return Entry(
        item.id,
        item.split,
        tuple([piece for text in item.texts.values() for piece in compared(text, labels)]),
        tuple(sorted(choices)),
        answer,
        verdict,
        frozenset(given) if answer is None else frozenset((answer, *given)),
        tuple([scene.stored or scene.image for scene in item.scenes]),
        _shared(item),
    )


def _right(item: Item, choices: list[tuple[str, ...]]) -> tuple[tuple[str, ...] | None, bool | None]:
    match item.gold:
        case Pick(index):
            return (choices[index] if 0 <= index < len(choices) else None), None
        case Verdict(value):
            return None, value
        case FreeText(text) | Grounded(text, _):
            return pieces(text), None
    return None, None


def _shared(item: Item) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {kind: (name,) for kind, name in item.groups.items() if name}
    if "image" not in found and item.scenes:
        found["picture"] = tuple([scene.image for scene in item.scenes])
    told: list[Mapping[str, Any]] = [item.extra, item.provenance, *(scene.extra for scene in item.scenes)]
    addresses = [value for fields in told for name, value in fields.items() if _is_address(name, value)]
    if addresses:
        found["url"] = tuple(dict.fromkeys(addresses))
    for fields in told:
        for name in PEOPLE:
            if fields.get(name) not in (None, ""):
                found.setdefault("writer", (str(fields[name]),))
    return found


def _is_address(name: str, value: object) -> bool:
    return name.lower().endswith("url") and isinstance(value, str) and value.startswith("http")


def split_order(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The splits, the one to learn from first."""
    names = dict.fromkeys(entry.split for entry in entries)
    return tuple(sorted(names, key=lambda name: normal(name) != FIRST))

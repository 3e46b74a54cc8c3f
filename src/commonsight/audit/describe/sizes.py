"""How large a dataset is, how long its texts (VCR Table 3, PMR Table 1, NLVR2 Table 4, A-OKVQA Table 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from commonsight.audit.describe.texts import (
    IDENTITIES,
    is_word,
    nothing_to_describe,
    part_of,
    right_choice,
    right_rationale,
    roles_of,
    tokens_of,
)
from commonsight.audit.probe import Setting, Subject
from commonsight.audit.values import Cell, Section, Table
from commonsight.core.item import Item
from commonsight.core.text import TaggedText

ALL = "all"


@dataclass
class _Lengths:
    """Sums over the texts of one role."""

    texts: int = 0
    tokens: int = 0
    words: int = 0
    vocabulary: set[int] = field(default_factory=set)


@dataclass
class _Part:
    """One split, or all of them."""

    items: int = 0
    labelled: int = 0
    choices: int = 0
    rationales: int = 0
    named: int = 0
    """Objects that the question and the right answer and rationale point to, each once an item."""
    named_anywhere: int = 0
    images: set[str] = field(default_factory=set)
    groups: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    asked: set[str] = field(default_factory=set)
    lengths: defaultdict[str, _Lengths] = field(default_factory=lambda: defaultdict(_Lengths))
    words: set[int] = field(default_factory=set)
    pairs: set[tuple[int, int]] = field(default_factory=set)
    """Two words in a row, over everything given and all choices."""


class _Counting:
    """Counts items into parts; words are numbers, so that sets of them stay small."""

    def __init__(self) -> None:
        self.parts: defaultdict[str, _Part] = defaultdict(_Part)
        self._numbers: dict[str, int] = {}

    def add(self, item: Item) -> None:
        """Count an item into its part and into the whole."""
        read = [(role, self._tokens(text, item)) for role, text in roles_of(item)]
        named, anywhere = _named(item)
        for part in (self.parts[part_of(item)], self.parts[ALL]):
            part.items += 1
            part.labelled += item.gold is not None
            part.choices += len(item.choices)
            part.rationales += len(item.rationales)
            part.named += named
            part.named_anywhere += anywhere
            part.images.update(scene.image for scene in item.scenes)
            for kind in IDENTITIES:
                if kind in item.groups:
                    part.groups[kind].add(item.groups[kind])
            for role, (tokens, words) in read:
                lengths = part.lengths[role]
                lengths.texts += 1
                lengths.tokens += len(tokens)
                lengths.words += len(words)
                lengths.vocabulary.update(words)
                if role in item.texts or role == "choice":
                    part.words.update(tokens)
                    part.pairs.update(pairwise(tokens))
            part.asked.add(repr([text.tokens for text in item.texts.values()]))

    def _tokens(self, text: TaggedText, item: Item) -> tuple[list[int], list[int]]:
        tokens = tokens_of(text, item.labels)
        numbers = [self._numbers.setdefault(token, len(self._numbers)) for token in tokens]
        return numbers, [number for number, token in zip(numbers, tokens, strict=True) if is_word(token)]


def _named(item: Item) -> tuple[int, int]:
    """Different objects that the right texts point to, and that any text points to."""
    right = [right_choice(item), right_rationale(item) if item.rationale_gold is not None else None]
    given = {index for text in item.texts.values() for index in text.references()}
    named = given | {index for text in right if text is not None for index in text.references()}
    others = (index for text in (*item.choices, *item.rationales) for index in text.references())
    return len(named), len(given | set(others))


@dataclass(frozen=True)
class SizesProbe:
    """Numbers of items, images, movies and texts, and average lengths, by split."""

    name: str = "sizes"
    title: str = "Sizes and lengths"

    codes: ClassVar[tuple[str, ...]] = ()  # it only describes

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """Three tables: sizes, lengths, words."""
        del setting  # nothing to choose
        counting = _Counting()
        for item in subject.read():
            counting.add(item)
        if not counting.parts:
            raise nothing_to_describe()
        parts = {name: part for name, part in counting.parts.items() if name != ALL}
        if len(parts) > 1:
            parts[ALL] = counting.parts[ALL]
        whole = counting.parts[ALL]
        return [
            Section(
                self.name,
                self.title,
                "How many items there are and how long their texts: what papers show in their first table.",
                numbers={
                    "items": float(whole.items),
                    "images": float(len(whole.images)),
                    "objects_mentioned": whole.named / whole.items,
                    "objects_mentioned_anywhere": whole.named_anywhere / whole.items,
                    **{f"words_{_slug(role)}": found.words / found.texts for role, found in _roles(whole)},
                },
                tables=(_sizes(parts), _lengths(parts), _vocabulary(parts)),
            )
        ]


def _slug(role: str) -> str:
    return role.replace(" ", "_")


def _roles(part: _Part) -> list[tuple[str, _Lengths]]:
    return list(part.lengths.items())


def _row(label: str, parts: dict[str, _Part], value: Callable[[_Part], Cell]) -> tuple[Cell, ...]:
    return (label, *(value(part) for part in parts.values()))


def _sizes(parts: dict[str, _Part]) -> Table:
    kinds = list(dict.fromkeys(kind for part in parts.values() for kind in part.groups))
    rows = [
        _row("items", parts, lambda part: part.items),
        _row("with their answer", parts, lambda part: part.labelled),
        _row("different texts that are asked", parts, lambda part: len(part.asked)),
        _row("images", parts, lambda part: len(part.images)),
        *(_row(_many(kind), parts, lambda part, kind=kind: len(part.groups[kind])) for kind in kinds),  # type: ignore[misc]
        _row("choices an item", parts, lambda part: part.choices / part.items),
        _row("rationales an item", parts, lambda part: part.rationales / part.items),
        _row("objects mentioned, in what is asked and right", parts, lambda part: part.named / part.items),
        _row("objects mentioned, in any text", parts, lambda part: part.named_anywhere / part.items),
        _row("different words and marks, given and choices", parts, lambda part: len(part.words)),
        _row("different pairs of them in a row", parts, lambda part: len(part.pairs)),
    ]
    return Table(
        "Sizes",
        ("", *parts),
        tuple(row for row in rows if any(row[1:])),
        "As in VCR's Table 3 (objects mentioned: 1.84 to 1.85), PMR's Table 1 (in any text: 1.91 on val; "
        "3,819 words and 17,678 pairs), NLVR2's Table 4 and A-OKVQA's Table 1. Tags count as the classes of "
        "their objects.",
    )


def _many(kind: str) -> str:
    return f"{kind}s (as grouped)" if kind == "image" else f"{kind}s"


def _lengths(parts: dict[str, _Part]) -> Table:
    roles = list(dict.fromkeys(role for part in parts.values() for role, _ in _roles(part)))
    rows: list[tuple[Cell, ...]] = []
    for role in roles:
        for unit in ("words", "tokens"):
            mean = [_mean(part.lengths.get(role), unit) for part in parts.values()]
            rows.append((f"{role}, {unit}", *mean))
    return Table(
        "Average lengths",
        ("", *parts),
        tuple(rows),
        "Words leave marks out, tokens count them; a tag counts one for each object it names. VCR's Table 3 "
        "counts tokens (question 6.6, answer 7.6, rationale 16.2); PMR's Table 1 counts the words of the "
        "right action (14.41), and its premises with three tokens to a tag (9.47); NLVR2 (14.8) and A-OKVQA "
        "(8.8, 1.3, 11.0) count words.",
    )


def _mean(lengths: _Lengths | None, unit: str) -> float | None:
    if lengths is None or not lengths.texts:
        return None
    total = lengths.words if unit == "words" else lengths.tokens
    return total / lengths.texts


def _vocabulary(parts: dict[str, _Part]) -> Table:
    roles = list(dict.fromkeys(role for part in parts.values() for role, _ in _roles(part)))
    rows = tuple((role, *(_different(part.lengths.get(role)) for part in parts.values())) for role in roles)
    return Table("Different words by role", ("", *parts), rows, "As in A-OKVQA's Table 1, without lemmas.")


def _different(lengths: _Lengths | None) -> int | None:
    return None if lengths is None else len(lengths.vocabulary)

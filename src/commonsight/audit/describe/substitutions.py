"""What wrong choices that are nearly the right one put in its place (PMR, Table 5).

PMR's distractors are right actions with a few words exchanged. The paper's authors sorted 100 of them by
hand; here every item is looked at and sorted by the words exchanged, with lists written down by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from msgspec import Struct

from commonsight.audit.describe.texts import bars, is_word, nothing_to_describe, right_choice, tokens_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.values import Cell, Plot, Section, Table
from commonsight.core import inflect
from commonsight.core.english_nouns import words
from commonsight.core.item import Item
from commonsight.score.intervals import figure

LEAST_ALIKE = 0.6
"""Share of words that two choices have in common, in order, for one to be the other with words exchanged."""
LEAST_SHARE = 0.5
"""The share of such items below which a dataset was not made that way."""
SHOWN = 20

LISTS: dict[str, frozenset[str]] = {
    "color": words(
        """red green blue white black yellow brown gray grey pink purple orange golden silver beige color
        colour"""
    ),
    "emotion": words(
        """happy sad angry excited calm nervous smile smiles smiling cry crying weep weeps laugh laughing
        frown frowning upset afraid scared cheerful joy anger tear tears glad worried anxious expression
        surprised"""
    ),
    "appearance": words(
        """hair beard mustache bald long short curly straight tall fat thin young old blond blonde face eye
        glasses tattoo makeup ponytail moustache wrinkle scar"""
    ),
    "clothing": words(
        """shirt coat dress hat cap tie suit jacket sweater skirt uniform scarf glove t-shirt pants jeans
        shoe boot robe vest gown shorts clothes clothing hoodie necklace watch belt sunglasses apron
        helmet bikini wear wearing dressed collar sleeve pajamas stocking earring ring veil"""
    ),
    "body state": words(
        """sit sitting stand standing lie lying kneel kneeling lean leaning run running walk walking sleep
        sleeping squat squatting crouch jump jumping bend raise raising wave hold holding smoke smoking
        drink drinking eat eating talk talking look looking hand arm leg head foot shoulder hug hugging"""
    ),
    "texture": words(
        "stone wooden wood plastic metal glass leather iron paper cotton silk steel brick fur marble gold"
    ),
    "scenery": words(
        """street park forest desert city beach garden road river yard woods mountain field sea ocean lake
        grass snow sky village town square outdoors countryside jungle island farm bridge"""
    ),
    "location": words(
        """in on at behind beside near front under next by outside inside above below room car kitchen
        bedroom house office restaurant bar hall door window corner floor bathroom stage shop store
        hospital school church bed couch sofa table chair desk bench left right wall counter balcony bus
        train ship boat"""
    ),
}
"""In the order in which they are asked; what is in none of them is an object."""
PMR_SHARES = {
    "appearance": 0.08, "emotion": 0.03, "clothing": 0.22, "body state": 0.10, "location": 0.18,
    "objects": 0.23, "color": 0.01, "texture": 0.08, "scenery": 0.07,
}  # fmt: skip
"""PMR's Table 5: 100 samples of its validation set, by hand."""


class Change(Struct, frozen=True):
    """The words of the right choice that are gone, and those in their place."""

    gone: tuple[str, ...]
    put: tuple[str, ...]


@dataclass(frozen=True)
class SubstitutionsProbe:
    """Sorts the exchanges by which wrong choices were made from right ones."""

    name: str = "substitutions"
    title: str = "Words exchanged to make wrong choices"
    least_alike: float = LEAST_ALIKE

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """Shares of kinds of exchanges, and the most frequent ones."""
        kinds: list[str] = []
        clusters: list[str] = []
        pairs: Counter[tuple[str, str]] = Counter()
        items = picked = 0
        for item in subject.read():
            items += 1
            picked += right_choice(item) is not None and len(item.choices) > 1
            change = nearest_change(item, self.least_alike)
            if change is not None:
                kinds.append(kind_of_change(change))
                clusters.append(subject.cluster_of(item))
                pairs[" ".join(change.gone) or "(nothing)", " ".join(change.put) or "(nothing)"] += 1
        if not items:
            raise nothing_to_describe()
        if not picked or len(kinds) < max(2, LEAST_SHARE * picked):
            raise CannotMeasure(
                "Wrong choices are not right ones with a few words exchanged, which PMR's Table 5 is about."
            )
        rows: list[tuple[Cell, ...]] = []
        for kind in PMR_SHARES:
            hits = [one == kind for one in kinds]
            share = figure(hits, clusters, confidence=setting.confidence, seed=setting.seed)
            rows.append((kind, sum(hits), share, PMR_SHARES[kind]))
        return [self._section(rows, pairs, len(kinds), picked)]

    def _section(
        self, rows: list[tuple[Cell, ...]], pairs: Counter[tuple[str, str]], found: int, picked: int
    ) -> Section:
        common = sorted(pairs.items(), key=lambda one: (-one[1], one[0]))[:SHOWN]
        return Section(
            self.name,
            self.title,
            f"In {found:,} of {picked:,} items a wrong choice is the right one with a few words exchanged. "
            "What was exchanged tells what a model must see to tell them apart.",
            numbers={"near_choices": found / picked},
            tables=(
                Table(
                    "What was exchanged",
                    ("kind", "items", "share", "in PMR"),
                    tuple(rows),
                    "PMR's Table 5, which sorted 100 samples by hand and by meaning; lists of words call "
                    "every change of a color a color, and every other noun an object.",
                ),
                Table(
                    "The most frequent exchanges",
                    ("right", "wrong", "items"),
                    tuple((gone, put, count) for (gone, put), count in common),
                ),
            ),
            plots=(
                Plot(
                    "substitutions",
                    (bars([str(row[0]) for row in rows], [float(str(row[1])) for row in rows], "items"),),
                    "Kinds of exchanges.",
                ),
            ),
        )


def nearest_change(item: Item, least_alike: float = LEAST_ALIKE) -> Change | None:
    """How the wrong choice most like the right one differs from it; None if none is like it."""
    right = right_choice(item)
    if right is None:
        return None
    told = tokens_of(right, item.labels)
    best: tuple[float, list[str]] | None = None
    for choice in item.choices:
        other = tokens_of(choice, item.labels)
        shared = sum((Counter(told) & Counter(other)).values())  # never less than what a matcher finds
        if choice is right or 2 * shared < least_alike * (len(told) + len(other)):
            continue
        ratio = SequenceMatcher(None, told, other, autojunk=False).ratio()
        if least_alike <= ratio < 1 and (best is None or ratio > best[0]):
            best = ratio, other
    return None if best is None else _change(told, best[1])


def _change(right: list[str], wrong: list[str]) -> Change:
    gone: list[str] = []
    put: list[str] = []
    opcodes = SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes()
    for tag, start, end, other_start, other_end in opcodes:
        if tag != "equal":
            gone += [token for token in right[start:end] if is_word(token)]
            put += [token for token in wrong[other_start:other_end] if is_word(token)]
    return Change(tuple(gone), tuple(put))


def kind_of_change(change: Change) -> str:
    """The kind of the first list that knows a word exchanged; an object where none does."""
    exchanged = {form for word in (*change.gone, *change.put) for form in (word, inflect.singular(word))}
    return next((kind for kind, listed in LISTS.items() if exchanged & listed), "objects")

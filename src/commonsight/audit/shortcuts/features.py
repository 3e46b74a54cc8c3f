"""What can be told of a choice without understanding it, as columns of numbers: one row a choice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from commonsight.audit.listwise import Rows
from commonsight.audit.shortcuts.texts import Seen, seen
from commonsight.score.intervals import Floats


class Feature(NamedTuple):
    """A column, the family that its finding is about, and how to say which choice is meant."""

    name: str
    family: str
    most: str
    """The choice with the largest value, in words: "the longest choice"."""
    least: str


FEATURES = (
    Feature("words", "length", "the choice with the most words", "the choice with the fewest words"),
    Feature("characters", "length", "the longest choice", "the shortest choice"),
    Feature("marks", "punctuation", "the choice with the most punctuation",
            "the choice with the least punctuation"),
    Feature("commas", "punctuation", "the choice with the most commas", "the choice with the fewest commas"),
    Feature("full stop", "punctuation", "a choice that ends in a full stop", "a choice without a full stop"),
    Feature("capitals", "capitals", "the choice with the most capital letters",
            "the choice with the fewest capital letters"),
    Feature("rarity", "specificity", "the choice with the rarest words on average",
            "the choice with the commonest words on average"),
    Feature("rarest word", "specificity", "the choice that holds the rarest word",
            "the choice without rare words"),
    Feature("numbers", "specificity", "the choice with the most numbers",
            "the choice with the fewest numbers"),
    Feature("describing", "specificity", "the choice with the most describing words",
            "the choice with the fewest describing words"),
    Feature("shared words", "overlap", "the choice that shares most words with what is asked",
            "the choice that shares fewest words with what is asked"),
    Feature("share shared", "overlap", "the choice whose words are most of them in what is asked",
            "the choice whose words are least of them in what is asked"),
    Feature("shared tags", "tag-overlap", "the choice that repeats most tags of what is asked",
            "the choice that repeats fewest tags of what is asked"),
    Feature("share of tags", "tag-overlap", "the choice whose tags are most of them in what is asked",
            "the choice whose tags are least of them in what is asked"),
    Feature("shared pronouns", "pronoun-overlap", "the choice that repeats most pronouns of what is asked",
            "the choice that repeats fewest pronouns of what is asked"),
    Feature("other pronouns", "pronoun-overlap", "the choice with most pronouns that what is asked has not",
            "the choice with fewest pronouns that what is asked has not"),
    Feature("tags", "tag-count", "the choice with the most tags", "the choice with the fewest tags"),
    Feature("new tags", "tag-count", "the choice with most tags that are not in what is asked",
            "the choice with fewest tags that are not in what is asked"),
    Feature("negations", "negation", "the choice with the most negations",
            "the choice with the fewest negations"),
    Feature("likeness", "oddity", "the choice most like the others", "the odd one out"),
    Feature("same start", "oddity", "the choice that begins as others do",
            "the choice that begins as no other does"),
    Feature("all of these", "oddity", "a choice such as “all of these”",
            "a choice that is not of the kind “all of these”"),
)  # fmt: skip
FAMILIES = tuple(dict.fromkeys(feature.family for feature in FEATURES))

_One = Callable[[Seen, Seen], float]

_ALONE: dict[str, _One] = {
    "words": lambda choice, _: len(choice.words) + len(choice.tags),
    "characters": lambda choice, _: choice.characters + 7 * len(choice.tags),
    "marks": lambda choice, _: choice.marks,
    "commas": lambda choice, _: choice.commas,
    "full stop": lambda choice, _: choice.stopped,
    "capitals": lambda choice, _: choice.capitals,
    "numbers": lambda choice, _: choice.numbers,
    "describing": lambda choice, _: choice.describing,
    "shared words": lambda choice, asked: len(choice.stems & asked.stems),
    "share shared": lambda choice, asked: len(choice.stems & asked.stems) / max(1, len(choice.stems)),
    "shared tags": lambda choice, asked: len(set(choice.tags).intersection(asked.tags)),
    "share of tags": lambda choice, asked: (
        len(set(choice.tags).intersection(asked.tags)) / max(1, len(set(choice.tags)))
    ),
    "shared pronouns": lambda choice, asked: len(choice.pronouns & asked.pronouns),
    "other pronouns": lambda choice, asked: len(choice.pronouns - asked.pronouns),
    "tags": lambda choice, _: len(choice.tags),
    "new tags": lambda choice, asked: len(set(choice.tags).difference(asked.tags)),
    "negations": lambda choice, _: choice.negations,
    "all of these": lambda choice, _: choice.whole,
}
"""Those that need only a choice and what is asked. A tag counts as a word of seven letters: "person1"."""


def columns_of(rows: Rows) -> dict[str, Floats]:
    """Every feature, (row,), by name."""
    asked = [seen(case.given) for case in rows.cases]
    items = [[seen(choice) for choice in case.choices] for case in rows.cases]
    choices = [choice for item in items for choice in item]
    given = [asked[item] for item in rows.item_of.tolist()]
    found = {
        name: np.array([one(choice, about) for choice, about in zip(choices, given, strict=True)], np.float64)
        for name, one in _ALONE.items()
    }
    return {**found, **_rarities(choices), **_oddities(items)}


def _rarities(choices: Sequence[Seen]) -> dict[str, Floats]:
    """How rare words are among all choices: mean and most."""
    counts = Counter(word for choice in choices for word in set(choice.words))
    rarity = {word: math.log(len(choices) / count) for word, count in counts.items()}
    values = [[rarity[word] for word in choice.words] for choice in choices]
    return {
        "rarity": np.array([sum(own) / max(1, len(own)) for own in values]),
        "rarest word": np.array([max(own, default=0.0) for own in values]),
    }


def _oddities(items: Sequence[Sequence[Seen]]) -> dict[str, Floats]:
    """How much of its words a choice shares with the others, and whether they begin alike."""
    likeness: list[float] = []
    starts: list[float] = []
    for item in items:
        bags = [frozenset(choice.words) for choice in item]
        first = [choice.words[:1] for choice in item]
        for at, bag in enumerate(bags):
            likeness.append(
                sum(_alike(bag, other) for place, other in enumerate(bags) if place != at) / (len(bags) - 1)
            )
            starts.append(first.count(first[at]) - 1)
    return {"likeness": np.array(likeness), "same start": np.array(starts, np.float64)}


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    whole = len(one) + len(other) - shared
    return shared / whole if whole else 1.0

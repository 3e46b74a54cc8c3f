"""Simulated annotators: each has a vocabulary, a style, and a rate of mistakes and laziness.

Writers differ so that matching, checks, agreement and audits have something real to find. What a voice
changes is wording only; whether what it says is true is decided by whoever writes, who marks mistakes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

SYNONYMS: tuple[tuple[str, ...], ...] = (
    ("happy", "glad", "cheerful"), ("sad", "unhappy", "upset"), ("angry", "mad", "furious"),
    ("afraid", "scared", "frightened"), ("surprised", "startled", "amazed"), ("tired", "sleepy", "exhausted"),
    ("big", "large"), ("small", "little"), ("child", "kid"), ("picture", "image"), ("begin", "start"),
    ("couch", "sofa"), ("cell phone", "phone"), ("near", "close to"), ("holding", "carrying"),
    ("probably", "most likely", "likely"), ("because", "since"), ("wants to", "would like to"),
    ("is going to", "is about to"), ("right now", "at the moment"),
)  # fmt: skip
"""Words that mean the same here. Every voice has its favourite of each row."""

CONTRACTIONS = (
    ("is not", "isn't"), ("does not", "doesn't"), ("it is", "it's"), ("do not", "don't"),
    ("are not", "aren't"),
)  # fmt: skip


class Voice(Struct, frozen=True):
    """One annotator."""

    name: str
    favourites: Mapping[str, str]
    """The word used in place of another."""
    contracts: bool
    """Says isn't for is not."""
    wordy: float
    """How often the longer of two wordings is taken, and a half sentence added."""
    lazy: float
    """How often a rationale only repeats the obvious, or a question is one of the stock ones."""
    mistakes: float
    """How often something false is written in good faith; whoever writes it marks it."""
    typos: float
    """How often a word is misspelt."""


def voices(seed: int, count: int) -> tuple[Voice, ...]:
    """A crew of annotators; most are careful, a few are not."""
    return tuple(_voice(random.Random(f"{seed}:voice:{number}"), number) for number in range(count))


def _voice(rng: random.Random, number: int) -> Voice:
    careless = rng.random() < 0.2
    return Voice(
        name=f"w{number}",
        favourites={row[0]: rng.choice(row) for row in SYNONYMS},
        contracts=rng.random() < 0.4,
        wordy=rng.uniform(0.1, 0.9),
        lazy=rng.uniform(0.2, 0.5) if careless else rng.uniform(0.0, 0.15),
        mistakes=rng.uniform(0.05, 0.12) if careless else rng.uniform(0.0, 0.02),
        typos=rng.uniform(0.005, 0.02) if careless else rng.uniform(0.0, 0.003),
    )


def prefer(voice: Voice, wordings: Sequence[T], rng: random.Random) -> T:
    """One of several wordings, ordered from short to long; wordy voices lean to the long end."""
    if len(wordings) == 1:
        return wordings[0]
    lean = rng.betavariate(1.0 + 2.0 * voice.wordy, 3.0 - 2.0 * voice.wordy)
    return wordings[min(len(wordings) - 1, int(lean * len(wordings)))]


def style(voice: Voice, text: str, rng: random.Random) -> str:
    """The text in the voice's own words. Tags such as {3} or [person1] are left as they are."""
    for word, favourite in voice.favourites.items():
        if favourite != word:
            text = re.sub(rf"(?<![\w{{\[]){re.escape(word)}(?![\w}}\]]| out\b)", favourite, text)
    if voice.contracts:
        for long, short in CONTRACTIONS:
            text = re.sub(rf"\b{long}\b", short, text)
    return " ".join(_misspelt(word, rng) if rng.random() < voice.typos else word for word in text.split(" "))


def _misspelt(word: str, rng: random.Random) -> str:
    """Two letters swapped or one left out; short words and tags are never misspelt."""
    if len(word) < 5 or not word.isalpha():
        return word
    place = rng.randrange(1, len(word) - 2)
    if rng.random() < 0.5:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return word[:place] + word[place + 1 :]

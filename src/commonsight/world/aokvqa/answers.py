"""What ten people answer in their own words: mostly the same, with a long tail.

Marks say how each came about: the answer itself, another way to put it, something odd, or a mistake.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from commonsight.world.aokvqa.phrases import VARIANTS
from commonsight.world.aokvqa.sayings import BECAUSE, SAYINGS
from commonsight.world.aokvqa.view import category
from commonsight.world.aokvqa.words import counted
from commonsight.world.things import THINGS
from commonsight.world.voices import Voice, style

PEOPLE = 10
ODD = 0.07
"""How often someone who does not give the answer says something that hardly fits."""
SWAYED = 0.15
"""How often most people prefer another word than the one that became the choice."""

SHADES = {
    "red": "dark red|crimson|maroon", "orange": "amber|light orange|tan",
    "yellow": "gold|light yellow|mustard",
    "green": "dark green|olive|lime", "blue": "light blue|navy|dark blue", "purple": "violet|lavender|plum",
    "pink": "rose|light pink|salmon", "brown": "tan|dark brown|beige", "black": "dark|dark gray|charcoal",
    "white": "off white|cream|beige", "grey": "gray|silver|light gray",
}  # fmt: skip
SMALL = ("a", "an", "the", "and", "of", "to", "in", "on", "it", "something", "someone")
SHRUGS = ("unsure", "nothing", "people", "yes", "picture", "both")


class Said(NamedTuple):
    """One person's answer, and how it came about."""

    text: str
    how: Literal["answer", "variant", "odd", "mistake"]


class Ways(NamedTuple):
    """Other ways to put an answer, and how often each is taken: a long tail, flatter where people scatter."""

    texts: Sequence[str]
    weights: Sequence[float]


def ten_answers(
    answer: str, wrong: Sequence[str], about: Sequence[str], scatter: float, crew: Sequence[Voice],
    rng: random.Random,
) -> tuple[Said, ...]:  # fmt: skip
    """Ten answers; the question's writer is among them and gives the answer that became the choice."""
    ways = list(variants(answer))
    weights = [rank ** (scatter - 1) for rank in range(1, len(ways) + 1)]
    favourite = rng.choices(ways, weights)[0] if ways and rng.random() < SWAYED else answer
    agreement = min(1.0, max(0.02, rng.gauss(0.8 - scatter, 0.24)))
    said = [Said(answer, "answer")]
    said += [
        _one(answer, favourite, Ways(ways, weights), wrong, about, agreement, rng.choice(crew), rng)
        for _ in range(PEOPLE - 1)
    ]
    rng.shuffle(said)
    return tuple(said)


def _one(
    answer: str, favourite: str, ways: Ways, wrong: Sequence[str], about: Sequence[str],
    agreement: float, voice: Voice, rng: random.Random,
) -> Said:  # fmt: skip
    if rng.random() < voice.mistakes:
        return Said(rng.choice(wrong), "mistake")
    if rng.random() < agreement:
        text = favourite
    elif rng.random() < ODD or not ways.texts:
        others = [name for name in (*about, *SHRUGS) if name != answer and name not in wrong]
        return Said(rng.choice(others), "odd")
    else:
        text = rng.choices(ways.texts, ways.weights)[0]
    text = style(voice, text, rng)
    return Said(text, "answer" if text == answer else "variant")


def difficult(said: Sequence[Said]) -> bool:
    """Whether people scatter so far that free answers cannot be scored fairly: no three say the same."""
    return max(Counter(one.text for one in said).values()) < 3


@cache
def variants(answer: str) -> tuple[str, ...]:
    """Other ways to put an answer, the likeliest first."""
    found = _rows().get(answer) or _formed(answer)
    return tuple(way for way in dict.fromkeys(found) if way and way != answer)


@cache
def _rows() -> dict[str, tuple[str, ...]]:
    rows: dict[str, tuple[str, ...]] = {}
    tables = (*(row for table in SAYINGS.values() for row in table.values()), *BECAUSE.values())
    for row in tables:
        first, *others = row.split("|")
        rows.setdefault(first, tuple(others))
    for table in (VARIANTS, SHADES):
        rows.update({word: tuple(row.split("|")) for word, row in table.items() if word not in rows})
    return rows


def _formed(answer: str) -> list[str]:
    """Ways that follow from the words alone: more general, one word of several, plural, with an article."""
    words = [word for word in answer.split() if word not in SMALL]
    formed = [words[-1], words[0]] if len(words) > 1 else []
    if answer in THINGS:
        formed += [_plural(answer), category(answer), f"the {answer}"]
    elif words[0].endswith("ing"):
        formed += [" ".join(words[1:]), f"for {answer}", f"{words[0]} something"]
    elif len(words) > 1:
        formed += [" ".join(words[1:]), " ".join(words[:-1])]
    else:
        formed += [_plural(answer), counted(answer), f"some {answer}"]
    return formed


def _plural(word: str) -> str:
    if word.endswith("s"):
        return word.removesuffix("s")
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word.removesuffix("y") + "ies"
    return word + ("es" if word.endswith(("ch", "sh", "x")) else "s")

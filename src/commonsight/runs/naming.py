"""What a network names becomes an answer: in words, true or false, or with the object that it points to."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from commonsight.core.answer import FreeText, Given, Grounded, Verdict
from commonsight.core.benchmark import Ask
from commonsight.graph.execute import NO
from commonsight.models.engine.evaluate import Predicted


def named(ask: Ask, said: Predicted, answers: Sequence[str], place: int | None = None) -> Given:
    """The answer at this place; the one that scores highest where none is given."""
    text = answers[int(np.argmax(said.chances)) if place is None else place]
    if ask.expects == "verdict":
        return Verdict(text == str(True))
    if ask.expects == "grounded":
        return Grounded(text, None if text == NO else pointed(ask, said))
    return FreeText(text)


def drawn_place(chances: Sequence[float], seed: int, *names: str) -> int:
    """A place by its chances, the same for a seed and these names, whatever else is drawn."""
    shares = np.asarray(chances, np.float64)
    chance = np.random.default_rng((seed, *(zlib.crc32(name.encode()) for name in names)))
    return int(chance.choice(len(shares), p=shares / shares.sum()))


def pointed(ask: Ask, said: Predicted) -> int | None:
    """The object that was looked at most in the end, by its id; none where a network looks at no objects.

    The whole picture, which is the first of them, is no object to point to.
    """
    glimpses = said.attention.get("glimpses")
    if glimpses is None or not said.example.regions:
        return None
    last = glimpses[0, -1, 1 : 1 + len(said.example.regions)]
    place = said.example.regions[int(np.argmax(last))]
    found = ask.scenes[0].regions[place].id
    return place if found is None else found

"""Gender: whether choices speak of him where the question speaks of her, and whether that tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from commonsight.text.pronouns import pronoun_genders


class Clash(NamedTuple):
    """How the choices of an item stand to the gender of its question."""

    clashing: tuple[bool, ...]
    """Whether each choice has pronouns of the other gender only."""
    guess: float | None
    """How often one is right who guesses among the choices that do not clash; None without a right answer."""
    alone: bool
    """Whether the right choice is the only one that does not clash."""


def clash(asked: str, said: Sequence[str], gold: int | None) -> Clash | None:
    """None where what is asked has no pronouns of one gender alone."""
    gender = pronoun_genders(asked)
    if len(gender) != 1:
        return None
    told = [pronoun_genders(choice) for choice in said]
    clashing = tuple([len(found) == 1 and found != gender for found in told])
    if gold is None:
        return Clash(clashing, None, False)
    left = clashing.count(False)
    if not left:  # the rule says nothing, and one guesses among all
        return Clash(clashing, 1 / len(clashing), False)
    fits = not clashing[gold]
    return Clash(clashing, fits / left, fits and left == 1)

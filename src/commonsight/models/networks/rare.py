"""Answers that are each right or wrong for themselves: of thousands hardly any is right."""

from __future__ import annotations

import math

from torch import nn


def rarity(answers: int) -> float:
    """The odds against one of so many answers, as a logarithm: what its score begins below 0."""
    return math.log(max(1, answers))


def begun_rare(layer: nn.Linear) -> None:
    """A layer that scores answers begins with all of them unlikely.

    From even odds it takes a few hundred steps to learn this much, which is all that a small training has.
    Where one answer excludes the others, as with cross entropy, it changes nothing.
    """
    nn.init.constant_(layer.bias, -rarity(layer.out_features))

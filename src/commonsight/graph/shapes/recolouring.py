"""The same example in other colours: those of its drawing and of its sentence change places.

A sentence is as true of its drawing afterwards as before. So a labelled example is worth six, of which
networks learn that colours are names like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from commonsight.graph.shapes.lexicon import lexicon
from commonsight.graph.shapes.values import BACKGROUND, COLOURS, PAINTS, PANELS, RGB, SIDE, STEP, colour_of
from commonsight.graph.shapes.words import spelled

Recolouring = Mapping[str, str]
"""What each colour becomes."""
OTHERS: tuple[Recolouring, ...] = tuple(
    dict(zip(COLOURS, order, strict=True)) for order in list(permutations(COLOURS))[1:]
)
"""All but the one that leaves everything as it is."""
_LETTERS = re.compile(r"[A-Za-z]+")


def reworded(sentence: str, becomes: Recolouring) -> str:
    """The sentence with its words for colours changed, misspelled ones too."""

    def changed(found: re.Match[str]) -> str:
        said = found.group()
        new = becomes.get(_meant(said.lower()), said)
        return new.capitalize() if said[0].isupper() else new

    return _LETTERS.sub(changed, sentence)


@cache
def _meant(word: str) -> str:
    """As it is spelled right; the same few words come again and again."""
    return spelled(word, lexicon())


def repainted(pixels: npt.NDArray[np.uint8], becomes: Recolouring) -> npt.NDArray[np.uint8]:
    """The picture of three boxes with its colours changed: (row, column, channel).

    A pixel in a box is the background with a share of each colour in it, three numbers as its channels are.
    So what becomes of it is a linear function of it, and edges, which are mixtures, stay smooth.
    """
    towards = np.array([RGB[colour] for colour in COLOURS], float) - BACKGROUND  # (colour, channel)
    others = np.array([RGB[becomes[colour]] for colour in COLOURS], float) - BACKGROUND
    turned = np.linalg.solve(towards, others)  # (channel, channel)
    made = pixels.copy()
    for left in range(0, PANELS * STEP, STEP):
        box = made[:, left : left + SIDE]
        box[...] = ((box - np.array(BACKGROUND, float)) @ turned + BACKGROUND).round().clip(0, 255)
    return made


def paint_after(paint: str, becomes: Recolouring) -> str:
    """What a source calls the colour that this one of its own becomes; one that we do not know stays."""
    colour = colour_of(paint)
    return paint if colour is None else PAINTS[becomes[colour]]

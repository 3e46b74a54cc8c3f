"""The functions that programs are made of, with the types of what they take and give.

Objects are shapes of all boxes; boxes are boxes; a truth is true or false of the whole picture. What is said
of objects is said box by box, so that "at the top" is at the top of one's own box.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from commonsight.graph.shapes.values import COLOURS, KINDS

Type = Literal[
    "truth", "boxes", "objects", "colour", "kind", "size", "wall", "compare", "number", "relation", "trait"
]

WORDS: dict[Type, tuple[str, ...]] = {
    "colour": COLOURS,
    "kind": KINDS,
    "size": ("small", "medium", "big"),
    "wall": ("any", "left", "right", "top", "bottom", "side", "corner"),
    "compare": (">=", "==", "<=", ">", "<"),
    "relation": ("above", "below", "on", "under", "touching", "near", "beside"),
    "trait": ("height", "base", "top", "colours"),
}
"""What may stand for a word of each type; a number is any from 0 on."""


class Signature(NamedTuple):
    """The types that a function takes, and the one it gives."""

    takes: tuple[Type, ...]
    gives: Type


FUNCTIONS: dict[str, Signature] = {
    # objects
    "objects": Signature((), "objects"),
    "colour": Signature(("colour", "objects"), "objects"),
    "kind": Signature(("kind", "objects"), "objects"),
    "size": Signature(("size", "objects"), "objects"),
    "wall": Signature(("wall", "objects"), "objects"),  # those that touch it
    "near-wall": Signature(("wall", "objects"), "objects"),  # those that nearly do
    "top": Signature(("objects",), "objects"),  # those that are the highest of their box
    "base": Signature(("objects",), "objects"),  # those that are the lowest of their box
    "middle": Signature(("objects",), "objects"),  # neither
    "level": Signature(("number", "objects"), "objects"),  # those at this level from the base, which is 1
    "from-top": Signature(("number", "objects"), "objects"),
    "relate": Signature(("relation", "objects", "objects"), "objects"),  # of the first to any of the second
    "unlike": Signature(("relation", "objects", "objects"), "objects"),  # the same, of another colour
    "alike": Signature(("relation", "objects", "objects"), "objects"),  # the same, of the same colour
    "except": Signature(("objects", "objects"), "objects"),
    "union": Signature(("objects", "objects"), "objects"),
    "inside": Signature(("boxes", "objects"), "objects"),
    # boxes
    "boxes": Signature((), "boxes"),
    "has": Signature(("compare", "number", "objects"), "boxes"),
    "only": Signature(("objects",), "boxes"),  # not empty, and nothing else in it
    "hues": Signature(("compare", "number", "objects"), "boxes"),  # how many colours these objects have there
    "forms": Signature(("compare", "number", "objects"), "boxes"),  # how many kinds
    "same": Signature(("compare", "number", "objects"), "boxes"),  # how many have the commonest colour
    "run": Signature(("compare", "number", "objects"), "boxes"),  # how many lie on each other
    "more": Signature(("objects", "objects"), "boxes"),
    "equal": Signature(("objects", "objects"), "boxes"),
    "both": Signature(("boxes", "boxes"), "boxes"),
    "either": Signature(("boxes", "boxes"), "boxes"),
    "other": Signature(("boxes",), "boxes"),
    "tallest": Signature(("boxes",), "boxes"),
    "shortest": Signature(("boxes",), "boxes"),
    # truths
    "count": Signature(("compare", "number", "objects"), "truth"),
    "count-boxes": Signature(("compare", "number", "boxes"), "truth"),
    "every": Signature(("boxes", "boxes"), "truth"),  # each of the first is one of the second
    "all": Signature(("objects", "objects"), "truth"),
    "together": Signature(("objects",), "truth"),  # all in one box
    "all-hues": Signature(("compare", "number", "objects"), "truth"),
    "all-forms": Signature(("compare", "number", "objects"), "truth"),
    "share": Signature(("compare", "number", "trait", "boxes"), "truth"),  # the most that are the same in it
    "differ": Signature(("compare", "number", "trait", "boxes"), "truth"),  # how many differ in it
    "outnumber": Signature(("objects", "objects"), "truth"),
    "and": Signature(("truth", "truth"), "truth"),
    "or": Signature(("truth", "truth"), "truth"),
    "not": Signature(("truth",), "truth"),
}

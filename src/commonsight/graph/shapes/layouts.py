"""Sentences to layouts: the program of the likeliest reading, in reverse Polish notation.

Each call is one text, its function and the words that it takes, such as `colour yellow` or `has >= 2`; what
other calls give it is taken from a stack. `(has >= 2 (colour yellow (objects)))` becomes `objects`,
`colour yellow`, `has >= 2`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from commonsight.core.layout import Layout
from commonsight.errors import InputError
from commonsight.graph.shapes.chart import readings
from commonsight.graph.shapes.functions import FUNCTIONS, WORDS
from commonsight.graph.shapes.programs import Form, parse, type_of

PLAIN: Layout = ("objects", "count >= 1")
"""What a text gets of which nothing can be read."""


class Call(NamedTuple):
    """One call of a layout."""

    function: str
    words: tuple[str, ...]
    """In the order in which the function takes them, numbers among them."""
    inputs: tuple[int, ...]
    """From which places of the layout it takes what they give."""
    depth: int
    """How many calls must be done before it, one after another; 0 for one that takes nothing."""


def layout_of(said: Sequence[str]) -> Layout:
    """The layout of a text's words; the plain one if nothing of them can be read."""
    return _read(" ".join(said)) or PLAIN


def falls_back(said: Sequence[str]) -> bool:
    """Whether nothing of a text's words can be read."""
    return not _read(" ".join(said))


@cache  # the same sentence is said of many pictures, and takes a while to read
def _read(sentence: str) -> Layout:
    """Readings are weighed by their priors alone, which have seen no label."""
    found = readings(sentence, {})
    return written(found[0].program) if found else ()


def written(program: Form) -> Layout:
    """A program as a layout."""
    return tuple(_calls(program))


def _calls(form: Form) -> Iterator[str]:
    for part in form[1:]:
        if isinstance(part, tuple):
            yield from _calls(part)
    yield " ".join(str(part) for part in form if not isinstance(part, tuple))


@cache
def called(layout: Layout) -> tuple[Call, ...]:
    """The calls of a layout; one that is no program of a sentence is an error that says why."""
    calls: list[Call] = []
    stack: list[tuple[int, Form]] = []
    for place, told in enumerate(layout):
        function, *words = told.split() or [""]
        takes = _taken(function)
        if takes > len(stack):
            raise InputError(
                f"Layout '{', '.join(layout)}': {function} takes {takes} values, and there are {len(stack)}. "
                "Write what a call takes before it."
            )
        taken, stack = stack[len(stack) - takes :], stack[: len(stack) - takes]
        inputs = tuple(where for where, _ in taken)
        depth = 1 + max((calls[where].depth for where in inputs), default=-1)
        calls.append(Call(function, tuple(words), inputs, depth))
        stack.append((place, (*parse(f"({told})"), *(form for _, form in taken))))
    if len(stack) != 1:
        raise InputError(f"Layout '{', '.join(layout)}' leaves {len(stack)} values. Leave one, the answer.")
    type_of(stack[0][1], "truth")
    return tuple(calls)


def _taken(function: str) -> int:
    """How many values of other calls a function takes; one that there is not is told of later."""
    signature = FUNCTIONS.get(function)
    return 0 if signature is None else sum(kind not in (*WORDS, "number") for kind in signature.takes)

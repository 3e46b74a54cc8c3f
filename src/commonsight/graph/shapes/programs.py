"""Programs: calls of functions in each other, as nested tuples; as text, `(count >= 1 (top (objects)))`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from commonsight.errors import InputError
from commonsight.graph.shapes.functions import FUNCTIONS, WORDS, Type

Form = tuple[Union["Form", str, int], ...]
"""A function's name and what it is given."""
Part = Form | str | int


def type_of(part: Part, wanted: Type | None = None) -> Type:
    """The type of a program or of a part of one; what does not fit is an error that says why."""
    if isinstance(part, int):
        return _fits("number", wanted, str(part), part >= 0)
    if isinstance(part, str):
        return _fits(wanted or "truth", wanted, f"'{part}'", wanted in WORDS and part in WORDS[wanted])
    name = part[0] if part else ""
    signature = FUNCTIONS.get(name) if isinstance(name, str) else None
    if signature is None:
        raise InputError(f"Program: there is no function '{name}'. There are: {', '.join(FUNCTIONS)}.")
    if len(part) - 1 != len(signature.takes):
        raise InputError(
            f"Program: {name} is given {len(part) - 1} parts and takes {len(signature.takes)} "
            f"({', '.join(signature.takes)})."
        )
    for given, kind in zip(part[1:], signature.takes, strict=True):
        type_of(given, kind)
    return _fits(signature.gives, wanted, f"({name} …)", True)


def _fits(found: Type, wanted: Type | None, told: str, known: bool) -> Type:
    if wanted not in (None, found) or not known:
        raise InputError(f"Program: {told} stands where a {wanted or found} belongs. Write one of that type.")
    return found


def is_sentence(part: Part) -> bool:
    """Whether it is a whole program, which is true or false of a picture."""
    try:
        return type_of(part) == "truth"
    except InputError:
        return False


def text(part: Part) -> str:
    """A program as text."""
    return f"({' '.join(map(text, part))})" if isinstance(part, tuple) else str(part)


def parse(written: str) -> Form:
    """A program from its text; its types are not looked at."""
    tokens = iter(written.replace("(", " ( ").replace(")", " ) ").split())
    if next(tokens, None) != "(":
        raise InputError(f"Program '{written}' does not begin with a bracket. Write (function …).")
    form = _inside(tokens, written)
    if next(tokens, None) is not None:
        raise InputError(f"Program '{written}' goes on after its last bracket. Write one call.")
    return form


def _inside(tokens: Iterator[str], written: str) -> Form:
    parts: list[Part] = []
    for token in tokens:
        if token == ")":
            return tuple(parts)
        parts.append(_inside(tokens, written) if token == "(" else _word(token))
    raise InputError(f"Program '{written}' lacks a closing bracket. Close every bracket.")


def _word(token: str) -> str | int:
    return int(token) if token.isdecimal() and token.isascii() else token


def size(part: Part) -> int:
    """How many functions are called."""
    return 1 + sum(map(size, part[1:])) if isinstance(part, tuple) else 0

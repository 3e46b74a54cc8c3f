"""Layouts: which modules a question's own network is put together from, in reverse Polish notation.

A module takes maps of attention, as many as it says, from the top of a stack. It gives another map, which is
laid there, or the answer, with which a layout ends. So a layout is well-formed if nothing is taken from an
empty stack, and nothing is left on it when the answer is given. The modules are those of N2NMN for CLEVR (Hu
et al., 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Module(NamedTuple):
    """What fits together with what."""

    name: str
    takes: int
    """So many maps."""
    answers: bool = False
    """Whether it gives the answer, and not a map."""


MODULES = (
    Module("scene", 0),
    Module("find", 0),
    Module("filter", 1),
    Module("find_same", 1),
    Module("transform", 1),
    Module("and", 2),
    Module("or", 2),
    Module("exist", 1, answers=True),
    Module("count", 1, answers=True),
    Module("describe", 1, answers=True),
    Module("equal_num", 2, answers=True),
    Module("more_num", 2, answers=True),
    Module("less_num", 2, answers=True),
    Module("same_property", 2, answers=True),
)
NUMBERS = {module.name: number for number, module in enumerate(MODULES)}
LONGEST = 10
"""Modules of a layout at most, as N2NMN has it for CLEVR."""
PLAIN = ("find", "exist")
"""What a question gets of whose words nothing better is made."""

Layout = tuple[str, ...]


class Place(NamedTuple):
    """One module of a layout."""

    module: int
    inputs: tuple[int, ...]
    """Of which places of the layout it takes maps."""
    height: int
    """How many modules one after another must have run before; 0 for one that takes nothing."""


def may_follow(stack: int, left: int) -> tuple[bool, ...]:
    """Which modules may come next, where so many maps lie on the stack and so many modules are left.

    Only those from which an end can still be reached, so whoever keeps to it never writes a layout that is
    not well-formed.
    """
    return tuple(_fits(module, stack, left) for module in MODULES)


def _fits(module: Module, stack: int, left: int) -> bool:
    rest = stack - module.takes
    if module.answers:
        return rest == 0 and left >= 1
    # Each `and` takes one away; the last two may go into one answer.
    return rest >= 0 and left - 1 >= max(1, rest)


def fault(layout: Sequence[str], longest: int = LONGEST) -> str | None:
    """What is wrong with a layout, in words; nothing if it is well-formed."""
    stack = 0
    for place, name in enumerate(layout):
        if name not in NUMBERS:
            return f"there is no module {name!r}"
        module = MODULES[NUMBERS[name]]
        if place >= longest:
            return f"{len(layout)} modules are more than {longest}"
        if stack < module.takes:
            return f"{name} takes {module.takes} maps, and there are {stack}"
        if module.answers:
            left, more = stack - module.takes, len(layout) - place - 1
            if left or more:
                return f"{name} answers, and {left} maps and {more} modules are left"
            return None
        stack += 1 - module.takes
    return "it ends without an answer"


def arranged(layout: Sequence[int]) -> tuple[Place, ...]:
    """What takes its maps from where, of modules by number; the layout must be well-formed."""
    stack: list[int] = []
    places: list[Place] = []
    for number in layout:
        takes = MODULES[number].takes
        split = len(stack) - takes
        if split < 0:
            raise ValueError(f"{MODULES[number].name} takes {takes} maps, and there are {len(stack)}")
        inputs, stack = tuple(stack[split:]), stack[:split]
        places.append(Place(number, inputs, 1 + max((places[one].height for one in inputs), default=-1)))
        stack.append(len(places) - 1)
    if len(stack) != 1 or not MODULES[layout[stack[0]]].answers:
        raise ValueError(f"no layout that ends with its answer: {[MODULES[one].name for one in layout]}")
    return tuple(places)

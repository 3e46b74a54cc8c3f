"""Programs as text, and what makes one well formed.

`[0] Initial(); [1] Find([0], "plate"); [2] Relate_Reverse([1], "on"); [3] Recognition([2], "color")`
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from commonsight.core.program import FUNCTIONS, Program, Step
from commonsight.errors import InputError
from commonsight.graph.knowledge import BLANK, RELATIONS, VISION

ANY = "object"
"""The name that any object answers to."""


class Signature(NamedTuple):
    """How many sets of objects and how many words a function takes, and whether it gives objects."""

    objects: tuple[int, ...]
    words: tuple[int, int | None]
    gives_objects: bool = True


SIGNATURES: Mapping[str, Signature] = {
    "Initial": Signature((0,), (0, 0)),
    "Find": Signature((1,), (1, None)),
    "Relate": Signature((1,), (1, 1)),
    "Relate_Reverse": Signature((1,), (1, 1)),
    "Recognition": Signature((1,), (1, 1), gives_objects=False),
    "And": Signature((2,), (0, 0)),
    "Verify": Signature((1,), (0, 0), gives_objects=False),
    "Find_KG": Signature((1, 2), (3, 3)),
    "Find_KG_Reverse": Signature((1, 2), (3, 3)),
    "Find_Hypernym": Signature((1,), (1, 1)),
}


def check(program: Program) -> None:
    """Refuse a program that cannot be executed, and say which step is wrong."""
    if not program.steps:
        raise InputError("The program has no steps. Begin with Initial.")
    for number, step in enumerate(program.steps):
        fault = _fault(program, number, step)
        if fault is not None:
            raise InputError(f"Step {number} of the program, {step.function}: {fault}")


def _fault(program: Program, number: int, step: Step) -> str | None:
    signature = SIGNATURES.get(step.function)
    if signature is None:
        return f"there is no such function. The ten are: {', '.join(FUNCTIONS)}."
    inputs = inputs_of(step, number)
    texts = step.text_input or ()
    least, most = signature.words
    if len(inputs) not in signature.objects:
        wanted = " or ".join(map(str, signature.objects))
        return f"it takes {wanted} earlier steps, not {len(inputs)}."
    if len(texts) < least or (most is not None and len(texts) > most):
        return f"it takes {least}{'' if most == least else ' or more'} words, not {len(texts)}."
    for place in inputs:
        if not 0 <= place < number:
            return f"it takes its objects from step {place}, which does not come before it."
        if not SIGNATURES[program.steps[place].function].gives_objects:
            return f"it takes its objects from step {place}, which gives a concept."
    return _query_fault(step, inputs) if step.function.startswith("Find_KG") else None


def _query_fault(step: Step, inputs: tuple[int, ...]) -> str | None:
    head, relation, tail = step.text_input or ("", "", "")
    words = (head.split(), tail.split())
    side = 1 if step.function == "Find_KG_Reverse" else 0
    if relation not in RELATIONS:
        return f"'{relation}' is no relation. The eleven are: {', '.join(RELATIONS)}."
    if words[side].count(BLANK) != 1 or BLANK in words[1 - side]:
        return f"its query needs one {BLANK}, in its {('head', 'tail')[side]}."
    seen = words[0].count(VISION) + words[1].count(VISION)
    if seen != len(inputs) - 1:
        return f"its query has {seen} {VISION}, but {len(inputs) - 1} steps to be seen."
    return None


def inputs_of(step: Step, number: int) -> tuple[int, ...]:
    """The steps whose objects one takes: those it names, else the one just before."""
    if step.inputs is not None:
        return step.inputs
    return (number - 1,) if number and step.function != "Initial" else ()


def written(program: Program) -> str:
    """A program as text."""
    return "; ".join(f"[{number}] {call_text(step, number)}" for number, step in enumerate(program.steps))


def call_text(step: Step, number: int) -> str:
    """One step as text: `Find([0], "plate")`."""
    places = [f"[{place}]" for place in inputs_of(step, number)]
    words = [msgspec.json.encode(word).decode() for word in step.text_input or ()]
    return f"{step.function}({', '.join([*places, *words])})"


_STEP = re.compile(r'\s*\[(\d{1,9})\]\s*([A-Za-z_]+)\s*\(((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)\s*(?:;|$)')
_ARGUMENT = re.compile(r'\s*(?:\[(\d{1,9})\]|("(?:[^"\\]|\\.)*"))\s*(?:,|$)')


def read(text: str) -> Program:
    """The program that `written` wrote; well formed, or an error that says where it is not."""
    steps: list[Step] = []
    at = 0
    while at < len(text.rstrip()):
        found = _STEP.match(text, at)
        if found is None:
            shown = text[at : at + 40].strip()
            raise InputError(f'The program cannot be read at "{shown}". Write: [1] Find([0], "cup").')
        if int(found[1]) != len(steps):
            raise InputError(f"The program numbers step {len(steps)} as {found[1]}. Count from 0.")
        steps.append(_read_step(found[2], found[3]))
        at = found.end()
    program = Program(tuple(steps))
    check(program)
    return program


def _read_step(function: str, arguments: str) -> Step:
    places: list[int] = []
    words: list[str] = []
    at = 0
    while at < len(arguments.rstrip()):
        found = _ARGUMENT.match(arguments, at)
        if found is None:
            raise InputError(f'{function} cannot take {arguments[at:].strip()}. Give [steps] and "words".')
        if found[1] is not None:
            places.append(int(found[1]))
        else:
            words.append(_unquoted(found[2]))
        at = found.end()
    return Step(function, tuple(words) or None, inputs=tuple(places))


def _unquoted(text: str) -> str:
    try:
        return msgspec.json.decode(text, type=str)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise InputError(f"{text} is not a quoted word ({error}). Write it as JSON does.") from error

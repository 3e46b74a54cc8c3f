"""The layout of a program: its calls in an order in which each takes what the last ones gave.

`[0] Initial(); [1] Find([0], "cup"); [2] Find([0], "dog"); [3] Relate([2], "on"); [4] And([1], [3]); …` is
Initial Find Initial Find Relate And …: a call takes its objects from the end of what is there, and puts what
it gives in their place. So a sequence of calls says which step feeds which, and whether a call is well typed
depends on how many sets are there, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from msgspec import structs

from commonsight.core.program import FUNCTIONS, Program, Step
from commonsight.errors import InputError
from commonsight.graph.programs import SIGNATURES, check, inputs_of, written
from commonsight.graph.published import in_our_words

LONGEST = 20
"""Calls of a layout; those of CRIC's programs have about ten at most."""

_MANY = LONGEST * LONGEST
"""Calls that are not counted further."""


class Call(NamedTuple):
    """A function with so many sets of objects."""

    function: str
    takes: int

    @property
    def ends(self) -> bool:
        """Whether it gives a concept, with which a program is at its end."""
        return not SIGNATURES[self.function].gives_objects

    @property
    def queries(self) -> bool:
        """Whether its words are head, relation and tail of a piece of knowledge."""
        return self.function.startswith("Find_KG")


CALLS: tuple[Call, ...] = tuple(
    Call(function, takes) for function in FUNCTIONS for takes in SIGNATURES[function].objects
)
"""All there are. Those that look something up are there twice: with objects to be seen, and without."""
NUMBERS = {call: number for number, call in enumerate(CALLS)}
INITIAL = NUMBERS[Call("Initial", 0)]


class Laid(NamedTuple):
    """One call of a layout, and the step that it stands for."""

    call: int
    step: Step


def laid_out(program: Program) -> tuple[Laid, ...]:
    """A program as a layout. What several steps take from is there several times."""
    check(program)
    if SIGNATURES[program.steps[-1].function].gives_objects:
        raise InputError(
            f"The program ends without an answer: {written(program)}. End with Recognition or Verify."
        )
    calls = _calls(program)
    if calls == _MANY:  # steps that are taken from again and again
        raise InputError(f"The program has too many calls to be laid out: {written(program)}.")
    if calls > LONGEST:
        raise InputError(
            f"The program takes {calls} calls, and at most {LONGEST} are read: {written(program)}."
        )
    return _laid(program, len(program) - 1)


def _calls(program: Program) -> int:
    """How many there are once what several steps take from is there several times. Counted beforehand: each
    step may double them, and thousands of steps are too deep to go down."""
    calls: list[int] = []
    for place, step in enumerate(program.steps):
        taken = sum(calls[one] for one in inputs_of(step, place))
        calls.append(min(1 + taken, _MANY))
    return calls[-1]


def _laid(program: Program, place: int) -> tuple[Laid, ...]:
    step = program.steps[place]
    inputs = inputs_of(step, place)
    found = tuple(laid for one in inputs for laid in _laid(program, one))
    return (*found, Laid(NUMBERS[Call(step.function, len(inputs))], step))


class Understood(NamedTuple):
    """A program that networks can read; or none, and what is wrong with the one that was given."""

    program: Program | None
    fault: str = ""


def understood(program: Program, words: Sequence[str]) -> Understood:
    """A program in our words, as a question of these words speaks of it; one that is ill typed is set aside.

    Checked here once, so that a single bad program stops neither training nor predicting.
    """
    ours = in_our_words(program)
    try:
        laid_out(ours)
    except InputError as error:
        return Understood(None, str(error))
    return Understood(as_spoken(ours, words))


def as_spoken(program: Program, words: Sequence[str]) -> Program:
    """The same program, both inputs of And in the order in which a question of these words speaks of them.

    A program may have them in any order and means the same, so that no reader could tell it from the words.
    """
    first = {word: place for place, word in reversed(list(enumerate(words)))}
    spoken: list[int] = []  # how far into the question each step, and what it takes from, is spoken of
    steps: list[Step] = []
    for number, step in enumerate(program.steps):
        inputs = inputs_of(step, number)
        if step.function == "And":
            inputs = tuple(sorted(inputs, key=spoken.__getitem__))
            step = structs.replace(step, inputs=inputs)
        said = (word for text in step.text_input or () for word in text.lower().split())
        own = max((first.get(word, -1) for word in said), default=-1)
        spoken.append(max((own, *(spoken[one] for one in inputs))))
        steps.append(step)
    return Program(tuple(steps))


def program_of(calls: Sequence[int], texts: Sequence[tuple[str, ...]]) -> Program:
    """The program of a layout that is well typed, with the words of each call. All begin with one Initial."""
    steps, there = [Step("Initial", None, None, ())], list[int]()
    for number, text in zip(calls, texts, strict=True):
        call = CALLS[number]
        if number == INITIAL:
            there.append(0)
            continue
        taken = tuple(there[len(there) - call.takes :])
        del there[len(there) - call.takes :]
        steps.append(Step(call.function, text or None, None, taken))
        there.append(len(steps) - 1)
    return Program(tuple(steps))


def same_meaning(program: Program, words: Sequence[str]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """What two programs share that mean the same: the order of And's inputs and of attributes does not
    matter."""
    return tuple((laid.call, ordered_texts(laid.step)) for laid in laid_out(as_spoken(program, words)))


def ordered_texts(step: Step) -> tuple[str, ...]:
    """The texts of a step, attributes in the order of letters."""
    texts = step.text_input or ()
    return (texts[0], *sorted(texts[1:])) if step.function == "Find" else texts


@cache
def allowed() -> tuple[tuple[tuple[bool, ...], ...], ...]:
    """For so many sets that are there, and so many calls that may still be made: which call may come next.

    A call that gives objects may, if what is there afterwards can still be joined and asked about.
    """
    return tuple(
        tuple(tuple(_may(call, there, left) for call in CALLS) for left in range(LONGEST + 1))
        for there in range(LONGEST + 1)
    )


def _may(call: Call, there: int, left: int) -> bool:
    if call.takes > there or not left:
        return False
    if call.ends:
        return there == 1
    after = there - call.takes + 1
    return after <= left - 1  # one And for each set but one, and one call that ends

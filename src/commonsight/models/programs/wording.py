"""Which words of a question each call of its program takes.

A program names what its functions take, and a question says most of it in the same words. So programs teach
not only which functions a question asks for, but also which of its words each of them is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import torch
from torch import Tensor

from commonsight.core.program import Program, Step
from commonsight.models.programs.layouts import laid_out

_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where a relation's name has its next word: UsedFor."""


def spoken(step: Step, words: Sequence[str]) -> tuple[int, ...]:
    """Places of the words that a step takes; the one behind the last, where BLANK stands, if the question
    says none of them."""
    said = {
        word
        for text in step.text_input or ()
        for word in _INNER_CAPITAL.sub(" ", text).lower().split()
    }
    return tuple(place for place, word in enumerate(words) if word in said) or (len(words),)


def spoken_by_call(
    programs: Sequence[Program | None], asked: Sequence[Sequence[str]], attention: Tensor
) -> Tensor:
    """(batch, call, word), as the attention is: True for the words of each call; nowhere for questions
    without a program and behind the last call."""
    found = torch.zeros(attention.shape, dtype=torch.bool)
    for row, (program, words) in enumerate(zip(programs, asked, strict=True)):
        for number, laid in enumerate(() if program is None else laid_out(program)):
            found[row, number, list(spoken(laid.step, words))] = True
    return found.to(attention.device)

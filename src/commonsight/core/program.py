"""A question as steps that anyone can execute (CRIC's functional programs)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

FUNCTIONS = (
    "Initial", "Find", "Relate", "Relate_Reverse", "Recognition", "And", "Verify",
    "Find_KG", "Find_KG_Reverse", "Find_Hypernym",
)  # fmt: skip
"""CRIC's ten basic functions (its section 3 and appendix 7)."""


class Step(Struct, frozen=True, gc=False):
    """One function call: its words, the steps it takes objects from, and its true result."""

    function: str
    text_input: tuple[str, ...] | None = None
    output: tuple[int | str, ...] | None = None
    """Ids of the objects that the step yields, or the concept it recognises; None if not annotated."""
    inputs: tuple[int, ...] | None = None
    """Earlier steps, by position, whose objects this one takes; None means the one just before."""
    extra: dict[str, Any] = field(default_factory=dict)


class Program(Struct, frozen=True, gc=False):
    """Steps in order; the last one gives the answer."""

    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

"""One simulated annotator: a voice, a share of errors, eyes for the drawn world, and a shared memory."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from commonsight.core.text import TaggedText
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.world.voices import Voice

Answers = dict[str, Any]
Payload = Mapping[str, Any]
Memory = dict[tuple[str, ...], Any]
"""What was truly meant by what the company wrote, by the texts: whoever judges it later knows better than
its writer, unless they err."""

GUILLEMETS = ("«", "»")
"""Stand for brackets in texts whose own brackets name things."""


@dataclass
class Mind:
    """Who answers."""

    voice: Voice
    world: DrawnWorld
    draw: random.Random
    error_rate: float = 0.05
    """How often someone votes or judges against what they should see."""
    memory: Memory = field(default_factory=dict)

    def errs(self) -> bool:
        """Whether this judgement goes wrong."""
        return self.draw.random() < self.error_rate

    def judges(self, good: bool) -> bool:
        """What they say of something that is so, or is not."""
        return good != self.errs()

    def yes_no(self, good: bool) -> str:
        """The same, in the words of a form."""
        return "yes" if self.judges(good) else "no"

    @property
    def writer(self) -> Voice:
        """The voice when writing: no more careful than the company is."""
        return structs.replace(self.voice, mistakes=max(self.voice.mistakes, self.error_rate))


Answer = Callable[[str, Payload, Mind], Answers | None]
"""How the work of one protocol is done: the stage, what it shows and who does it; None where they cannot."""


def bracketed(text: TaggedText, labels: tuple[str, ...]) -> str:
    """A text as it is typed: tags by label and number, marked words in curly brackets."""
    typed = text.bracketed(labels)
    for sign, bracket in zip(GUILLEMETS, "{}", strict=True):
        typed = typed.replace(f"{sign} " if bracket == "{" else f" {sign}", bracket).replace(sign, bracket)
    return typed

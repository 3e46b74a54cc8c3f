"""How a network that writes is asked, and how its texts are looked for: one value in the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from commonsight.core.benchmark import Ask
from commonsight.core.text import neutral_namer
from commonsight.errors import UsageError

RATIONALE = "rationale"
"""The task of writing why an answer is right, of every benchmark whose items have rationales."""
CAPTION = "caption"
"""The task of writing what a picture shows, from the picture alone."""
TOLD = (RATIONALE, CAPTION)
"""Tasks whose texts are written to be told to others, beside a question. No benchmark scores them."""
Kind = Literal["gpt2", "t5"]
"""Which language models it writes with: such as go on with a text, or such as read one and write another."""


class Decoding(Struct, frozen=True):
    """How a text is looked for."""

    beam: int = 1
    """Beginnings of a text that are kept at each step; 1 is to take the likeliest token each time."""
    longest: int = 67
    """Tokens that are written at most, the end mark included."""
    length: float = 0.0
    """Texts are compared by the logarithm of their probability over their length to this power: 0 is the sum
    over all tokens, 1 the mean."""

    def __post_init__(self) -> None:
        """What could write nothing is no way to write."""
        for name in ("beam", "longest"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}. Give at least 1.")


class Written(Struct, frozen=True):
    """A question as those read it who write: as people put it, letter by letter."""

    asked: str
    said: tuple[str, ...] = ()
    """Texts whose probability is wanted: choices, or in training the one that is to be learned."""
    wanted: tuple[str, ...] = ()
    """What is right to write, to learn from and to judge by; the first is the one for all."""


@dataclass(frozen=True)
class Writes:
    """How one network writes."""

    model: Kind
    prompt: Callable[[Ask, bool], str]
    """What a question is put like; whether choices are told."""
    answer: Decoding
    rationale: Decoding
    """Of captions, too."""
    tells_choices: bool = False
    """Whether the choices stand in the question, where there are any, so that picking one is learned by
    itself; else it learns to answer in words, where that is a task, and picks by what it learned there."""
    context: Literal["before", "after"] = "before"
    """Where a context stands, beside the question."""
    before: str = ""
    """What stands before every text that is written, such as the space that its first word begins with."""
    lower: bool = False
    """Whether all texts are read and written in small letters."""

    def decoding(self, task: str) -> Decoding:
        """How texts of this task are looked for."""
        return self.rationale if task in TOLD else self.answer

    def text(self, said: str) -> str:
        """A text as it is learned."""
        return self.before + (said.lower() if self.lower else said)

    def question(self, ask: Ask) -> str:
        """A question as it is read."""
        asked = self.prompt(ask, self.tells_choices and bool(ask.choices))
        return asked.lower() if self.lower else asked


def by_roles(ask: Ask, choices: bool) -> str:
    """`question: … choices: a, b, c. answer:`, or `context:` at the end where a rationale is wanted, as
    released with A-OKVQA for ClipCap. A caption follows the picture with nothing between (ClipCap)."""
    if ask.task == CAPTION:
        return ""
    name = _namer(ask)
    parts = [f"{role}: {text.render(name)}" for role, text in ask.texts.items()]
    if choices:
        parts.append(f"choices: {', '.join(choice.render(name) for choice in ask.choices)}.")
    return " ".join((*parts, "context:" if ask.task == RATIONALE else "answer:"))


def plainly(ask: Ask, choices: bool) -> str:
    """What is asked and nothing else, as GPV-2 reads questions; where a rationale or a caption is wanted,
    that is said, in words of our own."""
    if ask.task == CAPTION:
        return "Describe the picture."
    name = _namer(ask)
    texts = [text.render(name) for text in ask.texts.values()]
    if choices:
        texts.append(", ".join(choice.render(name) for choice in ask.choices))
    return " ".join((*texts, "Why?") if ask.task == RATIONALE else texts)


def _namer(ask: Ask) -> Callable[[int], str]:
    """People by neutral names and things by their class, as all networks hear of them."""
    return neutral_namer(ask.scenes[0].labels if ask.scenes else ())


def choices_of(ask: Ask) -> tuple[str, ...]:
    """The choices as people would say them; those of a verdict are False and True."""
    if ask.expects == "verdict":
        return (str(False), str(True))
    name = _namer(ask)
    return tuple(choice.render(name) for choice in ask.choices)

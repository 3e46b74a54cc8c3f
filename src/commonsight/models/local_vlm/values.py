"""What a local model is asked and what it gives: its own few values, so that it knows no client."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image


class Message(NamedTuple):
    """What one side says: texts and pictures in the order in which they are read."""

    role: str
    """`system`, `user` or `assistant`."""
    parts: tuple[str | Image, ...]


class Prompted(NamedTuple):
    """Something to write a reply to."""

    messages: tuple[Message, ...]
    most_tokens: int = 256
    temperature: float = 0.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    """Beginnings of the reply whose probabilities are wanted."""
    continued: bool = False
    """Whether the messages are one text to go on with, and no conversation."""

    @property
    def pictures(self) -> list[Image]:
        """All pictures, in order."""
        return pictures_of(self.messages)


class Written(NamedTuple):
    """A reply."""

    text: str
    cut: bool
    """Whether it ran out of tokens."""
    input_tokens: int
    output_tokens: int
    chances: tuple[float, ...] | None = None
    """The probability of each candidate, summing to 1 over them."""


class Weighed(NamedTuple):
    """How likely a model holds each of several continuations."""

    log_chances: tuple[float, ...]
    """The logarithm of the probability of each continuation as a whole: the sum over its tokens."""
    tokens: tuple[int, ...]
    """How many tokens each has."""
    input_tokens: int

    @property
    def means(self) -> tuple[float, ...]:
        """The mean over the tokens of each, so that a longer one is not the worse for being longer."""
        return tuple(total / count for total, count in zip(self.log_chances, self.tokens, strict=True))


def pictures_of(messages: tuple[Message, ...]) -> list[Image]:
    """The pictures of all messages, in order."""
    return [part for message in messages for part in message.parts if not isinstance(part, str)]

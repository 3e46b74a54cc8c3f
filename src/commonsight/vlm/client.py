"""The door to any model that answers: what it is asked, what it says, and how it can fail.

A client does one thing: one request in, one reply out. Retries, concurrency, caching and logging are done
around it, once, for all clients.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cached_property
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "filtered"]
"""Why a reply ended: on its own, because it became too long, or because the provider withheld it."""


class Picture(Struct, frozen=True, dict=True):
    """An image as it is sent: encoded once, and known by the hash of its bytes."""

    data: bytes
    media: str
    """Such as `image/png`."""
    name: str = ""
    """What to call it in a message to people; no part of its identity."""

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def data_url(self) -> msgspec.Raw:
        """The picture as a `data:` address, as JSON: made once, and copied into each request as it is."""
        start = f'"data:{self.media};base64,'.encode()
        return msgspec.Raw(start + base64.b64encode(self.data) + b'"')


class Turn(Struct, frozen=True):
    """What one side says: texts and pictures in the order in which they are read."""

    role: Role
    parts: tuple[str | Picture, ...]


class Request(Struct, frozen=True):
    """Everything that may change a reply, apart from the model: two equal requests may share one reply."""

    turns: tuple[Turn, ...]
    most_tokens: int = 256
    temperature: float = 0.0
    seed: int | None = None
    """Sent where it is given; also tells epochs of one question apart."""
    stop: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    """Continuations whose probabilities are wanted, such as A, B, C, D; not every model can tell."""
    continuations: tuple[str, ...] = ()
    """The whole text of each candidate, where the model shall not write an answer but is asked how likely it
    holds each of them. The reply is then the candidate of the best. Local models can."""
    continued: bool = False
    """Whether this is one text that the model shall go on with, and no conversation."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in order."""
        return tuple(part for turn in self.turns for part in turn.parts if isinstance(part, Picture))

    def key(self, model: str) -> str:
        """What a cache knows this request by: the model, all settings, every text, every picture's bytes."""
        parts = [
            (turn.role, [part if isinstance(part, str) else {"sha256": part.digest} for part in turn.parts])
            for turn in self.turns
        ]
        settings: tuple[object, ...] = (
            self.most_tokens, self.temperature, self.seed, self.stop, self.candidates, self.continuations
        )  # fmt: skip
        if self.continued:  # only then: whatever is in caches stays known
            settings = (*settings, "continued")
        return hashlib.sha256(msgspec.json.encode((model, parts, settings))).hexdigest()


class Reply(Struct, frozen=True):
    """What came back."""

    text: str
    finish: Finish = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None
    """From asking to the last token, as the client saw it."""
    chances: tuple[float, ...] | None = None
    """The probability of each candidate, summing to 1 over them; None where the model cannot tell."""
    model: str | None = None
    """What the server says that it is."""
    cached: bool = False


class Client(Protocol):
    """A model that answers one request at a time; many may be under way at once."""

    @property
    def name(self) -> str:
        """What the model is called in a run's record, such as `openai:gpt-x`; never a key or an address."""
        ...

    async def ask(self, request: Request) -> Reply:
        """The reply, or `AnswererUnusable`, `AnswererBusy`, `RequestRefused`. Cancelled, nothing is left."""
        ...

    async def close(self) -> None:
        """Let connections go."""
        ...

"""Chat completions as they go over the wire: what is sent, and what is read of what comes back.

Reading is lenient where servers differ (content as text or as parts, unknown fields, missing usage) and
strict where a reply would otherwise be made up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from commonsight.vlm.chances import Alternative, chances
from commonsight.vlm.client import Finish, Picture, Reply, Request, Turn

Address = Callable[[Picture], msgspec.Raw]
"""The address under which a server finds a picture, as JSON."""


class Takes(Struct, frozen=True):
    """Which settings a server takes; what it rejects is learnt once and left out from then on."""

    tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the field for the greatest number of tokens is called; every server but the newest takes this."""
    temperature: bool = True
    seed: bool = True
    stop: bool = True
    alternatives: int = 20
    """How many alternatives to a token may be asked for; 0 where log-probabilities are not offered."""


class _TextPart(Struct, tag="text"):
    text: str


class _ImageAddress(Struct):
    url: msgspec.Raw


class _ImagePart(Struct, tag="image_url"):
    image_url: _ImageAddress


class _Message(Struct):
    role: str
    content: str | list[_TextPart | _ImagePart]


class _Body(Struct):
    model: str
    messages: list[_Message]
    max_tokens: int | UnsetType = UNSET
    max_completion_tokens: int | UnsetType = UNSET
    temperature: float | UnsetType = UNSET
    seed: int | UnsetType = UNSET
    stop: tuple[str, ...] | UnsetType = UNSET
    logprobs: bool | UnsetType = UNSET
    top_logprobs: int | UnsetType = UNSET


_encode = msgspec.json.Encoder().encode


def body(model: str, request: Request, takes: Takes, address: Address) -> bytes:
    """The request as a server with these habits takes it."""
    asked = request.candidates and takes.alternatives
    return _encode(
        _Body(
            model,
            [_message(turn, address) for turn in request.turns],
            max_tokens=request.most_tokens if takes.tokens == "max_tokens" else UNSET,
            max_completion_tokens=request.most_tokens if takes.tokens == "max_completion_tokens" else UNSET,
            temperature=request.temperature if takes.temperature else UNSET,
            seed=request.seed if takes.seed and request.seed is not None else UNSET,
            stop=request.stop if takes.stop and request.stop else UNSET,
            logprobs=True if asked else UNSET,
            top_logprobs=takes.alternatives if asked else UNSET,
        )
    )


class _TextBody(Struct):
    model: str
    prompt: str
    max_tokens: int
    temperature: float | UnsetType = UNSET
    seed: int | UnsetType = UNSET
    stop: tuple[str, ...] | UnsetType = UNSET


def text_body(model: str, request: Request, takes: Takes) -> bytes:
    """A text to go on with, as the older interface takes it."""
    parts = (part for turn in request.turns for part in turn.parts if isinstance(part, str))
    return _encode(
        _TextBody(
            model,
            "".join(parts),
            request.most_tokens,
            temperature=request.temperature if takes.temperature else UNSET,
            seed=request.seed if takes.seed and request.seed is not None else UNSET,
            stop=request.stop if takes.stop and request.stop else UNSET,
        )
    )


def _message(turn: Turn, address: Address) -> _Message:
    if all(isinstance(part, str) for part in turn.parts):  # some servers take no parts in system messages
        return _Message(turn.role, "".join(part for part in turn.parts if isinstance(part, str)))
    parts: list[_TextPart | _ImagePart] = [
        _TextPart(part) if isinstance(part, str) else _ImagePart(_ImageAddress(address(part)))
        for part in turn.parts
    ]
    return _Message(turn.role, parts)


class _Piece(Struct):
    text: str = ""


class _Said(Struct):
    content: str | list[_Piece] | None = None
    refusal: str | None = None


class _Token(Struct):
    token: str
    logprob: float
    top_logprobs: list[Alternative] = field(default_factory=list)


class _Logprobs(Struct):
    content: list[_Token] | None = None


class _Choice(Struct):
    message: _Said
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(Struct):
    """What a server answers; `choices` is empty where it is none."""

    choices: list[_Choice] = field(default_factory=list)
    usage: _Usage | None = None
    model: str | None = None
    error: Any = None


completion = msgspec.json.Decoder(Completion).decode


class _TextChoice(Struct):
    text: str
    finish_reason: str | None = None


class TextCompletion(Struct):
    """What a server answers that went on with a text."""

    choices: list[_TextChoice] = field(default_factory=list)
    usage: _Usage | None = None
    model: str | None = None
    error: Any = None


text_completion = msgspec.json.Decoder(TextCompletion).decode

_FINISHES: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filtered",
    "safety": "filtered",
    "refusal": "filtered",
}


def read_reply(said: Completion | TextCompletion, request: Request, seconds: float) -> Reply:
    """The reply in a completion that has a choice."""
    choice = said.choices[0]
    if isinstance(choice, _TextChoice):
        return _read_text(said, choice, seconds)
    message = choice.message
    content = message.content
    text = content if isinstance(content, str) else "".join(piece.text for piece in content or ())
    finish = _FINISHES.get((choice.finish_reason or "").lower(), "stop")
    if message.refusal:
        text, finish = text or message.refusal, "filtered"
    usage = said.usage or _Usage()
    return Reply(
        text,
        finish,
        usage.prompt_tokens,
        usage.completion_tokens,
        seconds,
        _chances(choice.logprobs, request.candidates),
        said.model,
    )


def _read_text(said: Completion | TextCompletion, choice: _TextChoice, seconds: float) -> Reply:
    usage = said.usage or _Usage()
    finish = _FINISHES.get((choice.finish_reason or "").lower(), "stop")
    return Reply(
        choice.text, finish, usage.prompt_tokens, usage.completion_tokens, seconds, None, said.model
    )


def _chances(logprobs: _Logprobs | None, candidates: tuple[str, ...]) -> tuple[float, ...] | None:
    if not candidates or logprobs is None or not logprobs.content:
        return None
    first = logprobs.content[0]
    return chances([*first.top_logprobs, Alternative(first.token, first.logprob)], candidates)


class _Model(Struct):
    id: str


class _Models(Struct):
    data: list[_Model]


def models(content: bytes) -> list[str]:
    """The names in a list of models; raises what msgspec raises."""
    return [model.id for model in msgspec.json.decode(content, type=_Models).data]

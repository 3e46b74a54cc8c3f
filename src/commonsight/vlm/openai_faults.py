"""What a server's refusal means: the run cannot go on, ask again later, or never ask this question again.

Servers differ in status codes and agree, more or less, in words; both are read. What a server said passes
through the caller's `hide` before it gets into a message.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct, structs

from commonsight.errors import AnswererBusy, AnswererUnusable, CommonsightError, RequestRefused
from commonsight.vlm.client import Request
from commonsight.vlm.openai_wire import Takes

_LONGEST = 300
"""So much of a server's own words is enough for people."""

_TOO_LONG = re.compile(
    r"context[ _](length|size|window)|maximum context|too many tokens|(prompt|input|text) is too long"
    r"|too large|exceeds? the (limit|maximum|available)|string too long",
    re.IGNORECASE,
)
_BAD_PICTURE = re.compile(
    r"(invalid|corrupt\w*|broken|malformed|unreadable|unsupported) image|image (format|type|size|dimension)"
    r"|(decode|process|load|open|parse|download|fetch|identify)( the| this| an?)? image"
    r"|image is (too|not valid|invalid)",
    re.IGNORECASE,
)
_NO_VISION = re.compile(
    r"(image|vision|multi-?modal|mmproj).{0,60}"
    r"(not? (supported|support|allowed|available|enabled|accept)|unsupported|only supported|n't support)"
    r"|(not? support|unsupported|n't support|cannot (read|process|accept|handle)|not a |no ).{0,40}"
    r"(image|vision|multi-?modal|mmproj)"
    r"|content must be a string",
    re.IGNORECASE | re.DOTALL,
)
_WITHHELD = re.compile(r"content_?(filter|policy)|content management policy|safety system", re.IGNORECASE)
_NO_CREDIT = re.compile(
    r"insufficient_quota|exceeded your current quota|insufficient (balance|credit)", re.IGNORECASE
)
_MODEL = re.compile(
    r"model.{0,80}(not (found|exist|available|loaded)|n't exist)|model_not_found"
    r"|(unknown|no such|invalid) model",
    re.IGNORECASE | re.DOTALL,
)
_LOADING = re.compile(r"loading model|model is loading|starting up", re.IGNORECASE)


class Refusal(Struct, frozen=True):
    """A response that is no answer: its status, headers, and what it says about the reason."""

    status: int
    headers: Mapping[str, str]
    text: str
    """The server's own words, already without the key."""
    told: str
    """All that the body says, for finding words in, already without the key."""


def refusal(status: int, headers: Mapping[str, str], content: bytes, hide: Callable[[str], str]) -> Refusal:
    """What the response says."""
    body = hide(content[:20_000].decode("utf-8", "replace"))
    try:
        value: Any = msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        value = re.sub(r"<[^>]*>", " ", body)  # an HTML page
    error = value.get("error", value) if isinstance(value, dict) else value
    message = error.get("message") if isinstance(error, dict) else error
    if not isinstance(message, str):
        text = _one_line(msgspec.json.encode(value).decode())
        return Refusal(status, headers, text, text)
    # without the type: "invalid_request_error" says nothing and reads like something
    named = f" {error.get('code')} {error.get('param')}" if isinstance(error, dict) else ""
    return Refusal(status, headers, _one_line(message), message + named)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def withheld(said: Refusal) -> bool:
    """Whether the provider's filter stopped the request: an answer of its own kind, not a fault."""
    return said.status == 400 and _WITHHELD.search(said.told) is not None


def relearnt(said: Refusal, takes: Takes, request: Request) -> Takes | None:
    """The server's habits, if this refusal is about a setting that can be left out; None if it is not.

    Every setting is given up at most once, so that asking again comes to an end.
    """
    if said.status not in (400, 422, 501) or _TOO_LONG.search(said.told):
        return None
    told = said.told
    if "max_completion_tokens" in told and takes.tokens == "max_tokens":
        return structs.replace(takes, tokens="max_completion_tokens")
    if "logprobs" in told and request.candidates and takes.alternatives:
        return structs.replace(takes, alternatives=5 if takes.alternatives > 5 else 0)
    sent = {"seed": request.seed is not None, "temperature": True, "stop": bool(request.stop)}
    for name, was_sent in sent.items():
        if was_sent and getattr(takes, name) and re.search(rf"\b{name}\b", told):
            return structs.replace(takes, **{name: False})
    return None


def fault(said: Refusal, model: str, shown: str, pictures: int) -> CommonsightError:
    """The error that the response stands for."""
    status = said.status
    words = f" It says: {said.text}" if said.text else ""
    if status in (401, 403):
        return AnswererUnusable(f"{shown} does not accept the key ({status}). Check it.{words}")
    if status == 402 or (status == 429 and _NO_CREDIT.search(said.told)):
        return AnswererUnusable(f"{shown} wants payment ({status}).{words}")
    # what does not depend on the code comes before it: some servers say all of this with 500
    if pictures and status >= 400 and status != 429:
        if _BAD_PICTURE.search(said.told):
            return RequestRefused(f"the server cannot use the picture ({status}).{words}")
        if _NO_VISION.search(said.told):
            return AnswererUnusable(
                f"{model} at {shown} takes no pictures ({status}). Choose a model with vision.{words}"
            )
    if status == 404 or (status in (400, 422) and _MODEL.search(said.told)):
        return _not_found(said, model, shown, words)
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(said.told)):
        return RequestRefused(f"the request is too large for the server ({status}).{words}")
    if status in (408, 409, 425, 429) or status >= 500:
        limited = status in (429, 503, 529) and _LOADING.search(said.told) is None
        return AnswererBusy(
            f"the server answered {status}.{words}", retry_after=retry_after(said.headers), limited=limited
        )
    if 300 <= status < 400 or status == 405:
        return AnswererUnusable(f"{shown} is not the address of the interface ({status}). {_BASE}{words}")
    return RequestRefused(f"the server does not take the request ({status}).{words}")


_BASE = "A base address mostly ends in /v1."


def _not_found(said: Refusal, model: str, shown: str, words: str) -> AnswererUnusable:
    if _MODEL.search(said.told):
        return AnswererUnusable(f"{shown} has no model {model}. Check its name.{words}")
    return AnswererUnusable(f"Nothing is found at {shown} (404). Check the base address. {_BASE}{words}")


def retry_after(headers: Mapping[str, str], now: Callable[[], float] = time.time) -> float | None:
    """How many seconds the server wants to be left alone: a number, or a date; None if it says nothing."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        told = headers.get(name)
        if told is None:
            continue
        try:
            seconds = float(told) * unit
        except ValueError:
            seconds = _until(told, now)
        if 0 <= seconds < float("inf"):
            return seconds
    return None


def _until(date: str, now: Callable[[], float]) -> float:
    try:
        return max(0.0, email.utils.parsedate_to_datetime(date).timestamp() - now())
    except (ValueError, TypeError, OverflowError):
        return float("nan")

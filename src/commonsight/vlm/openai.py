"""Any model behind an OpenAI-compatible address: OpenAI, vLLM, SGLang, llama.cpp, LM Studio and many more.

Conversations go to `/chat/completions`, texts to go on with to `/completions`, which not every server has.
"""

from __future__ import annotations

import asyncio
import difflib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, structs

from commonsight.errors import AnswererBusy, AnswererUnusable, InputError
from commonsight.vlm.cache import served_by
from commonsight.vlm.client import Picture, Reply, Request, Turn
from commonsight.vlm.keys import Key, redacted, shown_address
from commonsight.vlm.lanes import Lanes, Response
from commonsight.vlm.openai_faults import fault, refusal, relearnt, withheld
from commonsight.vlm.openai_wire import (
    Address,
    Completion,
    Takes,
    TextCompletion,
    body,
    completion,
    models,
    read_reply,
    text_body,
    text_completion,
)

_TINY = Request((Turn("user", ("Say OK.",)),), most_tokens=16)


class Timeouts(Struct, frozen=True):
    """How long to wait, in seconds."""

    connect: float = 10.0
    total: float = 300.0
    """From the first byte sent to the last one read, however they trickle."""


def as_data(picture: Picture) -> msgspec.Raw:
    """A picture inside the request; every server that takes pictures takes this."""
    return picture.data_url


class AsFiles:
    """Pictures written into a folder once each, and named by address: small requests for a server close by.

    Without a prefix they are `file://` addresses; a server that serves the folder itself has another.
    """

    def __init__(self, folder: Path, prefix: str | None = None) -> None:
        self._folder = folder
        self._prefix = prefix.rstrip("/") if prefix else folder.resolve().as_uri()
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, picture: Picture) -> msgspec.Raw:
        """The picture's address, under which it now is."""
        name = f"{picture.digest}.{picture.media.rpartition('/')[2]}"
        path = self._folder / name
        if not path.exists():
            beside = path.with_name(f".{name}.{os.getpid()}.part")
            beside.write_bytes(picture.data)
            beside.replace(path)
        return msgspec.Raw(msgspec.json.encode(f"{self._prefix}/{name}"))


class _Attempt(NamedTuple):
    """A response, what it was asked with, and how long it took."""

    response: Response
    takes: Takes
    seconds: float


class OpenAIClient:
    """Asks one model at one address, over connections that are kept."""

    def __init__(
        self,
        model: str,
        base_url: str,
        key: Key | None = None,
        *,
        most_at_once: int = 64,
        timeouts: Timeouts = Timeouts(),  # noqa: B008 - frozen
        pictures: Address = as_data,
        clock: Callable[[], float] = time.perf_counter,
        plain: bool | None = None,
    ) -> None:
        """`most_at_once` is how many connections are kept; more requests than that wait for one.

        `plain` chooses the kind of connection (see `lanes`); None leaves it to the address.
        """
        self.name = f"openai:{model}"
        self._model, self._key, self._clock = model, key, clock
        self._base = _checked(base_url)
        self.shown = shown_address(self._base)
        """The address as people may see it."""
        self.cached_as = served_by(self.name, self._base)
        """What a cache knows this model by: two servers may call two models the same."""
        self._pictures, self._total = pictures, timeouts.total
        self._takes = Takes()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key.reveal()}"
        self._lanes = Lanes(self._base, headers, most_at_once, timeouts.connect, timeouts.total, plain=plain)

    async def ask(self, request: Request) -> Reply:
        """The reply, or `AnswererUnusable`, `AnswererBusy`, `RequestRefused`."""
        if request.continued and request.pictures:
            raise AnswererUnusable(
                "A text to go on with has no pictures at this interface. Ask without them (--blind none), or "
                "with a prompt of the form turns."
            )
        while True:
            attempt = await self._attempt(request)
            response = attempt.response
            if response.status == 200:
                said = self._completion(response, request)
                if said.choices:
                    return self._hidden(read_reply(said, request, attempt.seconds))
            refused = refusal(_status_of(response), response.headers, response.content, self._hide)
            learnt = relearnt(refused, attempt.takes, request)
            if learnt is not None:  # each setting can be given up once, so this ends
                self._takes = self._takes if self._takes != attempt.takes else learnt
                continue
            if withheld(refused):
                return Reply(refused.text, "filtered", seconds=attempt.seconds)
            if request.continued and response.status in (404, 405):
                raise AnswererUnusable(
                    f"{self.shown} does not go on with a text ({response.status}): it has no /completions, "
                    f"or not for {self._model}. Ask with a prompt of the form turns."
                )
            raise fault(refused, self._model, self.shown, len(request.pictures))

    async def check(self, *, listed: bool = True) -> None:
        """Find out, with next to no cost, whether this model can be asked.

        Raises `AnswererUnusable` where it cannot, `AnswererBusy` where it is too early to tell. With
        `listed`, a server that tells its models must tell this one: some answer to any name whatever.
        """
        try:
            response = await self._sent("GET", "/models", None)
        except AnswererBusy as busy:
            raise AnswererUnusable(
                f"Nothing answers at {self.shown}: {busy}. Is the server running? Check the base address."
            ) from None
        if response.status in (401, 403):
            refused = refusal(response.status, response.headers, response.content, self._hide)
            raise fault(refused, self._model, self.shown, 0)
        known = _known_models(response)
        if known is None:  # many servers have no such list
            await self.ask(_TINY)
        elif listed and self._model not in known:
            raise AnswererUnusable(self._hide(_unknown_model(self._model, self.shown, known)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the server does not take and was therefore not asked: for a run's record."""
        takes = self._takes
        left_out = [name for name in ("temperature", "seed", "stop") if not getattr(takes, name)]
        if not takes.alternatives:
            left_out.append("logprobs")
        return tuple(f"the server does not take {name}" for name in left_out)

    async def close(self) -> None:
        """Let connections go."""
        await self._lanes.close()

    async def _attempt(self, request: Request) -> _Attempt:
        takes = self._takes
        if request.continued:
            path, content = "/completions", text_body(self._model, request, takes)
        else:
            path, content = "/chat/completions", body(self._model, request, takes, self._pictures)
        began = self._clock()
        response = await self._sent("POST", path, content)
        return _Attempt(response, takes, self._clock() - began)

    async def _sent(self, method: str, path: str, content: bytes | None) -> Response:
        self._lanes.prepare()
        try:
            async with asyncio.timeout(self._total):
                return await self._lanes.send(method, path, content)
        except TimeoutError:
            raise AnswererBusy(f"no full answer within {self._total:g} s") from None
        except AnswererBusy as busy:
            raise AnswererBusy(self._hide(str(busy))) from None

    def _completion(self, response: Response, request: Request) -> Completion | TextCompletion:
        said: Completion | TextCompletion | None
        try:
            said = (text_completion if request.continued else completion)(response.content)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            said = None
        if said is None or not (said.choices or said.error):
            kind = response.headers.get("content-type", "no content type")
            self._malformed(f"the server answered 200 with no completion ({kind})")
        return said

    def _malformed(self, what: str) -> NoReturn:
        raise AnswererBusy(self._hide(what))

    def _hide(self, text: str) -> str:
        return redacted(text, self._key)

    def _hidden(self, reply: Reply) -> Reply:
        """The reply without the key, should the server have echoed it."""
        if self._key is None or (self._key.reveal() not in f"{reply.text}\n{reply.model}"):
            return reply
        model = None if reply.model is None else self._key.hide(reply.model)
        return structs.replace(reply, text=self._key.hide(reply.text), model=model)


def _status_of(response: Response) -> int:
    """The status, or the one that a proxy put into a body with status 200."""
    if response.status != 200:
        return response.status
    error = completion(response.content).error
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _known_models(response: Response) -> list[str] | None:
    if response.status != 200:
        return None
    try:
        return models(response.content) or None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _unknown_model(model: str, shown: str, known: list[str]) -> str:
    near = difflib.get_close_matches(model, known, n=5, cutoff=0.4)
    names = list(dict.fromkeys([*near, *known]))
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    return f"{shown} has no model {model}. It has: {', '.join(names[:10])}{more}."


def _checked(base_url: str) -> str:
    """The base address without a slash at its end, once it is one."""
    try:
        parts = urlsplit(base_url.strip())
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine:
        raise InputError(
            f"{shown_address(base_url)} is not a base address. Write one such as http://localhost:8000/v1."
        )
    if parts.username or parts.password:
        raise InputError("A base address holds no user or password. Put the key into the environment.")
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return parts._replace(path=path, fragment="").geturl()

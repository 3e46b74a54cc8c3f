"""One person's way to a running app: its JSON interface over HTTP, with the time of every request."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from commonsight.errors import UsageError

TRIES = 5
LONGEST_WAIT = 30.0
"""Seconds; who is told to wait for longer gives up."""


class Reply(NamedTuple):
    """What came back."""

    status: int
    body: Any

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.status < 400

    @property
    def code(self) -> str:
        """Why not, for programs: the refusal's own code, or the status."""
        told = self.body.get("code") if isinstance(self.body, dict) else None
        return str(told or self.status)

    @property
    def detail(self) -> str:
        """Why not, for people."""
        return str(self.body.get("detail", "")) if isinstance(self.body, dict) else str(self.body)


@dataclass
class Tally:
    """What was asked, how long it took, and what was refused; of all people together."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    """By what was asked for."""
    refused: Counter[str] = field(default_factory=Counter)
    """`<what>: <code>`"""
    waited: int = 0
    """Requests that were sent again because there were too many at once."""
    faults: dict[str, str] = field(default_factory=dict)
    """Answers that nobody should get, each once, with what they said."""

    def note(self, verb: str, reply: Reply, seconds: float) -> None:
        """One request."""
        self.seconds.setdefault(verb, []).append(seconds)
        if not reply.ok:
            self.refused[f"{verb}: {reply.code}"] += 1
        if reply.status >= 500 or reply.status in (400, 405):
            self.faults.setdefault(f"{verb}: {reply.status}", reply.detail)


class Client:
    """A person's connection. Whatever has a key of its own may be sent again."""

    def __init__(self, http: httpx.AsyncClient, tally: Tally) -> None:
        self._http, self._tally = http, tally
        self._token = ""

    async def ask(self, verb: str, method: str, path: str, body: Any = None) -> Reply:
        """Send a request until it is answered: when there is too much at once, a little later again."""
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        told = ""
        for attempt in range(TRIES):
            began = time.perf_counter()
            try:
                response = await self._http.request(method, f"/api{path}", json=body, headers=headers)
            except httpx.TransportError as error:
                told = str(error) or type(error).__name__
                await asyncio.sleep(0.1 * 2**attempt)
                continue
            reply = Reply(response.status_code, _read(response))
            if reply.status not in (429, 503):
                self._tally.note(verb, reply, time.perf_counter() - began)
                return reply
            told, self._tally.waited = reply.detail, self._tally.waited + 1
            await asyncio.sleep(min(LONGEST_WAIT, float(response.headers.get("retry-after", "1"))))
        raise UsageError(
            f"{self._http.base_url}: '{verb}' was tried {TRIES} times and not answered ({told}). Check that "
            "the app is served there, and that its database can be used."
        )

    async def sign_up(self, name: str, password: str, invitation: str) -> None:
        """Come in by an invitation; who was here before signs in and brings it along."""
        sent = {"name": name, "password": password, "invitation": invitation}
        reply = await self.ask("sign up", "POST", "/accounts", sent)
        if reply.ok:
            self._token = reply.body["token"]
            return
        if reply.code != "name-taken":
            raise UsageError(f"{name} could not sign up at {self._http.base_url}: {reply.detail}")
        known = await self.ask("sign in", "POST", "/sign-in", {"name": name, "password": password})
        if not known.ok:
            raise UsageError(f"{name} could not sign in at {self._http.base_url}: {known.detail}")
        self._token = known.body["token"]
        await self.ask("join", "POST", "/join", {"invitation": invitation})


def _read(response: httpx.Response) -> Any:
    try:
        return response.json() if response.content else None
    except ValueError:
        return response.text[:200]

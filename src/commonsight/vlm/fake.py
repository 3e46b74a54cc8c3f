"""A model by a script: for tests, demos, and dry runs that cost nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from commonsight.vlm.client import Reply, Request

Script = Callable[[Request], Reply | str | Exception]
"""What to say to a request; an exception is raised."""


class ScriptedClient:
    """Answers as the script says, after a while if wanted, and remembers what it was asked."""

    def __init__(self, script: Script, *, name: str = "scripted", seconds: float = 0.0) -> None:
        self._script, self._seconds, self.name = script, seconds, name
        self.asked: list[Request] = []
        self.at_once = 0
        self.most_at_once = 0
        self.closed = False

    async def ask(self, request: Request) -> Reply:
        """What the script says."""
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self._seconds)
        finally:
            self.at_once -= 1
        said = self._script(request)
        if isinstance(said, Exception):
            raise said
        return Reply(said) if isinstance(said, str) else said

    async def close(self) -> None:
        """Nothing to let go."""
        self.closed = True


def always(text: str) -> Script:
    """A script that says the same to everything."""
    return lambda _: text

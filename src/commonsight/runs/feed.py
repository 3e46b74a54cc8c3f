"""Questions as they are handed out: read a few at a time in a thread, without those that are done."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from commonsight.core.answer import Answer
from commonsight.vlm.client import Reply, Request

_AT_A_TIME = 64


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask, and how to read what comes back. Item and task together are asked once in a run."""

    item: str
    task: str
    request: Request | Callable[[], Request]
    """A callable is called in a thread when its turn comes, so that pictures are not held before."""
    read: Callable[[Reply], Answer]
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Put into the log beside what the reply tells."""
    told: Callable[[Reply], Mapping[str, Any]] = lambda _: {}
    """What else the log shall tell of a reply: probabilities in the item's own order."""


class Marks:
    """Which questions have been handed out: 16 bytes each, so that 100,000 take a few megabytes."""

    def __init__(self) -> None:
        self._marks: set[int] = set()

    def add(self, item: str, task: str) -> bool:
        """Mark this question; whether it was not marked before."""
        mark = hashlib.blake2b(f"{item}\n{task}".encode(), digest_size=16).digest()
        before = len(self._marks)
        self._marks.add(int.from_bytes(mark))
        return len(self._marks) > before


class Feed:
    """Hands out each question once. The iterable is only ever read in one thread."""

    def __init__(self, questions: Iterable[Question], done: Marks) -> None:
        self._questions = iter(questions)
        self._done = done
        self._ready: deque[Question] = deque()
        self._thread = ThreadPoolExecutor(1, "questions")
        self._reading: asyncio.Future[list[Question]] | None = None
        self._ended = False
        self.already = 0
        """Questions that were left out because they are done, or came twice."""

    async def next(self) -> Question | None:
        """The next question, or None when there is none."""
        while not self._ready and not self._ended:
            await asyncio.wait([self._read()])
            self._take()
        if len(self._ready) <= _AT_A_TIME // 2 and not self._ended:
            self._read()
        return self._ready.popleft() if self._ready else None

    def close(self) -> None:
        """Read no more."""
        self._ended = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _read(self) -> asyncio.Future[list[Question]]:
        if self._reading is None:
            self._reading = asyncio.get_running_loop().run_in_executor(self._thread, self._some)
        return self._reading

    def _take(self) -> None:
        """Take over what has been read, if another has not done so already."""
        if self._reading is None or not self._reading.done():
            return
        reading, self._reading = self._reading, None
        some = reading.result()
        self._ready.extend(some)
        self._ended = self._ended or not some

    def _some(self) -> list[Question]:
        some: list[Question] = []
        for question in self._questions:
            if self._done.add(question.item, question.task):
                some.append(question)
                if len(some) == _AT_A_TIME:
                    break
            else:
                self.already += 1
        return some

"""A model on this machine as a client: `hf:FOLDER_OR_NAME`.

The model has one thread of its own. Requests that come while it is busy wait, and go to it together, up to
`batch` at a time. Whoever is cancelled is forgotten: a request that waits is taken out, and a reply that is
being written ends with its next token unless another in its batch is still wanted.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from commonsight.errors import AnswererUnusable, InvalidRecords, RequestRefused, UsageError
from commonsight.models.local_vlm.loading import Found, find
from commonsight.models.local_vlm.model import LocalVlm
from commonsight.models.local_vlm.values import Message, Prompted, Weighed, Written
from commonsight.store.pictures import open_picture
from commonsight.vlm.client import Picture, Reply, Request

if TYPE_CHECKING:
    from PIL.Image import Image

ScoreBy = Literal["text", "choices", "choices-sum"]
"""By what the model writes; by the mean log-probability of a choice's tokens; by their sum."""
BATCH = 8
_LINGER = 0.02
"""Seconds that a batch which is not full waits for more: nothing beside the time that a reply takes, and
without it one request goes alone and all others wait for the next batch, again and again."""


@dataclass(eq=False)
class _Job:
    """A request under way."""

    request: Request
    messages: tuple[Message, ...]
    done: asyncio.Future[Reply]
    wanted: bool = True
    """Read by the model's thread while it writes."""


class LocalClient:
    """Asks one local model."""

    def __init__(
        self,
        found: Found,
        *,
        batch: int = BATCH,
        device: str = "auto",
        dtype: str = "auto",
        score_by: ScoreBy = "text",
    ) -> None:
        if batch < 1:
            raise UsageError(f"--batch {batch}: a batch has at least one question.")
        self.name = f"hf:{found.name}"
        self.cached_as = f"{self.name}:{dtype}:{score_by}"
        """For the cache: numbers in another format, or choices weighed otherwise, may answer otherwise."""
        self.most_together = 0
        """The largest batch so far."""
        self._found, self._batch, self._device, self._dtype = found, batch, device, dtype
        self._score_by = score_by
        self._model: LocalVlm | None = None
        self._thread = ThreadPoolExecutor(1, "local-model")
        self._eyes = ThreadPoolExecutor(2, "pictures")
        self._waiting: list[_Job] = []
        self._busy: list[_Job] = []
        self._serving: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Load the model, so that what is wrong with it is said before the first question."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._loaded)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the run's record should say about how the model is asked; known once it is loaded."""
        return () if self._model is None else self._model.notes

    async def ask(self, request: Request) -> Reply:
        """What the model writes, or which choice it holds likeliest."""
        loop = asyncio.get_running_loop()
        began = time.perf_counter()
        messages = await loop.run_in_executor(self._eyes, messages_of, request)
        job = _Job(request, messages, loop.create_future())
        self._waiting.append(job)
        if self._serving is None:
            self._serving = loop.create_task(self._serve())
        try:
            reply = await job.done
        finally:
            job.wanted = False
            if job in self._waiting:
                self._waiting.remove(job)
        return structs.replace(reply, seconds=time.perf_counter() - began)

    async def close(self) -> None:
        """Forget all requests, wait until the model's thread has ended, and let the model go."""
        for job in (*self._waiting, *self._busy):
            job.wanted = False
            job.done.cancel()
        self._waiting.clear()
        if self._serving is not None:
            self._serving.cancel()
        await asyncio.to_thread(self._thread.shutdown, wait=True, cancel_futures=True)
        self._eyes.shutdown(wait=False, cancel_futures=True)
        self._model = None

    async def _serve(self) -> None:
        """Batch after batch, until nobody waits."""
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                if len(self._waiting) < self._batch:
                    await asyncio.sleep(_LINGER)
                self._busy = self._waiting[: self._batch]
                del self._waiting[: self._batch]
                if self._busy:
                    self.most_together = max(self.most_together, len(self._busy))
                    self._settle(await loop.run_in_executor(self._thread, self._answers, self._busy))
        except BaseException as error:
            self._give_up(error)
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._busy, self._serving = [], None

    def _settle(self, outcomes: Sequence[Reply | RequestRefused]) -> None:
        for job, outcome in zip(self._busy, outcomes, strict=True):
            if job.done.done():  # cancelled
                continue
            if isinstance(outcome, Reply):
                job.done.set_result(outcome)
            else:
                job.done.set_exception(outcome)

    def _give_up(self, error: BaseException) -> None:
        """Whoever waits is told: without the model none of them has an answer."""
        jobs = [*self._busy, *self._waiting]
        self._waiting.clear()
        for job in jobs:
            if job.done.done():
                continue
            if isinstance(error, Exception):
                job.done.set_exception(error)
            else:
                job.done.cancel()

    def _loaded(self) -> LocalVlm:
        if self._model is None:
            self._model = LocalVlm.load(self._found, device=self._device, dtype=self._dtype)
        return self._model

    def _answers(self, jobs: Sequence[_Job]) -> list[Reply | RequestRefused]:
        """In the model's thread: those that write together, those that weigh one by one."""
        model = self._loaded()
        found: dict[int, Reply | RequestRefused] = {}
        writing = [place for place, job in enumerate(jobs) if not job.request.continuations]
        prompted = [_prompted(jobs[place]) for place in writing]
        written = model.write(prompted, lambda row: jobs[writing[row]].wanted)
        for place, outcome in zip(writing, written, strict=True):
            found[place] = _written(outcome) if isinstance(outcome, Written) else outcome
        for place, job in enumerate(jobs):
            if job.request.continuations:
                found[place] = self._weighed(model, job)
        return [found[place] for place in range(len(jobs))]

    def _weighed(self, model: LocalVlm, job: _Job) -> Reply | RequestRefused:
        if not job.wanted:
            return RequestRefused("Nobody waits for this any more.")
        try:
            weighed = model.weigh(job.messages, job.request.continuations)
        except RequestRefused as refused:
            return refused
        return picked(weighed, job.request.candidates, self._score_by)


def local_client(
    given: str,
    *,
    revision: str | None = None,
    trust_remote_code: bool = False,
    batch: int = BATCH,
    device: str = "auto",
    dtype: str = "auto",
    score_by: ScoreBy = "text",
) -> LocalClient:
    """A client for the model in a folder or on the hub; what can be seen to be wrong with it is said now."""
    found = find(given, revision=revision, trust_remote_code=trust_remote_code)
    return LocalClient(found, batch=batch, device=device, dtype=dtype, score_by=score_by)


def picked(weighed: Weighed, candidates: Sequence[str], score_by: ScoreBy) -> Reply:
    """The candidate whose continuation is likeliest, and the chances of all by the same measure."""
    if len(candidates) != len(weighed.tokens):
        raise AnswererUnusable("Every continuation needs its candidate; this is a fault of the program.")
    scores = weighed.log_chances if score_by == "choices-sum" else weighed.means
    best = max(scores)
    weights = [math.exp(score - best) for score in scores]
    chances = tuple(weight / sum(weights) for weight in weights)
    text = candidates[scores.index(best)]
    return Reply(text, input_tokens=weighed.input_tokens, output_tokens=0, chances=chances)


def messages_of(request: Request) -> tuple[Message, ...]:
    """The request with its pictures decoded."""
    return tuple(
        Message(turn.role, tuple(part if isinstance(part, str) else _seen(part) for part in turn.parts))
        for turn in request.turns
    )


def _seen(picture: Picture) -> Image:
    try:
        return open_picture(picture.data, turned=False, name=picture.name)
    except InvalidRecords as error:
        called = picture.name or "A picture"
        raise RequestRefused(f"{called} cannot be read ({error.problems[0].message}). Restore it.") from error


def _prompted(job: _Job) -> Prompted:
    asked = job.request
    return Prompted(
        job.messages, asked.most_tokens, asked.temperature, asked.seed, asked.stop, asked.candidates
    )


def _written(outcome: Written) -> Reply:
    return Reply(
        outcome.text,
        "length" if outcome.cut else "stop",
        outcome.input_tokens,
        outcome.output_tokens,
        chances=outcome.chances,
    )

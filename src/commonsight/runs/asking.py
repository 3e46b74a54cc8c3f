"""Ask many questions of one model, as fast as it allows, and lose no answer.

What is around a client, once for all clients: the gate (how many at once), retries, the cache, the log. An
answer is on the disk before it is counted. Memory does not grow with the number of questions: a few are in
hand, the rest are still in their iterable.

A run stops early, and can be resumed, when the model turns out to be unusable, when the first questions all
fail alike, when very many fail in a row, or when a person interrupts it.
"""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from commonsight.errors import AnswererBusy, AnswererUnusable, CommonsightError, RequestRefused
from commonsight.runs.feed import Feed, Marks, Question
from commonsight.runs.gate import Gate
from commonsight.runs.tally import Tally
from commonsight.store.runs import AnswerLine, FailureLine, RunLog, read_answers
from commonsight.vlm.cache import Cache, reusable
from commonsight.vlm.client import Client, Reply, Request
from commonsight.vlm.limits import AdaptiveLimit, PerMinute
from commonsight.vlm.retry import Backoff

_SCOUTS = 4
"""So many questions are asked at once until the first answer: a wrong set-up must cost few requests."""


@dataclass(frozen=True)
class Pace:
    """How fast to ask, how patiently, and when to stop."""

    most_at_once: int = 64
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    backoff: Backoff = Backoff()  # noqa: RUF009 - frozen
    alike: int = 5
    """So many questions that fail alike before any is answered stop the run."""
    in_a_row: int = 50
    """So many questions that fail one after another stop the run."""
    grace: float = 10.0
    """Seconds that requests under way have to end when the run is stopped."""


class _Failed(Exception):  # noqa: N818 - what became of one question
    def __init__(self, why: str, tries: int) -> None:
        super().__init__(why)
        self.why, self.tries = why, tries


class Asking:
    """One run under way. Made for one log, and used once."""

    def __init__(
        self,
        client: Client,
        log: RunLog,
        rng: Random,
        *,
        cache: Cache | None = None,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time.monotonic,
        watch: Callable[[Tally], None] | None = None,
    ) -> None:
        """`watch` is told the tally after every question, and must be quick."""
        self.tally = Tally()
        self._client, self._log, self._rng, self._cache = client, log, rng, cache
        self._pace, self._clock, self._watch = pace, clock, watch
        self._known_as = getattr(client, "cached_as", client.name)
        self._gate = Gate(
            AdaptiveLimit(pace.most_at_once, _SCOUTS),
            PerMinute(pace.requests_per_minute) if pace.requests_per_minute else None,
            PerMinute(pace.tokens_per_minute) if pace.tokens_per_minute else None,
            clock,
        )
        self._scouts: asyncio.Semaphore | None = asyncio.Semaphore(_SCOUTS)
        self._makers = ThreadPoolExecutor(2, "requests")
        self._workers: set[asyncio.Task[None]] = set()
        self._under_way: set[asyncio.Task[None]] = set()
        """Workers whose request is sent or whose answer is being written: they are let finish."""
        self._stopping = False
        self._fatal: BaseException | None = None
        self._whys: list[str] = []
        """Why the last questions failed, since one was answered."""

    async def run(self, questions: Iterable[Question]) -> Tally:
        """Ask all that has no answer yet. Raises `AnswererUnusable` where it makes no sense to go on."""
        began = self._clock()
        feed = Feed(questions, await asyncio.to_thread(self._done))
        # twice as many as may be asked at once: some are being prepared or written, or wait to be tried again
        self._workers = {asyncio.create_task(self._work(feed)) for _ in range(2 * self._pace.most_at_once)}
        try:
            with self._interruptible():
                await asyncio.gather(*self._workers, return_exceptions=True)
        finally:
            for worker in self._workers:
                worker.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)
            await self._log.drained()
            feed.close()
            self._makers.shutdown(wait=False, cancel_futures=True)
            self.tally.already = feed.already
            self.tally.seconds = self._clock() - began
            self.tally.most_at_once = self._gate.limit.highest
        if self._fatal is not None:
            raise self._fatal
        return self.tally

    def stop(self, why: str) -> None:
        """Hand out no more questions, and let requests under way end; told twice, they end at once."""
        again, self._stopping = self._stopping, True
        self.tally.stopped = self.tally.stopped or why
        for worker in self._workers if again else self._workers - self._under_way:
            worker.cancel()
        if not again:
            asyncio.get_running_loop().call_later(self._pace.grace, self.stop, why)

    def _done(self) -> Marks:
        done = Marks()
        for line in read_answers(self._log.folder):
            done.add(line.item, line.task)
        return done

    async def _work(self, feed: Feed) -> None:
        try:
            while not self._stopping:
                question = await feed.next()
                if question is None:
                    return
                await self._settle(question)
                self._under_way.discard(_this_task())
                if self._watch is not None:
                    self._watch(self.tally)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._fatal = self._fatal or error
            self.stop(str(error))
        finally:
            self._under_way.discard(_this_task())

    async def _settle(self, question: Question) -> None:
        """Answer one question, or write down why not."""
        try:
            request = await self._made(question)
            reply = await self._reply(request)
        except _Failed as failed:
            line = FailureLine(question.item, question.task, failed.why, failed.tries)
            await self._log.keep_failure(line)
            self.tally.failed += 1
            self._judge(failed.why)
            return
        answer = question.read(reply)
        extra = told(reply) | dict(question.extra) | dict(question.told(reply))
        await self._log.keep(AnswerLine(question.item, question.task, answer, reply.text, extra))
        self.tally.count(reply)

    async def _made(self, question: Question) -> Request:
        if isinstance(question.request, Request):
            return question.request
        try:
            return await asyncio.get_running_loop().run_in_executor(self._makers, question.request)
        except (CommonsightError, OSError) as error:  # an item without its picture, say
            raise _Failed(str(error), 0) from error

    async def _reply(self, request: Request) -> Reply:
        if self._cache is None or not reusable(request):
            return await self._asked(request)
        key = request.key(self._known_as)
        known = await self._cache.get(key)
        if known is not None:
            self._under_way.add(_this_task())
            return known
        reply = await self._asked(request)
        await self._cache.put(key, reply)
        return reply

    async def _asked(self, request: Request) -> Reply:
        """The reply, an answer even before it is kept; until there has been one, few ask at once."""
        if self._scouts is None:
            reply = await self._tried(request)
        else:
            async with self._scouts as _:
                reply = await self._tried(request)
        self._whys.clear()
        if self._scouts is not None:
            scouts, self._scouts = self._scouts, None
            for _ in range(2 * self._pace.most_at_once):
                scouts.release()
        return reply

    async def _tried(self, request: Request) -> Reply:
        """The reply after as many tries as it takes, and as are allowed."""
        first, tries = self._clock(), 0
        while True:
            began = await self._gate.enter()
            tries += 1
            try:
                return await self._once(request, began)
            except AnswererBusy as busy:
                wait = self._pace.backoff.wait(tries, self._clock() - first, busy, self._rng)
                if self._stopping:  # not given up, only put off until the run is resumed
                    raise asyncio.CancelledError from None
                if wait is None:
                    raise _Failed(str(busy), tries) from None
            except RequestRefused as refused:
                raise _Failed(str(refused), tries) from None
            self.tally.retries += 1
            self._under_way.discard(_this_task())
            await asyncio.sleep(wait)

    async def _once(self, request: Request, began: float) -> Reply:
        """One request, and what it tells about how many there may be at once."""
        limit = self._gate.limit
        self.tally.requests += 1
        self._under_way.add(_this_task())
        try:
            reply = await self._client.ask(request)
        except AnswererBusy as busy:
            if busy.limited:
                self.tally.limited += 1
                limit.limited(began, self._clock(), busy.retry_after)
            else:
                limit.fault(began, self._clock())
            raise
        except BaseException:
            limit.drop()
            raise
        else:
            limit.end(began, self._clock())
            self._gate.used((reply.input_tokens or 0) + (reply.output_tokens or 0))
            return reply
        finally:
            self._gate.let_in()

    def _judge(self, why: str) -> None:
        """Stop where the failures so far say that going on makes no sense."""
        self._whys.append(_SAME.sub("", why))
        failed = len(self._whys)
        unheard = self._scouts is not None
        if unheard and failed >= self._pace.alike and len(set(self._whys)) == 1:
            raise AnswererUnusable(f"The first {failed} questions all failed alike, so the run stops: {why}")
        if failed >= self._pace.in_a_row:
            raise AnswererUnusable(
                f"{failed} questions failed in a row, so the run stops; resume it when this is mended: {why}"
            )

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Ctrl-C and a polite kill stop the run; a second one stops it at once."""
        loop = asyncio.get_running_loop()
        handled = []
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self._interrupted)
                handled.append(number)
        except (NotImplementedError, RuntimeError, ValueError):
            handled.clear()  # not in the main thread: whoever is there decides
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)

    def _interrupted(self) -> None:
        folder = self._log.folder
        self.stop(f"Interrupted. Every answer so far is kept. Resume with: commonsight run --resume {folder}")


_SAME = re.compile(r"[\d.]+")
"""Left out where reasons are compared: sizes and times differ from question to question."""


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None
    return task


def told(reply: Reply) -> dict[str, Any]:
    """What the log says about a reply beside its text; what is not known is left out."""
    told = {
        "finish": None if reply.finish == "stop" else reply.finish,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "seconds": None if reply.seconds is None else round(reply.seconds, 4),
        "chances": reply.chances,
        "model": reply.model,
        "cached": reply.cached or None,
    }
    return {name: value for name, value in told.items() if value is not None}


async def ready(client: Client, backoff: Backoff, rng: Random) -> None:
    """Have the client check that it can be asked, where it knows how to; wait while it is starting up."""
    check = getattr(client, "check", None)
    if check is None:
        return
    tries, first = 0, time.monotonic()
    while True:
        tries += 1
        try:
            await check()
        except AnswererBusy as busy:
            wait = backoff.wait(tries, time.monotonic() - first, busy, rng)
            if wait is None:
                raise AnswererUnusable(f"{client.name} did not get ready: {busy}") from None
            await asyncio.sleep(wait)
        else:
            return

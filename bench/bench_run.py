"""Asking a model: rate, processor time a request, memory, resuming, start-up.

The server is a process of its own on this machine that holds each of its 64 slots for 100 ms a request, so it
can give 640 answers a second and no more.
"""

from __future__ import annotations

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec import structs

from _figures import Figure, arguments, show
from _timing import in_child
from commonsight.core.answer import Answer, FreeText
from commonsight.runs.asking import Asking, Pace
from commonsight.runs.feed import Question
from commonsight.runs.tally import Tally
from commonsight.store.lines import Lines
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run
from commonsight.vlm.client import Client, Picture, Reply, Request, Turn
from commonsight.vlm.fake import ScriptedClient, always
from commonsight.vlm.openai import OpenAIClient

LATENCY, SLOTS = 0.1, 64
MOST = 128
"""At most so many at once; nobody tells the runner how many slots the server has."""
SERVER = Path(__file__).resolve().parent.parent / "tests" / "vlm" / "faulty_server.py"
REQUESTS, ITEMS = 20_000, 100_000
TEXT = "Which of the four sentences fits the picture best? Answer with its letter. " * 5
INFO = RunInfo("bench", "scripted", "made up", ("t",), "0")
START = "import commonsight.cli.main, commonsight.runs.asking, commonsight.vlm.openai, httpx"


class Measured(NamedTuple):
    """One run: what it did, and the processor time of this process for it."""

    tally: Tally
    processor: float


@contextmanager
def serving() -> Iterator[str]:
    """The base address of a server of its own process."""
    command = [sys.executable, str(SERVER), "--latency", str(LATENCY), "--slots", str(SLOTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.kill()


def read(reply: Reply) -> Answer:
    """An answer without parsing, which is measured elsewhere."""
    return FreeText(reply.text)


def questions(number: int, picture: Picture | None = None) -> Iterator[Question]:
    """Questions of an ordinary length, made one by one."""
    for place in range(number):
        parts = (f"{TEXT}{place}",) if picture is None else (picture, f"{TEXT}{place}")
        yield Question(f"item-{place}", "t", Request((Turn("user", parts),)), read)


def asked(client: Client, number: int, picture: Picture | None = None) -> Measured:
    """Ask so many questions and log the answers into a folder that is thrown away."""

    async def work(folder: Path) -> Tally:
        with RunLog(folder) as log:
            try:
                asking = Asking(client, log, Random(1), pace=Pace(most_at_once=MOST))
                return await asking.run(questions(number, picture))
            finally:
                await client.close()

    with tempfile.TemporaryDirectory() as temporary:
        create_run(Path(temporary), INFO)
        before = time.process_time()
        tally = asyncio.run(work(Path(temporary)))
        assert tally.answered == number, tally
        return Measured(tally, time.process_time() - before)


def asked_of_server(number: int, picture: Picture | None = None) -> Measured:
    """The same of the server, over HTTP."""
    with serving() as address:
        return asked(OpenAIClient("tiny", address, most_at_once=MOST), number, picture)


def bare(number: int) -> float:
    """Answers a second of a loop that sends the same over sockets and does nothing with what comes back."""
    body = b'{"model":"tiny","messages":[{"role":"user","content":"%s"}]}' % TEXT.encode()
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    left = iter(range(number))

    async def lane(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in left:
            writer.write(head + body)
            told = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(told.lower().partition(b"content-length: ")[2].split(b"\r")[0]))
        writer.close()

    async def all_lanes(port: int) -> None:
        await asyncio.gather(*(lane(port) for _ in range(SLOTS)))

    with serving() as address:
        began = time.perf_counter()
        asyncio.run(all_lanes(urlsplit(address).port or 0))
        return number / (time.perf_counter() - began)


def asked_of_nobody(number: int) -> None:
    """The same of a script that answers at once: all that is left is our own work."""
    asked(_Forgetful(always("A")), number)


class _Forgetful(ScriptedClient):
    async def ask(self, request: Request) -> Reply:
        """What the script says, without remembering the request, which would be the test's own memory."""
        reply = await super().ask(request)
        self.asked.clear()
        return reply


def resumed(number: int) -> float:
    """Seconds until a run with so many answers asks its first new question."""

    async def work(folder: Path) -> float:
        began = time.perf_counter()
        first: list[float] = []

        def script(_: Request) -> str:
            first.append(time.perf_counter() - began)
            return "A"

        with RunLog(folder) as log:
            await Asking(ScriptedClient(script), log, Random(1)).run(questions(number + 1))
        assert len(first) == 1
        return first[0]

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        create_run(folder, INFO)
        answers = Lines(folder / "answers.jsonl")
        line = AnswerLine("", "t", FreeText("A"), "A", {"input_tokens": 100, "seconds": 0.1})
        answers.append([structs.replace(line, item=f"item-{place}") for place in range(number)])
        answers.close()
        return asyncio.run(work(folder))


def started() -> float:
    """Processor time of a new interpreter that loads all that a run needs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", START], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(work: Callable[[], float], rounds: int) -> float:
    """The least of several: other processes only ever add."""
    return min(work() for _ in range(rounds))


def rates(requests: int, rounds: int) -> list[Figure]:
    """Against the server: how fast, and with how much work of ours."""
    pairs = [(asked_of_server(requests), bare(requests)) for _ in range(rounds)]
    runs = [run for run, _ in pairs]
    beside = statistics.median(run.tally.per_second / loop for run, loop in pairs)
    few = requests // 10
    seen = asked_of_server(few, Picture(os.urandom(100_000), "image/jpeg"))
    share = statistics.median(run.tally.per_second / (SLOTS / LATENCY) for run in runs)
    work = statistics.median(run.processor / requests for run in runs)
    what = f"{requests:,} questions to a server of {SLOTS} slots and {LATENCY * 1000:.0f} ms"
    return [
        Figure("rate", f"{what}: share of the ideal rate", 100 * share, 95, "at least", " %"),
        Figure("rate_bare", f"{what}: rate by that of a bare loop over sockets", beside, 0.95, "at least"),
        Figure("processor", f"{what}: milliseconds of processor time a request", 1000 * work, 2, unit=""),
        Figure(
            "processor_picture",
            f"{few:,} such questions with a picture of 100 KB: milliseconds of processor time a request",
            1000 * seen.processor / few,
            unit="",
        ),
    ]


def memory(items: int) -> list[Figure]:
    """How much a run of many needs beyond a run of few, imports and all in both."""
    few = in_child(asked_of_nobody, items // 10).peak
    many = in_child(asked_of_nobody, items).peak
    each = (many - few) / (items - items // 10)
    return [
        Figure("memory", f"{items:,} questions, peak memory by that of {items // 10:,}", many / few, 1.5),
        Figure("memory_each", "bytes that each further question adds to it", each, unit=""),
        Figure("memory_gb", f"{items:,} questions, peak memory", many / 1e9, unit=" GB"),
    ]


def figures(requests: int = REQUESTS, items: int = ITEMS, rounds: int = 3) -> list[Figure]:
    """All figures of this file."""
    load = os.getloadavg()[0]
    again = best(partial(resumed, items), rounds)
    ready = best(started, rounds)
    return [
        *rates(requests, rounds),
        *memory(items),
        Figure("resume", f"a run of {items:,} answers, until the first new question", again, 3, unit=" s"),
        Figure("start", "a new process loads all that a run needs: seconds of one core", ready, 1, unit=" s"),
        Figure("load", "the machine's load when these figures were begun (2 cores)", load, unit=""),
    ]


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="how many questions to ask the server")
    parser.add_argument("--items", type=int, default=ITEMS, help="how many questions to measure memory with")
    options = parser.parse_args()
    show(figures(options.requests, options.items, options.rounds), options.json)


if __name__ == "__main__":
    main()

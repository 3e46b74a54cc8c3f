"""Asking many questions: every one ends answered or honestly failed, none twice, whatever the server does."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from faulty_server import FAULTS, Asked, Fault, FaultyServer, by_chance, echo, serving
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from commonsight.core.answer import Answer, FreeText
from commonsight.errors import AnswererBusy, AnswererUnusable, InputError, RequestRefused
from commonsight.runs.asking import Asking, Pace, ready
from commonsight.runs.feed import Question
from commonsight.runs.tally import Tally
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run, read_answers, read_failures
from commonsight.vlm.cache import Cache
from commonsight.vlm.client import Client, Reply, Request, Turn
from commonsight.vlm.fake import ScriptedClient, always
from commonsight.vlm.keys import Key
from commonsight.vlm.openai import OpenAIClient, Timeouts
from commonsight.vlm.retry import Backoff

INFO = RunInfo("nlvr2", "scripted", "dev", ("verify",), "0.1.0")
QUICK = Pace(most_at_once=8, backoff=Backoff(tries=8, first=0.002, longest=0.01))
SECRET = "sk-plantedplantedplanted1234"


def read(reply: Reply) -> Answer:
    return FreeText(reply.text)


def questions(number: int) -> Iterator[Question]:
    for place in range(number):
        request = Request((Turn("user", (f"q{place}",)),))
        yield Question(f"i{place}", "verify", request, read, {"place": place})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    create_run(tmp_path / "run", INFO)
    return tmp_path / "run"


def ask(folder: Path, client: Client, asked: Iterator[Question], pace: Pace = QUICK, **options: Any) -> Tally:
    async def work() -> Tally:
        with RunLog(folder) as log:
            try:
                return await Asking(client, log, Random(1), pace=pace, **options).run(asked)
            finally:
                await client.close()

    return asyncio.run(work())


def answered(folder: Path) -> list[str]:
    return sorted(line.item for line in read_answers(folder))


def names(number: int) -> list[str]:
    return sorted(f"i{place}" for place in range(number))


def test_every_question_is_answered_and_logged(run: Path) -> None:
    reply = Reply("yes", input_tokens=10, output_tokens=2, chances=(0.5, 0.5))
    client = ScriptedClient(lambda _: reply, seconds=0.001)
    tally = ask(run, client, questions(200))
    assert answered(run) == names(200)
    line = next(read_answers(run))
    assert line.reply == "yes"
    assert line.extra == {
        "input_tokens": 10, "output_tokens": 2, "chances": [0.5, 0.5], "place": int(line.item[1:])
    }  # fmt: skip
    assert (tally.answered, tally.failed, tally.requests, tally.retries) == (200, 0, 200, 0)
    assert (tally.input_tokens, tally.output_tokens) == (2000, 400)
    assert tally.most_at_once == client.most_at_once == 8
    assert tally.per_second > 0
    assert tally.stopped is None
    assert tally.told()["answered"] == 200


def test_a_resumed_run_asks_only_what_has_no_answer(run: Path) -> None:
    ask(run, ScriptedClient(always("yes")), questions(50))
    client = ScriptedClient(always("yes"))
    tally = ask(run, client, questions(80))
    assert (tally.already, tally.answered, len(client.asked)) == (50, 30, 30)
    assert answered(run) == names(80)


def test_a_question_that_comes_twice_is_asked_once(run: Path) -> None:
    client = ScriptedClient(always("yes"))
    ask(run, client, iter([*questions(30), *questions(30)]))
    assert answered(run) == names(30)
    assert len(client.asked) == 30


def test_questions_are_read_as_they_are_needed(run: Path) -> None:
    handed = 0

    def counted() -> Iterator[Question]:
        nonlocal handed
        for question in questions(2000):
            handed += 1
            yield question

    ahead: list[int] = []
    client = ScriptedClient(always("yes"))
    ask(run, client, counted(), watch=lambda tally: ahead.append(handed - tally.answered))
    assert handed == 2000
    assert max(ahead) <= 2 * 64 + 2 * QUICK.most_at_once + 64


def test_a_request_is_made_when_its_turn_comes_and_not_in_the_loop(run: Path) -> None:
    threads: set[int] = set()

    def made() -> Request:
        threads.add(threading.get_ident())
        return Request((Turn("user", ("q",)),))

    ask(run, ScriptedClient(always("yes")), iter([Question("i0", "verify", made, read)]))
    assert threads.isdisjoint({threading.get_ident()})


def test_an_item_without_its_picture_fails_alone(run: Path) -> None:
    def missing() -> Request:
        raise InputError("dog.png is missing. Put it into images/.")

    def gone() -> Request:
        raise FileNotFoundError(2, "No such file or directory", "cat.png")

    odd = [Question("odd", "verify", missing, read), Question("gone", "verify", gone, read)]
    tally = ask(run, ScriptedClient(always("yes")), iter([*odd, *questions(20)]))
    assert (tally.answered, tally.failed) == (20, 2)
    failed = read_failures(run)
    assert failed["odd", "verify"].why == "dog.png is missing. Put it into images/."
    assert failed["odd", "verify"].tries == 0
    assert "cat.png" in failed["gone", "verify"].why


def test_what_is_refused_for_good_is_not_asked_again_in_this_run(run: Path) -> None:
    def script(request: Request) -> str | Exception:
        return RequestRefused("too long") if request.turns[0].parts == ("q3",) else "yes"

    client = ScriptedClient(script)
    tally = ask(run, client, questions(10))
    assert (tally.answered, tally.failed, tally.requests) == (9, 1, 10)
    assert read_failures(run)["i3", "verify"].why == "too long"
    tally = ask(run, ScriptedClient(always("yes")), questions(10))
    assert (tally.already, tally.answered) == (9, 1)
    assert read_failures(run) == {}


def test_tries_are_capped_and_the_failure_says_how_many(run: Path) -> None:
    def script(request: Request) -> str | Exception:
        return AnswererBusy("oops") if request.turns[0].parts == ("q3",) else "yes"

    tally = ask(run, ScriptedClient(script), questions(10))
    assert (tally.answered, tally.failed, tally.retries) == (9, 1, 7)
    assert read_failures(run)["i3", "verify"].tries == 8


def test_everyone_waits_when_the_server_says_for_how_long(run: Path) -> None:
    times: list[float] = []

    def script(_: Request) -> str | Exception:
        times.append(time.monotonic())
        return AnswererBusy("slow down", retry_after=0.3, limited=True) if len(times) == 6 else "yes"

    tally = ask(run, ScriptedClient(script, seconds=0.001), questions(40))
    assert tally.answered == 40
    assert tally.limited == 1
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert max(gaps) > 0.25


def test_a_rate_is_kept_to(run: Path) -> None:
    pace = Pace(most_at_once=8, requests_per_minute=60 * 100)
    began = time.monotonic()
    ask(run, ScriptedClient(always("yes")), questions(40), pace)
    assert time.monotonic() - began > 0.38


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (AnswererUnusable("wrong key"), "wrong key"),
        (RequestRefused("5 KB are too much"), "The first 5 questions all failed alike, .*: 5 KB are"),
        (AnswererBusy("cut off"), "The first 5 questions all failed alike, .*: cut off"),
    ],
)
def test_a_hopeless_run_stops_before_a_hundred_requests(run: Path, fault: Exception, says: str) -> None:
    client = ScriptedClient(lambda _: fault, seconds=0.001)
    pace = structs.replace(QUICK.backoff, tries=10)
    with pytest.raises(AnswererUnusable, match=says):
        ask(run, client, questions(5000), Pace(most_at_once=64, backoff=pace))
    assert len(client.asked) < 100
    assert answered(run) == []


def test_an_answer_counts_before_it_is_written_down(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = RunLog.keep

    async def keep_late(log: RunLog, line: AnswerLine) -> None:
        await asyncio.sleep(0.3)  # a slow disk: every failure is told before the one answer is kept
        await keep(log, line)

    monkeypatch.setattr(RunLog, "keep", keep_late)
    turns = iter(["yes"])
    client = ScriptedClient(lambda _: next(turns, None) or RequestRefused("not today"))
    tally = ask(run, client, questions(10))
    assert (tally.answered, tally.failed) == (1, 9)


def test_a_server_that_dies_in_the_middle_stops_the_run(run: Path) -> None:
    replies = iter(range(100))
    client = ScriptedClient(lambda _: AnswererBusy("gone") if next(replies, None) is None else "yes")
    pace = Pace(most_at_once=8, backoff=Backoff(tries=2, first=0.001), in_a_row=20)
    with pytest.raises(AnswererUnusable, match=r"20 questions failed in a row, .*resume it when"):
        ask(run, client, questions(5000), pace)
    assert len(answered(run)) == 100
    assert len(read_failures(run)) >= 20


def test_a_fault_in_our_own_code_is_not_hidden(run: Path) -> None:
    def wrong(_: Reply) -> Answer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(run, ScriptedClient(always("yes")), iter([Question("i", "verify", Request(()), wrong)]))

    def bad() -> Iterator[Question]:
        yield from questions(3)
        raise InputError("val.parquet is broken")

    with pytest.raises(InputError, match=r"val\.parquet is broken"):
        ask(run, ScriptedClient(always("yes")), bad())


def test_known_replies_are_not_asked_for_again(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    create_run(other, INFO)
    for folder, expected in ((run, 0), (other, 40)):
        cache = Cache(tmp_path / "cache.db")
        client = ScriptedClient(lambda request: f"re: {request.turns[0].parts[0]}")
        tally = ask(folder, client, questions(40), cache=cache)
        cache.close()
        assert (tally.answered, tally.cached, len(client.asked)) == (40, expected, 40 - expected)
    assert all(line.reply == f"re: q{line.item[1:]}" for line in read_answers(other))
    assert all(line.extra["cached"] for line in read_answers(other))


def test_ctrl_c_keeps_what_is_under_way_and_says_how_to_go_on(run: Path) -> None:
    client = ScriptedClient(always("yes"), seconds=0.05)

    def watch(tally: Tally) -> None:
        if tally.answered == 20:
            os.kill(os.getpid(), signal.SIGINT)

    tally = ask(run, client, questions(5000), watch=watch)
    assert tally.stopped == (
        f"Interrupted. Every answer so far is kept. Resume with: commonsight run --resume {run}"
    )
    assert 20 <= tally.answered < 60
    assert len(answered(run)) == tally.answered == len(client.asked)
    assert read_failures(run) == {}
    assert ask(run, ScriptedClient(always("yes")), questions(60)).already == tally.answered


def test_requests_that_do_not_end_are_let_go_after_a_while(run: Path) -> None:
    client = ScriptedClient(always("yes"), seconds=60)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM)).start()
    began = time.monotonic()
    tally = ask(run, client, questions(50), Pace(most_at_once=4, grace=0.2))
    assert time.monotonic() - began < 20
    assert tally.stopped is not None
    assert tally.answered == 0


async def _never() -> None:
    raise AnswererBusy("loading the model")


def test_a_model_that_is_starting_up_is_waited_for() -> None:
    class Loading(ScriptedClient):
        checks = 0

        async def check(self) -> None:
            self.checks += 1
            if self.checks < 3:
                await _never()

    client = Loading(always("yes"))
    asyncio.run(ready(client, Backoff(first=0.001), Random(1)))
    assert client.checks == 3
    with pytest.raises(AnswererUnusable, match="scripted did not get ready: loading the model"):
        asyncio.run(ready(Loading(always("yes")), Backoff(tries=2, first=0.001), Random(1)))
    asyncio.run(ready(ScriptedClient(always("yes")), Backoff(), Random(1)))


def ask_server(
    folder: Path, server: FaultyServer, number: int, seconds: float = 20.0, **options: Any
) -> Tally:
    async def work() -> Tally:
        key = Key(SECRET) if server.key else None
        client = OpenAIClient("tiny", server.base_url, key, most_at_once=8, timeouts=Timeouts(total=seconds))
        with RunLog(folder) as log:
            try:
                return await Asking(client, log, Random(1), pace=QUICK, **options).run(questions(number))
            finally:
                await client.close()

    return asyncio.run(work())


SCHEDULES = st.lists(st.lists(st.sampled_from([*FAULTS, "400"]), max_size=3), min_size=1, max_size=12)


@settings(max_examples=20)
@given(schedule=SCHEDULES)
def test_under_every_schedule_of_faults_each_question_ends_once(
    tmp_path_factory: pytest.TempPathFactory, schedule: list[list[str]]
) -> None:
    """The n-th list holds what befalls the n-th question, try by try; after that it is answered."""
    for_good = Fault("status", 400, {}, {"error": {"message": "never"}})

    def plan(asked: Asked) -> Fault | None:
        faults = schedule[int(asked.text[1:])]
        if asked.attempt >= len(faults):
            return None
        name = faults[asked.attempt]
        return for_good if name == "400" else FAULTS[name]

    folder = tmp_path_factory.mktemp("run")
    create_run(folder, INFO)
    endless = any(name in ("hang", "drip") for faults in schedule for name in faults)
    hopeless = {f"i{place}" for place, faults in enumerate(schedule) if "400" in faults}
    with serving(FaultyServer(plan)) as server:
        try:
            tally = ask_server(folder, server, len(schedule), seconds=0.4 if endless else 20.0)
        except AnswererUnusable:  # the first five all failed alike
            assert len(hopeless) >= 5
            return
    assert answered(folder) == sorted(set(names(len(schedule))) - hopeless)
    assert {item for item, _ in read_failures(folder)} == hopeless
    assert tally.answered + tally.failed == len(schedule)
    assert all(line.reply == echo(Asked(0, f"q{line.item[1:]}", 0, {}, {})) for line in read_answers(folder))
    assert tally.requests == server.requests
    assert tally.retries == server.requests - len(schedule)
    if endless:  # the time allowed is short then, and a busy machine may take longer for a good answer
        return
    asked = Counter(seen.text for seen in server.seen)
    for place, faults in enumerate(schedule):
        tries = faults.index("400") + 1 if "400" in faults else len(faults) + 1
        assert asked[f"q{place}"] == tries


def test_a_storm_of_every_fault_is_weathered(run: Path) -> None:
    with serving(FaultyServer(by_chance(7, 0.3), latency=0.001)) as server:
        tally = ask_server(run, server, 200, seconds=0.4)
    assert tally.answered + tally.failed == 200
    assert tally.failed <= 2  # eight faults in a row are rare
    assert len(set(answered(run))) == tally.answered
    assert set(answered(run)).isdisjoint(item for item, _ in read_failures(run))
    assert tally.limited > 0


def test_a_planted_key_is_in_nothing_that_is_written(run: Path, tmp_path: Path) -> None:
    def plan(asked: Asked) -> Fault | None:
        message = f"you sent {asked.headers['authorization']}, in full {asked.headers}"
        status = {"q3": 400, "q4": 413, "q5": 500}.get(asked.text)
        return Fault("status", status, {}, {"error": {"message": message}}) if status else None

    server = FaultyServer(plan, lambda asked: f"I was sent {asked.headers['authorization']}", key=SECRET)
    cache = Cache(tmp_path / "cache" / "replies.db")
    with serving(server):
        tally = ask_server(run, server, 12, cache=cache)
    cache.close()
    assert (tally.answered, tally.failed) == (9, 3)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 4
    for path in written:
        content = path.read_bytes()
        assert SECRET.encode() not in content, path
        assert SECRET[3:15].encode() not in content, path
        assert server.base_url.encode() not in content, path
    assert b"[key]" in (run / "failures.jsonl").read_bytes()
    assert b"[key]" in (run / "answers.jsonl").read_bytes()

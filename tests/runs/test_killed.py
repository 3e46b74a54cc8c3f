"""kill -9 at any time loses no finished answer, and none is asked for again: real processes and server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from faulty_server import Asked, Fault, FaultyServer, Plan, by_chance, serving

from commonsight.store.runs import RunInfo, create_run, read_answers, read_failures

NUMBER = 400

RUNNER = """
import asyncio, sys
from pathlib import Path
from random import Random
from commonsight.core.answer import FreeText
from commonsight.runs.asking import Asking, Pace
from commonsight.runs.feed import Question
from commonsight.store.runs import RunLog
from commonsight.vlm.client import Request, Turn
from commonsight.vlm.openai import OpenAIClient
from commonsight.vlm.retry import Backoff

folder, address, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

async def run():
    client = OpenAIClient("tiny", address, most_at_once=16)
    questions = (
        Question(f"i{n}", "t", Request((Turn("user", (f"q{n}",)),)), lambda reply: FreeText(reply.text))
        for n in range(number)
    )
    with RunLog(folder) as log:
        pace = Pace(most_at_once=16, backoff=Backoff(tries=12, first=0.01, longest=0.1))
        tally = await Asking(client, log, Random(1), pace=pace).run(questions)
    await client.close()
    print(tally.answered, tally.already, tally.failed, tally.stopped, flush=True)

asyncio.run(run())
"""


def passing(seed: int) -> Plan:
    plan = by_chance(seed, 0.15)

    def without_endless(asked: Asked) -> Fault | None:
        fault = plan(asked)
        return None if fault is not None and fault.kind in ("hang", "drip") else fault

    return without_endless


def start(folder: Path, server: FaultyServer) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUNNER, str(folder), server.base_url, str(NUMBER)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def lines(folder: Path) -> int:
    path = folder / "answers.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_again_and_again_every_question_is_answered_once(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "run"
    create_run(folder, RunInfo("nlvr2", "tiny", "dev", ("t",), "0.1.0"))
    rng = Random(seed)
    with serving(FaultyServer(passing(seed), latency=0.03)) as server:
        for _ in range(3):
            before = lines(folder)
            process = start(folder, server)
            while lines(folder) < before + rng.randrange(1, 90) and process.poll() is None:
                time.sleep(0.005)
            time.sleep(rng.uniform(0, 0.03))
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            done = {answer.item for answer in read_answers(folder)}
            assert len(done) >= before
            time.sleep(0.1)  # what the dead process had sent is answered to nobody
            seen = server.requests
            process = start(folder, server)
            while lines(folder) < len(done) + 5 and process.poll() is None:
                time.sleep(0.005)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            again = {f"i{asked.text[1:]}" for asked in server.seen[seen:]}
            assert again
            assert again.isdisjoint(done)
        already = len(list(read_answers(folder)))
        told = start(folder, server).communicate(timeout=120)[0].split()
    assert told == [str(NUMBER - already), str(already), "0", "None"]
    answers = Counter(answer.item for answer in read_answers(folder))
    assert answers == Counter({f"i{number}": 1 for number in range(NUMBER)})
    assert all(answer.reply == f"reply to q{answer.item[1:]}" for answer in read_answers(folder))
    assert read_failures(folder) == {}


def test_an_interrupted_process_ends_by_itself_and_says_how_to_resume(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    create_run(folder, RunInfo("nlvr2", "tiny", "dev", ("t",), "0.1.0"))
    with serving(FaultyServer(latency=0.05)) as server:
        process = start(folder, server)
        while lines(folder) < 20:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[0]
    assert process.returncode == 0
    assert f"Resume with: commonsight run --resume {folder}" in told
    assert int(told.split()[0]) == lines(folder) == server.requests < NUMBER

"""The log of a run: what was appended is there, whatever kills the process."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from commonsight.core.answer import (
    Answer,
    FreeText,
    Grounded,
    Pick,
    Refused,
    Truncated,
    Unparsed,
    Verdict,
)
from commonsight.errors import InputError, InvalidRecords, Problem, UsageError
from commonsight.store.runs import (
    AnswerLine,
    FailureLine,
    RunInfo,
    RunLog,
    create_run,
    is_run,
    read_answers,
    read_failures,
    read_run,
)

INFO = RunInfo("nlvr2", "scripted", "dev", ("verify",), "0.1.0", seed=1, options={"temperature": 0.0})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    create_run(tmp_path / "run", INFO)
    return tmp_path / "run"


def line(number: int, answer: Answer | None = None) -> AnswerLine:
    return AnswerLine(f"i{number}", "verify", answer or Verdict(True), "yes\nit is", {"seconds": 0.5})


def test_a_run_says_what_it_is(run: Path, tmp_path: Path) -> None:
    assert is_run(run)
    assert not is_run(tmp_path)
    assert read_run(run) == INFO
    assert list(read_answers(run)) == []


def test_a_run_is_never_begun_twice(run: Path) -> None:
    before = (run / "run.json").read_bytes()
    with pytest.raises(UsageError, match=r"holds a run already\. Resume it, or choose another folder\."):
        create_run(run, INFO)
    assert (run / "run.json").read_bytes() == before


@pytest.mark.parametrize(
    "answer",
    [
        Pick(3),
        Verdict(False),
        FreeText("två"),
        Grounded("no", None),
        Grounded("dog", 7),
        Unparsed("well…", "two answers"),
        Truncated("it is"),
        Refused("I cannot"),
    ],
)
def test_every_kind_of_answer_is_read_back(run: Path, answer: Answer) -> None:
    with RunLog(run) as log:
        log.append(line(0, answer))
    assert list(read_answers(run)) == [line(0, answer)]


def test_a_reopened_log_goes_on_where_it_stopped(run: Path) -> None:
    for start in (0, 2):
        with RunLog(run) as log:
            assert log.done() == {(f"i{number}", "verify") for number in range(start)}
            log.append(line(start))
            log.append(line(start + 1))
            assert log.done() == {(f"i{number}", "verify") for number in range(start + 2)}
    assert list(read_answers(run)) == [line(number) for number in range(4)]


def test_several_answers_are_written_with_one_trip_to_the_disk(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = [AnswerLine(str(number), "q2a", Pick(number)) for number in range(4)]
    trips = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (trips.append(file), fsync(file))[1])
    with RunLog(run) as log:
        log.extend(several)
        assert list(read_answers(run)) == several
    assert len(trips) == 1


def test_done_tells_tasks_apart(run: Path) -> None:
    with RunLog(run) as log:
        log.append(AnswerLine("i", "q2a", Pick(0)))
        assert log.done() == {("i", "q2a")}


@given(cut=st.integers(0, 400))
def test_a_log_cut_anywhere_keeps_every_whole_line(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    create_run(folder, INFO)
    with RunLog(folder) as log:
        for number in range(3):
            log.append(line(number))
    path = folder / "answers.jsonl"
    content = path.read_bytes()[:cut]
    path.write_bytes(content)
    whole = content.count(b"\n")
    assert list(read_answers(folder)) == [line(number) for number in range(whole)]
    with RunLog(folder) as log:  # the torn line is dropped, and its answer asked for once more
        assert len(log.done()) == whole
        log.append(line(whole))
    assert list(read_answers(folder)) == [line(number) for number in range(whole + 1)]


def test_a_torn_last_line_longer_than_a_block_is_dropped(run: Path) -> None:
    with RunLog(run) as log:
        log.append(line(0))
    with (run / "answers.jsonl").open("ab") as stream:
        stream.write(b'{"item": "' + b"x" * 200_000)
    with RunLog(run) as log:
        log.append(line(1))
    assert list(read_answers(run)) == [line(0), line(1)]


@pytest.mark.parametrize(
    "torn", [b'{"item": "i1", "ta\n', b"\xff\xfe\n", b'{"item": 1}\n', b"[" * 100_000 + b"\n"]
)
def test_a_torn_line_in_the_middle_is_a_problem(run: Path, torn: bytes) -> None:
    with RunLog(run) as log:
        log.append(line(0))
    with (run / "answers.jsonl").open("ab") as stream:
        stream.write(torn)
    with RunLog(run) as log:
        log.append(line(2))
    with pytest.raises(InvalidRecords, match=r"answers\.jsonl:2: "):
        list(read_answers(run))
    problems: list[Problem] = []
    assert list(read_answers(run, problems.append)) == [line(0), line(2)]
    assert [problem.line for problem in problems] == [2]


def test_a_second_writer_is_refused_until_the_first_lets_go(run: Path) -> None:
    with RunLog(run) as log:
        with pytest.raises(UsageError, match=r"is in use by another process\. Wait for it, or stop it\."):
            RunLog(run)
        log.append(line(0))
    with RunLog(run) as log:
        log.append(line(1))
    assert len(list(read_answers(run))) == 2


def test_a_refused_writer_does_not_touch_the_log(run: Path) -> None:
    with RunLog(run) as log:
        log.append(line(0))
        with (run / "answers.jsonl").open("ab") as stream:
            stream.write(b'{"half')  # as if the first writer were in the middle of a line
        before = (run / "answers.jsonl").read_bytes()
        with pytest.raises(UsageError):
            RunLog(run)
        assert (run / "answers.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "run.json: "),
        (b"\xff", "run.json: "),
        (b'{"benchmark": 1}', "run.json: "),
        (None, "the file cannot be read"),
    ],
)
def test_a_broken_run_json_is_a_clear_error(run: Path, content: bytes | None, message: str) -> None:
    if content is None:
        (run / "run.json").unlink()
    else:
        (run / "run.json").write_bytes(content)
    with pytest.raises(InvalidRecords, match=message):
        RunLog(run)


def test_a_run_of_a_later_format_is_refused(tmp_path: Path) -> None:
    create_run(tmp_path, structs.replace(INFO, format=2))
    with pytest.raises(InvalidRecords, match="the run's format is 2, this version reads 1"):
        read_run(tmp_path)


WRITER = """
import sys
from pathlib import Path
from commonsight.core.answer import FreeText
from commonsight.store.runs import AnswerLine, RunLog

with RunLog(Path(sys.argv[1])) as log:
    number = len(log.done())
    while True:
        log.append(AnswerLine(f"i{number}", "verify", FreeText("word " * (number * 37 % 2000))))
        sys.stdout.write(f"{number}\\n")
        sys.stdout.flush()
        number += 1
"""


def test_killing_the_process_loses_no_answer_that_append_returned_from(run: Path) -> None:
    moments = random.Random(5)
    told = -1
    for _ in range(6):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(run)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert int(process.stdout.readline()) >= told + 1
            time.sleep(moments.uniform(0, 0.08))
            os.kill(process.pid, signal.SIGKILL)
            rest = process.stdout.read().decode()
        told = max([told + 1, *map(int, rest.split("\n")[:-1])])
        read = list(read_answers(run))
        assert [answer.item for answer in read] == [f"i{number}" for number in range(len(read))]
        assert len(read) >= told + 1
        told = len(read) - 1
    assert told > 6


def test_many_answers_go_to_the_disk_together_and_each_is_there_when_it_is_said_to_be(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips = 0
    fsync = os.fsync

    def slow(file: int) -> None:
        nonlocal trips
        trips += 1
        time.sleep(0.01)
        fsync(file)

    monkeypatch.setattr(os, "fsync", slow)

    async def keep(log: RunLog, number: int) -> None:
        await log.keep(line(number))
        assert f'"i{number}"'.encode() in (run / "answers.jsonl").read_bytes()

    async def keep_all() -> None:
        with RunLog(run) as log:
            await asyncio.gather(*(keep(log, number) for number in range(300)))

    asyncio.run(keep_all())
    assert {answer.item for answer in read_answers(run)} == {f"i{number}" for number in range(300)}
    assert len(list(read_answers(run))) == 300
    assert trips <= 3


def test_a_full_disk_is_a_clear_error_and_leaves_whole_lines(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def half(file: int, content: bytes) -> int:
        if len(content) < 40:
            raise OSError(28, "No space left on device")
        return write(file, content[: len(content) // 2])

    with RunLog(run) as log:
        log.append(line(0))
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", half)
            with pytest.raises(InputError, match=r"jsonl cannot be written \(no space left on device\)"):
                log.append(line(1))
        log.append(line(2))
    assert list(read_answers(run)) == [line(0), line(2)]


def test_failures_are_the_last_reasons_of_what_has_no_answer(run: Path) -> None:
    async def fail() -> None:
        with RunLog(run) as log:
            for number, why in ((0, "busy"), (1, "busy"), (2, "too large"), (1, "busy still")):
                await log.keep_failure(FailureLine(f"i{number}", "verify", why, 3))
            await log.keep(line(0))

    assert read_failures(run) == {}
    with RunLog(run):
        assert not (run / "failures.jsonl").exists()
    asyncio.run(fail())
    assert {item: failure.why for (item, _), failure in read_failures(run).items()} == {
        "i1": "busy still",
        "i2": "too large",
    }

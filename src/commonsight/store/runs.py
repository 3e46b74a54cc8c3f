"""A run on disk: what was asked of whom, and an append-only log of the answers.

    run.json        benchmark, answerer, dataset, tasks, seed
    answers.jsonl   one answer a line, on the disk before the next one is asked for
    report.json     the scores, once they have been computed

Whatever kills the process, every answer that `append` returned from is there, and only the last line can be
torn; opening the log again drops a torn line, so that its answer is asked for once more and no other is.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct, field

from commonsight.core.answer import Answer
from commonsight.errors import InvalidRecords, OnProblem, Problem, UsageError, fail
from commonsight.store.atomic import new_file
from commonsight.store.jsonfiles import json_problem, numbered_lines, read_bytes

FORMAT = 1


class RunInfo(Struct, frozen=True):
    """What `run.json` holds."""

    benchmark: str
    answerer: str
    dataset: str
    tasks: tuple[str, ...]
    commonsight: str
    seed: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT


class AnswerLine(Struct, frozen=True):
    """One line of `answers.jsonl`."""

    item: str
    task: str
    answer: Answer
    reply: str | None = None
    """The raw reply, word for word, so that a better parser can read it again without asking again."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Probabilities, tokens, seconds: whatever the answerer could tell."""


_line = msgspec.json.Decoder(AnswerLine)


def is_run(path: Path) -> bool:
    """Whether the path is a run folder."""
    return (path / "run.json").is_file()


def create_run(folder: Path, info: RunInfo) -> None:
    """Begin a run. A folder that holds one already is never overwritten."""
    if is_run(folder):
        raise UsageError(f"{folder} holds a run already. Resume it, or choose another folder.")
    with new_file(folder / "run.json") as beside:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(info), indent=2) + b"\n")


def read_run(folder: Path) -> RunInfo:
    """What the run says about itself."""
    path = folder / "run.json"
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    try:
        info = msgspec.json.decode(content, type=RunInfo)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidRecords(
            [Problem(path, str(error), "Restore this file from the run's beginning.")]
        ) from error
    if info.format != FORMAT:
        message = f"the run's format is {info.format}, this version reads {FORMAT}"
        raise InvalidRecords([Problem(path, message, "Install the version that made it.", field="format")])
    return info


def read_answers(folder: Path, on_problem: OnProblem = fail) -> Iterator[AnswerLine]:
    """Every whole line of the log, in order. A torn last line is not an answer and not a problem."""
    path = folder / "answers.jsonl"
    if not path.is_file():
        return
    for number, line in numbered_lines(path, on_problem):
        if not line.endswith(b"\n"):
            return
        try:
            yield _line.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            on_problem(json_problem(path, error, line, number))


def _whole_length(path: Path) -> int:
    """How many bytes of the log are whole lines."""
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        while size:
            start = max(0, size - 65536)
            stream.seek(start)
            newline = stream.read(size - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            size = start
    return 0


class RunLog:
    """The log of a run, open for appending. One process at a time may hold it."""

    def __init__(self, folder: Path) -> None:
        self.info = read_run(folder)
        self._path = folder / "answers.jsonl"
        self._stream = self._path.open("ab")
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._stream.close()
            raise UsageError(f"{folder} is in use by another process. Wait for it, or stop it.") from error
        self._stream.truncate(_whole_length(self._path))

    def append(self, line: AnswerLine) -> None:
        """Write one answer; when this returns it is on the disk."""
        self._stream.write(msgspec.json.encode(line) + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def done(self) -> set[tuple[str, str]]:
        """Every (item, task) that has an answer already."""
        return {(line.item, line.task) for line in read_answers(self._path.parent)}

    def close(self) -> None:
        """Let the log go."""
        self._stream.close()

    def __enter__(self) -> RunLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

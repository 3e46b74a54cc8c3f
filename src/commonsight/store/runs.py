"""A run on disk: what was asked of whom, and an append-only log of the answers.

    run.json        benchmark, answerer, dataset, tasks, seed
    answers.jsonl   one answer a line, on the disk before anyone is told that it is there
    failures.jsonl  one question a line that got no answer, and why; asked again when the run is resumed
    report.json     the scores, once they have been computed

Whatever kills the process, every answer that `append` or `keep` returned from is there, and only the last
lines can be missing or torn; opening the log again drops a torn line, so that its answer is asked for once
more and no other is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct, field

from commonsight.core.answer import Answer
from commonsight.errors import InvalidRecords, OnProblem, Problem, UsageError, fail
from commonsight.store.documents import write_document
from commonsight.store.gathered import Gathered
from commonsight.store.jsonfiles import read_bytes
from commonsight.store.lines import Lines, whole_lines

FORMAT = 1

ANSWERS = "answers.jsonl"
FAILURES = "failures.jsonl"


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


class FailureLine(Struct, frozen=True):
    """One line of `failures.jsonl`: a question that got no answer, and so is none."""

    item: str
    task: str
    why: str
    tries: int
    """How often it was asked."""


def is_run(path: Path) -> bool:
    """Whether the path is a run folder."""
    return (path / "run.json").is_file()


def create_run(folder: Path, info: RunInfo) -> None:
    """Begin a run. A folder that holds one already is never overwritten."""
    if is_run(folder):
        raise UsageError(f"{folder} holds a run already. Resume it, or choose another folder.")
    write_document(folder / "run.json", info)


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
    return whole_lines(folder / ANSWERS, AnswerLine, on_problem)


def read_failures(folder: Path, on_problem: OnProblem = fail) -> dict[tuple[str, str], FailureLine]:
    """Why each (item, task) that was asked and has no answer has none: the last reason."""
    lines = whole_lines(folder / FAILURES, FailureLine, on_problem)
    failed = {(line.item, line.task): line for line in lines}
    if failed:
        for answer in read_answers(folder, on_problem):
            failed.pop((answer.item, answer.task), None)
    return failed


class RunLog:
    """The log of a run, open for appending. One process at a time may hold it."""

    def __init__(self, folder: Path) -> None:
        self.info = read_run(folder)
        self.folder = folder
        self._answers = Lines(folder / ANSWERS)
        self._failures: Lines | None = None
        self._thread = ThreadPoolExecutor(1, "run-log")
        self._keep = Gathered(self._answers.append, self._thread)
        self._keep_failures = Gathered(self._append_failures, self._thread)

    def append(self, line: AnswerLine) -> None:
        """Write one answer; when this returns it is on the disk."""
        self._answers.append([line])

    def extend(self, lines: Sequence[AnswerLine]) -> None:
        """Write several answers with one trip to the disk."""
        self._answers.append(lines)

    async def keep(self, line: AnswerLine) -> None:
        """Write one answer, together with others that are at hand; when this returns it is on the disk."""
        await self._keep(line)

    async def keep_failure(self, line: FailureLine) -> None:
        """Write down a question that got no answer."""
        await self._keep_failures(line)

    def done(self) -> set[tuple[str, str]]:
        """Every (item, task) that has an answer already."""
        return {(line.item, line.task) for line in read_answers(self.folder)}

    async def drained(self) -> None:
        """Return once all that was handed over is on the disk, or its writer knows why not."""
        await self._keep.drained()
        await self._keep_failures.drained()

    def close(self) -> None:
        """Write what was handed over, and let the log go."""
        self._thread.shutdown()
        self._answers.close()
        if self._failures is not None:
            self._failures.close()

    def _append_failures(self, lines: Sequence[Struct]) -> list[None]:
        if self._failures is None:  # most runs have none, and then no such file
            self._failures = Lines(self.folder / FAILURES)
        return self._failures.append(lines)

    def __enter__(self) -> RunLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

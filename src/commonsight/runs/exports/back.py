"""A peer's replies as a run of ours: kept word for word, read by our parser, scored by the paper's rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from commonsight import __version__
from commonsight.core.answer import FAILURES as FAILED
from commonsight.core.benchmark import Benchmark
from commonsight.errors import InvalidRecords, PredictionError, UsageError
from commonsight.runs.asking import told
from commonsight.runs.exports.from_inspect import read_inspect
from commonsight.runs.exports.from_lmms_eval import read_lmms_eval
from commonsight.runs.exports.from_vlmevalkit import read_vlmevalkit
from commonsight.runs.exports.info import Peer
from commonsight.runs.exports.replies import Collected, Replies
from commonsight.runs.exports.samples import benchmark_of
from commonsight.runs.subject import Opening
from commonsight.runs.variants import Key
from commonsight.score.predictions import SHOWN, named
from commonsight.score.scoring import Scoring
from commonsight.store.atomic import new_folder
from commonsight.store.lines import Lines
from commonsight.store.runs import ANSWERS, FAILURES, AnswerLine, FailureLine, RunInfo, create_run
from commonsight.vlm.reading import answer_of

READERS: Mapping[Peer, Callable[[Path], Replies]] = {
    "inspect": read_inspect,
    "lmms-eval": read_lmms_eval,
    "vlmevalkit": read_vlmevalkit,
}
AT_ONCE = 1000
"""Lines that are written with one trip to the disk: the folder is not there before all of them are."""


@dataclass(frozen=True)
class Brought:
    """What came back."""

    answerer: str
    tasks: tuple[str, ...]
    answers: int
    unread: int
    failed: int


def bring_back(
    opening: Opening,
    peer: Peer,
    results: Iterable[Path],
    folder: Path,
    *,
    model: str | None = None,
    blind: bool = False,
) -> Brought:
    """Write a peer's results as a run; the folder appears only when all of it is there."""
    benchmark = benchmark_of(opening)
    found, name = _gathered(benchmark, [READERS[peer](path) for path in results])
    answerer = model or name
    if not answerer:
        raise UsageError("The result does not tell which model it is of. Name it with --model.")
    tasks = tuple(task.name for task in benchmark.tasks if any(key.task == task.name for _, key in found))
    options = {"imported": peer} | ({"blind": True} if blind else {})
    info = RunInfo(
        benchmark.name, answerer, opening.subject().name, tasks, __version__, options=options
    )
    with new_folder(folder) as beside:
        create_run(beside, info)
        answers, failures = _read(benchmark, opening, found)
        _write(beside / ANSWERS, answers)
        if failures:
            _write(beside / FAILURES, failures)
    unread = sum(isinstance(line.answer, FAILED) for line in answers)
    return Brought(answerer, tasks, len(answers), unread, len(failures))


Found = dict[tuple[str, Key], Collected]


def _gathered(benchmark: Benchmark[Scoring], results: Iterable[Replies]) -> tuple[Found, str]:
    """Every reply by item and question, and the model's name; one question has one reply."""
    known = [task.name for task in benchmark.tasks]
    found: Found = {}
    names: dict[str, None] = {}
    for replies in results:
        names |= {replies.model: None} if replies.model else {}
        for one in replies:
            if one.key.task not in known:
                message = f"{benchmark.name} has no task {one.key.task}"
                raise InvalidRecords([one.place.problem(message, f"It has: {', '.join(known)}.", "task")])
            if (one.item, one.key) in found:
                message = f"item {one.item} has a second reply in task {one.key}"
                raise InvalidRecords([one.place.problem(message, "Give each result once.")])
            found[one.item, one.key] = one
    if len(names) > 1:
        raise UsageError(f"These are of several models ({', '.join(names)}). Import one at a time.")
    return found, next(iter(names), "")


def _read(
    benchmark: Benchmark[Scoring], opening: Opening, found: Found
) -> tuple[list[AnswerLine], list[FailureLine]]:
    """The replies as answers, in the dataset's order."""
    waiting: dict[str, list[Collected]] = {}
    for (asked, _), one in found.items():
        waiting.setdefault(asked, []).append(one)
    answers: list[AnswerLine] = []
    failures: list[FailureLine] = []
    for item in opening.read():
        for one in waiting.pop(item.id, ()):
            if one.reply is None:
                failures.append(FailureLine(item.id, str(one.key), one.why, 1))
                continue
            answer = answer_of(one.reply, benchmark.task(one.key.task).ask(item))
            answers.append(AnswerLine(item.id, str(one.key), answer, one.reply.text, told(one.reply)))
    if waiting:
        told_ids = named(list(waiting)[:SHOWN], len(waiting))
        raise PredictionError(
            f"The dataset has no {told_ids}. Give the dataset, and the split, that was exported."
        )
    return answers, failures


def _write(path: Path, lines: list[AnswerLine] | list[FailureLine]) -> None:
    log = Lines(path)
    try:
        for some in _some(lines):
            log.append(some)
    finally:
        log.close()


def _some(lines: list[AnswerLine] | list[FailureLine]) -> Iterator[list[AnswerLine] | list[FailureLine]]:
    for start in range(0, len(lines), AT_ONCE):
        yield lines[start : start + AT_ONCE]

"""What all runs of answerers of our own share: begun or gone on with, reported, handed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from msgspec import structs

from commonsight import __version__
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.answers import said_of
from commonsight.runs.finish import write_report
from commonsight.runs.summary import RunReport, run_report
from commonsight.score.scoring import Said, Scoring
from commonsight.store.atomic import new_file
from commonsight.store.runs import RunInfo, create_run, is_run, read_answers, read_run

T = TypeVar("T")


def check_hand_in(benchmark: Benchmark[Scoring], tasks: Sequence[str]) -> None:
    """Find out before anything is answered whether the answers can be handed in as a file."""
    if benchmark.scoring.hand_in is None:
        raise UsageError(f"--predictions: {benchmark.name} has no leaderboard's format. Leave it out.")
    missing = [task.name for task in benchmark.tasks if task.name not in tasks]
    if missing and any(task.given is not None for task in benchmark.tasks):
        raise UsageError(
            f"--predictions: the leaderboard of {benchmark.name} wants {', '.join(missing)} too, which was "
            "not trained. Train all tasks, or leave it out."
        )


def begin(out: Path, info: RunInfo) -> None:
    """Begin a run, or go on with the very same one."""
    if not is_run(out):
        create_run(out, info)
    elif structs.replace(read_run(out), commonsight=__version__) != info:
        raise UsageError(f"{out} holds another run already. Choose another folder.")


def batched(several: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many at a time, and in the end what is left."""
    stream = iter(several)
    while some := list(islice(stream, size)):
        yield some


def reported(out: Path, benchmark: Benchmark[Scoring], items: list[Item]) -> RunReport | None:
    """The run's report, where there are labels to score by."""
    if not any(benchmark.scoring.labelled(item) for item in items):
        return None
    report = run_report(out, benchmark, items)
    write_report(out, report)
    return report


def hand_in(path: Path, out: Path, benchmark: Benchmark[Scoring], items: list[Item]) -> None:
    """The run's answers as the benchmark's leaderboard wants them."""
    assert benchmark.scoring.hand_in is not None  # it was looked at before
    said = said_of(read_answers(out))
    answered = (Said(item, *said[item.id]) for item in items)
    with new_file(path) as beside, beside.open("w", encoding="utf-8") as stream:
        stream.writelines(benchmark.scoring.hand_in(answered))

"""Work in several processes, here or on a cluster, that ends cleanly however it ends.

A job may give several results, and each is handed over as soon as it is there: whoever keeps them loses none
that was finished, whatever happens next. What the work is bound to goes to a worker once, not with every job.
Workers leave Ctrl-C to the one who started them, and never outlive that one; one that is ended from outside
gives a message instead of a traceback.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from commonsight.errors import CommonsightError, InputError, UsageError

J = TypeVar("J")
R = TypeVar("R")

ENDED = (
    "A worker was ended from outside, perhaps for want of memory. "
    "Give the same command again to go on, with fewer --workers."
)


class Result(NamedTuple, Generic[R]):
    """Something that a job gave, and the place of that job among all."""

    job: int
    value: R


class Pool(Protocol):
    """Those who work: this process, several of this machine, or a cluster."""

    @property
    def size(self) -> int:
        """How many jobs are worked on at once."""
        ...

    def streamed(self, work: Callable[[J], Iterable[R]], jobs: Iterable[J]) -> Iterator[Result[R]]:
        """All that the jobs give: those of one job in its order, those of several as they come."""
        ...


@contextmanager
def pool(workers: int | None = None, cluster: str | None = None) -> Iterator[Pool]:
    """So many processes of this machine, one for each core by default; or a cluster by its address."""
    if cluster is None:
        yield Processes(workers or os.cpu_count() or 1)
        return
    from commonsight.store.cluster import connected

    with connected(cluster, workers) as machines:
        yield machines


def worked(
    work: Callable[[J], R], jobs: Iterable[J], workers: int | None, *, cluster: str | None = None
) -> Iterator[R]:
    """The result of every job, in the order of the jobs; these are taken as they are needed."""
    with pool(workers, cluster) as hands:
        early: dict[int, R] = {}
        following = 0
        for result in hands.streamed(_Single(work), jobs):
            early[result.job] = result.value
            while following in early:
                yield early.pop(following)
                following += 1


@dataclass(frozen=True)
class _Single(Generic[J, R]):
    work: Callable[[J], R]

    def __call__(self, job: J) -> tuple[R]:
        return (self.work(job),)


# --- what workers say, here and on a cluster ---------------------------------------------------------------


class Gave(NamedTuple):
    """One result."""

    value: Any


class Failed(NamedTuple):
    """The error that ended a job."""

    error: Exception


Outcome = Gave | Failed


def outcomes(work: Callable[[J], Iterable[Any]], job: J) -> Iterator[Outcome]:
    """What a job gives, and how it failed if it did."""
    try:
        for value in work(job):
            yield Gave(value)
    except Exception as error:
        yield Failed(portable(error))


def portable(error: Exception) -> Exception:
    """The error as it survives the way to another process, with a note of where it happened."""
    told = error if _survives(error) else _plain(error)
    told.add_note(f"In a worker:\n{''.join(traceback.format_exception(error))}")
    return told


def _survives(error: Exception) -> bool:
    try:
        return str(pickle.loads(pickle.dumps(error))) == str(error)
    except Exception:  # whatever an error's own parts may raise
        return False


def _plain(error: Exception) -> Exception:
    """The nearest kind that is made of a message alone."""
    for kind in (UsageError, InputError, CommonsightError):
        if isinstance(error, kind):
            return kind(str(error))
    return RuntimeError(f"{type(error).__name__}: {error}")


# --- processes of this machine -----------------------------------------------------------------------------


class Processes:
    """Processes that live as long as there are jobs; one alone is this one."""

    def __init__(self, workers: int) -> None:
        self.size = workers

    def streamed(self, work: Callable[[J], Iterable[R]], jobs: Iterable[J]) -> Iterator[Result[R]]:
        """All that the jobs give."""
        count = min(self.size, len(jobs)) if isinstance(jobs, Sized) else self.size
        if count > 1:
            yield from _served(work, jobs, count)
            return
        for place, job in enumerate(jobs):
            for value in work(job):
                yield Result(place, value)


def _served(work: Callable[[J], Iterable[R]], jobs: Iterable[J], count: int) -> Iterator[Result[R]]:
    waiting = enumerate(jobs)
    started: list[BaseProcess] = []
    busy: dict[Connection, int] = {}
    try:
        for place, job in islice(waiting, count):
            process, line = _start(work)
            started.append(process)
            _hand_over(job, line)
            busy[line] = place
        while busy:
            for line in cast("list[Connection]", wait([*busy])):
                outcome = _heard(line)
                if isinstance(outcome, Failed):
                    raise outcome.error
                if outcome is not None:
                    yield Result(busy[line], outcome.value)
                else:
                    del busy[line]
                    for place, job in islice(waiting, 1):
                        _hand_over(job, line)
                        busy[line] = place
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.join()


def _start(work: Callable[[J], Iterable[Any]]) -> tuple[BaseProcess, Connection]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_serve, args=(theirs, work), daemon=True)
    process.start()
    theirs.close()  # so that the line is dead when the worker is
    return process, ours


def _hand_over(job: object, line: Connection) -> None:
    try:
        line.send(job)
    except OSError:
        raise CommonsightError(ENDED) from None


def _heard(line: Connection) -> Outcome | None:
    """What a worker says: an outcome, or nothing when it has done its job."""
    try:
        said: Outcome | None = line.recv()
    except (EOFError, OSError):
        raise CommonsightError(ENDED) from None
    return said


def _serve(line: Connection, work: Callable[[Any], Iterable[Any]]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    while True:
        for outcome in outcomes(work, line.recv()):
            line.send(outcome)
        line.send(None)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)

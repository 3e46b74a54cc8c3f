"""Work in several processes that ends cleanly however it ends.

Results come in the order of the jobs. Workers leave Ctrl-C to the one who started them, and never outlive
that one; one that is ended from outside gives a message instead of a traceback.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, TypeVar

from commonsight.errors import CommonsightError

J = TypeVar("J")
R = TypeVar("R")

ENDED = (
    "A worker was ended from outside, perhaps for want of memory. "
    "Give the same command again to go on, with fewer --workers."
)


def worked(
    work: Callable[[J], R],
    jobs: Sequence[J],
    workers: int,
    *,
    prepare: Callable[..., None] | None = None,
    given: tuple[Any, ...] = (),
) -> Iterator[R]:
    """The results of all jobs, in order; with more than one worker each is first made ready by `prepare`."""
    workers = min(workers, len(jobs))
    if workers <= 1:
        if prepare is not None:
            prepare(*given)
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=(prepare, given)) as pool:
        try:
            yield from pool.map(work, jobs)
        except BrokenProcessPool:
            raise CommonsightError(ENDED) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin(prepare: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    if prepare is not None:
        prepare(*given)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)

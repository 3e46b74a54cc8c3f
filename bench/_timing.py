"""How the benchmarks measure: alternatives in turn, medians of ratios, peak memory in a process of its own.

Machines differ and are shared, so seconds say little. Every round runs each alternative once; a ratio is
taken within its round, and the median over the rounds is what counts.
"""

from __future__ import annotations

import gc
import multiprocessing
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple


class Timings(NamedTuple):
    """The seconds of each alternative, round by round."""

    seconds: dict[str, list[float]]

    def median(self, name: str) -> float:
        """The median time of one alternative, in seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, name: str, base: str) -> float:
        """How many times as long `name` takes as `base`: the median of the rounds' ratios."""
        pairs = zip(self.seconds[name], self.seconds[base], strict=True)
        return statistics.median(one / other for one, other in pairs)


def interleaved(
    alternatives: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Timings:
    """Run every alternative once a round; `time.process_time` as the clock leaves other processes out."""
    seconds: dict[str, list[float]] = {name: [] for name in alternatives}
    for _ in range(rounds):
        for name, run in alternatives.items():
            gc.collect()  # or the garbage of one would be charged to the next
            start = clock()
            run()
            seconds[name].append(clock() - start)
    return Timings(seconds)


def peak_bytes(work: Callable[..., object], *arguments: Any) -> int:
    """How much more memory a fresh process needs at its peak for `work` than for nothing but its imports."""
    return max(0, in_child(_discarded, work, arguments).peak - in_child(_nothing, work).peak)


def _discarded(work: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    work(*arguments)


def _nothing(work: Callable[..., object]) -> None:
    """Getting `work` here has imported its module, and all that this imports."""


class InChild(NamedTuple):
    """What work gave in a process of its own, and the most memory that this process had, imports and all."""

    result: Any
    peak: int


def in_child(work: Callable[..., object], *arguments: Any) -> InChild:
    """Do this work in a fresh process."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_report, args=(there, work, arguments))
    child.start()
    there.close()
    try:
        return InChild(*here.recv())
    finally:
        child.join()


def _report(pipe: Connection, work: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    result = work(*arguments)
    pipe.send((result, _own_peak()))


def _own_peak() -> int:
    # Linux lets a child inherit its parent's ru_maxrss, even through exec; VmHWM is the process's own.
    status = Path("/proc/self/status")
    if status.exists() and (peak := re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)):
        return int(peak.group(1)) * 1024
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024

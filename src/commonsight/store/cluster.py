"""The same work on many machines: a Ray cluster (extra `cluster`).

Machines share no disk with us: whatever jobs give travels back. What the work is bound to is put into the
cluster's store once, and fetched once by every process that works. A job whose process or machine is killed
is done again elsewhere, and what it gave before is not lost.
"""

from __future__ import annotations

import logging
import re
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, TypeVar

from commonsight import __version__
from commonsight.errors import CommonsightError, MissingExtra, UsageError
from commonsight.store.workers import Failed, Outcome, Result, outcomes

J = TypeVar("J")
R = TypeVar("R")

AUTO = "auto"
"""Ray's own word for the cluster that this machine belongs to."""
RETRIES = 5
"""How often a job is done again when its process or its machine is killed."""
AHEAD = 2
"""Jobs that are handed to the cluster for each that it can work on at once, so that none of it ever waits."""
PATIENCE = 5.0
"""Seconds in which the address must answer."""
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""How gRPC begins, which Ray speaks: HTTP/2's preface and a frame of settings. So does the answer."""
_ADDRESS = re.compile(r"(?P<host>[^\s:/]+|\[[0-9a-fA-F:]+\]):(?P<port>\d{1,5})")


@contextmanager
def connected(address: str, most: int | None = None) -> Iterator[Cluster]:
    """The cluster of this address, with which at most so many jobs are worked on at once."""
    ray = _ray()
    _reach(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        raise UsageError(
            f"--cluster {address}: the cluster cannot be joined ({_last_line(error)}). "
            "Start Ray on this machine too (ray start --address=ADDRESS), in the same version."
        ) from error
    try:
        with _quiet():
            cores = int(ray.cluster_resources().get("CPU", 0)) or 1
            yield Cluster(ray, cores) if most is None else Cluster(ray, min(most, cores), ahead=1)
    finally:
        ray.shutdown()


@contextmanager
def _quiet() -> Iterator[None]:
    """Ray prints pages about a machine that dies, whatever it is told; the work goes on without them."""
    from ray._private import worker

    told = worker.print_to_stdstream
    worker.print_to_stdstream = lambda *_, **__: None
    try:
        yield
    finally:
        worker.print_to_stdstream = told


class Cluster:
    """A cluster that this process has joined."""

    def __init__(self, ray: ModuleType, size: int, *, ahead: int = AHEAD) -> None:
        self._ray, self.size, self._in_hand = ray, size, ahead * size

    def streamed(self, work: Callable[[J], Iterable[R]], jobs: Iterable[J]) -> Iterator[Result[R]]:
        """All that the jobs give."""
        task = self._ray.remote(num_cpus=1, num_returns="streaming", max_retries=RETRIES)(_outcomes)
        stored = [self._ray.put(work)]  # in a list: what stands alone is fetched again for every job
        waiting, running = deque(enumerate(jobs)), dict[Any, int]()
        try:
            while waiting or running:
                while waiting and len(running) < self._in_hand:
                    place, job = waiting.popleft()
                    running[task.remote(__version__, stored, job)] = place
                for stream in self._ray.wait([*running], num_returns=1)[0]:
                    outcome = self._heard(stream)
                    if isinstance(outcome, Failed):
                        raise outcome.error
                    if outcome is not None:
                        yield Result(running[stream], outcome.value)
                    else:
                        del running[stream]
        finally:
            if self._ray.is_initialized():  # else leaving the cluster has ended them already
                for stream in running:
                    self._ray.cancel(stream, force=True)

    def _heard(self, stream: Any) -> Outcome | None:
        """What a job says next: an outcome, or nothing when it is done."""
        try:
            said: Outcome = self._ray.get(next(stream))
        except StopIteration:
            return None
        except self._ray.exceptions.RayError as error:
            raise CommonsightError(
                f"The cluster could not finish a job ({type(error).__name__}: {_last_line(error)}). "
                "See that every machine has memory to spare and the same commonsight, "
                "and give the same command again to go on."
            ) from error
        return said


def _ray() -> ModuleType:
    try:
        import ray
    except ImportError:
        raise MissingExtra("Ray", "cluster") from None
    if ray.is_initialized():
        raise UsageError("This process has joined a Ray cluster already. Call ray.shutdown() first.")
    found: ModuleType = ray
    return found


def _reach(address: str) -> None:
    """Refuse an address at which there is no Ray: Ray itself would try it for minutes, and noisily."""
    if address == AUTO:
        return
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(
            f"--cluster {address}: this is no address of a Ray cluster. Give HOST:PORT, as `ray start` tells "
            f"it (not ray://, which cannot stream results), or {AUTO}."
        )
    try:
        with socket.create_connection((found["host"].strip("[]"), int(found["port"])), PATIENCE) as line:
            line.sendall(_GREETING)
            answer = line.recv(9, socket.MSG_WAITALL)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(
            f"--cluster {address}: nobody answers there ({reason}). "
            "Check the address, or start the cluster with: ray start --head"
        ) from error
    if answer[3:4] != _GREETING[-6:-5]:
        raise UsageError(f"--cluster {address}: what answers there is not Ray. Check the address.")


def _last_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[-1][:200]


# --- in a process of the cluster ---------------------------------------------------------------------------

_fetched: dict[str, Callable[[Any], Iterable[Any]]] = {}
"""The work that this process does; large, so fetched once. Only the last is kept."""


def _outcomes(version: str, stored: list[Any], job: Any) -> Iterator[Outcome]:
    if version != __version__:
        yield Failed(
            CommonsightError(
                f"A machine of the cluster has commonsight {__version__}, this one {version}. "
                "Install the same version on all of them."
            )
        )
        return
    yield from outcomes(_work(stored[0]), job)


def _work(reference: Any) -> Callable[[Any], Iterable[Any]]:
    name = reference.hex()
    if name not in _fetched:
        import ray

        _fetched.clear()
        _fetched[name] = ray.get(reference)
    return _fetched[name]

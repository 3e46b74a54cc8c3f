"""Writes that wait for the one connection that writes: served in the order in which they came, and those that
wait together go to the disk together.

A commit to a disk takes about as long as the work that it commits. While one is under way, others come; the
next commit takes all of them. Each is still whole or not at all: one that fails is taken back alone, and
nobody is told that theirs is done before it is on the disk.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Event, Lock
from typing import Any, Generic, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

T = TypeVar("T")

TOGETHER = 16
"""Writes that one commit takes at most: the first of them waits for the last."""


class Job(Generic[T]):
    """A write that waits for its turn, and then for the disk."""

    def __init__(self, work: Callable[[Session], T], alone: Callable[[Callable[[Session], T]], T]) -> None:
        self.work, self.alone = work, alone
        self.woken = Event()
        self.is_done = False
        self._result: T | None = None
        self._error: BaseException | None = RuntimeError("the write was never begun")

    def run(self, work: Callable[[], T]) -> None:
        """Do it, and keep what comes of it."""
        self._result = self._error = None
        try:
            self._result = work()
        except BaseException as error:
            self._error = error

    @property
    def error(self) -> BaseException | None:
        """Why it failed, if it did."""
        return self._error

    def result(self) -> T:
        """What came of it."""
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]


class Turns:
    """The queue for one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._lock = engine, Lock()
        self._waiting: deque[Job[Any]] = deque()
        self._is_busy = False

    def write(self, work: Callable[[Session], T], alone: Callable[[Callable[[Session], T]], T]) -> T:
        """What the work returns, once it is on the disk. `alone` does it without the others, where doing it
        together with them did not go well."""
        job = Job(work, alone)
        with self._lock:
            self._waiting.append(job)
            leads, self._is_busy = not self._is_busy, True
        if not leads:
            job.woken.wait()
        if not job.is_done:
            self._serve()
        return job.result()

    def _serve(self) -> None:
        """Do what waits, the own write first among it; then leave the turn to the next."""
        with self._lock:
            jobs = [self._waiting.popleft() for _ in range(min(TOGETHER, len(self._waiting)))]
        try:
            if len(jobs) == 1 or not self._commit_together(jobs):
                for job in jobs:
                    job.run(lambda job=job: job.alone(job.work))  # type: ignore[misc]
        finally:
            with self._lock:
                following = self._waiting[0] if self._waiting else None
                self._is_busy = following is not None
            for job in jobs:
                job.is_done = True
                job.woken.set()
            if following is not None:
                following.woken.set()

    def _commit_together(self, jobs: list[Job[Any]]) -> bool:
        """Whether all of it went well, but for what the writes themselves refused."""
        try:
            with self._engine.connect() as connection, connection.begin():
                for job in jobs:
                    session = Session(
                        connection, expire_on_commit=False, join_transaction_mode="create_savepoint"
                    )
                    job.run(lambda job=job, session=session: _run(session, job.work))  # type: ignore[misc]
                    if isinstance(job.error, SQLAlchemyError) and not isinstance(job.error, IntegrityError):
                        raise job.error  # a full disk, say: then nobody knows what is left of the others
        except SQLAlchemyError:
            return False
        return True


def _run(session: Session, work: Callable[[Session], T]) -> T:
    with session, session.begin():
        return work(session)

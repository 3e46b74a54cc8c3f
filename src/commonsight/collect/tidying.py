"""Leases that run out and tasks that waited too long, seen to while nobody takes any work."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event as Signal
from threading import Thread

from sqlalchemy import select

from commonsight.collect.desk import Desk
from commonsight.collect.queue import tidy
from commonsight.collect.tables import Campaign

log = logging.getLogger(__name__)

PAUSE = 60.0
"""Seconds between two looks. Taking work looks, too, so that nobody waits for this."""


def tidy_all(desk: Desk) -> int:
    """Look through every campaign that runs; how much there was to do."""
    with desk.database.read() as session:
        running = session.scalars(select(Campaign.id).where(Campaign.state == "running")).all()
    return sum(tidy(desk, campaign_id) for campaign_id in running)


@contextmanager
def kept_tidy(desk: Desk, *, pause: float = PAUSE) -> Iterator[None]:
    """While the block lasts, campaigns are looked through in a thread of its own."""
    stop = Signal()

    def keep() -> None:
        while not stop.wait(pause):
            try:
                tidy_all(desk)
            except Exception as error:  # a database that is away for a while must not end this
                log.warning("tidying: %s", type(error).__name__)

    thread = Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(pause)

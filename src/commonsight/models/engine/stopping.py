"""Ctrl-C ends a training between two steps, where there is a checkpoint to write."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Asked = Callable[[], bool]
"""Whether someone has asked to stop."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""From a keyboard, and from whoever manages machines."""


@contextmanager
def finishing_steps() -> Iterator[Asked]:
    """A signal to stop is noted while the block lasts; the same one again ends the process at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # signals are for the main thread alone
        yield asked.is_set
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def note(number: int, _frame: object) -> None:
        asked.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in _SIGNALS:
        signal.signal(number, note)
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

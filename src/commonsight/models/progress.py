"""How far long work has come, for whoever wants to know."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Told how much is done, and how much there is in all."""


def silent(done: int, total: int) -> None:
    """Tell nobody."""
    del done, total


def shifted(progress: Progress, before: int, total: int) -> Progress:
    """The progress of one part, told as that of the whole: `before` was done when the part began."""
    return lambda done, _: progress(before + done, total)

"""What all verbs share: the console, the progress bar, and how an error reaches a person."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec
from rich.console import Console

from commonsight.errors import InvalidRecords

T = TypeVar("T")

WIDE = 120
"""Columns where there is no terminal to ask, as in a pipe: tables need them."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """`| head` has read enough, which is no failure."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0)


def _console(stderr: bool = False) -> Console:
    console = _Console(stderr=stderr, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDE
    return console


out = _console()
err = _console(stderr=True)

BAD_INPUT = 2
SHOWN_PROBLEMS = 20

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """The text with control characters spelled out: data must not be able to steer a terminal."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


def print_json(value: Any) -> None:
    """One JSON object on standard output, for programs."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def print_error(error: Exception) -> None:
    """The message, without a traceback, on standard error."""
    lines = str(error).splitlines()
    if isinstance(error, InvalidRecords) and len(lines) > SHOWN_PROBLEMS:
        hidden = len(lines) - SHOWN_PROBLEMS
        lines = [*lines[:SHOWN_PROBLEMS], f"… and {hidden:,} more"]
    for line in lines:
        err.print("[bold red]error:[/]", end=" ")
        err.print(visible(line), markup=False, soft_wrap=True)


def progress(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The same items, with a progress bar on standard error while they pass (only on a terminal)."""
    if not err.is_terminal:
        yield from items
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True) as bar:
        yield from bar.track(items, total=total, description=what)

"""What a table of networks is made of: rows, what each needs, and the commands that make it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from _model_server import MODEL
from _results import Shown

COMMON = ("--features", "features", "--threads", "1")
HALVES = ("--precision", "bf16")
"""Transformers spend their time in large products, which many processors do 1.6 times as fast this way."""
LIMIT = 8000
"""Training questions of a drawn world."""
ONE_AT_A_TIME = Lock()
"""Rows that run side by side may need the same preparation."""


class Place(NamedTuple):
    """Where everything lies, and which language model is asked where one is."""

    out: Path
    model: str = MODEL
    base_url: str | None = None
    """None for the small model, which is then started."""

    def run(self, *command: str | Path, into: str) -> str:
        """What a command prints, with what it says besides in a log of its own; it must succeed."""
        log = self.out / "logs" / f"{into}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        told = [sys.executable, "-m", "commonsight", *map(str, command)]
        quiet = os.environ | {"OMP_NUM_THREADS": "1"}
        with log.open("a", encoding="utf-8") as stream:
            done = subprocess.run(
                told, cwd=self.out, stdout=subprocess.PIPE, stderr=stream, env=quiet, check=False, text=True
            )
            stream.write(done.stdout)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))} failed; see {log}")
        return done.stdout

    def prepare(self, folder: str, *command: str | Path) -> None:
        """A command that makes this folder, unless it has; one that was stopped goes on."""
        with ONE_AT_A_TIME:
            if not (self.out / "done" / folder).exists():
                self.run(*command, "--out", folder, into=folder)
                (self.out / "done").mkdir(exist_ok=True)
                (self.out / "done" / folder).touch()


class Table(NamedTuple):
    """One paper's table: which networks, on which dataset, and what each begins with."""

    shown: Shown
    dataset: str
    prepare: Callable[[Place], None]
    options: tuple[str, ...]
    """How every row is trained."""
    begin: Callable[[Place, Row], tuple[str, ...]] = lambda *_: ()
    """What a row begins with, made if it is not there: options of `train`, or of `run` where it asks."""
    others: Mapping[str, tuple[str, ...]] = {}
    """Rows that another command than `train` makes: which."""
    after: Mapping[str, str] = {}
    """Rows that begin with the weights of another row of the same seed: which."""
    split: str = "test"
    asked: Mapping[str, tuple[str, ...]] = {}
    """Rows that ask a language model: with which options of `run`. A seed draws other examples."""

    def command(self, row: str) -> tuple[str, ...]:
        """What trains a row."""
        if row in self.others:
            return self.others[row]
        return ("train", row, self.dataset, *self.options, *COMMON)


class Row(NamedTuple):
    """One network of a table, trained from one seed."""

    table: Table
    network: str
    seed: int

    @property
    def label(self) -> str:
        """Says which, for logs."""
        return f"{self.table.shown.name}-{self.network}-{self.seed}"

    @property
    def folder(self) -> Path:
        """Where its training and its run are."""
        return Path(f"{self.table.shown.name}-rows") / f"{self.network}-{self.seed}"

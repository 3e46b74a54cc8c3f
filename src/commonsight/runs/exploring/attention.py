"""What a trained network looked at, read back from its run (see `runs.attention` for what a file holds)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonsight.errors import InputError, MissingExtra

FILE = "attention.safetensors"


class Looked(NamedTuple):
    """Where one task of one item was looked at, by one kind of attention."""

    task: str
    kind: str
    """query, objects, glimpses, places or facts."""
    shares: NDArray[np.float16]
    """(choice, word of the response or glimpse, word of the query, object, place or fact)."""
    facts: tuple[str, ...] = ()
    canvas: tuple[int, int] | None = None
    """Of places: the width and height of what they are places of, where the run tells."""


class Attention:
    """The file of a run, if it has one. Tensors are read one by one, when they are asked for."""

    def __init__(self, run: Path) -> None:
        self._path = run / FILE

    def of(self, item: str) -> list[Looked]:
        """All that was looked at in an item."""
        if not self._path.is_file():
            return []
        opened = _safe_open()
        try:
            with opened(self._path, framework="numpy") as file:
                told = file.metadata() or {}
                names = [name for name in file.keys() if name.rpartition("/")[0].rpartition("/")[0] == item]  # noqa: SIM118
                return [_looked(name, file.get_tensor(name), told.get(name)) for name in sorted(names)]
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise InputError(f"{self._path} cannot be read ({error}). Predict anew to make it.") from error


def _looked(name: str, shares: NDArray[np.float16], told: str | None) -> Looked:
    before, _, kind = name.rpartition("/")
    task = before.rpartition("/")[2]
    if told and kind == "places":
        return Looked(task, kind, shares, canvas=msgspec.json.decode(told, type=tuple[int, int]))
    return Looked(task, kind, shares, tuple(msgspec.json.decode(told, type=list[str])) if told else ())


def _safe_open() -> Any:
    try:
        from safetensors import safe_open
    except ImportError as error:
        raise MissingExtra("safetensors", "serve") from error
    return safe_open

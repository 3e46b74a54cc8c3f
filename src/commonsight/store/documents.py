"""One value in a file of its own: written whole, and read back with its type, or an error says why not."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from commonsight.errors import InputError
from commonsight.store.atomic import new_file

T = TypeVar("T")


def write_document(path: Path, value: object) -> None:
    """As JSON that people can read too; nothing half-written ever has the name."""
    with new_file(path) as beside:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def read_document(path: Path, kind: type[T], *, remedy: str) -> T:
    """What `write_document` wrote. Whatever else is there is told, with the remedy."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: this cannot be read ({reason}). {remedy}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, InputError) as error:
        raise InputError(f"{path}: this cannot be read ({error}). {remedy}") from error

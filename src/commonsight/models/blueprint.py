"""All that must be known to build a trained network again; kept beside its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from commonsight.errors import InputError
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.store.atomic import new_file

FILE = "network.json"
SizeName = Literal["small", "paper", "large"]


class Blueprint(Struct, frozen=True):
    """A network, and how it reads and sees."""

    network: str
    size: SizeName
    text: str
    """Where words or sub-words come from, as it was asked for."""
    regions: str
    """How it sees, likewise; of no matter to a network that sees nothing."""
    known: Vocabularies
    names: dict[str, str] = {}
    """Which weights and files these were, for people who compare results."""


def save_blueprint(folder: Path, blueprint: Blueprint) -> None:
    """Write it beside the weights, which are still to come."""
    with new_file(folder / FILE) as beside:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(blueprint), indent=2) + b"\n")


def read_blueprint(folder: Path) -> Blueprint:
    """What a folder's network is."""
    path = folder / FILE
    remedy = "Give a folder that `commonsight train` wrote."
    if not path.is_file():
        raise InputError(f"{folder}: there is no trained network here (no {FILE}). {remedy}")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Blueprint)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: this cannot be read ({error}). {remedy}") from error

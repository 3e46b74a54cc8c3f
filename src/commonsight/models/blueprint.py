"""All that must be known to build a trained network again; kept beside its weights."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from commonsight.errors import InputError
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.store.documents import read_document, write_document

FILE = "network.json"
SizeName = Literal["small", "paper", "large"]
_REMEDY = "Give a folder that `commonsight train` wrote."


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
    knowledge: tuple[str, ...] = ()
    """The files that facts come from, for networks that read any."""
    facts: str = ""
    """Which facts those are, by content."""
    hidden: int | None = None
    """How wide its hidden layer is, where it has one that a person asked for."""


def save_blueprint(folder: Path, blueprint: Blueprint) -> None:
    """Write it beside the weights, which are still to come."""
    write_document(folder / FILE, blueprint)


def is_blueprint(folder: Path) -> bool:
    """Whether a folder says what network it holds, or will hold."""
    return (folder / FILE).is_file()


def read_blueprint(folder: Path) -> Blueprint:
    """What a folder's network is."""
    if not is_blueprint(folder):
        raise InputError(f"{folder}: there is no trained network here (no {FILE}). {_REMEDY}")
    return read_document(folder / FILE, Blueprint, remedy=_REMEDY)

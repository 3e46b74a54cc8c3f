"""A collection on the disk.

    collect.json     which database it is
    secret           signs invitations; only its owner may read it
    pictures/        what workers are shown, by content
    collect.sqlite   the database, unless it is a server

The folder is for its owner alone. A database's password is in none of these files: PostgreSQL finds it in
`~/.pgpass`, or the whole address is in an environment variable that `collect.json` names.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from commonsight import __version__
from commonsight.collect.database import Database, sqlite_url
from commonsight.collect.desk import Clock, Desk, SteadyClock
from commonsight.collect.migrations import check_version, current, upgrade
from commonsight.collect.protocol import Protocol
from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.store.documents import read_document, write_document
from commonsight.store.paths import below

PLACE, SECRET, PICTURES, DATABASE = "collect.json", "secret", "pictures", "collect.sqlite"
FORMAT = 1
"""The layout of the folder."""
SECRET_BYTES = 32

_VARIABLE = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")
_OURS = frozenset((SECRET, PICTURES, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"))


class Place(Struct, frozen=True):
    """What `collect.json` holds."""

    database: str
    """A file below the folder, an address without a password, or `env:NAME` for one in a variable."""
    made_with: str
    format: int = FORMAT


def is_collection(folder: Path) -> bool:
    """Whether a collection was made here."""
    return (folder / PLACE).is_file()


def make_folder(folder: Path, database: str | None = None) -> None:
    """A new collection: its folder, and its tables in the database, a file in the folder by default.

    What was left by one that was stopped on the way is taken up; from `collect.json` on, it is a collection,
    and `bring_up_to_date` makes what is missing.
    """
    if is_collection(folder):
        raise UsageError(f"{folder} is a collection already. Choose another folder.")
    place = Place(checked_address(database or DATABASE), f"commonsight {__version__}")
    _check_free(folder)
    if place.database != DATABASE:
        _check_new(_url(folder, place))  # before anything is made: is it there, and nobody's?
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    (folder / PICTURES).mkdir(exist_ok=True)
    _make_secret(folder / SECRET)
    write_document(folder / PLACE, place)
    bring_up_to_date(folder)


def bring_up_to_date(folder: Path) -> None:
    """Give the collection's database today's tables."""
    opened = Database(_url(folder, read_place(folder)))
    try:
        upgrade(opened)
    finally:
        opened.close()


def open_folder(folder: Path, protocols: Mapping[str, Protocol], clock: Clock | None = None) -> Desk:
    """The collection, ready to work with."""
    place, secret = read_place(folder), _read_secret(folder / SECRET)
    database = Database(_url(folder, place))
    try:
        check_version(database, f"Bring it up to date: commonsight collect init {folder}")
    except BaseException:
        database.close()
        raise
    return Desk(database, protocols, folder / PICTURES, secret, clock or SteadyClock())


def read_place(folder: Path) -> Place:
    """What the collection says of itself."""
    path = folder / PLACE
    if not path.is_file():
        raise UsageError(f"{folder} is no collection. Make one: commonsight collect init {folder}")
    place = read_document(path, Place, remedy="Restore it.")
    if place.format != FORMAT:
        message = f"the collection's format is {place.format}, this version reads {FORMAT}"
        raise InvalidRecords([Problem(path, message, "Install the version that made it.", field="format")])
    return place


def checked_address(database: str) -> str:
    """An address that may stand in a file: one with a password may not."""
    if _VARIABLE.fullmatch(database) or database == DATABASE:
        return database
    try:
        url = make_url(database)
    except ArgumentError as error:
        raise UsageError(
            "This is no address of a database. Write postgresql://user@host/name, or env:NAME for an "
            "environment variable that holds it; leave it out for a file in the folder."
        ) from error
    if url.password is not None or "password" in url.query:
        raise UsageError(
            "An address with a password is not kept in a file. Put the password into ~/.pgpass, or the whole "
            "address into an environment variable, and give its name: --database env:NAME"
        )
    return database


def _url(folder: Path, place: Place) -> str:
    variable = _VARIABLE.fullmatch(place.database)
    if variable is None:
        is_file = "://" not in place.database
        return sqlite_url(below(folder, place.database)) if is_file else place.database
    found = os.environ.get(variable.group(1))
    if not found:
        raise UsageError(
            f"The database's address is in the environment variable {variable.group(1)}, which is not set. "
            "Set it, as in postgresql://user:password@host/name."
        )
    return found


def _check_free(folder: Path) -> None:
    """Files of others are neither mixed with ours nor closed to them."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file. Choose another folder.")
    if folder.is_dir() and any(entry.name not in _OURS for entry in folder.iterdir()):
        raise UsageError(f"{folder} holds other files. Choose a new folder, or an empty one.")


def _check_new(url: str) -> None:
    database = Database(url)
    try:
        found = current(database)
    finally:
        database.close()
    if found is not None:
        raise UsageError(
            f"The database {database.shown} belongs to another collection. Open the folder of that one, or "
            "give an empty database."
        )


def _make_secret(path: Path) -> None:
    if path.exists():
        return
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as stream:
        stream.write(secrets.token_hex(SECRET_BYTES) + "\n")
        stream.flush()
        os.fsync(stream.fileno())


def _read_secret(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        secret = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read. Restore it, or remove it and make a new one of {2 * SECRET_BYTES} "
            "hexadecimal digits: invitations that are on their way are then worth nothing."
        ) from error
    if mode & 0o077:
        raise UsageError(f"{path} can be read by others. Keep it to yourself: chmod 600 {path}")
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}", secret):
        raise UsageError(f"{path} holds no secret of {2 * SECRET_BYTES} hexadecimal digits. Restore it.")
    return bytes.fromhex(secret)

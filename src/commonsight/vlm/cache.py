"""Replies kept by the key of their request, so that nothing is paid for twice.

SQLite in WAL mode, so that several runs may share one file. It holds hashes and replies: no key, no address,
no prompt, no picture. Losing it loses no answer of any run.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from msgspec import structs

from commonsight.errors import InputError
from commonsight.store.gathered import Gathered
from commonsight.vlm.client import Reply, Request

_MANY = 500
"""So many keys fit into one query of any SQLite."""
_TABLE = "CREATE TABLE IF NOT EXISTS reply (key BLOB PRIMARY KEY, reply BLOB) WITHOUT ROWID"
_reply = msgspec.json.Decoder(Reply)


def reusable(request: Request) -> bool:
    """Whether asking again would be expected to give the same: no randomness, or randomness with a seed."""
    return request.temperature == 0 or request.seed is not None


class Cache:
    """Replies on the disk. Used from one event loop; any number of processes may use one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, "reply-cache")
        self._database = self._thread.submit(self._open).result()
        self._get = Gathered(self._read, self._thread)
        self._put = Gathered(self._write, self._thread)

    async def get(self, key: str) -> Reply | None:
        """The reply to the request of this key, if it is known; marked as cached."""
        found = await self._get(key)
        if found is None:
            return None
        try:
            return structs.replace(_reply.decode(found), cached=True)
        except (msgspec.MsgspecError, UnicodeDecodeError):  # of another version: as good as none
            return None

    async def put(self, key: str, reply: Reply) -> None:
        """Keep a reply; what is there already stays."""
        await self._put((key, msgspec.json.encode(structs.replace(reply, cached=False))))

    def close(self) -> None:
        """Write what was handed over, and let the file go."""
        self._thread.submit(self._database.close)
        self._thread.shutdown()

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=30, isolation_level=None, check_same_thread=False)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            database.execute(_TABLE)
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                f"The cache {self.path} cannot be opened ({error}). Remove it, name another, or do without."
            ) from error
        return database

    def _read(self, keys: list[str]) -> Sequence[bytes | None]:
        found: dict[bytes, bytes] = {}
        wanted = [bytes.fromhex(key) for key in keys]
        for start in range(0, len(wanted), _MANY):
            some = wanted[start : start + _MANY]
            marks = ",".join("?" * len(some))
            found.update(self._database.execute(f"SELECT key, reply FROM reply WHERE key IN ({marks})", some))
        return [found.get(key) for key in wanted]

    def _write(self, pairs: list[tuple[str, bytes]]) -> list[None]:
        rows = [(bytes.fromhex(key), reply) for key, reply in pairs]
        self._database.execute("BEGIN IMMEDIATE")
        try:
            self._database.executemany("INSERT OR IGNORE INTO reply VALUES (?, ?)", rows)
        except sqlite3.Error:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")
        return [None] * len(pairs)


def served_by(name: str, address: str) -> str:
    """A name for a model at an address, for cache keys: two servers may call two models the same."""
    return f"{name}@{hashlib.sha256(address.encode()).hexdigest()[:16]}"

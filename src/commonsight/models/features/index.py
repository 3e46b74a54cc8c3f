"""Finding a block of rows by what it is of: a text, a pair of texts, a picture.

Names are hashed to 128 bits. One half is sorted and searched, the other proves the find: nothing is in memory
but the few pages that a search looks at, however many names there are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.models.features.files import Opened, array, broken

Longs = NDArray[np.int64]


class Block(NamedTuple):
    """Rows that belong together, from the first to behind the last."""

    start: int
    stop: int


class Index:
    """Blocks of rows by name."""

    def __init__(self, opened: Opened, rows: int) -> None:
        self._path = opened.path
        self._keys = array(opened, "keys", np.int64, 1)  # (block), sorted
        self._checks = array(opened, "checks", np.int64, 1)  # (block), beside the keys
        self._blocks = array(opened, "blocks", np.int64, 1)  # (block), beside the keys: which it is
        self._starts = array(opened, "starts", np.int64, 1)  # (block + 1)
        count = len(self._keys)
        if not len(self._checks) == len(self._blocks) == len(self._starts) - 1 == count:
            raise broken(opened.path, "its index has arrays of different lengths")
        if self._starts[0] != 0 or self._starts[-1] != rows:
            raise broken(opened.path, f"its index tells of {int(self._starts[-1])} rows, there are {rows}")

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, digest: bytes) -> Block | None:
        """The rows of a name; None if it has none."""
        key, check = _halves(digest)
        place = int(np.searchsorted(self._keys, key))
        while place < len(self._keys) and self._keys[place] == key:
            if self._checks[place] == check:
                return self._block(int(self._blocks[place]))
            place += 1
        return None

    def _block(self, block: int) -> Block:
        if not 0 <= block < len(self):
            raise broken(self._path, f"its index names block {block} of {len(self)}")
        start, stop = int(self._starts[block]), int(self._starts[block + 1])
        if not 0 <= start <= stop <= self._starts[-1]:
            raise broken(self._path, f"its index says that block {block} lies from row {start} to {stop}")
        return Block(start, stop)


def index_arrays(digests: Sequence[bytes], counts: Sequence[int]) -> dict[str, NDArray[Any]]:
    """The arrays of an index: the blocks' names and how many rows each has, in the order of the rows."""
    halves = np.frombuffer(b"".join(digests), "<i8").reshape(-1, 2)
    order = np.lexsort((halves[:, 1], halves[:, 0]))
    return {
        "keys": halves[order, 0],
        "checks": halves[order, 1],
        "blocks": order.astype(np.int64),
        "starts": np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64))),
    }


def digest_of(parts: Sequence[str]) -> bytes:
    """128 bits that stand for a name of several parts."""
    said = "\0".join((str(len(parts)), *parts))
    # Half a surrogate pair, which some files hold, is a name like any other.
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def digest_of_all(digests: Iterable[bytes]) -> str:
    """What stands for several names, whatever their order."""
    return hashlib.blake2b(b"".join(sorted(digests)), digest_size=16).hexdigest()


def _halves(digest: bytes) -> Longs:
    halves: Longs = np.frombuffer(digest, "<i8")
    return halves

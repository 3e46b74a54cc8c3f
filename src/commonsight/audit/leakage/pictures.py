"""Pictures that are the same under different names: byte for byte, or by what they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.leakage.align import overlay
from commonsight.build.imaging.hashes import Hashes, Look, apart, look_at, windows
from commonsight.store.workers import worked

FARTHEST = 10
"""Bits in which the hashes of the same picture may differ. Of 325 pairs of different photographs the nearest
differed in 14; photographs made smaller, brighter or greyer, or cropped by up to a tenth, in at most 9."""
AGREE = 0.95
"""The correlation of two pictures laid upon one another from which they count as the same. Transformed
photographs with near hashes had at least 0.957. Drawings of one room with other things in it reach 0.978, so
that `WORST` is needed as well."""
WORST = 1.2
"""How far apart a cell of the same picture may be, in standard deviations. Somebody more in an otherwise
equal room hardly changes the correlation, but does change the cells where they stand."""
TABLES = 32
KEY_BITS = 14
"""Each table looks at 14 bits drawn at random: of pictures 8 bits apart one in 200 is missed by all 32."""
CROWD = 2000
"""In a table, at most so many pictures are compared with one."""
NEAREST = 3
"""So many of those whose hashes are nearest to a picture's are laid upon it."""
PAIRS_AT_ONCE = 1 << 20
FILES_AT_ONCE = 64
WORTHWHILE = 500
"""From so many pictures on, several processes read them: fewer are read before the others have started."""


class Pictures(NamedTuple):
    """Pictures that could be read, and those that could not."""

    names: list[str]
    looks: list[Look]
    missing: list[str]
    broken: list[str]


class Same(NamedTuple):
    """Two names of one picture."""

    one: str
    other: str
    exact: bool
    """Whether the files are the same, byte for byte."""
    likeness: float


def read_pictures(paths: Mapping[str, Path], workers: int | None = None) -> Pictures:
    """Each picture once; by default in several processes where that is quicker."""
    there = {name: path for name, path in paths.items() if path.is_file()}
    order = sorted(there)
    jobs = [
        [there[name] for name in order[start : start + FILES_AT_ONCE]]
        for start in range(0, len(order), FILES_AT_ONCE)
    ]
    hands = workers if workers is not None or len(order) >= WORTHWHILE else 1
    looks = dict(zip(order, chain.from_iterable(worked(_looks, jobs, hands)), strict=True))
    known = {name: look for name, look in looks.items() if look is not None}
    return Pictures(
        list(known),
        list(known.values()),
        sorted(paths.keys() - there.keys()),
        [name for name in order if name not in known],
    )


def _looks(paths: Sequence[Path]) -> list[Look | None]:
    return [look_at(path) for path in paths]


def same_pictures(pictures: Pictures, seed: int = 0) -> list[Same]:
    """Names of the same picture in pairs, copies first, then the most alike."""
    first: dict[bytes, int] = {}
    copies, distinct = [], []
    for place, look in enumerate(pictures.looks):
        known = first.setdefault(look.digest, place)
        if known == place:
            distinct.append(place)
        else:
            copies.append(Same(pictures.names[known], pictures.names[place], True, 1.0))
    telling = [place for place in distinct if not pictures.looks[place].plain]
    if len(telling) < 2:
        return copies
    hashes = np.stack([pictures.looks[place].hashes for place in telling])
    found: dict[tuple[int, int], float] = {}
    for part, source, window in _candidates(hashes, seed):
        one, other = telling[part], telling[source]
        laid = overlay(pictures.looks[one].thumb, pictures.looks[other].thumb, windows()[window])
        if laid.likeness >= AGREE and laid.worst <= WORST:
            pair = (min(one, other), max(one, other))
            found[pair] = max(laid.likeness, found.get(pair, -1.0))
    alike = [
        Same(pictures.names[one], pictures.names[other], False, agreed)
        for (one, other), agreed in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
    return [*copies, *alike]


def _candidates(hashes: Hashes, seed: int) -> Iterator[tuple[int, int, int]]:
    """Pictures whose hash is near that of another or of one of its windows: part, source, window."""
    count = len(hashes)
    found = np.unique(np.concatenate(list(_near(hashes, seed))), axis=0)  # part, source, bits apart, window
    order = np.lexsort((found[:, 3], found[:, 2], found[:, 1], found[:, 0]))
    found = found[order]
    pair = found[:, 0] * count + found[:, 1]
    found = found[np.r_[True, pair[1:] != pair[:-1]][: len(found)]]  # the best window of each pair
    found = found[np.lexsort((found[:, 1], found[:, 2], found[:, 0]))]
    starts = np.searchsorted(found[:, 0], found[:, 0])
    for part, source, _, window in found[np.arange(len(found)) - starts < NEAREST].tolist():
        yield part, source, window


def _near(hashes: Hashes, seed: int) -> Iterator[NDArray[np.int64]]:
    """Rows of part, source, bits apart and window, table by table."""
    parts = hashes.shape[1]
    flat = np.ascontiguousarray(hashes).reshape(-1)
    bits = np.unpackbits(flat.view(np.uint8).reshape(-1, 8), axis=1)
    rng = np.random.default_rng([seed, 7])
    powers = 1 << np.arange(KEY_BITS)
    for _ in range(TABLES):
        keys = bits[:, rng.choice(np.arange(1, 64), KEY_BITS, replace=False)] @ powers
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        asked = keys[::parts]  # of the whole pictures
        left = np.searchsorted(ordered, asked)
        sizes = np.minimum(np.searchsorted(ordered, asked, "right") - left, CROWD)
        yield from _compared(flat, order, left, sizes, parts)


def _compared(
    flat: Hashes, order: NDArray[np.int64], left: NDArray[np.int64], sizes: NDArray[np.int64], parts: int
) -> Iterator[NDArray[np.int64]]:
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + PAIRS_AT_ONCE)))
        some = sizes[start:stop]
        part = np.repeat(np.arange(start, stop), some)
        within = np.arange(len(part)) - np.repeat(np.cumsum(some) - some, some)
        place = order[np.repeat(left[start:stop], some) + within]
        source, window = np.divmod(place, parts)
        far = apart(flat[part * parts], flat[place])
        near = np.flatnonzero((far <= FARTHEST) & (source != part))
        yield np.stack([part[near], source[near], far[near].astype(np.int64), window[near]], axis=1)
        start = stop

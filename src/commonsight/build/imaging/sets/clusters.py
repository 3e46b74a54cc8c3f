"""Groups of a fixed size of pictures that are alike (A-OKVQA, section 3 and appendix A.2).

The paper clusters images by their CLIP vectors and hands a worker four near neighbours at once, so that one
person, who remembers, writes different questions about similar pictures. How it clusters is not said. Here
the pictures with the nearest neighbours are grouped first; who loses its neighbours to others looks for new
ones among those left, round by round; in the end members of groups that lie close to one another change
places while the pairs within groups become more alike by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.sets.cells import middles, nearest_cells
from commonsight.build.imaging.sets.exchange import begun, exchanged, typical_first
from commonsight.build.imaging.sets.neighbours import Neighbours, neighbours
from commonsight.build.imaging.sets.telling import Telling, silent
from commonsight.build.imaging.sets.vectors import Places, Some, Vectors, blocks, cosines, unit_rows
from commonsight.build.matching.threads import one_thread

SIZE = 4
"""Images of one task (A-OKVQA, appendix A.2)."""
DENSE = 512
"""Pictures that are compared all with all, of those left in the end."""
MORE = 4
"""Neighbours that are looked for, times the size of a group."""
CLOSE = 192
"""Pictures whose groups exchange members with one another, about."""
TURNS = 2
"""How often groups are brought together to exchange, with other groups each time."""
FRUITFUL = 8
"""A round is the last if it groups less than this part of those left."""


def even_sizes(pictures: int, size: int) -> list[int]:
    """As few groups as hold all pictures with `size` at most, none larger than another by more than one."""
    if size < 1:
        raise ValueError(f"groups of {size} pictures cannot be made")
    groups = -(-pictures // size)
    return [pictures // groups + (number < pictures % groups) for number in range(groups)]


def clusters(
    vectors: Vectors, *, size: int = SIZE, seed: int, telling: Telling = silent
) -> list[Places]:
    """All pictures in groups of `size`, each from its most typical on; sizes differ by one at most."""
    if not len(vectors):
        return []
    with one_thread():
        groups = list(_rounds(vectors, even_sizes(len(vectors), size), seed, telling))
        for turn in range(1, TURNS + 1):
            close = _close(vectors, groups, max(1, CLOSE // size), seed + turn)
            groups = [group for some in close for group in _exchanged(vectors, some)]
    return sorted(groups, key=lambda group: int(group.min()))


def _rounds(vectors: Vectors, sizes: list[int], seed: int, telling: Telling) -> Iterator[Places]:
    """Every picture in a group, the likest first."""
    left, done = np.arange(len(vectors)), 0
    while len(left) > DENSE:
        near = neighbours(Some(vectors, left), MORE * sizes[0], seed=seed)
        free = np.ones(len(left), bool)
        for group in _tight(near, free, sizes[done:]):
            yield left[group]
            done += 1
        before, left = len(left), left[free]
        telling(len(vectors) - len(left), len(vectors))
        if FRUITFUL * (before - len(left)) < before:
            break
    yield from _dense(vectors, left, sizes[done:], seed)


def _tight(near: Neighbours, free: NDArray[np.bool_], sizes: list[int]) -> Iterator[Places]:
    """Groups of a picture and the nearest of its neighbours that are free, from the likest neighbours on."""
    if not sizes:
        return
    order = np.argsort(-near.cosines[:, : sizes[0] - 1].sum(axis=1), kind="stable")
    waiting = iter(sizes)
    size = next(waiting)
    for one in order:
        if not free[one]:
            continue
        mates = near.places[one]
        mates = mates[(mates >= 0) & free[mates]][: size - 1]
        if len(mates) < size - 1:
            continue
        group = np.concatenate(([one], mates))
        free[group] = False
        yield group
        following = next(waiting, None)
        if following is None:
            return
        size = following


def _dense(vectors: Vectors, left: Places, sizes: list[int], seed: int) -> Iterator[Places]:
    """Groups of those left, neighbours as far as that goes."""
    if len(left) > DENSE:
        some = Some(vectors, left)
        found = middles(some, len(left) // DENSE, np.random.default_rng(seed))
        left = left[np.argsort(nearest_cells(some, found, 1)[:, 0], kind="stable")]
    waiting = iter(sizes)
    while own := list(islice(waiting, max(1, DENSE // sizes[0]))):
        together, left = left[: sum(own)], left[sum(own) :]
        group_of = begun(cosines(vectors, together), own)
        yield from (together[group_of == number] for number in range(len(own)))


def _close(vectors: Vectors, groups: list[Places], count: int, seed: int) -> Iterator[list[Places]]:
    """The groups, so many that lie close to one another at once."""
    means = _means(vectors, groups)
    rng = np.random.default_rng(seed)
    cell = nearest_cells(means, middles(means, -(-len(groups) // count), rng), 1)[:, 0]
    order = np.argsort(cell, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(cell[order])) + 1):
        for start in range(0, len(own), 2 * count):
            yield [groups[number] for number in own[start : start + 2 * count]]


def _means(vectors: Vectors, groups: list[Places]) -> NDArray[np.float16]:
    """What the members of each group have in common: (group, dim)."""
    parts = []
    for block in blocks(len(groups)):
        own = [groups[number] for number in block]
        starts = np.cumsum([0, *(len(group) for group in own[:-1])])
        parts.append(np.add.reduceat(unit_rows(vectors, np.concatenate(own)), starts).astype(np.float16))
    return np.concatenate(parts)


def _exchanged(vectors: Vectors, groups: list[Places]) -> Iterator[Places]:
    places = np.concatenate(groups)
    similarity = cosines(vectors, places)
    group_of = exchanged(similarity, np.repeat(np.arange(len(groups)), [len(group) for group in groups]))
    for number in range(len(groups)):
        yield places[typical_first(similarity, np.flatnonzero(group_of == number))]

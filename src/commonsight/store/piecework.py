"""The same work on each of many pictures, in several processes, into a log that can be gone on with.

Lines are written in the order of the pictures, whatever the number of processes, so that the same pictures
give the same bytes. A picture that cannot be used is written down with its reason, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from commonsight.errors import InvalidRecords
from commonsight.store.journal import Journal, L, Refused
from commonsight.store.walk import Found
from commonsight.store.workers import worked

AT_ONCE = 16
"""Pictures that a process is handed together."""


def each_picture(
    found: Iterable[Found],
    look: Callable[[Found], L],
    journal: Journal[L],
    workers: int | None = None,
    *,
    at_once: int = AT_ONCE,
) -> Iterator[L | Refused]:
    """What `look` makes of each picture that the journal does not have, as it is written to the journal.

    `look` raises `InvalidRecords` for a picture that cannot be used, as `open_picture` does.
    """
    left = (one for one in found if not journal.has(one.name))
    for made in worked(partial(_looked, look), _groups(left, at_once), workers):
        for one in made:
            if isinstance(one, Refused):
                journal.refuse(one)
            else:
                journal.append(one)
            yield one


def _groups(found: Iterator[Found], size: int) -> Iterator[list[Found]]:
    while group := list(islice(found, size)):
        yield group


def _looked(look: Callable[[Found], L], group: Sequence[Found]) -> list[L | Refused]:
    made: list[L | Refused] = []
    for one in group:
        try:
            made.append(look(one))
        except InvalidRecords as error:
            made.append(Refused.of(error.problems[0], one.name))
    return made

"""Leaks as tables: how much of each split was seen before, and which items are whose twins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from commonsight.audit.leakage.study import Study
from commonsight.audit.leakage.twins import Twin, Twins
from commonsight.audit.values import Cell, Table

SHOWN = 20
COLUMNS = ("item", "split", "twin", "its split", "likeness", "text", "its text")
LONGEST = 160
"""Letters of a text that a table shows."""


def share_table(found: Study, confidence: float) -> Iterator[Table]:
    """For every split and each before it, the share of items that have a twin there."""
    columns = (
        "held out", "learned from", "items", "same item", "same question", "same question and answer",
        "near question", "near question and answer", "answer seen",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for first, second in found.pairs:
        kinds = (found.items, found.questions, found.told, found.near_questions, found.near_told)
        shares = [
            found.share(second, [twin.place for twin in kind.of(first, second)], confidence) for kind in kinds
        ]
        seen = found.answers_seen((first, second))
        answers = None if seen is None else found.share(second, seen, confidence)
        rows.append((second, first, len(found.members[second]), *shares, answers))
    if rows:
        yield Table("What was seen before", columns, tuple(rows), "Shares of the items that are held out.")
    groups = [
        (c.kind, c.second, c.first, c.names, c.of, len(c.places), "no" if found.kinds[c.kind] else "yes")
        for c in found.crossings
    ]
    if groups:
        names = ("group", "held out", "learned from", "in both", "of", "items", "may be shared")
        yield Table("Groups across splits", names, tuple(groups))


def pair_table(found: Study) -> Iterator[Table]:
    """The first twins across splits, and within them."""
    across, within = list(found.pairs), [(split, split) for split in found.splits]
    for title, twins, pairs in (
        ("Items that are in two splits", found.items, across),
        ("Questions with answers that are nearly in two splits", found.near_told, across),
        ("Items that are twice in a split", found.items, within),
    ):
        every = [twin for pair in pairs for twin in twins.of(*pair)]
        if title.startswith("Questions"):
            every = [twin for twin in every if not _whole(found, found.items, twin)]
        rows = tuple([_row(found, twin) for twin in islice(every, SHOWN)])
        note = f"The first {SHOWN} of {len(every):,}." if len(every) > SHOWN else ""
        if rows:
            yield Table(title, COLUMNS, rows, note)
    if found.same:
        said = {True: "same file", False: "looks the same"}
        same = [(pair.one, pair.other, said[pair.exact], pair.likeness) for pair in found.same]
        names = ("picture", "another name", "how", "likeness")
        yield Table("Pictures under two names", names, tuple(same[:SHOWN]))


def _whole(found: Study, items: Twins, twin: Twin) -> bool:
    pair = (found.entries[twin.other].split, found.entries[twin.place].split)
    return twin.place in items.found.get(pair, {})


def _row(found: Study, twin: Twin) -> tuple[Cell, ...]:
    one, other = found.entries[twin.place], found.entries[twin.other]
    texts = [" ".join(entry.told)[:LONGEST] for entry in (one, other)]
    return (one.id, one.split, other.id, other.split, twin.likeness, *texts)

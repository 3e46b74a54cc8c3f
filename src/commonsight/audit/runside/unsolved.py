"""How many runs solve an item, and what those items are that none of them solves (A-OKVQA, section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import Subject
from commonsight.audit.runside.graded import Graded
from commonsight.audit.runside.slices_labels import item_labels
from commonsight.audit.values import Cell, Table

Floats = NDArray[np.float64]

KNOWLEDGE = ("knowledge", "knowledge_type")
"""What items are sorted by to show examples of every kind, as in the paper's Figure 3."""
SHOWN = 8
"""Examples of items that no run solves; the finding names all of them."""


def solved_table(solved: Floats, runs: int) -> Table:
    """For each number of runs, how many items so many solve."""
    counts = np.bincount(solved.astype(np.int64), minlength=runs + 1)
    rows: list[tuple[Cell, ...]] = [
        (number, int(count), float(count / len(solved))) for number, count in enumerate(counts)
    ]
    return Table(
        "How many runs solve an item",
        ("runs", "items", "share"),
        tuple(rows),
        "From items that none solves to items that all solve (A-OKVQA, section 6).",
    )


def unsolved_tables(subject: Subject, matrix: Graded, solved: Floats) -> Iterator[Table]:
    """Some items that no run solves: of every kind of knowledge where items tell, else the first ones."""
    places = {item: at for at, (item, count) in enumerate(zip(matrix.ids, solved, strict=True)) if not count}
    if not places:
        return
    kinds = _kinds(subject, set(places))
    told = bool(kinds)
    rows: list[tuple[Cell, ...]] = []
    for item in _of_every_kind(list(places), kinds)[:SHOWN]:
        case = matrix.cases.all[places[item]]
        kind = (kinds.get(item, ""),) if told else ()
        rows.append((item, *kind, case.asked, case.answer or "", _commonest(matrix, places[item])))
    yield Table(
        "Items that no run solves",
        ("item", *(("knowledge",) if told else ()), "question", "right", "most said"),
        tuple(rows),
        f"{len(rows)} of {len(places):,} (A-OKVQA, Figure 3).",
    )


def _kinds(subject: Subject, wanted: set[str]) -> dict[str, str]:
    """What kind of knowledge each of these items needs, where that is told."""
    found: dict[str, str] = {}
    for item in subject.read():
        if item.id in wanted:
            labels = {**item_labels(item), **{name: of(item) for name, of in subject.slices.items()}}
            kind = next((labels[name][0] for name in KNOWLEDGE if labels.get(name)), None)
            if kind is not None:
                found[item.id] = kind
    return found


def _of_every_kind(items: list[str], kinds: dict[str, str]) -> list[str]:
    """One of each kind first, then a second one of each, and so on."""
    turn: Counter[str] = Counter()
    order: dict[str, tuple[int, int]] = {}
    for at, item in enumerate(items):
        kind = kinds.get(item, "")
        order[item] = (turn[kind], at)
        turn[kind] += 1
    return sorted(items, key=order.__getitem__)


def _commonest(matrix: Graded, case: int) -> str:
    """What most runs answered, of equally common ones the first run's."""
    one = matrix.cases.all[case]
    answers = (run.answers.get(matrix.task, {}).get(one.id) for run in matrix.runs)
    said = [answer for answer in answers if answer is not None]
    if not said:
        return ""
    top = Counter(said).most_common(1)[0][0]
    return one.said[top] if isinstance(top, int) and top < len(one.said) else str(top)

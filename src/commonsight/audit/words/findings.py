"""What is said about words that tell the label: whether they matter, and which items they give away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from commonsight.audit.cases import Cases
from commonsight.audit.chance import surely_above
from commonsight.audit.values import Finding
from commonsight.audit.words.guess import Guessed
from commonsight.audit.words.tables import Told

CODE = "word-artifacts"
_REMEDY = (
    "Rewrite or balance the texts that hold these words, or add items in which the words stand on the other "
    "side (as adversarial matching does); then audit again."
)


class Leaning(NamedTuple):
    """All artifacts of a task's labels, the surest first, each name once."""

    names: tuple[str, ...]
    tested: int


def leaning(all_told: Sequence[Told]) -> Leaning:
    """Gathered over labels."""
    found = [
        (-abs(float(one.found.z[at])), one.grams.names[at]) for one in all_told for at in one.chosen.tolist()
    ]
    tested = max((int(one.found.enough.sum()) for one in all_told), default=0)
    return Leaning(tuple(dict.fromkeys(name for _, name in sorted(found))), tested)


def words_finding(
    cases: Cases, found: Leaning, guessed: Guessed, matters: float, *, open_answers: bool
) -> Finding:
    """One finding a task: a warning only where words lift a guess on items that did not help to find them."""
    usual, reached = float(guessed.without.mean()), float(guessed.credit.mean())
    limit, task = usual + matters, cases.task
    if not found.names:
        says = (
            f"No word tells the answer: of {found.tested:,} words and runs of words none leans to one more "
            "than chance allows."
        )
        return Finding(CODE, "fine", says, value=reached, limit=limit, task=task)
    first = ", ".join(f"“{name}”" for name in found.names[:5])
    lean = (
        f"{len(found.names):,} words or runs of words lean to an answer more than chance allows, first of "
        f"all {first}"
        if len(found.names) > 1
        else f"One word leans to an answer more than chance allows: {first}"
    )
    effect = (
        f"a guess by such words alone gets {reached:.1%}, where {usual:.1%} is had without them "
        f"(they bear on {float(np.mean(guessed.decided)):.0%} of the items)"
    )
    if surely_above(guessed.credit - guessed.without, cases.groups) <= matters:
        says = f"{lean}; but they matter little: {effect}."
        return Finding(CODE, "note", says, value=reached, limit=limit, task=task)
    items = behind(cases, guessed)
    if open_answers:
        says = f"{lean}; {effect}. In part this is as it should be: a question tells what answer it wants."
        return Finding(CODE, "note", says, value=reached, limit=limit, items=items, task=task)
    return Finding(CODE, "warning", f"{lean}; {effect}.", _REMEDY, reached, limit, items, task)


def behind(cases: Cases, guessed: Guessed) -> tuple[str, ...]:
    """The items that words give away, the clearest first."""
    given = np.flatnonzero(guessed.decided & (guessed.credit > guessed.without))
    order = given[np.lexsort((-guessed.margin[given], -guessed.credit[given]))]
    return tuple(cases.all[at].id for at in order.tolist())

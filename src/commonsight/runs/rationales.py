"""Rationales as a task of their own: why the answer is right; and what was written of that, as contexts.

It is no task of a benchmark, for no benchmark scores it: whatever has rationales can be learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from commonsight.core.answer import FreeText
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.models.catalogue_entry import Entry
from commonsight.models.writing.style import RATIONALE, TOLD
from commonsight.runs.contexts import ContextLine, write_contexts
from commonsight.store.runs import read_answers

FILE = "contexts.jsonl"
"""In a run's folder: what `commonsight run --context` reads."""


def ask_why(item: Item) -> Ask:
    """The question without its choices; all rationales that are right are to learn from.

    Of an item without a label nobody knows which those are.
    """
    right = () if item.gold is None else item.rationales
    if item.rationale_gold is not None:
        right = (item.rationales[item.rationale_gold],)
    texts = tuple(text.with_names(item.labels) for text in right)
    gold = FreeText(texts[0]) if texts else None
    return Ask(item.id, RATIONALE, item.scenes, item.texts, "text", (), gold, answers=texts)


WHY = Task(RATIONALE, "Write why the answer is right", ask_why, (), "image")


def wanted(tasks: Sequence[str], entry: Entry | None) -> str | None:
    """Which texts to be told are asked for, if any; by themselves, and of a network that writes."""
    found = next((name for name in TOLD if name in tasks), None)
    if found is None:
        return None
    if entry is None or entry.writes is None:
        name = "This" if entry is None else entry.title
        raise UsageError(f"--task {found}: {name} writes nothing. Choose clipcap or gpv-2.")
    if len(tasks) > 1:
        raise UsageError(f"--task {found}: {found}s are not scored as answers are. Train them alone.")
    return found


def keep_contexts(run: Path) -> int:
    """Beside a run's log, its texts as contexts; how many there are."""
    lines = (
        ContextLine(line.item, line.answer.text)
        for line in read_answers(run)
        if line.task in TOLD and isinstance(line.answer, FreeText)
    )
    return write_contexts(run / FILE, lines)

"""A split's questions with their right answers, for whoever learns from them. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence

from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import InputError


def asked(task: Task, item: Item) -> Ask | None:
    """The question of a task; None where it builds on a gold answer that this item does not have."""
    try:
        return task.ask(item)
    except ValueError:
        return None


def labelled(task: Task, items: Sequence[Item], purpose: str) -> list[Ask]:
    """The questions of a task, each with its right answer; a split that lacks some is refused."""
    asks = [asked(task, item) for item in items]
    without = [item.id for item, ask in zip(items, asks, strict=True) if ask is None or ask.gold is None]
    if without:
        raise InputError(
            f"{len(without)} of {len(items)} items to {purpose} have no right answer for {task.name} "
            f"({', '.join(without[:3])}). Choose a split that has labels."
        )
    return [ask for ask in asks if ask is not None]

"""What asking in several ways tells: rotated choices, repeated questions, other answers given, positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb

import numpy as np
from msgspec import Struct

from commonsight.core.answer import Pick
from commonsight.core.benchmark import Ask, Benchmark, Task
from commonsight.core.item import Item
from commonsight.runs.variants import Key
from commonsight.score.intervals import Figure, figure
from commonsight.score.scoring import Scoring
from commonsight.store.runs import AnswerLine


class Repeated(Struct, frozen=True):
    """One task asked several times."""

    epochs: int
    mean: float
    deviation: float
    """Of the epochs' accuracies, and not of the items'."""
    pass_at: dict[str, float]
    """By k: how likely one of k replies is right (the estimator without bias, from all epochs)."""
    unsteady: Figure
    """Items that were right at least once and wrong at least once."""


class Places(Struct, frozen=True):
    """Right places of the labelled items, and how many choices each has."""

    right: dict[str, dict[str, int]]
    """By task, then by item."""
    sizes: dict[str, dict[str, int]]


def places_of(benchmark: Benchmark[Scoring], items: Iterable[Item]) -> Places:
    """Every task's right positions. Tasks that are not multiple choice have none."""
    right: dict[str, dict[str, int]] = {}
    sizes: dict[str, dict[str, int]] = {}
    for item in items:
        for task in benchmark.tasks:
            ask = _asked(task, item)
            if ask is not None and isinstance(ask.gold, Pick):
                right.setdefault(task.name, {})[item.id] = ask.gold.index
                sizes.setdefault(task.name, {})[item.id] = len(ask.choices)
    return Places(right, sizes)


def _asked(task: Task, item: Item) -> Ask | None:
    try:
        return task.ask(item)
    except ValueError:
        return None


def _graded(
    lines: Iterable[AnswerLine], places: Places, wanted: Callable[[Key], bool]
) -> Iterator[tuple[Key, str, bool]]:
    for line in lines:
        key = Key.parse(line.task)
        right = places.right.get(key.task, {}).get(line.item)
        if right is not None and wanted(key):
            yield key, line.item, isinstance(line.answer, Pick) and line.answer.index == right


def circular(lines: Sequence[AnswerLine], places: Places, confidence: float) -> dict[str, Figure]:
    """By task: right at every rotation of the choices; an item that was not asked at all of them is left out.

    A model that always takes the first choice is right at one rotation of each item, and here at none.
    """
    turns: dict[str, dict[str, list[bool]]] = {}
    for key, item, right in _graded(lines, places, lambda key: not key.epoch and key.given is None):
        turns.setdefault(key.task, {}).setdefault(item, []).append(right)
    found = {}
    for task, items in turns.items():
        whole = [all(rights) for item, rights in items.items() if len(rights) == places.sizes[task][item]]
        if whole and max(map(len, items.values())) > 1:
            found[task] = figure(whole, confidence=confidence)
    return found


def repeated(lines: Sequence[AnswerLine], places: Places, confidence: float) -> dict[str, Repeated]:
    """By task: what repeated asking gives, on the items that were asked every time."""
    rights: dict[str, dict[str, dict[int, bool]]] = {}
    for key, item, right in _graded(lines, places, lambda key: not key.turned and key.given is None):
        rights.setdefault(key.task, {}).setdefault(item, {})[key.epoch] = right
    found = {}
    for task, items in rights.items():
        epochs = max(map(len, items.values()))
        whole = [list(told.values()) for told in items.values() if len(told) == epochs]
        if epochs > 1:
            found[task] = _repeated(np.array(whole, dtype=bool), confidence)
    return found


def _repeated(rights: np.ndarray, confidence: float) -> Repeated:
    epochs = rights.shape[1]
    counts = rights.sum(1)
    means = rights.mean(0)
    return Repeated(
        epochs,
        float(means.mean()),
        float(means.std(ddof=1)),
        {str(k): float(np.mean([pass_at(k, epochs, int(count)) for count in counts])) for k in _ks(epochs)},
        figure((counts > 0) & (counts < epochs), confidence=confidence),
    )


def _ks(epochs: int) -> list[int]:
    """1, 2, 4 … and all."""
    powers = [2**power for power in range(epochs.bit_length()) if 2**power < epochs]
    return [*powers, epochs]


def pass_at(k: int, tries: int, right: int) -> float:
    """How likely at least one of k replies, drawn from these, is right."""
    return 1 - comb(tries - right, k) / comb(tries, k)


def own_given(
    lines: Sequence[AnswerLine], benchmark: Benchmark[Scoring], places: Places, confidence: float
) -> dict[str, Figure]:
    """By task that builds on an answer: how often it is right where the model's own answer is given."""
    first = benchmark.tasks[0].name
    said: dict[tuple[str, str, int | None], int | None] = {}
    for line in lines:
        key = Key.parse(line.task)
        if not key.turned and not key.epoch:
            said[line.item, key.task, key.given] = (
                line.answer.index if isinstance(line.answer, Pick) else None
            )
    found = {}
    for task in benchmark.tasks:
        if task.given is None or not any(name == task.name and given is not None for _, name, given in said):
            continue
        rights = []
        for item, right in places.right.get(task.name, {}).items():
            own = said.get((item, first, None))
            given = None if own == places.right.get(first, {}).get(item) else own
            if own is not None and (item, task.name, given) in said:
                rights.append(said[item, task.name, given] == right)
        if rights:
            found[task.name] = figure(rights, confidence=confidence)
    return found


def positions(lines: Iterable[AnswerLine], places: Places) -> dict[str, tuple[float, ...]]:
    """By task: the share of picks at each position as shown; without a liking each has its share."""
    shown: dict[str, Counter[int]] = {}
    for line in lines:
        key = Key.parse(line.task)
        count = places.sizes.get(key.task, {}).get(line.item, 0)
        if isinstance(line.answer, Pick) and count:
            shown.setdefault(key.task, Counter())[(line.answer.index - key.turned) % count] += 1
    most = {task: max(places.sizes[task].values()) for task in shown}
    return {
        task: tuple(counts[place] / counts.total() for place in range(most[task]))
        for task, counts in shown.items()
    }

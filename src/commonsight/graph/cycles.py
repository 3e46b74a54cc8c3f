"""Circles in categories: a thing that is, by way of others, a kind of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def cycles(parents: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Every group of names that lead to each other, sorted (Tarjan's components, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    held: list[str] = []
    inside: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in parents:
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            name, step = work.pop()
            if step == 0:
                index[name] = low[name] = len(index)
                held.append(name)
                inside.add(name)
            above = parents.get(name, ())
            if step:
                low[name] = min(low[name], low[above[step - 1]])
            step = _next_new(above, step, index, inside, low, name)
            if step < len(above):
                work += [(name, step + 1), (above[step], 0)]
            elif low[name] == index[name]:
                found += _closed(name, held, inside, above)
    return sorted(found)


def _next_new(
    above: Sequence[str], step: int, index: dict[str, int], inside: set[str], low: dict[str, int], name: str
) -> int:
    """The next parent that was not visited yet; those that were are taken into account on the way."""
    while step < len(above) and above[step] in index:
        if above[step] in inside:
            low[name] = min(low[name], index[above[step]])
        step += 1
    return step


def _closed(name: str, held: list[str], inside: set[str], above: Sequence[str]) -> list[tuple[str, ...]]:
    at = held.index(name)
    group = held[at:]
    del held[at:]
    inside.difference_update(group)
    return [tuple(sorted(group))] if len(group) > 1 or name in above else []

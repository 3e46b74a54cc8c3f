"""The parts of the scene graph and of the knowledge graph that a program's answer rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from commonsight.core.program import Step
from commonsight.graph.execute import Executed
from commonsight.graph.knowledge import BLANK, CATEGORY, VISION, Knowledge, Query
from commonsight.graph.programs import inputs_of
from commonsight.graph.sets import Objects, SceneSets, positions

Triple = tuple[str, str, str]


def subgraph(
    steps: Sequence[Step], executed: Executed, sets: SceneSets, knowledge: Knowledge
) -> dict[str, list[Any]]:
    """Relations, attributes and knowledge items, in the order of the steps that used them, each once."""
    relations: dict[tuple[int, str, int], None] = {}
    attributes: dict[tuple[int, str], None] = {}
    items: dict[Triple, None] = {}
    for number, step in enumerate(steps):
        words, value = step.text_input or (), executed.values[number]
        taken = [executed.values[place] for place in inputs_of(step, number)]
        if not isinstance(value, int) or not taken or not isinstance(taken[0], int):
            continue
        if step.function == "Find":
            attributes |= {(id_, word): None for id_ in sets.ids(value) for word in words[1:]}
        elif step.function in ("Relate", "Relate_Reverse"):
            ends = (taken[0], value) if step.function == "Relate" else (value, taken[0])
            relations |= dict.fromkeys(_edges(words[0], *ends, sets))
        elif step.function == "Find_Hypernym":
            items |= {(name, CATEGORY, words[0]): None for name in _names(value, sets)}
        elif step.function.startswith("Find_KG"):
            seen = taken[1] if len(taken) > 1 else None
            items |= dict.fromkeys(_items(Query(*words), value, seen, sets, knowledge))
    return {
        "relations": list(map(list, relations)),
        "attributes": list(map(list, attributes)),
        "knowledge_items": list(map(list, items)),
    }


def _edges(
    predicate: str, subjects: Objects, objects: Objects, sets: SceneSets
) -> Iterator[tuple[int, str, int]]:
    for edge in sets.related.get(predicate, ()):
        if edge.subject & subjects and edge.object & objects:
            yield sets.ids(edge.subject)[0], predicate, sets.ids(edge.object)[0]


def _names(objects: Objects, sets: SceneSets) -> dict[str, None]:
    return {sets.scene.regions[position].label: None for position in positions(objects)}


def _items(
    query: Query, found: Objects, seen: int | str | None, sets: SceneSets, knowledge: Knowledge
) -> Iterator[Triple]:
    """The items that say so, with the names that the knowledge graph uses."""
    for blank, vision in knowledge.queries.get(query, ()):
        if not sets.of_kind.get(blank, 0) & found:
            continue
        if vision is not None and not (isinstance(seen, int) and sets.of_kind.get(vision, 0) & seen):
            continue
        filled = {BLANK: blank, VISION: vision or ""}
        yield _filled(query.head, filled), query.relation, _filled(query.tail, filled)


def _filled(text: str, names: dict[str, str]) -> str:
    return " ".join(names.get(word, word) for word in text.split())

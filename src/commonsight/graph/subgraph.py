"""The parts of the scene graph and of the knowledge graph that a program's answer rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from commonsight.core.program import Step
from commonsight.graph.execute import Value
from commonsight.graph.knowledge import BLANK, CATEGORY, VISION, Knowledge, Query
from commonsight.graph.programs import inputs_of
from commonsight.graph.sets import Edge, Objects, SceneSets

Triple = tuple[str, str, str]


def subgraph(
    steps: Sequence[Step], values: Sequence[Value | None], sets: SceneSets, knowledge: Knowledge
) -> dict[str, list[Any]]:
    """Relations, attributes and knowledge items, in the order of the steps that used them, each once."""
    relations: dict[Edge, None] = {}
    attributes: dict[tuple[int, str], None] = {}
    items: dict[Triple, None] = {}
    for number, (step, value) in enumerate(zip(steps, values, strict=True)):
        words = step.text_input
        if not words or type(value) is not int:
            continue
        function = step.function
        if function == "Find":
            if len(words) > 1:
                found = sets.ids(value)
                for word in words[1:]:
                    for id_ in found:
                        attributes[id_, word] = None
        elif function == "Find_Hypernym":
            for name in sets.names(value):
                items[name, CATEGORY, words[0]] = None
        elif function.startswith("Find_KG"):
            inputs = inputs_of(step, number)
            seen = values[inputs[1]] if len(inputs) > 1 else None
            query = words if isinstance(words, Query) else Query(*words)
            for item in _items(query, value, seen, sets, knowledge):
                items[item] = None
        elif type(taken := values[inputs_of(step, number)[0]]) is int:
            ends = (taken, value) if function == "Relate" else (value, taken)
            for edge in sets.edges(words[0], *ends):
                relations[edge] = None
    return {"relations": [*relations], "attributes": [*attributes], "knowledge_items": [*items]}


def _items(
    query: Query, found: Objects, seen: int | str | None, sets: SceneSets, knowledge: Knowledge
) -> Iterator[Triple]:
    """The items that say so, with the names that the knowledge graph uses."""
    of_kind = sets.of_kind
    for filler in sets.fillers(query, knowledge):
        blank, vision = filler.blank, filler.vision
        if not of_kind[blank] & found:
            continue
        if vision is not None and not (isinstance(seen, int) and of_kind[vision] & seen):
            continue
        yield _filled(query, blank, vision)


@lru_cache(maxsize=1 << 16)
def _filled(query: Query, blank: str, vision: str | None) -> Triple:
    names = {BLANK: blank, VISION: vision or ""}
    said = [" ".join(names.get(word, word) for word in text.split()) for text in (query.head, query.tail)]
    return said[0], query.relation, said[1]

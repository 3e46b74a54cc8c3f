"""Programs executed over a scene and the knowledge graph: the answer, and what every step gave.

Ten functions (CRIC, section 3 and appendix 7). Their text inputs are:

Find              a name ("object" for any) and any number of attributes
Relate            a predicate; gives the objects of relations whose subjects go in
Relate_Reverse    a predicate; gives the subjects of relations whose objects go in
Find_Hypernym     a category
Find_KG           head, relation, tail of a query with BLANK in its head
Find_KG_Reverse   the same with BLANK in its tail
Recognition       what to recognise: "object", a category, or a type of attribute
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from commonsight.core.program import Program, Step
from commonsight.errors import InputError
from commonsight.graph.attributes import attribute_type
from commonsight.graph.knowledge import Knowledge, Query
from commonsight.graph.programs import ANY, check, inputs_of
from commonsight.graph.sets import Objects, SceneSets, positions

YES, NO = "yes", "no"

Value = Objects | str
"""What a step gives: objects, or a concept."""
Given = Sequence[Objects]
Texts = tuple[str, ...]


class Executed(NamedTuple):
    """What a program gave: the answer, the objects that it is about, and the outcome of every step."""

    answer: str | None
    """None if nothing, or more than one thing, could be recognised; or if the program ends with objects."""
    target: Objects
    values: tuple[Value | None, ...]


def execute(program: Program, sets: SceneSets, knowledge: Knowledge) -> Executed:
    """Run a program from its first step to its last."""
    check(program)
    return run(program.steps, sets, knowledge)


def run(steps: Sequence[Step], sets: SceneSets, knowledge: Knowledge) -> Executed:
    """Run steps that are known to be well typed."""
    values: list[Value | None] = []
    target: Objects = 0
    for number, step in enumerate(steps):
        given = [_objects(values[place]) for place in inputs_of(step, number)]
        if step.function in ("Recognition", "Verify"):
            target = given[0]
        values.append(APPLIED[step.function](step.text_input or (), given, sets, knowledge))
    last = values[-1]
    if isinstance(last, int):
        return Executed(None, last, tuple(values))
    return Executed(last, target, tuple(values))


def traced(program: Program, executed: Executed, sets: SceneSets) -> Program:
    """The program with the outcome of every step written beside it."""
    return Program(
        tuple(
            Step(step.function, step.text_input, output(value, sets), step.inputs, step.extra)
            for step, value in zip(program.steps, executed.values, strict=True)
        )
    )


def output(value: Value | None, sets: SceneSets) -> tuple[int | str, ...]:
    """The outcome of a step as a trace tells it: ids of objects, or the concept."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else sets.ids(value)


def _objects(value: Value | None) -> Objects:
    if not isinstance(value, int):
        raise InputError("A step takes objects from one that gives a concept. Take them from an earlier one.")
    return value


def _initial(_: Texts, __: Given, sets: SceneSets, ___: Knowledge) -> Value:
    return sets.everything


def _find(texts: Texts, given: Given, sets: SceneSets, _: Knowledge) -> Value:
    found = given[0]
    if texts[0] != ANY:
        found &= sets.named.get(texts[0], 0)
    for attribute in texts[1:]:
        found &= sets.having.get(attribute, 0)
    return found


def _relate(texts: Texts, given: Given, sets: SceneSets, _: Knowledge) -> Value:
    return sets.objects_of(given[0], texts[0])


def _relate_reverse(texts: Texts, given: Given, sets: SceneSets, _: Knowledge) -> Value:
    return sets.subjects_of(given[0], texts[0])


def _and(_: Texts, given: Given, __: SceneSets, ___: Knowledge) -> Value:
    return given[0] & given[1]


def _find_hypernym(texts: Texts, given: Given, sets: SceneSets, _: Knowledge) -> Value:
    return given[0] & sets.of_kind.get(texts[0], 0)


def _find_kg(texts: Texts, given: Given, sets: SceneSets, knowledge: Knowledge) -> Value:
    """Objects that fill the BLANK; with VISION, only as some of the objects seen fill that."""
    among = given[0]
    seen = given[1] if len(given) > 1 else None
    query = texts if isinstance(texts, Query) else Query(*texts)
    return among & fitting(query, seen, sets, knowledge)


def fitting(query: Query, seen: Objects | None, sets: SceneSets, knowledge: Knowledge) -> Objects:
    """All objects of a scene that answer a query."""
    known = sets.fitted.get((query, seen))
    if known is not None:
        return known
    found = 0
    of_kind = sets.of_kind
    for filler in sets.fillers(query, knowledge):
        vision = filler.vision
        if vision is None or (seen is not None and of_kind[vision] & seen):
            found |= of_kind[filler.blank]
    sets.fitted[query, seen] = found
    return found


def _recognition(texts: Texts, given: Given, sets: SceneSets, knowledge: Knowledge) -> Value | None:
    kind, objects = texts[0], given[0]
    if kind == ANY and objects and not objects & (objects - 1):  # a single one, as most questions ask for
        return sets.scene.regions[objects.bit_length() - 1].label
    concepts = recognised(kind, objects, sets, knowledge)
    return next(iter(concepts)) if len(concepts) == 1 else None


def recognised(kind: str, objects: Objects, sets: SceneSets, knowledge: Knowledge) -> dict[str, None]:
    """The concepts of one kind that these objects show, in order: names, or attributes of a type."""
    regions = [sets.scene.regions[position] for position in positions(objects)]
    if kind == ANY:
        return {region.label: None for region in regions}
    by_attribute = {
        attribute: None
        for region in regions
        for attribute in region.attributes
        if attribute_type(attribute) == kind
    }
    if by_attribute:
        return by_attribute
    return {region.label: None for region in regions if kind in knowledge.kinds(region.label)}


def _verify(_: Texts, given: Given, __: SceneSets, ___: Knowledge) -> Value:
    return YES if given[0] else NO


APPLIED: Mapping[str, Callable[[Texts, Given, SceneSets, Knowledge], Value | None]] = {
    "Initial": _initial,
    "Find": _find,
    "Relate": _relate,
    "Relate_Reverse": _relate_reverse,
    "Recognition": _recognition,
    "And": _and,
    "Verify": _verify,
    "Find_KG": _find_kg,
    "Find_KG_Reverse": _find_kg,
    "Find_Hypernym": _find_hypernym,
}
"""What each function makes of its words and of what other steps gave."""

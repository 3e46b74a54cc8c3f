"""A program as an item's page draws it: each step with the objects, relations and facts that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonsight.audit.describe.programs import triples
from commonsight.core.item import Item
from commonsight.core.program import Step
from commonsight.graph.knowledge import BLANK, VISION

Places = tuple[int, ...]
Triple = tuple[str, str, str]


class RelationView(NamedTuple):
    """An edge of the scene graph, with the step that goes along it."""

    subject: int
    predicate: str
    object: int
    step: int | None = None


class FactView(NamedTuple):
    """An edge of the knowledge graph, with the steps that ask for it."""

    head: str
    relation: str
    tail: str
    steps: Places


class ProgramStep(NamedTuple):
    """One step of a program, with what it gives: words, and regions of the picture."""

    number: int
    function: str
    words: str
    inputs: str
    output: str
    regions: Places


class ProgramView(NamedTuple):
    """A program with its trace on both graphs."""

    steps: tuple[ProgramStep, ...]
    relations: tuple[RelationView, ...]
    facts: tuple[FactView, ...]


def program_view(item: Item) -> ProgramView | None:
    """The steps of an item's program; None where it has none."""
    if item.program is None:
        return None
    steps = tuple(_steps(item, item.program.steps))
    facts = tuple(_fact(triple, item.program.steps) for triple in triples(item))
    return ProgramView(steps, tuple(_along(item, item.program.steps, steps)), facts)


def relations_of(item: Item) -> tuple[RelationView, ...]:
    """The scene graph of the first picture."""
    relations = item.scenes[0].relations if item.scenes else ()
    return tuple(RelationView(each.subject, each.predicate, each.object) for each in relations)


def _steps(item: Item, steps: Sequence[Step]) -> Iterator[ProgramStep]:
    for number, step in enumerate(steps, 1):
        output = step.output or ()
        regions = _places(item, tuple(one for one in output if isinstance(one, int)))
        everything = len(regions) == len(item.labels) > 1
        named = ["everything"] if everything else [f"{item.labels[place]}{place + 1}" for place in regions]
        told = named + [str(one) for one in output if isinstance(one, str)]
        inputs = ", ".join(str(place + 1) for place in step.inputs or ())
        words = ", ".join(step.text_input or ())
        yield ProgramStep(number, step.function, words, inputs, ", ".join(told), regions)


def _along(item: Item, steps: Sequence[Step], shown: Sequence[ProgramStep]) -> Iterator[RelationView]:
    """The relations that a step goes along: of its name, from what it takes to what it gives."""
    for number, (step, view) in enumerate(zip(steps, shown, strict=True)):
        taken = {place for one in step.inputs or (number - 1,) if one >= 0 for place in shown[one].regions}
        for each in relations_of(item):
            ends = {each.subject, each.object}
            named = each.predicate in (step.text_input or ())
            if named and ends & taken and ends & set(view.regions) and ends <= taken | set(view.regions):
                yield each._replace(step=view.number)


def _fact(triple: Triple, steps: Sequence[Step]) -> FactView:
    asking = (number for number, step in enumerate(steps, 1) if asks_for(step, triple))
    return FactView(*triple, tuple(asking))


def asks_for(step: Step, fact: Triple) -> bool:
    """Whether a step that looks into the knowledge graph is answered by this fact.

    Both ends must fit. Relations need not: programs may say "can" where the graph says CapableOf.
    """
    words = step.text_input or ()
    if not words or not step.function.startswith(("Find_KG", "Find_Hypernym")):
        return False
    head, tail = (words[0] if len(words) > 1 else "", words[-1])
    return _told(head) <= _told(fact[0]) and _told(tail) <= _told(fact[2])


def _told(text: str) -> set[str]:
    """The words of one end, without those that stand for any."""
    return set(text.split()) - {BLANK, VISION}


def _places(item: Item, ids: Sequence[int]) -> Places:
    """Objects by their own ids, as positions in the scene; those that it does not have are left out."""
    regions = item.scenes[0].regions if item.scenes else ()
    found = {region.id: place for place, region in enumerate(regions) if region.id is not None}
    return tuple(found[one] for one in ids if one in found)

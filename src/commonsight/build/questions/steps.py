"""From what a question means to the steps that answer it.

Relations come first, as they lead from one set of objects to another; names, categories and attributes then
narrow the set, and knowledge last. What several relations lead to is joined by And.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonsight.build.questions.form import Having, Known, Question, Referent, Related
from commonsight.core.program import Program, Step
from commonsight.graph.execute import APPLIED, Value, output
from commonsight.graph.knowledge import Knowledge
from commonsight.graph.programs import ANY
from commonsight.graph.sets import Objects, SceneSets


class Traced(Struct, frozen=True, gc=False):
    """The program of a question with the outcome of every step, and what it comes to."""

    program: Program
    values: list[Value | None]
    answer: str | None
    target: Objects
    """What the answer is about."""


def compiled(question: Question) -> Program:
    """The program of a question, its outputs not yet filled in."""
    steps = _Steps()
    steps.ask(question)
    return Program(tuple(steps.steps))


def traced(question: Question, outcomes: Outcomes) -> Traced:
    """The program of a question, executed step by step while it is put together."""
    steps = _TracedSteps(outcomes)
    found = steps.ask(question)
    answer, target = steps.values[-1], steps.values[found]
    assert not isinstance(answer, int)
    assert isinstance(target, int)
    return Traced(Program(tuple(steps.steps)), steps.values, answer, target)


def described(question: Question) -> Referent:
    """The objects that a question is about in the end: its subject, as far as what it says holds."""
    subject, says = question.subject, question.says
    if says is None:
        return subject
    if isinstance(says, Having):
        more = (*subject.attributes, says.attribute)
        return Referent(subject.name, subject.is_category, more, subject.clauses)
    return Referent(subject.name, subject.is_category, subject.attributes, (*subject.clauses, says))


def length(program: Program) -> int:
    """How many functions a program has; Initial, with which all begin, is not counted."""
    return sum(step.function != "Initial" for step in program.steps)


def functions(question: Question) -> int:
    """The length of a question's program, known before there is one."""
    return 1 + functions_of(described(question))


def functions_of(referent: Referent) -> int:
    """How many functions it takes to find what a description fits."""
    relations = 0
    count = int(referent.is_category) + bool(
        referent.attributes or (referent.name != ANY and not referent.is_category)
    )
    for clause in referent.clauses:
        if isinstance(clause, Related):
            relations += 1
            count += 1 + functions_of(clause.other)
        else:
            count += 1 + (0 if clause.seen is None else functions_of(clause.seen))
    return count + max(0, relations - 1)


class _Steps:
    """Steps while they are put together."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.add("Initial", (), ())

    def add(self, function: str, words: tuple[str, ...], inputs: tuple[int, ...]) -> int:
        self.steps.append(Step(function, words or None, None, inputs))
        return len(self.steps) - 1

    def ask(self, question: Question) -> int:
        """All steps of a question; gives the one that finds what the answer is about."""
        found = self.find(described(question))
        if question.asks is None:
            self.add("Verify", (), (found,))
        else:
            self.add("Recognition", (question.asks,), (found,))
        return found

    def find(self, referent: Referent) -> int:
        at, clauses = 0, referent.clauses
        for clause in clauses:
            if type(clause) is Related:
                function = "Relate_Reverse" if clause.is_subject else "Relate"
                led = self.add(function, (clause.predicate,), (self.find(clause.other),))
                at = self.add("And", (), (at, led)) if at else led
        name, attributes = referent.name, referent.attributes
        if referent.is_category:
            at = self.add("Find_Hypernym", (name,), (at,))
            name = ANY
        if name != ANY or attributes:
            at = self.add("Find", (name, *attributes), (at,))
        for clause in clauses:
            if type(clause) is Known:
                inputs = (at,) if clause.seen is None else (at, self.find(clause.seen))
                at = self.add(
                    "Find_KG_Reverse" if clause.query.reverse else "Find_KG", clause.query, inputs
                )
        return at


class Outcomes:
    """What steps give in one scene; those that take all objects are executed once and used again."""

    def __init__(self, sets: SceneSets, knowledge: Knowledge) -> None:
        self.sets, self.knowledge = sets, knowledge
        self.initial = Step("Initial", None, sets.ids(sets.everything), ())
        self._begins: dict[tuple[str, tuple[str, ...]], tuple[Step, Value | None]] = {}

    def of_all(self, function: str, words: tuple[str, ...]) -> tuple[Step, Value | None]:
        """A step that takes its objects from Initial."""
        key = function, words
        known = self._begins.get(key)
        if known is None:
            known = self._begins[key] = self.of(function, words, FROM_ALL, [self.sets.everything])
        return known

    def of(
        self, function: str, words: tuple[str, ...], inputs: tuple[int, ...], given: list[Objects]
    ) -> tuple[Step, Value | None]:
        """Any step."""
        sets = self.sets
        value = APPLIED[function](words, given, sets, self.knowledge)
        shown = sets.ids(value) if type(value) is int else output(value, sets)
        return Step(function, words or None, shown, inputs), value


class _TracedSteps(_Steps):
    """Steps that are executed as soon as they are added."""

    def __init__(self, outcomes: Outcomes) -> None:
        self._outcomes = outcomes
        self.steps = [outcomes.initial]
        self.values: list[Value | None] = [outcomes.sets.everything]

    def add(self, function: str, words: tuple[str, ...], inputs: tuple[int, ...]) -> int:
        values = self.values
        if inputs == FROM_ALL:
            step, value = self._outcomes.of_all(function, words)
        else:
            given: list[Any] = list(map(values.__getitem__, inputs))  # objects, as steps are well typed
            step, value = self._outcomes.of(function, words, inputs, given)
        values.append(value)
        self.steps.append(step)
        return len(values) - 1


FROM_ALL = (0,)

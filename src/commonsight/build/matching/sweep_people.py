"""People and lambda: what to put before them, and what they answered (VCR, appendix C, Figure 13).

Everybody is asked about the same questions for every lambda. Who sees a question twice, with other wrong
choices, knows the right one: so questions come in forms, as many as there are lambdas, and a form has each
question once. A person answers one form. Which choice is right stands in a file of its own.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from commonsight.build.matching.sweep import SweepRun, drawn
from commonsight.build.matching.sweep_work import Shown
from commonsight.build.matching.values import Annotation
from commonsight.core.text import TaggedText
from commonsight.errors import InvalidRecords, Problem
from commonsight.store.jsonfiles import read_lines


class Asked(Struct, frozen=True, omit_defaults=True):
    """A question as a person sees it: nothing here tells which choice is right."""

    form: int
    trade: float = field(name="lambda")
    id: str
    question: str
    choices: tuple[str, ...]
    answer: str | None = None
    """Where choices are rationales: the answer that they are for."""
    image: str | None = None


class Key(Struct, frozen=True):
    """Which choice is right, and who lent each of them."""

    trade: float = field(name="lambda")
    id: str
    label: int
    group: str
    sources: tuple[str, ...]


class Answered(Struct, frozen=True):
    """What a person chose: a place in the choices, counted from 0."""

    trade: float = field(name="lambda")
    id: str
    choice: int
    worker: str | None = None


class Questions(NamedTuple):
    """What people are asked, form by form, and the key to it."""

    asked: tuple[Asked, ...]
    keys: tuple[Key, ...]


def questions(run: SweepRun) -> Questions:
    """What to put before people: the right choice in every place equally often for each lambda."""
    sweep = run.sweep
    ids = drawn(run.annotations, sweep).asked
    annotations = {annotation.id: annotation for annotation in run.annotations}
    choices = sweep.recipe.rounds + 1
    asked, keys = [], []
    for number, (trade, tried) in enumerate(zip(sweep.lambdas, run.tried, strict=True)):
        rng = random.Random(f"{sweep.recipe.seed}:{sweep.task}:{trade!r}:people")
        labels = [place % choices for place in range(len(ids))]
        rng.shuffle(labels)
        for place, (name, label) in enumerate(zip(ids, labels, strict=True)):
            form = (number + place) % len(sweep.lambdas) + 1
            order = rng.sample(range(choices - 1), choices - 1)
            order.insert(label, -1)  # the right one
            own, shown = annotations[name], tried.shown[name]
            right = own.answer if sweep.task == "answers" else own.rationale
            assert right is not None
            asked.append(_asked(form, trade, own, [right, *shown.texts], order, sweep.task == "rationales"))
            keys.append(Key(trade, name, label, own.group, _sources(own, shown, order)))
    order_of_forms = random.Random(f"{sweep.recipe.seed}:{sweep.task}:forms")
    order_of_forms.shuffle(asked)
    return Questions(tuple(sorted(asked, key=lambda entry: entry.form)), tuple(keys))


def _asked(
    form: int, trade: float, own: Annotation, texts: Sequence[TaggedText], order: Sequence[int], why: bool
) -> Asked:
    return Asked(
        form,
        trade,
        own.id,
        own.question.bracketed(own.objects),
        tuple(texts[turn + 1].bracketed(own.objects) for turn in order),
        own.answer.bracketed(own.objects) if why else None,
        own.image,
    )


def _sources(own: Annotation, shown: Shown, order: Sequence[int]) -> tuple[str, ...]:
    return tuple(own.id if turn < 0 else shown.lenders[turn] for turn in order)


class AnswerRecord(Struct, omit_defaults=True):
    """A line of the file of answers."""

    trade: float = field(name="lambda")
    id: str | int
    choice: int
    worker: str | int | None = None


def read_answers(
    path: Path, lambdas: Sequence[float], ids: Collection[str], choices: int
) -> tuple[Answered, ...]:
    """What people answered. All that does not fit what they were asked is told at once, with its lines."""
    problems: list[Problem] = []
    lines: dict[tuple[float, str, str | None], int] = {}
    answers = []
    for record in read_lines(path, AnswerRecord, problems.append):
        value = record.value
        worker = None if value.worker is None else str(value.worker)
        answer = Answered(value.trade, str(value.id), value.choice, worker)
        before = lines.setdefault((answer.trade, answer.id, answer.worker), record.line)
        problems += (
            Problem(path, fault.message, fault.remedy, record.line, field=fault.field)
            for fault in _faults(answer, lambdas, ids, choices, before if before < record.line else None)
        )
        answers.append(answer)
    if problems:
        raise InvalidRecords(sorted(problems, key=lambda problem: problem.line or 0))
    return tuple(answers)


class _Fault(NamedTuple):
    field: str
    message: str
    remedy: str


def _faults(
    answer: Answered, lambdas: Sequence[float], ids: Collection[str], choices: int, before: int | None
) -> Iterator[_Fault]:
    if answer.trade not in lambdas:
        told = ", ".join(f"{trade:g}" for trade in lambdas)
        yield _Fault("lambda", f"{answer.trade:g} was not tried", f"This sweep has {told}.")
    if answer.id not in ids:
        yield _Fault("id", f"nobody was asked about '{answer.id}'", "Take the ids of to-answer.jsonl.")
    if not 0 <= answer.choice < choices:
        remedy = f"Count the choices from 0 to {choices - 1}."
        yield _Fault("choice", f"there is no choice {answer.choice}", remedy)
    if before is not None:
        remedy = "Keep one answer, or say who answered in the field worker."
        yield _Fault("id", f"line {before} answers this too", remedy)

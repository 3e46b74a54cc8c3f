"""Labels that able runs agree against: where most of them pick the same other answer.

Each run's word weighs as much as its accuracy makes it: the logarithm of how much likelier it is to pick a
right answer than one particular wrong one. Were mistakes independent, the sum would be the evidence against
the label (Dawid and Skene 1979). They are not, as all runs fall for the same good distractor; so this ranks
what a person should read first, and proves nothing. Where people answered in words of their own (A-OKVQA's
ten), those who gave the label, or the rival, count too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.probe import RunAnswers
from commonsight.audit.runside.graded import Graded

Floats = NDArray[np.float64]

EXPECTED = 0.02
"""The share of wrong labels to begin with, against which evidence must stand."""
PERSON = 1.0
"""What one person's own answer weighs, in natural logarithms of odds: that of a run right three times in four
between two answers."""
MOST_ANSWERS = 10
"""Where answers are shared and more than this differ, they are free text, and many may be right."""


class Contradiction(NamedTuple):
    """One item whose label most runs speak against."""

    place: int
    """Which case it is."""
    rival: int
    """What they answer instead, as `Graded.said` has it."""
    for_rival: int
    for_gold: int
    answered: int
    people: int
    """How many more people gave the rival than gave the label, where people answered in their own words."""
    weight: float
    """Evidence for the rival minus that for the label, in natural logarithms of odds."""


def gold_numbers(matrix: Graded) -> NDArray[np.int64] | None:
    """The labels as `Graded.said` numbers answers, -2 where no run gave it; None for free text."""
    if matrix.cases.kind == "pick":
        return matrix.cases.gold
    numbers: dict[str, int] = {}
    for run, row in zip(matrix.runs, matrix.said, strict=True):
        told = run.answers.get(matrix.task, {})
        for item, number in zip(matrix.ids, row, strict=True):
            if number >= 0:
                numbers[str(told[item]).strip().lower()] = int(number)
    if len(numbers) > MOST_ANSWERS:
        return None
    return np.array([numbers.get(str(case.answer).strip().lower(), -2) for case in matrix.cases], np.int64)


def weights(matrix: Graded, choices: Floats) -> Floats:
    """(run, case): what a run's word weighs; nothing if it is no better than guessing.

    A run that tells probabilities weighs less where it wavers: by how far its first choice is ahead.
    """
    there = ~np.isnan(matrix.right)
    share = (np.nansum(matrix.right, axis=1) + 1) / (there.sum(1) + 2)  # never 0 or 1
    odds: Floats = np.log(share / (1 - share))[:, None] + np.log(np.maximum(choices - 1, 1))[None, :]
    leads: Floats = np.array([_leads(matrix, run) for run in matrix.runs], np.float64)
    return np.maximum(odds, 0.0) * leads


def _leads(matrix: Graded, run: RunAnswers) -> list[float]:
    chances = run.chances.get(matrix.task, {})
    return [_lead(chances[item]) if item in chances else 1.0 for item in matrix.ids]


def _lead(chances: tuple[float, ...]) -> float:
    first, *others = sorted(chances, reverse=True)
    return first - others[0] if others else 1.0


def people_for(matrix: Graded, answers: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many people gave each case's choice of this number in their own words; 0 where nobody was asked."""
    found = np.zeros(len(answers), np.int64)
    if matrix.cases.kind != "pick":
        return found
    for at, (case, answer) in enumerate(zip(matrix.cases, answers, strict=True)):
        if case.accepted and 0 <= answer < len(case.choices):
            words = case.said[answer].strip().lower()
            found[at] = sum(text.strip().lower() == words for text in case.accepted)
    return found


def contradictions(matrix: Graded, expected: float = EXPECTED) -> list[Contradiction]:
    """Items where more than half of the runs that answered agree on one other answer, the surest first."""
    gold = gold_numbers(matrix)
    if gold is None:
        return []
    said = matrix.said
    shared = len(np.unique(said[said >= 0]))
    choices = matrix.cases.sizes if matrix.cases.kind == "pick" else np.full(len(gold), shared)
    weight = weights(matrix, choices.astype(np.float64))
    answered = (said >= 0).sum(0)
    for_gold = np.where(said == gold, weight, 0.0).sum(0)
    best = np.full(len(gold), -np.inf)
    rival, votes = np.full(len(gold), -1), np.zeros(len(gold), np.int64)
    for answer in np.unique(said[said >= 0]).tolist():
        with_it = said == answer
        evidence = np.where(gold == answer, -np.inf, np.where(with_it, weight, 0.0).sum(0))
        better = evidence > best
        best = np.where(better, evidence, best)
        rival, votes = np.where(better, answer, rival), np.where(better, with_it.sum(0), votes)
    people = people_for(matrix, rival) - people_for(matrix, gold)
    against = best - for_gold + PERSON * people
    doubt = np.log(expected / (1 - expected))
    found = np.flatnonzero((votes * 2 > answered) & (against + doubt > 0))
    order = found[np.argsort(-against[found], kind="stable")]
    agree = (said == gold).sum(0)
    return [
        Contradiction(
            place=int(at),
            rival=int(rival[at]),
            for_rival=int(votes[at]),
            for_gold=int(agree[at]),
            answered=int(answered[at]),
            people=int(people[at]),
            weight=float(against[at]),
        )
        for at in order
    ]

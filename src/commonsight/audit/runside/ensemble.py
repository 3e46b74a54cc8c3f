"""What several runs do together: who is right where others are not, what a vote or an oracle would get.

After A-OKVQA's Table 8 and the text around it: runs of equal accuracy may solve different questions, and the
questions that none of them solves are where a benchmark still has something to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.audit.runside.graded import Graded, graded, left_out
from commonsight.audit.runside.unsolved import solved_table, unsolved_tables
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.intervals import figure
from commonsight.store.figures import Bars, Series

Floats = NDArray[np.float64]

ALIKE = 0.8
"""Kappa of two runs' mistakes from which on they hardly are two runs: "almost perfect" by Landis and Koch."""
FEW = 4
"""What fewer runs than this do not solve says more about them than about the items: no finding then."""
LEAST_VOTERS = 3
"""Fewer can have no majority against one of them."""
NO_VOTE = "There is no majority vote: not all runs tell what they answered."


class Voted(NamedTuple):
    """What the commonest answer of each case earns, and in how many cases two answers were equally common."""

    scores: Floats
    ties: int


def pairwise_difference(right: Floats) -> Floats:
    """(run, run): of what the row's run got right, the share that the column's got wrong; NaN for none."""
    got = right > 0
    only = got.astype(np.float64) @ (~got).T.astype(np.float64)
    totals = got.sum(1)[:, None]
    return np.where(totals > 0, only / np.maximum(totals, 1), np.nan)


def agreement(said: NDArray[np.int64]) -> Floats:
    """(run, run): the share of cases with the same answer, where both gave one. NaN where there is none."""
    both = (said >= 0).astype(np.float64)
    common = both @ both.T
    same = np.array([[((a == b) & (a >= 0)).sum() for b in said] for a in said], np.float64)
    return np.where(common > 0, same / np.maximum(common, 1), np.nan)


def kappa_of_errors(right: Floats) -> Floats:
    """(run, run): Cohen's kappa of right and wrong: agreement beyond what the two accuracies make likely.

    NaN where both are always right, or always wrong: then agreement is certain and says nothing.
    """
    got = (right > 0).astype(np.float64)
    n = got.shape[1]
    share = got.mean(1)
    observed = (got @ got.T + (1 - got) @ (1 - got).T) / n
    expected = np.outer(share, share) + np.outer(1 - share, 1 - share)
    sure = expected > 1 - 1e-12
    return np.where(sure, np.nan, (observed - expected) / np.where(sure, 1.0, 1 - expected))


def majority(said: NDArray[np.int64], scores: Floats) -> Voted:
    """The commonest answer of each case and what it earned whoever gave it.

    Runs that gave no answer do not vote; a case without any votes earns 0. Where several answers are equally
    common, the mean of what they earn counts: what drawing one of them would get on average.
    """
    runs, cases = said.shape
    votes = np.zeros((runs, cases))
    for row in said:
        votes += (said == row) & (row >= 0)
    votes = np.where(said >= 0, votes, -1)
    top = votes.max(0)
    leading = (votes == top) & (top > 0)
    # Every leading answer has as many votes as runs gave it, so the mean over runs is the mean over answers.
    counts = leading.sum(0)
    earned = np.where(leading, scores, 0.0).sum(0)
    values = np.where(counts > 0, earned / np.maximum(counts, 1), 0.0)
    return Voted(values, int((counts > np.maximum(top, 0)).sum()))


@dataclass(frozen=True)
class Ensemble:
    """Differences, agreement, majority, oracle, and what nobody solves."""

    alike: float = ALIKE
    name: str = "ensemble"
    title: str = "Several runs together"

    codes = ("unsolved", "runs-alike")

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """One section for each task with at least two runs."""
        found = [
            self._section(subject, matrix.shared, setting)
            for matrix in graded(subject)
            if len(matrix.runs) > 1 and len(matrix.shared.cases)
        ]
        if not found:
            raise CannotMeasure("Several runs on the same items are needed. Give --run at least twice.")
        out = left_out(subject)
        if out is None:
            return found
        return [structs.replace(section, about=f"{section.about} {out}") for section in found]

    def _section(self, subject: Subject, matrix: Graded, setting: Setting) -> Section:
        right, clusters = matrix.right, matrix.cases.clusters
        solved = right.sum(0)
        voted = majority(matrix.said, matrix.scores) if matrix.tells_answers else None
        columns = {
            "best": matrix.scores[_best(matrix)],
            "oracle": matrix.scores.max(0),
            "all_right": (solved == len(right)).astype(np.float64),
            "none_right": (solved == 0).astype(np.float64),
            **({} if voted is None else {"majority": voted.scores, **_others(matrix)}),
        }
        figures = {
            name: figure(values, clusters, confidence=setting.confidence, seed=setting.seed)
            for name, values in columns.items()
        }
        kappas = kappa_of_errors(right)
        summary = Table(
            "Several runs together",
            ("what", matrix.metric),
            tuple((_SAYS[name], figures[name]) for name in _SAYS if name in figures),
            _vote_note(voted),
        )
        return Section(
            self.name,
            self.title,
            f"{len(matrix.runs)} runs on {len(matrix.cases):,} items, by {matrix.metric}. A partial score "
            "counts as right in all but the scores themselves, as in the A-OKVQA paper.",
            matrix.task,
            (*self._unsolved(matrix, solved), *self._alike(matrix, kappas)),
            figures,
            {"ties": float(voted.ties)} if voted is not None else {},
            (
                summary,
                solved_table(solved, len(right)),
                *_pair_tables(matrix, kappas),
                *unsolved_tables(subject, matrix, solved),
            ),
            (_solved_plot(matrix, solved),),
            () if voted is not None else (NO_VOTE,),
        )

    def _unsolved(self, matrix: Graded, solved: Floats) -> Iterator[Finding]:
        ids = tuple(item for item, count in zip(matrix.ids, solved, strict=True) if count == 0)
        share = len(ids) / len(solved)
        if len(matrix.runs) < FEW:
            return
        if ids:
            yield Finding(
                "unsolved",
                "note",
                f"{len(ids):,} items ({share:.1%}) are solved by none of {len(matrix.runs)} runs.",
                "Read some of them: they are hard, ambiguous, or their label is wrong.",
                share,
                items=ids,
                task=matrix.task,
            )
        else:
            yield Finding(
                "unsolved", "fine", "Every item is solved by at least one run.", value=0.0, task=matrix.task
            )

    def _alike(self, matrix: Graded, kappas: Floats) -> Iterator[Finding]:
        for one in range(len(kappas)):
            for other in range(one + 1, len(kappas)):
                if kappas[one, other] > self.alike:
                    yield Finding(
                        "runs-alike",
                        "note",
                        f"{matrix.names[one]} and {matrix.names[other]} are right and wrong on the same "
                        f"items (kappa {kappas[one, other]:.2f}): both tell little more than one of them.",
                        "Add a run of another kind of model.",
                        float(kappas[one, other]),
                        self.alike,
                        task=matrix.task,
                    )


def _best(matrix: Graded) -> int:
    return int(np.argmax(matrix.scores.mean(1)))


def _others(matrix: Graded) -> dict[str, Floats]:
    """The same without the best run, where enough are left to vote: the paper's vote gains only then."""
    if len(matrix.runs) <= LEAST_VOTERS:
        return {}
    rest = matrix.only([at for at in range(len(matrix.runs)) if at != _best(matrix)])
    return {
        "best_of_others": rest.scores[_best(rest)],
        "majority_of_others": majority(rest.said, rest.scores).scores,
    }


_SAYS = {
    "best": "the best run",
    "majority": "majority vote",
    "best_of_others": "the second best run",
    "majority_of_others": "majority vote without the best run",
    "oracle": "oracle: the best answer of any run",
    "all_right": "items that all runs get right",
    "none_right": "items that no run gets right",
}


def _vote_note(voted: Voted | None) -> str:
    if voted is None or not voted.ties:
        return ""
    return f"In {voted.ties:,} items several answers were equally common: the mean of what they earn counts."


def _pair_tables(matrix: Graded, kappas: Floats) -> Iterator[Table]:
    numbers = tuple(str(at + 1) for at in range(len(matrix.runs)))
    heads = tuple(f"{number} {name}" for number, name in zip(numbers, matrix.names, strict=True))
    difference = pairwise_difference(matrix.right)
    yield Table(
        "Pairwise difference",
        ("run", *numbers),
        _square(heads, difference),
        "Of what the row's run got right, the share that the column's got wrong (A-OKVQA, Table 8).",
    )
    yield Table(
        "Do runs fail on the same items?",
        ("run", *numbers),
        _square(heads, kappas),
        "Cohen's kappa of right and wrong: 0 as if by chance, 1 on exactly the same items.",
    )
    if matrix.tells_answers:
        yield Table(
            "Same answers",
            ("run", *numbers),
            _square(heads, agreement(matrix.said)),
            "The share of items with the same answer, right or wrong, where both gave one.",
        )


def _square(heads: Sequence[str], values: Floats) -> tuple[tuple[Cell, ...], ...]:
    cells = [
        [None if np.isnan(value) or at == column else float(value) for column, value in enumerate(row)]
        for at, row in enumerate(values)
    ]
    return tuple((head, *row) for head, row in zip(heads, cells, strict=True))


def _solved_plot(matrix: Graded, solved: Floats) -> Plot:
    counts = np.bincount(solved.astype(np.int64), minlength=len(matrix.runs) + 1) / len(solved)
    names = tuple(str(count) for count in range(len(counts)))
    shares = Series("", (), tuple(map(float, counts)))
    bars = Bars(names, (shares,), "share of items", "runs that solve an item")
    caption = "How many of the runs solve an item: none at the left, all at the right."
    return Plot(f"ensemble-{matrix.task}", (bars,), caption)

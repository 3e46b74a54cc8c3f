"""How far people's own answers agree, where several gave one in free words (A-OKVQA's ten)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.audit.probe import Setting
from commonsight.audit.values import Cell, Finding, Plot, Section, Table
from commonsight.score.agreement import agreement, ballots, most_votes, pairwise_agreement
from commonsight.score.intervals import Figure, figure
from commonsight.store.figures import Bars, Series

FULL_CREDIT = 3
"""An answer that so many people gave earns everything by the rule of VQA and A-OKVQA."""


class Answered(Struct, frozen=True, gc=False):
    """One item that several people answered in their own words."""

    id: str
    split: str
    cluster: str
    answers: tuple[str, ...]


class _Columns(Struct, frozen=True):
    pairs: NDArray[np.float64]
    """The share of pairs of answers that are the same."""
    most: NDArray[np.int64]
    """How many gave the most frequent answer."""
    given: NDArray[np.int64]
    different: NDArray[np.int64]


def answers_section(probe: str, answered: Sequence[Answered], setting: Setting) -> Section:
    """Agreement among direct answers, by split, and the items on which no two people agree."""
    columns = _columns(answered)
    rows = [_row(split, answered, columns, setting) for split in _splits(answered)]
    total = rows[-1]
    whole = agreement(ballots([_said(answer) for answer in item.answers] for item in answered))
    numbers = {"answers_alpha": whole.alpha.value, "answers_different": float(columns.different.mean())}
    return Section(
        probe,
        "Answers in people's own words",
        "Several people answered each question freely. Two answers are the same if they read the same, "
        "capital letters and spaces aside; synonyms count as different, so that true agreement is higher.",
        findings=(_finding(answered, columns),),
        figures={"answer_pairs": _figure(total[3]), "answer_majority": _figure(total[4])},
        numbers={name: value for name, value in numbers.items() if value is not None},
        tables=(
            Table(
                "Agreement among direct answers",
                ("split", "items", "answers an item", "same pairs", "a majority agrees",
                 f"at least {FULL_CREDIT} agree", "different answers an item"),
                tuple(rows),
                f"Where fewer than {FULL_CREDIT} gave the most frequent answer, no answer can earn all.",
            ),
        ),
        plots=(_plot(columns),),
    )  # fmt: skip


def _figure(cell: Cell) -> Figure:
    assert isinstance(cell, Figure)
    return cell


def _said(answer: str) -> str:
    return " ".join(answer.lower().split())


def _columns(answered: Sequence[Answered]) -> _Columns:
    cast = ballots([_said(answer) for answer in item.answers] for item in answered)
    return _Columns(
        pairwise_agreement(cast),
        most_votes(cast),
        np.bincount(cast.items, minlength=cast.length),
        np.array([len(set(map(_said, item.answers))) for item in answered]),
    )


def _splits(answered: Sequence[Answered]) -> list[str]:
    names = list(dict.fromkeys(item.split for item in answered))
    return names if len(names) == 1 else [*names, "all"]


def _row(split: str, answered: Sequence[Answered], columns: _Columns, setting: Setting) -> tuple[Cell, ...]:
    mine = np.array([split in (item.split, "all") for item in answered])
    clusters = [item.cluster for item, inside in zip(answered, mine, strict=True) if inside]

    def share(values: NDArray[np.float64] | NDArray[np.bool_]) -> Figure:
        return figure(values[mine], clusters, confidence=setting.confidence, seed=setting.seed)

    return (
        split,
        int(mine.sum()),
        float(columns.given[mine].mean()),
        share(columns.pairs),
        share(columns.most * 2 > columns.given),
        share(columns.most >= FULL_CREDIT),
        float(columns.different[mine].mean()),
    )


def _finding(answered: Sequence[Answered], columns: _Columns) -> Finding:
    scattered = [item.id for item, most in zip(answered, columns.most, strict=True) if most == 1]
    if not scattered:
        says = "For every question, at least two people gave the same answer."
        return Finding("low-agreement", "fine", says, value=0.0)
    return Finding(
        "low-agreement",
        "note",
        f"For {len(scattered):,} of {len(answered):,} questions no two people gave the same answer.",
        "Leave these out where free answers are scored, or let people choose among the answers given.",
        len(scattered) / len(answered),
        items=tuple(scattered),
    )


def _plot(columns: _Columns) -> Plot:
    counts = np.bincount(columns.most)[1:]
    names = tuple(str(times) for times in range(1, len(counts) + 1))
    shares = tuple(float(count) for count in counts / max(1, counts.sum()))
    series = Series("", tuple(map(float, range(len(names)))), shares)
    return Plot(
        "agreement-answers",
        (Bars(names, (series,), "share of questions"),),
        "How many people gave the most frequent answer.",
    )

"""What became of the questions: counts, distributions before and after balancing, and their figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.build.questions.facts import Index
from commonsight.store.figures import Bars, Panel, Series, log_places, write_figure

SHOWN = 25
"""How many of the most frequent a report lists."""


class Spread(Struct, frozen=True):
    """How evenly something is spread."""

    distinct: int
    effective: float
    """As many equally frequent ones would be as hard to guess (the exponential of the entropy)."""
    top_share: float
    """The share of the most frequent one."""
    most: dict[str, int]
    """The most frequent ones."""


class TypeReport(Struct, frozen=True):
    """The questions of one type."""

    questions: int
    answers: Spread
    knowledge: Spread
    guess: float
    """How often the answer is the most frequent one of its type."""
    guess_by_knowledge: float
    """How often it is the most frequent one among questions of its type that speak of the same knowledge."""


class Stage(Struct, frozen=True):
    """All questions, before or after balancing."""

    questions: int
    types: dict[str, TypeReport]
    functions: dict[int, int]
    mean_functions: float
    mean_words: float
    distinct_answers: int
    distinct_knowledge: int


class BalanceReport(Struct, frozen=True):
    """Before and after."""

    evenness: float | None
    """None if nothing was balanced."""
    before: Stage
    after: Stage


def balance_report(index: Index, kept: NDArray[np.bool_], evenness: float | None) -> BalanceReport:
    """What balancing did."""
    return BalanceReport(evenness, stage(index, np.ones(len(index), dtype=np.bool_)), stage(index, kept))


def stage(index: Index, kept: NDArray[np.bool_]) -> Stage:
    """The questions that are kept, counted."""
    types = {name: _type_report(index, places[kept[places]]) for name, places in index.by_type()}
    chosen = np.flatnonzero(kept)
    functions = np.frombuffer(index.functions, dtype=np.short)[chosen]
    words = np.frombuffer(index.words, dtype=np.short)[chosen]
    answers = np.frombuffer(index.answers, dtype=np.intc)[chosen]
    queries, some = index.all_queries(chosen), len(chosen) > 0
    return Stage(
        len(chosen), types, _counted(functions), float(functions.mean()) if some else 0.0,
        float(words.mean()) if some else 0.0, len(np.unique(answers)), len(np.unique(queries)),
    )  # fmt: skip


def _type_report(index: Index, places: NDArray[np.intp]) -> TypeReport:
    answers = np.frombuffer(index.answers, dtype=np.intc)[places]
    given = _counted(answers)
    return TypeReport(
        len(places),
        _spread(given, index.names),
        _spread(_counted(index.all_queries(places)), index.names),
        max(given.values()) / len(places) if given else 0.0,
        _guessed(index.last_queries(places), answers),
    )


def _counted(codes: NDArray[Any]) -> dict[int, int]:
    values, counts = np.unique(codes, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _spread(counts: Mapping[int, int], names: Sequence[str]) -> Spread:
    total = sum(counts.values())
    if not total:
        return Spread(0, 0.0, 0.0, {})
    entropy = -sum(count / total * math.log(count / total) for count in counts.values())
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], names[entry[0]]))
    most = {names[code]: count for code, count in ranked[:SHOWN]}
    return Spread(len(counts), math.exp(entropy), ranked[0][1] / total, most)


def _guessed(knowledge: NDArray[np.intc], answers: NDArray[np.intc]) -> float:
    """How often an answer is the most frequent one for its knowledge."""
    if not len(answers):
        return 0.0
    pairs, counts = np.unique(np.stack([knowledge, answers]), axis=1, return_counts=True)
    starts = np.flatnonzero(np.diff(pairs[0], prepend=pairs[0, 0] - 1))  # pairs are sorted by knowledge
    return float(np.maximum.reduceat(counts, starts).sum() / len(answers))


# --- figures -----------------------------------------------------------------------------------------------


def write_figures(folder: Path, index: Index, kept: NDArray[np.bool_], report: BalanceReport) -> None:
    """`answers` and `questions`, each as SVG and PNG."""
    asking = [name for name in report.before.types if not name.startswith("Verify")]
    if asking:
        panels = [_ranks(f"rank, {name}", *_answer_counts(index, kept, name)) for name in asking]
        write_figure(folder / "answers", panels, "Answers by rank, before and after balancing")
    knowledge = _ranks("rank of the knowledge", *_knowledge_counts(index, kept))
    write_figure(
        folder / "questions", [knowledge, _types(report), _functions(report)],
        "Questions, before and after balancing",
    )  # fmt: skip


def _answer_counts(index: Index, kept: NDArray[np.bool_], kind: str) -> tuple[Counter[int], Counter[int]]:
    places = next(places for name, places in index.by_type() if name == kind)
    answers = np.frombuffer(index.answers, dtype=np.intc)
    return Counter(answers[places].tolist()), Counter(answers[places[kept[places]]].tolist())


def _knowledge_counts(index: Index, kept: NDArray[np.bool_]) -> tuple[Counter[int], Counter[int]]:
    after = (query for place in np.flatnonzero(kept).tolist() for query in index.queries_of(place))
    return Counter(index.queries), Counter(after)


def _ranks(what: str, before: Counter[int], after: Counter[int]) -> Panel:
    """The share of the most frequent, the next, and so on, on logarithmic ranks."""
    series = []
    for label, counts in (("before", before), ("after", after)):
        total = counts.total()
        shares = [count / total for _, count in counts.most_common()]
        ranks = _spaced(len(shares))
        places = log_places([float(rank) for rank in ranks])
        series.append(Series(label, tuple(places), tuple(100 * shares[rank - 1] for rank in ranks)))
    most = max(len(before), 1)
    ticks = tuple((math.log10(rank), f"{rank:,}") for rank in (1, 10, 100, 1_000, 10_000) if rank <= most)
    return Panel(tuple(series), what, "% of uses", ticks=ticks)


def _spaced(count: int) -> list[int]:
    """Some ranks from 1 to the last, evenly spaced on a logarithmic axis."""
    if not count:
        return []
    return sorted({round(count ** (step / 24)) for step in range(25)})


def _types(report: BalanceReport) -> Bars:
    names = tuple(report.before.types)
    return Bars(
        tuple(name.replace("Query", "Query\n").replace("Verify", "Verify\n") for name in names),
        tuple(
            Series(label, (), tuple(_share(each.types[name].questions, each.questions) for name in names))
            for label, each in (("before", report.before), ("after", report.after))
        ),
        "% of questions, by type",
    )


def _functions(report: BalanceReport) -> Bars:
    numbers = sorted(report.before.functions)
    return Bars(
        tuple(map(str, numbers)),
        tuple(
            Series(label, (), tuple(_share(each.functions.get(n, 0), each.questions) for n in numbers))
            for label, each in (("before", report.before), ("after", report.after))
        ),
        "% of questions, by number of functions",
    )


def _share(count: int, total: int) -> float:
    return 100 * count / total if total else 0.0

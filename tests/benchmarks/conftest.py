"""Scoring as the command line does it, for tests that compute the right figures by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from commonsight.core.benchmark import Benchmark
from commonsight.score.intervals import Figure
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, Scorecard, Scoring, gather_gold, measure, scorecard
from commonsight.store.native import read_native


class Score(Protocol):
    def __call__(
        self,
        benchmark: Benchmark[Scoring],
        gold: Sequence[Path],
        given: Path | Predictions | Iterable[LoggedAnswer],
        *,
        slices: Mapping[str, Path] | None = None,
        **options: Any,
    ) -> Scorecard: ...


@pytest.fixture(scope="session")
def score() -> Score:
    """Native gold files and predictions (a file, a run's answers, or columns) into a scorecard."""

    def run(
        benchmark: Benchmark[Scoring],
        gold: Sequence[Path],
        given: Path | Predictions | Iterable[LoggedAnswer],
        *,
        slices: Mapping[str, Path] | None = None,
        **options: Any,
    ) -> Scorecard:
        scoring = benchmark.scoring
        columns = gather_gold(scoring, read_native(benchmark.native, gold), slices)
        if isinstance(given, Path):
            given = scoring.read_predictions(given)
        elif not isinstance(given, Predictions):
            given = scoring.from_answers(given)
        outcome = measure(scoring, columns, given, **options)
        return scorecard(benchmark.name, outcome, clustered_by=scoring.clustered_by)

    return run


class Counts(Protocol):
    def __call__(self, figures: Mapping[str, Figure]) -> dict[str, tuple[Any, int]]: ...


@pytest.fixture(scope="session")
def counts() -> Counts:
    """`{metric: (k, n)}`; partial sums are compared to within a rounding error."""

    def of(figures: Mapping[str, Figure]) -> dict[str, tuple[Any, int]]:
        for figure in figures.values():
            assert figure.value == (None if figure.n == 0 else figure.k / figure.n)
        return {
            name: (figure.k if isinstance(figure.k, int) else pytest.approx(figure.k), figure.n)
            for name, figure in figures.items()
        }

    return of

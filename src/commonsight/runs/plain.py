"""Any multiple-choice dataset that is of no benchmark, as one: a single task, scored by accuracy.

`build match --mode generic` makes such datasets. They have no native files and no leaderboard of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import Struct

from commonsight.core.answer import Pick
from commonsight.core.benchmark import Ask, Benchmark, Citation, NativeFormat, Task
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.score.accuracy import accuracy
from commonsight.score.answers import tally
from commonsight.score.gold import GoldColumn
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Scoring
from commonsight.store.info import DatasetInfo

NAME = "choose"


def choose(item: Item) -> Ask:
    """Everything that the item tells, and its choices."""
    return Ask(item.id, NAME, item.scenes, item.texts, "pick", item.choices, item.gold)


def group(item: Item) -> str:
    """What items share, by the first of their groups; an item without any is alone."""
    return next(iter(item.groups.values()), item.id)


CHOOSE = Task(NAME, "Choose one", choose, ("accuracy",), "group")


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's picks."""
    given, failures, _ = tally(answers)
    picks = [a.index if isinstance(a := row.get(NAME), Pick) else -1 for row in given.values()]
    return Predictions(
        pa.array(list(given), pa.string()), {"pick": np.array(picks, dtype=np.int64)}, failures
    )


def _no_predictions(path: Path) -> Predictions:
    raise UsageError(f"{path}: a dataset of no benchmark has no format of predictions. Give a run's folder.")


class _NoRecord(Struct):
    pass


def _no_native(*_: object) -> Any:
    raise UsageError("A dataset of no benchmark has no native files.")


def plain_benchmark(info: DatasetInfo) -> Benchmark[Scoring]:
    """The benchmark that a dataset is on its own."""
    return Benchmark(
        name=info.benchmark,
        title=info.title or info.name,
        summary=info.description,
        citation=Citation("", info.name, "", 0, ""),
        licence=info.licence,
        homepage=info.homepage,
        native=NativeFormat("lines", _NoRecord, _no_native, _no_native, _no_native, frozenset()),
        native_files="",
        native_predictions="",
        tasks=(CHOOSE,),
        scoring=Scoring(
            gold={"label": GoldColumn("int", lambda item: item.gold.index)},  # type: ignore[union-attr]
            labelled=lambda item: isinstance(item.gold, Pick),
            cluster_of=group,
            clustered_by="group",
            read_predictions=_no_predictions,
            from_answers=from_answers,
            measure=lambda gold, given: {"accuracy": MetricColumn(accuracy(gold["label"], given["pick"]))},
            answered=lambda _, given: {NAME: given["pick"]},
        ),
    )

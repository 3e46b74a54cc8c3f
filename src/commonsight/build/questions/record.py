"""Made questions as rows of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from commonsight.build.questions.generate import Made
from commonsight.store.rows import as_json, plain_batch


class Picture(NamedTuple):
    """What all questions about a picture share."""

    number: str
    split: str
    provenance: dict[str, Any]
    extra: dict[str, Any]

    def ids(self, count: int) -> list[str]:
        """The ids of so many questions about it."""
        return [f"{self.number}-{place}" for place in range(count)]


class QuestionRows:
    """Rows while they are put together, without their scenes: straight into columns, as they are many."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._columns: dict[str, list[Any]] = {}

    def add(self, made: Sequence[Made], about: Picture, novelty: Callable[[Made], str | None]) -> None:
        """The questions about one picture, with the parts of both graphs that they were made from and, where
        there is such to tell, whether their knowledge is new."""
        count = len(made)
        groups = {
            kind: as_json({"image": about.number, "question_type": kind})
            for kind in dict.fromkeys(each.question.type for each in made)
        }
        columns: dict[str, list[Any]] = {
            "id": about.ids(count),
            "split": [about.split] * count,
            "gold_text": [each.answer for each in made],
            "gold_object": [each.target[0] if each.target else None for each in made],
            "target": [each.target for each in made],
            "program": [as_json(each.program) for each in made],
            "groups": [groups[each.question.type] for each in made],
            "provenance": [as_json(about.provenance)] * count,
            "extra": [as_json(_extra(each, about.extra, novelty(each))) for each in made],
        }
        for name, values in columns.items():
            self._columns.setdefault(name, []).extend(values)
        self._texts += [each.text for each in made]

    def batch(self) -> pa.RecordBatch:
        """All that were added."""
        kinds = ["grounded"] * len(self._texts)
        return plain_batch({**self._columns, "gold_kind": kinds}, "question", self._texts)


def _extra(made: Made, shared: dict[str, Any], novelty: str | None) -> dict[str, Any]:
    own = {"sub_graph": made.subgraph, "wrong_part": made.question.wrong, "knowledge": novelty}
    return {name: value for name, value in own.items() if value is not None} | shared

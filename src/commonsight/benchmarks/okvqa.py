"""OK-VQA (Marino et al., 2019), and VQA v2: questions about COCO images, answered in one's own words.

Both are read in the layout in which LXMERT's authors released VQA v2, and others OK-VQA: one JSON array,
whose records carry the answers with soft scores, min(1, people / 3). Items hold each answer once for every
third of its score, so that a direct answer scores, and teaches, as much as the file says, to the nearest
third.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import UNSET, Struct, UnsetType, json

from commonsight.benchmarks.aokvqa import ask_directly, plain
from commonsight.core.answer import FreeText
from commonsight.core.benchmark import Benchmark, Citation, NativeFormat, Source, Task
from commonsight.core.item import Item
from commonsight.core.prompt import plain_prompt
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.score.answers import tally
from commonsight.score.direct_answer import ENOUGH, direct_answer
from commonsight.score.gold import GoldColumn
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Said, Scoring
from commonsight.store.jsonfiles import read_lines
from commonsight.store.native import FieldError


class OkvqaRecord(Struct):
    """One record of `{train,testdev}.json`."""

    sent: str
    question_id: int
    img_id: str
    label: dict[str, float] | UnsetType = UNSET
    """Answers with their scores."""


def to_item(record: OkvqaRecord, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item."""
    extra = dict(unknown)
    if record.label is not UNSET:
        extra["label"] = record.label
    return Item(
        str(record.question_id),
        source.split,
        (Scene(f"{record.img_id}.jpg"),),
        {"question": TaggedText.plain(record.sent)},
        direct_answers=tuple(_answers(record.label)),
        groups={"image": record.img_id},
        extra=extra,
    )


def _answers(label: Mapping[str, float] | UnsetType) -> Iterator[str]:
    for answer, score in () if label is UNSET else label.items():
        if not 0 <= score <= 1:
            raise FieldError("label", f"'{answer}' has a score of {score:g}", "Scores are from 0 to 1.")
        if answer:  # twelve training records score an empty text, which is no answer
            yield from (answer,) * round(score * ENOUGH)


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    return {
        "sent": plain(item.texts["question"]),
        "question_id": int(item.id),
        "img_id": item.groups["image"],
        **item.extra,
    }


class OkvqaPrediction(Struct):
    """One line of a file of predictions."""

    question_id: int
    answer: str


def read_predictions(path: Path) -> Predictions:
    """JSON lines `{"question_id", "answer"}`."""
    rows = [record.value for record in read_lines(path, OkvqaPrediction)]
    ids, said = [str(row.question_id) for row in rows], [row.answer for row in rows]
    return Predictions(
        pa.array(ids, pa.string()), {"direct_answer": pa.array(said, pa.string())}, source=str(path)
    )


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's answers."""
    given, failures, _ = tally(answers)
    said = [a.text if isinstance(a := row.get("da"), FreeText) else None for row in given.values()]
    columns = {"direct_answer": pa.array(said, pa.string())}
    return Predictions(pa.array(list(given), pa.string()), columns, failures)


def hand_in(said: Iterable[Said]) -> Iterator[str]:
    """A line a question; an answer that could not be read is an empty text."""
    for one in said:
        answer = one.answers.get("da")
        text = answer.text if isinstance(answer, FreeText) else ""
        yield f"{json.encode(OkvqaPrediction(int(one.item.id), text)).decode()}\n"


def measure(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, MetricColumn]:
    """`da`: as many thirds as people gave the answer, at most 1."""
    everything = np.zeros(len(given["direct_answer"]), np.bool_)
    return {"da": MetricColumn(direct_answer(gold["direct"], given["direct_answer"], everything))}


def answered(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The direct answers."""
    del gold
    return {"da": given["direct_answer"]}


OKVQA = Benchmark(
    name="okvqa",
    title="OK-VQA",
    summary="Questions about photographs that need outside knowledge, answered in free text. VQA v2 is read "
    "alike.",
    citation=Citation(
        "Kenneth Marino, Mohammad Rastegari, Ali Farhadi and Roozbeh Mottaghi",
        "OK-VQA: A Visual Question Answering Benchmark Requiring External Knowledge",
        "CVPR",
        2019,
        "https://arxiv.org/abs/1906.00067",
    ),
    licence="CC BY 4.0 (annotations); the images are COCO's",
    homepage="https://okvqa.allenai.org",
    native=NativeFormat(
        layout="array",
        record=OkvqaRecord,
        to_item=to_item,
        from_item=from_item,
        file_name=lambda item: f"{item.split}.json",
        telling=frozenset(("sent", "question_id", "img_id")),
        native_names={"id": "question_id"},
    ),
    native_files="{train,testdev}.json, with the answers' soft scores",
    native_predictions='JSON lines: {"question_id", "answer"}',
    tasks=(
        Task(
            "da",
            "Answer in your own words",
            ask_directly,
            ("da",),
            "image",
            plain_prompt("okvqa.da@1", "Look at the picture and answer the question."),
        ),
    ),
    scoring=Scoring(
        gold={"direct": GoldColumn("texts", lambda item: item.direct_answers)},
        labelled=lambda item: bool(item.direct_answers),
        cluster_of=lambda item: item.groups["image"],
        clustered_by="image",
        read_predictions=read_predictions,
        from_answers=from_answers,
        hand_in=hand_in,
        measure=measure,
        answered=answered,
    ),
)

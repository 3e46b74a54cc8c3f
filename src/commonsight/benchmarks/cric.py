"""CRIC, Compositional Reasoning on vIsion and Commonsense: Gao et al., 2019.

Questions generated from scene graphs and a knowledge graph. An answer counts together with the object it
points to; a "no" points to none, and `wrong_part` says which part of the question does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, Meta, Struct, UnsetType, json

from commonsight.core.answer import Grounded
from commonsight.core.benchmark import Ask, Benchmark, Citation, NativeFormat, PublishedRow, Source, Task
from commonsight.core.item import Item
from commonsight.core.program import FUNCTIONS, Program, Step
from commonsight.core.prompt import plain_prompt
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.graph.published import function_name
from commonsight.score.answers import tally
from commonsight.score.bins import LENGTH_BINS, SIZE_BINS, bin_of
from commonsight.score.gold import GoldColumn
from commonsight.score.grounding import NO_OBJECT, grounded
from commonsight.score.prediction_files import read_records
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Said, Scoring
from commonsight.store.native import FieldError

QUESTION_TYPES = ("QueryObjKG", "QueryObjSG", "QueryAtt", "VerifyKG", "VerifyAtt")

ObjectId = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""As Visual Genome numbers its objects; none is negative, so that -1 can stand for "no object"."""


class SubGraph(Struct):
    """The visual relations, attributes and knowledge items that the question was made from."""

    relations: list[Any] = []
    attributes: list[Any] = []
    knowledge_items: list[Any] = []


class CricRecord(Struct):
    """One record of `{train,val,test_v1}_questions.json`."""

    question_id: str
    image_id: int
    question: str
    question_type: str | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    target: tuple[ObjectId, ...] | UnsetType = UNSET
    program: list[dict[str, Any]] | UnsetType = UNSET
    sub_graph: dict[str, Any] | UnsetType = UNSET
    wrong_part: Any | UnsetType = UNSET


KEPT = ("sub_graph", "wrong_part")
STEP_LISTS = ("text_input", "output", "dependencies")


def to_item(record: CricRecord, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item."""
    if record.sub_graph is not UNSET:
        _check_sub_graph(record.sub_graph)
    target = None if record.target is UNSET else record.target
    if record.answer == "no" and target:
        raise FieldError("target", "the answer is no, yet there is a target", "A no points to no object.")
    gold = None
    if record.answer is not UNSET:
        gold = Grounded(record.answer, target[0] if target else None)
    return Item(
        record.question_id,
        source.split,
        (Scene(f"{record.image_id}.jpg"),),
        {"question": TaggedText.plain(record.question)},
        gold=gold,
        target=target,
        program=None if record.program is UNSET else Program(tuple(map(_step, record.program))),
        groups={
            "image": str(record.image_id),
            **({} if record.question_type is UNSET else {"question_type": record.question_type}),
        },
        extra={**{name: v for name in KEPT if (v := getattr(record, name)) is not UNSET}, **unknown},
    )


def _check_sub_graph(graph: dict[str, Any]) -> None:
    for name in SubGraph.__struct_fields__:
        if not isinstance(graph.get(name, []), list):
            raise FieldError(
                f"sub_graph.{name}", "this is not a list", "Write a list, empty if there are none."
            )


def _step(raw: dict[str, Any]) -> Step:
    rest = dict(raw)
    function = rest.pop("function", None)
    if not isinstance(function, str) or function_name(function) is None:
        known = ", ".join(FUNCTIONS)
        raise FieldError("program.function", f"{function!r} is no function of CRIC", f"The ten are: {known}.")
    given = {name: rest[name] for name in STEP_LISTS if rest.get(name) is not None}
    for name in given:
        del rest[name]  # a null stays where it is: it is not the same as no field
    words, output, inputs = map(given.get, STEP_LISTS)
    if not all(value is None or isinstance(value, list) for value in (words, output, inputs)):
        message = "text_input, output and dependencies must be lists"
        raise FieldError("program", message, "Write a list, empty if there is nothing.")
    if words is not None and not all(isinstance(word, str) for word in words):
        rest["text_input"], words = words, None  # nested queries: kept as they are
    if output is not None and not all(type(value) in (int, str) for value in output):
        rest["output"], output = output, None
    if inputs is not None and not all(type(value) is int for value in inputs):
        raise FieldError("program.dependencies", "these are not step numbers", "Count steps from 0.")
    return Step(
        function,
        None if words is None else tuple(words),
        None if output is None else tuple(output),
        None if inputs is None else tuple(inputs),
        rest,
    )


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    record: dict[str, Any] = {
        "question_id": item.id,
        "image_id": int(item.groups["image"]),
        "question": item.texts["question"].tokens[0],
    }
    if "question_type" in item.groups:
        record["question_type"] = item.groups["question_type"]
    if isinstance(item.gold, Grounded):
        record["answer"] = item.gold.text
    if item.target is not None:
        record["target"] = list(item.target)
    if item.program is not None:
        record["program"] = [_raw_step(step) for step in item.program.steps]
    return {**record, **item.extra}


def _raw_step(step: Step) -> dict[str, Any]:
    raw: dict[str, Any] = {"function": step.function}
    for name, value in (
        ("text_input", step.text_input),
        ("output", step.output),
        ("dependencies", step.inputs),
    ):
        if value is not None:
            raw[name] = list(value)
    return {**raw, **step.extra}


def ask(item: Item) -> Ask:
    """The question, and the object that the answer is about."""
    told = item.gold, item.target, item.program
    return Ask(item.id, "answer", item.scenes, item.texts, "grounded", (), *told)


class CricPrediction(Struct):
    """One line of predictions; `object_id` null points to no object."""

    question_id: str
    answer: str
    object_id: ObjectId | None


def read_predictions(path: Path) -> Predictions:
    """JSON lines `{"question_id", "answer", "object_id"}`."""
    rows = read_records(path, CricPrediction)
    objects = [NO_OBJECT if row.object_id is None else row.object_id for row in rows]
    return Predictions(
        pa.array([row.question_id for row in rows], pa.string()),
        {
            "answer": pa.array([row.answer for row in rows], pa.string()),
            "object": np.array(objects, dtype=np.int64),
        },
        source=str(path),
    )


UNREAD = -2
"""The object of an answer that could not be read: neither an object nor "none", so never right."""


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's grounded answers."""
    given, failures, _ = tally(answers)
    said: list[str | None] = []
    objects: list[int] = []
    for row in given.values():
        answer = row.get("answer")
        read = isinstance(answer, Grounded)
        said.append(answer.text if read else None)  # type: ignore[union-attr]
        pointed = answer.object_id if read else UNREAD  # type: ignore[union-attr]
        objects.append(NO_OBJECT if pointed is None else pointed)
    return Predictions(
        pa.array(list(given), pa.string()),
        {"answer": pa.array(said, pa.string()), "object": np.array(objects, dtype=np.int64)},
        failures,
    )


def hand_in(said: Iterable[Said]) -> Iterator[str]:
    """A line for every question whose answer could be read."""
    for one in said:
        if isinstance(answer := one.answers.get("answer"), Grounded):
            line = CricPrediction(one.item.id, answer.text, answer.object_id)
            yield json.encode(line).decode() + "\n"


def measure(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, MetricColumn]:
    """`answer`, `grounding`, and `final`: both right."""
    right = np.asarray(pc.fill_null(pc.equal(gold["answer"], given["answer"]), False))
    score = grounded(right, gold["target"], given["object"])
    return {
        "answer": MetricColumn(score.answer),
        "grounding": MetricColumn(score.grounding),
        "final": MetricColumn(score.final),
    }


def answer_kind(item: Item) -> tuple[str, ...]:
    """Verify if the answer is yes or no, else recognize (section 3, evaluation protocol)."""
    assert isinstance(item.gold, Grounded)
    return ("verify",) if item.gold.text in ("yes", "no") else ("recognize",)


def length_bin(item: Item) -> tuple[str, ...]:
    """The bin of the question's length in words."""
    return (bin_of(len(str(item.texts["question"].tokens[0]).split()), LENGTH_BINS),)


def graph_bin(item: Item) -> tuple[str, ...]:
    """The bin of how many attributes, relations and knowledge items the question rests on (Figure 11)."""
    graph = item.extra.get("sub_graph")
    if graph is None:
        return ()
    return (bin_of(sum(len(graph.get(name, ())) for name in SubGraph.__struct_fields__), SIZE_BINS),)


def knowledge_kind(item: Item) -> tuple[str, ...]:
    """Whether any training question speaks of the knowledge that a question needs: new or known. Only where
    `build questions --new-knowledge` has said so."""
    told = item.extra.get("knowledge")
    return (told,) if told in ("new", "known") else ()


CRIC = Benchmark(
    name="cric",
    title="CRIC",
    summary="Compositional questions on scene and knowledge graphs: answer, and point to the object.",
    citation=Citation(
        "Difei Gao, Ruiping Wang, Shiguang Shan and Xilin Chen",
        "CRIC: A VQA Dataset for Compositional Reasoning on Vision and Commonsense",
        "IEEE TPAMI",
        2022,
        "https://arxiv.org/abs/1908.02962",
    ),
    licence="As published on its page; the images are Visual Genome's",
    homepage="https://cricvqa.github.io",
    native=NativeFormat(
        layout="array",
        record=CricRecord,
        to_item=to_item,
        from_item=from_item,
        file_name=lambda item: f"{'test_v1' if item.split == 'test' else item.split}_questions.json",
        telling=frozenset(("question_id", "image_id", "sub_graph", "program")),
        native_names={"id": "question_id", "gold": "answer"},
    ),
    native_files="{train,val,test_v1}_questions.json",
    native_predictions='JSON lines: {"question_id", "answer", "object_id" or null}',
    tasks=(
        Task(
            "answer",
            "Answer and point to the object",
            ask,
            ("answer", "grounding", "final"),
            "image",
            plain_prompt(
                "cric.answer@1",
                "Look at the picture, answer the question, and point to the object that the answer is about.",
            ),
        ),
    ),
    scoring=Scoring(
        gold={
            "answer": GoldColumn("text", lambda item: item.gold.text),  # type: ignore[union-attr]
            "target": GoldColumn("ints", lambda item: item.target or ()),
        },
        labelled=lambda item: item.gold is not None and item.target is not None,
        cluster_of=lambda item: item.groups["image"],
        clustered_by="image",
        read_predictions=read_predictions,
        from_answers=from_answers,
        hand_in=hand_in,
        measure=measure,
        answered=lambda _, given: {"answer": given["answer"]},
        slices={
            "answer_kind": answer_kind,
            "question_type": lambda item: (
                (item.groups["question_type"],) if "question_type" in item.groups else ()
            ),
            "functions": lambda item: () if item.program is None else (str(len(item.program)),),
            "question_length": length_bin,
            "graph_size": graph_bin,
            "knowledge": knowledge_kind,
        },
    ),
    published=(PublishedRow("ViLBERT + attention loss", "test", {"final": 0.5376}, "section 4.2.1"),),
)

"""VCR (visual commonsense): Zellers et al., 2019.

A question about a movie frame, four answers, then four rationales for the right answer. Both steps point to
detected people and things by tags. Not to be confused with VCR-wiki, a text-in-image benchmark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import UNSET, Struct, UnsetType
from numpy.typing import NDArray

from commonsight.benchmarks import movies
from commonsight.benchmarks.movies import Tokens
from commonsight.core.answer import Pick
from commonsight.core.benchmark import (
    Ask,
    Benchmark,
    Citation,
    NativeFormat,
    PublishedRow,
    Source,
    Task,
)
from commonsight.core.item import Item
from commonsight.core.prompt import plain_prompt
from commonsight.core.text import TaggedText
from commonsight.errors import PredictionError, UsageError
from commonsight.score.accuracy import accuracy
from commonsight.score.answers import tally
from commonsight.score.gold import GoldColumn
from commonsight.score.prediction_files import csv_batches, numbers
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Said, Scoring
from commonsight.score.staged import staged
from commonsight.store.native import FieldError
from commonsight.text.question_types import question_types

CHOICES = 4
SPLITS = frozenset(("train", "val", "test"))


class VcrRecord(Struct, omit_defaults=True):
    """One line of `{train,val,test}.jsonl`; test lines carry no labels."""

    annot_id: str
    img_fn: str
    objects: tuple[str, ...]
    answer_choices: tuple[Tokens, ...]
    question: Tokens | UnsetType = UNSET
    premise: Tokens | UnsetType = UNSET
    """Some derived sets put the rationale before the question and call the whole a premise."""
    answer_label: int | UnsetType = UNSET
    rationale_choices: tuple[Tokens, ...] | UnsetType = UNSET
    rationale_label: int | UnsetType = UNSET
    movie: str | UnsetType = UNSET
    img_id: str | UnsetType = UNSET
    metadata_fn: str | UnsetType = UNSET
    question_number: int | UnsetType = UNSET
    question_orig: str | list[str] | UnsetType = UNSET
    answer_orig: str | list[str] | UnsetType = UNSET
    rationale_orig: str | list[str] | UnsetType = UNSET
    interesting_scores: list[int] | UnsetType = UNSET
    answer_likelihood: str | UnsetType = UNSET
    answer_match_iter: list[int] | UnsetType = UNSET
    answer_sources: list[int] | UnsetType = UNSET
    rationale_match_iter: list[int] | UnsetType = UNSET
    rationale_sources: list[int] | UnsetType = UNSET
    match_fold: str | UnsetType = UNSET
    match_index: int | UnsetType = UNSET


GROUPS = {"movie": "movie", "img_id": "image"}
PROVENANCE = (
    "answer_match_iter", "answer_sources", "rationale_match_iter", "rationale_sources",
    "match_fold", "match_index",
)  # fmt: skip
KEPT = (
    "metadata_fn", "question_number", "question_orig", "answer_orig", "rationale_orig", "interesting_scores",
    "answer_likelihood",
)  # fmt: skip


def to_item(record: VcrRecord, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item."""
    texts = {}
    if record.question is not UNSET:
        texts["question"] = TaggedText(record.question)
    if record.premise is not UNSET:
        texts["premise"] = TaggedText(record.premise)
    if not texts:
        raise FieldError("question", "the record has neither a question nor a premise", "Add the question.")
    rationales = record.rationale_choices
    _refuse_other_than_four("answer_choices", len(record.answer_choices))
    if rationales is not UNSET:
        _refuse_other_than_four("rationale_choices", len(rationales))
    return Item(
        record.annot_id,
        source.split,
        (movies.scene(record.img_fn, record.objects),),
        texts,
        movies.texts(record.answer_choices),
        None if record.answer_label is UNSET else Pick(record.answer_label),
        () if rationales is UNSET else movies.texts(rationales),
        None if record.rationale_label is UNSET else record.rationale_label,
        groups={ours: v for name, ours in GROUPS.items() if (v := getattr(record, name)) is not UNSET},
        provenance={name: v for name in PROVENANCE if (v := getattr(record, name)) is not UNSET},
        extra={**{name: v for name in KEPT if (v := getattr(record, name)) is not UNSET}, **unknown},
    )


def _refuse_other_than_four(field: str, count: int) -> None:
    if count != CHOICES:
        raise FieldError(field, f"{count} choices, not {CHOICES}", f"VCR has exactly {CHOICES} of each.")


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    record: dict[str, Any] = {
        "annot_id": item.id,
        "img_fn": item.scenes[0].image,
        "objects": list(item.scenes[0].labels),
        **{role: text.native() for role, text in item.texts.items()},
        "answer_choices": movies.native(item.choices),
    }
    if isinstance(item.gold, Pick):
        record["answer_label"] = item.gold.index
    if item.rationales:
        record["rationale_choices"] = movies.native(item.rationales)
    if item.rationale_gold is not None:
        record["rationale_label"] = item.rationale_gold
    record |= {name: item.groups[ours] for name, ours in GROUPS.items() if ours in item.groups}
    return {**record, **item.provenance, **item.extra}


def split_of(record: VcrRecord) -> str | None:
    """The split that the id begins with, as in `val-35`."""
    prefix, dash, _ = record.annot_id.partition("-")
    return prefix if dash and prefix in SPLITS else None


def ask_answer(item: Item) -> Ask:
    """Q→A: the question and four answers."""
    return Ask(item.id, "q2a", item.scenes, item.texts, "pick", item.choices, item.gold)


def ask_rationale(item: Item) -> Ask:
    """QA→R: the question, the gold answer given, and four rationales."""
    if not isinstance(item.gold, Pick):
        raise ValueError(f"item {item.id} has no gold answer to give")
    return ask_rationale_of(item, item.gold.index)


def ask_rationale_of(item: Item, answer: int) -> Ask:
    """The same with any answer given: the leaderboard wants the rationale that follows from each."""
    texts = {**item.texts, "given_answer": item.choices[answer]}
    gold = None if item.rationale_gold is None else Pick(item.rationale_gold)
    return Ask(item.id, "qa2r", item.scenes, texts, "pick", item.rationales, gold)


ANSWER_COLUMNS = tuple(f"answer_{i}" for i in range(CHOICES))
RATIONALE_COLUMNS = tuple(
    f"rationale_conditioned_on_a{a}_{r}" for a in range(CHOICES) for r in range(CHOICES)
)


def read_predictions(path: Path) -> Predictions:
    """The leaderboard's CSV: `annot_id`, 4 answer scores, 16 rationale scores (4 on each answer)."""
    columns = (*ANSWER_COLUMNS, *RATIONALE_COLUMNS)
    types = {"annot_id": pa.string(), **dict.fromkeys(columns, pa.float64())}
    ids, answers, rationales, row = [], [], [], 2  # row 1 is the header
    for batch in csv_batches(path, types):
        scores = numbers(path, batch, columns, row)
        ids.append(batch.column("annot_id"))
        answers.append(scores[:, :CHOICES].argmax(1).astype(np.int8))
        rationales.append(scores[:, CHOICES:].reshape(-1, CHOICES, CHOICES).argmax(2).astype(np.int8))
        row += batch.num_rows
    if not ids:
        raise PredictionError(f"{path}: the file holds no predictions. Was it written in full?")
    return Predictions(
        pa.concat_arrays(ids),
        {"answer": np.concatenate(answers), "rationale": np.concatenate(rationales)},
        source=str(path),
    )


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's picks. Its rationales were asked with the gold answer given: they hold for that condition."""
    given, failures, tasks = tally(answers)

    def picks(task: str) -> NDArray[np.int64]:
        said = [a.index if isinstance(a := row.get(task), Pick) else -1 for row in given.values()]
        return np.array(said, dtype=np.int64)

    columns: dict[str, Any] = {"answer": picks("q2a")} if "q2a" in tasks else {}
    if "qa2r" in tasks:
        columns["rationale"] = np.repeat(picks("qa2r")[:, None], CHOICES, axis=1)
    return Predictions(pa.array(list(given), pa.string()), columns, failures)


def hand_in(said: Iterable[Said]) -> Iterator[str]:
    """The leaderboard's CSV: for every item 4 answer scores and 16 rationale scores, 4 for each answer given.

    A score is the probability that the model told, else 1 for its pick; what could not be read scores 0.
    """
    yield ",".join(("annot_id", *ANSWER_COLUMNS, *RATIONALE_COLUMNS)) + "\n"
    for one in said:
        gold = one.item.gold.index if isinstance(one.item.gold, Pick) else None
        keys = ["q2a", *("qa2r" if place == gold else f"qa2r@{place}" for place in range(CHOICES))]
        missing = [key for key in keys if key not in one.answers]
        if missing:
            raise UsageError(
                f"Item {one.item.id} was not asked as {', '.join(missing)}, and VCR's leaderboard wants the "
                "rationale for each answer. Ask both tasks, with --given all."
            )
        scores = [score for key in keys for score in _scores(one, key)]
        yield ",".join((one.item.id, *(f"{score:.6g}" for score in scores))) + "\n"


def _scores(said: Said, key: str) -> tuple[float, ...]:
    answer = said.answers[key]
    told = said.chances.get(key)
    if not isinstance(answer, Pick):
        return (0.0,) * CHOICES
    picked = tuple(float(place == answer.index) for place in range(CHOICES))
    # A reply and its probabilities may disagree: the reply is the answer.
    agrees = told is not None and len(told) == CHOICES and max(told) == told[answer.index]
    return told if agrees and told is not None else picked


def measure(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, MetricColumn]:
    """`q2a`, `qa2r` and `q2ar`; a run of one step alone has only its own."""
    if "rationale" not in given:  # a run of the first step alone
        return {"q2a": MetricColumn(accuracy(gold["answer"], given["answer"]))}
    answer = given.get("answer", np.full(len(gold["answer"]), -1, dtype=np.int8))
    score = staged(gold["answer"], gold["rationale"], answer, given["rationale"])
    rationale = {"qa2r": MetricColumn(score.rationale)}
    if "answer" not in given:  # a run of the second step alone
        return rationale
    return {"q2a": MetricColumn(score.answer), **rationale, "q2ar": MetricColumn(score.both)}


def answered(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The answer, and the rationale on the condition of the right answer: the one that QA→R asks for."""
    said = {"q2a": given["answer"]} if "answer" in given else {}
    if "rationale" in given:
        said["qa2r"] = given["rationale"][np.arange(len(gold["answer"])), gold["answer"]]
    return said


def types_of(item: Item) -> tuple[str, ...]:
    """The question's types by the rules of the paper's Table 4; a question may have several."""
    text = item.texts.get("question", item.texts.get("premise"))
    words = "" if text is None else " ".join(token for token in text.tokens if isinstance(token, str))
    return question_types(words) or ("Other",)


VCR = Benchmark(
    name="vcr",
    title="VCR (visual commonsense)",
    summary="Questions about movie frames: pick the answer, then the rationale that justifies it.",
    citation=Citation(
        "Rowan Zellers, Yonatan Bisk, Ali Farhadi and Yejin Choi",
        "From Recognition to Cognition: Visual Commonsense Reasoning",
        "CVPR",
        2019,
        "https://arxiv.org/abs/1811.10830",
    ),
    licence="Free for research use; the images are movie frames and are not redistributable",
    homepage="https://visualcommonsense.com",
    native=NativeFormat(
        layout="lines",
        record=VcrRecord,
        to_item=to_item,
        from_item=from_item,
        file_name=lambda item: f"{item.split}.jsonl",
        telling=frozenset(("annot_id", "answer_choices", "img_fn")),
        split_of=split_of,
        native_names={
            "id": "annot_id",
            "choices": "answer_choices",
            "gold": "answer_label",
            "rationales": "rationale_choices",
            "rationale_gold": "rationale_label",
        },
        sidecar=movies.METADATA,
    ),
    native_files="{train,val,test}.jsonl and a metadata JSON per image",
    native_predictions="CSV: annot_id, answer_0..3, rationale_conditioned_on_a0_0 … a3_3",
    tasks=(
        Task(
            "q2a",
            "Q→A: answer the question",
            ask_answer,
            ("q2a",),
            "image",
            plain_prompt("vcr.q2a@1", "Look at the picture and pick the answer to the question."),
        ),
        Task(
            "qa2r",
            "QA→R: justify the given right answer",
            ask_rationale,
            ("qa2r", "q2ar"),
            "image",
            plain_prompt(
                "vcr.qa2r@1",
                "A question about the picture is given with its answer. Pick the reason why it is right.",
            ),
            ask_rationale_of,
        ),
    ),
    scoring=Scoring(
        gold={
            "answer": GoldColumn("int", lambda item: item.gold.index),  # type: ignore[union-attr]
            "rationale": GoldColumn("int", lambda item: item.rationale_gold),
        },
        labelled=lambda item: item.gold is not None and item.rationale_gold is not None,
        cluster_of=lambda item: item.groups.get("image", item.scenes[0].image),
        clustered_by="image",
        read_predictions=read_predictions,
        from_answers=from_answers,
        hand_in=hand_in,
        measure=measure,
        answered=answered,
        slices={"question_type": types_of},
    ),
    published=(
        PublishedRow("Chance", "test", {"q2a": 0.25, "qa2r": 0.25, "q2ar": 0.0625}, "Table 1", True),
        PublishedRow("Human", "test", {"q2a": 0.91, "qa2r": 0.93, "q2ar": 0.85}, "Table 1"),
    ),
)

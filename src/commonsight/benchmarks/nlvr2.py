"""NLVR2: Suhr et al., 2019. Is the sentence true of this pair of photographs?

An identifier reads split-set-pair-sentence; examples that differ only in the pair share one sentence, and
consistency asks for all of them to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, Struct, UnsetType

from commonsight.core.answer import Verdict
from commonsight.core.benchmark import Ask, Benchmark, Citation, NativeFormat, PublishedRow, Source, Task
from commonsight.core.item import Item
from commonsight.core.prompt import plain_prompt
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, PredictionError
from commonsight.score.accuracy import accuracy
from commonsight.score.answers import tally
from commonsight.score.gold import GoldColumn, SliceOf
from commonsight.score.human import Judgement, WorkerMean, worker_mean
from commonsight.score.prediction_files import csv_batches
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Said, Scoring, SliceSource
from commonsight.store.jsonfiles import numbered_lines, read_lines
from commonsight.store.native import FieldError

NAMES = {"true": 1, "false": 0}


class Nlvr2Record(Struct):
    """One line of `{train,dev,test1,test2}.json`."""

    sentence: str
    identifier: str
    left_url: str
    right_url: str
    label: Literal["True", "False"] | UnsetType = UNSET
    writer: str | UnsetType = UNSET
    synset: str | UnsetType = UNSET
    query: str | UnsetType = UNSET
    validation: dict[str, str] | UnsetType = UNSET
    extra_validations: dict[str, str] | UnsetType = UNSET


KEPT = ("left_url", "right_url", "writer", "synset", "query", "validation", "extra_validations")


class Identifier(Struct, frozen=True):
    """The four parts of an identifier: split-set-pair-sentence."""

    split: str
    image_set: str
    pair: str
    sentence: str

    @classmethod
    def parse(cls, identifier: str) -> Identifier:
        parts = identifier.split("-")
        if len(parts) != 4 or not all(parts):
            message = f"'{identifier}' does not read split-set-pair-sentence"
            raise FieldError("identifier", message, "Write it as dev-850-0-1.")
        return cls(*parts)

    @property
    def sentence_group(self) -> str:
        """What all examples of one sentence share: the identifier without the pair's number."""
        return f"{self.split}-{self.image_set}-{self.sentence}"


def to_item(record: Nlvr2Record, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item with two scenes, left and right."""
    identifier = Identifier.parse(record.identifier)
    images = f"{identifier.split}-{identifier.image_set}-{identifier.pair}"
    return Item(
        record.identifier,
        source.split,
        (Scene(f"{images}-img0.png"), Scene(f"{images}-img1.png")),
        {"sentence": TaggedText.plain(record.sentence)},
        gold=None if record.label is UNSET else Verdict(record.label == "True"),
        groups={"sentence": identifier.sentence_group, "set": f"{identifier.split}-{identifier.image_set}"},
        extra={**{name: v for name in KEPT if (v := getattr(record, name)) is not UNSET}, **unknown},
    )


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    return {
        "sentence": item.texts["sentence"].tokens[0],
        "identifier": item.id,
        **({"label": str(item.gold.value)} if isinstance(item.gold, Verdict) else {}),
        **item.extra,
    }


def split_of(record: Nlvr2Record) -> str:
    """The identifier's first part."""
    return Identifier.parse(record.identifier).split


def ask(item: Item) -> Ask:
    """The sentence and both photographs: true or false?"""
    return Ask(item.id, "verify", item.scenes, item.texts, "verdict", (), item.gold)


def read_predictions(path: Path) -> Predictions:
    """CSV lines `identifier,True` or `identifier,False`; a header is optional."""
    types = {"identifier": pa.string(), "prediction": pa.string()}
    ids, verdicts, row = [], [], 1
    for batch in csv_batches(path, types, header=False):
        names, values = batch.column("identifier"), batch.column("prediction")
        lowered = pc.utf8_lower(pc.utf8_trim_whitespace(values))
        if row == 1 and len(names) and _is_header(names[0].as_py(), lowered[0].as_py()):
            names, lowered, row = names[1:], lowered[1:], 2
        true, false = pc.equal(lowered, "true"), pc.equal(lowered, "false")
        _refuse_other(path, names, lowered, pc.or_(true, false), row)
        ids.append(names)
        verdicts.append(np.asarray(true).astype(np.int8))
        row += len(names)
    if not any(map(len, ids)):
        raise PredictionError(f"{path}: the file holds no predictions. Was it written in full?")
    return Predictions(pa.concat_arrays(ids), {"verdict": np.concatenate(verdicts)}, source=str(path))


def hand_in(said: Iterable[Said]) -> Iterator[str]:
    """A line for every sentence whose verdict could be read."""
    for one in said:
        if isinstance(answer := one.answers.get("verify"), Verdict):
            yield f"{one.item.id},{answer.value}\n"


def _is_header(name: str, value: str) -> bool:
    # Identifiers have numbers in them: a first row with one is a prediction, and a wrong one is an error.
    return value not in NAMES and not any(map(str.isdigit, name))


def _refuse_other(path: Path, names: pa.Array, values: pa.Array, fine: pa.Array, first_row: int) -> None:
    bad = np.flatnonzero(~np.asarray(fine))
    if len(bad):
        row = int(bad[0])
        raise PredictionError(
            f"{path}:{first_row + row}: {names[row]}: '{values[row]}' is neither True nor False. "
            "Write identifier,True or identifier,False."
        )


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's verdicts."""
    given, failures, _ = tally(answers)
    said = [int(a.value) if isinstance(a := row.get("verify"), Verdict) else -1 for row in given.values()]
    return Predictions(
        pa.array(list(given), pa.string()), {"verdict": np.array(said, dtype=np.int8)}, failures
    )


def measure(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, MetricColumn]:
    """`accuracy` by example and `consistency` by sentence."""
    right = accuracy(gold["label"], given["verdict"])
    return {"accuracy": MetricColumn(right), "consistency": MetricColumn(right, whole_groups=True)}


def answered(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The verdicts in words."""
    del gold
    return {"verify": pa.array(["False", "True", None]).take(pa.array(given["verdict"] % 3))}


def linguistic_tags(path: Path) -> SliceOf:
    """Slices by the phenomena tagged in the 800 analysed sentences (Table 5), from the released text file."""
    tags = dict(read_tagged_sentences(path))
    return lambda item: tags.get(str(item.texts["sentence"].tokens[0]).strip(), ())


def read_tagged_sentences(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each sentence with its tags: the sentence on a line, then a line `* tag` for each tag."""
    sentence: str | None = None
    tags: list[str] = []
    for number, raw in numbered_lines(path):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}: the text is not UTF-8. Save the file as UTF-8.") from error
        if line.startswith("*"):
            if sentence is None:
                raise InputError(f"{path}:{number}: a tag before any sentence. Write the sentence first.")
            tags.append(line.lstrip("* ").strip())
        else:
            if sentence is not None:
                yield sentence, tuple(tags)
            sentence, tags = line, []
    if sentence is None:
        raise InputError(f"{path}: the file holds no tagged sentences. Was it copied in full?")
    yield sentence, tuple(tags)


def listed_in(label: str) -> Callable[[Path], SliceOf]:
    """A slice of the examples that a native file lists, such as the balanced half of dev."""

    def load(path: Path) -> SliceOf:
        listed = frozenset(record.value.identifier for record in read_lines(path, Nlvr2Record))
        return lambda item: (label,) if item.id in listed else ()

    return load


def judgements(item: Item) -> list[Judgement]:
    """The validation that became the label, and the extra ones: the five votes of section 4."""
    if not isinstance(item.gold, Verdict):
        return []
    gold, writer = str(item.gold.value), item.extra.get("writer")
    first, extra = item.extra.get("validation", {}), item.extra.get("extra_validations", {})
    labeller = next(iter(first), None)
    return [
        *(Judgement(worker, said, gold, writer, labeller, made_gold=True) for worker, said in first.items()),
        *(Judgement(worker, said, gold, writer, labeller) for worker, said in extra.items()),
    ]


def human(items: Iterable[Item]) -> WorkerMean | None:
    """Mean over workers with at least 100 extra judgements, on others' sentences (section 5)."""
    extra = (given for item in items for given in judgements(item) if not given.made_gold)
    mean = worker_mean(extra)
    return mean if mean.workers else None


NLVR2 = Benchmark(
    name="nlvr2",
    title="NLVR2",
    summary="Is the sentence true of this pair of photographs?",
    citation=Citation(
        "Alane Suhr, Stephanie Zhou, Ally Zhang, Iris Zhang, Huajun Bai and Yoav Artzi",
        "A Corpus for Reasoning About Natural Language Grounded in Photographs",
        "ACL",
        2019,
        "https://arxiv.org/abs/1811.00491",
    ),
    licence="CC BY 4.0 (text); the photographs belong to their owners",
    homepage="https://lil.nlp.cornell.edu/nlvr/",
    native=NativeFormat(
        layout="lines",
        record=Nlvr2Record,
        to_item=to_item,
        from_item=from_item,
        file_name=lambda item: f"{item.split}.json",
        telling=frozenset(("sentence", "identifier", "left_url")),
        split_of=split_of,
        native_names={"id": "identifier", "gold": "label"},
    ),
    native_files="{train,dev,test1,test2}.json, one JSON object a line",
    native_predictions="CSV lines identifier,True or identifier,False; header optional",
    tasks=(
        Task(
            "verify",
            "True or false of both photographs",
            ask,
            ("accuracy", "consistency"),
            "sentence",
            plain_prompt(
                "nlvr2.verify@1",
                "The first picture is the left one, the second the right one. Is the sentence true of them?",
            ),
        ),
    ),
    scoring=Scoring(
        gold={"label": GoldColumn("int", lambda item: int(item.gold.value))},  # type: ignore[union-attr]
        labelled=lambda item: item.gold is not None,
        cluster_of=lambda item: item.groups["sentence"],
        clustered_by="sentence",
        read_predictions=read_predictions,
        from_answers=from_answers,
        hand_in=hand_in,
        measure=measure,
        answered=answered,
        slice_sources={
            "tags": SliceSource("annotated_dev_examples.txt, the 800 tagged sentences", linguistic_tags),
            "balanced": SliceSource(
                "balanced_dev.json, the half where each image pair has both labels", listed_in("balanced")
            ),
            "unbalanced": SliceSource("unbalanced_dev.json, the other half", listed_in("unbalanced")),
        },
        human=human,
        judgements=judgements,
    ),
    published=(
        PublishedRow("Majority", "dev", {"accuracy": 0.509, "consistency": 0.039}, "Table 6"),
        PublishedRow("Human", "dev", {"accuracy": 0.962}, "Table 6"),
    ),
)

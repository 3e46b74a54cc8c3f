"""A-OKVQA: Schwenk et al., 2022.

Questions about COCO images that need knowledge of the world: four choices, ten direct answers, three
rationales.
"""

from __future__ import annotations

import csv
import json as stdlib_json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, Struct, UnsetType, json, structs
from numpy.typing import NDArray

from commonsight.core.answer import FreeText, Pick
from commonsight.core.benchmark import Ask, Benchmark, Citation, NativeFormat, PublishedRow, Source, Task
from commonsight.core.item import Item
from commonsight.core.prompt import Form, Prompt, plain_prompt
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords, PredictionError, fail
from commonsight.score.answers import tally
from commonsight.score.bins import FREQUENCY_BINS, bin_of
from commonsight.score.choices import LoadVectors, positions, settle
from commonsight.score.direct_answer import direct_answer
from commonsight.score.gold import GoldColumn, Ragged, SliceOf
from commonsight.score.predictions import SHOWN, Predictions, named
from commonsight.score.scoring import (
    LoggedAnswer,
    MetricColumn,
    Said,
    Scoring,
    SettledColumns,
    SliceSource,
)
from commonsight.store.jsonfiles import empty_problem, json_problem, read_array, read_bytes


class AokvqaRecord(Struct):
    """One record of `aokvqa_v1p0_{split}.json`; test records carry no answers."""

    split: str
    image_id: int
    question_id: str
    question: str
    choices: tuple[str, ...]
    correct_choice_idx: int | UnsetType = UNSET
    direct_answers: tuple[str, ...] | UnsetType = UNSET
    difficult_direct_answer: bool | UnsetType = UNSET
    rationales: tuple[str, ...] | UnsetType = UNSET


def to_item(record: AokvqaRecord, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item."""
    extra = dict(unknown)
    if record.difficult_direct_answer is not UNSET:
        extra["difficult_direct_answer"] = record.difficult_direct_answer
    for name in ("direct_answers", "rationales"):
        if getattr(record, name) == ():  # an empty list is not the same as no list: keep it
            extra[name] = []
    rationales = () if record.rationales is UNSET else record.rationales
    return Item(
        record.question_id,
        source.split,
        (Scene(f"{record.image_id:012d}.jpg"),),
        {"question": TaggedText.plain(record.question)},
        tuple([TaggedText.plain(choice) for choice in record.choices]),
        None if record.correct_choice_idx is UNSET else Pick(record.correct_choice_idx),
        tuple([TaggedText.plain(text) for text in rationales]),
        direct_answers=() if record.direct_answers is UNSET else record.direct_answers,
        groups={"image": str(record.image_id)},
        extra=extra,
    )


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    record: dict[str, Any] = {
        "split": item.split,
        "image_id": int(item.groups["image"]),
        "question_id": item.id,
        "question": plain(item.texts["question"]),
        "choices": [plain(choice) for choice in item.choices],
    }
    if isinstance(item.gold, Pick):
        record["correct_choice_idx"] = item.gold.index
    if item.direct_answers:
        record["direct_answers"] = list(item.direct_answers)
    if item.rationales:
        record["rationales"] = [plain(text) for text in item.rationales]
    return {**record, **item.extra}


def plain(text: TaggedText) -> str:
    """The one string that a text without tags is."""
    return text.tokens[0] if len(text.tokens) == 1 and isinstance(text.tokens[0], str) else text.bracketed(())


def ask_choice(item: Item) -> Ask:
    """Multiple choice."""
    return Ask(item.id, "mc", item.scenes, item.texts, "pick", item.choices, item.gold)


def ask_directly(item: Item) -> Ask:
    """Direct answer: the choices are not shown; the gold is what most people said."""
    common = Counter(item.direct_answers).most_common(1)
    gold = FreeText(common[0][0]) if common else None
    return Ask(
        item.id, "da", item.scenes, item.texts, "text", (), gold, answers=item.direct_answers
    )


class AokvqaPrediction(Struct):
    """What is predicted for one question; either part may be left out for all of them."""

    multiple_choice: str | UnsetType = UNSET
    direct_answer: str | UnsetType = UNSET


def read_predictions(path: Path) -> Predictions:
    """JSON `{question_id: {"multiple_choice", "direct_answer"}}`."""
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    if not content.strip():
        fail(empty_problem(path))
    try:
        rows = json.decode(content, type=dict[str, AokvqaPrediction])
        _refuse_doubled(path, content, len(rows))
    except (ValueError, RecursionError) as error:
        raise InvalidRecords([json_problem(path, error, content, None)]) from error
    if not rows:
        fail(empty_problem(path))
    columns = {}
    for part in ("multiple_choice", "direct_answer"):
        values = [getattr(row, part) for row in rows.values()]
        if any(value is not UNSET for value in values):
            columns[part] = _whole_column(path, part, list(rows), values)
    if not columns:
        raise PredictionError(
            f"{path}: neither multiple_choice nor direct_answer is given. Give at least one."
        )
    return Predictions(pa.array(list(rows), pa.string()), columns, source=str(path))


def _refuse_doubled(path: Path, content: bytes, different: int) -> None:
    # Decoding into a dict keeps the last of equal keys, so the keys are looked at once more, as pairs.
    pairs = stdlib_json.loads(content, object_pairs_hook=lambda found: found, parse_int=str)
    if len(pairs) != different:
        doubled = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
        raise PredictionError(
            f"{path}: more than one prediction for {named(doubled[:SHOWN], len(doubled))}. "
            "Keep one prediction an id."
        )


def _whole_column(path: Path, part: str, ids: list[str], values: list[Any]) -> pa.Array:
    lost = [key for key, value in zip(ids, values, strict=True) if value is UNSET]
    if lost:
        raise PredictionError(
            f"{path}: {part} is given for some questions and missing for {len(lost)}, such as {lost[0]}. "
            "Give it for every question or for none."
        )
    return pa.array(values, pa.string())


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's answers; picks by position are kept as positions."""
    given, failures, tasks = tally(answers)
    columns: dict[str, Any] = {}
    if "mc" in tasks:
        picks = [a.index if isinstance(a := row.get("mc"), Pick) else -1 for row in given.values()]
        columns["pick"] = np.array(picks, dtype=np.int64)
    if "da" in tasks:
        said = [a.text if isinstance(a := row.get("da"), FreeText) else None for row in given.values()]
        columns["direct_answer"] = pa.array(said, pa.string())
    return Predictions(pa.array(list(given), pa.string()), columns, failures)


def hand_in(said: Iterable[Said]) -> Iterator[str]:
    """One JSON object of all questions; an answer that could not be read is an empty text."""
    before = "{"
    for one in said:
        row = {}
        if "mc" in one.answers:
            mc = one.answers["mc"]
            row["multiple_choice"] = one.item.choices[mc.index].bracketed(()) if isinstance(mc, Pick) else ""
        if "da" in one.answers:
            da = one.answers["da"]
            row["direct_answer"] = da.text if isinstance(da, FreeText) else ""
        yield f"{before}\n{json.encode(one.item.id).decode()}: {json.encode(row).decode()}"
        before = ","
    yield "{}\n" if before == "{" else "\n}\n"


def measure(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, MetricColumn]:
    """`mc` and `da`, each if it was predicted."""
    metrics = {}
    chosen = given.get("multiple_choice")
    if "pick" in given:
        chosen = _picked(gold["choices"], given["pick"])
    if chosen is not None:
        right = pc.fill_null(pc.equal(gold["choice"], chosen), False)
        metrics["mc"] = MetricColumn(np.asarray(right).astype(np.float64))
    if "direct_answer" in given:
        metrics["da"] = MetricColumn(direct_answer(gold["direct"], given["direct_answer"], gold["difficult"]))
    return metrics


def answered(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The picks by position and the direct answers, each if it was predicted."""
    said: dict[str, Any] = {}
    if "pick" in given:
        said["mc"] = given["pick"]
    elif "multiple_choice" in given:
        said["mc"] = positions(given["multiple_choice"], gold["choices"])
    return said | ({"da": given["direct_answer"]} if "direct_answer" in given else {})


def _picked(choices: Ragged, picks: NDArray[np.int64]) -> pa.Array:
    """The texts at the picked positions. Some questions list a choice twice, so texts are what counts."""
    starts = np.cumsum(choices.counts) - choices.counts
    read = (picks >= 0) & (picks < choices.counts)
    return choices.flat.take(pa.array(starts + picks, mask=~read))


def settle_choices(
    gold: Mapping[str, Any], given: dict[str, Any], load: LoadVectors | None
) -> SettledColumns:
    """The paper's rule for models that answer in free text: the choice nearest in GloVe's space."""
    if "multiple_choice" not in given:
        return SettledColumns(given, 0, None)
    texts, strays, step = settle(given["multiple_choice"], gold["choices"], load)
    return SettledColumns({**given, "multiple_choice": texts}, strays, step)


def answer_frequency(path: Path) -> SliceOf:
    """Slices by how often the item's answer occurs among the direct answers of a training file.

    The answer is the most common of the item's direct answers, the first of them if several are.
    """
    counts: Counter[str] = Counter()
    for record in read_array(path, AokvqaRecord):
        if record.value.direct_answers is not UNSET:
            counts.update(record.value.direct_answers)

    def label(item: Item) -> tuple[str, ...]:
        common = Counter(item.direct_answers).most_common(1)
        return () if not common else (bin_of(counts[common[0][0]], FREQUENCY_BINS),)

    return label


def knowledge_types(path: Path) -> SliceOf:
    """Slices by the knowledge that a question needs, from a CSV `question_id,knowledge_type`."""
    types: dict[str, tuple[str, ...]] = {}
    content = read_bytes(path)
    assert content is not None  # `read_bytes` raises here
    for row in csv.reader(_text(path, content).splitlines()):
        if len(row) >= 2 and row[0] != "question_id":
            types[row[0]] = (*types.get(row[0], ()), row[1])
    return lambda item: types.get(item.id, ())


def _text(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: the text is not UTF-8. Save the file as UTF-8.") from error


PROMPTED = """{% if texts.context is defined %}
Context: {{ texts.context }}
{% endif %}
Question: {{ texts.question }}
Answer:"""
"""Section 5.2 and, with a context, 5.3: captions, generated rationales or people's own."""
MOST_TOKENS = 10
"""In a generated answer (the authors' `gpt3/query_gpt3.py`; the paper does not tell)."""


def prompted(form: Form, name: str) -> dict[str, Prompt]:
    """How the paper prompted GPT-3 (Table 3, row h; Table 4): a question, after ten solved ones.

    The choices are not shown (the paper found that they hurt). Both tasks ask the very same, so that one
    reply is the direct answer and, by its nearest choice, the pick. Examples answer with the right choice, as
    in the authors' code. A line is the answer: where a model goes on with a question of its own, that is not
    read.
    """
    asked = Prompt("", PROMPTED, most_tokens=MOST_TOKENS, form=form, stop=("\n",), examples_as="mc")
    return {
        "mc": structs.replace(asked, name=f"aokvqa.{name}.mc@1", in_words=True),
        "da": structs.replace(asked, name=f"aokvqa.{name}.da@1"),
    }


AOKVQA = Benchmark(
    name="aokvqa",
    title="A-OKVQA",
    summary="Questions about photographs that need world knowledge: four choices, or an answer in free text.",
    citation=Citation(
        "Dustin Schwenk, Apoorv Khandelwal, Christopher Clark, Kenneth Marino and Roozbeh Mottaghi",
        "A-OKVQA: A Benchmark for Visual Question Answering using World Knowledge",
        "ECCV",
        2022,
        "https://arxiv.org/abs/2206.01718",
    ),
    licence="Apache-2.0 (annotations); the images are COCO's",
    homepage="https://allenai.org/project/a-okvqa",
    native=NativeFormat(
        layout="array",
        record=AokvqaRecord,
        to_item=to_item,
        from_item=from_item,
        file_name=lambda item: f"aokvqa_v1p0_{item.split}.json",
        telling=frozenset(("question_id", "image_id", "choices")),
        split_of=lambda record: record.split,
        native_names={"id": "question_id", "gold": "correct_choice_idx"},
    ),
    native_files="aokvqa_v1p0_{split}.json",
    native_predictions='JSON: {question_id: {"multiple_choice", "direct_answer"}}',
    tasks=(
        Task(
            "mc",
            "Pick one of four answers",
            ask_choice,
            ("mc",),
            "image",
            plain_prompt("aokvqa.mc@1", "Look at the picture and pick the answer to the question."),
        ),
        Task(
            "da",
            "Answer in your own words",
            ask_directly,
            ("da",),
            "image",
            plain_prompt("aokvqa.da@1", "Look at the picture and answer the question."),
        ),
    ),
    scoring=Scoring(
        gold={
            "choice": GoldColumn("text", lambda item: plain(item.choices[item.gold.index])),  # type: ignore[union-attr]
            "choices": GoldColumn("texts", lambda item: [plain(choice) for choice in item.choices]),
            "direct": GoldColumn("texts", lambda item: item.direct_answers),
            "difficult": GoldColumn("bool", lambda item: item.extra.get("difficult_direct_answer", False)),
        },
        labelled=lambda item: item.gold is not None and bool(item.direct_answers),
        cluster_of=lambda item: item.groups["image"],
        clustered_by="image",
        read_predictions=read_predictions,
        from_answers=from_answers,
        hand_in=hand_in,
        measure=measure,
        answered=answered,
        settle=settle_choices,
        slice_sources={
            "training": SliceSource(
                "the training file, for slices by how often the answer occurs in it", answer_frequency
            ),
            "knowledge": SliceSource("a CSV question_id,knowledge_type", knowledge_types),
        },
    ),
    prompts={"paper": prompted("text", "paper"), "paper-turns": prompted("turns", "paper-turns")},
    published=(
        PublishedRow("Random", "val", {"mc": 0.2670, "da": 0.0003}, "Table 3"),
        PublishedRow("Random (weighted)", "val", {"mc": 0.2949, "da": 0.0015}, "Table 3"),
        PublishedRow("Most common", "val", {"mc": 0.3070, "da": 0.0175}, "Table 3"),
        PublishedRow("BERT classifier, question", "val", {"mc": 0.3293, "da": 0.0952}, "Table 3"),
        PublishedRow("CLIP classifier, question", "val", {"mc": 0.3274, "da": 0.1310}, "Table 3"),
        PublishedRow("CLIP zero-shot, question", "val", {"mc": 0.3042, "da": 0.0044}, "Table 3"),
        PublishedRow("CLIP contrastive, question", "val", {"mc": 0.3740, "da": 0.0556}, "Table 3"),
        PublishedRow("GPT-3, question", "val", {"mc": 0.3507, "da": 0.1298}, "Table 3"),
        PublishedRow("ResNet classifier, image", "val", {"mc": 0.2819, "da": 0.0268}, "Table 3"),
        PublishedRow("CLIP classifier, image", "val", {"mc": 0.3321, "da": 0.0515}, "Table 3"),
        PublishedRow("CLIP zero-shot, image", "val", {"mc": 0.5628, "da": 0.0224}, "Table 3"),
        PublishedRow("CLIP contrastive, image", "val", {"mc": 0.5256, "da": 0.0233}, "Table 3"),
        PublishedRow("CLIP classifier", "val", {"mc": 0.4084, "da": 0.1895}, "Table 3"),
        PublishedRow("CLIP zero-shot", "val", {"mc": 0.4819, "da": 0.0108}, "Table 3"),
        PublishedRow("CLIP contrastive", "val", {"mc": 0.5377, "da": 0.1036}, "Table 3"),
        PublishedRow("ClipCap", "val", {"mc": 0.5693, "da": 0.3089}, "Table 3"),
        PublishedRow("GPT-3, generated caption", "val", {"mc": 0.4251, "da": 0.1659}, "Table 4"),
        PublishedRow("GPT-3, generated rationale", "val", {"mc": 0.4400, "da": 0.1811}, "Table 4"),
        PublishedRow("GPT-3, caption", "val", {"mc": 0.4540, "da": 0.1639}, "Table 4"),
        PublishedRow("GPT-3, rationale", "val", {"mc": 0.5674, "da": 0.2402}, "Table 4"),
        PublishedRow("Pythia", "val", {"mc": 0.490, "da": 0.252}, "Table 5"),
        PublishedRow("ViLBERT, trained on OK-VQA", "val", {"mc": 0.328, "da": 0.091}, "Table 5"),
        PublishedRow("ViLBERT, trained on VQA", "val", {"mc": 0.477, "da": 0.177}, "Table 5"),
        PublishedRow("ViLBERT", "val", {"mc": 0.491, "da": 0.306}, "Table 5"),
        PublishedRow("LXMERT", "val", {"mc": 0.514, "da": 0.307}, "Table 5"),
        PublishedRow("KRISP", "val", {"mc": 0.519, "da": 0.337}, "Table 5"),
        PublishedRow("GPV-2", "val", {"mc": 0.603, "da": 0.486}, "Table 5"),
        PublishedRow("GPV-2, masked rationale", "val", {"mc": 0.651, "da": 0.527}, "Table 5"),
        PublishedRow("GPV-2, rationale", "val", {"mc": 0.734, "da": 0.589}, "Table 5"),
    ),
)

"""PMR, Premise-based Multimodal Reasoning: Dong et al., 2022.

A premise about a movie frame and four actions: one that fits both, one that fits the picture but not the
premise, and a distractor of each that does not fit the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from msgspec import UNSET, Struct, UnsetType, json, structs
from numpy.typing import NDArray

from commonsight.benchmarks import movies
from commonsight.benchmarks.movies import Tokens
from commonsight.core.answer import Pick
from commonsight.core.benchmark import Ask, Benchmark, Citation, NativeFormat, PublishedRow, Source, Task
from commonsight.core.item import Item
from commonsight.core.prompt import plain_prompt
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, PredictionError
from commonsight.score.accuracy import accuracy
from commonsight.score.answers import tally
from commonsight.score.gold import GoldColumn
from commonsight.score.prediction_files import read_records
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import LoggedAnswer, MetricColumn, Said, Scoring, Values
from commonsight.score.shares import share_of_picks
from commonsight.store.native import FieldError

ANSWER_TYPES = ("Action-True", "Action-False", "Distractor1", "Distractor2")
BORROWED = "Borrowed"
"""The type of a wrong action in our adversarial half: another item's true one."""
NO_PAL = -1
"""What the files write where an item has no pal."""
PREMISE = "premise"
"""The group of items that were given a second premise: `first` or `second`."""
HALVES = ("ori", "adv")
"""Written by people, or made by matching; both together are the paper's "mix"."""


class PmrRecord(Struct):
    """One line of `{split}-{ori,adv}.jsonl`; lines of the hidden test carry no label."""

    total_id: int
    img_fn: str
    objects: tuple[str, ...]
    premise: Tokens
    answer_choices: tuple[Tokens, ...]
    answer_label: int | UnsetType = UNSET
    answer_types: list[str] | UnsetType = UNSET
    category: str | UnsetType = UNSET
    movie: str | UnsetType = UNSET
    img_id: str | UnsetType = UNSET
    metadata_fn: str | UnsetType = UNSET
    pal_id: int | UnsetType = UNSET


GROUPS = {"movie": "movie", "img_id": "image", "category": "category"}
KEPT = ("answer_types", "metadata_fn", "pal_id")


def half_of(file_name: str) -> str | None:
    """`ori` or `adv`, as the file's name says."""
    words = file_name.lower().replace("_", "-").replace(".", "-").split("-")
    return next((half for half in HALVES if half in words), None)


def to_item(record: PmrRecord, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item."""
    types = record.answer_types
    if types is not UNSET and len(types) != len(record.answer_choices):
        message = f"{len(types)} types for {len(record.answer_choices)} choices"
        raise FieldError("answer_types", message, "Give each choice one type.")
    half = half_of(source.name)
    return Item(
        str(record.total_id),
        source.split,
        (movies.scene(record.img_fn, record.objects),),
        {"premise": TaggedText(record.premise)},
        movies.texts(record.answer_choices),
        None if record.answer_label is UNSET else Pick(record.answer_label),
        groups={
            **{ours: v for name, ours in GROUPS.items() if (v := getattr(record, name)) is not UNSET},
            **({} if half is None else {"half": half}),
        },
        extra={**{name: v for name in KEPT if (v := getattr(record, name)) is not UNSET}, **unknown},
    )


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    return {
        "total_id": int(item.id),
        "img_fn": item.scenes[0].image,
        "objects": list(item.scenes[0].labels),
        "premise": item.texts["premise"].native(),
        "answer_choices": movies.native(item.choices),
        **({"answer_label": item.gold.index} if isinstance(item.gold, Pick) else {}),
        **{name: item.groups[ours] for name, ours in GROUPS.items() if ours in item.groups},
        **item.extra,
    }


def file_name(item: Item) -> str:
    """`val-ori.jsonl`; without a half, `val.jsonl`."""
    half = item.groups.get("half")
    return f"{item.split}-{half}.jsonl" if half else f"{item.split}.jsonl"


def ask(item: Item) -> Ask:
    """The premise and four actions: which will happen?"""
    return Ask(item.id, "action", item.scenes, item.texts, "pick", item.choices, item.gold)


class PmrPrediction(Struct):
    """One line of predictions."""

    total_id: int
    prediction: int


def read_predictions(path: Path) -> Predictions:
    """JSON lines `{"total_id", "prediction"}`, the prediction being the position of the chosen action."""
    rows = read_records(path, PmrPrediction)
    for row in rows:
        if not 0 <= row.prediction < len(ANSWER_TYPES):
            raise PredictionError(
                f"{path}: total_id {row.total_id}: prediction: {row.prediction} is not a choice. "
                f"Choices count from 0 to {len(ANSWER_TYPES) - 1}."
            )
    return Predictions(
        pa.array([str(row.total_id) for row in rows], pa.string()),
        {"pick": np.array([row.prediction for row in rows], dtype=np.int64)},
        source=str(path),
    )


def from_answers(answers: Iterable[LoggedAnswer]) -> Predictions:
    """A run's picks."""
    given, failures, _ = tally(answers)
    picks = [a.index if isinstance(a := row.get("action"), Pick) else -1 for row in given.values()]
    return Predictions(
        pa.array(list(given), pa.string()), {"pick": np.array(picks, dtype=np.int64)}, failures
    )


def hand_in(said: Iterable[Said]) -> Iterator[str]:
    """A line for every item whose answer could be read."""
    for one in said:
        if isinstance(answer := one.answers.get("action"), Pick):
            yield json.encode(PmrPrediction(int(one.item.id), answer.index)).decode() + "\n"


def measure(gold: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, MetricColumn]:
    """`accuracy`, `both_premises`, and the share of picks of each answer type (the paper's Table 3)."""
    shares = share_of_picks(gold["types"], given["pick"], ANSWER_TYPES)
    right = accuracy(gold["label"], given["pick"])
    both = both_premises(right, gold["total_id"], gold["pal_id"])
    return {
        "accuracy": MetricColumn(right),
        **({} if np.isnan(both).all() else {"both_premises": MetricColumn(both)}),
        **{f"picks_{name}": MetricColumn(values) for name, values in shares.items()},
    }


def both_premises(right: Values, ids: NDArray[np.int64], pals: NDArray[np.int64]) -> Values:
    """Right under the item's premise and under the opposite one, where the data has both.

    An item's pal has the same picture and the same four actions; its premise makes the other's Action-False
    true. Section 5.3 tries a few such pairs by hand. Items whose pal is not at hand are left out.
    """
    row_of = {number: row for row, number in enumerate(ids.tolist())}
    rows = np.array([row_of.get(pal, -1) for pal in pals.tolist()], dtype=np.int64)
    return np.where(rows < 0, np.nan, right * right[rows])


_UNDER_THE_OTHER = dict(
    zip(ANSWER_TYPES, ("Action-False", "Action-True", "Distractor2", "Distractor1"), strict=True)
)


def opposed(item: Item, premise: TaggedText, number: str) -> tuple[Item, Item]:
    """The item and its pal: under the other premise its Action-False is true (section 5.3)."""
    types = item.extra.get("answer_types", ())
    if "Action-False" not in types:
        raise InputError(
            f"Item {item.id} does not say which action is Action-False. Give items with answer_types."
        )
    first = structs.replace(
        item, extra={**item.extra, "pal_id": int(number)}, groups={**item.groups, PREMISE: "first"}
    )
    second = structs.replace(
        item,
        id=number,
        texts={**item.texts, "premise": premise},
        gold=Pick(types.index("Action-False")),
        extra={
            **item.extra,
            "pal_id": int(item.id),
            "answer_types": [_UNDER_THE_OTHER[name] for name in types],
        },
        groups={**item.groups, PREMISE: "second"},
    )
    return first, second


def rematched(item: Item, matched: Item, number: str) -> Item:
    """The item's like in the adversarial half: its premise and true action, with actions of other items."""
    right = matched.gold.index if isinstance(matched.gold, Pick) else -1
    types = [ANSWER_TYPES[0] if place == right else BORROWED for place in range(len(matched.choices))]
    kept = {name: value for name, value in item.extra.items() if name != "pal_id"}
    return structs.replace(
        item,
        id=number,
        choices=matched.choices,
        gold=matched.gold,
        groups={**item.groups, "half": "adv"},
        provenance={**item.provenance, **matched.provenance},
        extra={**kept, **({"answer_types": types} if "answer_types" in kept else {})},
    )


PMR = Benchmark(
    name="pmr",
    title="PMR (premise-based multimodal reasoning)",
    summary="A premise and a movie frame: pick the action that fits both.",
    citation=Citation(
        "Qingxiu Dong, Ziwei Qin, Heming Xia, Tian Feng, Shoujie Tong, Haoran Meng, Lin Xu, Zhongyu Wei, "
        "Weidong Zhan, Baobao Chang, Sujian Li, Tianyu Liu and Zhifang Sui",
        "Premise-based Multimodal Reasoning: Conditional Inference on Joint Textual and Visual Clues",
        "ACL",
        2022,
        "https://arxiv.org/abs/2105.07122",
    ),
    licence="No commercial use; the images are VCR's",
    homepage="https://2030nlp.github.io/PMR",
    native=NativeFormat(
        layout="lines",
        record=PmrRecord,
        to_item=to_item,
        from_item=from_item,
        file_name=file_name,
        telling=frozenset(("total_id", "premise", "answer_choices")),
        native_names={"id": "total_id", "choices": "answer_choices", "gold": "answer_label"},
        sidecar=movies.METADATA,
    ),
    native_files="{split}-{ori,adv}.jsonl and a metadata JSON per image",
    native_predictions='JSON lines: {"total_id", "prediction"}',
    tasks=(
        Task(
            "action",
            "Pick the action that fits premise and picture",
            ask,
            ("accuracy", "both_premises", *(f"picks_{name}" for name in ANSWER_TYPES)),
            "image",
            plain_prompt(
                "pmr.action@1",
                "Pick the action that fits both the premise and the picture.",
            ),
        ),
    ),
    scoring=Scoring(
        gold={
            "label": GoldColumn("int", lambda item: item.gold.index),  # type: ignore[union-attr]
            "total_id": GoldColumn("int", lambda item: int(item.id)),
            "pal_id": GoldColumn("int", lambda item: item.extra.get("pal_id", NO_PAL)),
            "types": GoldColumn("texts", lambda item: item.extra.get("answer_types", ())),
        },
        labelled=lambda item: item.gold is not None,
        cluster_of=lambda item: item.groups.get("image", item.scenes[0].image),
        clustered_by="image",
        read_predictions=read_predictions,
        from_answers=from_answers,
        hand_in=hand_in,
        measure=measure,
        answered=lambda _, given: {"action": given["pick"]},
        slices={
            "half": lambda item: (item.groups["half"],) if "half" in item.groups else (),
            "category": lambda item: (item.groups["category"],) if "category" in item.groups else (),
            PREMISE: lambda item: (item.groups[PREMISE],) if PREMISE in item.groups else (),
        },
        parts={"Ori": "half=ori", "Adv": "half=adv", "Mix": ""},  # Table 2
    ),
    published=(PublishedRow("Random", "test", {"accuracy": 0.25}, "Table 2", True),),
    opposed=opposed,
    rematched=rematched,
)

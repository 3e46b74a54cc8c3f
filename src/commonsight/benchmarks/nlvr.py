"""NLVR, the older synthetic corpus (Suhr et al., 2017): a sentence about three boxes of shapes.

Each example was drawn six times, once for every order of its three boxes; the structured representation
lists the shapes of each box.
"""

from __future__ import annotations

from functools import partial
from itertools import permutations
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, structs

from commonsight.benchmarks import nlvr2
from commonsight.core.answer import Verdict
from commonsight.core.benchmark import Ask, Benchmark, Citation, NativeFormat, Source, Task, Variant
from commonsight.core.item import Item
from commonsight.core.prompt import plain_prompt
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.graph.shapes.recolouring import OTHERS, Recolouring, paint_after, repainted, reworded
from commonsight.score.gold import GoldColumn
from commonsight.score.human import Judgement
from commonsight.score.scoring import Scoring
from commonsight.store.native import FieldError

BOXES = 3
WIDTH, HEIGHT = 400, 100
BOX_SIZE = 100
BOX_STEP = 150
"""Pixels from one box's left edge to the next one's; drawing 0 has the boxes in the listed order."""


class NlvrRecord(Struct):
    """One line of `{train,dev,test}.json`."""

    sentence: str
    identifier: str
    directory: str
    structured_rep: list[list[dict[str, int | float | str]]]
    """Box by box, its shapes: x_loc, y_loc, size, type, color, in the box's own 100 x 100 pixels."""
    label: Literal["true", "false"] | UnsetType = UNSET
    evals: dict[str, str] | UnsetType = UNSET


def to_item(record: NlvrRecord, unknown: dict[str, Any], source: Source) -> Item:
    """A native record as an item with one scene for each of the six drawings."""
    if len(record.structured_rep) != BOXES:
        message = f"{len(record.structured_rep)} boxes, not {BOXES}"
        raise FieldError("structured_rep", message, "Every example has three boxes.")
    number, _, pair = record.identifier.partition("-")
    if not number or not pair:
        raise FieldError("identifier", f"'{record.identifier}' does not read sentence-image", "Write 1572-0.")
    boxes = [[_region(shape) for shape in box] for box in record.structured_rep]
    scenes = tuple(
        Scene(
            f"images/{record.directory}/{source.split}-{record.identifier}-{number}.png",
            tuple(_moved(shape, slot) for slot, box in enumerate(order) for shape in boxes[box]),
            width=WIDTH,
            height=HEIGHT,
        )
        for number, order in enumerate(permutations(range(BOXES)))
    )
    extra: dict[str, Any] = {"directory": record.directory, "structured_rep": record.structured_rep}
    if record.evals is not UNSET:
        extra["evals"] = record.evals
    return Item(
        record.identifier,
        source.split,
        scenes,
        {"sentence": TaggedText.plain(record.sentence)},
        gold=None if record.label is UNSET else Verdict(record.label == "true"),
        groups={"sentence": f"{source.split}-{number}"},
        extra={**extra, **unknown},
    )


def _region(shape: dict[str, Any]) -> Region:
    try:
        left, top, size = float(shape["x_loc"]), float(shape["y_loc"]), float(shape["size"])
        kind, color = str(shape["type"]), str(shape["color"])
    except (KeyError, ValueError, OverflowError) as error:
        message = f"a shape lacks a proper x_loc, y_loc, size, type or color ({error})"
        raise FieldError("structured_rep", message, "Give every shape all five.") from error
    # Checked here, once: an item shows the shape in six drawings, and each would be told apart.
    if not (size >= 0 and left >= 0 and top >= 0 and left + size <= BOX_SIZE and top + size <= BOX_SIZE):
        message = f"a {kind} of size {size:g} at ({left:g}, {top:g}) reaches outside its box"
        raise FieldError("structured_rep", message, f"A box is {BOX_SIZE} x {BOX_SIZE} pixels.")
    return Region(kind, Box(left, top, left + size, top + size), attributes=(color,))


def _moved(shape: Region, slot: int) -> Region:
    box = shape.box
    assert box is not None
    left = slot * BOX_STEP
    return structs.replace(shape, box=Box(box.left + left, box.top, box.right + left, box.bottom))


def from_item(item: Item) -> dict[str, Any]:
    """The record that `to_item` was given."""
    return {
        "sentence": item.texts["sentence"].tokens[0],
        "identifier": item.id,
        **({"label": str(item.gold.value).lower()} if isinstance(item.gold, Verdict) else {}),
        **item.extra,
    }


def judgements(item: Item) -> list[Judgement]:
    """What each worker said of the example; who wrote or labelled it, the release does not tell."""
    if not isinstance(item.gold, Verdict):
        return []
    gold = str(item.gold.value).lower()
    return [Judgement(worker, said, gold) for worker, said in item.extra.get("evals", {}).items()]


def ask(item: Item) -> Ask:
    """The sentence and the first of its six drawings, which all show the same: true or false?"""
    return Ask(item.id, "verify", item.scenes[:1], item.texts, "verdict", (), item.gold)


def views(item: Item) -> tuple[Item, ...]:
    """The item once for each of its six drawings, as the corpus counts its images."""
    boxes = item.extra["structured_rep"]
    orders = permutations(range(BOXES))
    return tuple(
        structs.replace(
            item,
            id=f"{item.id}-{number}",
            scenes=(scene,),
            extra={**item.extra, "structured_rep": [boxes[box] for box in order]},
        )
        for number, (scene, order) in enumerate(zip(item.scenes, orders, strict=True))
    )


def recoloured(becomes: Recolouring, item: Item) -> Item:
    """The item in other colours: its sentence, its shapes and what its source lists."""

    def shown(scene: Scene) -> Scene:
        return structs.replace(scene, regions=tuple(_painted(one, becomes) for one in scene.regions))

    boxes = [
        [{**shape, "color": paint_after(str(shape["color"]), becomes)} for shape in box]
        for box in item.extra["structured_rep"]
    ]
    said = reworded(str(item.texts["sentence"].tokens[0]), becomes)
    return structs.replace(
        item,
        scenes=tuple(map(shown, item.scenes)),
        texts={"sentence": TaggedText.plain(said)},
        extra={**item.extra, "structured_rep": boxes},
    )


def _painted(region: Region, becomes: Recolouring) -> Region:
    return structs.replace(
        region, attributes=tuple(paint_after(one, becomes) for one in region.attributes)
    )


NLVR = Benchmark(
    name="nlvr",
    title="NLVR (synthetic)",
    summary="Is the sentence true of three boxes of drawn shapes?",
    citation=Citation(
        "Alane Suhr, Mike Lewis, James Yeh and Yoav Artzi",
        "A Corpus of Natural Language for Visual Reasoning",
        "ACL",
        2017,
        "https://aclanthology.org/P17-2034",
    ),
    licence="CC BY 4.0",
    homepage="https://lil.nlp.cornell.edu/nlvr/",
    native=NativeFormat(
        layout="lines",
        record=NlvrRecord,
        to_item=to_item,
        from_item=from_item,
        file_name=lambda item: f"{item.split}.json",
        telling=frozenset(("sentence", "identifier", "structured_rep")),
        native_names={"id": "identifier", "gold": "label"},
    ),
    native_files="{train,dev,test}.json, one JSON object a line, and six drawings an example",
    native_predictions="CSV lines identifier,True or identifier,False; header optional",
    tasks=(
        Task(
            "verify",
            "True or false of three boxes of shapes",
            ask,
            ("accuracy", "consistency"),
            "sentence",
            plain_prompt("nlvr.verify@1", "The picture shows three boxes. Is the sentence true of it?"),
        ),
    ),
    scoring=Scoring(
        gold={"label": GoldColumn("int", lambda item: int(item.gold.value))},  # type: ignore[union-attr]
        labelled=lambda item: item.gold is not None,
        cluster_of=lambda item: item.groups["sentence"],
        clustered_by="sentence",
        read_predictions=nlvr2.read_predictions,
        from_answers=nlvr2.from_answers,
        hand_in=nlvr2.hand_in,
        measure=nlvr2.measure,
        judgements=judgements,
        answered=nlvr2.answered,
    ),
    views=views,
    variants=tuple(
        Variant("-".join(becomes.values()), partial(recoloured, becomes), partial(repainted, becomes=becomes))
        for becomes in OTHERS
    ),
)

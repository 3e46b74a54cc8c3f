"""Faults of items: each with its field, message and remedy; none on items that are fine."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from msgspec import structs

from commonsight.benchmarks import find
from commonsight.core.answer import FreeText, Given, Grounded, Pick, Verdict
from commonsight.core.checks import Fault, faults, scene_faults
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.core.text import TaggedText
from commonsight.store.native import read_native

TWO = (TaggedText.plain("a"), TaggedText.plain("b"))
GOOD = Item(
    "i",
    "val",
    (Scene("x.png", (Region("person"), Region("dog")), width=100, height=50),),
    {"question": TaggedText(("Why", (1,), "?"))},
    TWO,
    Pick(1),
    TWO,
    0,
)


def with_box(*corners: float, width: int | None = 100, height: int | None = 50) -> Scene:
    return Scene("x.png", (Region("dog", Box(*corners)),), width=width, height=height)


INVERTED = "Write left, top, right, bottom in pixels."
OUTSIDE = "Check that box and image belong together and are in the same scale."


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"id": ""}, Fault("id", "the id is empty", "Give every record an id of its own.")),
        (
            {"gold": Pick(2)},
            Fault("gold", "the label 2 is not one of the 2 choices", "Labels count from 0 to 1."),
        ),
        (
            {"gold": Pick(-1)},
            Fault("gold", "the label -1 is not one of the 2 choices", "Labels count from 0 to 1."),
        ),
        (
            {"choices": ()},
            Fault("gold", "the label 1 is not one of the 0 choices", "Add the choices or remove the label."),
        ),
        (
            {"rationale_gold": 4},
            Fault("rationale_gold", "the label 4 is not one of the 2 choices", "Labels count from 0 to 1."),
        ),
        (
            {"texts": {"question": TaggedText(((0, 2), "?"))}},
            Fault("question", "the tag [2] points to no object", "Tags count objects from 0 to 1."),
        ),
        (
            {"choices": (TaggedText(((-1,),)), TWO[1])},
            Fault("choices", "the tag [-1] points to no object", "Tags count objects from 0 to 1."),
        ),
        (
            {"rationales": (TWO[0], TaggedText(((9,),)))},
            Fault("rationales", "the tag [9] points to no object", "Tags count objects from 0 to 1."),
        ),
        (
            {"scenes": (Scene("x.png"),)},
            Fault("question", "the tag [1] points to no object", "The record lists no objects."),
        ),
        (
            {"scenes": ()},
            Fault("question", "the tag [1] points to no object", "The record lists no objects."),
        ),
    ],
)
def test_a_fault_names_field_value_and_remedy(changes: dict[str, object], fault: Fault) -> None:
    assert list(faults(structs.replace(GOOD, **changes))) == [fault]


def test_every_fault_is_told() -> None:
    wrong = structs.replace(GOOD, id="", gold=Pick(5), scenes=(with_box(9, 9, 1, 1),), rationale_gold=7)
    assert [fault.field for fault in faults(wrong)] == ["id", "gold", "rationale_gold", "question", "boxes"]


@pytest.mark.parametrize(
    ("scene", "message", "remedy"),
    [
        (with_box(9, 1, 3, 2), "the box of object 0 (dog) is inverted: (9, 1, 3, 2)", INVERTED),
        (with_box(1, 9, 3, 2), "the box of object 0 (dog) is inverted: (1, 9, 3, 2)", INVERTED),
        (with_box(math.nan, 1, 3, 2), "the box of object 0 (dog) is inverted: (nan, 1, 3, 2)", INVERTED),
        (with_box(1, 1, 3, math.nan), "the box of object 0 (dog) is inverted: (1, 1, 3, nan)", INVERTED),
        (
            with_box(0, 0, 101.5, 5),
            "the box of object 0 (dog) reaches outside the image (100 x 50): (0, 0, 101.5, 5)",
            OUTSIDE,
        ),
        (
            with_box(0, 0, 5, 51.5),
            "the box of object 0 (dog) reaches outside the image (100 x 50): (0, 0, 5, 51.5)",
            OUTSIDE,
        ),
        (
            with_box(-2, 0, 5, 5, width=None, height=None),
            "the box of object 0 (dog) reaches outside the image (of unknown size): (-2, 0, 5, 5)",
            OUTSIDE,
        ),
        (
            with_box(0, 0, math.inf, 5),
            "the box of object 0 (dog) reaches outside the image (100 x 50): (0, 0, inf, 5)",
            OUTSIDE,
        ),
    ],
)
def test_a_box_that_cannot_be_is_a_fault(scene: Scene, message: str, remedy: str) -> None:
    assert list(scene_faults(scene)) == [Fault("boxes", message, remedy)]


@pytest.mark.parametrize(
    "scene",
    [
        with_box(0, 0, 100, 50),
        with_box(-1, -1, 101, 51),  # detectors round: one pixel over the edge is no error
        with_box(3, 3, 3, 3),
        with_box(0, 0, 9999, 9999, width=None, height=None),  # nothing known to be outside of
    ],
)
def test_a_box_that_can_be_is_none(scene: Scene) -> None:
    assert list(scene_faults(scene)) == []


@pytest.mark.parametrize(("subject", "object"), [(2, 0), (0, 2), (-1, 0), (0, -1)])
def test_a_relation_must_join_regions_of_the_scene(subject: int, object: int) -> None:  # noqa: A002
    scene = Scene("x.png", (Region("a"), Region("b")), (Relation(subject, "on", object),))
    assert list(scene_faults(scene)) == [
        Fault(
            "relations",
            "the relation 'on' points to an object that the scene does not have",
            "Relations count objects from 0 to 1.",
        )
    ]


@pytest.mark.parametrize("gold", [None, Pick(0), Pick(1), Verdict(True), FreeText("x"), Grounded("x", 99)])
def test_other_golds_need_no_choices(gold: Given | None) -> None:
    assert list(faults(structs.replace(GOOD, gold=gold))) == []


@pytest.mark.parametrize(
    ("benchmark", "file", "images"),
    [
        ("vcr", "vcr/val.jsonl", "vcr/images"),
        ("pmr", "pmr/val-ori.jsonl", "vcr/images"),
        ("pmr", "pmr/val-adv.jsonl", "vcr/images"),
        ("cric", "cric/val_questions.json", None),
        ("nlvr2", "nlvr2/dev.json", None),
        ("aokvqa", "aokvqa/aokvqa_v1p0_val.json", None),
        ("nlvr", "nlvr/dev.json", None),
        ("okvqa", "okvqa/val.json", None),
    ],
)
def test_the_fixtures_raise_no_false_alarm(
    fixtures_dir: Path, benchmark: str, file: str, images: str | None
) -> None:
    folder = None if images is None else fixtures_dir / images
    items = list(read_native(find(benchmark).native, [fixtures_dir / file], images=folder))
    assert items
    assert [fault for item in items for fault in faults(item)] == []

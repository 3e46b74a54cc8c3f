"""`commonsight build drawings`: every drawing as an item, whole sentences held out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from drawn_shapes import save

from commonsight.benchmarks.nlvr import BOX_STEP
from commonsight.graph.shapes.values import Shape, Tableau, tableau_of
from commonsight.models.symbolic.sight import see_file
from commonsight.store.dataset import read_dataset

FIXTURE = Path(__file__).parents[2] / "fixtures" / "nlvr" / "dev.json"


@pytest.fixture
def nlvr(run: Any, tmp_path: Path) -> Path:
    told = run("convert", "nlvr", FIXTURE, "--out", tmp_path / "nlvr")
    assert told.code == 0, told.err
    return tmp_path / "nlvr"


def test_every_drawing_is_an_item_with_its_boxes_in_order(run: Any, nlvr: Path, tmp_path: Path) -> None:
    told = run("build", "drawings", nlvr, "--out", tmp_path / "all")
    assert told.code == 0, told.err
    whole, drawn = list(read_dataset(nlvr)), list(read_dataset(tmp_path / "all"))
    assert len(drawn) == 6 * len(whole)
    assert told.out == f"{tmp_path / 'all'}: {len(drawn)} drawings (dev {len(drawn)})\n"
    for number, one in enumerate(drawn):
        item = whole[number // 6]
        assert (one.id, one.gold, one.groups) == (f"{item.id}-{number % 6}", item.gold, item.groups)
        assert one.scenes == (item.scenes[number % 6],)
        left = [shape["x_loc"] + BOX_STEP * slot
                for slot, box in enumerate(one.extra["structured_rep"]) for shape in box]  # fmt: skip
        assert left == [region.box.left for region in one.scenes[0].regions if region.box is not None]


def test_whole_sentences_are_held_out(run: Any, nlvr: Path, tmp_path: Path) -> None:
    told = run("build", "drawings", nlvr, "--hold-out", "dev", "--share", "0.5", "--out", tmp_path / "h")
    assert told.code == 0, told.err
    splits: dict[str, set[str]] = {}
    for item in read_dataset(tmp_path / "h"):
        splits.setdefault(item.groups["sentence"], set()).add(item.split)
    assert all(len(found) == 1 for found in splits.values())
    assert {split for found in splits.values() for split in found} <= {"train", "val"}
    again = run(
        "build", "drawings", nlvr, "--hold-out", "dev", "--share", "1", "--out", tmp_path / "all-held-out"
    )
    assert again.code == 0, again.err
    assert {item.split for item in read_dataset(tmp_path / "all-held-out")} == {"val"}


def test_sentences_of_photographs_are_held_out(run: Any, tmp_path: Path) -> None:
    """NLVR2 shows each pair once, and its authors chose weights by 5 % of the sentences of training."""
    records = [
        {"sentence": "it is so", "identifier": f"train-{number // 4}-{number % 4}-0", "left_url": "l",
         "right_url": "r", "label": "True"}
        for number in range(160)
    ]  # fmt: skip
    (tmp_path / "train.json").write_text("\n".join(map(json.dumps, records)))
    assert run("convert", "nlvr2", tmp_path / "train.json", "--out", tmp_path / "nlvr2").code == 0
    held = ("--hold-out", "train", "--share", "0.25", "--out")
    told = run("build", "drawings", tmp_path / "nlvr2", *held, tmp_path / "held")
    assert told.code == 0, told.err
    assert f"{tmp_path / 'held'}: 160 items (" in told.out
    splits: dict[str, list[str]] = {}
    for item in read_dataset(tmp_path / "held"):
        splits.setdefault(item.groups["sentence"], []).append(item.split)
    assert len(splits) == 40
    assert all(len(found) == 4 and len(set(found)) == 1 for found in splits.values())
    assert 3 <= sum(found[0] == "val" for found in splits.values()) <= 20
    assert run("validate", tmp_path / "held").code == 0
    again = run("build", "drawings", tmp_path / "held", *held, tmp_path / "twice")
    assert again.code == 2
    assert "There is a split 'val' already" in " ".join(again.err.split())


def test_drawings_to_learn_from_are_recoloured(run: Any, nlvr: Path, tmp_path: Path) -> None:
    with_pictures = tmp_path / "pictured"
    for item in read_dataset(nlvr):
        for scene in item.scenes:
            save(tableau_of(scene), tmp_path / scene.image)
    told = run("convert", "nlvr", FIXTURE, "--images", tmp_path, "--out", with_pictures)
    assert told.code == 0, told.err
    held = ("--hold-out", "dev", "--share", "0.5", "--seed", "3")
    told = run("build", "drawings", with_pictures, *held, "--recolour", "--out", tmp_path / "six")
    assert told.code == 0, told.err
    items = {item.id: item for item in read_dataset(tmp_path / "six")}
    learned = [one for one in items.values() if one.split == "train"]
    first = [one for one in learned if one.id.count("-") == 2]
    assert {one.split for one in items.values()} == {"train", "val"}
    assert len(learned) == 6 * len(first)
    assert all(one.id.count("-") == 2 for one in items.values() if one.split == "val")
    for one in first:
        other = items[f"{one.id}-blue-black-yellow"]
        assert (other.gold, other.groups) == (one.gold, one.groups)
        said, before = (str(each.texts["sentence"].tokens[0]) for each in (other, one))
        assert said == before.replace("yellow", "blue") != before
        (scene,) = other.scenes
        assert scene.stored is not None
        assert listed(see_file(tmp_path / "six" / scene.stored).shapes) == listed(tableau_of(scene))
    assert run("validate", tmp_path / "six").code == 0


def listed(shown: Tableau) -> list[list[Shape]]:
    return [sorted(panel.shapes) for panel in shown.panels]


def test_what_cannot_be_done_is_told(run: Any, nlvr: Path, drawn_world: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ((tmp_path, "--out", tmp_path / "x"), "is not a dataset"),
        ((drawn_world / "pmr", "--out", tmp_path / "x"), "pmr shows each item once"),
        ((nlvr, "--hold-out", "train", "--out", tmp_path / "x"), "There is no split 'train'"),
        ((nlvr, "--recolour", "--out", tmp_path / "x"), "nothing to recolour: no split 'train'"),
        ((nlvr, "--hold-out", "dev", "--recolour", "--out", tmp_path / "x"), "has no pictures to recolour"),
    ):
        told = run("build", "drawings", *arguments)
        assert told.code == 2
        assert message in told.err.replace("\n", " ")
        assert not (tmp_path / "x").exists()

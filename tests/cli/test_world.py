"""`commonsight world`: made, shown, measured and proved from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from commonsight.store.dataset import is_dataset, read_dataset
from commonsight.world.prove import Count
from commonsight.world.sheet import CELL_WIDTH

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small world, made once by the function behind the command."""
    from commonsight.world.make import KINDS, Plan, make_world

    folder = tmp_path_factory.mktemp("cli") / "world"
    make_world(folder, Plan(24, 3, KINDS), progress=lambda done, _: done)
    return folder


@pytest.mark.parametrize("verb", ["make", "describe", "show", "prove", "measure"])
def test_help_has_an_example(run: Run, verb: str) -> None:
    told = run("world", verb, "--help")
    assert told.code == 0
    assert f"commonsight world {verb}" in " ".join(told.out.split())
    assert "Example" in told.out


def test_the_group_lists_its_verbs(run: Run) -> None:
    told = run("world", "--help")
    assert told.code == 0
    assert all(verb in told.out for verb in ("make", "describe", "show", "prove", "measure"))


def test_make_says_what_it_made_and_that_it_is_drawn(run: Run, tmp_path: Path) -> None:
    told = run("world", "make", "--out", tmp_path / "w", "--scenes", 12, "--seed", 1, "--workers", 1)
    assert told.code == 0, told.err
    lines = told.out.splitlines()
    assert [Path(line.split(":")[0]).name for line in lines] == ["vcr", "pmr", "nlvr2", "aokvqa", "raw"]
    for line in lines[:-1]:
        assert re.search(r"\d+ items? \(train \d+\), \d+ images?, drawn$", line), line
    assert all(is_dataset(tmp_path / "w" / kind) for kind in ("vcr", "pmr", "nlvr2", "aokvqa"))


def test_make_makes_one_kind(run: Run, tmp_path: Path) -> None:
    told = run("world", "make", "--out", tmp_path / "w", "--scenes", 2, "--kind", "cric", "--workers", 1)
    assert told.code == 0, told.err
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["raw"]
    assert (tmp_path / "w/raw/scene_graphs.json").is_file()


@pytest.mark.parametrize(
    "options",
    [
        (), ("--out", "w", "--scenes", 0), ("--out", "w", "--scenes", "many"), ("--out", "w", "--seed", -1),
        ("--out", "w", "--kind", "photos"), ("--out", "w", "--workers", 0), ("--out", "w", "--clips", -1),
    ],
)  # fmt: skip
def test_bad_options_end_with_two(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("world", "make", *options).code == 2
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_refused(run: Run, world: Path) -> None:
    told = run("world", "make", "--out", world, "--scenes", 12)
    assert told.code == 2
    assert "exists already" in told.err


def test_another_plan_begun_in_the_same_place_is_refused(run: Run, tmp_path: Path) -> None:
    beside = tmp_path / ".w.part"
    beside.mkdir()
    (beside / "plan.json").write_text('{"scenes": 24, "seed": 9, "kinds": ["vcr"], "clips": 0}')
    told = run("world", "make", "--out", tmp_path / "w", "--scenes", 12, "--seed", 1)
    assert told.code == 2
    assert "holds another world" in told.err
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("kind", ["vcr", "pmr", "nlvr2", "aokvqa"])
def test_show_writes_a_sheet_with_something_on_it(run: Run, world: Path, tmp_path: Path, kind: str) -> None:
    told = run("world", "show", world / kind, "--out", tmp_path / "sheet.png", "--count", 5, "--columns", 3)
    assert told.code == 0, told.err
    assert told.out.strip().endswith("sheet.png: 5 scenes")
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.format == "PNG"
        assert sheet.width == 3 * CELL_WIDTH
        pixels = np.asarray(sheet.convert("L"), dtype=float)
    assert pixels.std() > 20
    assert len(np.unique(pixels)) > 50


def test_boxes_can_be_left_out(run: Run, world: Path, tmp_path: Path) -> None:
    sheets = []
    for option in ("--boxes", "--no-boxes"):
        assert (
            run("world", "show", world / "vcr", "--out", tmp_path / "s.png", "--count", 2, option).code == 0
        )
        sheets.append((tmp_path / "s.png").read_bytes())
    assert sheets[0] != sheets[1]


@pytest.mark.parametrize(
    ("dataset", "file", "options", "says"),
    [
        ("raw", "s.png", (), "is not a dataset"),
        ("vcr", "s.jpg", (), "Let the name end in .png"),
        ("vcr", "s.png", ("--split", "nowhere"), "nowhere"),
        ("vcr", "s.png", ("--count", 0), "count"),
        ("vcr", "s.png", ("--columns", 0), "columns"),
    ],
)
def test_show_refuses(
    run: Run, world: Path, tmp_path: Path, dataset: str, file: str, options: tuple[object, ...], says: str
) -> None:
    told = run("world", "show", world / dataset, "--out", tmp_path / file, *options)
    assert told.code == 2
    assert says in told.err
    assert list(tmp_path.iterdir()) == []


def test_measure_tells_drawn_figures_beside_the_papers(run: Run, world: Path) -> None:
    told = run("world", "measure", world)
    assert told.code == 0, told.err
    first, *rest = told.out.splitlines()
    assert re.fullmatch(r"\d+ triplets, \d+ wordings, drawn", first)
    for heading in (line for line in rest if "paper" in line):
        assert "drawn" in heading  # never one without the other
    assert re.search(r"Explanation +\d+\.\d +38\.0", told.out)
    assert re.search(r"rationale +\d+\.\d +16\.2", told.out)


def test_measure_needs_a_world(run: Run, tmp_path: Path) -> None:
    told = run("world", "measure", tmp_path)
    assert told.code == 2
    assert "vcr.jsonl is not there" in told.err


def test_prove_counts_by_kind(run: Run) -> None:
    told = run("world", "prove", "--scenes", 12, "--seed", 2)
    assert told.code == 0, told.err
    rows = [line.split() for line in told.out.splitlines()[1:]]
    assert [row[0] for row in rows] == ["vcr", "pmr", "nlvr2", "aokvqa"]
    for _, items, proved, mistakes, unproved in rows:
        assert int(items) == int(proved) + int(mistakes) > 0
        assert unproved == "0"


def test_prove_ends_with_two_if_something_is_not_proved(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonsight.world.prove.proved", lambda *_: {"vcr": Count(10, 8, 1)})
    told = run("world", "prove", "--scenes", 12)
    assert told.code == 2
    assert "do not follow from their scenes" in told.err
    assert told.out.split()[-5:] == ["vcr", "10", "8", "1", "1"]


def test_describe_captions_every_item_of_every_split(run: Run, world: Path, tmp_path: Path) -> None:
    file = tmp_path / "captions.jsonl"
    told = run("world", "describe", world / "aokvqa", "--out", file, "--workers", 1)
    assert told.code == 0, told.err
    items = {item.id: item for item in read_dataset(world / "aokvqa")}
    assert told.out.strip().endswith(f"{len(items)} captions, drawn")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert {line["item"] for line in lines} == items.keys()
    by_picture: dict[str, set[str]] = {}
    for line in lines:
        by_picture.setdefault(items[line["item"]].scenes[0].image, set()).add(line["context"])
    assert all(len(captions) == 1 for captions in by_picture.values())  # of the picture, not of the question


def test_only_single_drawn_scenes_are_described(run: Run, world: Path, tmp_path: Path) -> None:
    for data in (world / "nlvr2", world / "raw"):
        told = run("world", "describe", data, "--out", tmp_path / "c.jsonl")
        assert told.code == 2
        assert "is no dataset of single drawn scenes" in " ".join(told.err.split())
        assert not (tmp_path / "c.jsonl").exists()


def test_a_world_of_another_version_is_not_guessed_at(
    run: Run, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonsight.world.make.__version__", "99")
    told = run("world", "describe", world / "vcr", "--out", tmp_path / "c.jsonl")
    assert told.code == 2
    assert "may draw other scenes" in " ".join(told.err.split())

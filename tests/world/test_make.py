"""A world on the disk: whole, honest, and the same for any number of workers."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from commonsight.benchmarks import find
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.store.dataset import check_dataset, read_dataset, read_info, sha256
from commonsight.store.native import read_native, write_native
from commonsight.world.make import KINDS, SCENIC, Kind, Plan, Unit, make_world, split_of, units
from commonsight.world.prove import LABELLED

PLAN = Plan(38, 5, KINDS, clips=2)
SMALL = Plan(14, 7, ("vcr", "cric"), clips=1)


def _quiet(done: Iterator[Unit], _: int) -> Iterator[Unit]:
    return done


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "world"
    make_world(folder, PLAN, progress=_quiet)
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "small"
    make_world(folder, SMALL, progress=_quiet)
    return folder


# --- units and splits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenes", [1, 11, 12, 13, 40, 120, 500])
def test_units_cover_every_scene_once(scenes: int) -> None:
    made = [unit for unit in units(Plan(scenes, 0, ("vcr", "pmr"))) if unit.what == "movie"]
    assert sum(unit.scenes for unit in made) == scenes
    assert [unit.number for unit in made] == list(range(len(made)))


@pytest.mark.parametrize("total", [1, 2, 3, 9, 10, 100])
def test_splits_are_eight_one_one(total: int) -> None:
    counts = Counter(split_of(number, total) for number in range(total))
    assert counts.total() == total
    assert counts["train"] >= counts["val"] == counts["test"]
    if total >= 3:
        assert counts["val"] == max(1, total // 10)


def test_only_what_is_asked_for_is_made() -> None:
    assert {unit.what for unit in units(Plan(40, 0, ("nlvr2",)))} == {"set"}
    assert {unit.what for unit in units(Plan(40, 0, ("cric",)))} == {"movie"}
    assert {unit.what for unit in units(Plan(40, 0, KINDS, 2))} == {"movie", "set", "clip"}


def test_each_movie_is_in_one_split(world: Path) -> None:
    splits: dict[str, set[str]] = {}
    for line in [*_lines(world / "raw/vcr.jsonl"), *_lines(world / "raw/clips.jsonl")]:
        splits.setdefault(line.get("group") or line["movie"], set()).add(line["split"])
    for kind in ("vcr", "pmr", "aokvqa"):
        for item in read_dataset(world / kind):
            movie = item.groups.get("movie") or item.provenance["movie"]
            splits.setdefault(movie, set()).add(item.split)
    for graph in json.loads((world / "raw/scene_graphs.json").read_bytes()):
        splits.setdefault(graph["image"].split("/")[0], set()).add(graph["split"])
    assert len(splits) == 4
    assert all(len(found) == 1 for found in splits.values())


def test_clips_share_the_split_of_their_movie() -> None:
    plan = Plan(40, 0, ("vcr",), clips=9)
    movies = {unit.number: unit.split for unit in units(plan) if unit.what == "movie"}
    clips = [unit for unit in units(plan) if unit.what == "clip"]
    assert [unit.split for unit in clips] == [movies[unit.number % len(movies)] for unit in clips]


# --- what is there -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LABELLED)
def test_datasets_are_sound_and_say_that_they_are_drawn(world: Path, kind: Kind) -> None:
    assert check_dataset(world / kind) == []
    info = read_info(world / kind)
    assert info is not None
    assert info.drawn
    assert (info.benchmark, info.made.seed) == (kind, PLAN.seed)
    assert info.items > 20
    assert "drawn" in (world / kind / "README.md").read_text("utf-8").lower()
    for item in read_dataset(world / kind):
        assert item.provenance["drawn"] is True
        assert item.extra["drawn"] is True
        assert item.provenance["form"]


@pytest.mark.parametrize("kind", SCENIC)
def test_scenes_have_the_objects_that_are_drawn(world: Path, kind: Kind) -> None:
    """Also where the native files have no boxes: as the metadata beside the same picture has them."""
    drawn = {}
    for path in (world / "raw/images").rglob("*.jpg"):
        if (about := path.with_suffix(".json")).is_file():
            drawn[sha256(path)] = json.loads(about.read_bytes())
    for item in read_dataset(world / kind):
        (scene,) = item.scenes
        assert scene.stored is not None
        found = drawn[sha256(world / kind / scene.stored)]
        assert scene.labels == tuple(found["names"])
        boxes = [(*msgspec.to_builtins(region.box), region.score) for region in scene.regions]
        assert boxes == [tuple(box) for box in found["boxes"]]
        assert (scene.width, scene.height) == (found["width"], found["height"])


@pytest.mark.parametrize("kind", LABELLED)
def test_datasets_convert_to_native_files_and_back(world: Path, kind: Kind, tmp_path: Path) -> None:
    native = find(kind).native
    written = write_native(native, read_dataset(world / kind), tmp_path)
    files = [tmp_path / name for name in written if not name.startswith("images/")]
    for path in files:
        text = path.read_text("utf-8")
        records = (
            json.loads(text) if native.layout == "array" else [json.loads(ln) for ln in text.splitlines()]
        )
        assert all(record["drawn"] is True for record in records)
    boxes = kind != "aokvqa"  # whose files know of no objects
    back = [
        _compared(item, boxes)
        for path in files
        for item in read_native(native, [path], images=tmp_path / "images")
    ]
    own = [_compared(item, boxes) for item in read_dataset(world / kind)]
    assert sorted(back) == sorted(own)


def _compared(item: Item, boxes: bool) -> tuple[str, ...]:
    """All that a native file keeps."""
    parts = (item.id, item.split, item.texts, item.choices, item.gold, item.rationales, item.rationale_gold)
    labels = item.labels if boxes else ()
    return (*map(repr, parts), repr(labels), repr(item.direct_answers), repr(item.extra["drawn"]))


def test_raw_annotations_are_there_for_build_commands(world: Path) -> None:
    lines = _lines(world / "raw/vcr.jsonl")
    assert len({line["id"] for line in lines}) == len(lines)
    for line in lines:
        assert line["drawn"] is True
        assert (world / "raw/images" / line["image"]).is_file()
        metadata = json.loads((world / "raw/images" / line["image"]).with_suffix(".json").read_bytes())
        assert metadata["names"] == line["objects"]
        assert metadata["drawn"] is True
    graphs = json.loads((world / "raw/scene_graphs.json").read_bytes())
    assert len(graphs) == PLAN.scenes
    assert all(graph["drawn"] is True and graph["objects"] for graph in graphs)
    assert {path.name for path in (world / "raw/knowledge").iterdir()} == {"assertions.csv", "triples.tsv"}


def test_vcr_distractors_are_others_and_the_label_is_the_only_right_one(world: Path) -> None:
    raw = {line["id"]: line for line in _lines(world / "raw/vcr.jsonl")}
    places = Counter[int]()
    for item in read_dataset(world / "vcr"):
        assert len(set(item.choices)) == len(set(item.rationales)) == 4
        assert item.choices[item.gold.index].native() == raw[item.id]["answer"]  # type: ignore[union-attr]
        assert item.rationale_gold is not None
        assert item.rationales[item.rationale_gold].native() == raw[item.id]["rationale"]
        places[item.gold.index] += 1  # type: ignore[union-attr]
    assert min(places[place] for place in range(4)) > 0.1 * places.total()


def test_clips_are_told_as_they_are_on_the_disk(world: Path) -> None:
    clips = _lines(world / "raw/clips.jsonl")
    assert [clip["drawn"] for clip in clips] == [True] * PLAN.clips
    assert {path.name for path in (world / "raw/clips").iterdir()} == {clip["id"] for clip in clips}
    for clip in clips:
        frames = sorted((world / "raw/clips" / clip["id"]).iterdir())
        assert [path.name for path in frames] == [f"{n:04d}.jpg" for n in range(clip["frames"])]
        assert clip["shots"][0] == 0
        assert clip["shots"] == sorted(set(clip["shots"]))
        assert 3 <= len(clip["shots"]) <= 6
        ends = [*clip["shots"][1:], clip["frames"]]
        assert all(4 <= end - start <= 8 for start, end in zip(clip["shots"], ends, strict=True))
        with Image.open(frames[0]) as picture:
            assert picture.size == (384, 256)


def test_nothing_hidden_is_left(world: Path) -> None:
    assert list(world.rglob(".*")) == []
    assert [path.name for path in world.parent.iterdir()] == ["world"]
    assert {path.name for path in world.iterdir()} == {"raw", *LABELLED}


# --- the same bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_plan_gives_the_same_bytes(small: Path, tmp_path: Path, workers: int) -> None:
    make_world(tmp_path / "again", SMALL, workers=workers, progress=_quiet)
    assert _files(tmp_path / "again") == _files(small)


def test_another_seed_gives_another_world(small: Path, tmp_path: Path) -> None:
    make_world(tmp_path / "other", Plan(12, 8, ("vcr",)), progress=_quiet)
    ours, others = (set(_files(folder / "raw/images").values()) for folder in (small, tmp_path / "other"))
    assert not ours & others


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_on_its_own_is_as_it_is_among_all(world: Path, tmp_path: Path, kind: Kind) -> None:
    make_world(tmp_path / "one", Plan(PLAN.scenes, PLAN.seed, (kind,)), progress=_quiet)
    alone, among = _files(tmp_path / "one"), _files(world)
    shared = {name for name in alone if not name.endswith(("dataset.json", "README.md", "croissant.json"))}
    assert shared
    assert {name: alone[name] for name in shared} == {name: among[name] for name in shared}
    assert {path.name for path in (tmp_path / "one").iterdir()} == {"raw"} | (
        {kind} if kind != "cric" else set()
    )


def test_what_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for taken in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(UsageError, match="exists already"):
            make_world(taken, SMALL, progress=_quiet)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_an_empty_folder_may_be_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    make_world(Path(), Plan(2, 1, ("cric",)), progress=_quiet)
    assert [path.name for path in (tmp_path / "empty").iterdir()] == ["raw"]

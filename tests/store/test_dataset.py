"""Datasets on disk: all or nothing, the same bytes for the same input, and every damage found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from PIL import Image

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.errors import InputError, InvalidRecords, Problem, UsageError
from commonsight.store import dataset as module
from commonsight.store.dataset import (
    check_dataset,
    is_dataset,
    open_items,
    read_dataset,
    read_info,
    sha256,
    write_dataset,
)
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.rows import SCHEMA, to_row

INFO = DatasetInfo("tiny", "vcr", "1.0.0", Made("convert", "0.1.0", seed=3), {}, title="Tiny")


def item(number: int, split: str = "val", image: str = "a.png") -> Item:
    return Item(
        f"i{number}",
        split,
        (Scene(image, (Region("dog", Box(0, 0, 2, 2)),)),),
        {"question": TaggedText(("Is", (0,), "here", "?"))},
        (TaggedText.plain("yes"), TaggedText.plain("no")),
        Pick(number % 2),
        extra={"number": number},
    )


ITEMS = [item(0), item(1, image="b.png"), item(2, "train", "same.png"), item(3, "train")]


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    Image.new("RGB", (8, 6), "red").save(folder / "a.png")
    Image.new("RGB", (8, 6), "blue").save(folder / "b.png")
    shutil.copy(folder / "a.png", folder / "same.png")
    return folder


@pytest.fixture
def dataset(tmp_path: Path, images: Path) -> Path:
    write_dataset(tmp_path / "set", ITEMS, INFO, images=images)
    return tmp_path / "set"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    info = write_dataset(tmp_path / "set", ITEMS, INFO)
    assert list(read_dataset(tmp_path / "set")) == ITEMS
    assert list(read_dataset(tmp_path / "set", split="train")) == ITEMS[2:]
    assert read_info(tmp_path / "set") == info
    assert {name: split.items for name, split in info.splits.items()} == {"val": 2, "train": 2}
    assert is_dataset(tmp_path / "set")
    assert check_dataset(tmp_path / "set") == []


def test_outlines_need_not_be_read(tmp_path: Path) -> None:
    """And nothing else is missing then."""
    shape = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0))
    plain = item(0)
    (shown,) = plain.scenes
    (dog,) = shown.regions
    outlined = structs.replace(
        plain, scenes=(structs.replace(shown, regions=(structs.replace(dog, polygons=(shape,)),)),)
    )
    write_dataset(tmp_path / "d", [outlined], INFO)
    assert list(read_dataset(tmp_path / "d")) == [outlined]
    assert list(read_dataset(tmp_path / "d", outlines=False)) == [plain]


def test_a_stream_longer_than_a_row_group_keeps_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    many = [item(number, ("val", "train")[number % 2]) for number in range(20)]
    info = write_dataset(tmp_path / "set", iter(many), INFO)
    assert list(read_dataset(tmp_path / "set", split="val")) == many[::2]
    assert list(read_dataset(tmp_path / "set", split="train")) == many[1::2]
    assert info.items == 20
    assert check_dataset(tmp_path / "set") == []


def test_pictures_are_stored_once_and_give_the_scene_its_size(dataset: Path) -> None:
    info, items = open_items(dataset)
    scenes = [read.scenes[0] for read in items]
    assert info.images == 2  # a.png and same.png are one picture
    assert scenes[0].stored == scenes[2].stored == scenes[3].stored != scenes[1].stored
    assert {(scene.width, scene.height) for scene in scenes} == {(8, 6)}
    assert [scene.image for scene in scenes] == ["a.png", "b.png", "same.png", "a.png"]
    assert len([name for name in files(dataset) if name.startswith("images/")]) == 2
    assert check_dataset(dataset) == []


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, images: Path, dataset: Path) -> None:
    write_dataset(tmp_path / "again", iter(ITEMS), INFO, images=images)
    first, second = files(dataset), files(tmp_path / "again")
    assert sorted(first) == sorted(second)
    assert {name for name in first if first[name] != second[name]} == set()
    assert {"dataset.json", "croissant.json", "README.md", "val.parquet", "train.parquet"} <= set(first)


def failing() -> Iterator[Item]:
    yield from ITEMS
    raise RuntimeError("the power went out")


def test_nothing_is_left_when_writing_fails_midway(
    tmp_path: Path, images: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROWS", 1)  # so that files have been opened
    before = sorted(tmp_path.iterdir())
    with pytest.raises(RuntimeError, match="power"):
        write_dataset(tmp_path / "set", failing(), INFO, images=images)
    assert sorted(tmp_path.iterdir()) == before


def test_an_old_dataset_outlives_a_failed_overwrite(dataset: Path, tmp_path: Path) -> None:
    before = files(tmp_path)
    with pytest.raises(RuntimeError, match="power"):
        write_dataset(dataset, failing(), INFO, overwrite=True)
    assert files(tmp_path) == before


def test_an_existing_folder_is_refused(dataset: Path) -> None:
    before = files(dataset)
    with pytest.raises(UsageError, match="exists already"):
        write_dataset(dataset, [item(9)], INFO)
    assert files(dataset) == before


def test_overwrite_replaces_the_whole_dataset(dataset: Path) -> None:
    write_dataset(dataset, [item(9, "dev")], INFO, overwrite=True)
    assert [read.id for read in read_dataset(dataset)] == ["i9"]
    assert sorted(files(dataset)) == ["README.md", "croissant.json", "dataset.json", "dev.parquet"]


@pytest.mark.parametrize("split", ["../x", "a/b", "", ".."])
def test_a_split_that_cannot_be_a_file_s_name_is_refused(tmp_path: Path, split: str) -> None:
    with pytest.raises(InputError, match="cannot be a split's name"):
        write_dataset(tmp_path / "set", [item(0, split)], INFO)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken.png", "this is not a whole image"),
        ("none.png", "the image cannot be read"),
        ("../pictures/a.png", "is not a path below"),
        ("//a.png", "is not a path below"),
    ],
)
def test_a_picture_that_cannot_be_used_is_a_clear_error(
    tmp_path: Path, images: Path, name: str, message: str
) -> None:
    (images / "broken.png").write_bytes((images / "a.png").read_bytes()[:30])
    with pytest.raises(InputError, match=message):
        write_dataset(tmp_path / "set", [item(0, image=name)], INFO, images=images)
    assert not (tmp_path / "set").exists()


def edit_info(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = json.loads((folder / "dataset.json").read_text())
    change(content)
    (folder / "dataset.json").write_text(json.dumps(content))


def rewrite(folder: Path, rows: list[dict[str, Any]], schema: pa.Schema = SCHEMA) -> None:
    """Another val.parquet, with its right hash and count: the damage is in the rows alone."""
    path = folder / "val.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema), path)
    edit_info(folder, lambda info: info["splits"]["val"].update(sha256=sha256(path), items=len(rows)))


def changed_byte(folder: Path) -> None:
    content = bytearray((folder / "val.parquet").read_bytes())
    content[-1] ^= 1
    (folder / "val.parquet").write_bytes(content)


def stored_picture(folder: Path) -> Path:
    return next(path for path in sorted((folder / "images").rglob("*")) if path.is_file())


def changed_picture(folder: Path) -> None:
    Image.new("RGB", (8, 6), "green").save(stored_picture(folder))


VAL = [item(0), item(1)]


@pytest.mark.parametrize(
    ("damage", "messages"),
    [
        (
            changed_byte,
            ["val.parquet: sha256: the file is not the one that was written"],
        ),
        (lambda folder: (folder / "val.parquet").unlink(), ["val.parquet: the file cannot be read"]),
        (
            lambda folder: (folder / "val.parquet").write_bytes(b""),
            ["val.parquet: sha256: the file is not the one that was written"],
        ),
        (
            lambda folder: shutil.copy(folder / "train.parquet", folder / "val.parquet"),
            ["val.parquet: sha256: the file is not the one that was written"],
        ),
        (lambda folder: stored_picture(folder).unlink(), ["the image is missing. Restore it."]),
        (changed_picture, ["the image is not the one that was written. Restore it."]),
        (
            lambda folder: edit_info(folder, lambda info: info["splits"]["val"].update(items=7)),
            ["val.parquet: split val holds 2 items, dataset.json says 7"],
        ),
        (
            lambda folder: edit_info(folder, lambda info: info.update(format=99)),
            ["dataset.json: format: the dataset's format is 99, this version reads 1"],
        ),
        (
            lambda folder: edit_info(
                folder, lambda info: info["splits"]["val"].update(file="../set/val.parquet")
            ),
            ["dataset.json: split 'val' cannot be in '../set/val.parquet'"],
        ),
        (lambda folder: (folder / "dataset.json").write_text("{"), ["dataset.json: "]),
        (lambda folder: (folder / "dataset.json").write_bytes(b"\xff"), ["dataset.json: "]),
        (lambda folder: (folder / "dataset.json").unlink(), ["dataset.json: the file cannot be read"]),
        (
            lambda folder: rewrite(folder, [to_row(VAL[0]), to_row(VAL[1]), to_row(VAL[0])]),
            ["val.parquet: record i0: id: the id was used before"],
        ),
        (
            lambda folder: rewrite(folder, [to_row(structs.replace(VAL[0], gold=Pick(5)))]),
            ["val.parquet: record i0: gold: the label 5 is not one of the 2 choices"],
        ),
        (
            lambda folder: rewrite(folder, [{**to_row(VAL[0]), "extra": "{"}, to_row(VAL[1])]),
            ["val.parquet: record i0: this row is not an item", "split val holds 1 items"],
        ),
        (
            lambda folder: rewrite(folder, [{**to_row(VAL[0]), "scenes": None}]),
            ["val.parquet: record i0: this row is not an item", "split val holds 0 items"],
        ),
        (
            lambda folder: rewrite(folder, [{**to_row(VAL[0]), "gold_kind": "ranking"}]),
            ["The gold kind 'ranking' is not one that this version knows", "split val holds 0 items"],
        ),
        (
            lambda folder: rewrite(folder, [{"id": "x"}], pa.schema([("id", pa.string())])),
            ["val.parquet: the columns are not those of a dataset", "split val holds 0 items"],
        ),
        (
            lambda folder: rewrite(
                folder,
                [to_row(structs.replace(VAL[0], scenes=(Scene("a", (Region("dog"),), stored="../../x"),)))],
            ),
            ["record i0: '../../x' is not a path below"],
        ),
    ],
)
def test_every_damage_is_found_and_named(
    dataset: Path, damage: Callable[[Path], Any], messages: list[str]
) -> None:
    damage(dataset)
    problems = check_dataset(dataset)
    assert len(problems) == len(messages), [str(problem) for problem in problems]
    for problem, message in zip(problems, messages, strict=True):
        assert message in str(problem)
        assert problem.remedy


def test_a_missing_parquet_file_stops_reading(dataset: Path) -> None:
    (dataset / "val.parquet").unlink()
    with pytest.raises(InvalidRecords, match=r"val\.parquet: the file cannot be read"):
        list(read_dataset(dataset))
    problems: list[Problem] = []
    assert [read.split for read in read_dataset(dataset, on_problem=problems.append)] == ["train", "train"]
    assert len(problems) == 1


def test_a_split_that_is_not_there_is_named_with_those_that_are(dataset: Path) -> None:
    with pytest.raises(InvalidRecords, match=r"there is no split 'dev'\. Choose one of: val, train\."):
        list(read_dataset(dataset, split="dev"))


def test_a_folder_without_dataset_is_a_clear_error(tmp_path: Path) -> None:
    assert not is_dataset(tmp_path)
    with pytest.raises(InvalidRecords, match=r"dataset\.json: the file cannot be read"):
        open_items(tmp_path)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("sound") / "set"
    write_dataset(folder, [item(number) for number in range(30)], INFO)
    return folder, (folder / "val.parquet").read_bytes()


@given(st.data())
def test_a_flipped_byte_anywhere_in_a_parquet_file_is_found(
    sound: tuple[Path, bytes], data: st.DataObject
) -> None:
    folder, whole = sound
    content = bytearray(whole)
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    (folder / "val.parquet").write_bytes(content)
    problems = check_dataset(folder)
    assert [problem.message for problem in problems] == ["the file is not the one that was written"]
    list(read_dataset(folder, on_problem=problems.append))

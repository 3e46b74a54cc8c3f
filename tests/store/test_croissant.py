"""Croissant metadata: what `mlcroissant` says about it, and what it loads with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlcroissant
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from PIL import Image

from commonsight.core.answer import FreeText, Grounded, Pick, Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.core.text import TaggedText
from commonsight.store import croissant as module
from commonsight.store.croissant import DRAWN, croissant
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made, SourceFile, SplitInfo
from commonsight.store.rows import SCHEMA

INFO = DatasetInfo(
    name="tiny",
    benchmark="vcr",
    version="1.0.0",
    made=Made(
        "convert", "0.1.0", seed=7, sources=(SourceFile("val.jsonl", "ab" * 32),), options={"b": 1, "a": 2}
    ),
    splits={},
    title="A tiny dataset",
    description="Four items.",
    citation="Someone (2019). A paper.",
    licence="CC BY 4.0",
    homepage="https://example.org",
)

PEOPLE = (
    Region("person", Box(1, 1, 4, 5), (((1, 1), (4, 1), (4, 5)),), 0.9, ("tall",), 7),
    Region("dog", Box(0, 0, 2, 2)),
)
ITEMS = (
    Item(
        "v1",
        "val",
        (Scene("a.png", PEOPLE, (Relation(0, "walks", 1),)),),
        {"question": TaggedText(("Why", "is", (0,), "here", "?")), "caption": TaggedText.plain("A walk.")},
        (TaggedText.plain("By chance."), TaggedText(((0, 1), "live", "here", "."))),
        Pick(1),
        rationales=(TaggedText(("Look", "at", (1,))),),
        rationale_gold=0,
        groups={"movie": "m1"},
    ),
    Item("v2", "val", (Scene("a.png"), Scene("b.jpg")), gold=Verdict(True)),
    Item("d1", "dev", (Scene("b.jpg"),), gold=FreeText("red"), direct_answers=("red", "röd")),
    Item("t1", "test1", gold=Grounded("cup", 5), target=(5, 6)),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with pictures, regions, tagged texts and every kind of gold."""
    images = tmp_path_factory.mktemp("images")
    Image.new("RGB", (8, 6), (200, 0, 0)).save(images / "a.png")
    Image.new("RGB", (9, 7), (0, 200, 0)).save(images / "b.jpg")
    folder = tmp_path_factory.mktemp("croissant") / "tiny"
    write_dataset(folder, ITEMS, INFO, images=images)
    return folder


def read(folder: Path) -> mlcroissant.Dataset:
    return mlcroissant.Dataset(jsonld=folder / "croissant.json")


def records(folder: Path, record_set: str) -> list[dict[str, Any]]:
    """Records with short names, and text as text: mlcroissant gives bytes."""
    return [_plain(record) for record in read(folder).records(record_set)]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key.rpartition("/")[2]: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value.decode() if isinstance(value, bytes) else value


def test_mlcroissant_finds_no_error_and_misses_only_the_date_that_we_do_not_know(folder: Path) -> None:
    issues = read(folder).metadata.ctx.issues
    assert not issues.errors
    assert [warning for warning in issues.warnings if "datePublished" not in warning] == []


def test_mlcroissant_reads_what_the_dataset_says_about_itself(folder: Path) -> None:
    metadata = read(folder).metadata
    assert (metadata.name, metadata.version, metadata.url) == ("tiny", "1.0.0", "https://example.org")
    assert metadata.license == ["https://creativecommons.org/licenses/by/4.0/"]
    assert metadata.cite_as == "Someone (2019). A paper."
    assert metadata.data_preprocessing_protocol == [
        'Made by `commonsight convert` (version 0.1.0). The seed is 7. Options: {"a":2,"b":1}.'
    ]


def test_mlcroissant_loads_the_simple_columns(folder: Path) -> None:
    loaded = {record["id"]: record for record in records(folder, "items")}
    assert set(loaded) == {item.id for item in ITEMS}
    assert {id_: record["split"] for id_, record in loaded.items()} == {item.id: item.split for item in ITEMS}
    assert loaded["v1"]["gold_choice"] == 1
    assert loaded["v1"]["groups"] == '{"movie":"m1"}'
    assert loaded["v2"]["gold_verdict"]
    assert (loaded["d1"]["gold_text"], loaded["d1"]["direct_answers"]) == ("red", ["red", "röd"])
    assert (loaded["t1"]["gold_object"], loaded["t1"]["target"]) == (5, [5, 6])
    assert loaded["t1"]["gold_choice"] is None


def test_mlcroissant_loads_texts_and_scenes_with_their_parts(folder: Path) -> None:
    item = next(record for record in records(folder, "items") if record["id"] == "v1")
    assert item["choices"] == [
        {"text": "By chance.", "words": None, "tags": None},
        {"text": "[person1, dog2] live here.", "words": [None, "live", "here", "."], "tags": [[0, 1]]},
    ]
    assert item["texts"] == [
        {
            "role": "question",
            "text": "Why is [person1] here?",
            "words": ["Why", "is", None, "here", "?"],
            "tags": [[0]],
        },
        {"role": "caption", "text": "A walk.", "words": None, "tags": None},
    ]
    assert [(scene["image"], scene["width"], scene["height"]) for scene in item["scenes"]] == [
        ("a.png", 8, 6)
    ]


def test_mlcroissant_loads_the_splits_and_the_pictures(folder: Path) -> None:
    assert {record["name"]: record["items"] for record in records(folder, "splits")} == {
        "val": 2, "dev": 1, "test1": 1,
    }  # fmt: skip
    stored = {scene["stored"]: scene for item in records(folder, "items") for scene in item["scenes"]}
    pictures = {record["stored"]: record["content"].size for record in records(folder, "images")}
    assert pictures == {name: (scene["width"], scene["height"]) for name, scene in stored.items()}


def test_every_split_file_is_described_with_its_hash(folder: Path) -> None:
    described = {
        file["contentUrl"]: file["sha256"] for file in of_type(croissant_of(folder), "cr:FileObject")
    }
    written = json.loads((folder / "dataset.json").read_bytes())["splits"].values()
    assert described == {entry["file"]: entry["sha256"] for entry in written}


@pytest.mark.parametrize(
    "names", [["val"], ["val-adv", "val_adv", "no", "1.0", "20"]]
)
def test_any_split_name_loads(tmp_path: Path, names: list[str]) -> None:
    items = [Item(str(number), split) for number, split in enumerate(names)]
    write_dataset(tmp_path / "tiny", items, INFO)
    assert {record["id"]: record["split"] for record in records(tmp_path / "tiny", "items")} == {
        item.id: item.split for item in items
    }


def test_a_dataset_without_items_or_facts_is_still_valid(tmp_path: Path) -> None:
    write_dataset(tmp_path / "empty", [], DatasetInfo("", "", "", Made("", ""), {}))
    dataset = read(tmp_path / "empty")
    assert not dataset.metadata.ctx.issues.errors
    assert dataset.metadata.record_sets == []
    described = croissant_of(tmp_path / "empty")
    assert (described["name"], described["license"], described["url"]) == ("dataset", "Not stated", "./")
    assert described["citeAs"] == "dataset. Made by Commonsight. No seed was used."
    assert "version" not in described


def croissant_of(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "croissant.json").read_bytes())
    return content


def of_type(described: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [entry for entry in described["distribution"] if entry["@type"] == kind]


def test_pictures_are_described_only_where_there_are_any() -> None:
    without = croissant(structs.replace(INFO, splits={"val": SplitInfo("val.parquet", 1, "00")}))
    assert [entry["@id"] for entry in of_type(without, "cr:FileSet")] == ["item-files"]
    assert [entry["@id"] for entry in without["recordSet"]] == ["splits", "items"]
    assert [entry["@id"] for entry in of_type(croissant(structs.replace(INFO, images=2)), "cr:FileSet")] == [
        "image-files"
    ]


def test_every_column_is_described_and_what_cannot_be_loaded_is_named() -> None:
    described = croissant(structs.replace(INFO, splits={"val": SplitInfo("val.parquet", 1, "00")}))
    fields = next(entry for entry in described["recordSet"] if entry["@id"] == "items")["field"]
    assert [field["name"] for field in fields] == SCHEMA.names
    assert all(field["description"] for field in fields)
    scenes = next(field for field in fields if field["name"] == "scenes")
    assert scenes["description"].endswith("only in the file: regions, relations.")


def test_a_drawn_dataset_says_so() -> None:
    assert croissant(structs.replace(INFO, drawn=True))["description"] == f"Four items. {DRAWN}"
    assert DRAWN not in croissant(INFO)["description"]


def test_a_column_of_a_new_type_needs_a_decision() -> None:
    with pytest.raises(TypeError, match=r"no Croissant data type stands for the Arrow type binary; add it"):
        module._column(pa.field("pixels", pa.binary()))


def infos() -> st.SearchStrategy[DatasetInfo]:
    """Any info at all, as far as a file can hold it."""
    text = st.text(max_size=20)
    sources = st.lists(st.builds(SourceFile, text, text), max_size=2).map(tuple)
    made = st.builds(Made, text, text, st.none() | st.integers(0, 9), sources, st.dictionaries(text, text))
    split = st.builds(SplitInfo, text, st.integers(0, 10**8), text)
    splits = st.dictionaries(text, split, max_size=4)
    texts = [text] * 5  # title, description, citation, licence, homepage
    answers = st.dictionaries(text, text, max_size=2)
    return st.builds(
        DatasetInfo, text, text, text, made, splits, *texts, st.booleans(), st.integers(0, 3), answers
    )


@given(infos())
def test_the_metadata_of_any_info_is_json_and_always_the_same(info: DatasetInfo) -> None:
    described = croissant(info)
    assert json.loads(json.dumps(described)) == described
    assert json.dumps(croissant(info)) == json.dumps(described)
    ids = list(_ids(described["distribution"])) + list(_ids(described["recordSet"]))
    assert not any(any(character.isspace() for character in id_) for id_ in ids)


def _ids(nodes: list[dict[str, Any]]) -> Iterator[str]:
    for node in nodes:
        yield node["@id"]
        yield from _ids(node.get("field", []) + node.get("subField", []))


@given(infos())
def test_mlcroissant_finds_no_error_whatever_the_texts_are(info: DatasetInfo) -> None:
    files = {
        f"s{number}": SplitInfo(f"s{number}.parquet", number, "00") for number in range(len(info.splits))
    }
    info = structs.replace(info, splits=files)
    assert not mlcroissant.Dataset(jsonld=croissant(info)).metadata.ctx.issues.errors

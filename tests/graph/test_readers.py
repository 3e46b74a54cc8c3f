"""Scene graphs from every layout: what was written comes back, what is wrong is told, never a traceback."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonsight.core.item import Item
from commonsight.core.scene import Box, Region, Relation, Scene
from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.graph.readers import READERS, detect_layout, open_scenes
from commonsight.graph.readers.factual import in_words
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made

WORDS = st.text("abcé ,\"'\\", min_size=1, max_size=6).filter(str.strip)
PLAIN = st.sampled_from(["man", "cup", "tree trunk", "on", "red", "next to"])
SIDES = st.integers(0, 500)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, top = draw(SIDES), draw(SIDES)
    return Box(left, top, left + draw(st.integers(1, 99)), top + draw(st.integers(1, 99)))


@st.composite
def scenes(draw: st.DrawFn, words: st.SearchStrategy[str] = WORDS) -> tuple[Scene, ...]:
    """A few scenes with the ids 0, 1, 2 … for objects, which every layout can tell."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        attributes = st.lists(words, max_size=2, unique=True).map(tuple)
        parts = draw(st.lists(st.tuples(words, st.none() | boxes(), attributes), min_size=1, max_size=4))
        regions = tuple(Region(n, b, attributes=a, id=place) for place, (n, b, a) in enumerate(parts))
        ends = st.integers(0, len(regions) - 1)
        relations = tuple(draw(st.lists(st.builds(Relation, ends, words, ends), max_size=4)))
        size = draw(st.none() | st.integers(1, 900))
        found.append(Scene(str(100 + number), regions, relations, size, size))
    return tuple(found)


def _sized(box: Box | None) -> dict[str, float]:
    if box is None:
        return {}
    return {"x": box.left, "y": box.top, "w": box.right - box.left, "h": box.bottom - box.top}


def _sides(scene: Scene) -> dict[str, int]:
    return {} if scene.width is None else {"width": scene.width, "height": scene.width}


def visual_genome(scene: Scene) -> dict[str, Any]:
    return {
        "image_id": int(scene.image),
        **_sides(scene),
        "objects": [
            {"object_id": r.id, "names": [r.label], "attributes": list(r.attributes), **_sized(r.box)}
            for r in scene.regions
        ],
        "relationships": [
            {"predicate": r.predicate, "subject_id": r.subject, "object_id": r.object, "synsets": []}
            for r in scene.relations
        ],
    }


def gqa(scene: Scene) -> dict[str, Any]:
    return {
        **_sides(scene),
        "objects": {
            str(place): {
                "name": region.label,
                "attributes": list(region.attributes),
                "relations": [
                    {"name": r.predicate, "object": str(r.object)}
                    for r in scene.relations
                    if r.subject == place
                ],
                **_sized(region.box),
            }
            for place, region in enumerate(scene.regions)
        },
    }


def vrd(scene: Scene) -> dict[str, Any]:
    return {
        "image": scene.image,
        **_sides(scene),
        "objects": [
            {
                "name": r.label,
                "box": list(_corners(r.box)) if r.box else None,
                "attributes": list(r.attributes),
            }
            for r in scene.regions
        ],
        "relations": [[r.subject, r.predicate, r.object] for r in scene.relations],
    }


def _corners(box: Box) -> tuple[float, ...]:
    return box.left, box.top, box.right, box.bottom


def as_file(layout: str, told: tuple[Scene, ...]) -> bytes:
    if layout == "visual-genome":
        return json.dumps([visual_genome(scene) for scene in told], indent=1).encode()
    if layout == "gqa":
        return json.dumps({scene.image: gqa(scene) for scene in told}, ensure_ascii=False).encode()
    return b"".join(json.dumps(vrd(scene)).encode() + b"\n" for scene in told)


def read(path: Path, content: bytes, layout: str | None = None) -> tuple[list[Scene], list[Problem]]:
    path.write_bytes(content)
    problems: list[Problem] = []
    return list(open_scenes(path, layout, problems.append)), problems


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("graphs") / "graphs.json"


LAYOUTS = pytest.mark.parametrize("layout", ["visual-genome", "gqa", "vrd"])


@LAYOUTS
@given(told=scenes())
def test_graphs_come_back(file: Path, layout: str, told: tuple[Scene, ...]) -> None:
    found, problems = read(file, as_file(layout, told))
    assert problems == []
    assert [_known(scene) for scene in found] == [_known(scene) for scene in told]
    assert detect_layout(file) == layout


def _known(scene: Scene) -> object:
    """All of a scene but the order of its relations, which GQA sorts by object."""
    relations = sorted((r.subject, r.predicate, r.object) for r in scene.relations)
    return scene.image, scene.regions, relations, scene.width, scene.height


@LAYOUTS
@given(told=scenes(), data=st.data())
def test_a_damaged_file_gives_problems_and_no_traceback(
    file: Path, layout: str, told: tuple[Scene, ...], data: st.DataObject
) -> None:
    content = bytearray(as_file(layout, told))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=3))
    found, _ = read(file, bytes(content), layout)
    assert all(_sound(scene) for scene in found)


def _sound(scene: Scene) -> bool:
    count = len(scene.regions)
    ends = all(0 <= r.subject < count and 0 <= r.object < count for r in scene.relations)
    areas = all(
        r.box is None or (r.box.left < r.box.right and r.box.top < r.box.bottom) for r in scene.regions
    )
    return count > 0 and ends and areas


DESTROYED: dict[str, Callable[[dict[str, Any]], None]] = {
    "a relation to nobody": lambda p: p["relationships"].append(
        {"predicate": "on", "subject_id": 0, "object_id": 77}
    ),
    "a relation without ends": lambda p: p["relationships"].append({"predicate": "on"}),
    "a relation without a name": lambda p: p["relationships"].append(
        {"predicate": " ", "subject_id": 0, "object_id": 0}
    ),
    "a doubled id": lambda p: p["objects"].append({"object_id": 0, "names": ["again"]}),
    "an object without a name": lambda p: p["objects"].append({"object_id": 78, "names": [""]}),
    "an object without an id": lambda p: p["objects"].append({"names": ["cup"]}),
    "an object that is a number": lambda p: p["objects"].append(7),
    "half a box": lambda p: p["objects"].append({"object_id": 79, "names": ["cup"], "x": 1, "y": 2}),
    "a negative size": lambda p: p["objects"].append(
        {"object_id": 79, "names": ["cup"], "x": 1, "y": 2, "w": -3, "h": 4}
    ),
    "a picture without width": lambda p: p.update(width=0),
}


@pytest.mark.parametrize("what", DESTROYED)
@settings(max_examples=20)
@given(told=scenes())
def test_one_wrong_part_is_told_once_and_the_rest_stays(
    file: Path, what: str, told: tuple[Scene, ...]
) -> None:
    pictures = [visual_genome(scene) for scene in told]
    DESTROYED[what](pictures[-1])
    found, problems = read(file, json.dumps(pictures).encode())
    assert len(problems) == 1
    assert problems[0].record == told[-1].image
    assert problems[0].field is not None
    assert problems[0].line == 1
    assert [scene.image for scene in found] == [scene.image for scene in told]
    for scene, before in zip(found, told, strict=True):
        assert scene.regions[: len(before.regions)] == before.regions
        assert scene.relations == before.relations


NOBODY = "the relation names object {}, which is not in this graph"
VRD_LINE = {"image": "a.jpg", "objects": [{"name": "cup"}, {"name": "table", "box": [0, 0, 9, 9]}]}


@pytest.mark.parametrize(
    ("change", "message", "field"),
    [
        ({"relations": [[0, "on", 2]]}, NOBODY.format(2), "relations[0]"),
        ({"relations": [[0, "on", -1]]}, NOBODY.format(-1), "relations[0]"),
        ({"relations": [[0, "on"]]}, "expected `array` of length 3", "relations[0]"),
        ({"relations": [[0, 1, 0]]}, "expected `str`, got `int`", "relations[0][1]"),
        ({"objects": []}, "the graph is empty", "objects"),
        ({"objects": {}}, "expected `array`, got `object`", "objects"),
        ({"image": 3}, "expected `str`, got `int`", "image"),
    ],
)  # fmt: skip
def test_the_place_of_a_fault(tmp_path: Path, change: dict[str, Any], message: str, field: str) -> None:
    content = b"\n".join(json.dumps(line).encode() for line in (VRD_LINE | {"image": "b"}, VRD_LINE | change))
    found, problems = read(tmp_path / "a.jsonl", content)
    assert [scene.image for scene in found][:1] == ["b"]
    assert [(problem.message, problem.field, problem.line) for problem in problems] == [(message, field, 2)]
    with pytest.raises(InvalidRecords):
        list(open_scenes(tmp_path / "a.jsonl"))


def test_relations_of_a_bad_object_go_with_it(tmp_path: Path) -> None:
    line = VRD_LINE | {
        "objects": [{"name": 3}, {"name": "cup"}, {"name": "table"}],
        "relations": [[1, "on", 0], [1, "on", 2]],
    }
    found, problems = read(tmp_path / "a.jsonl", json.dumps(line).encode())
    assert len(problems) == 1
    assert [(region.label, region.id) for region in found[0].regions] == [("cup", 1), ("table", 2)]
    assert found[0].relations == (Relation(0, "on", 1),)


def test_boxes_are_missed_only_where_they_are_required(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(VRD_LINE | {"relations": [[0, "on", 1]]}))
    assert [len(scene.regions) for scene in open_scenes(path)] == [2]
    problems: list[Problem] = []
    (scene,) = open_scenes(path, None, problems.append, boxes_required=True)
    assert [region.label for region in scene.regions] == ["table"]
    assert scene.relations == ()
    assert [problem.message for problem in problems] == ["the object has no box"]


def test_doubled_ids_of_gqa_are_seen(tmp_path: Path) -> None:
    again = b'"5": {"name": "mug", "relations": [{"name": "on", "object": "5"}]}'
    content = b'{"1": {"objects": {"5": {"name": "cup"}, %s}},\n"1": {"objects": {"6": {"name": "hat"}}}}'
    content %= again
    found, problems = read(tmp_path / "a.json", content)
    assert [scene.labels for scene in found] == [("cup",)]
    assert found[0].relations == ()
    messages = [problem.message for problem in problems]
    assert messages == ["the object id 5 was used before", "the picture came before in this file"]


def test_what_gqa_says_beyond_is_kept(tmp_path: Path) -> None:
    content = b'{"1": {"location": "indoors", "objects": {"x5": {"name": "cup"}}}}'
    found, problems = read(tmp_path / "a.json", content)
    assert problems == []
    assert found[0].extra == {"location": "indoors"}
    assert found[0].regions[0].id is None


def test_the_three_files_of_visual_genome_make_one_graph(tmp_path: Path) -> None:
    man = {"object_id": 1, "names": ["man"], "x": 0, "y": 0, "w": 5, "h": 5}
    hat = {"object_id": 2, "name": "hat", "x": 1, "y": 1, "w": 2, "h": 2}
    parts = {
        "objects": [{"image_id": 7, "objects": [man]}, {"image_id": 8, "objects": [man]}],
        "attributes": [
            {"image_id": 8, "attributes": [man | {"attributes": ["old"]}]},
            {"image_id": 7, "attributes": [man | {"attributes": ["tall"]}]},
        ],
        "relationships": [
            {"image_id": 7, "relationships": [{"predicate": "wears", "subject": man, "object": hat}]}
        ],
    }
    for name, content in parts.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    found = {scene.image: scene for scene in open_scenes(tmp_path)}
    assert list(found) == ["7", "8"]
    assert found["7"].regions == (
        Region("man", Box(0, 0, 5, 5), attributes=("tall",), id=1), Region("hat", Box(1, 1, 3, 3), id=2),
    )  # fmt: skip
    assert found["7"].relations == (Relation(0, "wears", 1),)
    assert found["8"].regions[0].attributes == ("old",)
    (alone,) = open_scenes(tmp_path / "relationships.json")
    assert alone.labels == ("man", "hat")


def test_a_folder_with_scene_graphs_is_read(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    picture = {
        "image_id": "m:1",
        "image": "m/1.png",
        "objects": [{"object_id": 0, "names": ["cup"]}],
        "drawn": True,
    }
    (tmp_path / "raw" / "scene_graphs.json").write_text(json.dumps([picture]))
    (scene,) = open_scenes(tmp_path)
    assert scene.image == "m/1.png"
    assert scene.extra == {"drawn": True, "image_id": "m:1"}


def test_a_dataset_gives_every_picture_once(tmp_path: Path) -> None:
    scene = Scene("a.jpg", (Region("cup", id=3),))
    items = [
        Item("1", "val", (scene,)), Item("2", "val", (scene,)), Item("3", "val", (Scene("empty.jpg"),)),
        Item("4", "train", (Scene("b.jpg", (Region("hat"),)),)),
    ]  # fmt: skip
    write_dataset(tmp_path / "set", items, DatasetInfo("set", "cric", "1", Made("convert", "1"), {}))
    assert [found.image for found in open_scenes(tmp_path / "set")] == ["a.jpg", "b.jpg"]
    assert detect_layout(tmp_path / "set") == "dataset"


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xfe[\x00", b"a,b\n1,2\n", b"PAR1"])
def test_a_file_of_another_kind_is_told(tmp_path: Path, content: bytes) -> None:
    found, problems = read(tmp_path / "a.bin", content)
    assert found == []
    assert [p.message for p in problems] == ["this is in no layout of scene graphs that is known"]


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    problems: list[Problem] = []
    assert list(open_scenes(tmp_path / "none.json", None, problems.append)) == []
    assert list(open_scenes(tmp_path, None, problems.append)) == []
    for layout in ("visual-genome", "gqa", "vrd", "factual"):
        assert list(open_scenes(tmp_path / "none.json", layout, problems.append)) == []
    assert len(problems) == 6
    with pytest.raises(UsageError, match="Choose one of: visual-genome, gqa, vrd, factual, dataset"):
        list(open_scenes(tmp_path, "coco"))
    assert list(READERS) == ["visual-genome", "gqa", "vrd", "factual", "dataset"]


# FACTUAL


def factual_file(rows: list[tuple[str, str, str, str]]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(("image_id", "region_id", "caption", "scene_graph"))
    writer.writerows(rows)
    return stream.getvalue().encode()


def factual_graph(scene: Scene) -> str:
    """Every object by itself, numbered, as the layout tells several of one name."""
    names = [f"{region.label}:{place + 1}" for place, region in enumerate(scene.regions)]
    parts = [f"( {name} )" for name in names]
    parts += [f"( {names[p]} , is , {word} )" for p, r in enumerate(scene.regions) for word in r.attributes]
    parts += [f"( {names[r.subject]} , {r.predicate} , {names[r.object]} )" for r in scene.relations]
    return " , ".join(parts)


@given(told=scenes(PLAIN))
def test_captioned_graphs_come_back(file: Path, told: tuple[Scene, ...]) -> None:
    rows = [(scene.image, "1", 'a "caption", with\nlines', factual_graph(scene)) for scene in told]
    found, problems = read(file, factual_file(rows))
    assert problems == []
    for scene, before in zip(found, told, strict=True):
        assert [(r.label, r.attributes, r.id, r.box) for r in scene.regions] == [
            (r.label, r.attributes, r.id, None) for r in before.regions
        ]
        assert scene.relations == before.relations
        assert scene.extra["regions"] == ["1"]


@given(content=st.text('(),"is v:onabc \n12é', max_size=120))
def test_any_rows_give_scenes_or_problems(file: Path, content: str) -> None:
    found, problems = read(file, factual_file([]) + content.encode(), "factual")
    assert all(_sound(scene) for scene in found)
    assert found or problems or not content.strip()


def test_regions_of_a_picture_keep_their_objects_apart(tmp_path: Path) -> None:
    rows = [
        ("5", "1", "", "( man , v:hold , cup ) , ( cup , is , red ) , ( man , next to , man:1 )"),
        ("6", "2", "", "( plants , is , 2 )"),
        ("5", "3", "", "( man , pv:attach to , rope )"),
    ]
    found, problems = read(tmp_path / "a.csv", factual_file(rows))
    assert problems == []
    assert [scene.labels for scene in found] == [("man", "cup", "man", "man", "rope"), ("plants",)]
    assert found[0].relations == (
        Relation(0, "holding", 1), Relation(0, "next to", 2), Relation(3, "attached to", 4),
    )  # fmt: skip
    assert found[0].regions[1].attributes == ("red",)
    assert found[1].regions[0].attributes == ("2",)


@pytest.mark.parametrize(
    ("row", "message", "line"),
    [
        (b"5,1,c\n", "the row has 3 cells, the first line 4", 2),
        (b" ,1,c,( a )\n", "the row does not say which picture it is about", 2),
        (b"\n5,1,\xff,( b )\n", "the text is not UTF-8", 3),
        (b'5,1,c,"( a )"x\n', "this is not a row of a CSV file (',' expected after '\"')", 2),
        (b'5,1,c,"( hat ) , ( a , b )"\n', "'( a , b )' cannot be understood", 2),
        (b'5,1,c,"( hat ) , ( a , on ,  )"\n', "'( a , on ,  )' cannot be understood", 2),
        (b'5,1,c,"( hat ) , oops"\n', "part of the graph is not in brackets", 2),
    ],
)
def test_a_bad_row_is_told_and_the_rest_goes_on(tmp_path: Path, row: bytes, message: str, line: int) -> None:
    found, problems = read(tmp_path / "a.csv", factual_file([]) + row + b"9,1,c,( cup )\n")
    assert [(problem.message, problem.line) for problem in problems] == [(message, line)]
    assert found[-1].labels == ("cup",)


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("v:sit on", "sitting on"), ("v:have", "has"), ("v:ride", "riding"), ("v:ski on", "skiing on"),
        ("pv:attach to", "attached to"), ("pv:tie to", "tied to"), ("on side of", "on side of"),
        ("pv:write on", "written on"), ("pv:wrap in", "wrapped in"), ("v:cover", "covering"),
        ("v:lie on", "lying on"), ("pv:bury in", "buried in"), ("v:play", "playing"), ("v:emit", "emitting"),
    ],
)  # fmt: skip
def test_relations_are_told_as_they_are_seen(relation: str, words: str) -> None:
    assert in_words(relation) == words

"""What can be imported: told by what lies there, with boxes, splits and the very pictures that were meant."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import picture

from commonsight.build.imaging.sets.grouping import CLUSTERS, Cluster, ClusterImage
from commonsight.build.imaging.sets.values import ImageSet, Member
from commonsight.build.imaging.sets.writing import IMAGES, SETS, pictures, write_lines
from commonsight.build.imaging.sightings import LOG, Metadata, Sighting, write_metadata
from commonsight.collect.sources import Beside, Source, open_source
from commonsight.core.item import Item
from commonsight.core.scene import Box, Scene
from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made

INFO = DatasetInfo("ours", "toy", "1", Made("test", "0"), {})
FOUND = Metadata(((1.0, 2.0, 30.0, 40.0, 0.9),), ("person",), 64, 48)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "deep").mkdir(parents=True)
    for number, name in enumerate(("a.png", "b.png", "deep/c.png", "deep/d.png")):
        (folder / name).write_bytes(picture(number))
    return folder


def _items(source: Source) -> list[Item]:
    return [subject.item for subject in source.subjects]


def _paths(source: Source) -> list[list[Path]]:
    return [[subject.find(scene.image) for scene in subject.item.scenes] for subject in source.subjects]


def test_a_dataset_is_read_with_its_pictures(photos: Path, tmp_path: Path) -> None:
    items = [Item(name, "val", (Scene(name),)) for name in ("a.png", "b.png")]
    write_dataset(tmp_path / "set", items, INFO, images=photos)
    source = open_source(tmp_path / "set", Beside())
    assert (source.what, source.total) == ("items", 2)
    for subject in source.subjects:
        stored = subject.item.scenes[0].stored
        assert stored is not None
        assert subject.find(stored).read_bytes() == (photos / subject.item.id).read_bytes()


def test_a_dataset_without_pictures_is_told_where_they_are(photos: Path, tmp_path: Path) -> None:
    write_dataset(tmp_path / "set", [Item("one", "val", (Scene("deep/c.png"),))], INFO)
    (alone,) = _paths(open_source(tmp_path / "set", Beside()))
    assert alone == [tmp_path / "set" / "deep" / "c.png"]
    (with_them,) = _paths(open_source(tmp_path / "set", Beside(pictures=photos)))
    assert with_them == [photos / "deep" / "c.png"]


def test_pictures_of_a_folder_have_the_boxes_that_lie_beside_them(photos: Path) -> None:
    write_metadata(photos / "deep" / "c.json", FOUND)
    source = open_source(photos, Beside(split="val"))
    assert (source.what, source.total) == ("pictures", None)
    items = _items(source)
    assert [item.id for item in items] == ["a.png", "b.png", "deep/c.png", "deep/d.png"]
    assert {item.split for item in items} == {"val"}
    assert [len(item.scenes[0].regions) for item in items] == [0, 0, 1, 0]
    (region,) = items[2].scenes[0].regions
    assert (region.label, region.box, region.score) == ("person", Box(1.0, 2.0, 30.0, 40.0), 0.9)
    assert (items[0].scenes[0].width, items[0].scenes[0].height) == (64, 48)


def test_what_was_detected_may_lie_elsewhere(photos: Path, tmp_path: Path) -> None:
    detected = tmp_path / "detected"
    write_metadata(detected / "metadata" / "deep" / "c.json", FOUND)
    write_lines(detected / LOG, [Sighting("deep/c.png", "deep/c.json", {"person": 1}, 64, 48, 0.25)])
    items = _items(open_source(photos, Beside(detected)))
    assert [item.scenes[0].labels for item in items] == [(), (), ("person",), ()]
    assert [item.scenes[0].extra for item in items] == [{}, {}, {"brightness": 0.25}, {}]


def test_one_picture_is_a_source(photos: Path) -> None:
    assert _paths(open_source(photos / "a.png", Beside())) == [[photos / "a.png"]]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "the JSON is cut off"),
        (b'{"boxes": [], "names": ["x"], "width": 64, "height": 48}', "1 names for 0 boxes"),
        (b'{"boxes": [], "names": [], "width": 640, "height": 480}', "tells of 640 x 480 pixels"),
    ],
)
def test_boxes_that_do_not_fit_are_told_and_the_rest_is_read(photos: Path, content: bytes, why: str) -> None:
    (photos / "a.json").write_bytes(content)
    (photos / "broken.png").write_bytes(b"nothing")
    problems: list[Problem] = []
    items = _items(open_source(photos, Beside(), problems.append))
    assert [item.id for item in items] == ["b.png", "deep/c.png", "deep/d.png"]
    told = [str(problem) for problem in problems]
    assert any(why in line for line in told)
    assert any("broken.png" in line for line in told)
    with pytest.raises(InvalidRecords):
        _items(open_source(photos, Beside()))


# --- sets and clusters -------------------------------------------------------------------------------------


def _member(folder: Path, name: str, **changed: Any) -> Member:
    content = (folder / name).read_bytes()
    told: dict[str, Any] = {
        "image": name, "sha256": hashlib.sha256(content).hexdigest(), "width": 64, "height": 48,
        "interesting": True, "similarity": 0.5, "path": str(folder / name),
    }  # fmt: skip
    return Member(**(told | changed))


def _set(folder: Path, **changed: Any) -> ImageSet:
    members = tuple(_member(folder, name) for name in ("deep/c.png", "a.png", "b.png", "deep/d.png"))
    told: dict[str, Any] = {
        "id": "dev-7", "images": members, "pairs": ((0, 1), (2, 3)), "similarity": 0.5, "query": "two cats",
        "result": 4, "synset": "cat",
    }  # fmt: skip
    return ImageSet(**(told | changed))


def _written(folder: Path, *sets: object, name: str = SETS) -> Path:
    folder.mkdir(exist_ok=True)
    write_lines(folder / name, sets)
    return folder


def test_a_set_becomes_one_item_with_its_pictures_in_order(photos: Path, tmp_path: Path) -> None:
    made = _set(photos)
    place = _written(tmp_path / "sets", made)
    for where in (place, place / SETS):
        source = open_source(where, Beside())
        assert source.what == "sets"
        (subject,) = source.subjects
        item = subject.item
        assert (item.id, item.split, item.groups) == ("dev-7", "dev", {"set": "dev-7"})
        assert [scene.image for scene in item.scenes] == ["deep/c.png", "a.png", "b.png", "deep/d.png"]
        assert item.extra == {"pairs": ((0, 1), (2, 3)), "query": "two cats", "result": 4, "synset": "cat"}
        assert subject.find("a.png") == photos / "a.png"


def test_a_sets_pictures_are_found_where_they_were_copied_or_named(photos: Path, tmp_path: Path) -> None:
    made = _set(photos)
    place = _written(tmp_path / "sets", made)
    (place / IMAGES).mkdir()
    for name, path in pictures(made):
        (place / IMAGES / name).write_bytes(path.read_bytes())
    moved = photos.rename(tmp_path / "moved")
    (copied,) = _paths(open_source(place, Beside()))
    names = [f"dev-7-{pair}-img{side}.png" for pair in (0, 1) for side in (0, 1)]
    assert [path.name for path in copied] == names
    (named,) = _paths(open_source(place, Beside(pictures=moved)))
    assert named[1] == moved / "a.png"


def test_a_list_cannot_make_us_show_another_file(photos: Path, tmp_path: Path) -> None:
    """Only a file with the content that the list was made of is taken, wherever the list says that it is."""
    (tmp_path / "private.png").write_bytes(picture(77))
    members = (
        _member(photos, "a.png", path=str(tmp_path / "private.png")),
        _member(photos, "b.png", path=None),
    )
    place = _written(tmp_path / "sets", _set(photos, images=members, pairs=((0, 1),)))
    (subject,) = open_source(place, Beside()).subjects
    for name in ("a.png", "b.png"):
        with pytest.raises(InvalidRecords, match=f"the picture {name} is not where it was"):
            subject.find(name)
    with pytest.raises(UsageError, match="names no picture"):
        subject.find(str(tmp_path / "private.png"))


@pytest.mark.parametrize(
    ("changed", "why"),
    [({"pairs": ((0, 9),)}, "a pair names image 9 of 4"), ({"id": "../../x-1"}, "not a path below")],
)
def test_a_set_that_makes_no_sense_is_told(photos: Path, tmp_path: Path, changed: Any, why: str) -> None:
    place = _written(tmp_path / "sets", _set(photos, **changed), _set(photos))
    (place / IMAGES).mkdir()
    problems: list[Problem] = []
    assert [item.id for item in _items(open_source(place, Beside(), problems.append))] == ["dev-7"]
    (problem,) = problems
    assert problem.line == 1
    assert why in str(problem)


def test_a_cluster_becomes_one_item(photos: Path, tmp_path: Path) -> None:
    images = tuple(
        ClusterImage(member.image, member.sha256, str(member.path)) for member in _set(photos).images
    )
    place = _written(tmp_path / "clusters", Cluster(3, images, 0.5), name=CLUSTERS)
    source = open_source(place, Beside(split="val"))
    assert source.what == "clusters"
    (subject,) = source.subjects
    assert (subject.item.id, subject.item.split) == ("cluster-3", "val")
    assert subject.item.groups == {"set": "cluster-3"}
    assert [subject.find(scene.image).name for scene in subject.item.scenes] == [
        "c.png", "a.png", "b.png", "d.png",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("beside", "why"),
    [
        (Beside(split="../x"), "cannot be a split's name"),
        (Beside(detected=Path("nowhere")), "no such folder"),
        (Beside(pictures=Path("nowhere")), "no such folder"),
    ],
)
def test_what_does_not_fit_is_told_before_anything_is_read(photos: Path, beside: Beside, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        open_source(photos, beside)
    with pytest.raises(UsageError, match="no such file or folder"):
        open_source(photos / "nowhere", Beside())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "images", "pairs", "image", "sha256", "cluster", "path"]), inner
        ),
        max_leaves=12,
    )
)
def test_any_line_is_an_item_or_a_problem(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name in (SETS, CLUSTERS):
        (folder / name).write_bytes(msgspec.json.encode(value) + b"\n")
        problems: list[Problem] = []
        items = _items(open_source(folder / name, Beside(), problems.append))
        assert len(items) + len(problems) == 1

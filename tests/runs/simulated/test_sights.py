"""Pictures are known by their content, whatever they are called and wherever their boxes come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import to_builtins

from commonsight.errors import UsageError
from commonsight.runs.simulated.sights import DrawnWorld, regions_of
from commonsight.store.dataset import read_dataset, sha256
from commonsight.world.frame import scene_of


def test_a_scene_is_found_by_the_content_of_its_picture(world: DrawnWorld, world_folder: Path) -> None:
    item = next(iter(read_dataset(world_folder / "vcr")))
    (scene,) = item.scenes
    seen = world.frame(Path(scene.stored or "").name)
    assert seen is not None
    assert f"{seen.stage.id}.jpg" == scene.image
    assert scene_of(seen, scene.image).labels == scene.labels


def test_a_picture_under_a_number_is_the_same_picture(world: DrawnWorld, world_folder: Path) -> None:
    numbered = world_folder / "raw" / "images" / "000000000001.jpg"
    assert world.frame(f"{sha256(numbered)}.jpg") is not None


def test_a_picture_of_a_set_knows_its_scene(world: DrawnWorld, world_folder: Path) -> None:
    paths = sorted((world_folder / "raw" / "images").glob("*.png"))
    found = [world.in_set(f"{sha256(path)}.png") for path in paths]
    assert all(one is not None for one in found)
    places = {(one.name, one.place) for one in found if one is not None}
    assert len(places) == len(paths)


def test_other_pictures_are_unknown(world: DrawnWorld) -> None:
    assert world.frame("0" * 64 + ".jpg") is None
    assert world.in_set("0" * 64 + ".png") is None


def test_boxes_of_a_detector_stand_for_what_they_overlap(world: DrawnWorld, world_folder: Path) -> None:
    item = next(iter(read_dataset(world_folder / "vcr")))
    seen = world.frame(Path(item.scenes[0].stored or "").name)
    assert seen is not None
    own = {"regions": to_builtins(item.scenes[0].regions)}
    assert regions_of(seen, own) == seen.index
    moved = [
        region | {"box": [edge + 1 for edge in region["box"]]} for region in reversed(own["regions"])
    ]
    last = len(moved) - 1
    assert regions_of(seen, {"regions": moved}) == {one: last - at for one, at in seen.index.items()}
    assert regions_of(seen, {"regions": [{"label": "person", "box": [0, 0, 1, 1]}]}) == {}
    assert regions_of(seen, {"regions": [{"label": "person", "box": None}]}) == {}


def test_a_folder_that_is_no_world_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no world"):
        DrawnWorld(tmp_path)

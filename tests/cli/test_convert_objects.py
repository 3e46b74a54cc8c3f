"""`commonsight convert --objects`: what a detector found is given to a benchmark that tells no objects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from commonsight.build.imaging.detector import Detected
from commonsight.build.imaging.sightings import metadata_of, write_metadata
from commonsight.store.dataset import read_dataset, read_info

from .conftest import Run, Told

pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")
CUP = {"label": "cup", "score": 0.6, "box": [1, 1, 5, 6]}
SURE = Detected("cup", 0.6, (1.0, 1.0, 5.0, 6.0))
UNSURE = Detected("cup", 0.4, (2.0, 2.0, 5.0, 6.0))
SPLITS = {"train": 8, "dev": 4}


def record(split: str, number: int) -> dict[str, str]:
    return {
        "sentence": "there are exactly two cups in all",
        "identifier": f"{split}-{number}-0-0",
        "left_url": "https://example.org/l",
        "right_url": "https://example.org/r",
        "label": "True" if number % 2 else "False",
    }


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    """Two tiny pictures for each example."""
    for split, count in SPLITS.items():
        records = [json.dumps(record(split, number)) for number in range(count)]
        (tmp_path / f"{split}.json").write_text("\n".join(records))
        for number in range(count):
            for side in range(2):
                path = tmp_path / "images" / f"{split}-{number}-0-img{side}.png"
                path.parent.mkdir(exist_ok=True)
                Image.new("RGB", (8, 8), (number, side, 0)).save(path)
    return tmp_path


def converted(run: Run, folder: Path, objects: Path, *options: object) -> Told:
    files = [folder / f"{split}.json" for split in SPLITS]
    given = ("--images", folder / "images", "--objects", objects, "--out", folder / "nlvr2")
    return run("convert", "nlvr2", *files, *given, *options)


def test_maxent_counts_what_was_detected(run: Run, photographs: Path) -> None:
    found = photographs / "found"
    (photographs / "script.json").write_text(json.dumps([CUP]))
    told = run(
        "build", "detect", photographs / "images", "--detector", f"scripted:{photographs / 'script.json'}",
        "--score", 0.5, "--out", found,
    )  # fmt: skip
    assert told.code == 0, told.err
    for split, count in SPLITS.items():  # a second cup in every other left picture, and one too unsure
        for number in range(0, count, 2):
            seen = metadata_of([SURE, SURE, UNSURE], 8, 8)
            write_metadata(found / "metadata" / f"{split}-{number}-0-img0.json", seen)
    told = converted(run, photographs, found)
    assert told.code == 0, told.err
    assert "have no objects" not in told.err
    left, right = next(read_dataset(photographs / "nlvr2")).scenes
    assert [(one.label, one.score) for one in left.regions] == [("cup", 0.6), ("cup", 0.6), ("cup", 0.4)]
    assert (len(right.regions), right.width, right.height) == (1, 8, 8)
    info = read_info(photographs / "nlvr2")
    assert info is not None
    assert info.made.options == {"objects": str(found)}
    out = photographs / "trained"
    told = run("train", "maxent", photographs / "nlvr2", "--val-split", "dev", "--epochs", 20, "--rate", 0.1,
               "--threads", 1, "--out", out)  # fmt: skip
    assert told.code == 0, told.err
    asked = ("--split", "dev", "--out", photographs / "run", "--json")
    told = run("predict", out, photographs / "nlvr2", *asked)
    assert told.code == 0, told.err
    assert told.json["metrics"]["accuracy"]["value"] == 1.0  # two cups in all where the left one has one


def test_pictures_of_which_nothing_is_known_are_told(run: Run, photographs: Path) -> None:
    found = photographs / "found"
    found.mkdir()
    told = converted(run, photographs, found)
    assert told.code == 2
    assert "it tells of no picture of these items, such as train-0-0-img0.png" in " ".join(told.err.split())
    assert not (photographs / "nlvr2").exists()
    write_metadata(found / "dev-1-0-img1.png.json", metadata_of([SURE], 8, 8))
    told = converted(run, photographs, found)
    assert told.code == 0, told.err
    assert "note: 23 pictures have no objects in" in " ".join(told.err.split())
    told = converted(run, photographs, photographs / "gone", "--overwrite")
    assert (told.code, "there is no such folder of objects" in " ".join(told.err.split())) == (2, True)


def test_objects_of_its_own_are_kept(run: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    images = fixtures_dir / "vcr" / "images"
    given = ("convert", "vcr", fixtures_dir / "vcr" / "val.jsonl", "--images", images)
    assert run(*given, "--out", tmp_path / "plain").code == 0
    assert run(*given, "--objects", images, "--out", tmp_path / "attached").code == 0
    plain, attached = (list(read_dataset(tmp_path / name)) for name in ("plain", "attached"))
    assert plain == attached
    assert any(scene.regions for item in plain for scene in item.scenes)

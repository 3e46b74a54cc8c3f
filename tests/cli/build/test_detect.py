"""`commonsight build detect`: pictures in, metadata files and a log out, or a clear message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

SCRIPT = [
    {"label": "person", "score": 0.9, "box": [2, 2, 12, 18]},
    {"label": "person", "score": 0.8, "box": [20, 2, 30, 18]},
    {"label": "dog", "score": 0.5, "box": [1, 1, 5, 5]},
]


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(3):
        Image.new("RGB", (40, 20), (90 * number,) * 3).save(folder / f"{number}.jpg")
    (folder / "notes.txt").write_text("not a picture")
    return folder


@pytest.fixture
def script(tmp_path: Path) -> str:
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    return f"scripted:{tmp_path / 'script.json'}"


def test_pictures_become_detections_and_a_sheet(
    run: Any, tmp_path: Path, pictures: Path, script: str
) -> None:
    told = run(
        "build",
        "detect",
        pictures,
        "--detector",
        script,
        "--out",
        tmp_path / "d",
        "--sheet",
        tmp_path / "s.png",
    )
    assert told.code == 0, told.err
    assert "6 objects in 3 pictures by script (person 6)" in told.out
    assert json.loads((tmp_path / "d" / "metadata" / "1.json").read_text())["names"] == ["person", "person"]
    with Image.open(tmp_path / "s.png") as sheet:
        assert sheet.size[0] == 3 * 384
    again = run("build", "detect", pictures, "--detector", script, "--out", tmp_path / "d", "--json")
    assert again.json == {
        "detector": "script", "pictures": 3, "refused": 0, "objects": 6, "labels": {"person": 6}
    }  # fmt: skip


def test_a_lower_score_finds_more_but_not_in_a_log_that_was_begun(
    run: Any, tmp_path: Path, pictures: Path, script: str
) -> None:
    asked = ("build", "detect", pictures, "--detector", script, "--json", "--out")
    assert run(*asked, tmp_path / "d", "--score", "0.4").json["labels"] == {"person": 6, "dog": 3}
    told = run(*asked, tmp_path / "d")
    assert told.code == 2
    assert "begun with other options" in told.err


def test_pictures_that_cannot_be_read_are_listed(
    run: Any, tmp_path: Path, pictures: Path, script: str
) -> None:
    whole = (pictures / "1.jpg").read_bytes()
    (pictures / "1.jpg").write_bytes(whole[: len(whole) // 2])
    (pictures / "9.png").write_bytes(b"")
    told = run("build", "detect", pictures, "--detector", script, "--out", tmp_path / "d")
    assert told.code == 0
    assert "4 objects in 2 pictures" in told.out
    assert "note: 2 pictures could not be read" in told.err
    listed = (tmp_path / "d" / "detections.refused.jsonl").read_text()
    assert "1.jpg" in listed
    assert "9.png" in listed


def test_where_nothing_can_be_read_that_is_an_error(run: Any, tmp_path: Path, script: str) -> None:
    (tmp_path / "in").mkdir()
    asked = ("build", "detect", tmp_path / "in", "--detector", script, "--sheet", tmp_path / "s.png", "--out")
    told = run(*asked, tmp_path / "d")
    assert (told.code, "There is no picture here that can be read. Check the paths." in told.err) == (2, True)
    (tmp_path / "in" / "a.png").write_bytes(b"no picture")
    told = run(*asked, tmp_path / "d", width=300)
    assert (told.code, "detections.refused.jsonl tells why" in told.err) == (2, True)


@pytest.mark.parametrize(
    ("detector", "message"),
    [
        ("magic", "--detector magic: there is no such detector. Give one of: drawn"),
        ("drawn:here", "there is no such detector"),
        ("onnx:", "there is no such detector"),
        ("onnx:gone.onnx", "gone.onnx: the model cannot be read"),
        ("scripted:gone.json", "gone.json: this cannot be read"),
    ],
)
def test_detectors_that_are_not_there_are_refused(
    run: Any, tmp_path: Path, pictures: Path, detector: str, message: str
) -> None:
    told = run("build", "detect", pictures, "--detector", detector, "--out", tmp_path / "d", width=200)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "d").exists()


def test_options_that_do_not_go_together_are_refused(
    run: Any, tmp_path: Path, pictures: Path, script: str
) -> None:
    asked = ("build", "detect", pictures, "--out", tmp_path / "d")
    told = run(*asked, "--detector", script, "--size", "64")
    assert (told.code, "--names and --size are for ONNX files" in told.err) == (2, True)
    assert run(*asked, "--detector", script, "--sheet", tmp_path / "s.pdf").code == 2
    assert run("build", "detect", tmp_path / "gone", "--detector", script, "--out", tmp_path / "d").code == 2
    assert not (tmp_path / "d").exists()
    (tmp_path / "names.txt").write_text("a\n\nb\n")
    told = run(*asked, "--detector", "drawn", "--names", tmp_path / "names.txt")
    assert (told.code, "there is a line without a name" in told.err) == (2, True)


def test_the_shipped_detector_finds_people_in_drawn_scenes(
    run: Any, tmp_path: Path, drawn_world: Path
) -> None:
    images = next(
        path for path in sorted((drawn_world / "raw" / "images").iterdir()) if list(path.glob("*.json"))
    )
    told = run(
        "build", "detect", images, "--out", tmp_path / "d", "--score", "0.5", "--threads", "1", "--json"
    )
    assert told.code == 0, told.err
    known = sum(json.loads(path.read_text())["names"].count("person") for path in images.glob("*.json"))
    assert told.json["labels"]["person"] == pytest.approx(known, rel=0.25)

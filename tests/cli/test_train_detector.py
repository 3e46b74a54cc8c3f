"""`commonsight train-detector`: scene graphs in, a detector out that `build detect` runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_a_detector_is_trained_and_used(run: Any, tmp_path: Path, drawn_world: Path) -> None:
    raw, out = drawn_world / "raw", tmp_path / "detector"
    asked = ("train-detector", raw / "scene_graphs.json", "--images", raw / "images", "--canvas", "96x64",
             "--epochs", "1", "--threads", "1", "--out", out)  # fmt: skip
    told = run(*asked, "--json")
    assert told.code == 0, told.err
    assert told.json["labels"] >= 1
    assert told.json["training"]["finished"] == "all epochs are done"
    again = run(*asked)  # nothing is left to do
    assert again.code == 0, again.err
    assert "detector.onnx: finds" in again.out.replace("\n", "")
    other = run(*asked[:5], "64x64", *asked[6:])
    assert (other.code, "begun otherwise" in other.err) == (2, True)
    images = next(path for path in sorted((raw / "images").iterdir()) if path.is_dir())
    detected = run("build", "detect", images, "--detector", f"onnx:{out / 'detector.onnx'}", "--score", "0",
                   "--out", tmp_path / "detected", "--json")  # fmt: skip
    assert detected.code == 0, detected.err
    assert detected.json["objects"] > 0


@pytest.mark.parametrize("canvas", ["288", "288x190", "0x32", "axb", "99999x32"])
def test_a_canvas_that_does_not_fit_is_refused(run: Any, tmp_path: Path, canvas: str) -> None:
    told = run("train-detector", tmp_path, "--out", tmp_path / "d", "--canvas", canvas)
    assert told.code == 2
    assert "both multiples of 32" in told.err


def test_pictures_are_asked_for(run: Any, tmp_path: Path, drawn_world: Path) -> None:
    told = run("train-detector", drawn_world / "raw" / "scene_graphs.json", "--out", tmp_path / "d")
    assert told.code == 2
    assert "--images is missing" in told.err

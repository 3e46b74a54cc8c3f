"""The five benchmarks' fixtures with pictures for all of them, and an export of each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from commonsight.runs.exports.info import Peer
from commonsight.runs.exports.peers import export
from commonsight.runs.subject import Opening

FILES = {
    "vcr": ("val.jsonl",),
    "pmr": ("val-ori.jsonl", "val-adv.jsonl"),
    "cric": ("val_questions.json",),
    "nlvr2": ("dev.json",),
    "aokvqa": ("aokvqa_v1p0_val.json",),
}
FRAMES = {"vcr": "vcr/images", "pmr": "vcr/images", "nlvr2": "nlvr2/images"}


@pytest.fixture
def opening_of(fixtures_dir: Path, tmp_path: Path) -> Callable[[str], Opening]:
    """A benchmark's fixture; pictures that it does not have are drawn, in a colour of their own."""

    def opened(name: str) -> Opening:
        paths = tuple(fixtures_dir / name / file for file in FILES[name])
        if name in FRAMES:
            return Opening(paths, images=fixtures_dir / FRAMES[name])
        folder = tmp_path / f"{name}-images"
        folder.mkdir(exist_ok=True)
        images = {scene.image for item in Opening(paths).read() for scene in item.scenes}
        for number, image in enumerate(sorted(images)):
            Image.new("RGB", (64, 48), (40 * number % 256, 90, 140)).save(folder / image)
        return Opening(paths, images=folder)

    return opened


@pytest.fixture
def exported(opening_of: Callable[[str], Opening], tmp_path: Path) -> Callable[..., Path]:
    """The folder of an export."""

    def made(name: str, peer: Peer) -> Path:
        folder = tmp_path / f"{peer}-{name}"
        export(opening_of(name), peer, folder)
        return folder

    return made

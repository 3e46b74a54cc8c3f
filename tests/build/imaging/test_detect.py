"""Detecting in many pictures: every one once, whatever stops it, and in a layout that the project reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from commonsight.benchmarks import movies
from commonsight.benchmarks.vcr import VCR
from commonsight.build.imaging.canvas import Pixels
from commonsight.build.imaging.detect import Look, brightness, detections
from commonsight.build.imaging.detector import LEAST_SCORE, Detected, ScriptedDetector
from commonsight.build.imaging.sightings import (
    LOG,
    METADATA,
    Sighting,
    metadata_name,
    read_metadata,
    read_sightings,
)
from commonsight.build.premises.pictures import read_pictures
from commonsight.core.benchmark import Source
from commonsight.errors import InvalidRecords
from commonsight.store.journal import Journal, Refused
from commonsight.store.jsonfiles import Decoder
from commonsight.store.walk import Found, pictures_in

SQUARE = ((1.0, 2.0), (5.0, 2.0), (5.0, 9.0), (1.0, 9.0))
SCRIPT = (
    Detected("dog", 0.75, (2.0, 3.0, 90.0, 12.0), (SQUARE,)),
    Detected("person", 0.9, (1.0, 2.0, 5.0, 9.0), (SQUARE,)),
    Detected("person", 0.2, (1.0, 2.0, 5.0, 9.0), (SQUARE,)),
)


def pictures(folder: Path, count: int = 5) -> Path:
    for number in range(count):
        path = folder / f"movie{number % 2}" / f"{number:03}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (20 + number, 16), (40 * number, 0, 0)).save(path)
    return folder


def detect(folder: Path, out: Path, detector: ScriptedDetector) -> list[Sighting | Refused]:
    look = Look(detector, batch=2)
    with Journal[Sighting](out / LOG, look.begun()) as journal:
        return list(detections(pictures_in([folder]), look, journal, out))


def test_each_picture_has_a_line_and_a_metadata_file(tmp_path: Path) -> None:
    seen = detect(pictures(tmp_path / "in"), tmp_path / "out", ScriptedDetector(SCRIPT))
    assert [one.name for one in seen] == [
        "movie0/000.png", "movie0/002.png", "movie0/004.png", "movie1/001.png", "movie1/003.png"
    ]  # fmt: skip
    assert list(read_sightings(tmp_path / "out")) == seen
    first = seen[0]
    assert isinstance(first, Sighting)
    assert (first.people, first.objects, first.width, first.height) == (1, 2, 20, 16)
    written = json.loads((tmp_path / "out" / METADATA / "movie0" / "000.json").read_text())
    assert written == {
        "boxes": [[1.0, 2.0, 5.0, 9.0, 0.9], [2.0, 3.0, 20.0, 12.0, 0.75]], "names": ["person", "dog"],
        "width": 20, "height": 16, "segms": [[[list(corner) for corner in SQUARE]]] * 2,
    }  # fmt: skip


def test_a_picture_is_seen_upright_and_its_boxes_are_the_files(tmp_path: Path) -> None:
    """Noted as lying on its side (6): what is at the top left upright is at the bottom left of the file."""
    image = Image.new("RGB", (20, 16))
    noted = image.getexif()
    noted[0x0112] = 6
    path = tmp_path / "in" / "turned.png"
    path.parent.mkdir()
    image.save(path, exif=noted)
    shapes: list[tuple[int, ...]] = []

    class Looking(ScriptedDetector):
        def detect(self, pictures: Sequence[Pixels], least: float = LEAST_SCORE) -> list[list[Detected]]:
            shapes.extend(picture.shape for picture in pictures)
            return super().detect(pictures, least)

    (seen,) = detect(path.parent, tmp_path / "out", Looking([Detected("dog", 0.9, (1.0, 2.0, 5.0, 9.0))]))
    assert shapes == [(20, 16, 3)]  # upright: as tall as the file is wide
    assert isinstance(seen, Sighting)
    assert (seen.width, seen.height) == (20, 16)
    written = json.loads((tmp_path / "out" / METADATA / "turned.json").read_text())
    assert written["boxes"] == [[2.0, 11.0, 9.0, 15.0, 0.9]]
    assert (written["width"], written["height"]) == (20, 16)


def test_vcrs_own_reader_takes_the_metadata(tmp_path: Path) -> None:
    detect(pictures(tmp_path / "in", 1), tmp_path / "out", ScriptedDetector(SCRIPT))
    content = (tmp_path / "out" / METADATA / "movie0" / "000.json").read_bytes()
    metadata, unknown = Decoder(movies.Metadata).decode(content)
    assert unknown == {}
    record = VCR.native.record(
        "val-0", "movie0/000.png", ("person", "dog"), ((("Yes",),) * 4), question=("Who", "?")
    )
    item = movies.attach(VCR.native.to_item(record, {}, Source("val.jsonl", "val")), metadata, {})
    assert [region.score for region in item.scenes[0].regions] == [0.9, 0.75]
    assert item.scenes[0].regions[0].polygons == (SQUARE,)
    assert [one.objects for one in read_pictures(tmp_path / "out" / METADATA)] == [("person", "dog")]


def test_without_outlines_there_are_no_segms(tmp_path: Path) -> None:
    bare = [one._replace(polygons=None) for one in SCRIPT]
    detect(pictures(tmp_path / "in", 1), tmp_path / "out", ScriptedDetector(bare))
    path = tmp_path / "out" / METADATA / "movie0" / "000.json"
    assert "segms" not in json.loads(path.read_text())
    assert read_metadata(path) is not None


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "in", 3)
    detect(folder, tmp_path / "out", ScriptedDetector(SCRIPT))
    pictures(folder, 5)
    again = ScriptedDetector(SCRIPT)
    assert len(detect(folder, tmp_path / "out", again)) == again.seen == 2
    assert len(list(read_sightings(tmp_path / "out"))) == 5


def test_pictures_that_cannot_be_read_are_listed_and_passed_by(tmp_path: Path) -> None:
    folder = pictures(tmp_path / "in")
    whole = (folder / "movie0" / "002.png").read_bytes()
    (folder / "movie0" / "002.png").write_bytes(whole[: len(whole) // 2])
    seen = detect(folder, tmp_path / "out", ScriptedDetector(SCRIPT))
    assert [type(one) for one in seen] == [Sighting, Refused, Sighting, Sighting, Sighting]
    assert "movie0/002.png" in (tmp_path / "out" / LOG).with_suffix(".refused.jsonl").read_text()
    assert len(list(read_sightings(tmp_path / "out"))) == 4


def test_two_pictures_that_differ_by_their_ending_have_two_files(tmp_path: Path) -> None:
    for name in ("a.png", "a.jpg", "b.png"):
        Image.new("RGB", (4, 4)).save(tmp_path / name)
    names = [metadata_name(Found(tmp_path / name, f"in/{name}")) for name in ("a.png", "a.jpg", "b.png")]
    assert names == ["in/a.png.json", "in/a.jpg.json", "in/b.json"]


def test_brightness_is_the_mean_shade() -> None:
    black, white = np.zeros((9, 9, 3), np.uint8), np.full((9, 9, 3), 255, np.uint8)
    assert (brightness(black), brightness(white)) == (0.0, 1.0)
    green = np.zeros((64, 64, 3), np.uint8)
    green[..., 1] = 255
    assert brightness(green) == pytest.approx(0.587, abs=1e-4)


@pytest.mark.parametrize(
    "content", [b"{}", b"[", b'{"boxes": [[1, 2, 3, 4, 5]], "names": [], "width": 3, "height": 3}']
)
def test_metadata_that_is_wrong_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(InvalidRecords, match=r"a\.json"):
        read_metadata(tmp_path / "a.json")


def test_an_empty_log_is_told(tmp_path: Path) -> None:
    detect(pictures(tmp_path / "in", 0).parent, tmp_path / "out", ScriptedDetector(SCRIPT))
    with pytest.raises(InvalidRecords, match="there is no detection in it"):
        list(read_sightings(tmp_path / "out"))


SLOW = """
    import sys
    import time
    from pathlib import Path
    from commonsight.build.imaging.detect import Look, detections
    from commonsight.build.imaging.detector import Detected, ScriptedDetector
    from commonsight.build.imaging.sightings import LOG
    from commonsight.store.journal import Journal
    from commonsight.store.walk import pictures_in

    class Slow(ScriptedDetector):
        def detect(self, pictures, least):
            time.sleep(0.05)
            return super().detect(pictures, least)

    look = Look(Slow([Detected("person", 0.9, (1.0, 2.0, 5.0, 9.0))]), batch=2)
    with Journal(Path(sys.argv[2]) / LOG, look.begun(), batch=2) as journal:
        for one in detections(pictures_in([Path(sys.argv[1])]), look, journal, Path(sys.argv[2])):
            print(one.name, flush=True)
"""


def test_killed_it_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    folder, out = pictures(tmp_path / "in", 40), tmp_path / "out"
    command = [sys.executable, "-c", textwrap.dedent(SLOW), str(folder)]
    with subprocess.Popen([*command, str(out)], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        for _ in range(9):
            killed.stdout.readline()
        os.kill(killed.pid, signal.SIGKILL)
    logged = (out / LOG).read_bytes()
    assert 0 < logged.count(b"\n") < 40
    rest = subprocess.run([*command, str(out)], capture_output=True, text=True, check=True, timeout=120)
    assert len(rest.stdout.splitlines()) == 40 - logged.count(b"\n")
    subprocess.run([*command, str(tmp_path / "whole")], capture_output=True, check=True, timeout=120)
    assert (out / LOG).read_bytes() == (tmp_path / "whole" / LOG).read_bytes()
    made = sorted(path.relative_to(out) for path in out.rglob("*.json"))
    assert made == sorted(
        path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").rglob("*.json")
    )

"""`collect import` and `invite`: what workers write about, and who they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from people import picture
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from commonsight.benchmarks.protocols import BY_NAME
from commonsight.build.imaging.sightings import Metadata, write_metadata
from commonsight.collect.folder import open_folder
from commonsight.collect.invitations import read_invitation

Run = Callable[..., Any]
TWO = Metadata(
    ((1.0, 2.0, 30.0, 40.0, 0.9), (5.0, 2.0, 60.0, 44.0, 0.9), (5.0, 2.0, 20.0, 24.0, 0.8)),
    ("person", "person", "cup"), 64, 48,
)  # fmt: skip


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.png").write_bytes(picture(number))
    for number in range(3):
        write_metadata(folder / f"{number}.json", TWO)
    return folder


def test_pictures_come_in_once(run: Run, ours: Path, frames: Path) -> None:
    told = run("collect", "import", ours, frames)
    assert told.code == 0
    assert told.out == f"{frames}: 3 new tasks, 3 new pictures, 1 item not fit for this protocol\n"
    told = run("collect", "import", ours, frames, "--campaign", "pilot")
    assert "0 new tasks, 0 new pictures, 3 tasks there already" in told.out


@pytest.mark.parametrize("options", [(), ("--keep-notes",)])
def test_what_a_camera_noted_stays_behind_unless_it_is_wanted(
    run: Run, ours: Path, frames: Path, options: tuple[str, ...]
) -> None:
    noted = PngInfo()
    noted.add_text("Place", "Canary Islands")
    Image.open(frames / "0.png").save(frames / "0.png", pnginfo=noted)
    assert run("collect", "import", ours, frames, *options).code == 0
    kept = [path.read_bytes() for path in (ours / "pictures").rglob("*.png")]
    assert len(kept) == 3
    assert sum(b"Canary Islands" in content for content in kept) == len(options)


def test_what_cannot_be_read_is_passed_by_and_told(run: Run, ours: Path, frames: Path) -> None:
    (frames / "0.png").write_bytes(b"nothing")
    (frames / "1.json").write_text("{")
    told = run("collect", "import", ours, frames)
    assert told.code == 0
    assert "1 new task, 1 new picture" in told.out
    assert told.err.count("note: passed by: ") == 2
    for path in frames.iterdir():
        path.write_bytes(b"nothing")
    told = run("collect", "import", ours, frames)
    assert (told.code, "0.png: the file is called a picture and is none" in told.err) == (2, True)


def test_several_campaigns_must_be_told_apart(run: Run, ours: Path, frames: Path) -> None:
    run("collect", "init", ours, "--protocol", "vcr", "--name", "second")
    told = run("collect", "import", ours, frames)
    assert (told.code, "Say which campaign is meant: 'pilot', 'second'." in told.err) == (2, True)
    assert run("collect", "import", ours, frames, "--campaign", "second").code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "There is nothing to import"),
        (["nowhere"], "nowhere: there is no such file or folder"),
        (["{empty}"], "there is no picture here, nor a dataset"),
        (["{frames}", "--split", "../x"], "cannot be a split's name"),
        (["{frames}", "--detected", "nowhere"], "nowhere: there is no such folder"),
        (["--gold", "nowhere.jsonl"], "the file cannot be read"),
        (["--gold", "{gold}"], "gold.jsonl:1: there is no stage 'sing'"),
    ],
)
def test_bad_input_is_told(
    run: Run, ours: Path, frames: Path, tmp_path: Path, arguments: list[str], why: str
) -> None:
    (tmp_path / "empty").mkdir()
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"stage": "sing", "key": "x", "answers": {}}) + "\n")
    places = {"frames": frames, "empty": tmp_path / "empty", "gold": gold}
    told = run("collect", "import", ours, *(argument.format(**places) for argument in arguments))
    assert told.code == 2
    assert why in told.err


def test_links_let_people_in(run: Run, ours: Path) -> None:
    told = run(
        "collect", "invite", ours, "pilot", "--role", "reviewer", "--count", 3, "--days", 0.5, "--base-url",
        "https://collect.example/",
    )  # fmt: skip
    assert told.code == 0
    links = told.out.splitlines()
    assert len(set(links)) == 3
    desk = open_folder(ours, BY_NAME)
    for link in links:
        assert link.startswith("https://collect.example/join/")
        assert read_invitation(desk, link.rpartition("/")[2]).role == "reviewer"
    desk.database.close()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["other"], "There is no campaign 'other'"),
        (["pilot", "--role", "king"], "There is no role 'king'"),
        (["pilot", "--days", "0"], "more than nothing"),
        (["pilot", "--days", "9999"], "at most a year"),
        (["pilot", "--base-url", "javascript:alert(1)"], "write it like https://collect.example"),
        (["pilot", "--base-url", "https://[::1"], "write it like https://collect.example"),
        (["pilot", "--count", "0"], "Invalid value for '--count'"),
    ],
)
def test_no_other_link_is_made(run: Run, ours: Path, arguments: list[str], why: str) -> None:
    told = run("collect", "invite", ours, *arguments)
    assert told.code == 2
    assert why in told.err
    assert told.out == ""

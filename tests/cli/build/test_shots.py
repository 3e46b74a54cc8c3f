"""`commonsight build shots`: videos in, stills and times out, however often it is stopped."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from _videos import make_video

SCENES = [("red", 3.0), ("green", 2.5), ("blue", 3.0)]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def videos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("videos")
    (folder / "more").mkdir()
    make_video(folder / "more/b.mp4", SCENES)
    make_video(folder / "a.mkv", SCENES[::-1])
    (folder / "notes.txt").write_text("no video")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_videos_become_stills_with_their_times(run: Any, videos: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = run("build", "shots", videos, "--out", out, "--workers", 1)
    assert told.code == 0, told.err
    assert told.out == f"{out}: 6 shots in 2 videos (0.3 minutes)\n"
    assert told.err == ""
    shots = lines(out / "shots.jsonl")
    assert [(shot["video"], shot["number"]) for shot in shots] == [
        (name, number) for name in ("a.mkv", "more/b.mp4") for number in range(3)
    ]
    for shot in shots:
        assert shot["start"] <= shot["time"] < shot["end"]
        with Image.open(out / shot["frame"]) as frame:
            assert frame.size == (shot["width"], shot["height"]) == (64, 48)
    assert shots[4]["frame"] == "frames/more/b.mp4/00001-00.00.04.083.jpg"
    with (out / "shots.csv").open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    assert [row["frame"] for row in table] == [shot["frame"] for shot in shots]
    assert float(table[1]["start"]) == shots[1]["start"]


def test_workers_change_nothing_and_nothing_is_done_again(run: Any, videos: Path, tmp_path: Path) -> None:
    for workers in (1, 2):
        assert run("build", "shots", videos, "--out", tmp_path / str(workers), "--workers", workers).code == 0
    one, two = tree(tmp_path / "1"), tree(tmp_path / "2")
    for name in one.keys() | two.keys():
        if name != "videos.jsonl":  # a video's line is there as soon as it is done
            assert one[name] == two[name], name
    (tmp_path / "1/shots.jsonl").unlink()
    (tmp_path / "1/frames/a.mkv").rename(tmp_path / "moved")
    again = run("build", "shots", videos, "--out", tmp_path / "1", "--json")
    assert again.json["shots"] == 6
    assert again.json["per_video"] == {"a.mkv": 3, "more/b.mp4": 3}
    assert not (tmp_path / "1/frames/a.mkv").exists()
    assert (tmp_path / "1/shots.jsonl").read_bytes() == two["shots.jsonl"]


def test_a_broken_video_is_told_and_the_others_are_cut(run: Any, videos: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video")
    told = run("build", "shots", videos / "a.mkv", broken, "--out", tmp_path / "out")
    assert told.code == 0
    assert "note: broken.mp4: this is no video that can be read" in told.err
    assert "3 shots in 1 video" in told.out
    refused = lines(tmp_path / "out/videos.refused.jsonl")
    assert [one["name"] for one in refused] == ["broken.mp4"]
    alone = run("build", "shots", broken, "--out", tmp_path / "none")
    assert alone.code == 2
    assert "broken.mp4: this is no video that can be read" in alone.err


def test_a_video_that_ends_too_early_is_noted(run: Any, tmp_path: Path) -> None:
    whole = make_video(tmp_path / "a.mp4", SCENES, codec="mpeg4", movflags="faststart").read_bytes()
    (tmp_path / "a.mp4").write_bytes(whole[: int(len(whole) * 0.7)])
    told = run("build", "shots", tmp_path / "a.mp4", "--out", tmp_path / "out")
    assert told.code == 0
    assert "the file ends before its time" in told.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.mp4"], "nowhere.mp4: there is no such file or folder. Check the path."),
        (["."], "There is no video in these folders. Check the paths."),
        ([".", "--every", "-1"], "--every"),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("build", "shots", *arguments, "--out", "out")
    assert told.code == 2
    assert message in told.err
    assert list(tmp_path.iterdir()) == []


def test_other_options_do_not_go_on_with_what_was_begun(run: Any, videos: Path, tmp_path: Path) -> None:
    assert run("build", "shots", videos / "a.mkv", "--out", tmp_path / "out").code == 0
    told = run("build", "shots", videos / "a.mkv", "--out", tmp_path / "out", "--threshold", 20)
    assert told.code == 2
    assert "videos.jsonl was begun with other options" in told.err


def test_killed_it_goes_on_and_gives_the_same(run: Any, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(6):
        make_video(tmp_path / f"in/{number}.mp4", SCENES, size=(320, 240))
    command = [sys.executable, "-m", "commonsight", "build", "shots", str(tmp_path / "in"), "--out"]
    process = subprocess.Popen([*command, str(tmp_path / "out")], env=os.environ)
    log = tmp_path / "out/videos.jsonl"
    while process.poll() is None and not (log.is_file() and log.stat().st_size):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert run("build", "shots", tmp_path / "in", "--out", tmp_path / "out").code == 0
    assert run("build", "shots", tmp_path / "in", "--out", tmp_path / "fresh").code == 0
    stopped, fresh = tree(tmp_path / "out"), tree(tmp_path / "fresh")
    assert {name: content for name, content in stopped.items() if name != "videos.jsonl"} == {
        name: content for name, content in fresh.items() if name != "videos.jsonl"
    }

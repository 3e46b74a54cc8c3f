"""`commonsight build download`, `sets` and `clusters`: pictures in, groups out, or a clear message."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from commonsight.benchmarks.nlvr2 import NLVR2
from commonsight.store.native import read_native


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _picture(path: Path, room: int, view: int, size: tuple[int, int] = (240, 200)) -> None:
    """A room, which its colours and furniture tell, with someone in another spot of it each time."""
    rng = np.random.default_rng(room)
    image = Image.new("RGB", size, tuple(int(part) for part in rng.integers(0, 256, 3)))
    draw = ImageDraw.Draw(image)
    for _ in range(8):
        x, y = (int(part) for part in rng.integers(0, 200, 2))
        fill = tuple(int(part) for part in rng.integers(0, 256, 3))
        draw.rectangle((x, y, x + 60, y + 50), fill=fill)
    where = np.random.default_rng(1000 * room + view)
    for _ in range(3):
        x, y = (int(part) for part in where.integers(0, 180, 2))
        draw.ellipse((x, y, x + 60, y + 60), fill=tuple(int(part) for part in where.integers(0, 256, 3)))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Three rooms, nine views of each, and some that are not fit."""
    folder = tmp_path / "photos"
    for room in range(3):
        for view in range(9):
            _picture(folder / f"room{room}" / f"{view}.png", room, view)
    _picture(folder / "small.png", 0, 50, (240, 150))
    (folder / "broken.png").write_bytes(b"no picture")
    (folder / "same.png").write_bytes((folder / "room1" / "3.png").read_bytes())
    return folder


def test_sets_of_a_folder_share_a_room(run: Any, photos: Path, tmp_path: Path) -> None:
    sheet_file = tmp_path / "s.png"
    told = run("build", "sets", photos, "--out", tmp_path / "sets", "--near", 3, "--sheet", sheet_file)
    assert told.code == 0, told.err
    sets = _read(tmp_path / "sets" / "sets.jsonl")
    assert len(sets) == 3
    for one in sets:
        assert len({image["image"].partition("/")[0] for image in one["images"]}) == 1
        assert sorted(place for pair in one["pairs"] for place in pair) == list(range(8))
    assert "3 sets of 30 images" in told.out
    lines = _read(tmp_path / "sets" / "dropped.jsonl")
    dropped = {one["image"].rpartition("/")[2]: one["reason"] for one in lines}
    assert dropped["small.png"] == "too small"
    assert dropped["broken.png"] == "broken"
    assert Counter(dropped.values())["exact duplicate"] == 1
    with Image.open(sheet_file) as sheet:
        assert sheet.width > 8 * 140
    assert not list(tmp_path.glob(".*"))  # what was seen went, for the result is there


def test_the_same_seed_gives_the_same_bytes(run: Any, photos: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        options = ("--near", 3, "--seed", seed, "--looked", tmp_path / "looked", "--workers", 1)
        assert run("build", "sets", photos, "--out", tmp_path / name, *options).code == 0
    files = {name: (tmp_path / name / "tasks.jsonl").read_bytes() for name in "abc"}
    assert files["a"] == files["b"] != files["c"]
    assert (tmp_path / "a" / "report.json").read_bytes() == (tmp_path / "b" / "report.json").read_bytes()
    assert (tmp_path / "looked" / "vectors.f16").is_file()


def test_sets_become_a_benchmark_once_sentences_are_written(run: Any, photos: Path, tmp_path: Path) -> None:
    told = run("build", "sets", photos, "--out", tmp_path / "sets", "--split", "dev", "--near", 3, "--copy")
    assert told.code == 0, told.err
    tasks = _read(tmp_path / "sets" / "tasks.jsonl")
    assert len(tasks) == 3 * 4 * 2
    native = tmp_path / "dev.json"
    lines = [{**task, "sentence": "Someone is there.", "label": "True"} for task in tasks]
    native.write_text("".join(json.dumps(line) + "\n" for line in lines))
    items = list(read_native(NLVR2.native, [native]))
    assert len({item.groups["set"] for item in items}) == 3
    images = tmp_path / "sets" / "images"
    assert all((images / scene.image).is_file() for item in items for scene in item.scenes)
    told = run("convert", "nlvr2", native, "--images", images, "--out", tmp_path / "dataset")
    assert told.code == 0, told.err
    assert len(list((tmp_path / "dataset" / "images").rglob("*.png"))) == 24


def test_interesting_images_come_first_or_discard_a_set(run: Any, photos: Path, tmp_path: Path) -> None:
    chosen = [f"room0/{view}.png" for view in range(4)] + ["room1/0.png", "room2/8.png"]
    (tmp_path / "chosen.jsonl").write_text("".join(json.dumps({"image": name}) + "\n" for name in chosen))
    told = run(
        "build", "sets", photos, "--out", tmp_path / "sets", "--near", 3, "--related", 9,
        "--interesting", tmp_path / "chosen.jsonl", "--json",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert told.json["discarded"] == {"too few interesting images": 2}
    assert told.json["interesting"] == 0.5
    (one,) = _read(tmp_path / "sets" / "sets.jsonl")
    assert {image["image"] for image in one["images"][:4]} == set(chosen[:4])
    # Marks of those that are not interesting, as NLVR2's workers made them: all others are.
    marks = [{"image": f"room0/{view}.png", "interesting": False} for view in range(4)]
    (tmp_path / "marks.jsonl").write_text("".join(json.dumps(mark) + "\n" for mark in marks))
    told = run(
        "build", "sets", photos, "--out", tmp_path / "other", "--near", 3,
        "--interesting", tmp_path / "marks.jsonl", "--json",
    )  # fmt: skip
    assert told.json["sets"] == 3
    (tmp_path / "marks.jsonl").write_text('{"image": "room0/1.png", "interesting": true}\n{"image": "x"}\n')
    told = run("build", "sets", photos, "--out", tmp_path / "x", "--interesting", tmp_path / "marks.jsonl")
    assert told.code == 2
    assert "marks.jsonl:2: interesting: some lines say it and some do not" in told.err
    (tmp_path / "marks.jsonl").write_text('{"image": "elsewhere.png"}\n')
    told = run("build", "sets", photos, "--out", tmp_path / "x", "--interesting", tmp_path / "marks.jsonl")
    assert told.code == 2
    assert "no line is about any of these images" in told.err


def test_what_people_took_out_is_in_no_set(run: Any, photos: Path, tmp_path: Path) -> None:
    gone = ({"image": "room0/1.png"}, {"image": "room0/2.png", "why": "art"})
    (tmp_path / "removed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in gone))
    told = run(
        "build", "sets", photos, "--out", tmp_path / "sets", "--near", 3, "--alike", 0.6,
        "--removed", tmp_path / "removed.jsonl", "--json",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert told.json["sets"] == 2
    assert told.json["dropped"]["removed by people"] == 2


def test_clusters_hold_every_image_once(run: Any, photos: Path, tmp_path: Path) -> None:
    told = run("build", "clusters", photos, "--out", tmp_path / "c", "--sheet", tmp_path / "c.png")
    assert told.code == 0, told.err
    made = _read(tmp_path / "c" / "clusters.jsonl")
    images = [image["image"] for one in made for image in one["images"]]
    assert len(images) == len(set(images)) == 28  # the views and the small one, not the double
    assert {len(one["images"]) for one in made} == {4}
    assert "7 clusters of 28 images" in told.out
    report = json.loads((tmp_path / "c" / "report.json").read_text())
    assert report["similarity"]["made"] > report["similarity"]["random"] + 0.1
    told = run("build", "clusters", photos, "--out", tmp_path / "d", "--size", 5, "--json")
    assert told.json["clusters"] == 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--size", 7), "images are paired. Give an even number"),
        (("--related", 6), "sets of 8 need as many"),
        (("--fewest-interesting", 9), "sets have 8 images"),
        (("--split", "my-split"), "identifiers begin with it"),
        (("--sheet", "sheet.jpg"), "Let its name end in .png"),
        (("--encoder", "magic"), "magic is no encoder of pictures"),
        (("--interesting", "nowhere.jsonl"), "nowhere.jsonl: there is no such file"),
        (("--min-side", 5000), "No set of 8 can be made of 30 images (too small 29"),
    ],
)
def test_what_cannot_be_asked_for(run: Any, photos: Path, tmp_path: Path, options: Any, message: str) -> None:
    told = run("build", "sets", photos, "--out", tmp_path / "sets", *options)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "sets").exists()


def test_folders_are_not_replaced_by_mistake(run: Any, photos: Path, tmp_path: Path) -> None:
    told = run("build", "clusters", photos, "--out", photos, "--overwrite")
    assert (told.code, "holds something else" in told.err) == (2, True)
    (tmp_path / "new").mkdir()
    assert run("build", "clusters", photos, "--out", tmp_path / "new").code == 0
    told = run("build", "clusters", photos, "--out", tmp_path / "new")
    assert (told.code, "exists already" in told.err) == (2, True)
    assert run("build", "clusters", photos, "--out", tmp_path / "new", "--overwrite").code == 0
    told = run("build", "clusters", tmp_path / "nowhere", "--out", tmp_path / "x")
    assert (told.code, "there is no such file or folder" in told.err) == (2, True)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def served(photos: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(photos)))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_search_becomes_sets_by_way_of_a_download(run: Any, served: str, tmp_path: Path) -> None:
    (tmp_path / "nouns.txt").write_text("cup\tobject\n")
    queries = ("build", "queries", tmp_path / "nouns.txt", "--most", 0, "--out", tmp_path / "q.jsonl")
    assert run(*queries).code == 0
    rows = ["query,result,rank,url"]
    for result, room in enumerate((2, 0)):
        rows += [f"two cups,{result},{view},{served}/room{room}/{view}.png" for view in range(9)]
    rows.append(f"two cups,2,0,{served}/nowhere.png")
    (tmp_path / "found.csv").write_text("\n".join(rows) + "\n")
    folder = tmp_path / "downloaded"
    told = run("build", "download", tmp_path / "found.csv", "--out", folder, "--pause", 0)
    assert told.code == 1  # not one came
    assert "0 of 19 pictures" in told.out
    assert "127.0.0.1 is an address of this machine or its network; see --allow-private" in told.out
    options = ("--pause", 0, "--allow-private")
    told = run("build", "download", tmp_path / "found.csv", "--out", folder, *options)
    assert told.code == 0, told.err
    assert "18 of 19 pictures" in told.out
    assert "the server says 404" in told.out
    told = run(
        "build", "sets", folder / "list.jsonl", "--queries", tmp_path / "q.jsonl", "--near", 3,
        "--out", tmp_path / "sets",
    )  # fmt: skip
    assert told.code == 0, told.err
    sets = _read(tmp_path / "sets" / "sets.jsonl")
    assert [(one["query"], one["result"], one["synset"]) for one in sets] == [
        ("two cups", 0, "cup"), ("two cups", 1, "cup"),
    ]  # fmt: skip
    assert all("room2" in image["url"] for image in sets[0]["images"])
    tasks = _read(tmp_path / "sets" / "tasks.jsonl")
    assert tasks[0]["query"] == "two cups0"
    assert tasks[0]["left_url"].startswith(served)


def test_a_bad_list_is_told_and_nothing_is_made(run: Any, tmp_path: Path) -> None:
    (tmp_path / "found.jsonl").write_text('{"query": "two cups"}\n{"url": 3}\n')
    for verb in ("download", "sets", "clusters"):
        told = run("build", verb, tmp_path / "found.jsonl", "--out", tmp_path / verb)
        assert told.code == 2
        assert "found.jsonl:1: url: the line names no picture" in told.err
        assert "found.jsonl:2: url:" in told.err
        assert not (tmp_path / verb).exists()
    (tmp_path / "found.jsonl").write_text('{"path": "a.png"}\n')
    told = run("build", "download", tmp_path / "found.jsonl", "--out", tmp_path / "download")
    assert (told.code, "a.png has no address" in told.err) == (2, True)

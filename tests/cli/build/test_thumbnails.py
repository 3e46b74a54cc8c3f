"""`commonsight build thumbnails`: pictures in, small ones by content out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image


def draw(path: Path, seed: int, size: tuple[int, int] = (400, 300), **options: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    colours = [(40 * seed + step * 60) % 256 for step in range(12)]
    small = Image.frombytes("RGB", (2, 2), bytes(colours))
    small.resize(size, Image.Resampling.BICUBIC).save(path, **options)
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    for number in range(5):
        draw(folder / f"{number}.jpg", number)
    (folder / "copy.jpg").write_bytes((folder / "0.jpg").read_bytes())
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(("kind", "ending"), [("webp", "webp"), ("jpeg", "jpg")])
def test_pictures_become_small_under_their_hashes(
    run: Any, photos: Path, tmp_path: Path, kind: str, ending: str
) -> None:
    out = tmp_path / "out"
    told = run("build", "thumbnails", photos, "--out", out, "--size", 100, "--size", 32, "--format", kind)
    assert told.code == 0, told.err
    assert told.out == f"{out}: 6 pictures\n"
    made = lines(out / "thumbnails.jsonl")
    assert [one["name"] for one in made] == [*(f"{number}.jpg" for number in range(5)), "copy.jpg"]
    for one in made:
        digest = hashlib.sha256((photos / one["name"]).read_bytes()).hexdigest()
        assert (one["digest"], one["kind"], one["width"], one["height"]) == (digest, "JPEG", 400, 300)
        for size, shape in ((100, (100, 75)), (32, (32, 24))):
            with Image.open(out / str(size) / digest[:2] / f"{digest}.{ending}") as small:
                assert (small.size, small.format) == (shape, kind.upper())
    assert len(list(out.rglob(f"*.{ending}"))) == 10  # the copy's are those of its like
    assert len({one["phash"] for one in made}) == 5
    assert all(len(one[name]) == 16 for one in made for name in ("phash", "dhash"))


def test_small_pictures_are_not_made_larger_and_turned_ones_stand(run: Any, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    draw(tmp_path / "in/a.jpg", 1, (40, 20), exif=exif)
    assert run("build", "thumbnails", tmp_path / "in", "--out", tmp_path / "out").code == 0
    (one,) = lines(tmp_path / "out/thumbnails.jsonl")
    assert (one["width"], one["height"]) == (20, 40)
    (small,) = (tmp_path / "out").rglob("*.webp")
    with Image.open(small) as image:
        assert image.size == (20, 40)


def test_workers_change_nothing_and_it_goes_on(run: Any, photos: Path, tmp_path: Path) -> None:
    for workers in (1, 3):
        told = run("build", "thumbnails", photos, "--out", tmp_path / str(workers), "--workers", workers)
        assert told.code == 0
    assert tree(tmp_path / "1") == tree(tmp_path / "3")
    draw(photos / "6.jpg", 6)
    told = run("build", "thumbnails", photos, "--out", tmp_path / "1", "--json")
    assert told.json == {"pictures": 7, "made": 1, "there_already": 6, "refused": 0}


def test_what_cannot_be_read_is_listed_and_the_rest_is_made(run: Any, photos: Path, tmp_path: Path) -> None:
    whole = (photos / "3.jpg").read_bytes()
    (photos / "3.jpg").write_bytes(whole[: len(whole) // 2])
    (photos / "page.png").write_text("<html>")
    told = run("build", "thumbnails", photos, "--out", tmp_path / "out", "--most-pixels", 120_000)
    assert told.code == 0
    assert told.out == f"{tmp_path / 'out'}: 5 pictures; 2 files refused\n"
    refused = lines(tmp_path / "out/thumbnails.refused.jsonl")
    assert [Path(one["name"]).name for one in refused] == ["3.jpg", "page.png"]
    assert "note: 3.jpg: this is no picture that can be read" in told.err
    (photos / "3.jpg").write_bytes(whole)
    assert run("build", "thumbnails", photos, "--out", tmp_path / "out", "--json").json["made"] == 1


def test_too_many_pixels_are_refused(run: Any, photos: Path, tmp_path: Path) -> None:
    told = run("build", "thumbnails", photos, "--out", tmp_path / "out", "--most-pixels", 100_000)
    assert told.code == 2
    assert "0.jpg: the picture is too large (400 x 300): more than 100,000 pixels" in told.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: there is no such file or folder. Check the path."),
        (["photos", "--out", "photos/small"], "--out photos/small lies in photos, whose pictures are read"),
        (["photos", "--size", "0"], "--size"),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(
    run: Any, photos: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(photos.parent)
    before = tree(photos.parent)
    told = run("build", "thumbnails", *arguments, *(() if "--out" in arguments else ("--out", "out")))
    assert told.code == 2
    assert message in told.err
    assert tree(photos.parent) == before


def test_a_folder_without_pictures_is_told(run: Any, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    told = run("build", "thumbnails", tmp_path / "in", "--out", tmp_path / "out")
    assert told.code == 2
    assert "There is no picture in these folders" in told.err

"""`commonsight build interesting` and `learn-interest`: pictures chosen by rules and by what was learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from commonsight.build.imaging.sightings import LOG, Sighting
from commonsight.store.journal import Journal

COUNTS = [(0, 0), (1, 3), (2, 0), (2, 1), (3, 0), (4, 9), (6, 1), (5, 11)]
"""People and others of each picture."""


@pytest.fixture
def detected(tmp_path: Path) -> Path:
    folder = tmp_path / "detected"
    with Journal[Sighting](folder / LOG, {}) as journal:
        for number, (people, others) in enumerate(COUNTS):
            counts = {label: n for label, n in (("person", people), ("cup", others)) if n}
            journal.append(
                Sighting(f"{number}.jpg", f"{number}.json", counts, 40, 30, 0.1 if number == 5 else 0.5)
            )
    return folder


def chosen(path: Path) -> list[str]:
    return [json.loads(line)["image"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ((), [3, 4, 5, 6, 7]),
        (("--rule", "vcr", "--least-people", "0"), [1, 3, 4, 5, 6, 7]),
        (("--rule", "aokvqa"), [1, 5, 6, 7]),
        (("--rule", "aokvqa", "--least-objects", "13"), [5, 7]),
        (("--rule", "pmr"), [0, 1, 2, 3, 4]),
        (("--rule", "pmr", "--least-brightness", "0"), [0, 1, 2, 3, 4, 5]),
        (("--rule", "pmr", "--most-people", "6", "--most-objects", "16"), [0, 1, 2, 3, 4, 6, 7]),
        (("--rule", "none"), [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_rules_choose(
    run: Any, tmp_path: Path, detected: Path, options: tuple[str, ...], wanted: list[int]
) -> None:
    told = run("build", "interesting", detected, "--out", tmp_path / "c.jsonl", *options, "--json")
    assert told.code == 0, told.err
    assert chosen(tmp_path / "c.jsonl") == [f"{number}.jpg" for number in wanted]
    assert (told.json["n"], told.json["chosen"]) == (8, len(wanted))


def test_people_are_told_why(run: Any, tmp_path: Path, detected: Path) -> None:
    told = run("build", "interesting", detected, "--out", tmp_path / "c.jsonl")
    assert "fewer than 2 people" in told.out
    assert "5 of 8 pictures (62.5 %)" in told.out


def test_vcrs_own_files_are_read(run: Any, tmp_path: Path) -> None:
    fixture = Path(__file__).parents[2] / "fixtures" / "vcr"
    for source in (fixture / "images", fixture / "val.jsonl"):
        out = tmp_path / f"{source.name}.chosen"
        told = run("build", "interesting", source, "--out", out, "--rule", "vcr", "--json")
        assert told.code == 0, told.err
        assert told.json["n"] == 3
    assert chosen(tmp_path / "images.chosen") == chosen(tmp_path / "val.jsonl.chosen")


def ratings(path: Path) -> Path:
    """Those with at least three people are interesting."""
    path.write_text("image,rating\n" + "".join(f"{n}.jpg,{int(p >= 3)}\n" for n, (p, _) in enumerate(COUNTS)))
    return path


def test_what_was_rated_is_learned_and_chosen_by(run: Any, tmp_path: Path, detected: Path) -> None:
    rated, model = ratings(tmp_path / "r.csv"), tmp_path / "m.json"
    learn = ("build", "learn-interest", detected, "--ratings", rated, "--out", model)
    told = run(*learn, "--plot", tmp_path / "curve.png", "--json")
    assert told.code == 0, told.err
    assert told.json["n"] == 8
    assert told.json["metrics"]["precision"] >= 0.7
    assert (tmp_path / "curve.png").is_file()
    assert (tmp_path / "curve.svg").is_file()
    assert run(*learn).code == 2  # it is there already
    told = run(*learn, "--overwrite")
    assert "learned from 8 pictures, 4 of them interesting" in told.out
    best = ("build", "interesting", detected, "--rule", "none", "--model", model, "--best", "3", "--out")
    assert run(*best, tmp_path / "best.jsonl").code == 0
    assert set(chosen(tmp_path / "best.jsonl")) == {"5.jpg", "6.jpg", "7.jpg"}
    chances = [json.loads(line)["chance"] for line in (tmp_path / "best.jsonl").read_text().splitlines()]
    assert chances == sorted(chances, reverse=True)
    above = run(
        "build", "interesting", detected, "--rule", "none", "--model", model, "--out", tmp_path / "a.jsonl"
    )
    assert above.code == 0
    assert {"5.jpg", "6.jpg", "7.jpg"} <= set(chosen(tmp_path / "a.jsonl"))
    assert "0.jpg" not in chosen(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Give either --ratings, what people said, or --rule"),
        (("--rule", "vcr"), "needs no model of counts"),
        (("--ratings", "gone.csv"), "gone.csv"),
        (("--rule", "aokvqa", "--kind", "picture"), "--images is missing"),
    ],
)
def test_what_cannot_be_learned_is_refused(
    run: Any, tmp_path: Path, detected: Path, options: tuple[str, ...], message: str
) -> None:
    told = run("build", "learn-interest", detected, "--out", tmp_path / "m.json", *options)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--best", "3"), "--best needs a --model"),
        (("--model", "gone.json"), "there is no such file or folder"),
    ],
)
def test_what_cannot_be_chosen_by_is_refused(
    run: Any, tmp_path: Path, detected: Path, options: tuple[str, ...], message: str
) -> None:
    told = run("build", "interesting", detected, "--out", tmp_path / "c.jsonl", *options)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "c.jsonl").exists()


def test_a_damaged_log_leaves_no_file(run: Any, tmp_path: Path, detected: Path) -> None:
    with (detected / LOG).open("a") as log:
        log.write('{"name": 3}\n')
    told = run("build", "interesting", detected, "--out", tmp_path / "c.jsonl")
    assert told.code == 2
    assert "detections.jsonl:9" in told.err
    assert not (tmp_path / "c.jsonl").exists()


def test_a_network_chooses_among_pictures_that_were_not_detected(
    run: Any, tmp_path: Path, detected: Path
) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for number, (people, others) in enumerate(COUNTS):
        Image.new("RGB", (40, 30), (240 if people + others > 3 else 10,) * 3).save(photos / f"{number}.jpg")
    learn = ("build", "learn-interest", detected, "--rule", "aokvqa", "--kind", "picture", "--images", photos)
    told = run(*learn, "--epochs", "2", "--threads", "1", "--out", tmp_path / "seen", "--json")
    assert told.code == 0, told.err
    assert (told.json["n"], told.json["interesting"]) == (8, 4)
    asked = ("build", "interesting", photos, "--rule", "none", "--model", tmp_path / "seen", "--best", "8")
    assert run(*asked, "--out", tmp_path / "c.jsonl").code == 2  # where are the pictures?
    told = run(*asked, "--images", photos, "--out", tmp_path / "c.jsonl")
    assert told.code == 0, told.err
    assert sorted(chosen(tmp_path / "c.jsonl")) == [f"{number}.jpg" for number in range(8)]

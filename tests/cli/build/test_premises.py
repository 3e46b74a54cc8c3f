"""`commonsight build premises`: images in, premises out, or a clear message and no file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

CATEGORIES = ["relationship", "personality", "identity", "antecedent", "mood", "environment"]


def _lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _images(folder: Path) -> Path:
    people = [["person", "person"], ["cup"], ["person"]]
    records = [{"img_fn": f"{n}.jpg", "objects": objects} for n, objects in enumerate(people)]
    return _lines(folder / "images.jsonl", records)


def test_six_premises_an_image(run: Any, tmp_path: Path) -> None:
    told = run("build", "premises", _images(tmp_path), "--out", tmp_path / "p.jsonl")
    assert told.code == 0, told.err
    assert "12 premises about 2 images" in told.out
    assert "note: 1 image without people left out" in told.err
    made = _read(tmp_path / "p.jsonl")
    assert [line["category"] for line in made] == CATEGORIES * 2
    assert [line["img_fn"] for line in made] == ["0.jpg"] * 6 + ["2.jpg"] * 6
    assert len({line["id"] for line in made}) == 12


def test_the_same_seed_gives_the_same_bytes(run: Any, tmp_path: Path) -> None:
    images = _images(tmp_path)
    for name, seed in (("a", 4), ("b", 4), ("c", 5)):
        assert run("build", "premises", images, "--seed", seed, "--out", tmp_path / name).code == 0
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


@pytest.mark.parametrize("name", ["vcr", "pmr"])
def test_fixtures_folders_and_datasets(
    run: Any, tmp_path: Path, fixtures_dir: Path, case_of: Any, dataset_of: Any, name: str
) -> None:
    case = case_of(name)
    dataset = dataset_of(case)
    by_source = {}
    for number, source in enumerate((dataset, case.paths[0], fixtures_dir / "vcr" / "images")):
        told = run("build", "premises", source, "--out", tmp_path / f"{number}.jsonl")
        assert told.code == 0, told.err
        made = _read(tmp_path / f"{number}.jsonl")
        assert Counter(line["category"] for line in made).keys() == set(CATEGORIES)
        by_source[number] = {line["id"]: line["text"] for line in made}
    shared = by_source[0].keys() & by_source[1].keys()
    assert shared
    assert all(by_source[0][name] == by_source[1][name] for name in shared)


def test_categories_are_found_again(run: Any, tmp_path: Path) -> None:
    premises = [
        {"premise": [[0], "feels", "sad", "."], "category": "mood", "total_id": 3},
        {"premise": "It is sunny.", "category": "antecedent"},
    ]
    source = _lines(tmp_path / "premises.jsonl", premises)
    told = run("build", "premises", "--recover", source, "--out", tmp_path / "found.jsonl")
    assert told.code == 0, told.err
    assert "the same category as before: 1 of 2 (50.0 %)" in told.out
    made = _read(tmp_path / "found.jsonl")
    assert [line["category"] for line in made] == ["mood", "environment"]
    assert made[0]["total_id"] == 3
    told = run("build", "premises", "--recover", source, "--json", "--out", tmp_path / "f.jsonl")
    assert told.json["categories"]["environment"] == 1
    assert (told.json["n"], told.json["compared"], told.json["same"]) == (2, 2, 1)
    bare = _lines(tmp_path / "bare.jsonl", [{"premise": "It is sunny."}])
    told = run("build", "premises", "--recover", bare, "--out", tmp_path / "g.jsonl")
    assert "before" not in told.out


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ('{"img_fn": "a", "objects": ["cup"]}\n', (), "no image has a person among its objects"),
        (
            '{"img_fn": "a", "objects": ["person"]}\n{"img_fn": 3}\n',
            (),
            "images.jsonl:2: img_fn: expected `str`",
        ),
        ('{"img_fn": "a", "objects": ["person"]}\n{]\n', (), "images.jsonl:2: this is not JSON"),
        ("", (), "images.jsonl: the file holds no records"),
        ('{"premise": ""}\n', ("--recover",), "images.jsonl:1: premise: the premise is empty"),
        ('{"text": ""}\n', ("--recover",), "missing required field `premise`"),
        ('{"img_fn": "a", "objects": ["person"]}\n', ("--json",), "Add --recover, or leave --json out"),
    ],
)
def test_bad_input_is_told_and_leaves_nothing(
    run: Any, tmp_path: Path, content: str, options: tuple[str, ...], message: str
) -> None:
    source = tmp_path / "images.jsonl"
    source.write_text(content)
    told = run("build", "premises", source, *options, "--out", tmp_path / "p.jsonl")
    assert told.code == 2
    assert message in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["images.jsonl"]


def test_nothing_is_lost(run: Any, tmp_path: Path) -> None:
    source = _images(tmp_path)
    before = source.read_bytes()
    for target, message in ((source, "exists already"), (tmp_path, "is a folder. Name a file")):
        told = run("build", "premises", source, "--out", target)
        assert (told.code, message in told.err) == (2, True)
    told = run("build", "premises", source, "--out", source, "--overwrite")
    assert (told.code, "is what is read" in told.err) == (2, True)
    assert source.read_bytes() == before
    told = run("build", "premises", tmp_path / "none", "--out", tmp_path / "p.jsonl")
    assert (told.code, "there is no such file or folder" in told.err) == (2, True)
    told = run("build", "premises", "--recover", tmp_path, "--out", tmp_path / "p.jsonl")
    assert (told.code, "is a folder. Give --recover a file" in told.err) == (2, True)

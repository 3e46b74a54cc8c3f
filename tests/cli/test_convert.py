"""`commonsight convert`: there and back, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def records_in(path: Path) -> list[Any]:
    text = path.read_text("utf-8")
    if text.startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.splitlines()]


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_there_and_back_gives_the_same_records(run: Any, case: Any, dataset_of: Any, tmp_path: Path) -> None:
    dataset = dataset_of(case)
    told = run("convert", dataset, "--to-native", tmp_path / "back")
    assert told.code == 0, told.err
    assert left_in(tmp_path / "back") == sorted(case.files)
    for path in case.paths:
        assert records_in(tmp_path / "back" / path.name) == records_in(path)
        assert f"{path.name}: {len(records_in(path))} records" in told.out


def test_images_and_metadata_come_along(run: Any, case_of: Any, dataset_of: Any, tmp_path: Path) -> None:
    case = case_of("vcr")
    dataset = dataset_of(case, "--images", case.images)
    assert len(list((dataset / "images").rglob("*.png"))) == 3
    assert run("validate", dataset).code == 0
    assert run("convert", dataset, "--to-native", tmp_path / "back").code == 0
    for path in case.images.rglob("*.json"):
        again = tmp_path / "back" / "images" / path.relative_to(case.images)
        assert json.loads(again.read_bytes()) == json.loads(path.read_bytes())


def test_what_is_told(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr2")
    folder = tmp_path / "made"
    told = run("convert", "nlvr2", *case.paths, "--images", case.images, "--out", folder)
    assert told.out == f"{folder}: 13 items (dev 13), 16 images\n"
    options = ("--name", "mine", "--dataset-version", "2.0.0", "--overwrite")
    assert run("convert", "nlvr2", *case.paths, "--out", folder, *options).code == 0
    info = json.loads((folder / "dataset.json").read_bytes())
    assert (info["name"], info["version"], info["images"]) == ("mine", "2.0.0", 0)


def test_the_split_can_be_named(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("pmr")
    path = case.write(tmp_path, case.records(), "records.jsonl")
    told = run("convert", "pmr", path, "--out", tmp_path / "made")
    assert told.code == 2
    assert f"{path}:1: split: " in told.err
    assert "--split val" in told.err
    assert run("convert", "pmr", path, "--out", tmp_path / "made", "--split", "extra").code == 0
    assert (tmp_path / "made" / "extra.parquet").is_file()
    told = run("convert", tmp_path / "made", "--to-native", tmp_path / "back", "--split", "val")
    assert told.code == 2
    assert "Choose one of: extra." in told.err
    assert left_in(tmp_path) == ["made", "records.jsonl"]


def test_what_exists_is_not_overwritten(run: Any, case_of: Any, dataset_of: Any) -> None:
    case = case_of("nlvr")
    dataset = dataset_of(case)
    before = (dataset / "dev.parquet").read_bytes()
    told = run("convert", "nlvr", *case.paths, "--out", dataset, "--split", "other")
    assert told.code == 2
    assert "exists already. Choose another folder, or add --overwrite" in told.err
    assert (dataset / "dev.parquet").read_bytes() == before
    told = run("convert", "nlvr", *case.paths, "--out", dataset, "--split", "other", "--overwrite")
    assert told.code == 0
    assert (dataset / "other.parquet").is_file()
    assert not (dataset / "dev.parquet").exists()


def test_overwrite_never_takes_what_is_no_dataset(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr")
    path = case.write(tmp_path, case.records())
    told = run("convert", "nlvr", path, "--out", tmp_path, "--overwrite")
    assert told.code == 2
    assert "is not a dataset, so --overwrite leaves it alone" in told.err
    assert left_in(tmp_path) == ["dev.json"]


def test_overwrite_never_takes_its_own_sources(run: Any, case_of: Any, dataset_of: Any) -> None:
    case = case_of("nlvr")
    dataset = dataset_of(case)
    path = case.write(dataset, case.records())
    told = run("convert", "nlvr", path, "--out", dataset, "--overwrite")
    assert told.code == 2
    assert "which would be replaced" in told.err
    assert path.is_file()


def test_native_files_are_not_overwritten(run: Any, case_of: Any, dataset_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr")
    dataset = dataset_of(case)
    (tmp_path / "back").mkdir()
    (tmp_path / "back" / "dev.json").write_text("mine")
    told = run("convert", dataset, "--to-native", tmp_path / "back")
    assert told.code == 2
    assert "--overwrite" in told.err
    assert (tmp_path / "back" / "dev.json").read_text() == "mine"
    assert run("convert", dataset, "--to-native", tmp_path / "back", "--overwrite").code == 0
    assert records_in(tmp_path / "back" / "dev.json") == case.records()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nlvr2", "dev.json", "--to-native", "x"), "--to-native takes one dataset"),
        (("set", "--to-native", "x", "--out", "y"), "--to-native takes one dataset"),
        (("set", "--to-native", "x", "--images", "y"), "--to-native takes one dataset"),
        (("nowhere", "--to-native", "x"), "nowhere is not a dataset"),
        (("nlvr2", "dev.json"), "Give native files and --out"),
        (("nlvr2", "--out", "x"), "Give native files and --out"),
        (("nope", "dev.json", "--out", "x"), "'nope' is no benchmark"),
        (
            ("nlvr2", "dev.json", "--out", "x", "--images", "nowhere"),
            "--images nowhere: there is no such folder",
        ),
        (("nlvr2", "dev.json", "--out", "x"), "dev.json: the file cannot be read"),
    ],
)
def test_misuse(
    run: Any, arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run("convert", *arguments)
    assert told.code == 2
    assert said in told.err
    assert left_in(tmp_path) == []


def test_an_image_that_is_missing_or_broken_is_named(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr2")
    images = tmp_path / "images"
    images.mkdir()
    told = run("convert", "nlvr2", *case.paths, "--images", images, "--out", tmp_path / "made")
    assert told.code == 2
    assert f"{images / 'dev-0-0-img0.png'}: the image cannot be read" in told.err
    (images / "dev-0-0-img0.png").write_bytes(b"no picture")
    told = run("convert", "nlvr2", *case.paths, "--images", images, "--out", tmp_path / "made")
    assert told.code == 2
    assert "this is not a whole image" in told.err
    assert left_in(tmp_path) == ["images"]


def test_a_record_cannot_reach_outside_the_images(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("vcr")
    records = case.records()
    for name, value in (("img_fn", "../secret.png"), ("metadata_fn", "/etc/hostname")):
        path = case.write(tmp_path, [{**records[0], name: value}])
        told = run("convert", "vcr", path, "--images", case.images, "--out", tmp_path / "made")
        assert told.code == 2
        assert "is not a path below" in told.err
    assert left_in(tmp_path) == ["val.jsonl"]


def test_the_datasheet_is_the_published_one_unless_another_is_given(
    run: Any, tmp_path: Path, fixtures_dir: Path
) -> None:
    native = fixtures_dir / "aokvqa" / "aokvqa_v1p0_val.json"
    assert run("convert", "aokvqa", native, "--out", tmp_path / "published").code == 0
    answers = fixtures_dir / "datasheet.toml"
    assert run("convert", "aokvqa", native, "--out", tmp_path / "own", "--datasheet", answers).code == 0
    published = (tmp_path / "published" / "README.md").read_text(encoding="utf-8")
    own = (tmp_path / "own" / "README.md").read_text(encoding="utf-8")
    assert "as its authors published it" in " ".join(published.split())
    assert "as its authors published it" not in " ".join(own.split())
    assert "the people in it are drawn" in own
    for text in (published, own):
        assert "20 of the datasheet's 20 questions are answered" in text


def test_answers_to_unknown_questions_are_refused(run: Any, tmp_path: Path, fixtures_dir: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text('colour = "blue"', encoding="utf-8")
    native = fixtures_dir / "aokvqa" / "aokvqa_v1p0_val.json"
    failed = run("convert", "aokvqa", native, "--out", tmp_path / "own", "--datasheet", answers)
    assert failed.code == 2
    assert "answers.toml" in failed.err
    assert "colour" in failed.err
    assert not (tmp_path / "own").exists()

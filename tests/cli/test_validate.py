"""`commonsight validate`: every problem, not only the first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def test_good_files_pass(run: Any, case: Any) -> None:
    images = ["--images", case.images] if case.name in ("vcr", "pmr") else []
    told = run("validate", case.name, *case.paths, *images)
    assert told.code == 0, told.out
    total = sum(len(case.records(number)) for number in range(len(case.files)))
    assert told.out == f"{total} items are fine, no problems\n"
    assert run("validate", case.name, *case.paths, *images, "--json").json == {
        "valid": True,
        "items": total,
        "problems": [],
    }


def _with_every_kind(case: Any, folder: Path) -> Path:
    first, second, third, *_ = case.records()
    text = next(name for name in ("premise", "question", "sentence", "sent") if name in first)
    path = case.write(
        folder,
        [first, {**second, text: 5}, {**second, case.labels[0]: 1.5}, first, third, {**third, text: None}],
    )
    if not case.array:
        lines = path.read_bytes().splitlines()
        path.write_bytes(b"\n".join([*lines, b'{"cut', b'{"caf\xe9": 1}', b""]))
    return path


def test_every_problem_is_listed(run: Any, case: Any, tmp_path: Path) -> None:
    path = _with_every_kind(case, tmp_path)
    told = run("validate", case.name, path)
    assert told.code == 2
    *problems, summary = told.out.splitlines()
    shift = 1 if case.array else 0  # the array's bracket has a line of its own
    expected = [2, 3, 4, 6] + ([] if case.array else [7, 8])
    assert [line.split(":")[1] for line in problems] == [str(line + shift) for line in expected]
    assert all(line.startswith(f"{path}:") and line.endswith((".", "?")) for line in problems)
    assert summary.startswith(f"2 items are fine, {len(expected)} problems (")
    listed = run("validate", case.name, path, "--json")
    assert listed.code == 2
    assert listed.json["valid"] is False
    assert listed.json["items"] == 2
    for problem, line in zip(listed.json["problems"], expected, strict=True):
        assert set(problem) == {"file", "line", "record", "field", "message", "remedy"}
        assert problem["file"] == str(path)
        assert problem["line"] == line + shift
        assert problem["message"]
        assert problem["remedy"]


def test_several_faults_of_one_record(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("vcr")
    record = {**case.records()[0], "answer_label": 4, "rationale_label": -1, "question": [[9], "?"]}
    told = run("validate", "vcr", case.write(tmp_path, [record]))
    assert told.code == 2
    for field in ("answer_label", "rationale_label", "question"):
        assert f":1: record val-0: {field}: " in told.out
    assert "0 items are fine, 3 problems" in told.out


def test_metadata_is_checked_with_images(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("vcr")
    folder = tmp_path / "images" / "drawn_park"
    folder.mkdir(parents=True)
    (folder / "park@0.json").write_text('{"boxes": [[0, 0, 1, 1]]}')
    told = run("validate", "vcr", *case.paths, "--images", tmp_path / "images")
    assert told.code == 2
    assert "boxes: 1 entries for the record's 3 objects" in told.out
    assert f"{tmp_path / 'images' / 'drawn_kitchen' / 'kitchen@0.json'}: the file cannot be read" in told.out
    told = run("validate", "vcr", *case.paths, "--images", tmp_path / "nowhere")
    assert told.code == 2
    assert "there is no such folder" in told.err


def test_a_dataset(run: Any, case: Any, dataset_of: Any) -> None:
    dataset = dataset_of(case)
    told = run("validate", dataset)
    assert (told.code, told.out) == (0, "no problems\n")
    info = json.loads((dataset / "dataset.json").read_bytes())
    split = next(iter(info["splits"].values()))
    split["items"] += 1
    (dataset / "dataset.json").write_text(json.dumps(info))
    told = run("validate", dataset)
    assert told.code == 2
    assert f"dataset.json says {split['items']}" in told.out
    split["sha256"] = "0" * 64
    (dataset / "dataset.json").write_text(json.dumps(info))
    told = run("validate", dataset)
    assert told.code == 2
    assert f"{dataset / split['file']}: sha256: the file is not the one that was written" in told.out
    assert run("validate", dataset, "--json").json["items"] is None


def test_a_broken_dataset_is_described(run: Any, case_of: Any, dataset_of: Any) -> None:
    case = case_of("nlvr2")
    dataset = dataset_of(case, "--images", case.images)
    next((dataset / "images").rglob("*.png")).unlink()
    told = run("validate", dataset)
    assert told.code == 2
    assert "the image is missing. Restore it." in told.out
    (dataset / "dev.parquet").write_bytes(b"PAR1 no")
    assert f"{dataset / 'dev.parquet'}: " in run("validate", dataset).out
    (dataset / "dataset.json").write_text("{")
    told = run("validate", dataset)
    assert told.code == 2
    assert "1 problem (" in told.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("vcr",), "vcr is not a dataset. Give BENCHMARK FILE…, or a folder that `convert` made."),
        (("nowhere",), "nowhere is not a dataset"),
        (("nope", "x.json"), "'nope' is no benchmark"),
        (("set", "--split", "val"), "--images and --split go with native files"),
    ],
)
def test_misuse(run: Any, arguments: tuple[str, ...], said: str) -> None:
    told = run("validate", *arguments)
    assert (told.code, told.out) == (2, "")
    assert said in told.err

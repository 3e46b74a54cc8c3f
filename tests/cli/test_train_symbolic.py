"""`commonsight train-symbolic`, and `predict` of what it made, on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from drawn_shapes import save

from commonsight.benchmarks.nlvr import NlvrRecord, to_item
from commonsight.core.benchmark import Source
from commonsight.graph.shapes.values import tableau_of
from commonsight.store.jsonfiles import read_lines
from commonsight.store.runs import read_answers, read_run

from .conftest import Run


@pytest.fixture
def native(fixtures_dir: Path) -> Path:
    return fixtures_dir / "nlvr" / "dev.json"


@pytest.fixture
def dataset(run: Run, native: Path, tmp_path: Path) -> Path:
    """The fixture, with all drawings of its examples."""
    for record in read_lines(native, NlvrRecord):
        for scene in to_item(record.value, {}, Source("dev.json", "dev")).scenes:
            save(tableau_of(scene), tmp_path / "drawn" / scene.image)
    out = tmp_path / "shapes"
    assert run("convert", "nlvr", native, "--images", tmp_path / "drawn", "--out", out).code == 0
    return out


@pytest.mark.parametrize("sight", ["scenes", "pixels"])
def test_a_solver_is_fitted_and_answers(run: Run, dataset: Path, tmp_path: Path, sight: str) -> None:
    solver, answers, native = tmp_path / "solver", tmp_path / "run", tmp_path / "answers.csv"
    told = run("train-symbolic", dataset, "--sight", sight, "--folds", 2, "--out", solver)
    assert told.code == 0, told.err
    assert "learned from 2 sentences; of those held out" in told.out
    again = run("train-symbolic", dataset, "--out", solver)
    assert (again.code, "holds a symbolic solver already" in again.err) == (2, True)

    asked = ("predict", solver, dataset, "--split", "dev", "--out", answers)
    asked = (*asked, "--predictions", native, "--json")
    told = run(*asked)
    assert told.code == 0, told.err
    assert told.json["metrics"]["accuracy"]["value"] == 1.0
    assert told.json["metrics"]["consistency"]["value"] == 1.0
    assert native.read_text("utf-8") == "7-0,True\n7-1,False\n9-2,True\n"
    lines = {line.item: line for line in read_answers(answers)}
    assert lines["9-2"].extra["program"].startswith("(count-boxes")
    assert lines["9-2"].extra["trace"][-1].endswith(" = true")
    assert lines["9-2"].extra["fell_back"] is False
    info = read_run(answers)
    assert (info.answerer, info.options["sight"]) == ("Symbolic (shapes)", sight)

    log = answers / "answers.jsonl"
    log.write_bytes(log.read_bytes().split(b"\n")[0] + b"\n")  # as if it had been stopped after the first
    assert run(*asked).json["metrics"] == told.json["metrics"]
    assert [line.item for line in read_answers(answers)] == ["7-0", "7-1", "9-2"]


def test_json_tells_what_was_measured(run: Run, dataset: Path, tmp_path: Path) -> None:
    told = run("train-symbolic", dataset, "--folds", 0, "--out", tmp_path / "solver", "--json").json
    assert (told["kind"], told["sight"], told["split"]) == ("shapes", "scenes", "dev")
    assert told["measured"] == {"sentences": 2.0, "unread": 0.0, "majority": 2 / 3}


def test_sentences_that_cannot_be_read_are_counted(run: Run, native: Path, tmp_path: Path) -> None:
    odd = tmp_path / "dev.json"
    written = native.read_text("utf-8").replace("There are two towers with a black base.", "Hm.")
    odd.write_text(written, "utf-8")
    assert run("convert", "nlvr", odd, "--out", tmp_path / "odd").code == 0
    told = run("train-symbolic", tmp_path / "odd", "--folds", 0, "--out", tmp_path / "solver")
    assert "learned from 2 sentences, 1 of which could not be read" in told.out
    asked = ("predict", tmp_path / "solver", tmp_path / "odd", "--split", "dev", "--out", tmp_path / "run")
    told = run(*asked)
    assert "1 of 3 questions could not be read" in " ".join(told.out.split())
    last = list(read_answers(tmp_path / "run"))[-1]
    assert (last.extra["program"], last.extra["fell_back"]) == ("", True)


def test_what_cannot_be_fitted_is_told(run: Run, native: Path, fixtures_dir: Path, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "solver")
    told = run("train-symbolic", tmp_path, *out)
    assert (told.code, "is not a dataset" in told.err) == (2, True)

    assert run("convert", "nlvr", native, "--out", tmp_path / "bare").code == 0
    told = run("train-symbolic", tmp_path / "bare", "--train-split", "train", *out)
    assert told.code == 2
    told = run("train-symbolic", tmp_path / "bare", "--sight", "pixels", *out)
    assert (told.code, "keeps no picture" in told.err) == (2, True)

    unlabelled = tmp_path / "dev.json"
    records = [json.loads(line) for line in native.read_text("utf-8").splitlines()]
    for record in records:
        del record["label"]
    unlabelled.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    assert run("convert", "nlvr", unlabelled, "--out", tmp_path / "unlabelled").code == 0
    told = run("train-symbolic", tmp_path / "unlabelled", *out)
    assert (told.code, "have no right answer for verify" in " ".join(told.err.split())) == (2, True)

    pairs = next((fixtures_dir / "nlvr2").glob("*.json"))
    assert run("convert", "nlvr2", pairs, "--split", "dev", "--out", tmp_path / "pairs").code == 0
    told = run("train-symbolic", tmp_path / "pairs", *out)
    assert told.code == 2
    assert "no symbolic solver is for the questions of nlvr2" in " ".join(told.err.split())
    assert not (tmp_path / "solver").exists()


def test_what_cannot_be_asked_is_told(run: Run, dataset: Path, tmp_path: Path) -> None:
    solver = tmp_path / "solver"
    assert run("train-symbolic", dataset, "--folds", 0, "--out", solver).code == 0
    asked = ("predict", solver, dataset, "--split", "dev")
    told = run(*asked, "--out", tmp_path / "run", "--device", "cpu")
    assert told.code == 2
    assert "--device: this folder holds a symbolic solver" in " ".join(told.err.split())
    broken = tmp_path / "broken"
    shutil.copytree(solver, broken)
    (broken / "weights.json").write_text("{", "utf-8")
    told = run("predict", broken, dataset, "--split", "dev", "--out", tmp_path / "run")
    assert (told.code, "weights.json: this cannot be read" in " ".join(told.err.split())) == (2, True)
    assert not (tmp_path / "run").exists()

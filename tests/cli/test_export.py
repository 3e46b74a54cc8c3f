"""`commonsight export`, `import-run` and `import-tsv`, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commonsight.runs.exports.for_vlmevalkit import ITEM, TASK


@pytest.fixture
def vcr(case_of: Any) -> list[object]:
    """The arguments that name VCR's fixture and its pictures."""
    case = case_of("vcr")
    return [*case.paths, "--images", case.images]


@pytest.mark.parametrize(
    ("peer", "files"),
    [
        ("inspect", ["commonsight_vcr_q2a.jsonl", "commonsight_vcr_qa2r.jsonl", "task.py"]),
        (
            "lmms-eval",
            ["commonsight_vcr.yaml", "commonsight_vcr_q2a.jsonl", "commonsight_vcr_q2a.yaml",
             "commonsight_vcr_qa2r.jsonl", "commonsight_vcr_qa2r.yaml", "utils.py"],
        ),
        ("vlmevalkit", ["commonsight_vcr_q2a.tsv", "commonsight_vcr_qa2r.tsv"]),
    ],
)  # fmt: skip
def test_each_peer_gets_its_files(run: Any, vcr: Any, tmp_path: Path, peer: str, files: list[str]) -> None:
    folder = tmp_path / "out"
    told = run("export", *vcr, "--to", peer, "--out", folder)
    assert told.code == 0, told.err
    assert "commonsight_vcr_q2a: 8 samples, prompt vcr.q2a@1, q2a, unread" in told.out
    assert "run it: " in told.out
    kept = {"export.json", "items.jsonl", *(() if peer == "vlmevalkit" else ("images",))}
    assert {path.name for path in folder.iterdir()} == {*files, *kept}


def test_a_dataset_brings_its_own_pictures(run: Any, case_of: Any, dataset_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr2")
    dataset = dataset_of(case, "--images", case.images)
    told = run("export", dataset, "--to", "inspect", "--out", tmp_path / "out", "--limit", 2)
    assert told.code == 0, told.err
    lines = (tmp_path / "out" / "commonsight_nlvr2_verify.jsonl").read_text("utf-8").splitlines()
    assert [len(json.loads(line)["images"]) for line in lines] == [2, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "inspect"], "Native files come without pictures. Name the pictures' folder with --images"),
        (["--to", "inspect", "--images", "nowhere"], "--images nowhere: there is no such folder"),
        (["--to", "inspect", "--no-images", "--task", "mc"], "--task mc: vcr has no such task"),
        (["--to", "vlmevalkit", "--no-images"], "VLMEvalKit leaves out questions without a picture"),
        (["--to", "inspect", "--benchmark", "x"], "'x' is no benchmark"),
    ],
)
def test_bad_input_is_told(
    run: Any, case_of: Any, tmp_path: Path, arguments: list[str], message: str
) -> None:
    told = run("export", *case_of("vcr").paths, *arguments, "--out", tmp_path / "out")
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "out").exists()


def test_what_is_there_is_replaced_only_if_asked(run: Any, vcr: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    told = run("export", *vcr, "--to", "inspect", "--out", folder)
    assert (told.code, "exists already" in told.err) == (2, True)
    told = run("export", *vcr, "--to", "inspect", "--out", folder, "--overwrite")
    assert (told.code, "is not an export" in told.err) == (2, True)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    other = tmp_path / "other"
    for _ in range(2):
        assert run("export", *vcr, "--to", "inspect", "--out", other, "--overwrite").code == 0


def test_there_and_back_and_compared(run: Any, vcr: Any, case_of: Any, tmp_path: Path) -> None:
    """As VLMEvalKit would: the table without its pictures, with predictions."""
    from commonsight.runs.exports.tables import read_table

    assert run("export", *vcr, "--to", "vlmevalkit", "--out", tmp_path / "tsv").code == 0
    rows = list(read_table(tmp_path / "tsv" / "commonsight_vcr_q2a.tsv", ("answer",)))
    result = tmp_path / "Some-Model_commonsight_vcr_q2a.tsv"
    said = [f"The answer is {row.cells['answer']}." for row in rows[:-1]] + ["perhaps"]
    lines = [f"{row.cells[ITEM]}\tq2a\t{reply}" for row, reply in zip(rows, said, strict=True)]
    result.write_text("\n".join((f"{ITEM}\t{TASK}\tprediction", *lines)) + "\n")
    gold = case_of("vcr").paths[0]
    told = run("import-run", result, "--from", "vlmevalkit", "--dataset", gold, "--out", tmp_path / "run")
    assert told.code == 0, told.err
    assert "8 answers of Some-Model (q2a), 1 not read" in told.out
    told = run("compare", tmp_path / "run", "--gold", gold, "--json")
    figure = told.json["metrics"]["q2a"]["runs"][0]["figure"]
    assert (figure["k"], figure["n"]) == (7, 8)
    again = run("import-run", result, "--from", "vlmevalkit", "--dataset", gold, "--out", tmp_path / "run")
    assert (again.code, "exists already" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("peer", "name"),
    [("inspect", "no.json"), ("inspect", "no.eval"), ("lmms-eval", "no.jsonl"), ("vlmevalkit", "no.tsv"),
     ("vlmevalkit", "no.xlsx"), ("vlmevalkit", "no.pkl")],
)  # fmt: skip
def test_a_result_that_is_not_there(run: Any, case_of: Any, tmp_path: Path, peer: str, name: str) -> None:
    gold, result = case_of("vcr").paths[0], tmp_path / name
    told = run("import-run", result, "--from", peer, "--dataset", gold, "--out", tmp_path / "run")
    assert told.code == 2
    assert name in told.err
    assert not (tmp_path / "run").exists()


def test_a_table_becomes_the_same_dataset(run: Any, vcr: Any, case_of: Any, tmp_path: Path) -> None:
    assert run("export", *vcr, "--to", "vlmevalkit", "--out", tmp_path / "tsv").code == 0
    table = tmp_path / "tsv" / "commonsight_vcr_q2a.tsv"
    told = run("import-tsv", table, "--images", case_of("vcr").images, "--out", tmp_path / "back")
    assert told.code == 0, told.err
    assert "8 items of vcr, 3 images" in told.out
    assert run("convert", tmp_path / "back", "--to-native", tmp_path / "native").code == 0
    source = [json.loads(line) for line in case_of("vcr").paths[0].read_text("utf-8").splitlines()]
    back = [json.loads(line) for line in (tmp_path / "native" / "val.jsonl").read_text("utf-8").splitlines()]
    assert back == source


def test_a_table_from_elsewhere(run: Any, vcr: Any, tmp_path: Path) -> None:
    assert run("export", *vcr, "--to", "vlmevalkit", "--out", tmp_path / "tsv").code == 0
    away = tmp_path / "away.tsv"
    (tmp_path / "tsv" / "commonsight_vcr_q2a.tsv").rename(away)
    told = run("import-tsv", away, "--out", tmp_path / "back")
    assert told.code == 0, told.err
    assert "8 items of vlmevalkit, 8 images" in told.out
    assert run("validate", tmp_path / "back").code == 0
    told = run("import-tsv", away, "--out", tmp_path / "back")
    assert (told.code, "exists already" in told.err) == (2, True)

"""`commonsight build opposites`: pairs of premises, and how those who answer them are scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks.pmr import PMR
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.runs.summary import run_report
from commonsight.store.dataset import read_dataset, read_info
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run


@pytest.fixture
def pmr(drawn_world: Path) -> Path:
    return drawn_world / "pmr"


def written(folder: Path, *lines: object) -> Path:
    path = folder / "second.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def second(number: object) -> dict[str, object]:
    return {"id": str(number), "premise": "[person1] is very careful."}


def index_of(item: Item, kind: str) -> int:
    return list(item.extra["answer_types"]).index(kind)


def test_under_the_second_premise_the_other_action_is_true(run: Any, pmr: Path, tmp_path: Path) -> None:
    val = list(read_dataset(pmr, split="val"))
    told = run(
        "build", "opposites", pmr, "--out", tmp_path / "pairs",
        "--premises", written(tmp_path, second(val[0].id), second(val[2].id)),
    )  # fmt: skip
    assert told.code == 0, told.err
    assert told.out == f"{tmp_path / 'pairs'}: 2 pairs of one picture and two premises\n"
    made = list(read_dataset(tmp_path / "pairs", split="val"))
    everybody = {item.id for item in read_dataset(pmr)}
    for item, first, pal in zip((val[0], val[2]), made[::2], made[1::2], strict=True):
        assert (first.id, first.texts, first.gold) == (item.id, item.texts, item.gold)
        assert pal.id not in everybody
        assert (first.extra["pal_id"], pal.extra["pal_id"]) == (int(pal.id), int(item.id))
        assert (first.groups["premise"], pal.groups["premise"]) == ("first", "second")
        assert pal.texts["premise"].tokens == ((0,), "is", "very", "careful", ".")
        assert (pal.choices, pal.scenes) == (first.choices, first.scenes)
        assert pal.gold == Pick(index_of(item, "Action-False")) == Pick(index_of(pal, "Action-True"))
        assert index_of(pal, "Distractor1") == index_of(item, "Distractor2")
    info = read_info(tmp_path / "pairs")
    assert info is not None
    assert (info.made.by, info.images > 0, info.drawn) == ("build opposites", True, True)


def test_whoever_switches_is_told_from_whoever_does_not(run: Any, pmr: Path, tmp_path: Path) -> None:
    """One answerer heeds the premise for the first pair, and says the same to both items of the others."""
    ids = [item.id for item in read_dataset(pmr, split="val")][:4]
    premises = written(tmp_path, *map(second, ids))
    assert run("build", "opposites", pmr, "--premises", premises, "--out", tmp_path / "pairs").code == 0
    items = list(read_dataset(tmp_path / "pairs", split="val"))
    folder = tmp_path / "run"
    create_run(folder, RunInfo("pmr", "x", "pairs", ("action",), "0", 0, {}))
    with RunLog(folder) as log:
        for item in items:
            true = item.groups["premise"] == "first" or item.id == items[1].id
            kind = "Action-True" if true else "Action-False"
            log.extend([AnswerLine(item.id, "action", Pick(index_of(item, kind)))])
    report = run_report(folder, PMR, items)
    switched = report.slices["premise"]["second"]["accuracy"]
    assert (switched.k, switched.n) == (1, 4)
    assert switched.interval.startswith("wilson")
    assert report.slices["premise"]["first"]["accuracy"].value == 1
    both = report.metrics["both_premises"]
    assert (both.k, both.n) == (2, 8)


def test_what_is_wrong_with_the_premises_is_told(
    run: Any, pmr: Path, drawn_vcr: Path, tmp_path: Path
) -> None:
    out = ("--out", tmp_path / "pairs")
    one = next(iter(read_dataset(pmr))).id

    def refused(dataset: Path, *lines: object) -> str:
        told = run("build", "opposites", dataset, "--premises", written(tmp_path, *lines), *out, width=400)
        assert told.code == 2
        assert not (tmp_path / "pairs").exists()
        return told.err

    assert "second.jsonl:2: item" in refused(pmr, second(one), second(one))
    assert "1 of 2 ids are not in the dataset (none). Give ids of its items." in refused(
        pmr, second(one), second("none")
    )
    assert "second.jsonl:1: premise: it is empty." in refused(pmr, {"id": one, "premise": " "})
    assert "premise" in refused(pmr, {"id": one})
    assert "vcr has no premises, so there are none to oppose." in refused(drawn_vcr, second(one))
    told = run("build", "opposites", pmr, "--premises", tmp_path / "no.jsonl", *out)
    assert (told.code, "there is no such file" in told.err) == (2, True)

"""`commonsight run` on the command line: asked, scored, resumed, read again, refused."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from faulty_server import Asked, FaultyServer, serving

from commonsight.audit import fakes
from commonsight.benchmarks import find
from commonsight.core.answer import Pick, Unparsed
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.runs import read_answers

from .conftest import Case, Run

CaseOf = Callable[[str], Case]

MODELS = """
import time
from itertools import count

TURNS = count()

def first(question, candidates):
    return candidates[0] if candidates else "Answer: red\\nObject: none"

def vague(question, candidates):
    return "It could be anything, really."

def second(question):
    return "B"

def slow(question):
    time.sleep(0.15)
    with open("asked.txt", "a") as stream:
        stream.write(f"{hash(question)}\\n")
    return "A"

def moody(question):
    from pathlib import Path
    if Path("mood").exists() and next(TURNS) % 2:
        raise RuntimeError("not today")
    return "A"

def broken(question):
    raise RuntimeError("the model is on fire")
"""


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Models as plain functions in the current folder, and a cache that is nobody else's."""
    (tmp_path / "run_models.py").write_text(MODELS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delitem(sys.modules, "run_models", raising=False)
    return tmp_path


def asked(case: Case, model: str = "first", *more: object) -> list[object]:
    return ["run", *case.paths, "--model", f"python:run_models:{model}", "--blind", "none", *more]


def lines(folder: Path) -> dict[tuple[str, str], Any]:
    return {(line.item, line.task): line for line in read_answers(folder)}


def test_every_benchmark_is_asked_scored_and_told(run: Run, case: Case, tmp_path: Path) -> None:
    told = run(*asked(case, "first", "--out", tmp_path / "r"))
    assert told.code == 0, told.err
    benchmark = find(case.name)
    report = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert report["benchmark"] == case.name
    assert report["failed"] == 0
    assert set(report["metrics"]) <= set(benchmark.metrics)
    assert report["prompts"] == {task.name: f"{case.name}.{task.name}@1" for task in benchmark.tasks}
    assert "<svg" in (tmp_path / "r" / "report.html").read_text("utf-8")
    assert "# Run of python:run\\_models:first" in (tmp_path / "r" / "report.md").read_text("utf-8")
    for metric in report["metrics"]:
        assert metric in told.out


def test_who_always_takes_the_first_choice_is_right_where_it_is_the_right_one(
    run: Run, case_of: CaseOf, tmp_path: Path
) -> None:
    told = run(*asked(case_of("vcr"), "first", "--out", tmp_path / "r", "--circular", "--json"))
    records = case_of("vcr").records()
    assert told.json["metrics"]["q2a"]["k"] == sum(record["answer_label"] == 0 for record in records)
    assert told.json["circular"]["q2a"]["k"] == 0
    assert told.json["circular"]["q2a"]["n"] == len(records)
    assert told.json["positions"]["q2a"] == [1, 0, 0, 0]
    assert told.json["answers"] == 8 * len(records)


def test_answers_that_cannot_be_read_score_0_and_a_judge_is_told_apart(
    run: Run, case_of: CaseOf, tmp_path: Path
) -> None:
    case = case_of("pmr")
    more = ("--judge", "python:run_models:second", "--json", "--out", tmp_path / "r")
    told = run(*asked(case, "vague", *more))
    records = [record for number in range(len(case.files)) for record in case.records(number)]
    assert told.json["metrics"]["accuracy"]["k"] == 0
    assert told.json["unread"]["unparsed"]["k"] == len(records)
    assert told.json["judged"]["accuracy"]["k"] == sum(record["answer_label"] == 1 for record in records)
    assert told.json["judge"] == "python:run_models:second, judge.read@1"
    assert all(isinstance(line.answer, Unparsed) for line in lines(tmp_path / "r").values())
    again = run("run", "--rescore", tmp_path / "r", "--judge", "python:run_models:first")
    assert again.code == 2
    assert "A run has one judge" in again.err


def test_rationales_are_asked_for_each_answer_and_handed_in_as_vcr_wants(
    run: Run, case_of: CaseOf, tmp_path: Path
) -> None:
    case, file = case_of("vcr"), tmp_path / "mine.csv"
    told = run(*asked(case, "first", "--given", "all", "--out", tmp_path / "r", "--predictions", file))
    assert told.code == 0, told.err
    with file.open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["annot_id"] for row in rows] == [record["annot_id"] for record in case.records()]
    assert all(len(row) == 21 and row["answer_0"] == "1" for row in rows)
    assert all(row[f"rationale_conditioned_on_a{given}_0"] == "1" for row in rows for given in range(4))
    scored = run("score", "vcr", *case.gold, "--predictions", file, "--json")
    report = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert scored.json["metrics"] == report["metrics"]


def test_without_all_answers_given_there_is_nothing_to_hand_in(
    run: Run, case_of: CaseOf, tmp_path: Path
) -> None:
    file = tmp_path / "mine.csv"
    told = run(*asked(case_of("vcr"), "first", "--out", tmp_path / "r", "--predictions", file))
    assert told.code == 2
    assert "--given all" in told.err
    assert not file.exists()
    assert not (tmp_path / "r").exists()  # said before anything was asked


@pytest.mark.parametrize("name", ["pmr", "cric", "nlvr2", "aokvqa", "nlvr"])
def test_what_is_handed_in_reads_as_what_was_answered(
    run: Run, case_of: CaseOf, tmp_path: Path, name: str
) -> None:
    case, file = case_of(name), tmp_path / "mine"
    file = file.with_suffix(Path(case.predictions).suffix)
    told = run(*asked(case, "first", "--out", tmp_path / "r", "--predictions", file))
    assert told.code == 0, told.err
    scored = run("score", name, *case.gold, "--predictions", file, "--json")
    report = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert scored.json["metrics"] == report["metrics"]


def test_the_models_own_answer_is_given_where_it_was_wrong(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    case = case_of("vcr")
    told = run(*asked(case, "first", "--given", "own", "--out", tmp_path / "r", "--json"))
    wrong = [record["annot_id"] for record in case.records() if record["answer_label"] != 0]
    keys = Counter(task for _, task in lines(tmp_path / "r"))
    assert keys == {"q2a": len(case.records()), "qa2r": len(case.records()), "qa2r@0": len(wrong)}
    right = sum(record["rationale_label"] == 0 for record in case.records())
    assert told.json["own_given"]["qa2r"]["k"] == right


def test_repeated_asking_tells_how_steady_a_model_is(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    told = run(*asked(case_of("pmr"), "first", "--epochs", 3, "--out", tmp_path / "r", "--json"))
    found = told.json["repeated"]["action"]
    assert found["epochs"] == 3
    assert found["deviation"] == 0
    assert found["pass_at"]["1"] == found["pass_at"]["3"] == found["mean"]
    assert found["unsteady"]["k"] == 0


def test_a_run_is_read_again_without_asking_again(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    run(*asked(case_of("pmr"), "first", "--out", folder))
    log = folder / "answers.jsonl"
    before = log.read_bytes()
    records = [json.loads(line) for line in before.splitlines()]
    spoilt = [record | {"answer": {"type": "unparsed", "reply": "A"}} for record in records]
    log.write_text("".join(json.dumps(record) + "\n" for record in spoilt))
    (tmp_path / "run_models.py").rename(tmp_path / "gone.py")
    told = run("run", "--rescore", folder, "--json")
    assert told.code == 0, told.err
    assert all(isinstance(line.answer, Pick) for line in lines(folder).values())
    assert [json.loads(line)["reply"] for line in log.read_bytes().splitlines()] == [
        record["reply"] for record in records
    ]


def test_a_killed_run_goes_on_and_asks_nothing_twice(case_of: CaseOf, tmp_path: Path) -> None:
    case, folder = case_of("vcr"), tmp_path / "r"
    program = [str(Path(sys.executable).with_name("commonsight"))]
    words = [*map(str, asked(case, "slow", "--circular", "--concurrency", 1, "--no-cache", "--out", folder))]
    process = subprocess.Popen([*program, *words], cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": "0"})
    log = folder / "answers.jsonl"
    deadline = time.monotonic() + 60
    while not (log.is_file() and log.read_bytes().count(b"\n") >= 3) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = lines(folder)
    assert len(kept) >= 3
    env = {**os.environ, "PYTHONHASHSEED": "0"}
    subprocess.run([*program, "run", "--resume", str(folder)], cwd=tmp_path, check=True, env=env, timeout=120)
    after = lines(folder)
    assert len(after) == 8 * len(case.records())
    assert all(after[key] == line for key, line in kept.items())
    times = Counter((tmp_path / "asked.txt").read_text().split())
    assert sum(times.values()) - len(times) <= 2  # only what was under way when it was killed


def test_a_model_that_always_fails_stops_the_run(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    told = run(*asked(case_of("aokvqa"), "broken", "--out", tmp_path / "r"))
    assert told.code == 2
    assert "on fire" in told.err


def test_questions_without_an_answer_are_told_and_asked_again(
    run: Run, case_of: CaseOf, tmp_path: Path
) -> None:
    (tmp_path / "mood").touch()
    told = run(*asked(case_of("vcr"), "moody", "--circular", "--out", tmp_path / "r"))
    before = lines(tmp_path / "r")
    everything = 8 * len(case_of("vcr").records())
    assert told.code == 1
    assert "got no answer" in told.out
    assert "not today" in told.out
    assert 0 < len(before) < everything
    (tmp_path / "mood").unlink()
    assert run("run", "--resume", tmp_path / "r").code == 0
    after = lines(tmp_path / "r")
    assert len(after) == everything
    assert all(after[key] == line for key, line in before.items())


def test_a_judge_never_gets_the_models_key_and_is_checked_first(
    run: Run, case_of: CaseOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    case, seen = case_of("pmr"), []

    def reads(question: Asked) -> str:
        seen.append(question.headers)
        return "B"

    with (
        serving(FaultyServer(says=lambda _: "It could be anything, really.")) as server,
        serving(FaultyServer(says=reads)) as judge,
    ):
        words = (
            "--model",
            "openai:tiny",
            "--base-url",
            server.base_url,
            "--key-env",
            "MY_KEY",
            "--blind",
            "none",
        )
        judged = ("--judge", "openai:tiny", "--judge-url", judge.base_url)
        told = run("run", *case.paths, *words, *judged, "--json", "--out", tmp_path / "r")
        wrong = run("run", *case.paths, *words, "--judge", "openai:tiny", "--out", tmp_path / "s")
    assert told.json["unread"]["unparsed"]["k"] == told.json["n"]
    assert seen
    assert not any("sk-very-secret" in str(headers) for headers in seen)
    assert wrong.code == 2
    assert not (tmp_path / "s").exists()


def test_hidden_labels_are_told_and_the_answers_can_still_be_handed_in(
    run: Run, case_of: CaseOf, tmp_path: Path
) -> None:
    case = case_of("pmr")
    hidden = [{k: v for k, v in record.items() if k != "answer_label"} for record in case.records()]
    path, file = case.write(tmp_path, hidden, "test-ori.jsonl"), tmp_path / "mine.jsonl"
    words = ("--model", "python:run_models:first", "--blind", "none", "--out", tmp_path / "r")
    told = run("run", path, *words, "--predictions", file)
    assert told.code == 0, told.err
    assert "nothing is scored" in told.out
    assert len(file.read_text().splitlines()) == len(hidden)


def test_a_server_is_asked_with_pictures_and_answers_are_logged(
    run: Run, case_of: CaseOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def says(question: Asked) -> str:
        parts = question.body["messages"][-1]["content"]
        assert any(part["type"] == "image_url" for part in parts)
        return "B"

    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    case = case_of("vcr")
    with serving(FaultyServer(says=says)) as server:
        address = server.base_url
        words = (
            "--model",
            "openai:tiny",
            "--base-url",
            address,
            "--images",
            case.images,
            "--key-env",
            "MY_KEY",
        )
        told = run("run", *case.paths, *words, "--out", tmp_path / "r", "--input-price", 2, "--json")
    assert told.code == 0, told.err
    assert told.json["metrics"]["q2a"]["k"] == sum(r["answer_label"] == 1 for r in case.records())
    assert told.json["cost"] is not None
    for path in (tmp_path / "r").rglob("*"):
        assert b"sk-very-secret" not in path.read_bytes()


def test_nothing_is_left_behind_where_nobody_answers(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    words = ("--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1", "--blind", "none")
    told = run("run", *case_of("vcr").paths, *words, "--out", tmp_path / "r")
    assert told.code == 2
    assert "Nothing answers" in told.err
    assert not (tmp_path / "r").exists()


def test_pictures_are_missed_before_anything_is_asked(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    told = run("run", *case_of("vcr").paths, "--model", "python:run_models:first", "--out", tmp_path / "r")
    assert told.code == 2
    assert "--images is missing" in told.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--task", "q2b"), "has no such task. It has: q2a, qa2r"),
        (("--given", "own", "--task", "q2a"), "none of the tasks builds on an answer"),
        (("--shots", 3), "--shots-from is missing"),
        (("--context", "nowhere.jsonl"), "there is no such file"),
        (("--prompt", "nowhere.toml"), "nowhere.toml"),
        (("--model", "gpt"), "names no model"),
        (("--model", "python:run_models:nobody"), "has no function nobody"),
    ],
)
def test_bad_options_are_refused_before_anything_is_asked(
    run: Run, case_of: CaseOf, tmp_path: Path, more: tuple[object, ...], said: str
) -> None:
    told = run(*asked(case_of("vcr"), "first", *more, "--out", tmp_path / "r"))
    assert told.code == 2
    assert said in told.err.replace("\n", " ")
    assert not (tmp_path / "r").exists()


def test_a_run_goes_on_as_it_was_begun(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    copy = tmp_path / "val.jsonl"
    copy.write_bytes(case_of("vcr").paths[0].read_bytes())
    words = ("--model", "python:run_models:first", "--blind", "none", "--out", tmp_path / "r")
    assert run("run", copy, *words, "--limit", 1).code == 0
    assert "holds a run already" in run("run", copy, *words).err
    assert "goes on as it was begun" in run("run", "--resume", tmp_path / "r", "--epochs", 2).err
    assert run("run", "--resume", tmp_path / "r", "--concurrency", 2).code == 0
    copy.write_bytes(copy.read_bytes() + b"\n")
    told = run("run", "--resume", tmp_path / "r")
    assert told.code == 2
    assert "has changed since" in told.err
    copy.unlink()
    assert "is gone" in run("run", "--resume", tmp_path / "r").err
    assert "Name a dataset or files" in run("run").err


def test_runs_are_compared_and_audited(run: Run, case_of: CaseOf, tmp_path: Path) -> None:
    case = case_of("vcr")
    run(*asked(case, "first", "--out", tmp_path / "one"))
    run(*asked(case, "second", "--out", tmp_path / "two"))
    told = run("compare", tmp_path / "one", tmp_path / "two", *case.gold, "--json")
    assert told.code == 0, told.err
    assert set(told.json["metrics"]) == {"q2a", "qa2r", "q2ar"}


def test_an_answer_that_cannot_be_read_is_no_guess() -> None:
    scoring = find("vcr").scoring
    given = scoring.from_answers([LoggedAnswer("a", "q2a", Unparsed("hm"))])
    assert np.array_equal(given.columns["answer"], [-1])


def test_a_set_of_no_benchmark_is_run_and_compared(run: Run, tmp_path: Path) -> None:
    items = fakes.clean_items(40, seed=1)
    info = DatasetInfo("mine", "any-text", "1", Made("test", "0"), {}, title="Any text")
    write_dataset(tmp_path / "mine", items, info)
    words = ("run", tmp_path / "mine", "--blind", "none", "--model")
    assert run(*words, "python:run_models:first", "--out", tmp_path / "one").code == 0
    told = run(*words, "python:run_models:second", "--circular", "--out", tmp_path / "two", "--json")
    right = sum(item.gold == Pick(1) for item in items)
    assert told.json["metrics"]["accuracy"]["k"] == right
    assert told.json["circular"]["choose"]["k"] == 0
    compared = run("compare", tmp_path / "one", tmp_path / "two", "--gold", tmp_path / "mine", "--json")
    assert compared.code == 0, compared.err
    assert compared.json["n"] == 40

"""`commonsight compare`: files and runs on one gold."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks import find
from commonsight.core.answer import Answer, Pick, Unparsed, Verdict
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run


def make_run(folder: Path, benchmark: str, answers: dict[tuple[str, str], Answer]) -> Path:
    tasks = tuple(dict.fromkeys(task for _, task in answers))
    create_run(folder, RunInfo(benchmark, "scripted", "fixture", tasks, "0"))
    with RunLog(folder) as log:
        for (item, task), answer in answers.items():
            log.append(AnswerLine(item, task, answer))
    return folder


def test_two_files(run: Any, case: Any) -> None:
    told = run("compare", *case.both_predictions, *case.gold, "--json")
    assert told.code == 0, told.err
    found = told.json
    assert found["benchmark"] == case.name  # told from the gold
    assert found["n"] == sum(len(case.records(number)) for number in range(len(case.files)))
    assert list(found["metrics"]) == list(find(case.name).metrics)
    for compared in found["metrics"].values():
        assert {entry["name"] for entry in compared["runs"]} == {"predictions", "predictions_b"}
        (pair,) = compared["pairs"]
        assert 0 <= pair["adjusted_p"] <= 1
        assert pair["difference"]["low"] <= pair["difference"]["difference"] <= pair["difference"]["high"]
        for entry in compared["runs"]:
            assert 0 <= entry["figure"]["low"] <= entry["figure"]["value"] <= entry["figure"]["high"] <= 1
    assert len(found["published"]) == len(find(case.name).published)


@pytest.mark.parametrize("width", [80, 120])
def test_tables_fit_the_console(run: Any, case: Any, width: int) -> None:
    told = run("compare", *case.both_predictions, *case.gold, width=width)
    assert told.code == 0
    assert max(len(line.rstrip()) for line in told.out.splitlines()) <= width
    assert "…" not in told.out
    for metric in find(case.name).metrics:
        assert f"#  {metric} " in told.out
    assert told.out.count("\npair ") == len(find(case.name).metrics)
    assert "\n1–2 " in told.out


def test_figures_are_those_of_score(run: Any, case: Any) -> None:
    found = run("compare", *case.both_predictions, *case.gold, "--json").json
    for path in case.both_predictions:
        card = run("score", case.name, *case.gold, "--predictions", path, "--json").json
        for metric, figure in card["metrics"].items():
            entry = next(entry for entry in found["metrics"][metric]["runs"] if entry["name"] == path.stem)
            assert entry["figure"] == figure


def nlvr2_case(folder: Path, sentences: int = 150) -> tuple[Path, list[tuple[str, bool]]]:
    generator = random.Random(0)
    gold, labels = folder / "dev.json", []
    with gold.open("w") as stream:
        for number in range(sentences):
            for pair in range(2):
                label = generator.random() < 0.5
                record = {
                    "sentence": f"sentence {number}",
                    "identifier": f"dev-{number}-{pair}-0",
                    "left_url": "l",
                    "right_url": "r",
                    "label": str(label),
                }
                labels.append((record["identifier"], label))
                stream.write(json.dumps(record) + "\n")
    return gold, labels


def answer_file(path: Path, labels: list[tuple[str, bool]], right: float, seed: int) -> Path:
    generator = random.Random(seed)
    said = [(name, label == (generator.random() < right)) for name, label in labels]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{name},{value}\n" for name, value in said))
    return path


def test_three_files_with_ties_and_a_metric(run: Any, tmp_path: Path) -> None:
    gold, labels = nlvr2_case(tmp_path)
    paths = [
        answer_file(tmp_path / f"{name}.csv", labels, right, seed)
        for seed, (name, right) in enumerate((("good", 0.9), ("fine", 0.89), ("poor", 0.5)))
    ]
    found = run("compare", *paths, "--gold", gold, "--metric", "accuracy", "--json").json["metrics"]
    assert list(found) == ["accuracy"]
    runs = {entry["name"]: entry for entry in found["accuracy"]["runs"]}
    assert set(runs["good"]["ties"]) & set(runs["fine"]["ties"])
    assert not set(runs["good"]["ties"]) & set(runs["poor"]["ties"])
    assert runs["poor"]["best_rank"] == 3
    assert len(found["accuracy"]["pairs"]) == 3
    told = run("compare", *paths, "--gold", gold, "--metric", "accuracy", width=80).out
    assert "consistency" not in told.split("published")[0]
    assert "\n1–2 " in told
    assert "\n1–3 * " in told
    assert "\n2–3 * " in told
    assert "won, lost: only the first, only the second was right" in told


def test_names_that_repeat_get_their_folder(run: Any, tmp_path: Path) -> None:
    gold, labels = nlvr2_case(tmp_path, 5)
    paths = [answer_file(tmp_path / name / "mine.csv", labels, 0.8, i) for i, name in enumerate("ab")]
    found = run("compare", *paths, "--gold", gold, "--json").json["metrics"]["accuracy"]
    assert {entry["name"] for entry in found["runs"]} == {"a/mine.csv", "b/mine.csv"}


def test_a_run_folder_with_unread_answers(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr2")
    answers: dict[tuple[str, str], Answer] = {
        (record["identifier"], "verify"): Verdict(record["label"] == "True") for record in case.records()
    }
    perfect = make_run(tmp_path / "perfect", "nlvr2", answers)
    first, second, *_ = answers
    mute = make_run(tmp_path / "mute", "nlvr2", {**answers, first: Unparsed("?"), second: Unparsed("hm")})
    arguments = ("compare", perfect, mute, case.both_predictions[0], *case.gold)
    found = run(*arguments, "--json").json
    runs = {entry["name"]: entry["figure"] for entry in found["metrics"]["accuracy"]["runs"]}
    assert runs["perfect"]["value"] == 1
    assert (runs["mute"]["k"], runs["mute"]["n"]) == (11, 13)
    assert found["failures"] == {"mute": {"unparsed": 2}}
    assert "mute, scored 0, counted apart: unparsed 2" in run(*arguments).out


def test_runs_of_different_steps_share_what_they_can(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("vcr")
    ids = [record["annot_id"] for record in case.records()]
    answers = make_run(tmp_path / "answers", "vcr", {(name, "q2a"): Pick(0) for name in ids})
    rationales = make_run(tmp_path / "rationales", "vcr", {(name, "qa2r"): Pick(0) for name in ids})
    found = run("compare", answers, case.both_predictions[0], *case.gold, "--json").json
    assert list(found["metrics"]) == ["q2a"]
    told = run("compare", answers, case.both_predictions[0], *case.gold, "--metric", "q2ar")
    assert told.code == 2
    assert "--metric q2ar: not all runs have it. They share: q2a." in told.err
    told = run("compare", answers, rationales, *case.gold)
    assert told.code == 2
    assert "The runs have no metric in common" in told.err


def test_human_votes(run: Any, case_of: Any, tmp_path: Path) -> None:
    case, votes = case_of("vcr"), tmp_path / "votes.jsonl"
    first, second, third, *_ = case.records()
    lines = [
        {"item": record["annot_id"], "task": task, "votes": [record[label]] * 4 + [(record[label] + 1) % 4]}
        for record in (first, second)
        for task, label in (("q2a", "answer_label"), ("qa2r", "rationale_label"))
    ]
    lines += [{"item": third["annot_id"], "task": task, "votes": [0, 0, 1, 1, 2]} for task in ("q2a", "qa2r")]
    votes.write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ("compare", *case.both_predictions, *case.gold, "--human-votes", votes)
    majority = run(*arguments, "--json").json["human"]["majority"]
    assert (majority["items"], majority["ties"]) == (3, 2)
    assert {name: figure["k"] for name, figure in majority["metrics"].items()} == {
        "q2a": 2,
        "qa2r": 2,
        "q2ar": 2,
    }
    told = run(*arguments).out
    assert "human, majority vote: q2a 66.7 (2 of 3)" in told
    assert "2 ties, scored 0" in told
    votes.write_text('{"item": "val-0", "task": "q2a", "votes": []}\n')
    told = run(*arguments)
    assert told.code == 2
    assert f"{votes}:1: votes: nobody voted" in told.err


@pytest.mark.real_data
def test_people_whose_judgements_the_gold_holds(run: Any, data_dir: Path, tmp_path: Path) -> None:
    gold = data_dir / "nlvr2" / "dev.json"
    labels = [
        (record["identifier"], record["label"] == "True")
        for record in map(json.loads, gold.read_text("utf-8").splitlines())
    ]
    path = answer_file(tmp_path / "mine.csv", labels, 0.7, 0)
    told = run("compare", path, "--gold", gold)
    assert "human, mean over workers: 96.2 ± 2.1" in told.out


@pytest.mark.parametrize("alias", ["predictions.csv", "./predictions.csv", "../nlvr2/predictions.csv"])
def test_the_same_run_twice(run: Any, case_of: Any, alias: str) -> None:
    case = case_of("nlvr2")
    told = run("compare", case.both_predictions[0], f"{case.folder}/{alias}", *case.gold)
    assert (told.code, told.out) == (2, "")
    assert "predictions.csv is given twice. Give each run once." in told.err


def test_what_is_no_run(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr2")
    told = run("compare", case.both_predictions[0], tmp_path, *case.gold)
    assert told.code == 2
    assert f"{tmp_path} is a folder without a run" in told.err
    told = run("compare", case.both_predictions[0], tmp_path / "nowhere.csv", *case.gold)
    assert told.code == 2
    assert f"{tmp_path / 'nowhere.csv'}: the file cannot be read" in told.err
    other = make_run(tmp_path / "other", "vcr", {("val-0", "q2a"): Pick(0)})
    told = run("compare", case.both_predictions[0], other, *case.gold)
    assert told.code == 2
    assert f"{other} is a run of vcr, not of nlvr2." in told.err


def test_gold_of_no_benchmark(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("nlvr2")
    (tmp_path / "odd.json").write_text('{"a": 1}\n')
    told = run("compare", *case.both_predictions, "--gold", tmp_path / "odd.json")
    assert told.code == 2
    assert "Name it with --benchmark" in told.err
    told = run("compare", *case.both_predictions, *case.gold, "--benchmark", "nope")
    assert told.code == 2
    assert "'nope' is no benchmark" in told.err
    assert run("compare", *case.both_predictions, *case.gold, "--benchmark", "nlvr2").code == 0

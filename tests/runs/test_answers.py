"""Runs and prediction files as an audit sees them: what was answered, and what it earned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonsight.benchmarks import ALL, find
from commonsight.core.answer import Answer, FreeText, Grounded, Pick, Unparsed, Verdict
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import PredictionError, UsageError
from commonsight.runs.answers import predictions_of, read_runs, short_names
from commonsight.score.scoring import Scoring
from commonsight.store.native import read_native
from commonsight.store.runs import AnswerLine, RunInfo, RunLog, create_run

GOLD = {
    "vcr": ("val.jsonl", "predictions.csv"),
    "pmr": ("val-ori.jsonl", "predictions.jsonl"),
    "cric": ("val_questions.json", "predictions.jsonl"),
    "nlvr2": ("dev.json", "predictions.csv"),
    "nlvr": ("dev.json", "predictions.csv"),
    "aokvqa": ("aokvqa_v1p0_val.json", "predictions.json"),
    "okvqa": ("val.json", "predictions.jsonl"),
}


def reader(fixtures_dir: Path, name: str) -> Callable[[], Iterator[Item]]:
    folder = fixtures_dir / name
    files = [folder / file for file in (GOLD[name][0], *(("val-adv.jsonl",) if name == "pmr" else ()))]
    return lambda: read_native(find(name).native, files)


def write_run(folder: Path, benchmark: str, lines: list[AnswerLine], **options: Any) -> Path:
    tasks = tuple(dict.fromkeys(line.task for line in lines))
    create_run(folder, RunInfo(benchmark, "scripted", "fixture", tasks, "0", options=options))
    with RunLog(folder) as log:
        for line in lines:
            log.append(line)
    return folder


def in_words(gold: Answer | None) -> str | int:
    match gold:
        case Pick(index):
            return index
        case Verdict(value):
            return str(value)
        case FreeText(text) | Grounded(text, _):
            return text
    raise AssertionError(gold)


@pytest.mark.parametrize("benchmark", ALL, ids=[benchmark.name for benchmark in ALL])
def test_a_run_that_gives_the_gold_earns_everything(
    benchmark: Benchmark[Scoring], fixtures_dir: Path, tmp_path: Path
) -> None:
    read = reader(fixtures_dir, benchmark.name)
    asks = [task.ask(item) for item in read() for task in benchmark.tasks if benchmark.scoring.labelled(item)]
    lines = [AnswerLine(ask.item_id, ask.task, ask.gold) for ask in asks if ask.gold is not None]
    (run,) = read_runs(benchmark, [write_run(tmp_path / "gold", benchmark.name, lines)], read)
    assert run.ids == tuple(dict.fromkeys(line.item for line in lines))
    assert run.options == {"model": "scripted"}
    for task in benchmark.tasks:
        wanted = {line.item: in_words(line.answer) for line in lines if line.task == task.name}
        assert run.answers[task.name] == wanted
    for metric, values in run.scores.items():
        if not metric.startswith(("picks_", "da")):
            assert np.nanmin(values) == 1.0, metric
    assert "consistency" not in run.scores  # a sentence's, not an example's


@pytest.mark.parametrize("benchmark", ALL, ids=[benchmark.name for benchmark in ALL])
def test_answers_of_a_prediction_file_earn_what_they_say(
    benchmark: Benchmark[Scoring], fixtures_dir: Path
) -> None:
    read = reader(fixtures_dir, benchmark.name)
    path = fixtures_dir / benchmark.name / GOLD[benchmark.name][1]
    (run,) = read_runs(benchmark, [path], read)
    wrong = 0
    items = {item.id: item for item in read()}
    for task in benchmark.tasks:
        for item, score in zip(run.ids, run.scores[task.metrics[0]], strict=True):
            said = run.answers[task.name][item]
            if task.name == "da":
                people = items[item].direct_answers.count(str(said))
                assert np.isnan(score) or score == pytest.approx(min(1, people / 3))
            else:
                assert (said == in_words(task.ask(items[item]).gold)) == (score == 1.0)
            wrong += score == 0.0
    assert wrong  # else nothing was held against anything


def test_failures_are_left_out_of_the_answers(fixtures_dir: Path, tmp_path: Path) -> None:
    lines = [AnswerLine(f"q{n}", "mc", Pick(2) if n else Unparsed("hm")) for n in range(5)]
    (run,) = read_runs(
        find("aokvqa"), [write_run(tmp_path / "a", "aokvqa", lines)], reader(fixtures_dir, "aokvqa")
    )
    assert run.answers == {"mc": {"q1": 2, "q2": 2, "q3": 2, "q4": 2}}
    assert run.scores["mc"].tolist() == [0, 0, 1, 0, 1]


def test_rotations_become_runs_of_one_model(fixtures_dir: Path, tmp_path: Path) -> None:
    lines = [
        AnswerLine(f"q{n}", task, Pick(pick)) for task, pick in (("mc", 2), ("mc~1", 1)) for n in range(5)
    ]
    folder = write_run(tmp_path / "turned", "aokvqa", lines, temperature=0)
    plain, turned = read_runs(find("aokvqa"), [folder], reader(fixtures_dir, "aokvqa"))
    assert (plain.name, turned.name) == ("turned", "turned~1")
    assert plain.options == {"model": "scripted", "temperature": 0, "circular": 0}
    assert turned.options["circular"] == 1
    assert plain.scores["mc"].tolist() == [0, 0, 1, 0, 1]
    assert turned.scores["mc"].tolist() == [0, 1, 0, 0, 0]
    assert predictions_of(find("aokvqa"), folder).columns["pick"].tolist() == [2] * 5


def test_a_rotation_that_is_no_number_is_refused(fixtures_dir: Path, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", "aokvqa", [AnswerLine("q0", "mc~x", Pick(0))])
    with pytest.raises(UsageError, match="'mc~x' is no task of a run"):
        read_runs(find("aokvqa"), [folder], reader(fixtures_dir, "aokvqa"))


def test_probabilities_are_kept_and_bad_ones_refused(fixtures_dir: Path, tmp_path: Path) -> None:
    def run(name: str, told: Any) -> Path:
        lines = [AnswerLine(f"q{n}", "mc", Pick(0), extra={"probabilities": told}) for n in range(5)]
        return write_run(tmp_path / name, "aokvqa", lines)

    read = reader(fixtures_dir, "aokvqa")
    (found,) = read_runs(find("aokvqa"), [run("fine", [0.7, 0.1, 0.1, 0.1])], read)
    assert found.chances["mc"]["q3"] == (0.7, 0.1, 0.1, 0.1)
    for number, bad in enumerate(([0.7, 0.7], [1.5, -0.5], "high", [], [True, "a"])):
        with pytest.raises(PredictionError, match="item q0, task mc: probabilities are"):
            read_runs(find("aokvqa"), [run(f"bad{number}", bad)], read)


def test_missing_predictions_are_an_error_or_left_out(fixtures_dir: Path, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "part", "aokvqa", [AnswerLine(f"q{n}", "mc", Pick(n)) for n in range(3)])
    read = reader(fixtures_dir, "aokvqa")
    with pytest.raises(PredictionError, match="part: no prediction for ids q3, q4"):
        read_runs(find("aokvqa"), [folder], read)
    (run,) = read_runs(find("aokvqa"), [folder], read, allow_missing=True)
    assert run.ids == ("q0", "q1", "q2")
    assert run.scores["mc"].tolist() == [1, 1, 1]


def test_only_splits_that_a_run_answers_count(fixtures_dir: Path) -> None:
    files = [fixtures_dir / "aokvqa" / f"aokvqa_v1p0_{split}.json" for split in ("train", "val")]
    (run,) = read_runs(
        find("aokvqa"),
        [fixtures_dir / "aokvqa" / "predictions.json"],
        lambda: read_native(find("aokvqa").native, files),
    )
    assert run.ids == ("q0", "q1", "q2", "q3", "q4")


def test_predictions_of_other_data_are_refused(fixtures_dir: Path, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "other", "aokvqa", [AnswerLine("x1", "mc", Pick(0))])
    with pytest.raises(PredictionError, match="other: none of its predictions is for a labelled item"):
        read_runs(find("aokvqa"), [folder], reader(fixtures_dir, "aokvqa"))


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder without a run"):
        predictions_of(find("aokvqa"), tmp_path)
    folder = write_run(tmp_path / "a", "pmr", [AnswerLine("1", "action", Pick(0))])
    with pytest.raises(UsageError, match=re.escape("is a run of pmr, not of aokvqa")):
        predictions_of(find("aokvqa"), folder)


def test_names_are_short_and_differ(tmp_path: Path) -> None:
    paths = [tmp_path / "x" / "run.csv", tmp_path / "y" / "run.csv"]
    for path in paths:
        path.parent.mkdir()
        path.touch()
    assert list(short_names(paths[:1])) == ["run"]
    assert list(short_names(paths)) == ["x/run.csv", "y/run.csv"]
    with pytest.raises(UsageError, match="is given twice"):
        short_names([paths[0], paths[0]])

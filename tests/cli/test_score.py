"""`commonsight score`: the contract, what people see, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commonsight.benchmarks import find

FIGURE = {"value", "low", "high", "k", "n"}


def score(run: Any, case: Any, *options: object, **settings: int) -> Any:
    predictions = case.both_predictions[0]
    return run("score", case.name, *case.gold, "--predictions", predictions, *options, **settings)


def items_in(case: Any) -> int:
    return sum(len(case.records(number)) for number in range(len(case.files)))


def test_json_is_the_contract(run: Any, case: Any) -> None:
    told = score(run, case, "--json")
    assert told.code == 0, told.err
    card = told.json
    assert card["benchmark"] == case.name
    assert card["n"] == items_in(case)
    assert list(card["metrics"]) == list(find(case.name).metrics)
    for figure in card["metrics"].values():
        assert set(figure) >= FIGURE
        assert 0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1
        assert figure["value"] == pytest.approx(figure["k"] / figure["n"])


def test_people_see_percent(run: Any, case: Any) -> None:
    card, told = score(run, case, "--json").json, score(run, case)
    assert told.out.startswith(f"{find(case.name).title}, {card['n']} items\n")
    for name, figure in card["metrics"].items():
        row = next(line.split() for line in told.out.splitlines() if line.startswith(f"{name} "))
        assert row[1:4] == [f"{100 * figure[part]:.1f}" for part in ("value", "low", "high")]


def test_the_same_seed_gives_the_same_bytes(run: Any, case: Any) -> None:
    assert score(run, case, "--json", "--seed", 3).out == score(run, case, "--json", "--seed", 3).out


def test_a_dataset_is_gold_as_well(run: Any, case: Any, dataset_of: Any) -> None:
    dataset = dataset_of(case)
    predictions = case.both_predictions[0]
    told = run("score", case.name, "--gold", dataset, "--predictions", predictions, "--json")
    assert told.code == 0, told.err
    assert told.json == score(run, case, "--json").json


@pytest.mark.parametrize("width", [80, 120])
def test_slices_fit_the_console(run: Any, case: Any, width: int) -> None:
    slices = score(run, case, "--json").json["slices"]
    told = score(run, case, width=width)
    assert max(len(line.rstrip()) for line in told.out.splitlines()) <= width
    assert "…" not in told.out
    for name, labels in slices.items():
        assert f"by {name.replace('_', ' ')}" in told.out
        for label, figures in labels.items():
            assert f"\n{label} " in told.out
            first = next(iter(figures.values()))
            assert (
                f"{100 * first['value']:.1f} ({100 * first['low']:.1f}–{100 * first['high']:.1f})" in told.out
            )


def test_numbered_labels_are_in_order(run: Any, case_of: Any) -> None:
    told = score(run, case_of("cric")).out
    assert told.index("\n8-10 ") < told.index("\n11-13 ") < told.index("\n17+ ")


def test_a_metric_with_its_own_counts_shows_them(run: Any, case_of: Any, fixtures_dir: Path) -> None:
    told = score(run, case_of("nlvr2"), "--slices", f"tags={fixtures_dir / 'nlvr2' / 'annotated.txt'}")
    heading = next(line for line in told.out.splitlines() if line.startswith("by tags"))
    assert heading.split() == ["by", "tags", "n", "accuracy", "n", "consistency"]


@pytest.mark.parametrize(
    ("name", "slice_name", "file", "labels"),
    [
        ("nlvr2", "tags", "annotated.txt", {"hard cardinality", "existential quantifier"}),
        ("nlvr2", "balanced", "balanced_dev.json", {"balanced"}),
        ("aokvqa", "training", "aokvqa_v1p0_train.json", {"1-5", "6-10"}),
        ("aokvqa", "knowledge", "knowledge.csv", {"Knowledge Base", "Commonsense", "Visual"}),
    ],
)
def test_slices_by_file(
    run: Any, case_of: Any, name: str, slice_name: str, file: str, labels: set[str]
) -> None:
    case = case_of(name)
    told = score(run, case, "--slices", f"{slice_name}={case.folder / file}", "--json")
    assert told.code == 0, told.err
    assert labels <= set(told.json["slices"][slice_name])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("tags", "--slices tags: write NAME=FILE."),
        ("tags=", "write NAME=FILE"),
        ("odd=x", "nlvr2 has no such slice. It has: tags, balanced, unbalanced."),
        ("tags=nowhere.txt", "there is no file nowhere.txt"),
    ],
)
def test_slices_that_cannot_be(run: Any, case_of: Any, given: str, said: str) -> None:
    told = score(run, case_of("nlvr2"), "--slices", given)
    assert (told.code, told.out) == (2, "")
    assert said in told.err


def _without_last(case: Any, folder: Path) -> Path:
    text = case.both_predictions[0].read_text("utf-8")
    path = folder / case.predictions
    if case.name == "aokvqa":
        path.write_text(json.dumps(dict(list(json.loads(text).items())[:-1])))
    else:
        path.write_text("\n".join(text.rstrip("\n").splitlines()[:-1]) + "\n")
    return path


def test_missing_predictions(run: Any, case: Any, tmp_path: Path) -> None:
    path = _without_last(case, tmp_path)
    last = str(case.records(len(case.files) - 1)[-1][case.id_field])
    told = run("score", case.name, *case.gold, "--predictions", path)
    assert (told.code, told.out) == (2, "")
    assert f"{path}: no prediction for id {last}. Predict every item, or add --allow-missing" in told.err
    told = run("score", case.name, *case.gold, "--predictions", path, "--allow-missing")
    assert "scored 0, counted apart: missing 1" in told.out
    card = run("score", case.name, *case.gold, "--predictions", path, "--allow-missing", "--json").json
    assert card["n"] == items_in(case)
    assert card["failures"] == {"missing": 1}


def test_the_nearest_choice_is_a_step(run: Any, case_of: Any, tmp_path: Path) -> None:
    case = case_of("aokvqa")
    vectors = tmp_path / "tiny.txt"
    words = {"beans": (1, 0), "bean": (0.9, 0.1), "sand": (0, 1), "wool": (-1, 0), "glass": (0, -1)}
    vectors.write_text("".join(f"{word} {x} {y}\n" for word, (x, y) in words.items()))
    stray = tmp_path / "stray.json"
    given = json.loads(case.both_predictions[0].read_bytes())
    given["q0"]["multiple_choice"] = "bean"
    stray.write_text(json.dumps(given))
    arguments = ("score", "aokvqa", *case.gold, "--predictions", stray)
    plain = run(*arguments)
    assert "scored 0, counted apart: not a choice 1" in plain.out
    assert "step before scoring" not in plain.out
    told = run(*arguments, "--nearest-choice", vectors)
    assert "step before scoring: nearest choice by cosine" in told.out
    assert "(tiny): 1 answers mapped" in told.out
    card = run(*arguments, "--nearest-choice", vectors, "--json").json
    assert card["metrics"] == score(run, case, "--json").json["metrics"]
    assert len(card["steps"]) == 1


def test_the_nearest_choice_refuses(run: Any, case_of: Any) -> None:
    told = score(run, case_of("aokvqa"), "--nearest-choice", "nowhere.txt")
    assert told.code == 2
    assert "there is no such file. Give one, or glove-6b-50d." in told.err
    told = score(run, case_of("vcr"), "--nearest-choice", "nowhere.txt")
    assert told.code == 2
    assert "answers of vcr are never free text" in told.err


def test_unlabelled_gold(run: Any, case: Any, tmp_path: Path) -> None:
    records = [{k: v for k, v in record.items() if k not in case.labels} for record in case.records()]
    path = case.write(tmp_path, records)
    told = run("score", case.name, "--gold", path, "--predictions", case.both_predictions[0])
    assert (told.code, told.out) == (2, "")
    assert f"The gold has no labels for item {records[0][case.id_field]}." in told.err
    assert "labels are public" in told.err


def test_a_dataset_of_another_benchmark(run: Any, case: Any, case_of: Any, dataset_of: Any) -> None:
    other = case_of("vcr" if case.name != "vcr" else "nlvr2")
    dataset = dataset_of(other)
    told = run("score", case.name, "--gold", dataset, "--predictions", case.both_predictions[0])
    assert (told.code, told.out) == (2, "")
    assert f"{dataset} is a dataset of {other.name}, not of {case.name}." in told.err


def test_gold_that_is_no_gold(run: Any, case: Any, dataset_of: Any, tmp_path: Path) -> None:
    predictions = ("--predictions", case.both_predictions[0])
    empty = tmp_path / "empty"
    empty.mkdir()
    told = run("score", case.name, "--gold", empty, *predictions)
    assert told.code == 2
    assert f"{empty} is a folder without a dataset" in told.err
    told = run("score", case.name, "--gold", dataset_of(case), *predictions, "--split", "nope")
    assert told.code == 2
    assert "there is no split 'nope'. Choose one of: " in told.err
    told = run("score", case.name, *case.gold, "--gold", case.paths[0], *predictions)
    assert told.code == 2
    assert "the id was used before" in told.err


def test_gold_that_repeats_ids(run: Any, case: Any, dataset_of: Any) -> None:
    dataset = dataset_of(case)
    for again in (dataset, case.paths[0]):
        arguments = ("--gold", dataset, "--gold", again, "--predictions", case.both_predictions[0])
        told = run("score", case.name, *arguments)
        assert (told.code, told.out) == (2, "")
        assert f"more than once, such as {case.records()[0][case.id_field]}" in told.err


@pytest.mark.real_data
def test_real_gold_scores_itself(run: Any, data_dir: Path, tmp_path: Path) -> None:
    gold = data_dir / "nlvr2" / "dev.json"
    records = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    path = tmp_path / "right.csv"
    path.write_text("".join(f"{record['identifier']},{record['label']}\n" for record in records))
    tags = f"tags={data_dir / 'nlvr2' / 'annotated_dev_examples.txt'}"
    card = run("score", "nlvr2", "--gold", gold, "--predictions", path, "--slices", tags, "--json").json
    assert card["n"] == 6982
    assert card["metrics"]["consistency"]["value"] == 1
    assert card["slices"]["tags"]

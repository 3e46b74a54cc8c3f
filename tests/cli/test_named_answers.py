"""Answers that are named: vocabularies, learning from several answers, and choices by what was named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from commonsight.build.vocabulary import Rule
from commonsight.core.answer import FreeText, Pick
from commonsight.models import catalogue
from commonsight.models.blueprint import read_blueprint
from commonsight.models.catalogue import find
from commonsight.models.engine.checkpoint import BEST, weights
from commonsight.models.networks.answer_entries import STATIC
from commonsight.runs.training import Surroundings, planned, train
from commonsight.store.runs import read_answers

from .training_data import COLOURS, THINGS, colour_question, of_records

QUICK = {"epochs": 20, "batch": 8, "rate": 0.02}
pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")


def record(number: int, split: str) -> dict[str, Any]:
    right, shade = THINGS[list(THINGS)[number % 4]], "dark" if split == "train" else "pale"
    others = ["coloured", "coloured", f"{shade} {right}", f"odd {split}{number}"]
    return colour_question(number, split, others)


@pytest.fixture(scope="module")
def colours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen questions to train on and eight to validate by, of which words alone tell the answers."""
    counts = {"train": 16, "val": 8}
    splits = {split: [record(number, split) for number in range(count)] for split, count in counts.items()}
    return of_records(tmp_path_factory.mktemp("colours"), "aokvqa", splits)


ALL = ("blue", "brown", "coloured", "dark blue", "dark brown", "dark green", "dark red", "green", "red")
"""Each shade is said of four things to train on."""


def test_a_vocabulary_is_built(run: Any, colours: Path, tmp_path: Path) -> None:
    told = run("build", "vocabulary", colours, "--out", tmp_path / "v.csv")
    assert told.code == 0, told.err
    assert told.out == f"{tmp_path / 'v.csv'}: 9 answers, with one to each of 100.0 % of val\n"
    assert tuple((tmp_path / "v.csv").read_text().splitlines()) == ALL
    told = run(
        "build", "vocabulary", colours, "--no-correct", "--choices", "0", "--answers", "16",
        "--out", tmp_path / "few.csv", "--json",
    )  # fmt: skip
    assert json.loads(told.out) == {"answers": 1, "known": {"val": 1.0}}
    assert (tmp_path / "few.csv").read_text() == "coloured\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--split", "dev"), "there is no split 'dev'. It has: train, val."),
        (("--no-correct", "--choices", "0", "--answers", "99"), "no answer of split train is in"),
    ],
)
def test_a_vocabulary_of_nothing_is_refused(
    run: Any, colours: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    told = run("build", "vocabulary", colours, "--out", tmp_path / "v.csv", *options)
    assert told.code == 2
    assert message in told.err
    assert not (tmp_path / "v.csv").exists()


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-Only as one that learns how far people agree, which can name what the paper's rule has."""
    own = find("question-only")
    recipe = {"loss": "agreed"}
    small = replace(own.small, recipe=structs.replace(own.small.recipe, **recipe))
    entry = replace(own, small=small, vocabulary=Rule())
    monkeypatch.setattr(catalogue, "ALL", (entry,))


@pytest.mark.usefixtures("several")
def test_one_network_answers_in_words_and_by_choices(run: Any, colours: Path, tmp_path: Path) -> None:
    plan = planned("question-only", colours, recipe=QUICK)
    (trained,) = train(plan, tmp_path / "trained", Surroundings())
    assert (trained.task, trained.state.best) == ("da", 1.0)
    known = read_blueprint(tmp_path / "trained" / "da").known
    assert known.answers == ALL
    assert dict(zip(known.answers, known.counts, strict=True))["blue"] == 4
    told = run("predict", tmp_path / "trained", colours, "--out", tmp_path / "run", "--json")
    assert told.code == 0, told.err
    metrics = json.loads(told.out)["metrics"]
    assert (metrics["mc"]["value"], metrics["da"]["value"]) == (1.0, 1.0)
    lines = {(line.item, line.task): line for line in read_answers(tmp_path / "run")}
    assert len(lines) == 16
    assert lines["val0", "da"].answer == FreeText("blue")
    assert (lines["val0", "mc"].answer, lines["val0", "mc"].extra) == (Pick(1), {"named": "blue"})
    assert json.loads(told.out)["steps"] == []
    kept = json.loads((tmp_path / "run" / "run.json").read_text())
    assert kept["tasks"] == ["da", "mc"]
    assert kept["options"]["choices"].startswith("nearest choice by cosine of mean word vectors (")


@pytest.mark.usefixtures("several")
def test_answers_that_were_brought_to_a_choice_are_counted(run: Any, colours: Path, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("dark blue\n")  # all that can be named, and no choice
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("dark 0 1\nblue 1 0\nred -1 0\ngreen -1 0.1\nbrown -1 0.2\n")
    recipe = QUICK | {"epochs": 1}
    plan = planned("question-only", colours, recipe=recipe, vocabulary=tmp_path / "v.csv")
    train(plan, tmp_path / "trained")
    options = ("--nearest-choice", vectors, "--out", tmp_path / "run", "--json")
    told = run("predict", tmp_path / "trained", colours, *options)
    assert told.code == 0, told.err
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    step = "nearest choice by cosine of mean word vectors (vectors): 8 answers mapped"
    assert json.loads(told.out)["steps"] == report["steps"] == [step]
    picks = [line for line in read_answers(tmp_path / "run") if line.task == "mc"]
    assert {line.answer for line in picks} == {Pick(1)}
    assert all(line.extra == {"named": "dark blue", "nearest": "vectors"} for line in picks)


@pytest.mark.usefixtures("several")
def test_a_run_that_was_stopped_answers_what_is_missing(run: Any, colours: Path, tmp_path: Path) -> None:
    train(planned("question-only", colours, recipe=QUICK | {"epochs": 1}), tmp_path / "trained")
    whole = ("predict", tmp_path / "trained", colours, "--out", tmp_path / "run")
    assert run(*whole).code == 0
    log = tmp_path / "run" / "answers.jsonl"
    before = log.read_text().splitlines(keepends=True)
    log.write_text("".join(before[:5]))  # the sixth was the choice of the third question
    assert run(*whole).code == 0
    assert sorted(log.read_text().splitlines(keepends=True)) == sorted(before)


def test_a_hidden_layer_is_put_between_kept_and_taken_over(run: Any, colours: Path, tmp_path: Path) -> None:
    begun, on = tmp_path / "begun", tmp_path / "on"
    options = ("--batch", "8", "--rate", "0.02", "--threads", "1")
    told = run("train", "bert-classifier", colours, "--hidden", "7", *options, "--out", begun)
    assert told.code == 0, told.err
    shapes = {name: list(weight.shape) for name, weight in weights(begun / "da" / BEST).items()}
    assert (shapes["hidden.weight"], shapes["answer.weight"]) == ([7, STATIC], [len(ALL), 7])
    told = run("predict", begun, colours, "--out", tmp_path / "run", "--json")
    assert told.code == 0, told.err
    assert json.loads(told.out)["metrics"]["da"]["value"] > 0.6  # of four colours, one is a quarter
    told = run("train", "bert-classifier", colours, *options, "--out", begun)
    assert told.code == 2
    assert "hidden was 7, now None" in " ".join(told.err.split())
    told = run("train", "bert-classifier", colours, "--weights", begun, "--epochs", "1", "--out", on)
    assert told.code == 0, told.err
    assert read_blueprint(on / "da").hidden == 7


@pytest.mark.parametrize("option", [("--hidden", "100000000000"), ("--seed", "18446744073709551616")])
def test_numbers_beyond_all_measure_are_refused(
    run: Any, colours: Path, tmp_path: Path, option: tuple[str, str]
) -> None:
    told = run("train", "bert-classifier", colours, *option, "--out", tmp_path / "trained")
    assert told.code == 2
    assert "less than or equal to" in " ".join(told.err.split())


@pytest.mark.parametrize("network", ["most-common", "random-weighted"])
def test_what_goes_by_counts_wants_answers_that_are_right_somewhere(
    run: Any, colours: Path, tmp_path: Path, network: str
) -> None:
    (tmp_path / "v.csv").write_text("apple\npear\n")
    words = ("train", network, colours, "--vocabulary", tmp_path / "v.csv", "--out", tmp_path / "trained")
    told = run(*words)
    assert told.code == 2
    assert "None of the 2 answers that can be named is right in training" in " ".join(told.err.split())
    assert not (tmp_path / "trained").exists()
    (tmp_path / "v.csv").write_bytes(b"red\r\nblue\r\n")
    assert run(*words).code == 0


def test_without_a_right_choice_what_most_people_answered_counts(run: Any, tmp_path: Path) -> None:
    """OK-VQA has answers of people alone."""
    said = [{"dog": 1.0, "cat": 0.3}, {"dog": 1.0}, {"cup": 1.0}]
    records = [
        {"sent": "What?", "question_id": at, "img_id": str(at), "label": label}
        for at, label in enumerate(said)
    ]
    dataset = of_records(tmp_path, "okvqa", {"train": records, "val": records}, pattern="{}.json")
    (tmp_path / "v.csv").write_text("cat\ncup\ndog\n")
    options = ("--vocabulary", tmp_path / "v.csv", "--out", tmp_path / "trained")
    assert run("train", "most-common", dataset, *options).code == 0
    known = read_blueprint(tmp_path / "trained" / "da").known
    assert (known.answers, known.counts) == (("cat", "cup", "dog"), (0, 1, 2))


def test_a_hidden_layer_is_for_networks_that_may_have_one(run: Any, colours: Path, tmp_path: Path) -> None:
    told = run("train", "question-only", colours, "--hidden", "7", "--out", tmp_path / "trained")
    assert told.code == 2
    assert "has its layers as published. Leave it out." in " ".join(told.err.split())
    assert not (tmp_path / "trained").exists()


def test_a_vocabulary_may_be_given(run: Any, colours: Path, tmp_path: Path) -> None:
    vocabulary = tmp_path / "v.csv"
    vocabulary.write_text("green\nblue\n")
    plan = planned("question-only", colours, recipe=QUICK, vocabulary=vocabulary)
    said: list[str] = []
    train(plan, tmp_path / "trained", Surroundings(said=said.append))
    assert said == [
        "da: 8 of 16 questions have no answer among the 2 that can be named, and are left out"
    ]
    assert read_blueprint(tmp_path / "trained" / "da").known.answers == ("green", "blue")
    vocabulary.write_text("blue\ngreen\n")
    told = run(
        "train", "question-only", colours, "--vocabulary", vocabulary, "--out", tmp_path / "trained",
        "--epochs", "20", "--batch", "8", "--rate", "0.02",
    )  # fmt: skip
    assert told.code == 2
    assert "holds a training that was begun otherwise (sources was" in told.err


@pytest.mark.parametrize(
    ("network", "content", "message"),
    [
        ("lstm", "blue\n", "LSTM (response only) scores choices and names no answer"),
        ("question-only", "blue\nblue\n", "'blue' is there twice"),
        ("question-only", "mauve\n", "None of the 16 questions to train on has an answer among the 1"),
        ("question-only", None, "the file cannot be read"),
    ],
)
def test_a_vocabulary_of_no_use_is_refused(
    run: Any, colours: Path, tmp_path: Path, network: str, content: str | None, message: str
) -> None:
    if content is not None:
        (tmp_path / "v.csv").write_text(content)
    told = run("train", network, colours, "--vocabulary", tmp_path / "v.csv", "--out", tmp_path / "trained")
    assert told.code == 2
    assert message in told.err.replace("\n", " ")
    assert not (tmp_path / "trained").exists()


def test_majority_counts_where_answers_are_in_an_order_of_their_own(
    run: Any, colours: Path, tmp_path: Path
) -> None:
    (tmp_path / "v.csv").write_text("never said\nred\n")
    plan = planned("majority", colours, recipe={}, vocabulary=tmp_path / "v.csv")
    train(plan, tmp_path / "trained")
    assert run("predict", tmp_path / "trained", colours, "--out", tmp_path / "run").code == 0
    said = {line.answer for line in read_answers(tmp_path / "run") if line.task == "da"}
    assert said == {FreeText("red")}


def answers_of(run: Any, network: str, colours: Path, folder: Path, *, seed: int = 0) -> dict[str, Any]:
    """What a network says that needs no training, or hardly any."""
    trained, out = folder / f"{network}-{seed}", folder / f"run-{network}-{seed}"
    options = ("--text", "static") if network.startswith("clip") else ()
    told = run("train", network, colours, "--seed", seed, "--threads", "1", "--out", trained, *options)
    assert told.code == 0, told.err
    told = run("predict", trained, colours, "--out", out)
    assert told.code == 0, told.err
    return {f"{line.item} {line.task}": line.answer for line in read_answers(out)}


def test_random_answers_are_drawn_from_the_seed(run: Any, colours: Path, tmp_path: Path) -> None:
    first = answers_of(run, "random", colours, tmp_path)
    (tmp_path / "again").mkdir()
    assert answers_of(run, "random", colours, tmp_path / "again") == first
    assert answers_of(run, "random", colours, tmp_path, seed=1) != first
    assert {key.rpartition(" ")[2] for key in first} == {"mc", "da"}
    assert len(set(first.values())) > 6


def test_most_common_goes_by_training(run: Any, colours: Path, tmp_path: Path) -> None:
    """All four colours are right as often: of choices the first, of answers the first of the alphabet."""
    found = answers_of(run, "most-common", colours, tmp_path)
    assert set(found.values()) == {Pick(0), FreeText("blue")}


def test_a_weighted_draw_never_gives_what_was_never_right(run: Any, colours: Path, tmp_path: Path) -> None:
    said = {
        answer.text
        for answer in answers_of(run, "random-weighted", colours, tmp_path).values()
        if isinstance(answer, FreeText)
    }
    assert said <= set(COLOURS)
    assert len(said) > 1


def test_choices_are_scored_by_their_own_vectors(run: Any, colours: Path, tmp_path: Path) -> None:
    found = answers_of(run, "clip-contrastive-text", colours, tmp_path)
    assert isinstance(found["val0 mc"], Pick)
    kept = json.loads((tmp_path / "run-clip-contrastive-text-0" / "run.json").read_text())
    assert (kept["tasks"], "choices" in kept["options"]) == (["da", "mc"], False)
    lines = {line.task: line for line in read_answers(tmp_path / "run-clip-contrastive-text-0")}
    assert len(lines["mc"].extra["probabilities"]) == 4


def test_what_needs_a_clip_says_so(run: Any, colours: Path, tmp_path: Path) -> None:
    for size, message in (
        ("small", "Give the same CLIP twice: --text clip:PLACE --regions clip:PLACE"),
        ("paper", "reads a CLIP. Say where that is with --text clip:PLACE"),
    ):
        told = run("train", "clip-zero-shot", colours, "--size", size, "--out", tmp_path / "trained")
        assert told.code == 2
        assert message in told.err.replace("\n", " ")
        assert not (tmp_path / "trained").exists()

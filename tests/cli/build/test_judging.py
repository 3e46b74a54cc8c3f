"""Judges by options: cross-encoders from a folder, from end to end, or a message before anything is done."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from commonsight.build.matching.narrow import NarrowRelevance, NarrowSimilarity
from commonsight.cli.build.judging import Transformers, judges
from commonsight.models.matching import TransformerRelevance, TransformerSimilarity
from commonsight.models.untrained import Shape, untrained
from commonsight.store.dataset import check_dataset, read_info

SMALL = Shape(1, 16, 2, 400, 64)
DEEDS = ("holds", "wants", "sees", "paints", "drops", "likes", "hides")
LINES = [
    {
        "id": f"a{number}",
        "group": f"g{number % 6}",
        "objects": ["person", "cup"],
        "question": f"Why is [person1] {DEEDS[number % 7]} [cup2]?",
        "answer": f"[person1] {DEEDS[number % 5]} {number}.",
    }
    for number in range(48)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [str(line[part]) for line in LINES for part in ("question", "answer")]
    made = tmp_path_factory.mktemp("models")
    untrained(made / "small", texts, SMALL)
    untrained(made / "nli", texts, SMALL, labels=("entailment", "neutral", "contradiction"), seed=2)
    return made


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    return path


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_models_from_folders_judge_from_end_to_end(run: Any, folder: Path, raw: Path, tmp_path: Path) -> None:
    asked = ("--relevance", folder / "small", "--similarity", folder / "nli", "--rescore", 8, "--epochs", 1)
    for workers in (1, 2):
        made = tmp_path / str(workers) / "made"
        told = run(
            "build", "match", raw, "--out", made, "--folds", 3, "--scorer", "words",
            *asked, "--workers", workers,
        )  # fmt: skip
        assert told.code == 0, told.err
        assert check_dataset(made) == []
        assert [path.name for path in made.parent.iterdir()] == ["made"]  # nor what was fitted
    assert _files(tmp_path / "1") == _files(tmp_path / "2")
    info = read_info(made)
    assert info is not None
    said = info.made.options["relevance"]
    assert said.startswith("transformer-relevance-1(small@")
    assert said.endswith("learning rate 2e-05, batch 32, epochs 1) on the 8 best of shared words")
    assert info.made.options["similarity"].startswith("transformer-similarity-1(nli@")
    assert str(folder) not in json.dumps(info.made.options)  # where it lies is nobody's business


def test_fine_tuning_is_not_silent(run: Any, folder: Path, raw: Path, tmp_path: Path) -> None:
    told = run(
        "build", "match", raw, "--out", tmp_path / "made", "--folds", 2, "--scorer", "words", "--workers", 1,
        "--relevance", folder / "small", "--rescore", "all", "--epochs", 2, "--learning-rate", "0.001",
    )  # fmt: skip
    assert told.code == 0, told.err
    assert told.err.count("fine-tuning: epoch 1 of 2, loss ") == told.err.count("epoch 2 of 2, loss ") == 2


def test_who_judges(folder: Path, tmp_path: Path) -> None:
    small, nli = str(folder / "small"), str(folder / "nli")
    narrow = judges("words", Transformers(small, nli))
    assert isinstance(narrow.relevance, NarrowRelevance)
    assert isinstance(narrow.similarity, NarrowSimilarity)
    assert "on the 100 best of" in narrow.relevance.name
    assert "learning rate 2e-05, batch 32, epochs 3" in narrow.relevance.name
    whole = judges("words", Transformers(small, nli, "all", 4, 1e-4, 16), keep=tmp_path)
    assert isinstance(whole.relevance, TransformerRelevance)
    assert isinstance(whole.similarity, TransformerSimilarity)
    assert "learning rate 0.0001, batch 16, epochs 4" in whole.relevance.name
    assert judges("words").relevance.name == judges("words", Transformers(similarity=nli)).relevance.name


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rescore", "5"), "--rescore needs a model that scores. Name one with --relevance"),
        (("--relevance", "{small}", "--rescore", "most"), "--rescore most: give a number of at least 1"),
        (("--relevance", "{small}", "--rescore", "0"), "--rescore 0: give a number of at least 1, or all"),
        (("--relevance", "{small}", "--learning-rate", "7"), "The learning rate is 7. Give a number between"),
        (("--epochs", "2"), "--epochs is about fine-tuning. Name a model with --relevance, too."),
        (("--learning-rate", "0.1"), "--learning-rate is about fine-tuning"),
        (("--relevance", "./nowhere/at/all"), "there is no such folder, and it is no hub name"),
        (("--relevance", "{empty}"), "there is no model in this folder (no config.json)"),
        (("--similarity", "{small}"), "a class called entailment, but its classes are other, actual."),
        (("--relevance", "{small}", "--folds", "3", "--device", "abacus"), "cannot be loaded as a model"),
        (("--similarity", "{nli}", "--mode", "pmr"), "--mode pmr has no use for similarity"),
    ],
)
def test_bad_options_are_told(
    run: Any, folder: Path, raw: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    (folder / "empty").mkdir(exist_ok=True)
    named = {name: str(folder / name) for name in ("small", "nli", "empty")}
    given = [option.format(**named) for option in options]
    told = run("build", "match", raw, "--out", tmp_path / "made", "--workers", 1, "--scorer", "words", *given)
    assert told.code == 2
    assert said in told.err
    assert [path.name for path in tmp_path.iterdir()] == ["raw.jsonl"]

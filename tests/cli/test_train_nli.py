"""`commonsight train-nli` on the command line, and what it trained as judge of `build match`."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from toy_nli import toy, untaught, written

from commonsight.build.matching.narrow import NarrowSimilarity
from commonsight.build.matching.similarity_fit import Judged
from commonsight.cli.build.judging import Transformers, judges
from commonsight.models.nli.similarity import EsimSimilarity
from commonsight.store.dataset import check_dataset, read_info

DEEDS = ("holds", "wants", "sees", "paints", "drops", "likes", "hides")


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    lines = [
        {
            "id": f"a{number}",
            "group": f"g{number % 6}",
            "objects": ["person", "cup"],
            "question": f"Why is [person1] {DEEDS[number % 7]} [cup2]?",
            "answer": f"[person1] {DEEDS[number % 5]} {number}.",
        }
        for number in range(36)
    ]
    (tmp_path / "raw.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return tmp_path / "raw.jsonl"


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_trained_and_then_a_judge(run: Any, raw: Path, tmp_path: Path) -> None:
    pairs = written(tmp_path / "pairs.jsonl", toy(60))
    learn = (
        "train-nli", pairs, "--val", pairs, "--test", pairs, "--text", "learned", "--epochs", 1,
        "--threads", 1, "--device", "cpu", "--out", tmp_path / "nli",
    )  # fmt: skip
    told = run(*learn)
    assert told.code == 0, told.err
    assert "learned from 90 pairs; of 60 others" in told.out
    assert "of the test's" in told.out
    assert told.err.count("inference  epoch") == 1
    again = run(*learn, "--json")
    assert again.json["training"]["epoch"] == 1
    assert again.json["accuracy"] == again.json["test"]
    for workers in (1, 2):
        told = run(
            "build", "match", raw, "--out", tmp_path / str(workers) / "made", "--folds", 2,
            "--scorer", "words", "--similarity", f"esim:{tmp_path / 'nli'}", "--rescore", 5,
            "--workers", workers,
        )  # fmt: skip
        assert told.code == 0, told.err
    made = tmp_path / "1" / "made"
    assert check_dataset(made) == []
    assert _files(tmp_path / "1") == _files(tmp_path / "2")
    info = read_info(made)
    assert info is not None
    said = info.made.options["similarity"]
    assert said.startswith("esim-similarity-1(nli@")
    assert said.endswith(", learned) on the 5 most similar of shared words")


def test_it_judges_the_most_similar_or_all(tmp_path: Path) -> None:
    way = f"esim:{untaught(tmp_path / 'nli')}"
    assert isinstance(judges("words", Transformers(similarity=way)).similarity, NarrowSimilarity)
    assert isinstance(judges("words", Transformers(similarity=way, rescore="all")).similarity, EsimSimilarity)


def test_without_torch_the_extra_is_named(
    run: Any, raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    told = run("build", "match", raw, "--out", tmp_path / "made", "--similarity", "esim:x", width=400)
    assert told.code == 1
    assert "is not installed. Install it with: pip install 'commonsight[models]'" in told.err


def test_what_is_no_model_is_told_before_anything_is_done(run: Any, raw: Path, tmp_path: Path) -> None:
    for place in (f"esim:{tmp_path / 'nowhere'}", "esim:"):
        told = run("build", "match", raw, "--out", tmp_path / "made", "--similarity", place, width=400)
        assert told.code == 2
        assert "there is no model of inference here (no nli.json). Give a folder that" in told.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("{gone}",), "gone.jsonl"),
        (("{few}",), "fewer than ten premises"),
        (("{bad}",), "bad.jsonl:4: label: 'odd' is no label"),
        (("{good}", "--text", "smoke"), "There is no way to read words 'smoke'. Choose one of: learned"),
        (("{good}", "--text", "elmo:nowhere"), "elmo.json: it cannot be read"),
        (("{good}", "--rate", "0"), "rate is 0. Give more than 0."),
        (("{good}", "--val", "{gone}"), "gone.jsonl"),
    ],
)
def test_bad_input_is_told(run: Any, tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    paths = {
        "gone": tmp_path / "gone.jsonl",
        "few": written(tmp_path / "few.jsonl", toy(9)),
        "good": written(tmp_path / "good.jsonl", toy(60)),
        "bad": written(tmp_path / "bad.jsonl", [*toy(3), Judged("a", "b", "odd")]),
    }
    words = [option.format(**paths) for option in options]
    told = run("train-nli", *words, "--threads", 1, "--out", tmp_path / "nli", width=400)
    assert told.code == 2, told.err
    assert said in told.err
    assert not (tmp_path / "nli").exists()

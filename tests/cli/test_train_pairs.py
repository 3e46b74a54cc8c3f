"""Networks that say whether a sentence is true of two pictures, from the command line: `train` and `predict`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from safetensors import safe_open

from commonsight.core.answer import Verdict
from commonsight.store.dataset import read_dataset
from commonsight.store.runs import read_answers, read_run

from .conftest import Run

QUICK = ("--epochs", 1, "--batch", 8, "--threads", 1)
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONSIGHT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def pairs(drawn_world: Path) -> Path:
    return drawn_world / "nlvr2"


def test_what_has_nothing_to_learn_is_trained_and_answers(run: Run, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "trained"
    told = run("train", "majority", pairs, "--val-split", "dev", "--out", out)
    assert told.code == 0, told.err
    assert "verify: there is nothing to learn" in told.out
    assert {path.name for path in (out / "verify").iterdir()} == {"network.json"}
    told = run("predict", out, pairs, "--split", "dev", "--out", tmp_path / "run")
    assert told.code == 0, told.err
    golds = Counter(item.gold for item in read_dataset(pairs, split="train"))
    (common, _), *_ = golds.most_common()
    assert {line.answer for line in read_answers(tmp_path / "run")} == {common}
    assert read_run(tmp_path / "run").options["weights"] == {}
    again = run("train", "majority", pairs, "--val-split", "dev", "--out", out)
    assert again.code == 0, again.err


def test_chance_is_a_run_like_any_other(run: Run, drawn_vcr: Path, tmp_path: Path) -> None:
    words = ("train", "chance", drawn_vcr, "--task", "q2a", "--out", tmp_path / "trained")
    assert run(*words).code == 0
    told = run("predict", tmp_path / "trained", drawn_vcr, "--split", "val", "--out", tmp_path / "run")
    assert told.code == 0, told.err
    for line in read_answers(tmp_path / "run"):
        assert line.extra["probabilities"] == [0.25] * 4


@pytest.mark.parametrize("network", ["text-only", "cnn-rnn", "film", "mac"])
def test_pairs_of_pictures_are_judged(run: Run, pairs: Path, tmp_path: Path, network: str) -> None:
    out = tmp_path / "trained"
    regions = () if network == "text-only" else ("--regions", "pixels:64x32")
    told = run("train", network, pairs, "--val-split", "dev", *regions, *QUICK, "--out", out)
    assert told.code == 0, told.err
    told = run("predict", out, pairs, "--split", "dev", "--out", tmp_path / "run", "--threads", 1)
    assert told.code == 0, told.err
    assert all(isinstance(line.answer, Verdict) for line in read_answers(tmp_path / "run"))
    seen = tmp_path / "run" / "attention.safetensors"
    if network == "mac":
        with safe_open(seen, "np") as file:
            assert set(file.metadata().values()) == {"[64,32]"}, "what the places are of"


def boxes(squares: int) -> list[list[dict[str, object]]]:
    """Three boxes with so many black squares, and a yellow circle."""
    shape = {"y_loc": 80, "size": 20}
    row = [shape | {"x_loc": 20 * place, "type": "square", "color": "Black"} for place in range(squares)]
    return [row, [], [shape | {"x_loc": 0, "type": "circle", "color": "Yellow"}]]


def test_numbers_are_compared_with_counts_of_objects(run: Run, tmp_path: Path) -> None:
    """Drawn shapes come with all that there is to count."""
    shapes, out, native = tmp_path / "shapes", tmp_path / "trained", tmp_path / "dev.json"
    with native.open("w") as stream:
        for number in range(16):
            squares = number % 4 + 1
            record = {"sentence": "There are two squares.", "label": str(squares == 2).lower()}
            where = {"identifier": f"7-{number}", "directory": "0", "structured_rep": boxes(squares)}
            stream.write(json.dumps(record | where) + "\n")
    assert run("convert", "nlvr", native, "--out", shapes).code == 0
    splits = ("--train-split", "dev", "--val-split", "dev")
    told = run("train", "maxent", shapes, *splits, "--epochs", 9, "--rate", 0.1, "--threads", 1, "--out", out)
    assert told.code == 0, told.err
    told = run("predict", out, shapes, "--split", "dev", "--out", tmp_path / "run", "--threads", 1)
    assert told.code == 0, told.err
    golds = {item.id: item.gold for item in read_dataset(shapes, split="dev")}
    assert {line.item: line.answer for line in read_answers(tmp_path / "run")} == golds


def test_without_objects_there_is_nothing_to_compare(run: Run, pairs: Path, tmp_path: Path) -> None:
    told = run("train", "maxent", pairs, "--val-split", "dev", "--out", tmp_path / "out", width=400)
    assert told.code == 2
    assert "MaxEnt compares numbers in sentences with counts of objects, and the training split" in told.err
    assert "Give a dataset whose pictures come with objects, or choose another network." in told.err
    assert not (tmp_path / "out").exists()

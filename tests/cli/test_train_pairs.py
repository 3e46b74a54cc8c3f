"""Networks that say whether a sentence is true of two pictures, from the command line: `train` and `predict`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from commonsight.core.answer import Verdict
from commonsight.store.dataset import read_dataset
from commonsight.store.runs import read_answers, read_run

from .conftest import Run

QUICK = ("--epochs", 1, "--batch", 8, "--threads", 1)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


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

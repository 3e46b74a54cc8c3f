"""Training a model of inference: it learns, goes on after it was stopped, and refuses what does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from toy_nli import toy, written

from commonsight.build.matching.similarity_fit import Judged
from commonsight.errors import UsageError
from commonsight.models.engine.loop import Unwatched
from commonsight.models.engine.state import EpochLine, State
from commonsight.models.nli.pairs import LABELS, read_pairs
from commonsight.runs.inferring import InferencePlan, train_nli

QUICK = {"epochs": 2, "batch": 16}


class KilledError(Exception):
    """Whatever ends a process."""


class Kills(Unwatched):
    """Ends training after its first epoch."""

    def epoch(self, line: EpochLine, state: State) -> None:
        del line, state
        raise KilledError


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def plan(folder: Path, **options: object) -> InferencePlan:
    file = written(folder / "pairs.jsonl", toy(90))
    return InferencePlan([file], text="learned", recipe=QUICK, device="cpu")._replace(**options)  # type: ignore[arg-type]


def test_stopped_and_gone_on_with_it_comes_to_the_same(tmp_path: Path) -> None:
    asked = plan(tmp_path)
    whole = train_nli(asked, tmp_path / "whole")
    with pytest.raises(KilledError):
        train_nli(asked, tmp_path / "parts", watch=Kills)
    parts = train_nli(asked, tmp_path / "parts")
    assert parts == whole
    assert [*(line.epoch for line in parts.state.history)] == [1, 2]
    best = [(tmp_path / name / "best.safetensors").read_bytes() for name in ("whole", "parts")]
    assert best[0] == best[1]


def test_other_files_and_options_into_the_same_folder_are_refused(tmp_path: Path) -> None:
    out, asked = tmp_path / "nli", plan(tmp_path, recipe={**QUICK, "epochs": 1})
    train_nli(asked, out)
    with pytest.raises(UsageError, match=r"was begun with other words and seed\. Choose another folder"):
        train_nli(asked._replace(seed=1), out)
    other = written(tmp_path / "other.jsonl", toy(60))
    with pytest.raises(UsageError, match="other words and sources and plain"):
        train_nli(asked._replace(judged=other, plain=True), out)


def test_what_is_held_out_or_named_is_not_learned_from(tmp_path: Path) -> None:
    asked = plan(tmp_path, recipe={**QUICK, "epochs": 1}, plain=True)
    own = train_nli(asked, tmp_path / "own")
    assert own.learned + own.judged == 90
    assert own.tested is None
    others = written(tmp_path / "val.jsonl", toy(12))
    named = train_nli(asked._replace(judged=others, tested=others), tmp_path / "named")
    assert (named.learned, named.judged) == (90, 12)
    assert named.tested == named.state.best  # the same pairs, by the best weights
    with pytest.raises(UsageError, match="fewer than ten premises, too few to hold some out"):
        train_nli(asked._replace(files=[written(tmp_path / "few.jsonl", toy(12))]), tmp_path / "few")


def test_it_learns(tmp_path: Path) -> None:
    file = written(tmp_path / "pairs.jsonl", toy(90))
    recipe = {"epochs": 20, "batch": 16, "rate": 5e-3, "patience": None}
    asked = InferencePlan([file], judged=file, text="learned", plain=True, recipe=recipe, device="cpu")
    assert train_nli(asked, tmp_path / "nli").state.best > 0.9


@pytest.mark.real_data
def test_a_quick_fit_beats_the_commonest_label_by_far(data_dir: Path, tmp_path: Path) -> None:
    """On a part of SICK; five points are three and a half standard errors of its 1,232 pairs."""
    nli = data_dir / "nli"
    pairs = read_pairs(nli / "sick_train.jsonl")[:3000]
    test = read_pairs(nli / "sick_test.jsonl")[::4]
    commonest = max(sum(pair.label == label for pair in test) for label in LABELS) / len(test)
    recipe = {"epochs": 6, "batch": 48, "rate": 3e-3}
    asked = InferencePlan(
        [written(tmp_path / "train.jsonl", pairs)],
        tested=written(tmp_path / "test.jsonl", test),
        recipe=recipe,
        plain=True,
        device="cpu",
    )
    found = train_nli(asked, tmp_path / "nli")
    assert found.tested is not None
    assert found.tested > commonest + 0.05


def test_a_label_nobody_knows_ends_it_before_anything_is_written(tmp_path: Path) -> None:
    file = written(tmp_path / "bad.jsonl", [Judged("a", "b", "perhaps")])
    with pytest.raises(Exception, match=r"bad\.jsonl:1.*'perhaps' is no label"):
        train_nli(InferencePlan([file]), tmp_path / "nli")
    assert not (tmp_path / "nli").exists()

"""Two processes that `accelerate launch` starts train as one does, and only the first writes and tells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch
import toy_training
from msgspec import structs
from toy_training import FULL, Asked, Told

from commonsight.errors import InputError, MissingExtra, UsageError
from commonsight.models.engine import checkpoint, team
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.runs.training import Surroundings, planned
from commonsight.runs.training import train as train_alone

ASKED = Asked(recipe=structs.replace(FULL, epochs=2), questions=33, dropout=False)
"""The last batch of an epoch has one question, so that the second process has none. Nothing is drawn."""
LAUNCH = (
    "-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes", "2", "--num_machines", "1",
    "--mixed_precision", "no", "--dynamo_backend", "no", "--main_process_ip", "127.0.0.1",
    "--main_process_port", "0",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def _launched(folder: Path, *command: object) -> tuple[list[dict[str, Any]], str, str]:
    """What each process's own training told, and what the command printed, on both streams."""
    cache = folder.parent / "cache"
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1",
        "COMMONSIGHT_CACHE": str(cache), "HF_HOME": str(cache),
    }  # fmt: skip
    asked = msgspec.json.encode(ASKED).decode()
    script = [toy_training.__file__, folder, asked, *command]
    done = subprocess.run(
        [sys.executable, *LAUNCH, *map(str, script)],
        env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    lines = done.stdout.splitlines()
    told = [json.loads(line) for line in lines if line.startswith('{"rank"')]
    printed = "\n".join(line for line in lines if not line.startswith('{"rank"'))
    return sorted(told, key=lambda one: int(one["rank"])), printed, done.stderr


def _close(one: State, other: State) -> None:
    assert len(one.history) == len(other.history)
    for mine, theirs in zip(one.history, other.history, strict=True):
        assert structs.astuple(mine) == pytest.approx(structs.astuple(theirs), abs=1e-5)
    assert one.finished == other.finished


def test_two_processes_train_as_one_does(tmp_path: Path, drawn_world: Path) -> None:
    alone = toy_training.toy_training(tmp_path / "alone", ASKED).run()
    begun = tmp_path / "begun"  # by one process, stopped in the second epoch, and gone on with by two
    stopping = Told(lambda step: signal.raise_signal(signal.SIGINT) if step == 6 else None)
    with pytest.raises(KeyboardInterrupt):
        toy_training.toy_training(begun, ASKED, stopping).run()
    train = ("train", "r2c-no-vision", drawn_world / "vcr", "--task", "q2a", "--epochs", 2)
    told, printed, errors = _launched(begun, *train, "--out", tmp_path / "trained")
    assert [(one["rank"], one["size"]) for one in told] == [(0, 2), (1, 2)]
    assert told[0]["steps"] == told[1]["steps"] == [8, 9, 10]
    assert told[0]["saves"]
    assert not told[1]["saves"]
    one, two = checkpoint.latest(tmp_path / "alone"), checkpoint.latest(begun)
    assert one is not None
    assert two is not None
    _close(one.state, two.state)
    assert one.state == alone
    for mine, theirs in ((one.model, two.model), (one.average, two.average), (one.optimiser, two.optimiser)):
        for name, value in mine.items():
            torch.testing.assert_close(theirs[name], value, rtol=0, atol=1e-4)
    # The command, by both: told once, and whole, and the same losses as by one. Nothing is dropped at random.
    plan = planned("r2c-no-vision", drawn_world / "vcr", recipe={"epochs": 2}, tasks=("q2a",))
    (trained,) = train_alone(plan, tmp_path / "by-one", Surroundings(tmp_path / "cache" / "features", "cpu"))
    both = checkpoint.latest(tmp_path / "trained" / "q2a")
    assert both is not None
    _close(trained.state, both.state)
    assert printed.count("best validation") == 1
    assert errors.count("epoch 1") == 1
    assert (tmp_path / "trained" / "q2a" / "best.safetensors").is_file()
    assert len(list((tmp_path / "trained" / "q2a" / "logs").iterdir())) == 1


def test_a_process_alone_is_a_team_of_one() -> None:
    alone = Team("cpu")
    assert (alone.first, alone.size, alone.summed(2.5), alone.sums((1, 2))) == (True, 1, 2.5, [1, 2])
    assert team.is_first()
    with alone.first_before_others():
        pass


def test_one_of_several_knows_who_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        assert team.is_first() is (rank == "0")
    with pytest.raises(UsageError, match="`commonsight predict` is one process's work"):
        team.refuse_several("predict")


def test_several_processes_without_accelerate_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setitem(sys.modules, "accelerate", None)
    with pytest.raises(MissingExtra, match=r"pip install 'commonsight\[models\]'"):
        Team("cpu")


def test_a_device_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match="There is no device abacus here"):
        Team("abacus")

"""Whatever ends a training, it goes on as if nothing had: the same losses, the same weights, bit for bit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import torch
import toy_training
from safetensors.torch import load_file
from toy_training import Asked, Told

from commonsight.errors import UsageError
from commonsight.models.engine import checkpoint
from commonsight.models.engine.checkpoint import BEST
from commonsight.models.engine.state import State
from commonsight.store.locks import held

STEPS = 15  # three epochs of 36 questions, 8 at a time


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training that was never stopped."""
    folder = tmp_path_factory.mktemp("whole")
    told = Told()
    state = toy_training.toy_training(folder, Asked(), told).run()
    assert told.steps == list(range(1, STEPS + 1))
    assert told.epochs == list(state.history)
    return folder


def same(folder: Path, other: Path) -> None:
    """Weights, memory, average, where it stands: all of both is the same to the last bit."""
    one, two = checkpoint.latest(folder), checkpoint.latest(other)
    assert one is not None
    assert two is not None
    assert one.state == two.state
    assert one.average
    for mine, theirs in (
        (one.model, two.model),
        (one.optimiser, two.optimiser),
        (one.average, two.average),
        (load_file(folder / BEST), load_file(other / BEST)),
    ):
        assert mine.keys() == theirs.keys()
        assert all(torch.equal(mine[name], theirs[name]) for name in mine)


def raising(number: signal.Signals, at: int) -> Callable[[int], None]:
    return lambda step: signal.raise_signal(number) if step == at else None


def test_a_whole_training_is_more_than_it_began_with(whole: Path) -> None:
    found = checkpoint.latest(whole)
    assert found is not None
    assert found.state.finished == "all epochs are done"
    assert [line.epoch for line in found.state.history] == [1, 2, 3]
    first, *_, last = (line.loss + line.extra for line in found.state.history)
    assert last < first
    assert any(not torch.equal(found.model[name], found.average[name]) for name in found.model)


def test_killed_in_the_middle_of_an_epoch(whole: Path, tmp_path: Path) -> None:
    """By kill -9, two steps after the last checkpoint and in the middle of the second epoch."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    asked = msgspec.json.encode(Asked(kill_at=9, steps_a_checkpoint=2)).decode()
    done = subprocess.run(
        [sys.executable, toy_training.__file__, str(tmp_path), asked],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr
    begun = checkpoint.latest(tmp_path)
    assert begun is not None
    assert (begun.state.epoch, begun.state.done, begun.state.step) == (1, 2, 7)
    told = Told()
    toy_training.toy_training(tmp_path, Asked(), told).run()
    assert told.steps == list(range(8, STEPS + 1))
    same(tmp_path, whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_after_the_step_with_a_checkpoint(
    whole: Path, tmp_path: Path, number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    told = Told(raising(number, at=7))
    with pytest.raises(KeyboardInterrupt):
        toy_training.toy_training(tmp_path, Asked(steps_a_checkpoint=100), told).run()
    found = checkpoint.latest(tmp_path)
    assert found is not None
    assert found.state.step == told.steps[-1] == 8  # the step that was under way when it was noticed
    assert signal.getsignal(number) is before
    toy_training.toy_training(tmp_path, Asked()).run()
    same(tmp_path, whole)


def test_a_signal_while_it_is_judged_ends_it_after_the_epoch(tmp_path: Path) -> None:
    training = toy_training.toy_training(tmp_path, Asked())
    plain = training._judge
    training._judge = lambda network, team: (signal.raise_signal(signal.SIGINT), plain(network, team))[1]
    with pytest.raises(KeyboardInterrupt):
        training.run()
    found = checkpoint.latest(tmp_path)
    assert found is not None
    assert (found.state.epoch, found.state.step) == (1, 5)


def test_the_same_signal_twice_ends_it_at_once(tmp_path: Path) -> None:
    def twice(step: int) -> None:
        if step == 2:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        toy_training.toy_training(tmp_path, Asked(steps_a_checkpoint=100), Told(twice)).run()
    assert checkpoint.latest(tmp_path) is None


def test_stopped_again_and_again(whole: Path, tmp_path: Path) -> None:
    for at in (2, 5, 6, 10, 15):
        with pytest.raises(KeyboardInterrupt):
            toy_training.toy_training(tmp_path, Asked(), Told(raising(signal.SIGINT, at=at))).run()
    state = toy_training.toy_training(tmp_path, Asked()).run()
    assert state.finished
    same(tmp_path, whole)


def test_what_is_finished_stays_as_it_is(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(whole, folder)
    told = Told()
    state = toy_training.toy_training(folder, Asked(), told).run()
    assert state.finished
    assert not told.steps
    same(folder, whole)


def test_another_seed_is_another_training(whole: Path, tmp_path: Path) -> None:
    state = toy_training.toy_training(tmp_path, Asked(seed=6)).run()
    found = checkpoint.latest(whole)
    assert found is not None
    assert state.history != found.state.history


def test_one_process_at_a_time_trains_in_a_folder(tmp_path: Path) -> None:
    training = toy_training.toy_training(tmp_path, Asked())
    with held(tmp_path), pytest.raises(UsageError, match="is in use by another process"):
        training.run()


def test_a_state_says_where_it_stands() -> None:
    state = State().after_step(8, 4.0, 2.0).after_step(4, 2.0, 1.0)
    assert (state.done, state.step, state.seen) == (2, 2, 12)
    assert (state.mean_loss, state.mean_extra) == (0.5, 0.25)
    assert State().mean_loss == 0.0

"""`commonsight train`, killed from outside in the middle of it, goes on as if nothing had been."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from commonsight.models.engine import checkpoint
from commonsight.models.engine.checkpoint import Checkpoint

from .conftest import Run

pytestmark = pytest.mark.usefixtures("one_thread", "kept_cache")
EPOCHS = 60
"""More than one process does while another sees that the first of them is done."""
PATIENCE = 240.0
"""Seconds; it takes five where nothing else is under way."""


def _killed(command: list[str], checkpoints: Path) -> None:
    """By kill -9, as soon as there is something to go on with."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-m", "commonsight", *command],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        end = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < end and not any(checkpoints.glob("step-*")):
            time.sleep(0.005)
        process.kill()
        told = process.communicate()[1]
    assert process.returncode == -signal.SIGKILL, told


def _latest(folder: Path) -> Checkpoint:
    found = checkpoint.latest(folder / "q2a")
    assert found is not None
    return found


def _equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def test_killed_it_comes_to_the_same_losses_and_weights(run: Run, drawn_vcr: Path, tmp_path: Path) -> None:
    """A network with dropout, whose every draw must be the same again."""
    words = ["train", "lstm", str(drawn_vcr), "--task", "q2a", "--epochs", str(EPOCHS), "--patience", "0"]
    words += ["--batch", "8", "--ema", "0.9", "--threads", "1", "--device", "cpu"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    _killed([*words, "--out", str(parts)], parts / "q2a" / "checkpoints")
    begun = _latest(parts)
    assert 0 < begun.state.epoch < EPOCHS
    assert not begun.state.finished
    undisturbed = run(*words, "--out", whole, "--json")
    assert undisturbed.code == 0, undisturbed.err
    went_on = run(*words, "--out", parts, "--json")
    assert went_on.code == 0, went_on.err
    assert f"epoch {begun.state.epoch} " not in went_on.err  # nothing is done twice
    assert went_on.json == undisturbed.json
    assert len(went_on.json["q2a"]["history"]) == EPOCHS
    one, other = _latest(whole), _latest(parts)
    assert _equal(one.model, other.model)
    assert _equal(one.average, other.average)
    assert _equal(one.optimiser, other.optimiser)
    best, theirs = (checkpoint.weights(folder / "q2a" / "best.safetensors") for folder in (whole, parts))
    assert _equal(best, theirs)

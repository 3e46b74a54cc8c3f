"""Checkpoints are whole or not there, of this network or refused, and for anyone to read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save_file
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.engine import checkpoint
from commonsight.models.engine.average import MovingAverage
from commonsight.models.engine.checkpoint import BEST, Checkpoint
from commonsight.models.engine.state import EpochLine, State

MODEL = {"weight": torch.arange(6.0).reshape(2, 3), "bias": torch.tensor([1.0, 2.0])}
MEMORY = {"0.exp_avg": torch.ones(2, 3), "0.step": torch.tensor(3.0)}


def moment(step: int, epoch: int = 0, average: dict[str, Tensor] | None = None) -> Checkpoint:
    line = EpochLine(1, 0.5, 0.25, 0.75, 1e-3)
    return Checkpoint(State(epoch=epoch, step=step, history=(line,)), MODEL, MEMORY, average or {})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "checkpoints").iterdir())


@pytest.fixture
def unmasked() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_what_is_saved_is_there(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, moment(7, 1, average={"weight": torch.zeros(2, 3)}))
    found = checkpoint.latest(tmp_path)
    assert found is not None
    assert found.state == moment(7, 1).state
    assert torch.equal(found.model["weight"], MODEL["weight"])
    assert torch.equal(found.optimiser["0.step"], MEMORY["0.step"])
    assert list(found.average) == ["weight"]


def test_nothing_is_there_before_anything_was_saved(tmp_path: Path) -> None:
    assert checkpoint.latest(tmp_path) is None
    assert not checkpoint.is_begun(tmp_path)
    assert checkpoint.latest(tmp_path / "missing") is None


def test_older_ones_are_removed_and_so_is_what_the_killed_left(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, moment(99))
    torn = tmp_path / "checkpoints" / ".step-00000100-0000.4711.part"
    torn.mkdir()
    (torn / "model.safetensors").write_bytes(b"half")
    found = checkpoint.latest(tmp_path)
    assert found is not None
    assert found.state.step == 99  # a half-written one is nothing
    checkpoint.save(tmp_path, moment(100, 2))
    assert names(tmp_path) == ["step-00000100-0002"]


def test_the_last_step_is_the_latest(tmp_path: Path) -> None:
    """An epoch may end at a step at which there is a checkpoint already."""
    for step, epoch in ((9, 0), (10, 0), (10, 1)):
        checkpoint.save(tmp_path, moment(step, epoch))
        found = checkpoint.latest(tmp_path)
        assert found is not None
        assert (found.state.step, found.state.epoch) == (step, epoch)
    checkpoint.save(tmp_path, moment(10, 1))  # once more over itself
    assert names(tmp_path) == ["step-00000010-0001"]


def test_an_older_one_that_could_not_be_removed_is_not_taken(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, moment(100))
    (tmp_path / "checkpoints" / "step-00000099-0000").mkdir()
    found = checkpoint.latest(tmp_path)
    assert found is not None
    assert found.state.step == 100


@pytest.mark.usefixtures("unmasked")
def test_files_are_for_anyone_to_read(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, moment(1, average=MODEL))
    checkpoint.save_best(tmp_path, MODEL)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 5
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o644}


def test_the_best_are_replaced_as_a_whole(tmp_path: Path) -> None:
    checkpoint.save_best(tmp_path, {"weight": torch.ones(1)})
    checkpoint.save_best(tmp_path, MODEL)
    assert torch.equal(checkpoint.weights(tmp_path / BEST)["weight"], MODEL["weight"])
    assert [path.name for path in tmp_path.iterdir()] == [BEST]


def test_weights_that_share_their_numbers_are_saved_each(tmp_path: Path) -> None:
    shared = torch.arange(4.0)
    checkpoint.save_best(tmp_path, {"one": shared, "two": shared, "part": shared.reshape(2, 2).T})
    found = checkpoint.weights(tmp_path / BEST)
    assert torch.equal(found["one"], found["two"])
    assert torch.equal(found["part"], torch.tensor([[0.0, 2.0], [1.0, 3.0]]))


@pytest.mark.parametrize("missing", ["model.safetensors", "optimiser.safetensors", "state.json"])
def test_a_part_that_is_missing_is_told(tmp_path: Path, missing: str) -> None:
    checkpoint.save(tmp_path, moment(1))
    (tmp_path / "checkpoints" / "step-00000001-0000" / missing).unlink()
    with pytest.raises(InputError, match=rf"{missing}: .*Give the folder that `commonsight train` wrote"):
        checkpoint.latest(tmp_path)


def test_a_torn_file_is_told(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, moment(1))
    path = tmp_path / "checkpoints" / "step-00000001-0000" / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputError, match=r"model\.safetensors: this is not a safetensors file"):
        checkpoint.latest(tmp_path)


def test_weights_of_another_network_are_told_by_name(tmp_path: Path) -> None:
    network = nn.Linear(3, 2)
    checkpoint.restore(network, MODEL, tmp_path)
    assert torch.equal(network.weight, MODEL["weight"])
    foreign = {"weight": torch.ones(3, 2), "other": torch.ones(1)}
    with pytest.raises(InputError) as told:
        checkpoint.restore(network, foreign, tmp_path / "x")
    assert str(told.value).startswith(
        f"{tmp_path / 'x'}: these weights are of another network (bias is missing; other is of no use here; "
        "weight is (3, 2) and should be (2, 3)). Give the folder"
    )
    with pytest.raises(InputError, match="and 1 more"):
        checkpoint.restore(network, {str(number): torch.ones(1) for number in range(2)}, tmp_path)
    assert torch.equal(network.weight, MODEL["weight"])  # nothing was put in


def test_an_average_of_another_network_is_told(tmp_path: Path) -> None:
    average = MovingAverage(nn.Linear(3, 2), 0.9)
    with pytest.raises(InputError, match="weight is missing; bias is missing"):
        average.restore({}, tmp_path)


def test_an_average_takes_whole_numbers_as_they_are() -> None:
    network = nn.Linear(1, 1)
    network.register_buffer("count", torch.tensor(1))
    average = MovingAverage(network, 0.5)
    network.get_buffer("count").fill_(7)
    with torch.no_grad():
        before = network.weight.item()
        network.weight.fill_(3.0)
    average.update(network)
    assert average.tensors["count"].item() == 7
    assert average.tensors["weight"].item() == pytest.approx((before + 3) / 2)
    with average.instead(network):
        assert network.weight.item() == pytest.approx((before + 3) / 2)
    assert network.weight.item() == 3.0


@pytest.mark.parametrize("what", ["folder", "nothing", "text"])
def test_what_holds_no_weights_is_told(tmp_path: Path, what: str) -> None:
    path = tmp_path / "x.safetensors"
    if what == "folder":
        path.mkdir()
    elif what == "text":
        path.write_text("these are weights")
    with pytest.raises(InputError, match=r"x\.safetensors: th.*Give the folder that"):
        checkpoint.weights(path)


@given(st.binary(max_size=200))
def test_any_bytes_for_weights_are_an_error_and_no_crash(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.safetensors"
    path.write_bytes(content)
    with pytest.raises(InputError):
        checkpoint.weights(path)


@given(st.data())
def test_a_safetensors_file_with_changed_bytes_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "changed.safetensors"
    save_file(MODEL, path)
    content = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=4)):
        content[place] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    with suppress(InputError):  # and nothing else
        checkpoint.restore(nn.Linear(3, 2), checkpoint.weights(path), path)

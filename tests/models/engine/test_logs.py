"""Event files that TensorBoard reads, written step by step and gone on with."""

from __future__ import annotations

import signal
import struct
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from tensorboardX.proto.event_pb2 import Event
from toy_training import Asked, Told, toy_training

from commonsight.errors import MissingExtra
from commonsight.models.engine.logs import EventLog
from commonsight.models.engine.state import EpochLine, State

SESSION_BEGINS = 1
"""TensorBoard's word for a process that goes on: what was logged from this step on is to be forgotten."""


def events(folder: Path) -> list[list[Event]]:
    """Of each file: length, checksum, event, checksum, again and again."""
    found = []
    for path in sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime_ns):
        content, place, own = path.read_bytes(), 0, []
        while place < len(content):
            (length,) = struct.unpack_from("<Q", content, place)
            own.append(Event.FromString(content[place + 12 : place + 12 + length]))
            place += length + 16
        found.append(own)
    return found


def scalars(several: list[Event]) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for event in several:
        for value in event.summary.value:
            found[value.tag][event.step] = value.simple_value
    return found


def test_every_step_and_every_epoch_is_there(tmp_path: Path) -> None:
    told = Told()
    log = EventLog(tmp_path / "logs", told)
    state = toy_training(tmp_path, Asked(), log).run()
    log.close()
    (file,) = events(tmp_path / "logs")
    found = scalars(file)
    assert list(found["train/loss"]) == told.steps == list(range(1, 16))
    assert list(found["train/loss"].values()) == pytest.approx(told.losses)
    for name, field in (("accuracy", "accuracy"), ("loss", "loss"), ("extra", "extra"), ("rate", "rate")):
        wanted = {line.epoch: getattr(line, field) for line in state.history}
        assert found[f"epoch/{name}"] == pytest.approx(wanted)


def test_a_log_that_is_gone_on_with_at_once_keeps_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are named by the second."""
    monkeypatch.setattr("time.time", lambda: 1_700_000_000.0)
    for step in (1, 2, 3):
        log = EventLog(tmp_path / "logs")
        log.step(State(step=step), 3)
        log.close()
    assert [list(scalars(one)["train/loss"]) for one in events(tmp_path / "logs")] == [[1], [2], [3]]


def test_steps_that_are_made_again_replace_the_first_ones(tmp_path: Path) -> None:
    for stop_at in (7, None):
        told = Told(lambda step, at=stop_at: signal.raise_signal(signal.SIGINT) if step == at else None)  # type: ignore[misc]
        log = EventLog(tmp_path / "logs", told)
        training = toy_training(tmp_path, Asked(), log)
        if stop_at is None:
            training.run()
        else:
            with pytest.raises(KeyboardInterrupt):
                training.run()
        log.close()
    first, second = events(tmp_path / "logs")
    assert list(scalars(first)["train/loss"]) == list(range(1, 9))
    assert list(scalars(second)["train/loss"]) == list(range(9, 16))
    assert [event.step for event in second if event.session_log.status == SESSION_BEGINS] == [9]


def test_nothing_is_written_before_there_is_something(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "logs")
    log.close()
    assert not (tmp_path / "logs").exists()
    log.epoch(EpochLine(1, 0.5, 0.0, 0.5, 0.1), State(step=3))  # to nobody else
    log.close()
    assert len(events(tmp_path / "logs")) == 1


def test_without_the_library_it_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    with pytest.raises(MissingExtra, match=r"tensorboardX is not installed\. .*commonsight\[models\]"):
        EventLog(tmp_path)

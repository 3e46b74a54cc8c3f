"""A world that is stopped, by a crash or by Ctrl-C, goes on where it stopped and ends the same."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonsight.errors import CommonsightError, UsageError
from commonsight.world import make
from commonsight.world.make import Plan, Unit, make_world, units

SMALL = Plan(14, 7, ("vcr",), clips=1)
INTERRUPTED = 130


def _quiet(done: Iterator[Unit], _: int) -> Iterator[Unit]:
    return done


def _files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("made") / "small"
    make_world(folder, SMALL, progress=_quiet)
    return _files(folder)


def _command(folder: Path, plan: Plan, workers: int) -> list[str]:
    (kind,) = plan.kinds
    return [
        str(Path(sys.executable).with_name("commonsight")), "world", "make", "--out", str(folder),
        "--kind", kind, "--scenes", str(plan.scenes), "--seed", str(plan.seed), "--workers", str(workers),
    ]  # fmt: skip


def _stopped(folder: Path, plan: Plan, workers: int, how: signal.Signals) -> subprocess.Popen[str]:
    """The command, stopped when two units or more are done and others are not."""
    spool = folder.with_name(f".{folder.name}.part") / "spool"
    running = subprocess.Popen(
        _command(folder, plan, workers), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 60
    while len(list(spool.glob("movie-*.json"))) < 2:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < until
        time.sleep(0.01)
    if how == signal.SIGINT:
        os.killpg(running.pid, how)  # as a terminal does
    else:
        running.send_signal(how)
    running.wait(30)
    return running


LONG = Plan(120, 9, ("vcr",))
"""More units than two workers have begun, and have been handed, when two are done."""


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("made") / "long"
    make_world(folder, LONG, workers=2, progress=_quiet)
    return _files(folder)


@pytest.mark.parametrize(("workers", "how"), [(1, signal.SIGKILL), (2, signal.SIGKILL), (2, signal.SIGINT)])
def test_a_stopped_world_goes_on_where_it_stopped(
    tmp_path: Path, uninterrupted: dict[str, str], workers: int, how: signal.Signals
) -> None:
    folder = tmp_path / "world"
    stopped = _stopped(folder, LONG, workers, how)
    assert stopped.returncode == (INTERRUPTED if how == signal.SIGINT else -signal.SIGKILL)
    assert stopped.stderr is not None
    assert "Traceback" not in stopped.stderr.read()  # to its end: no worker outlives the one who started it
    assert not folder.exists()
    beside = folder.with_name(".world.part")
    kept = {path: path.stat().st_mtime_ns for path in (beside / "spool").glob("movie-*.json")}
    assert 2 <= len(kept) < len(units(LONG))
    images = {path: path.stat().st_mtime_ns for path in (beside / "world").rglob("*.jpg")}
    made: list[Unit] = []

    def watched(done: Iterator[Unit], _: int) -> Iterator[Unit]:
        for unit in done:
            made.append(unit)
            yield unit
        assert all(path.stat().st_mtime_ns == then for path, then in kept.items())

    make_world(folder, LONG, workers=workers, progress=watched)
    assert len(made) == len(units(LONG)) - len(kept)
    finished = {path.stem.removeprefix("movie-") for path in kept}
    untouched = [path for path in images if _movie_number(path, LONG) in finished]
    assert untouched
    for path in untouched:
        now = folder / path.relative_to(beside / "world")
        assert now.stat().st_mtime_ns == images[path]
    assert _files(folder) == uninterrupted
    assert not beside.exists()


def _movie_number(image: Path, plan: Plan) -> str:
    return f"{int(image.parent.name.split('_')[0]) - plan.seed * 1_000_003:06d}"


@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="workers do not see the patch")
def test_a_worker_that_is_ended_is_told_and_the_world_can_go_on(
    tmp_path: Path, whole: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(make, "_movie", lambda *_: os._exit(9))
        with pytest.raises(CommonsightError, match="Give the same command again"):
            make_world(tmp_path / "world", SMALL, workers=2, progress=_quiet)
    make_world(tmp_path / "world", SMALL, progress=_quiet)
    assert _files(tmp_path / "world") == whole


def test_what_was_half_written_does_not_reach_the_world(tmp_path: Path, whole: dict[str, str]) -> None:
    beside = tmp_path / ".world.part"
    images = beside / "world" / "raw" / "images"
    images.mkdir(parents=True)
    (images / ".000000000001.jpg.123.part").write_bytes(b"half")
    (beside / "world" / ".vcr.123.part").mkdir()
    make_world(tmp_path / "world", SMALL, progress=_quiet)
    assert _files(tmp_path / "world") == whole


@pytest.mark.parametrize("after", ["write_dataset", "_write_raw", "rmtree"])
def test_a_world_stopped_while_it_is_finished_is_finished_again(
    tmp_path: Path, whole: dict[str, str], monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    remove = shutil.rmtree

    def stop(path: object, *_: object, **__: object) -> None:
        if after != "rmtree" or str(path).endswith("spool"):
            raise KeyboardInterrupt
        remove(Path(str(path)), ignore_errors=True)

    (tmp_path / ".world.part" / "world").mkdir(parents=True)
    with monkeypatch.context() as patched:
        patched.setattr(shutil if after == "rmtree" else make, after, stop)
        with pytest.raises(KeyboardInterrupt):
            make_world(tmp_path / "world", SMALL, progress=_quiet)
    if after == "rmtree":  # the world has its name already, what it grew from is not tidied up
        assert _files(tmp_path / "world") == whole
        remove(tmp_path / "world")
    make_world(tmp_path / "world", SMALL, progress=_quiet)
    assert _files(tmp_path / "world") == whole
    assert [path.name for path in tmp_path.iterdir()] == ["world"]


def test_another_plan_in_the_same_place_is_refused(tmp_path: Path) -> None:
    def stop(done: Iterator[Unit], _: int) -> Iterator[Unit]:
        yield next(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_world(tmp_path / "world", SMALL, progress=stop)
    with pytest.raises(UsageError, match=r"\.world\.part holds another world, begun and not finished"):
        make_world(tmp_path / "world", Plan(26, 8, ("vcr",)), progress=_quiet)

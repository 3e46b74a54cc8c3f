"""Work on a real Ray cluster: two nodes on loopback, processes and a node killed half-way, nothing lost.

What the jobs do is defined inside functions here, so that it travels to the cluster as code: its processes
cannot import this file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonsight.build.matching.fakes import WordRelevance, WordSimilarity
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.run import MatchRun, run_matching
from commonsight.build.matching.values import Annotation
from commonsight.build.matching.work import Unit
from commonsight.core.text import TaggedText
from commonsight.errors import CommonsightError, InputError, MissingExtra, UsageError
from commonsight.store.cluster import connected
from commonsight.store.workers import pool, worked

ONLY_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
"""The first is what makes Ray stay on 127.0.0.1 instead of looking for the machine's own address."""

NODES = """
    import json, sys
    from ray.cluster_utils import Cluster
    each = dict(
        num_cpus=1, node_ip_address="127.0.0.1", object_store_memory=80 * 2**20, include_log_monitor=False
    )
    cluster = Cluster(initialize_head=True, head_node_args=dict(each, include_dashboard=False))
    second = cluster.add_node(**each)
    told = {"address": cluster.address, "raylet": second.all_processes["raylet"][0].process.pid}
    print(json.dumps(told), flush=True)
    sys.stdin.read()  # until the tests are done, or dead
    cluster.shutdown()
"""


class Nodes(NamedTuple):
    address: str
    raylet: int
    """The process that is the second node."""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    pytest.importorskip("ray")
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # paths of sockets must be short
    (folder / "ray").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(NODES)],
        env={**os.environ, **ONLY_LOOPBACK, "RAY_TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        told = json.loads(process.stdout.readline())
        yield Nodes(told["address"], told["raylet"])
    finally:
        process.stdin.close()
        try:
            process.wait(60)
        finally:
            _end_group(process.pid)
            process.stdout.close()
            shutil.rmtree(folder, ignore_errors=True)


def _end_group(leader: int) -> None:
    """Whatever of the cluster is still there; all of it is in the session of the process that we started."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ONLY_LOOPBACK.items():
        monkeypatch.setenv(name, value)
    if "ray" in sys.modules:  # imported before, when the variable was not set
        monkeypatch.setattr("ray._private.ray_constants.ENABLE_RAY_CLUSTER", False)


# --- the same contract as processes of this machine --------------------------------------------------------


def _adding(base: int) -> Callable[[int], int]:
    def added(number: int) -> int:
        return base + number

    return added


def _counting(folder: Path) -> Callable[[int], Iterator[tuple[int, int, int]]]:
    """Work that notes what it begins, and gives three results for a job."""

    def counted(number: int) -> Iterator[tuple[int, int, int]]:
        for turn in range(3):
            with (folder / f"{number}-{turn}").open("a") as stream:
                stream.write("x")
            yield number, turn, os.getpid()

    return counted


def _dying(folder: Path) -> Callable[[int], Iterator[tuple[int, int]]]:
    """Work whose process kills itself the first time it is half-way through an even job."""

    def died(number: int) -> Iterator[tuple[int, int]]:
        for turn in range(4):
            yield number, turn
            dead = folder / f"dead-{number}"
            if turn == 1 and number % 2 == 0 and not dead.exists():
                dead.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    return died


def _failing(error: Callable[[], Exception]) -> Callable[[int], Iterator[int]]:
    def failed(number: int) -> Iterator[int]:
        if number == 2:
            raise error()
        yield number

    return failed


def test_results_come_in_order(nodes: Nodes) -> None:
    work = _adding(10)
    assert list(worked(work, range(7), None, cluster=nodes.address)) == list(worked(work, range(7), 1))


def test_all_nodes_work_and_killed_processes_are_replaced(nodes: Nodes, tmp_path: Path) -> None:
    with pool(cluster=nodes.address) as hands:
        assert hands.size == 2
        given = list(hands.streamed(_counting(tmp_path), range(5)))
        assert [result.value[1] for result in given if result.job == 3] == [0, 1, 2]
        assert len({result.value[2] for result in given}) == 2  # one process on each node
        assert {path.read_text() for path in tmp_path.iterdir()} == {"x"}  # nothing was done twice

        given = [*hands.streamed(_dying(tmp_path), range(4))]
        assert sorted(result.value for result in given) == [(n, turn) for n in range(4) for turn in range(4)]
        assert len([*tmp_path.glob("dead-*")]) == 2


def test_an_error_in_a_job_is_that_error(nodes: Nodes) -> None:
    with pool(1, nodes.address) as hands:
        with pytest.raises(InputError, match="two is bad"):
            list(hands.streamed(_failing(lambda: InputError("two is bad")), range(4)))
        with pytest.raises(CommonsightError, match=r"pip install 'commonsight\[things\]'"):
            list(hands.streamed(_failing(lambda: MissingExtra("A thing", "things")), range(4)))
        with pytest.raises(KeyError, match="two"):
            list(hands.streamed(_failing(lambda: KeyError("two")), range(4)))


# --- matching ----------------------------------------------------------------------------------------------


def _annotation(number: int) -> Annotation:
    deed = ("holds", "wants", "sees", "paints", "drops", "likes", "hides")[number % 7]
    return Annotation(
        f"a{number}",
        f"g{number % 6}",
        ("person", "cup"),
        TaggedText(("Why" if number % 2 else "What", "is", (0,), deed, "?")),
        TaggedText((("She", "He", (0,))[number % 3], deed, (1,), str(number), ".")),
    )


ANNOTATIONS = [_annotation(number) for number in range(150)]
RECIPE = Recipe(seed=5, folds=4, bucket=12)


def _slow() -> WordSimilarity:
    import time

    class Slow(WordSimilarity):
        def weigh(self, bucket: Any) -> Any:
            time.sleep(0.2)
            return super().weigh(bucket)

    return Slow()


def _hashes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _command(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("commonsight")), "build", *map(str, arguments)],
        env={**os.environ, **ONLY_LOOPBACK},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _raw(folder: Path, count: int) -> Path:
    path = folder / "raw.jsonl"
    lines = (
        {
            "context": f"Why does number {n} {('sing', 'swim', 'sleep')[n % 3]} in room {n % 11}?",
            "response": f"Because {n * n} likes the {('rain', 'sun', 'moon', 'sea')[n % 4]} at {n}.",
            "group": f"g{n % 8}",
        }
        for n in range(count)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_the_command_gives_the_same_bytes_and_no_noise(nodes: Nodes, tmp_path: Path) -> None:
    common = ("--mode", "generic", "--folds", 3, "--bucket", 40)
    raw = _raw(tmp_path, 120)
    there = _command("match", raw, *common, "--out", tmp_path / "there" / "made", "--cluster", nodes.address)
    here = _command("match", raw, *common, "--out", tmp_path / "here" / "made", "--workers", 1)
    told_there, told_here = (process.communicate(timeout=120) for process in (there, here))
    assert (there.returncode, here.returncode) == (0, 0), told_there[1]
    assert _hashes(tmp_path / "there") == _hashes(tmp_path / "here")
    assert [each.replace("there", "here") for each in told_there] == list(told_here)


def _scenes(folder: Path, count: int) -> Path:
    """Tables on which a cup, a fork and an apple lie about, in VRD's layout."""
    path = folder / "scenes.jsonl"
    names = ("cup", "fork", "apple", "plate", "table", "dog", "chair", "lamp")
    lines = (
        {
            "image": f"{number}.jpg",
            "objects": [
                {"name": names[(number + place) % 8], "box": [place, 0, place + 9, 9]} for place in range(5)
            ],
            "relations": [[0, "next to", 1], [1, "on", 2], [3, "behind", 4], [4, "next to", number % 4]],
        }
        for number in range(count)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_questions_are_the_same_wherever_they_are_made(nodes: Nodes, tmp_path: Path) -> None:
    common = ("questions", "--scenes", _scenes(tmp_path, 220), "--per-scene", 12)
    there = _command(*common, "--out", tmp_path / "there" / "made", "--cluster", nodes.address)
    here = _command(*common, "--out", tmp_path / "here" / "made", "--workers", 1)
    told_there, told_here = (process.communicate(timeout=240) for process in (there, here))
    assert (there.returncode, here.returncode) == (0, 0), told_there[1]
    assert _hashes(tmp_path / "there") == _hashes(tmp_path / "here")
    assert [each.replace("there", "here") for each in told_there] == list(told_here)


def test_a_node_is_killed_half_way_and_nothing_is_lost(
    nodes: Nodes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The last test: it takes the second node away."""
    wanted = _matched(tmp_path / "here")
    seen: list[Unit] = []

    def killing(units: Iterator[Unit], total: int) -> Iterator[Unit]:
        assert total == wanted.buckets > 12
        for unit in units:
            seen.append(unit)
            assert (tmp_path / "there" / unit.file).is_file()
            if len(seen) == 4:
                os.kill(nodes.raylet, signal.SIGKILL)
            yield unit

    assert _matched(tmp_path / "there", cluster=nodes.address, progress=killing) == wanted
    assert len(seen) == len(set(seen)) == wanted.buckets
    assert _hashes(tmp_path / "there") == _hashes(tmp_path / "here")
    assert capfd.readouterr() == ("", "")


def _matched(spool: Path, **options: Any) -> MatchRun:
    slow = _slow() if options else WordSimilarity()
    return run_matching(
        ANNOTATIONS, RECIPE, WordRelevance(), slow, spool, workers=None if options else 1, **options
    )


# --- what is no cluster ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["here", "ray://127.0.0.1:10001", "127.0.0.1:0", "127.0.0.1:70000", ":6379", ""]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    pytest.importorskip("ray")
    with (
        pytest.raises(UsageError, match=r"this is no address of a Ray cluster\. Give HOST:PORT"),
        connected(address),
    ):
        pass


def test_where_nobody_is_that_is_said(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{line.getsockname()[1]}"
        process = _command(
            "match", _raw(tmp_path, 60), "--mode", "generic", "--out", tmp_path / "m", "--cluster", address
        )
        told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"--cluster {address}: nobody answers there (connection refused)" in " ".join(told[1].split())
    assert "Traceback" not in told[1]
    assert [path.name for path in tmp_path.iterdir()] == ["raw.jsonl"]


def test_who_is_not_ray_is_refused() -> None:
    pytest.importorskip("ray")
    from threading import Thread

    def answer(listening: socket.socket) -> None:
        with listening.accept()[0] as line:
            line.recv(100)
            line.sendall(b"HTTP/1.1 505 No\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=answer, args=(listening,))
        thread.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(UsageError, match="what answers there is not Ray"), connected(address):
            pass
        thread.join()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(MissingExtra, match=r"pip install 'commonsight\[cluster\]'"),
        connected("127.0.0.1:6379"),
    ):
        pass

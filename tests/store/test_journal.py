"""The log of work on many things, and the work on each of many pictures."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from PIL import Image

from commonsight.errors import UsageError
from commonsight.store.journal import Journal, Refused, read_journal
from commonsight.store.lines import whole_lines
from commonsight.store.pictures import open_picture
from commonsight.store.piecework import each_picture
from commonsight.store.walk import Found, pictures_in


class Line(Struct, frozen=True):
    name: str
    value: int = 0


def kept(path: Path) -> list[str]:
    return [line.name for line in read_journal(path, Line)]


def test_what_is_done_is_known_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "log.jsonl"
    for name in ("a", "b"):
        with Journal[Line](path, {"size": 1}) as journal:
            assert not journal.has(name)
            journal.append(Line(name))
    with Journal[Line](path, {"size": 1}) as journal:
        assert (len(journal), journal.has("a"), journal.has("b"), journal.has("c")) == (2, True, True, False)
    assert kept(path) == ["a", "b"]


def test_other_options_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Journal[Line](path, {"size": 1}) as journal:
        journal.append(Line("a"))
    with pytest.raises(UsageError, match=r"begun with other options, which log\.begun\.json tells"):
        Journal[Line](path, {"size": 2})
    with Journal[Line](path, {"size": 1}) as journal:
        assert journal.has("a")


def test_lines_go_to_the_disk_some_at_a_time_or_after_a_while(tmp_path: Path) -> None:
    path, now = tmp_path / "log.jsonl", [0.0]
    with Journal[Line](path, None, batch=3, clock=lambda: now[0]) as journal:
        journal.append(Line("a"))
        journal.append(Line("b"))
        assert kept(path) == []
        journal.append(Line("c"))
        assert kept(path) == ["a", "b", "c"]
        now[0] = 10.0
        journal.append(Line("d"))
        assert kept(path) == ["a", "b", "c", "d"]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with Journal[Line](tmp_path / "log.jsonl", None), pytest.raises(UsageError, match="in use by another"):
        Journal[Line](tmp_path / "log.jsonl", None)


def test_refusals_are_those_of_the_last_time(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for name in ("a", "b"):
        with Journal[Line](path, None) as journal:
            journal.refuse(Refused(name, "this is broken", "Restore it."))
            assert journal.refusals == 1
    refused = path.with_suffix(".refused.jsonl")
    assert [str(one) for one in whole_lines(refused, Refused)] == ["b: this is broken. Restore it."]
    with Journal[Line](path, None):
        pass
    assert not refused.exists()


@given(st.integers(0, 200))
def test_wherever_it_was_torn_whole_lines_are_kept(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("torn") / "log.jsonl"
    with Journal[Line](path, None) as journal:
        for number in range(6):
            journal.append(Line(f"é{number}", number))
    content = path.read_bytes()
    path.write_bytes(content[:cut])
    whole = content[:cut].count(b"\n")
    with Journal[Line](path, None) as journal:
        assert [journal.has(f"é{number}") for number in range(6)] == [number < whole for number in range(6)]
        journal.append(Line("next"))
    assert kept(path) == [*(f"é{number}" for number in range(whole)), "next"]


# --- each picture ------------------------------------------------------------------------------------------


def looked(one: Found) -> Line:
    return Line(one.name, open_picture(one.path).width)


def draw(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        Image.new("RGB", (number + 1, 2), "red").save(folder / f"{number:03d}.png")


@pytest.mark.parametrize("workers", [1, 3])
def test_each_picture_gives_a_line_in_order_and_broken_ones_are_listed(tmp_path: Path, workers: int) -> None:
    draw(tmp_path / "in", 50)
    whole = (tmp_path / "in/007.png").read_bytes()
    (tmp_path / "in/007.png").write_bytes(whole[:40])
    log = tmp_path / "log.jsonl"
    with Journal[Line](log, None) as journal:
        made = list(each_picture(pictures_in([tmp_path / "in"]), looked, journal, workers, at_once=4))
    assert [line.value for line in read_journal(log, Line)] == [n + 1 for n in range(50) if n != 7]
    assert [one.name for one in made if isinstance(one, Refused)] == ["007.png"]
    (tmp_path / "in/007.png").write_bytes(whole)
    with Journal[Line](log, None) as journal:  # mended: only this one is done
        again = list(each_picture(pictures_in([tmp_path / "in"]), looked, journal, workers))
    assert again == [Line("007.png", 8)]
    assert not log.with_suffix(".refused.jsonl").exists()


def test_pictures_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield Found(tmp_path, str(taken))

    with Journal[Line](tmp_path / "log.jsonl", None) as journal:
        made = each_picture(endless(), lambda one: Line(one.name), journal, 1, at_once=2)  # type: ignore[arg-type]
        assert [next(made) for _ in range(5)] == [Line(str(number)) for number in range(1, 6)]
    assert taken < 20


SLOW = """
    import sys, time
    from pathlib import Path
    from commonsight.store.journal import Journal
    from commonsight.store.piecework import each_picture
    from commonsight.store.walk import pictures_in
    from test_journal import Line

    def look(one):
        time.sleep(0.02)
        return Line(one.name)

    folder = Path(sys.argv[1])
    with Journal(folder / "log.jsonl", None, batch=2) as journal:
        for _ in each_picture(pictures_in([folder / "in"]), look, journal, 2, at_once=1):
            pass
"""


def test_killed_it_goes_on_where_it_was(tmp_path: Path) -> None:
    draw(tmp_path / "in", 60)
    log = tmp_path / "log.jsonl"
    environment = {**os.environ, "PYTHONPATH": f"{Path(__file__).parent}:{os.environ.get('PYTHONPATH', '')}"}
    command = [sys.executable, "-c", textwrap.dedent(SLOW), str(tmp_path)]
    process = subprocess.Popen(command, env=environment)
    deadline = time.monotonic() + 30
    while (not log.is_file() or log.stat().st_size < 100) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = kept(log)
    assert 0 < len(before) < 60
    subprocess.run(command, env=environment, check=True, timeout=60)
    assert kept(log)[: len(before)] == before
    assert sorted(kept(log)) == [f"{number:03d}.png" for number in range(60)]

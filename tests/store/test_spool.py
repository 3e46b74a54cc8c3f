"""A spool keeps finished parts of one run, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonsight.errors import UsageError
from commonsight.store.spool import Spool


def test_parts_are_kept_and_found_again(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", "matching", b'{"seed":1}')
    assert not spool.has("a")
    spool.keep("a", b"done")
    again = Spool(tmp_path / "spool", "matching", b'{"seed":1}')
    assert again.has("a")
    assert again.read("a") == b"done"


def test_another_run_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    Spool(tmp_path, "matching", b"1").keep("a", b"done")
    with pytest.raises(UsageError, match="holds another matching, begun and not finished"):
        Spool(tmp_path, "matching", b"2")
    assert (tmp_path / "a").read_bytes() == b"done"


def test_what_was_half_written_is_cleared_away(tmp_path: Path) -> None:
    Spool(tmp_path, "matching", b"1")
    (tmp_path / ".b.part").write_bytes(b"ha")
    spool = Spool(tmp_path, "matching", b"1")
    assert not spool.has("b")
    assert [path.name for path in spool.folder.iterdir()] == ["begun.json"]

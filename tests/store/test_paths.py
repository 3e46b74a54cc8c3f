"""Names out of files stay below their folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.errors import InputError
from commonsight.store.paths import below, cache_folder, is_split_name

FOLDER = Path("pictures")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/../../x",
        "a/..",
        "/x",
        "//x",
        "///x",
        "/\\x",
        "\\x",
        "..\\x",
        "a\\..\\..\\x",
        "~/x",
        "a\0b",
    ],
)
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"is not a path below pictures\. Write names relative to"):
        below(FOLDER, name)


@pytest.mark.parametrize("name", ["x.png", "a/b/c@0.png", "...", "a..b", ".hidden", "a b", "é.png", "a~b"])
def test_a_name_that_stays_is_taken_as_it_is(name: str) -> None:
    assert below(FOLDER, name) == FOLDER / name


@given(st.text(alphabet="a./\\~\0é", max_size=12))
def test_what_is_taken_never_leaves_the_folder(name: str) -> None:
    root = Path("/somewhere/deep").resolve()
    try:
        path = below(root, name)
    except InputError:
        return
    assert path.resolve().is_relative_to(root)
    assert path.resolve() != root


@pytest.mark.parametrize("name", ["val", "test1", "a_b-c.d", "0", "x" * 100])
def test_a_split_may_be_called(name: str) -> None:
    assert is_split_name(name)


@pytest.mark.parametrize("name", ["", "../x", ".", "..", "-a", "_a", "a/b", "a b", "é", "val\n", "x" * 101])
def test_a_split_may_not_be_called(name: str) -> None:
    assert not is_split_name(name)


def test_the_cache_is_where_a_person_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("COMMONSIGHT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "commonsight"
    monkeypatch.setenv("XDG_CACHE_HOME", "/caches")
    assert cache_folder() == Path("/caches/commonsight")
    monkeypatch.setenv("COMMONSIGHT_CACHE", "/here")
    assert cache_folder() == Path("/here")

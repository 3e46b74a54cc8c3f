"""An index of a dataset, kept in the cache: cards, words to search, and labels to filter by.

It is made from the Parquet files, once for each content of the dataset, and can be thrown away at any time.
Words are searched by SQLite's full-text index; labels are columns of numbers, so that a filter over a hundred
thousand items is a few operations on arrays.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonsight.runs.exploring.cards import Card, Found, found_of, hidden_row
from commonsight.score.gold import SliceOf
from commonsight.store.atomic import new_file
from commonsight.store.dataset import read_group, read_info, row_groups
from commonsight.store.paths import cache_folder
from commonsight.store.workers import worked

FORMAT = 2
MOST_LABELS = 3000
"""A filter with more labels than this names items rather than sorting them, and is left out."""

TABLES = """
CREATE TABLE cards (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, place INTEGER NOT NULL, card BLOB);
CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize="unicode61 remove_diacritics 2");
CREATE TABLE filters (name TEXT PRIMARY KEY, labels TEXT NOT NULL, rows BLOB NOT NULL, codes BLOB NOT NULL);
"""

Rows = NDArray[np.int64]
SlicesOf = Callable[[Path], Mapping[str, SliceOf]]
"""What a dataset's benchmark sorts its items by."""
Batches = Iterator[list[Found]]
Progress = Callable[[Batches, int], Batches]
_card = msgspec.json.Decoder(Card)


def plainly(batches: Batches, _: int) -> Batches:
    """Shows nothing."""
    return batches


class Filter(NamedTuple):
    """One way to sort items: pairs of a row and the number of its label, in the order of rows."""

    name: str
    labels: tuple[str, ...]
    rows: Rows
    codes: Rows

    def members(self, labels: Iterable[str]) -> Rows:
        """The rows under any of these labels."""
        wanted = np.isin(np.array(self.labels), list(labels))
        return self.rows[wanted[self.codes]]

    def counts(self, kept: NDArray[np.bool_]) -> dict[str, int]:
        """Of the rows that are kept, how many are under each label."""
        found = np.bincount(self.codes[kept[self.rows]], minlength=len(self.labels))
        return dict(zip(self.labels, found.tolist(), strict=True))


class Place(NamedTuple):
    """Where an item's row lies in the Parquet files."""

    split: str
    row: int


def index_path(folder: Path, hidden: bool = False) -> Path:
    """Where the index of a dataset is kept."""
    return kept_path(folder, hidden).with_suffix(".sqlite")


def kept_path(folder: Path, *told: object) -> Path:
    """Where something made of a dataset is kept, without its suffix: named by the content of its files."""
    info = read_info(folder)
    assert info is not None  # `read_info` raises here
    files = sorted((name, entry.sha256) for name, entry in info.splits.items())
    digest = hashlib.sha256(msgspec.json.encode([FORMAT, *told, info.benchmark, *files])).hexdigest()[:32]
    return cache_folder() / "explore" / digest


def make_index(
    folder: Path,
    slices_of: SlicesOf,
    progress: Progress = plainly,
    workers: int | None = None,
    hidden: bool = False,
) -> Path:
    """The index of a dataset, made unless it is there; every core reads some of the row groups.

    A hidden one knows nothing of what is right, so that no search and no filter can tell it.
    """
    path = index_path(folder, hidden)
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        jobs = row_groups(folder)
        several = workers if len(jobs) > 1 else 1
        with new_file(path) as beside:
            _write(beside, progress(worked(_Reading(folder, slices_of, hidden), jobs, several), len(jobs)))
    return path


@dataclass(frozen=True)
class _Reading:
    """Reads a row group, in a process of its own; the benchmark's rules are looked up there."""

    folder: Path
    slices_of: SlicesOf
    hidden: bool

    def __call__(self, job: tuple[str, int]) -> list[Found]:
        slices = self.slices_of(self.folder)
        rows = read_group(self.folder, *job)
        return [found_of(hidden_row(row) if self.hidden else row, slices) for row in rows]


def _write(path: Path, batches: Iterable[list[Found]]) -> None:
    labels: dict[str, _Labels] = {}
    places: dict[str, int] = {}
    begin = 0
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {TABLES} BEGIN;")
        for batch in batches:
            cards = []
            for row, one in enumerate(batch, begin):
                split = one.card.split
                place = places[split] = places.get(split, -1) + 1
                cards.append((row, one.card.id, place, msgspec.json.encode(one.card)))
                for name, mine in one.labels.items():
                    labels.setdefault(name, _Labels()).add(row, mine)
            database.executemany("INSERT INTO cards VALUES (?, ?, ?, ?)", cards)
            texts = ((row, one.text) for row, one in enumerate(batch, begin))
            database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)
            begin += len(batch)
        filters = [(name, *several.columns()) for name, several in labels.items() if several.sorts]
        database.executemany("INSERT INTO filters VALUES (?, ?, ?, ?)", filters)
        database.execute("COMMIT")


class _Labels:
    """The labels of one filter while they are gathered."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows: list[int] = []
        self._codes: list[int] = []

    def add(self, row: int, labels: Sequence[str]) -> None:
        for label in labels:
            self._rows.append(row)
            self._codes.append(self._numbers.setdefault(label, len(self._numbers)))

    @property
    def sorts(self) -> bool:
        """Whether it tells items apart, and not each from every other."""
        several = 1 < len(self._numbers) <= MOST_LABELS
        return several and len(self._numbers) < max(3, len(self._rows) // 2)

    def columns(self) -> tuple[str, bytes, bytes]:
        names = msgspec.json.encode(list(self._numbers)).decode()
        return names, np.array(self._rows, np.int64).tobytes(), np.array(self._codes, np.int64).tobytes()


class Index:
    """An index that is open. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with closing(self._connect()) as database:
            self.count = int(database.execute("SELECT count(*) FROM cards").fetchone()[0])
            self.filters = {name: _filter(name, *columns) for name, *columns in database.execute(
                "SELECT name, labels, rows, codes FROM filters ORDER BY name")}  # fmt: skip
            ids = database.execute("SELECT id FROM cards ORDER BY row")
            self.ids: list[str] = [item for (item,) in ids]
        self._rows = {item: row for row, item in enumerate(self.ids)}

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True)

    def row(self, item: str) -> int | None:
        """The row of an item."""
        return self._rows.get(item)

    def rows(self, items: Iterable[str]) -> Rows:
        """The rows of items, -1 for those that are not there."""
        return np.array([self._rows.get(item, -1) for item in items], np.int64)

    def cards(self, rows: Iterable[int]) -> list[Card]:
        """The cards of these rows, in order."""
        wanted = [int(row) for row in rows]
        marks = ",".join("?" * len(wanted))
        with closing(self._connect()) as database:
            found = dict(database.execute(f"SELECT row, card FROM cards WHERE row IN ({marks})", wanted))
        return [_card.decode(found[row]) for row in wanted]

    def place(self, item: str) -> Place | None:
        """Where the item's row lies in the Parquet files."""
        with closing(self._connect()) as database:
            found = database.execute("SELECT card, place FROM cards WHERE id = ?", (item,)).fetchone()
        return None if found is None else Place(_card.decode(found[0]).split, int(found[1]))

    def search(self, text: str) -> Rows:
        """The rows with all these words, or words that begin so; anything else in the text is no operator."""
        words = " ".join(f'"{word}"*' for word in _searched(text))
        if not words:
            return np.arange(self.count)
        with closing(self._connect()) as database:
            found = database.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", (words,))
            return np.array([row for (row,) in found], np.int64)


def _searched(text: str) -> list[str]:
    """Words of a search: letters and digits, so that no sign of the query language is among them."""
    return "".join(letter if letter.isalnum() else " " for letter in text).split()[:32]


def _filter(name: str, labels: str, rows: Any, codes: Any) -> Filter:
    told = tuple(msgspec.json.decode(labels, type=list[str]))
    return Filter(name, told, np.frombuffer(rows, np.int64), np.frombuffer(codes, np.int64))

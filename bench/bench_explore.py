"""Looking through 100,000 items: pages over HTTP, against the same view as SQL over a table of labels."""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import httpx
from msgspec import structs

from _erring_runs import erring_run
from _figures import ROUNDS, Figure, arguments, show
from _timing import in_child, interleaved
from commonsight.runs.exploring.book import Book, open_book
from commonsight.runs.exploring.query import Query
from commonsight.runs.reporting.write import write_report
from commonsight.store.dataset import read_dataset, read_info, write_dataset
from commonsight.world.make import Plan, make_world

ITEMS = 100_000
SCENES = 120
ASKED = 60
"""Pages that are asked for, of each kind."""
VIEWS = (
    Query(labels={"split": ("val",)}),
    Query(labels={"question_type": ("Explanation",), "answer_type": ("choice 1", "choice 2")}),
    Query(words="why person"),
    Query(words="doing", labels={"split": ("train",)}, order="hardest"),
    Query(wrong=("half",), right=("often",), order="disputed"),
)


class Shelf(NamedTuple):
    """What is looked through."""

    data: Path
    runs: tuple[Path, ...]
    cache: Path


def laid_out(folder: Path, items: int) -> Shelf:
    """A dataset of so many items, each of a few hundred under many ids, and two runs on all of them."""
    make_world(folder / "world", Plan(SCENES, 1, ("vcr",)), progress=lambda done, _: done)
    before = list(read_dataset(folder / "world" / "vcr", outlines=False))
    info = read_info(folder / "world" / "vcr")
    assert info is not None
    many = [structs.replace(one, id=f"{one.id}-{n}") for n, one in enumerate(islice(cycle(before), items))]
    write_dataset(folder / "data", many, info, images=folder / "world" / "vcr")
    runs = (erring_run(folder / "often", many, 5), erring_run(folder / "half", many, 2))
    return Shelf(folder / "data", runs, folder / "cache")


def opened(shelf: Shelf) -> Book:
    """The dataset with its runs."""
    os.environ["COMMONSIGHT_CACHE"] = str(shelf.cache)
    return open_book(shelf.data, shelf.runs)


def by_sql(book: Book, path: Path) -> Callable[[Query], int]:
    """The plain way: a table of labels, one query for what is found and one for each filter's counts."""
    database = sqlite3.connect(path)
    names = list(book.index.filters)
    columns = ", ".join(f'"{name}" TEXT' for name in names)
    database.execute(f"CREATE TABLE items (row INTEGER PRIMARY KEY, text TEXT, {columns})")
    labels: dict[str, list[str | None]] = {name: [None] * book.index.count for name in names}
    for name, found in book.index.filters.items():
        for row, code in zip(found.rows.tolist(), found.codes.tolist(), strict=True):
            labels[name][row] = found.labels[code]
    thousands = range(0, book.index.count, 1000)
    cards = (book.index.cards(range(book.index.count)[begin : begin + 1000]) for begin in thousands)
    texts = [card.asked.lower() for several in cards for card in several]
    rows = zip(range(book.index.count), texts, *labels.values(), strict=True)
    database.executemany(f"INSERT INTO items VALUES ({', '.join('?' * (len(names) + 2))})", rows)
    for name in names:
        database.execute(f'CREATE INDEX "of_{name}" ON items ("{name}")')
    database.commit()

    def view(query: Query) -> int:
        clauses, values = ["1"], list[str]()
        for name, several in query.labels.items():
            clauses.append(f'"{name}" IN ({", ".join("?" * len(several))})')
            values += several
        for word in query.words.split():
            clauses.append("text LIKE ?")
            values.append(f"%{word}%")
        where = " AND ".join(clauses)
        found = database.execute(f"SELECT row FROM items WHERE {where} ORDER BY row", values).fetchall()
        for name in names:
            database.execute(
                f'SELECT "{name}", count(*) FROM items WHERE {where} GROUP BY 1', values
            ).fetchall()
        return len(found)

    return view


@contextmanager
def served(book: Book) -> Iterator[httpx.Client]:
    """A real server on loopback, and someone to ask it."""
    import socket
    import threading

    import uvicorn

    from commonsight.web.explore.app import build_app, named

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(build_app(named([book])), log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    with httpx.Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=60) as client:
        yield client
    server.should_exit = True
    thread.join()


def p95(ask: Callable[[int], object], times: int = ASKED) -> float:
    """The 95th of a hundred, in milliseconds."""
    seconds = []
    for number in range(times):
        start = time.perf_counter()
        ask(number)
        seconds.append(time.perf_counter() - start)
    return 1000 * statistics.quantiles(seconds, n=20)[-1]


def pages(shelf: Shelf) -> dict[str, float]:
    """p95 of pages over HTTP."""
    from commonsight.web.explore.views import address, item_path

    book = opened(shelf)
    key = book.key
    with served(book) as client:
        client.get(f"/{key}/")  # templates are read once
        return {
            "first": p95(lambda _: client.get(f"/{key}/").raise_for_status()),
            "filter": p95(
                lambda n: client.get(address(f"/{key}/", VIEWS[n % len(VIEWS)])).raise_for_status()
            ),
            "item": p95(lambda n: client.get(item_path(key, book.index.ids[n * 1601 % book.index.count]))),
        }


def figures(items: int = ITEMS, rounds: int = ROUNDS) -> list[Figure]:
    """Measure on this many items."""
    with tempfile.TemporaryDirectory() as name:
        shelf = laid_out(Path(name), items)
        start = time.perf_counter()
        book = opened(shelf)
        made = time.perf_counter() - start
        again = interleaved({"again": lambda: opened(shelf)}, 1).median("again")
        told, memory = in_child(pages, shelf)
        plain = by_sql(book, Path(name) / "plain.sqlite")
        without = [query for query in VIEWS if not query.wrong]
        ways: dict[str, Callable[[], object]] = {
            "ours": lambda: [book.page(query) for query in without],
            "sql": lambda: [plain(query) for query in without],
        }
        times = interleaved(ways, rounds)
        start = time.perf_counter()
        write_report(book, Path(name) / "report.html")
        report = time.perf_counter() - start
    what, by_ours = f"{items:,} items", times.ratio("sql", "ours")
    return [
        Figure("explore_first", f"{what}, first page: p95 in ms over HTTP", told["first"], 200, unit=""),
        Figure("explore_filter", f"{what}, another view of it: p95 in ms", told["filter"], 100, unit=""),
        Figure("explore_item", f"{what}, an item's page: p95 in ms", told["item"], unit=""),
        Figure("explore_sql", f"{what}, views: time of SQL by ours", by_ours, 2, "at least"),
        Figure("explore_made", f"{what}, the index is made once, two runs read", made, unit=" s"),
        Figure("explore_again", f"{what}, opened again", again, unit=" s"),
        Figure("explore_memory", f"{what}, memory of the server", memory / 1e9, unit=" GB"),
        Figure("report_seconds", f"{what}, report of two runs", report, unit=" s"),
    ]  # fmt: skip


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--items", type=int, default=ITEMS)
    options = parser.parse_args()
    show(figures(options.items, options.rounds), options.json)


if __name__ == "__main__":
    main()

"""The papers' networks in the rows of their papers' tables, over several seeds.

    python bench/quality_networks.py --out results                   everything, many hours of two cores
    python bench/quality_networks.py --out results --tables vcr --only r2c,esim --seeds 1
    python bench/quality_networks.py --out results --show            what is there so far
    python bench/quality_networks.py --out results --show --write    and into results.json, docs/results.md

Every step is a command of Commonsight in a process of its own, in a folder of its own: what was stopped goes
on where it was. Most tables are of a drawn world, and say nothing about the real benchmarks. Rows that ask a
language model start a small one here, or ask the one that --model and --base-url name.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Lock
from typing import Any

import _results
from _choice_tables import PMR, VCR
from _knowledge_tables import AOKVQA
from _model_server import MODEL, served
from _reasoning_tables import CRIC, MODULES, NEW_FACTS, NLVR
from _results import Results, Scores
from _rows import COMMON, Place, Row, Table
from _told_tables import TOLD
from commonsight.store.runs import is_run

TABLES = {table.shown.name: table for table in (VCR, PMR, NLVR, CRIC, NEW_FACTS, AOKVQA, TOLD)}

DONE = "done"
"""An empty file in a row's folder, once all of it is there: what was stopped has a report, too."""
AT_WORK: defaultdict[str, Lock] = defaultdict(Lock)
"""One row may be that with which another begins."""


def finish(place: Place, row: Row) -> None:
    """Train a row's networks and try them, or ask a language model; what is under way is waited for."""
    with AT_WORK[row.label]:
        if scores_of(place, row) is not None:
            return
        if row.network in row.table.asked:
            ask(place, row)
        else:
            train(place, row)
        (place.out / row.folder / DONE).touch()
        print(f"{row.label}: {scores_of(place, row)}", flush=True)


def ask(place: Place, row: Row) -> None:
    """Put the questions to a language model; a run that was begun goes on."""
    table, run = row.table, row.folder / "run"
    with nullcontext(place.base_url) if place.base_url else served() as address:
        where = ("--base-url", str(address), "--concurrency", "4")
        if is_run(place.out / run):
            place.run("run", "--resume", run, *where, into=row.label)
            return
        asked = (*table.asked[row.network], *table.begin(place, row))
        what = ("--split", table.split, *asked, "--seed", str(row.seed))
        model = ("--model", f"openai:{place.model}", *where)
        place.run("run", table.dataset, *what, *model, "--out", run, into=row.label)


def train(place: Place, row: Row) -> None:
    """Train a row's networks and try them."""
    table, trained = row.table, row.folder / "trained"
    begin, seed = (*begun_with(place, row), *table.begin(place, row)), ("--seed", str(row.seed))
    place.run(*table.command(row.network), *begin, *seed, "--out", trained, into=row.label)
    tried = ("--split", table.split, *COMMON)
    if row.network in MODULES.rows:
        told = place.run("modules", trained, table.dataset, *tried, "--json", into=row.label)
        (place.out / row.folder / "modules.json").write_text(told, encoding="utf-8")
    run = ("--attention", "0", "--out", row.folder / "run")
    place.run("predict", trained, table.dataset, *tried, *run, into=row.label)


def begun_with(place: Place, row: Row) -> tuple[str, ...]:
    """The weights of another row of the same seed, where it begins with those: trained if they are not."""
    if row.network not in row.table.after:
        return ()
    before = row._replace(network=row.table.after[row.network])
    finish(place, before)
    return ("--weights", str(before.folder / "trained"))


def scores_of(place: Place, row: Row) -> Scores | None:
    """Its scores, if it is done."""
    folder = place.out / row.folder
    if not (folder / DONE).is_file():
        return None
    told = json.loads((folder / "run" / "report.json").read_text(encoding="utf-8"))
    found = {name: _value(told, name) for name in row.table.shown.metrics}
    return {name: value for name, value in found.items() if value is not None}


def module_scores(place: Place, row: Row) -> Scores | None:
    """What a row's parts come to, if it has such and they were judged."""
    judged = place.out / row.folder / "modules.json"
    if not judged.is_file():
        return None
    told = json.loads(judged.read_text(encoding="utf-8"))
    return (told["layouts"] or {}) | {name: part["score"] for name, part in told["modules"].items()}


def _value(told: dict[str, Any], name: str) -> float | None:
    """A metric, or one of a part: `type=verify/answer`."""
    part, _, metric = name.rpartition("/")
    kind, _, label = part.partition("=")
    metrics = told["slices"].get(kind, {}).get(label, {}) if part else told["metrics"]
    value = metrics.get(metric, {}).get("value")
    return None if value is None else float(value)


def rows_of(tables: Iterable[Table], only: Iterable[str], seeds: Iterable[int]) -> Iterator[Row]:
    """Every row with the first seed, then with the second: a table is there early."""
    wanted, chosen = set(only), list(tables)
    for seed in seeds:
        for table in chosen:
            for network in table.shown.rows:
                if not wanted or network in wanted:
                    yield Row(table, network, seed)


def results(place: Place, rows: Iterable[Row]) -> Results:
    """What is there so far."""
    found: Results = {}
    for row in rows:
        measured = {row.table.shown.name: scores_of(place, row), MODULES.name: module_scores(place, row)}
        for table, scores in measured.items():
            if scores is not None:
                found.setdefault(table, {}).setdefault(row.network, {})[str(row.seed)] = scores
    return found


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--only", default="", help="these networks, with commas between")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="only show what is there")
    parser.add_argument("--write", action="store_true", help="keep it, and put it into the docs")
    parser.add_argument("--model", default=MODEL, help="a language model to ask, with --base-url")
    parser.add_argument("--base-url")
    given = parser.parse_args()
    place = Place(given.out.resolve(), given.model, given.base_url)
    tables = [TABLES[name] for name in given.tables.split(",")]
    seeds = [int(seed) for seed in given.seeds.split(",")]
    rows = list(rows_of(tables, filter(None, given.only.split(",")), seeds))
    if not given.show:
        place.out.mkdir(parents=True, exist_ok=True)
        for table in tables:
            table.prepare(place)
        with ThreadPoolExecutor(given.workers) as pool:
            list(pool.map(lambda row: finish(place, row), rows))
    found = results(place, rows)
    for shown in (*(table.shown for table in tables), MODULES):
        if shown.name in found:
            print("\n".join(("", *_results.lines(shown, found))))
    if given.write:
        _results.write(found, [*(table.shown for table in TABLES.values()), MODULES])


if __name__ == "__main__":
    main()

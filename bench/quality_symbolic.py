"""How well a symbolic solver does on every drawing of a dataset, and how exactly it sees the shapes in them.

    python bench/quality_symbolic.py DATASET SOLVER --split test

`commonsight predict` asks of the first drawing of each item. This asks of all of them; an item's drawings
show the same boxes in another order, so that answers must not differ. A sentence is right as a whole if it is
right of every drawing of every item that it is said of.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

from msgspec import structs

from commonsight.core.answer import Verdict
from commonsight.graph.shapes.chart import readings
from commonsight.graph.shapes.values import tableau_of
from commonsight.models.symbolic.kinds import kind_named
from commonsight.models.symbolic.shapes import sentence_of
from commonsight.models.symbolic.sight import see_file
from commonsight.models.symbolic.solver import Where
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.runs.symbolic import read_about
from commonsight.store.dataset import read_dataset


def solved(dataset: Path, solver_folder: Path, split: str, sight: str | None) -> dict[str, object]:
    """Right answers among all drawings, and sentences that are right as a whole."""
    about = read_about(solver_folder)
    solver = kind_named(about.kind).load(solver_folder, Where(sight or about.sight, dataset))
    task = benchmark_of(Opening((dataset,))).task(about.tasks[0])
    by_sentence: dict[str, list[bool]] = defaultdict(list)
    items = fallen = differing = 0
    began = time.perf_counter()
    for item in read_dataset(dataset, split=split):
        ask = task.ask(item)
        said = [solver.solve(structs.replace(ask, scenes=(scene,))) for scene in item.scenes]
        assert isinstance(item.gold, Verdict)
        by_sentence[item.groups[task.grouped_by]] += [one.answer == item.gold for one in said]
        items, fallen = items + 1, fallen + said[0].fell_back
        differing += len({one.answer for one in said}) > 1
    right = [one for several in by_sentence.values() for one in several]
    whole = [all(several) for several in by_sentence.values()]
    return {
        "sight": sight or about.sight, "split": split, "items": items, "drawings": len(right),
        "accuracy": sum(right) / len(right), "sentences": len(whole), "consistency": sum(whole) / len(whole),
        "fell_back": fallen, "items_whose_drawings_differ": differing,
        "seconds": round(time.perf_counter() - began, 1),
    }  # fmt: skip


def seen(dataset: Path, split: str) -> dict[str, object]:
    """Drawings whose shapes are recovered exactly: kind, colour, size and place of every one."""
    exact = drawings = shapes = found = 0
    began = time.perf_counter()
    for item in read_dataset(dataset, split=split):
        for scene in item.scenes:
            assert scene.stored is not None
            listed = [set(panel.shapes) for panel in tableau_of(scene).panels]
            told = [set(panel.shapes) for panel in see_file(dataset / scene.stored).shapes.panels]
            drawings, exact = drawings + 1, exact + (told == listed)
            shapes += sum(map(len, listed))
            found += sum(len(one & other) for one, other in zip(told, listed, strict=True))
    spent = round(time.perf_counter() - began, 1)
    return {"drawings": drawings, "exact": exact, "shapes": shapes, "shapes_found": found, "seconds": spent}


def read(dataset: Path, split: str) -> dict[str, object]:
    """How long it takes to read every sentence once."""
    task = benchmark_of(Opening((dataset,))).tasks[0]
    sentences = {sentence_of(task.ask(item)) for item in read_dataset(dataset, split=split)}
    began = time.process_time()
    found = [len(readings(sentence, {})) for sentence in sorted(sentences)]
    spent = round(time.process_time() - began, 2)
    return {"sentences": len(found), "readings": sum(found), "cpu_seconds": spent}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("solver", type=Path, help="a folder that `commonsight train-symbolic` wrote")
    parser.add_argument("--split", default="test")
    parser.add_argument("--sight", choices=("scenes", "pixels"), help="another than it was fitted with")
    parser.add_argument("--sees", action="store_true", help="only how exactly shapes are seen")
    parser.add_argument("--reads", action="store_true", help="only how long reading takes")
    given = parser.parse_args()
    if given.sees:
        print(json.dumps(seen(given.dataset, given.split), indent=2))
    elif given.reads:
        print(json.dumps(read(given.dataset, given.split), indent=2))
    else:
        print(json.dumps(solved(given.dataset, given.solver, given.split, given.sight), indent=2))


if __name__ == "__main__":
    main()

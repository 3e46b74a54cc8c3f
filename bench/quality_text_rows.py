"""A-OKVQA's real questions without their pictures: what can be told from text alone (Table 3, rows c to g).

    python bench/quality_text_rows.py              every row from three seeds, and the table
    python bench/quality_text_rows.py --write      and into results.json and docs/results.md

A-OKVQA's training questions are not at hand. So every row is trained twice: on OK-VQA's training questions,
which are others, and on the validation questions by cross-validation, in five folds that keep pictures
together.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

import _results
from _results import Results, Scores, Shown
from _text_rows import ROWS, Asked, Row, Said, folds, okvqa, solved
from commonsight.benchmarks.aokvqa import AOKVQA
from commonsight.score.gold import Gold
from commonsight.score.predictions import Predictions
from commonsight.score.scoring import gather_gold, measure
from commonsight.store.native import read_native
from commonsight.text.vectors import installed_glove

TABLE = Shown(
    "aokvqa-text",
    "real A-OKVQA, questions alone, val",
    {
        "okvqa/mc": "OK-VQA's training questions: MC",
        "okvqa/da": "DA",
        "folds/mc": "val in five folds: MC",
        "folds/da": "DA",
    },
    tuple(ROWS),
    by="quality_text_rows.py",
)
SEEDS = (0, 1, 2)

Record = Mapping[str, Any]


def data_folder() -> Path:
    """Where the real files are."""
    return Path(os.environ.get("COMMONSIGHT_DATA", _results.ROOT.parent / "shared" / "data"))


def crossed(row: Row, records: Sequence[Record], seed: int) -> list[Said]:
    """What a row says to each question, having learned from the questions of other folds."""
    found: dict[int, Said] = {}
    for held in folds(records, seed):
        hidden = set(held)
        learned = [solved(one) for at, one in enumerate(records) if at not in hidden]
        said = row(learned, [_asked(records[at]) for at in held], seed)
        found |= dict(zip(held, said, strict=True))
    return [found[at] for at in range(len(records))]


def _asked(record: Record) -> Asked:
    return Asked(record["question"], tuple(record["choices"]))


def scored(gold: Gold, records: Sequence[Record], said: Sequence[Said]) -> Scores:
    """By the benchmark's own rules, words being brought to the nearest choice."""
    columns = {
        "multiple_choice": pa.array([one.choice for one in said]),
        "direct_answer": pa.array([one.direct for one in said]),
    }
    given = Predictions(pa.array([one["question_id"] for one in records]), columns)
    outcome = measure(AOKVQA.scoring, gold, given, vectors=lambda _: installed_glove())
    return {name: float(outcome.units(name)[0].mean()) for name in ("mc", "da")}


def measured(data: Path, rows: Sequence[str], seeds: Sequence[int]) -> Results:
    """Every row from every seed; what no seed changes is still told for each."""
    val = data / "aokvqa" / "aokvqa_v1p0_val.json"
    records: list[Record] = json.loads(val.read_text("utf-8"))
    gold = gather_gold(AOKVQA.scoring, read_native(AOKVQA.native, [val]))
    learned, asked = okvqa(data / "okvqa" / "train.json"), [_asked(one) for one in records]
    found: dict[str, dict[str, Scores]] = {}
    for name in rows:
        for seed in seeds:
            others = scored(gold, records, ROWS[name](learned, asked, seed))
            own = scored(gold, records, crossed(ROWS[name], records, seed))
            scores = {f"okvqa/{metric}": value for metric, value in others.items()}
            scores |= {f"folds/{metric}": value for metric, value in own.items()}
            found.setdefault(name, {})[str(seed)] = scores
            print(name, seed, scores, flush=True)
    return {TABLE.name: found}


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(ROWS), help="these rows, with commas between")
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--write", action="store_true", help="keep it, and put it into the docs")
    given = parser.parse_args()
    found = measured(data_folder(), given.only.split(","), [int(seed) for seed in given.seeds.split(",")])
    print("\n".join(_results.lines(TABLE, found)))
    if given.write:
        _results.write(found, [TABLE])


if __name__ == "__main__":
    main()

"""A-OKVQA's real questions without their pictures: what can be told from text alone (Table 3, rows c to g).

    python bench/quality_text_rows.py              every row from three seeds, and the table
    python bench/quality_text_rows.py --write      and into results.json and docs/results.md
    python bench/quality_text_rows.py --choose     settings of the rows that learn, by OK-VQA's test questions
    python bench/quality_text_rows.py --keep F     and into a file, from which `--from F` takes it again

A-OKVQA's training questions are not at hand. So every row is trained twice: on OK-VQA's training questions,
which are others, and on the validation questions by cross-validation, in five folds that keep pictures
together. Rows whose weights are not installed are skipped, and say which package has them.

`--choose` never reads A-OKVQA. It trains on OK-VQA's 9,009 training questions and on 916 of them, as many as
four folds have, where the best answer stands in for the right choice; and it tests on OK-VQA's 5,046 test
questions, by the mean score of the answer that is named. The setting with the highest mean over both, and
over both encoders, was taken.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import pyarrow as pa

import _results
from _results import Results, Scores, Shown, real_folder
from _text_learning import TRIED_CLASSIFIERS, TRIED_CONTRASTIVE, TRIED_LSTMS, Matching, Naming, minilm, static
from _text_rows import (
    ROWS,
    Asked,
    Row,
    Said,
    Solved,
    best,
    classifier,
    contrastive,
    folds,
    lstm,
    missing,
    okvqa,
    solved,
)
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
FEW = 916
"""Four fifths of the validation questions."""

Record = Mapping[str, Any]


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


def there(names: str) -> list[str]:
    """Those of the rows that can be run; why others cannot is said."""
    rows = names.split(",")
    for name in rows:
        if why := missing(name):
            print(f"{name} is skipped: {why}")
    return [name for name in rows if not missing(name)]


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


class Trial(NamedTuple):
    """A setting, and the row that has it, by name of what reads for it."""

    how: Naming | Matching
    rows: Mapping[str, Row]


def trials() -> Iterator[Trial]:
    """Everything that `--choose` tries."""
    read = {"static": static, "minilm": minilm}
    for naming in TRIED_CLASSIFIERS:
        yield Trial(naming, {name: partial(classifier, by, how=naming) for name, by in read.items()})
    for naming in TRIED_LSTMS:
        yield Trial(naming, {"glove": partial(lstm, how=naming)})
    for matching in TRIED_CONTRASTIVE:
        yield Trial(matching, {name: partial(contrastive, by, how=matching) for name, by in read.items()})


def chosen(data: Path) -> None:
    """Print what every setting comes to on OK-VQA's test questions, and its mean."""
    many, tests = okvqa(data / "okvqa" / "train.json"), okvqa(data / "okvqa" / "testdev.json")
    few = [one._replace(right=best(one.answers)) for one in random.Random("few").sample(many, FEW)]
    for trial in trials():
        found = {
            f"{name}, {len(learned)}": named_score(row, learned, tests)
            for name, row in trial.rows.items()
            for learned in (many, few)
        }
        told = "; ".join(f"{name}: {100 * score:.2f}" for name, score in found.items())
        print(f"{100 * fmean(found.values()):.2f}  {trial.how}  ({told})", flush=True)


def named_score(row: Row, learned: Sequence[Solved], tests: Sequence[Solved]) -> float:
    """How right the named answers are on average, from the first seed."""
    said = row(learned, [Asked(one.question, ()) for one in tests], SEEDS[0])
    return fmean(one.answers.get(answer.direct, 0.0) for one, answer in zip(tests, said, strict=True))


def options() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(ROWS), help="these rows, with commas between")
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--choose", action="store_true", help="try settings on OK-VQA, and nothing else")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write what was found into it")
    parser.add_argument("--from", type=Path, metavar="FILE", dest="kept", help="run nothing, read this")
    parser.add_argument("--write", action="store_true", help="keep it, and put it into the docs")
    return parser


def main(words: Sequence[str] | None = None) -> None:
    """As the module says."""
    given = options().parse_args(words)
    if given.choose:
        chosen(real_folder())
        return
    if given.kept:
        found: Results = json.loads(given.kept.read_text("utf-8"))
    else:
        seeds = [int(seed) for seed in given.seeds.split(",")]
        found = measured(real_folder(), there(given.only), seeds)
    if given.keep:
        _results.keep(found, given.keep)
    print("\n".join(_results.lines(TABLE, found)))
    if given.write:
        _results.write(found, [TABLE])


if __name__ == "__main__":
    main()

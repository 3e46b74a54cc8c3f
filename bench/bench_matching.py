"""Adversarial Matching: a bucket, how near sparse matching comes to the best, and a whole fold at once.

Texts are what annotators of the dollhouse write, judged by the embedded models. Times are the process's own
on one core (`time.process_time`) unless they are said to be by the clock; each part has its own process.
"""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from _annotations import joined, written
from _figures import ROUNDS, Figure, arguments, show
from _timing import in_child
from commonsight.build.matching.habits import Habits
from commonsight.build.matching.relevance import EmbeddedRelevance
from commonsight.build.matching.rounds import (
    LAMBDA_ANSWER,
    LAMBDA_RATIONALE,
    Dense,
    Judged,
    Sparse,
    keys,
    match_rounds,
)
from commonsight.build.matching.rounds import ROUNDS as TURNS
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.build.matching.tags import TAGS, with_tags
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Pair, rationale_pair
from commonsight.text.encoders import default_encoder

TRAINING = 3000
"""Pairs that the relevance model learns from, none of which it judges; their number does not change the time
that judging takes."""
TOKENS = 32
BATCH = 16


class Sizes(NamedTuple):
    """How much is measured."""

    bucket: int = 3000
    compared: tuple[int, ...] = (3000, 6000, 10_000)
    fold: int = 26_000
    sample: int = 96
    """Pairs that the cross-encoder reads."""


FULL = Sizes()
QUICK = Sizes(600, (600, 1200), 3000, BATCH)


class Spent(NamedTuple):
    """Seconds of one core, and by the clock."""

    cpu: float
    clock: float


def _read(file: Path, n: int) -> tuple[list[Pair], list[Pair]]:
    """Pairs to match, and others to learn from."""
    found = msgspec.json.decode(file.read_bytes(), type=list[Pair])
    return found[:n], found[-TRAINING:]


def matched(file: Path, n: int) -> Spent:
    """Judge all pairs of so many, and match them in three rounds."""
    own, others = _read(file, n)
    encoder = default_encoder()
    with one_thread():
        fitted, habits = EmbeddedRelevance(encoder).fit(others, seed=1), Habits.of(others)
        cpu, clock = time.process_time(), time.perf_counter()
        relevance = with_tags(fitted.weigh(own), own, habits, TAGS)
        match_rounds(own, relevance, EmbeddedSimilarity(encoder).weigh(own), trade=LAMBDA_ANSWER)
        return Spent(time.process_time() - cpu, time.perf_counter() - clock)


def greatest_gap(file: Path, n: int, trade: float) -> float:
    """By how much the sparse matching weighs less than the best: the greatest share of any round.

    The best of a round is that of the dense matching after what the sparse one gave in the rounds before.
    """
    own, others = _read(file, n)
    encoder = default_encoder()
    gaps = []
    with one_thread():
        fitted = EmbeddedRelevance(encoder).fit(others, seed=1)
        relevance = with_tags(fitted.weigh(own), own, Habits.of(others), TAGS)
        judged = Judged(relevance, EmbeddedSimilarity(encoder).weigh(own), trade, keys(own))
        sparse, dense = Sparse(judged), Dense(judged)
        had = np.arange(n, dtype=np.int64)[:, None]
        for turn in range(TURNS):
            if turn:
                sparse.give(had)
                dense.give(had)
            found, best = sparse.match(had), dense.match(had)
            gaps.append((best.weight - found.weight) / abs(best.weight))
            had = np.concatenate((had, found.response[:, None]), axis=1)
    return max(gaps)


def cross_encoded(sample: int) -> float:
    """Seconds of one core in which a transformer of BERT's base size reads one pair of texts."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.set_num_threads(1)
    model: Any = BertForSequenceClassification(BertConfig())  # type: ignore[no-untyped-call]
    model.eval()
    words = torch.randint(1000, 20_000, (BATCH, TOKENS))
    seconds = []
    with torch.inference_mode():
        model(words)
        for _ in range(max(1, sample // BATCH)):
            start = time.process_time()
            model(words)
            seconds.append((time.process_time() - start) / BATCH)
    return statistics.median(seconds)


def figures(sizes: Sizes = FULL, rounds: int = ROUNDS) -> list[Figure]:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder:
        made = written(max(sizes.fold, *sizes.compared) + TRAINING)
        file, repeating = Path(folder) / "joined.json", Path(folder) / "rationales.json"
        file.write_bytes(msgspec.json.encode([joined(each) for each in made]))
        repeating.write_bytes(msgspec.json.encode([rationale_pair(each) for each in made]))
        runs: list[Spent] = [in_child(matched, file, sizes.bucket).result for _ in range(rounds)]
        bucket = statistics.median(run.cpu for run in runs)
        gaps = [
            _gap(name, n, in_child(greatest_gap, texts, n, trade).result)
            for name, texts, trade in (
                ("mostly distinct texts", file, LAMBDA_ANSWER),
                ("rationales, which repeat", repeating, LAMBDA_RATIONALE),
            )
            for n in sizes.compared
        ]
        fold = in_child(matched, file, sizes.fold)
    return [
        *_bucket(bucket, sizes),
        *gaps,
        *_fold(fold.result, fold.peak, bucket, sizes),
    ]


def _bucket(bucket: float, sizes: Sizes) -> list[Figure]:
    told = f"a bucket of {sizes.bucket:,}, {TURNS} rounds"
    shown = [Figure("matching_bucket", f"{told}, judged and matched: seconds of one core", bucket, unit=" s")]
    if find_spec("torch") is None or find_spec("transformers") is None:
        return shown
    one: float = in_child(cross_encoded, sizes.sample).result
    # P_rel reads every pair, P_sim every pair in both orders.
    both = 2 * sizes.bucket**2 * one
    what = f"cross-encoder of BERT's base size, {TOKENS} tokens a pair"
    return [
        *shown,
        Figure("matching_cross_rate", f"{what}: pairs a second of one core", 1 / one, unit="/s"),
        Figure(
            "matching_cross",
            f"{told}, all pairs of both judges read by it ({sizes.sample} read): hours of one core",
            both / 3600,
            unit="",
        ),
        Figure("matching_cross_ratio", f"{told}: that by ours, judged and matched", both / bucket),
    ]


def _gap(texts: str, n: int, gap: float) -> Figure:
    what = f"{n:,} {texts}: sparse matching below the best there is, greatest of {TURNS} rounds"
    return Figure(f"matching_gap_{texts.split()[0]}_{n}", what, 100 * gap, 0.1, unit=" %")


def _fold(spent: Spent, peak: int, bucket: float, sizes: Sizes) -> list[Figure]:
    told = f"a fold of {sizes.fold:,} in one piece, {TURNS} rounds"
    exponent = math.log(spent.cpu / bucket) / math.log(sizes.fold / sizes.bucket)
    scaling = f"time of judging and matching from {sizes.bucket:,} to {sizes.fold:,}: exponent"
    return [
        Figure("matching_fold", f"{told}: seconds of one core", spent.cpu, 300, unit=" s"),
        Figure("matching_fold_clock", f"{told}: seconds by the clock", spent.clock, 300, unit=" s"),
        Figure("matching_fold_memory", f"{told}: peak memory", peak / 1024**3, 6, unit=" GB"),
        Figure("matching_exponent", scaling, exponent, unit=""),
    ]


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--quick", action="store_true", help="small sizes, a minute of one core")
    options = parser.parse_args()
    show(figures(QUICK if options.quick else FULL, options.rounds), options.json)


if __name__ == "__main__":
    main()

"""One bucket of a sweep over lambda: matched by lot and with every lambda, and each time judged.

Whatever the number of lambdas, models are fitted once for each fold and all pairs of a bucket are judged
once; only the matching is done again. Beside the model that chose the wrong choices stands one that did not:
it has another seed and should have another encoder, or it would make the same mistakes. How well both do
where wrong choices were drawn by lot says what their accuracies are worth.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, TypeVar

import msgspec
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from commonsight.build.matching.buckets import Task
from commonsight.build.matching.fakes import MatrixBlocks
from commonsight.build.matching.judges import Judges
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.scorers import (
    FittedRelevance,
    RelevanceBlocks,
    RelevanceModel,
    Rows,
    Scores,
    SimilarityBlocks,
    SimilarityModel,
)
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Pair
from commonsight.build.matching.work import Finished, Job, Unit, Workshop
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError

LAMBDAS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
SAMPLES = 8
ASKED = 100
"""As many as people were asked about for each lambda in the paper."""


class Sweep(Struct, frozen=True):
    """What is tried, and on whom; all that the result depends on beside the annotations."""

    recipe: Recipe
    task: Task
    lambdas: tuple[float, ...] = LAMBDAS
    samples: int = SAMPLES
    asked: int = ASKED
    judge: str = ""
    """The name of the model that did not choose; filled in from the one that is used."""

    def __post_init__(self) -> None:
        told = ", ".join(f"{value:g}" for value in self.lambdas)
        if not self.lambdas:
            raise UsageError("There is no lambda to try. Give at least one.")
        for value in self.lambdas:
            if not 0 <= value < float("inf"):
                raise UsageError(f"lambda {value:g} cannot be tried. Give numbers of at least 0.")
        for one, other in pairwise(self.lambdas):
            if one == other:
                raise UsageError(f"lambda {one:g} is there twice. Give each once.")
            if one > other:
                raise UsageError(f"The lambdas {told} are not in order. Give the smallest first.")


class Shown(Struct, frozen=True):
    """The wrong choices of one query, as a person is shown them."""

    texts: tuple[TaggedText, ...]
    similar: tuple[float, ...]
    """P_sim of each with the right one."""
    lenders: tuple[str, ...]
    pick: int
    """What the model that chose takes for right: 0 for the right one, 1 for the first wrong one and so on."""


class Tried(Struct, frozen=True):
    """What one lambda gave, or the lot: numbers for each query, and texts for those that are shown."""

    chooser: tuple[float, ...]
    """Whether the model that chose finds the right choice; where it wavers among k, one k-th."""
    judge: tuple[float, ...]
    similar: tuple[tuple[float, ...], ...]
    """P_sim of each wrong choice with the right one."""
    shown: dict[str, Shown]


class Trials(Struct, frozen=True):
    """What a bucket gave: by lot, and for each lambda."""

    by_lot: Tried
    tried: tuple[Tried, ...]


@dataclass(frozen=True, kw_only=True)
class SweepShop(Workshop):
    """A workshop that does each bucket by lot and with every lambda, and judges what comes out."""

    judge: RelevanceModel
    sweep: Sweep
    wanted: frozenset[str]
    """Whose choices are kept as texts."""

    def tried(self, job: Job) -> Iterator[Finished]:
        """Do a job's buckets, each handed over as soon as it is done."""
        with one_thread():
            fitted = self.judges(job.task, job.fold)
            kept = tuple(_KeptRelevance(model, self._keeps) for model in fitted.models)
            chooser = Judges(kept, fitted.first)
            other = structs.replace(self.recipe, seed=self.recipe.seed + 1)
            judge = replace(self, recipe=other, relevance=self.judge).judges(job.task, job.fold)
            shop = replace(self, similarity=_KeptSimilarity(self.similarity, self._keeps))
            for bucket in job.buckets:
                unit = Unit(job.task, job.fold, bucket)
                yield Finished(unit, msgspec.json.encode(shop._trials(unit, chooser, judge)))

    @property
    def _keeps(self) -> int:
        """Up to how many pairs a bucket's scores are kept as a whole, as a dense matching keeps them."""
        return self.recipe.dense_most

    def _trials(self, unit: Unit, chooser: Judges, judge: Judges) -> Trials:
        lot = random.Random(f"{self.recipe.seed}:{unit.file}:lot").getrandbits(31)
        by_lot = self._with(0.0, tags=0.0)._one(unit, Judges((_Lots(lot),), frozenset()), chooser, judge)
        shops = (self._with(trade, tags=self.recipe.tags) for trade in self.sweep.lambdas)
        tried = (shop._one(unit, chooser, chooser, judge) for shop in shops)
        return Trials(by_lot, tuple(tried))

    def _with(self, trade: float, tags: float) -> SweepShop:
        recipe = structs.replace(self.recipe, lambda_answer=trade, lambda_rationale=trade, tags=tags)
        return replace(self, recipe=recipe)

    def _one(self, unit: Unit, by: Judges, chooser: Judges, judge: Judges) -> Tried:
        """Match a bucket as `by` will have it, and see what the two others make of that."""
        members = self.buckets[unit.task, unit.fold][unit.bucket].members
        pairs = self.pairs(unit.task, unit.fold)
        own = [pairs[place] for place in members]
        wrong = self.do(unit, by).wrong
        texts = [text for each in wrong for text in each.texts]
        seen = [_judged(judges, own, texts) for judges in (chooser, judge)]
        at = {member: place for place, member in enumerate(members)}
        lent = np.array([[at[source] for source in each.sources] for each in wrong], np.int64)
        asking = np.repeat(np.arange(len(own), dtype=np.int64), lent.shape[1])
        alike = self.similarity.weigh(own).pairs(asking, lent.ravel()).reshape(lent.shape)
        similar = [tuple(map(float, row)) for row in alike]
        shown = {
            pair.id: Shown(
                wrong[place].texts,
                similar[place],
                tuple(own[lender].id for lender in lent[place]),
                int(np.argmax(seen[0][place])),
            )
            for place, pair in enumerate(own)
            if pair.id in self.wanted
        }
        return Tried(_credit(seen[0]), _credit(seen[1]), tuple(similar), shown)


def _judged(judges: Judges, own: Sequence[Pair], wrong: Sequence[TaggedText]) -> Scores:
    """log P_rel of all choices of each query, the right one first: (queries, choices)."""
    turns = len(wrong) // len(own)
    right = judges.score(own, [pair.response for pair in own])
    others = judges.score([pair for pair in own for _ in range(turns)], wrong)
    return np.column_stack((right, others.reshape(len(own), turns)))


def _credit(scores: Scores) -> tuple[float, ...]:
    """1 where the first score is the best, 0 where it is not, a share where it is one of several best."""
    best = scores == scores.max(axis=1, keepdims=True)
    credit: NDArray[np.float64] = best[:, 0] / best.sum(axis=1)
    return tuple(credit.tolist())


class _Lots:
    """Relevance by lot: what matching makes of it is random, within the same rules."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> _LotBlocks:
        del remap
        return _LotBlocks(self._seed, len(bucket))

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        del responses
        return np.zeros(len(queries), np.float32)


class _LotBlocks:
    def __init__(self, seed: int, size: int) -> None:
        self._seed, self._size = seed, size

    def __len__(self) -> int:
        return self._size

    def rows(self, queries: Rows) -> Scores:
        drawn = [np.random.default_rng((self._seed, int(query))).random(self._size) for query in queries]
        return np.array(drawn, np.float32) - np.float32(1)


B = TypeVar("B", bound=RelevanceBlocks)


class _Last(Generic[B]):
    """What was said of the last bucket, kept as a whole if the bucket is not too large for that."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._ids: list[str] = []
        self._blocks: B | MatrixBlocks | None = None

    def of(self, bucket: Sequence[Pair], weigh: Callable[[], B]) -> B | MatrixBlocks:
        ids = [pair.id for pair in bucket]
        if self._blocks is None or ids != self._ids:
            self._blocks = None  # not both at once
            blocks = weigh()
            whole = len(ids) <= self._most
            self._blocks = MatrixBlocks(blocks.rows(np.arange(len(ids), dtype=np.int64))) if whole else blocks
            self._ids = ids
        return self._blocks


class _KeptRelevance:
    """A fitted model that need not judge a bucket twice."""

    def __init__(self, model: FittedRelevance, most: int) -> None:
        self._model, self._last = model, _Last[RelevanceBlocks](most)

    def weigh(self, bucket: Sequence[Pair], remap: Remap | None = None) -> RelevanceBlocks:
        return self._last.of(bucket, lambda: self._model.weigh(bucket, remap))

    def score(self, queries: Sequence[Pair], responses: Sequence[TaggedText]) -> Scores:
        return self._model.score(queries, responses)


class _KeptSimilarity:
    """A model that need not judge a bucket twice."""

    def __init__(self, model: SimilarityModel, most: int) -> None:
        self.name, self._model, self._last = model.name, model, _Last[SimilarityBlocks](most)

    def weigh(self, bucket: Sequence[Pair]) -> SimilarityBlocks:
        return self._last.of(bucket, lambda: self._model.weigh(bucket))

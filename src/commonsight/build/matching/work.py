"""One unit of matching: a bucket of a fold, for answers or for rationales.

A unit knows everything that it depends on and nothing of the others, so that any number of workers gives the
same bytes. What it gives is kept as a whole as soon as it is there, so that a run that was stopped goes on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec import Struct

from commonsight.build.matching.buckets import Bucket, Task
from commonsight.build.matching.choose import most_relevant, without_doubles
from commonsight.build.matching.habits import Habits
from commonsight.build.matching.judges import Judges, half_of
from commonsight.build.matching.recipe import Recipe, Wrong
from commonsight.build.matching.remap import Remap
from commonsight.build.matching.rounds import match_rounds
from commonsight.build.matching.scorers import RelevanceModel, Rows, SimilarityModel
from commonsight.build.matching.tags import with_tags
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Annotation, Pair, answer_pair, rationale_pair
from commonsight.errors import InputError


class Unit(Struct, frozen=True):
    """Which bucket of which fold, for which task."""

    task: Task
    fold: str
    bucket: int

    @property
    def file(self) -> str:
        """What its result is called on the disk."""
        return f"{self.task}-{self.fold}-{self.bucket:05d}.json"


class Done(Struct, frozen=True):
    """What a unit gave: the wrong choices of each member of the bucket, in its order."""

    wrong: tuple[Wrong, ...]
    exact: bool
    doubled: tuple[str, ...] = ()
    """Members of whose choices two read alike once remapped, and could not be swapped."""


class Job(Struct, frozen=True):
    """Units of one task and fold that share a fitted model."""

    task: Task
    fold: str
    buckets: tuple[int, ...]


class Finished(NamedTuple):
    """A unit that is done, and what it gave as it is kept: a `Done` in JSON."""

    unit: Unit
    done: bytes


@dataclass(frozen=True)
class Workshop:
    """Everything that units need."""

    recipe: Recipe
    folds: dict[str, list[Annotation]]
    buckets: dict[tuple[Task, str], tuple[Bucket, ...]]
    relevance: RelevanceModel
    similarity: SimilarityModel
    _pairs: dict[tuple[Task, str], list[Pair]] = field(default_factory=dict, repr=False)
    _habits: dict[tuple[Task, str], Habits] = field(default_factory=dict, repr=False)

    def pairs(self, task: Task, fold: str) -> list[Pair]:
        """The pairs of a fold, as a task sees them."""
        if (task, fold) not in self._pairs:
            pair = answer_pair if task == "answers" else rationale_pair
            self._pairs[task, fold] = [pair(annotation) for annotation in self.folds[fold]]
        return self._pairs[task, fold]

    def work(self, job: Job) -> Iterator[Finished]:
        """Do a job's units, each handed over as soon as it is done."""
        with one_thread():
            judges = self.judges(job.task, job.fold)
            for bucket in job.buckets:
                unit = Unit(job.task, job.fold, bucket)
                yield Finished(unit, msgspec.json.encode(self.do(unit, judges)))

    def do(self, unit: Unit, judges: Judges) -> Done:
        """The wrong choices of one bucket."""
        bucket = self.buckets[unit.task, unit.fold][unit.bucket]
        pairs = self.pairs(unit.task, unit.fold)
        own = [pairs[place] for place in bucket.members]
        remap = self._remap(unit, own)  # as judges that look at tags see it
        doubled: tuple[int, ...] = ()
        if self.recipe.mode == "pmr":
            chosen, exact = most_relevant(own, judges, remap, self.recipe), True
        else:
            chosen, exact = self._rounds(unit, own, judges, remap)
            chosen, doubled = without_doubles(own, chosen, remap, same_image=self.recipe.same_image)
        wrong = tuple(
            Wrong(
                tuple(remap(query, int(response)) for response in row),
                tuple(bucket.members[response] for response in row),
            )
            for query, row in enumerate(chosen)
        )
        return Done(wrong, exact, tuple(own[query].id for query in doubled))

    def _remap(self, unit: Unit, own: Sequence[Pair]) -> Remap:
        habits = None if self.recipe.remap == "paper" else self.habits(unit.task, unit.fold)
        return Remap(own, str(self.fit_seed(unit.task, unit.fold)), habits)

    def _rounds(
        self, unit: Unit, own: Sequence[Pair], judges: Judges, remap: Remap
    ) -> tuple[Rows, bool]:
        recipe = self.recipe
        relevance = judges.weigh(own, remap)
        if recipe.tags:
            relevance = with_tags(relevance, own, self.habits(unit.task, unit.fold), recipe.tags)
        try:
            found = match_rounds(
                own,
                relevance,
                self.similarity.weigh(own),
                trade=recipe.trade(unit.task),
                rounds=recipe.rounds,
                same_image=recipe.same_image,
                dense_most=recipe.dense_most,
                candidates=recipe.candidates,
                memory=recipe.memory,
            )
        except InputError as error:
            raise InputError(f"Fold {unit.fold}, {unit.task}: {error}") from error
        return found.responses, found.exact

    def habits(self, task: Task, fold: str) -> Habits:
        """Of what people speak in the other folds; where there are none, in this."""
        if (task, fold) not in self._habits:
            self._habits[task, fold] = Habits.of(self._others(task, fold) or self.pairs(task, fold))
        return self._habits[task, fold]

    def _others(self, task: Task, fold: str) -> list[Pair]:
        return [pair for name in self.folds if name != fold for pair in self.pairs(task, name)]

    def fit_seed(self, task: Task, fold: str) -> int:
        """The dice of the models of a fold, and of remapping in it: what is judged is what is used."""
        return random.Random(f"{self.recipe.seed}:{task}:{fold}:fit").getrandbits(31)

    def judges(self, task: Task, fold: str) -> Judges:
        """Models of relevance that have not seen the queries they judge."""
        others = self._others(task, fold)
        seed = self.fit_seed(task, fold)
        if others:
            return Judges((self.relevance.fit(others, seed=seed),), frozenset())
        own = self.pairs(task, fold)
        first = half_of(self.folds[fold], self.recipe.seed)
        parts = ([pair for pair in own if (pair.id in first) is side] for side in (False, True))
        return Judges(tuple(self.relevance.fit(part, seed=seed) for part in parts), first)

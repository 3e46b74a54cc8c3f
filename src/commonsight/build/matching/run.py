"""Adversarial Matching from annotations to wrong choices, on any number of workers, able to go on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight.build.matching.assign import affordable
from commonsight.build.matching.buckets import Bucketed, Embed, Merged, Task, buckets, impossible
from commonsight.build.matching.folds import folded
from commonsight.build.matching.recipe import Matched, Recipe, Wrong
from commonsight.build.matching.scorers import RelevanceModel, SimilarityModel
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Annotation
from commonsight.build.matching.work import Done, Finished, Job, Unit, Workshop
from commonsight.errors import InputError
from commonsight.store.spool import Spool
from commonsight.store.workers import Pool, pool

Progress = Callable[[Iterator[Unit], int], Iterator[Unit]]
"""Is handed the finished units and their number, and passes them on."""


class Merge(Struct, frozen=True):
    """A bucket that was merged, and where."""

    task: Task
    fold: str
    note: Merged


class Doubled(Struct, frozen=True):
    """An annotation of whose choices two read alike once remapped: nobody could swap with it."""

    task: Task
    id: str


class MatchRun(NamedTuple):
    """What matching gave, fold by fold, and how it went."""

    matched: list[Matched]
    recipe: Recipe
    buckets: int
    merged: tuple[Merge, ...]
    exact: int
    """How many buckets had the best matching there is; the others had one that is nearly as good."""
    doubled: tuple[Doubled, ...]


class _Begun(Struct, frozen=True):
    """What a spool folder is of: units of anything else must not be taken from it."""

    recipe: Recipe
    annotations: str


def run_matching(
    annotations: Sequence[Annotation],
    recipe: Recipe,
    relevance: RelevanceModel,
    similarity: SimilarityModel,
    spool: Path,
    *,
    embed: Embed | None = None,
    workers: int | None = 1,
    cluster: str | None = None,
    progress: Progress = lambda units, _: units,
) -> MatchRun:
    """Find the wrong choices of all annotations, in so many processes or on the cluster of that address.

    Finished buckets are kept in `spool`, from which the same call goes on if it was stopped. Who called
    removes that folder once the result is safe.
    """
    similar = "none" if recipe.mode == "pmr" else similarity.name
    recipe = structs.replace(recipe, relevance=relevance.name, similarity=similar)
    folds = folded(annotations, count=recipe.folds, seed=recipe.seed)
    shop = Workshop(recipe, folds, {}, relevance, similarity)
    with pool(workers, cluster) as hands:
        with one_thread():
            merged = divide(shop, _tasks(annotations), embed)
        begun = Spool(spool, "matching", msgspec.json.encode(_Begun(recipe, digest(annotations))))
        units = work_through(shop, shop.work, begun, hands, progress)
    return _gathered(shop, begun, units, merged)


def _tasks(annotations: Sequence[Annotation]) -> tuple[Task, ...]:
    with_why = all(annotation.rationale is not None for annotation in annotations)
    return ("answers", "rationales") if with_why else ("answers",)


def divide(shop: Workshop, tasks: Sequence[Task], embed: Embed | None) -> tuple[Merge, ...]:
    """Put every fold into buckets, and refuse one in which there can be no matching."""
    merged: list[Merge] = []
    limits = shop.recipe.limits
    for task in tasks:
        for fold in shop.folds:
            pairs = shop.pairs(task, fold)
            why = impossible(pairs, limits) if shop.recipe.mode != "pmr" else None
            if why is not None:
                raise InputError(
                    f"Fold {fold}, {task}: {why}. Use fewer folds, or add annotations of other groups."
                )
            found = buckets(pairs, task, limits, embed=embed, seed=shop.recipe.seed)
            _refuse_too_large(shop.recipe, found)
            shop.buckets[task, fold] = found.buckets
            merged += (Merge(task, fold, note) for note in found.merged)
    return tuple(merged)


def _refuse_too_large(recipe: Recipe, found: Bucketed) -> None:
    """Now rather than after hours: a bucket that the memory does not allow."""
    most = max(len(bucket.members) for bucket in found.buckets)
    if recipe.mode != "pmr":
        affordable(most, recipe.memory, dense_most=recipe.dense_most, candidates=recipe.candidates)


def digest(annotations: Sequence[Annotation]) -> str:
    """What tells whether two runs are of the same annotations."""
    return hashlib.sha256(msgspec.json.encode(annotations)).hexdigest()


def jobs(units: Sequence[Unit], workers: int) -> list[Job]:
    """The units by what model they need; cut further only where some worker would have nothing to do."""
    shared: dict[tuple[Task, str], list[int]] = {}
    for unit in units:
        shared.setdefault((unit.task, unit.fold), []).append(unit.bucket)
    parts = max(1, -(-workers // max(1, len(shared))))
    return [
        Job(task, fold, tuple(numbers[part::parts]))
        for (task, fold), numbers in shared.items()
        for part in range(min(parts, len(numbers)))
    ]


def work_through(
    shop: Workshop,
    work: Callable[[Job], Iterator[Finished]],
    spool: Spool,
    hands: Pool,
    progress: Progress,
) -> list[Unit]:
    """Do all units that the spool lacks, and keep each as soon as it is done; gives all units in order."""
    units = [Unit(task, fold, n) for (task, fold), own in shop.buckets.items() for n in range(len(own))]
    left = [unit for unit in units if not spool.has(unit.file)]
    done = hands.streamed(work, jobs(left, hands.size))
    for _ in progress((_kept(spool, result.value) for result in done), len(left)):
        pass
    return units


def _kept(spool: Spool, finished: Finished) -> Unit:
    spool.keep(finished.unit.file, finished.done)
    return finished.unit


def _gathered(shop: Workshop, spool: Spool, units: Sequence[Unit], merged: tuple[Merge, ...]) -> MatchRun:
    wrong: dict[tuple[Task, str], dict[int, Wrong]] = {}
    doubled: list[Doubled] = []
    exact = 0
    for unit in units:
        done = msgspec.json.decode(spool.read(unit.file), type=Done)
        bucket = shop.buckets[unit.task, unit.fold][unit.bucket]
        wrong.setdefault((unit.task, unit.fold), {}).update(zip(bucket.members, done.wrong, strict=True))
        doubled += (Doubled(unit.task, each) for each in done.doubled)
        exact += done.exact
    matched = []
    for fold, members in shop.folds.items():
        rationales = wrong.get(("rationales", fold))
        for index, annotation in enumerate(members):
            why = None if rationales is None else rationales[index]
            matched.append(Matched(annotation, fold, index, wrong["answers", fold][index], why))
    return MatchRun(matched, shop.recipe, len(units), merged, exact, tuple(doubled))

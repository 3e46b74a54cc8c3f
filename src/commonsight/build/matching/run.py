"""Adversarial Matching from annotations to wrong choices, on any number of workers, able to go on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight.build.matching.buckets import Embed, Merged, Task, buckets, impossible
from commonsight.build.matching.folds import folded
from commonsight.build.matching.recipe import Matched, Recipe, Wrong
from commonsight.build.matching.scorers import RelevanceModel, SimilarityModel
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Annotation
from commonsight.build.matching.work import Done, Job, Unit, Workshop
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_file
from commonsight.store.workers import worked

Progress = Callable[[Iterator[Unit], int], Iterator[Unit]]
"""Is handed the finished units and their number, and passes them on."""


class Merge(Struct, frozen=True):
    """A bucket that was merged, and where."""

    task: Task
    fold: str
    note: Merged


class MatchRun(NamedTuple):
    """What matching gave, fold by fold, and how it went."""

    matched: list[Matched]
    recipe: Recipe
    buckets: int
    merged: tuple[Merge, ...]
    exact: int
    """How many buckets had the best matching there is; the others had one that is nearly as good."""


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
    workers: int = 1,
    progress: Progress = lambda units, _: units,
) -> MatchRun:
    """Find the wrong choices of all annotations.

    Finished buckets are kept in `spool`, from which the same call goes on if it was stopped. Who called
    removes that folder once the result is safe.
    """
    similar = "none" if recipe.mode == "pmr" else similarity.name
    recipe = structs.replace(recipe, relevance=relevance.name, similarity=similar)
    folds = folded(annotations, count=recipe.folds, seed=recipe.seed)
    shop = Workshop(recipe, folds, {}, relevance, similarity, spool)
    with one_thread():
        merged = _divide(shop, _tasks(annotations), embed)
    _begin(spool, recipe, annotations)
    units = [Unit(task, fold, n) for (task, fold), own in shop.buckets.items() for n in range(len(own))]
    left = [unit for unit in units if not (spool / unit.file).is_file()]
    for _ in progress(_worked(shop, jobs(left, workers), workers), len(left)):
        pass
    return _gathered(shop, units, merged)


def _tasks(annotations: Sequence[Annotation]) -> tuple[Task, ...]:
    with_why = all(annotation.rationale is not None for annotation in annotations)
    return ("answers", "rationales") if with_why else ("answers",)


def _divide(shop: Workshop, tasks: Sequence[Task], embed: Embed | None) -> tuple[Merge, ...]:
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
            shop.buckets[task, fold] = found.buckets
            merged += (Merge(task, fold, note) for note in found.merged)
    return tuple(merged)


def _begin(spool: Path, recipe: Recipe, annotations: Sequence[Annotation]) -> None:
    """A new spool folder, or that of the same matching begun before."""
    told = _Begun(recipe, hashlib.sha256(msgspec.json.encode(annotations)).hexdigest())
    kept = spool / "recipe.json"
    if kept.is_file() and msgspec.json.decode(kept.read_bytes(), type=_Begun) != told:
        raise UsageError(
            f"{spool} holds another matching, begun and not finished. "
            "Finish it with the options it was begun with, or remove it."
        )
    spool.mkdir(parents=True, exist_ok=True)
    for part in spool.glob(".*.part"):  # what was being written when it was stopped
        part.unlink()
    with new_file(kept) as beside:
        beside.write_bytes(msgspec.json.encode(told))


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


_shop: Workshop | None = None
"""In a worker: what it works on. Handed over once, as it is large."""


def _open(shop: Workshop) -> None:
    global _shop
    _shop = shop


def _work(job: Job) -> list[Unit]:
    assert _shop is not None
    return _shop.work(job)


def _worked(shop: Workshop, todo: Sequence[Job], workers: int) -> Iterator[Unit]:
    if workers == 1 or len(todo) <= 1:  # here, without a copy of the shop, and unit by unit
        for job in todo:
            yield from shop.work(job)
        return
    for units in worked(_work, todo, workers, prepare=_open, given=(shop,)):
        yield from units


def _gathered(shop: Workshop, units: Sequence[Unit], merged: tuple[Merge, ...]) -> MatchRun:
    wrong: dict[tuple[Task, str], dict[int, Wrong]] = {}
    exact = 0
    for unit in units:
        done = msgspec.json.decode((shop.spool / unit.file).read_bytes(), type=Done)
        bucket = shop.buckets[unit.task, unit.fold][unit.bucket]
        wrong.setdefault((unit.task, unit.fold), {}).update(zip(bucket.members, done.wrong, strict=True))
        exact += done.exact
    matched = []
    for fold, members in shop.folds.items():
        rationales = wrong.get(("rationales", fold))
        for index, annotation in enumerate(members):
            why = None if rationales is None else rationales[index]
            matched.append(Matched(annotation, fold, index, wrong["answers", fold][index], why))
    return MatchRun(matched, shop.recipe, len(units), merged, exact)

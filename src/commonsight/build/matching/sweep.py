"""What lambda does: the same annotations matched with several, and how hard and how fair each result is.

This is how VCR's authors chose theirs (appendix C, Figure 13). One computation serves all lambdas, on any
number of workers, able to go on.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight.build.matching.buckets import Embed
from commonsight.build.matching.folds import folded
from commonsight.build.matching.run import Progress, digest, divide, work_through
from commonsight.build.matching.scorers import RelevanceModel, SimilarityModel
from commonsight.build.matching.sweep_work import Shown, Sweep, SweepShop, Trials, Tried
from commonsight.build.matching.threads import one_thread
from commonsight.build.matching.values import Annotation
from commonsight.build.matching.work import Unit
from commonsight.errors import UsageError
from commonsight.store.spool import Spool
from commonsight.store.workers import pool


class SweepRun(NamedTuple):
    """All buckets together; queries in the order of their folds."""

    sweep: Sweep
    annotations: tuple[Annotation, ...]
    by_lot: Tried
    tried: tuple[Tried, ...]


class Drawn(NamedTuple):
    """Ids drawn for people: to be asked about, and to be read. They differ where there are enough."""

    asked: tuple[str, ...]
    samples: tuple[str, ...]


def drawn(annotations: Sequence[Annotation], sweep: Sweep) -> Drawn:
    """Whom people see, the same for every lambda."""
    ids = sorted(annotation.id for annotation in annotations)
    random.Random(f"{sweep.recipe.seed}:sweep").shuffle(ids)
    return Drawn(tuple(ids[: sweep.asked]), tuple(ids[::-1][: sweep.samples]))


def named(
    sweep: Sweep, relevance: RelevanceModel, similarity: SimilarityModel, judge: RelevanceModel
) -> Sweep:
    """The sweep with the names of those who judge."""
    recipe = structs.replace(sweep.recipe, relevance=relevance.name, similarity=similarity.name)
    return structs.replace(sweep, recipe=recipe, judge=judge.name)


def run_sweep(
    annotations: Sequence[Annotation],
    sweep: Sweep,
    relevance: RelevanceModel,
    similarity: SimilarityModel,
    judge: RelevanceModel,
    spool: Path,
    *,
    embed: Embed | None = None,
    workers: int | None = 1,
    progress: Progress = lambda units, _: units,
) -> SweepRun:
    """Match with every lambda and judge what comes out.

    Finished buckets are kept in `spool`, from which the same call goes on if it was stopped. Who called
    removes that folder once the result is safe.
    """
    if sweep.task == "rationales" and any(annotation.rationale is None for annotation in annotations):
        raise UsageError("These annotations have no rationales. Sweep over answers.")
    sweep = named(sweep, relevance, similarity, judge)
    folds = folded(annotations, count=sweep.recipe.folds, seed=sweep.recipe.seed)
    chosen = drawn(annotations, sweep)
    wanted = frozenset(chosen.asked + chosen.samples)
    shop = SweepShop(sweep.recipe, folds, {}, relevance, similarity, judge=judge, sweep=sweep, wanted=wanted)
    with pool(workers) as hands:
        with one_thread():
            divide(shop, (sweep.task,), embed)
        begun = Spool(spool, "sweep", msgspec.json.encode(_Begun(sweep, digest(annotations))))
        units = work_through(shop, shop.tried, begun, hands, progress)
    return _gathered(shop, begun, units)


class _Begun(Struct, frozen=True):
    """What a spool folder is of: units of anything else must not be taken from it."""

    sweep: Sweep
    annotations: str


def _gathered(shop: SweepShop, spool: Spool, units: Sequence[Unit]) -> SweepRun:
    found: dict[tuple[str, int], tuple[Trials, int]] = {}
    for unit in units:
        trials = msgspec.json.decode(spool.read(unit.file), type=Trials)
        for place, member in enumerate(shop.buckets[unit.task, unit.fold][unit.bucket].members):
            found[unit.fold, member] = (trials, place)
    order = [found[fold, index] for fold, members in shop.folds.items() for index in range(len(members))]
    annotations = tuple(annotation for members in shop.folds.values() for annotation in members)
    by_lot = _together([(trials.by_lot, place) for trials, place in order])
    tried = (
        _together([(trials.tried[number], place) for trials, place in order])
        for number in range(len(shop.sweep.lambdas))
    )
    return SweepRun(shop.sweep, annotations, by_lot, tuple(tried))


def _together(order: Sequence[tuple[Tried, int]]) -> Tried:
    shown: dict[str, Shown] = {}
    for tried in {id(tried): tried for tried, _ in order}.values():
        shown |= tried.shown
    return Tried(
        tuple(tried.chooser[place] for tried, place in order),
        tuple(tried.judge[place] for tried, place in order),
        tuple(tried.similar[place] for tried, place in order),
        shown,
    )

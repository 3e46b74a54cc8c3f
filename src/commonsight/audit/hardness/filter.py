"""A hardened subset: AFLite drops the most predictable items round by round, within every split."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct, structs

from commonsight.audit.blind.results import one_thread
from commonsight.audit.hardness.aflite import Partitions, predictability
from commonsight.audit.hardness.views import View, view_of
from commonsight.audit.probe import CannotMeasure, Setting, Subject
from commonsight.core.item import Item
from commonsight.errors import UsageError

LEAST = 20


class Dropped(Struct, frozen=True):
    """Why an item was dropped."""

    round: int
    """Counted from 1."""
    predictability: float

    def __str__(self) -> str:
        return f"round {self.round}: solved by {self.predictability:.0%} of the models that did not see it"


@dataclass(frozen=True)
class Hardening:
    """Which items a hardened subset keeps."""

    keep: frozenset[str]
    dropped: dict[str, Dropped]
    predictability: dict[str, float]
    """Of every item that was judged, in the last round that tried it."""
    rounds: int
    notes: tuple[str, ...]
    """What could not be judged, and why it was kept."""


Watch = Callable[[int, int], None]
"""Told the round, and how many models it has tried."""


def hardening(
    subject: Subject,
    setting: Setting,
    *,
    keep: float = 0.5,
    partitions: Partitions | None = None,
    watch: Watch = lambda _, __: None,
) -> Hardening:
    """Which items to keep: of every split at least this share, and all that are not predictable.

    An item of several tasks is as predictable as it is on average over them. Items without labels are kept.
    As in the paper, the round that finds less than a whole slice to drop is the last: from then on it is
    mostly chance that finds some.
    """
    if not 0 < keep <= 1:
        raise UsageError(f"The share to keep is {keep:g}. Give a share above 0 and up to 1.")
    partitions = Partitions() if partitions is None else partitions
    with one_thread():
        views, notes = _views(subject, setting)
        splits = {case.id: case.split for view in views for case in view.cases}
        return _filtered(subject, views, splits, keep, partitions, setting.seed, notes, watch)


def _views(subject: Subject, setting: Setting) -> tuple[list[View], tuple[str, ...]]:
    views, notes = [], []
    for cases in subject.cases.values():
        if len(cases.labelled) < LEAST:
            notes.append(f"{cases.title}: {len(cases.labelled)} labelled items are too few to judge.")
            continue
        try:
            views.append(view_of(cases.labelled, setting.encoder, setting.seed))
        except CannotMeasure as why:
            notes.append(str(why))
    if not views:
        raise CannotMeasure(" ".join(("Nothing can be filtered.", *notes)))
    return views, tuple(notes)


def _filtered(
    subject: Subject,
    views: list[View],
    splits: Mapping[str, str],
    keep: float,
    partitions: Partitions,
    seed: int,
    notes: tuple[str, ...],
    watch: Watch,
) -> Hardening:
    sizes = Counter(splits.values())
    spare = {split: size - math.ceil(keep * size) for split, size in sizes.items()}
    left = set(splits)
    dropped: dict[str, Dropped] = {}
    scores: dict[str, float] = {}
    number = 0
    while True:
        number += 1
        now = _scored(views, left, partitions, seed, partial(watch, number))
        scores |= now
        whole = sum(_room(spare, sizes, partitions).values())
        gone = _slice(now, splits, spare, sizes, partitions)
        for name in gone:
            spare[splits[name]] -= 1
            dropped[name] = Dropped(number, now[name])
        left -= set(gone)
        if len(gone) < whole or not any(spare.values()):
            break
    everything = {item.id for item in subject.read()}
    unjudged = len(everything - set(splits))
    told = (f"{unjudged} items without a known answer were kept.",) if unjudged else ()
    return Hardening(frozenset(everything - set(dropped)), dropped, scores, number, (*notes, *told))


def _scored(
    views: list[View], left: set[str], partitions: Partitions, seed: int, watch: Callable[[int], None]
) -> dict[str, float]:
    """The predictability of each item that is left, on average over the tasks that tried it."""
    found: dict[str, list[float]] = {}
    for view in views:
        active = np.array([case.id in left for case in view.cases])
        scored = predictability(view, active, partitions, seed, watch)
        for case, score in zip(view.cases, scored, strict=True):
            if not math.isnan(score):
                found.setdefault(case.id, []).append(float(score))
    return {name: sum(scores) / len(scores) for name, scores in found.items()}


def _slice(
    scores: Mapping[str, float],
    splits: Mapping[str, str],
    spare: Mapping[str, int],
    sizes: Mapping[str, int],
    partitions: Partitions,
) -> list[str]:
    """The most predictable items, in each split no more than a slice of it and than may be dropped at all."""
    room = _room(spare, sizes, partitions)
    found = []
    for name in sorted(scores, key=lambda name: (-scores[name], name)):
        if scores[name] < partitions.threshold:
            break
        if room[splits[name]] > 0:
            room[splits[name]] -= 1
            found.append(name)
    return found


def _room(spare: Mapping[str, int], sizes: Mapping[str, int], partitions: Partitions) -> dict[str, int]:
    """How many items of each split one round may drop."""
    return {split: min(count, math.ceil(partitions.slice * sizes[split])) for split, count in spare.items()}


def hardened(
    items: Iterable[Item],
    keep: Collection[str],
    predictable: Mapping[str, float],
    made: Mapping[str, Any] | None = None,
) -> Iterator[Item]:
    """The items to keep, each with its predictability in its provenance, and how the subset was made."""
    for item in items:
        if item.id not in keep:
            continue
        told: dict[str, Any] = dict(made or {})
        if item.id in predictable:
            told["predictability"] = round(predictable[item.id], 4)
        yield structs.replace(item, provenance={**item.provenance, "audit": told})

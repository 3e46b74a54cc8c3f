"""What came of making sets: how many after each step, what was left out and why, how alike they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from commonsight.build.imaging.sets.composing import STAGES, Made
from commonsight.build.imaging.sets.values import IMAGE_REASONS, SET_REASONS, Pool
from commonsight.build.imaging.sets.vectors import Places, Vectors, cosines, mean_cosine

RANDOM = 500
"""Groups that are drawn at random, to compare with."""


class Stage(Struct, frozen=True):
    """Sets and images that were left after a step."""

    stage: str
    sets: int
    images: int


class Alike(Struct, frozen=True):
    """The mean cosine of two images of a group, and of groups drawn at random from the same images."""

    made: float
    random: float


class SetsReport(Struct, frozen=True):
    """What `build sets` measures."""

    images: int
    """That were given."""
    stages: tuple[Stage, ...]
    dropped: dict[str, int]
    """Images, by the reason."""
    discarded: dict[str, int]
    """Sets, by the reason."""
    sets: int
    interesting: float | None
    """The share of interesting images in the sets; None where nobody said which are."""
    similarity: Alike | None
    """None where there are no sets."""


def sets_report(pool: Pool, made: Made, *, seed: int) -> SetsReport:
    """Everything that can be counted of one making."""
    members = [member for one in made.sets for member in one.images]
    rows = {one.sha256: one.row for one in pool.seen if one is not None}
    groups = [np.array([rows[member.sha256] for member in one.images]) for one in made.sets]
    dropped = Counter(one.reason for one in made.dropped)
    discarded = Counter(one.reason for one in made.discarded)
    told = sum(member.interesting for member in members)
    return SetsReport(
        len(pool.candidates),
        (
            *(Stage(name, made.sets_after[name], made.images_after[name]) for name in STAGES),
            Stage("sets", len(made.sets), len(members)),
        ),
        {reason: dropped[reason] for reason in IMAGE_REASONS if dropped[reason]},
        {reason: discarded[reason] for reason in SET_REASONS if discarded[reason]},
        len(made.sets),
        told / len(members) if pool.interesting and members else None,
        alike(pool.vectors, groups, seed=seed) if groups else None,
    )


def alike(vectors: Vectors, groups: Sequence[Places], *, seed: int) -> Alike:
    """How alike the images of each group are, against groups of the same size drawn at random."""
    rng = np.random.default_rng(seed)
    everyone = np.concatenate(groups)
    sizes = [len(groups[number % len(groups)]) for number in range(RANDOM)]
    drawn = [rng.choice(everyone, size, replace=False) for size in sizes]
    return Alike(_mean(vectors, groups), _mean(vectors, drawn))


def _mean(vectors: Vectors, groups: Sequence[Places]) -> float:
    means = [mean_cosine(cosines(vectors, group)) for group in groups if len(group) > 1]
    return round(float(np.mean(means)), 4) if means else 1.0

"""A-OKVQA's tasks: every image in one group of images that are alike, and how alike they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct, structs

from commonsight.build.imaging.sets.clusters import clusters
from commonsight.build.imaging.sets.gallery import Seen
from commonsight.build.imaging.sets.lists import Candidate
from commonsight.build.imaging.sets.report import Alike, alike
from commonsight.build.imaging.sets.telling import Telling, silent
from commonsight.build.imaging.sets.values import Dropped
from commonsight.build.imaging.sets.vectors import Some, Vectors, cosines, mean_cosine
from commonsight.build.imaging.sets.writing import DROPPED, REPORT, write_lines
from commonsight.store.documents import write_document

CLUSTERS = "clusters.jsonl"


class ClusterImage(Struct, frozen=True):
    """An image of a cluster."""

    image: str
    sha256: str
    path: str


class Cluster(Struct, frozen=True):
    """Images that one person is shown, the most typical first."""

    cluster: int
    images: tuple[ClusterImage, ...]
    similarity: float
    """The mean cosine of two of its images."""


class ClustersReport(Struct, frozen=True):
    """What `build clusters` measures."""

    images: int
    clusters: int
    dropped: dict[str, int]
    similarity: Alike


class Clustered(NamedTuple):
    """The clusters, and what was left out."""

    clusters: list[Cluster]
    dropped: list[Dropped]
    report: ClustersReport


def clustered(
    candidates: Sequence[Candidate],
    seen: Sequence[Seen | None],
    vectors: Vectors,
    *,
    size: int,
    seed: int,
    telling: Telling = silent,
) -> Clustered:
    """Every image that can be seen, once, in a cluster."""
    dropped: list[Dropped] = []
    first: dict[str, int] = {}
    for place, (candidate, one) in enumerate(zip(candidates, seen, strict=True)):
        if one is None:
            dropped.append(Dropped(candidate.image, "not downloaded"))
        elif one.fault is not None:
            dropped.append(Dropped(candidate.image, "broken", why=one.fault))
        elif (before := first.setdefault(one.sha256, place)) != place:
            dropped.append(Dropped(candidate.image, "exact duplicate", of=candidates[before].image))
    kept = [(candidates[place], one) for place in first.values() if (one := seen[place]) is not None]
    counts: dict[str, int] = {**Counter(one.reason for one in dropped)}
    if not kept:
        return Clustered([], dropped, ClustersReport(0, 0, counts, Alike(1.0, 1.0)))
    own = Some(vectors, np.array([one.row for _, one in kept]))
    groups = clusters(own, size=size, seed=seed, telling=telling)
    images = [ClusterImage(candidate.image, one.sha256, one.path) for candidate, one in kept]
    made = [
        Cluster(number, tuple(images[place] for place in group), round(mean_cosine(cosines(own, group)), 4))
        for number, group in enumerate(groups)
    ]
    report = ClustersReport(len(kept), len(made), counts, alike(own, groups, seed=seed))
    return Clustered(made, dropped, report)


def write_clusters(folder: Path, made: Clustered, told: Mapping[str, Any]) -> None:
    """All files, into a folder that takes its name when they are there."""
    write_lines(folder / CLUSTERS, made.clusters)
    write_lines(folder / DROPPED, made.dropped)
    write_document(folder / REPORT, {**told, **structs.asdict(made.report)})

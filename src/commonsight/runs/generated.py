"""Texts that a model wrote about items, judged by those that people wrote: rationales, as in A-OKVQA 5.3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import InputError, PredictionError
from commonsight.runs.contexts import read_contexts
from commonsight.score.intervals import Figure, figure
from commonsight.score.meteor import Synonyms, matching_told, meteor
from commonsight.score.predictions import SHOWN, named
from commonsight.score.sacre_bleu import sacre_bleu
from commonsight.score.scoring import Scoring


class TextReport(Struct, frozen=True):
    """The one object that `--json` prints."""

    benchmark: str
    n: int
    metrics: dict[str, Figure]
    failures: dict[str, int] = {}
    steps: tuple[str, ...] = ()
    """How the metrics were computed."""
    clustered_by: str | None = None


@dataclass
class _Paired:
    """Texts beside what people wrote."""

    texts: list[str]
    references: list[list[str]]
    clusters: list[str]
    missing: list[str]


def judge_texts(
    path: Path,
    benchmark: Benchmark[Scoring],
    items: Iterable[Item],
    *,
    synonyms: Synonyms | None = None,
    allow_missing: bool = False,
    confidence: float = 0.95,
    seed: int = 0,
) -> TextReport:
    """SacreBLEU and METEOR of the texts of a file of contexts, against all rationales of each item."""
    paired = _paired(path, benchmark, items, allow_missing=allow_missing)
    bleu = sacre_bleu(
        paired.texts, paired.references, paired.clusters, confidence=confidence, seed=seed
    )
    shared = meteor(paired.texts, paired.references, synonyms)
    return TextReport(
        benchmark.name,
        len(paired.texts),
        {
            "sacrebleu": bleu.figure,
            "meteor": figure(shared, paired.clusters, confidence=confidence, seed=seed),
        },
        {"missing": len(paired.missing)} if paired.missing else {},
        (f"SacreBLEU: {bleu.signature}", matching_told(synonyms)),
        benchmark.scoring.clustered_by,
    )


def _paired(
    path: Path, benchmark: Benchmark[Scoring], items: Iterable[Item], *, allow_missing: bool
) -> _Paired:
    given = read_contexts(path)
    found = _Paired([], [], [], [])
    known = set()
    for item in items:
        known.add(item.id)
        if not item.rationales:
            raise InputError(f"Item {item.id} has no rationales to compare with. Use a split that has them.")
        if item.id not in given:
            found.missing.append(item.id)
        found.texts.append(given.get(item.id, ""))
        found.references.append([text.bracketed(item.labels) for text in item.rationales])
        found.clusters.append(benchmark.scoring.cluster_of(item))
    if not found.texts:
        raise InputError("There are no items to compare with. Name data that has some.")
    unknown = [item for item in given if item not in known]
    if unknown:
        raise PredictionError(
            f"{path}: a text for {named(unknown[:SHOWN], len(unknown))}, which the data does not have. Check "
            "that both are of the same split."
        )
    if found.missing and not allow_missing:
        raise PredictionError(
            f"{path}: no text for {named(found.missing[:SHOWN], len(found.missing))}. Write one for every "
            "item, or add --allow-missing to score missing ones as empty."
        )
    return found

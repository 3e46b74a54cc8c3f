"""SacreBLEU (Post, 2018): BLEU of a whole corpus with tokenization and smoothing that a signature names.

Counts come text by text from the library itself, so that texts of one picture can be drawn together for the
interval; summed up they are the corpus's own, and so is the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from commonsight.errors import MissingExtra
from commonsight.score.intervals import Clusters, Figure, Floats, cluster_codes, resampled_means
from commonsight.score.intervals import percentile_interval as percentiles

RESAMPLES = 1000
ORDERS = 4


class SacreBleu(NamedTuple):
    """The score, and how it was computed in the library's own short form."""

    figure: Figure
    signature: str


def sacre_bleu(
    texts: Sequence[str],
    references: Sequence[Sequence[str]],
    clusters: Clusters | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> SacreBleu:
    """The corpus's BLEU in [0, 1], each text against all of its references.

    A corpus's score is no mean, so the figure's `k` is only the score times the number of texts.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise MissingExtra("sacrebleu", "nlp") from error
    if not texts:
        raise ValueError("BLEU needs at least one text")
    metric: Any = BLEU()
    pairs = zip(texts, references, strict=True)
    counts = np.array([_counts(metric, text, several) for text, several in pairs])  # (text, count)
    codes = cluster_codes(clusters, len(texts))
    value = _score(metric, counts.sum(axis=0))
    means = resampled_means(counts, codes, seed=seed, resamples=RESAMPLES)
    drawn = np.array([_score(metric, row) for row in len(texts) * means])
    low, high = percentiles(drawn, confidence)
    groups = int(codes.max()) + 1
    error_bar = float(drawn.std(ddof=1)) if groups > 1 else None
    told = Figure(
        value, min(low, value), max(high, value), value * len(texts), len(texts), error_bar, groups,
        "bootstrap of the corpus",
    )  # fmt: skip
    metric.corpus_score(list(texts), _streams(references))  # the signature tells of the last one scored
    return SacreBleu(told, str(metric.get_signature()))


def _counts(metric: Any, text: str, references: Sequence[str]) -> Floats:
    """Matches and totals of runs of one to four tokens, and both lengths."""
    found = metric.corpus_score([text], [[one] for one in references])
    return np.array([*found.counts, *found.totals, found.sys_len, found.ref_len], np.float64)


def _score(metric: Any, counts: Floats) -> float:
    whole = np.rint(counts).astype(int).tolist()  # resamples are scaled to the corpus's size
    matches, totals, (length, reference) = whole[:ORDERS], whole[ORDERS : 2 * ORDERS], whole[2 * ORDERS :]
    if not length:
        return 0.0
    found = metric.compute_bleu(
        matches, totals, length, reference, smooth_method="exp", max_ngram_order=ORDERS
    )
    return min(1.0, float(found.score) / 100)  # rounding may leave a hair above


def _streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """The first reference of every text, the second of every text …; None where one has fewer."""
    most = max(map(len, references))
    return [[several[at] if at < len(several) else None for several in references] for at in range(most)]

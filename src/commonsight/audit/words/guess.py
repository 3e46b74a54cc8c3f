"""What a guess by words alone earns: words are chosen on some groups and tried on the others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from commonsight.audit.listwise import Rows, earned
from commonsight.audit.words.grams import Grams, Ints
from commonsight.audit.words.stats import Sums, Tested, artifacts, log_odds, significance, totals
from commonsight.score.intervals import Floats


class Choosing(NamedTuple):
    """When a gram counts as telling."""

    rate: float
    effect: float
    least: int
    least_groups: int
    any_dependence: bool

    def test(self, sums: Sums, groups: Any = None, *, share: float = 1.0) -> Tested:
        """The tests on some groups; where these are only a share of all, fewer texts are enough."""
        found = totals(sums, groups)
        return significance(found, self.least_groups, self.least * share, any_dependence=self.any_dependence)

    def chosen(self, grams: Grams, found: Tested) -> Ints:
        """The telling ones, the strongest first."""
        return artifacts(grams, found, self.rate, self.effect)


class Guessed(NamedTuple):
    """By item: what the guess earns, what a guess without words earns, and how sure the words are."""

    credit: Floats
    without: Floats
    decided: Any
    margin: Floats


def guess_choices(
    grams: Grams, sums: Sums, rows: Rows, choosing: Choosing, fold_of: Ints
) -> Guessed:
    """The choice that words speak for; `sums` are those of wrong choices, so the least wrong is taken."""
    groups = rows.cases.groups
    scores = np.zeros(len(rows.item_of))
    for fold in np.unique(fold_of).tolist():
        weights = _weights(grams, sums, choosing, _others(groups, fold_of, fold))
        here = fold_of[rows.item_of] == fold
        scores[here] = -(grams.holds[here] @ weights)
    result = earned(scores, rows)
    return Guessed(result.credit, rows.chances, result.decided, result.margin)


def guess_labels(
    grams: Grams, sums: list[Sums], codes: Ints, groups: Ints, choosing: Choosing, fold_of: Ints
) -> Guessed:
    """The label that is common and that words speak for; `codes` count labels from 0, rare ones are -1."""
    scores = np.zeros((len(codes), len(sums)))
    prior = np.zeros_like(scores)
    for fold in np.unique(fold_of).tolist():
        others, here = _others(groups, fold_of, fold), fold_of == fold
        seen = codes[~here]
        counts = np.bincount(seen[seen >= 0], minlength=len(sums)) + 0.5
        prior[here] = np.log(counts / counts.sum())
        for label, one in enumerate(sums):
            scores[here, label] = grams.holds[here] @ _weights(grams, one, choosing, others)
    both = scores + prior
    return Guessed(
        (both.argmax(axis=1) == codes).astype(np.float64),
        (prior.argmax(axis=1) == codes).astype(np.float64),
        np.abs(scores).max(axis=1, initial=0.0) > 0,
        np.take_along_axis(scores, np.maximum(codes, 0)[:, np.newaxis], axis=1)[:, 0],
    )


def _others(groups: Ints, fold_of: Ints, fold: int) -> Any:
    """The groups that are not in the fold."""
    chosen = np.ones(int(groups.max()) + 1, bool)
    chosen[groups[fold_of == fold]] = False
    return chosen


def _weights(grams: Grams, sums: Sums, choosing: Choosing, chosen: Any) -> Floats:
    found = choosing.test(sums, chosen, share=float(chosen.mean()))
    return log_odds(found, choosing.chosen(grams, found))



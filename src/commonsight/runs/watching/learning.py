"""What the work so far tells: usual lengths, words that lean, what stands out, a model that is blind.

The tests are the audit's own, with its corrections for many tests and for items that stand together. What
is too little to go on tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from commonsight.audit.blind.features import TextFeatures
from commonsight.audit.blind.lists import Floats, Listing, folded, softmax
from commonsight.audit.blind.solvers import Linear, listwise_weights
from commonsight.audit.cases import Cases, case_of, shared_groups
from commonsight.audit.chance import MATTERS, surely_above
from commonsight.audit.listwise import Rows, earned, rows_of
from commonsight.audit.probe import CannotMeasure
from commonsight.audit.shortcuts.features import FEATURES, columns_of
from commonsight.audit.shortcuts.findings import UNLIKELY
from commonsight.audit.shortcuts.picks import rules_of
from commonsight.audit.words import probe as words
from commonsight.audit.words.grams import grams_of
from commonsight.audit.words.guess import Choosing
from commonsight.audit.words.stats import by_choices
from commonsight.build.matching.threads import one_thread
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.runs.plain import CHOOSE, group
from commonsight.runs.watching.values import Blind, Kind, Learned, Place, Standout, Telling, Usual
from commonsight.text.encoders import Encoder

LEAST_TEXTS = 20
"""Texts of a field from which on one may speak of what is usual."""
LEAST_ITEMS = 40
"""Items with choices from which on anything is learned from them; the tests ask for more where they must."""
FALSE_DISCOVERY = 0.05
FOLDS = 3
FAMILIES: Mapping[str, Kind] = {"length": "length", "overlap": "likeness", "tag-overlap": "likeness"}
"""Families of shortcuts that a writer can do something about, and what a warning about them is."""


def learn(
    items: Sequence[Item],
    lengths: Mapping[Place, Sequence[int]],
    encoder: Encoder,
    *,
    records: int = 0,
    seed: int = 0,
) -> Learned:
    """All that these items, and the numbers of words of earlier texts, tell."""
    usual = {place: _usual(counts) for place, counts in lengths.items() if len(counts) >= LEAST_TEXTS}
    cases = cases_of(items)
    if len(cases) < LEAST_ITEMS:
        return Learned(records, usual)
    rows = rows_of(cases)
    with one_thread():  # beside a server that has pages to give out
        blind = blind_model(cases, encoder, seed)
    return Learned(records, usual, telling_words(rows), standouts(rows), blind)


def cases_of(items: Iterable[Item]) -> Cases:
    """The items that have several choices and a right one, as the audit sees them."""
    kept = [
        item
        for item in items
        if isinstance(item.gold, Pick) and 0 <= item.gold.index < len(item.choices) > 1
    ]
    groups = shared_groups(kept)
    found = (case_of(item, CHOOSE, group(item), groups) for item in kept)
    return Cases(CHOOSE.name, CHOOSE.title, "pick", [case for case in found if case is not None])


def _usual(counts: Sequence[int]) -> Usual:
    low, middle, high = np.quantile(np.asarray(counts, np.float64), (0.05, 0.5, 0.95)).tolist()
    return Usual(len(counts), low, middle, high)


def telling_words(rows: Rows) -> dict[str, Telling]:
    """Words and runs of words that lean, by the audit's tests with its false-discovery control."""
    said = [text for texts in rows.cases.said for text in texts]
    grams = grams_of(said, least=words.LEAST)
    if not grams.names:
        return {}
    choosing = Choosing(FALSE_DISCOVERY, words.EFFECT, words.LEAST, words.LEAST_GROUPS, any_dependence=False)
    found = choosing.test(by_choices(grams.holds, rows.item_of, ~rows.right, rows.cases.groups))
    telling = {}
    for at in choosing.chosen(grams, found).tolist():
        wrong, usual = float(found.share[at]), float(found.usual[at])
        leans = wrong > usual
        share, chance = (wrong, usual) if leans else (1 - wrong, 1 - usual)
        telling[grams.names[at]] = Telling(leans, share, chance, int(found.held[at]))
    return telling


def standouts(rows: Rows) -> tuple[Standout, ...]:
    """Ways to pick by length, or by likeness to what is asked, that beat a guess; the surest of each kind."""
    columns = columns_of(rows)
    most = {(one.name, one.most) for one in FEATURES}
    best: dict[Kind, Standout] = {}
    for rule in sorted(rules_of(rows, columns), key=lambda one: -one.z):
        kind, reached = FAMILIES.get(rule.family), float(rule.earned.credit.mean())
        if kind is None or kind in best or rule.p > UNLIKELY or reached <= rows.chance + MATTERS:
            continue
        sign = 1.0 if (rule.feature, rule.says) in most else -1.0
        best[kind] = Standout(kind, rule.feature, sign, rule.says, reached, rows.chance)
    return tuple(best.values())


def blind_model(cases: Cases, encoder: Encoder, seed: int) -> Blind | None:
    """A model of the choices alone; None where it does not surely beat a guess on what it has not seen."""
    listing = Listing(cases)
    features = blind_features(listing, encoder)
    try:
        folds = folded(cases, FOLDS, seed)
    except CannotMeasure:
        return None
    scores = np.zeros(len(listing.item))
    for fold in range(folds.parts):
        held = folds.of == fold
        rows = listing.to_learn(held)
        if rows.any():
            scores[held[listing.item]] = features[held[listing.item]] @ _weights(listing, features, rows)
    credit = earned(scores, rows_of(cases)).credit
    chances = 1.0 / listing.sizes
    if surely_above(credit - chances, cases.groups) <= 0:  # as sure as an audit's alarms: it is asked often
        return None
    everything = np.ones(len(listing.item), np.bool_)
    weights = _honesty(listing, scores) * _weights(listing, features, everything)
    return Blind(weights, float(credit.mean()), float(chances.mean()))


def _honesty(listing: Listing, scores: Floats) -> float:
    """What scores of unseen items must be multiplied by for their chances to come true: what was learned by
    heart is far too sure of itself."""
    from scipy.optimize import minimize_scalar

    def surprise(factor: float) -> float:
        chances = softmax(factor * scores, listing.starts)[listing.right]
        return float(-np.log(np.maximum(chances, 1e-300)).sum())

    return float(minimize_scalar(surprise, bounds=(0.0, 2.0), method="bounded").x)


def blind_features(listing: Listing, encoder: Encoder) -> Floats:
    """What the blind model sees of each choice: (choice, feature). Each item's depend on that item alone."""
    return np.asarray(TextFeatures(listing, encoder, 0).together, np.float64)


def _weights(listing: Listing, features: Floats, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    learner = Linear()
    return listwise_weights(features[rows], listing.lists(rows), learner.penalty, learner.steps)

"""What words tell about a label: pointwise mutual information, and tests that know which texts stand
together.

z as in Gardner et al. (2021), "Competency problems": in a set without artifacts no word alone tells the
label, so the share of a label among the texts with a word should be the label's own share p0. Beside their z,
which takes texts for independent, stands one that goes by items and groups (see `chance`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.chance import Deviation, q_values, two_sided, z_of
from commonsight.audit.words.grams import Grams, Ints
from commonsight.score.intervals import Floats

SMOOTHING = 100.0
"""What Gururangan et al. (2018) add to every count of a word with a label, so that rare words do not lead."""


class Sums(NamedTuple):
    """By group and gram, sparse (group, gram): all that the tests need, so that folds are mere sums."""

    held: Any
    """Texts that hold the gram."""
    hits: Any
    """Of these, those with the label."""
    expected: Any
    variance: Any
    off: Any
    """Hits less expected ones."""


class Tested(NamedTuple):
    """One row a gram."""

    held: Floats
    hits: Floats
    expected: Floats
    enough: NDArray[np.bool_]
    """Whether it was tested at all."""
    plain: Floats
    """Gardner's z."""
    z: Floats
    """The same by items and groups."""
    q: Floats

    @property
    def share(self) -> Floats:
        """The share of the label among the texts that hold the gram."""
        return _over(self.hits, self.held)

    @property
    def usual(self) -> Floats:
        """p0: what that share would be by chance."""
        return _over(self.expected, self.held)


def by_choices(holds: Any, item_of: Ints, target: NDArray[np.bool_], groups: Ints) -> Sums:
    """Choices of items: the label is dealt out anew within each item (a hypergeometric draw)."""
    from scipy.sparse import csr_matrix

    rows, items = len(item_of), len(groups)
    member = csr_matrix((np.ones(rows), (item_of, np.arange(rows))), shape=(items, rows))
    sizes = np.bincount(item_of, minlength=items).astype(np.float64)
    wanted = np.bincount(item_of, weights=target, minlength=items)
    held = (member @ holds).tocsr()  # (item, gram)
    hits = (member @ holds.multiply(target[:, np.newaxis]).tocsr()).tocsr()
    size, want = (np.repeat(column, np.diff(held.indptr)) for column in (sizes, wanted))
    count = held.data
    expected, variance = held.copy(), held.copy()
    expected.data = count * want / size
    variance.data = count * want * (size - want) * (size - count) / (size**2 * np.maximum(1, size - 1))
    return _summed(held, hits, expected, variance, groups)


def by_items(holds: Any, target: NDArray[np.bool_], groups: Ints) -> Sums:
    """One text an item: the label has the same share everywhere."""
    share = float(target.mean())
    hits = holds.multiply(target[:, np.newaxis]).tocsr()
    return _summed(holds, hits, holds * share, holds * (share * (1 - share)), groups)


def _summed(held: Any, hits: Any, expected: Any, variance: Any, groups: Ints) -> Sums:
    from scipy.sparse import csr_matrix

    count = int(groups.max(initial=-1)) + 1
    items = np.arange(len(groups))
    together = csr_matrix((np.ones(len(groups)), (groups, items)), shape=(count, len(groups)))
    held, hits, expected, variance = ((together @ one).tocsr() for one in (held, hits, expected, variance))
    return Sums(held, hits, expected, variance, (hits - expected).tocsr())


class Totals(NamedTuple):
    """The sums over all groups, or over some: dense, one row a gram."""

    held: Floats
    hits: Floats
    expected: Floats
    deviation: Deviation


def totals(sums: Sums, chosen: NDArray[np.bool_] | None = None) -> Totals:
    """Over the groups that are chosen, by default all."""
    weights = np.ones(sums.held.shape[0]) if chosen is None else chosen.astype(np.float64)

    def over(column: Any) -> Floats:
        return np.asarray(weights @ column, np.float64).ravel()

    off, v = sums.off, sums.variance
    squares = (over(off.multiply(off)), over(off.multiply(v)), over(v.multiply(v)))
    deviation = Deviation(over(off), over(v), *squares, groups=over(v > 1e-12))
    return Totals(over(sums.held), over(sums.hits), over(sums.expected), deviation)


def significance(found: Totals, least_groups: int, least: float, *, any_dependence: bool = False) -> Tested:
    """The tests; grams of too few groups or texts are not tested: their z is 0 and their q is 1."""
    enough = (found.deviation.groups >= least_groups) & (found.held >= least)
    z = np.where(enough, z_of(found.deviation), 0.0)
    q = np.ones_like(z)
    q[enough] = q_values(two_sided(z[enough]), any_dependence=any_dependence)
    usual = _over(found.expected, found.held)
    plain = _over(found.hits - found.expected, np.sqrt(found.held * usual * (1 - usual)))
    return Tested(found.held, found.hits, found.expected, enough, plain, z, q)


def artifacts(grams: Grams, found: Tested, rate: float, effect: float) -> Ints:
    """The grams that tell the label, the strongest first; runs that only repeat what a word of theirs tells
    are left out."""
    telling = (found.q <= rate) & (np.abs(found.share - found.usual) >= effect)
    order = np.flatnonzero(telling)
    order = order[np.lexsort((order, -np.abs(found.z[order])))]
    strength = {grams.names[at]: found.z[at] for at in order.tolist()}
    return np.array([at for at in order.tolist() if not _repeats(grams.names[at], strength)], np.int64)


def _repeats(run: str, strength: dict[str, float]) -> bool:
    """Whether a shorter run inside this one tells the same, and as strongly."""
    words = run.split(" ")
    parts = [
        " ".join(words[start : start + size])
        for size in range(1, len(words))
        for start in range(len(words) - size + 1)
    ]
    own = strength[run]
    return any(strength.get(part, 0.0) * np.sign(own) >= abs(own) for part in parts)


def log_odds(found: Tested, chosen: Ints, *, prior: float = 5.0) -> Floats:
    """How much each chosen gram speaks for the label, drawn towards nothing by `prior` texts; else 0."""
    weights = np.zeros_like(found.z)
    usual = found.usual[chosen]
    hits = found.hits[chosen] + prior * usual
    misses = found.held[chosen] - found.hits[chosen] + prior * (1 - usual)
    weights[chosen] = np.log(hits / misses) - np.log(usual / (1 - usual))
    return weights


def association(counts: Floats, smoothing: float = SMOOTHING) -> Floats:
    """PMI in nats, (word, label), of how many texts of each label hold each word.

    log p(word, label) / (p(word) p(label)), every count raised by `smoothing` first: Gururangan et al.
    (2018), "Annotation artifacts", and PMR, section 4.3.
    """
    raised = counts + smoothing
    whole = raised.sum()
    if not whole:
        return np.zeros_like(raised)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = raised * whole / (raised.sum(axis=1, keepdims=True) * raised.sum(axis=0, keepdims=True))
        found: Floats = np.log(ratio)
    return np.nan_to_num(found, nan=0.0, neginf=-np.inf)


def _over(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(below), where=below > 0)

"""A logistic regression on how many people and how many other objects there are (VCR, appendix B.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.build.imaging.interest.curves import PRECISION, average, curve, threshold_for
from commonsight.build.imaging.interest.lessons import Judgement, Learned, Rated, groups
from commonsight.build.imaging.sightings import Sighting
from commonsight.store.documents import read_document, write_document

FOLDS = 5
"""Every picture is judged by a model that was fitted without it, so that the threshold holds for new ones."""


class CountsModel(Struct, frozen=True, tag="counts"):
    """What was learned."""

    people: float
    """What one person more adds to the logarithm of the odds."""
    others: float
    """The same for any other object."""
    bias: float
    threshold: float
    """Pictures with at least this chance are chosen."""
    precision: float
    """That choosing by it had on pictures that were held out."""
    rated: int

    def chances(self, seen: Sequence[Sighting]) -> NDArray[np.float64]:
        """(picture): how likely each is interesting."""
        weighed = _features(seen) @ np.array((self.people, self.others)) + self.bias
        return np.asarray(
            0.5 * (1 + np.tanh(weighed / 2)), np.float64
        )  # the logistic function, without overflow


class Fitted(NamedTuple):
    """A model, and how well it chose among pictures that were held out."""

    model: CountsModel
    learned: Learned


def fit(rated: Rated, *, precision: float = PRECISION, seed: int = 0) -> Fitted:
    """Fit to rated pictures, of which some are interesting and some are not."""
    from sklearn.linear_model import LogisticRegression

    features, right = _features(rated.seen), np.asarray(rated.interesting, np.bool_)
    held_out = _held_out(features, right, seed)
    chosen = threshold_for(held_out, right.tolist(), precision)
    found = LogisticRegression().fit(features, right)
    people, others = found.coef_[0].tolist()
    model = CountsModel(
        people, others, float(found.intercept_[0]), chosen.threshold, chosen.precision, len(right)
    )
    made = curve(held_out, right.tolist())
    return Fitted(model, Learned(len(right), int(right.sum()), chosen, made, average(made)))


def _held_out(features: NDArray[np.float64], right: NDArray[np.bool_], seed: int) -> NDArray[np.float64]:
    """(picture): each one's chance by a model that has not seen it; too few are judged by one that has."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    folds = min(FOLDS, int(right.sum()), int((~right).sum()))
    if folds < 2:
        told = LogisticRegression().fit(features, right).predict_proba(features)
    else:
        parts = StratifiedKFold(folds, shuffle=True, random_state=seed)
        told = cross_val_predict(LogisticRegression(), features, right, cv=parts, method="predict_proba")
    found: NDArray[np.float64] = np.asarray(told[:, 1], np.float64)
    return found


def _features(seen: Sequence[Sighting]) -> NDArray[np.float64]:
    """(picture, 2): people, and objects that are none."""
    return np.array([(one.people, one.objects - one.people) for one in seen], np.float64).reshape(-1, 2)


def save(path: Path, model: CountsModel) -> None:
    """As JSON."""
    write_document(path, model)


def load(path: Path) -> CountsModel:
    """What `save` wrote."""
    return read_document(path, CountsModel, remedy="Give a model of `commonsight build learn-interest`.")


def judgements(seen: Iterable[Sighting], model: CountsModel) -> Iterator[Judgement]:
    """What a model says of each picture."""
    for group in groups(seen):
        for one, chance in zip(group, model.chances(group).tolist(), strict=True):
            yield Judgement(one, chance, chance >= model.threshold)

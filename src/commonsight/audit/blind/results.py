"""One task tried by all blind solvers; the results are kept, as more than one probe goes by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from commonsight.audit.blind.baselines import label_baselines, pick_baselines
from commonsight.audit.blind.features import TextFeatures
from commonsight.audit.blind.labels import Labels, label_picture_sight, label_sights
from commonsight.audit.blind.lists import Floats, Folds, Listing, folded
from commonsight.audit.blind.pictures import Pictures, pictures_of
from commonsight.audit.blind.sights import Others, Sight, pick_sights, picture_sight
from commonsight.audit.blind.solvers import ChoiceSolver
from commonsight.audit.cases import Cases
from commonsight.audit.probe import CannotMeasure, Setting, Subject

NO_PICTURES = (
    "What the picture alone tells was not measured: there are neither pictures nor objects listed with them. "
    "Give the folder of the pictures."
)


@dataclass(frozen=True)
class BlindResults:
    """What was got on one task, by sight and by baseline."""

    cases: Cases
    sights: tuple[Sight, ...]
    baselines: dict[str, Floats]
    """What each earns on every item."""
    parts: int
    """In how many parts items were held out."""
    notes: tuple[str, ...]
    """What a reader must know: how items were held out, what pictures were made of."""
    skipped: tuple[str, ...]

    @property
    def base(self) -> float:
        """What is got for nothing: by chance; where items share the answers, also by the most frequent."""
        chance = float(self.baselines["chance"].mean())
        return chance if self.cases.kind == "pick" else max(chance, float(self.baselines["majority"].mean()))


@contextmanager
def one_thread() -> Iterator[None]:
    """Threads that wait for each other cost more than they bring on matrices of this size.

    And the last bit of a sum would depend on how many there are.
    """
    import_module("sklearn.ensemble")  # only libraries that are loaded can be limited
    limits = import_module("threadpoolctl").threadpool_limits  # comes with scikit-learn
    with limits(limits=1):
        yield


def tried(
    subject: Subject, cases: Cases, setting: Setting, extra: Sequence[ChoiceSolver], trees: int
) -> BlindResults:
    """All sights of one task, whose cases are all labelled."""
    others = Others(tuple(extra), trees)
    with one_thread():
        folds = folded(cases, setting.folds, setting.seed)
        pictures = pictures_of(subject, cases)
        if cases.kind == "pick":
            sights, baselines = _picks(cases, folds, setting, others, pictures)
        else:
            sights, baselines = _labels(cases, folds, setting, others, pictures)
    told = () if pictures is None else (f"Pictures: {pictures.told}; {len(pictures.items)} items.",)
    notes = tuple(note for note in (folds.note, *told) if note)
    skipped = (NO_PICTURES,) if pictures is None else ()
    return BlindResults(cases, tuple(sights), baselines, folds.parts, notes, skipped)


Tried = tuple[list[Sight], dict[str, Floats]]


def _picks(
    cases: Cases, folds: Folds, setting: Setting, others: Others, pictures: Pictures | None
) -> Tried:
    if cases.sizes.max() < 2:
        raise CannotMeasure(f"{cases.title}: every item has only one choice, so there is nothing to choose.")
    listing = Listing(cases)
    features = TextFeatures(listing, setting.encoder, setting.seed)
    sights = list(pick_sights(listing, features, folds, others, setting.seed))
    if pictures is not None:
        part = listing if len(pictures.items) == len(cases) else Listing(_part(cases, pictures))
        same = features if part is listing else TextFeatures(part, setting.encoder, setting.seed)
        held = _part_of(folds, pictures)
        sights.append(picture_sight(part, same, held, pictures.numbers, setting.seed))
    return sights, pick_baselines(listing, folds, setting.seed)


def _labels(
    cases: Cases, folds: Folds, setting: Setting, others: Others, pictures: Pictures | None
) -> Tried:
    labels = Labels(cases)
    if labels.distinct < 2:
        raise CannotMeasure(f"{cases.title}: all items have the same answer, so there is nothing to learn.")
    sights = list(label_sights(labels, folds, setting.encoder, others, setting.seed))
    if pictures is not None:
        part = Labels(_part(cases, pictures))
        held = _part_of(folds, pictures)
        sights.append(label_picture_sight(part, held, pictures.numbers, others, setting.seed))
    return sights, label_baselines(labels, folds)


def _part(cases: Cases, pictures: Pictures) -> Cases:
    chosen = [cases.all[place] for place in pictures.items.tolist()]
    return cases if len(chosen) == len(cases) else Cases(cases.task, cases.title, cases.kind, chosen)


def _part_of(folds: Folds, pictures: Pictures) -> Folds:
    return Folds(np.asarray(folds.of[pictures.items]), folds.parts, folds.note)

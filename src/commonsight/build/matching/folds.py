"""Folds: groups that are matched together and never with others (VCR, section 4, dataset integrity).

The paper splits by movie into eleven folds, of which two are validation and test. Responses are only ever
borrowed within a fold, so no answer of the training set is a wrong choice of the test set.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from commonsight.build.matching.values import Annotation
from commonsight.errors import InputError

FOLDS = 11
SPLITS = ("train", "val", "test")


def fold_names(count: int = FOLDS) -> tuple[str, ...]:
    """`train-0` and so on, then `val-0` and `test-0`; with fewer than three folds all are for training."""
    if count < 1:
        raise ValueError("there must be at least one fold")
    if count < len(SPLITS):
        return tuple(f"train-{number}" for number in range(count))
    return (*(f"train-{number}" for number in range(count - 2)), "val-0", "test-0")


def folded(
    annotations: Sequence[Annotation], *, count: int = FOLDS, seed: int = 0
) -> dict[str, list[Annotation]]:
    """The annotations by fold, folds of about equal size, each group in one of them.

    Splits that the annotations state are kept: then only the training groups are cut into folds.
    """
    groups: dict[str, list[Annotation]] = {}
    for annotation in annotations:
        groups.setdefault(annotation.group, []).append(annotation)
    stated = {name: _stated_split(name, members) for name, members in groups.items()}
    folds: dict[str, list[Annotation]] = {name: [] for name in fold_names(count)}
    free = {name for name, split in stated.items() if split is None}
    if not free:
        folds = {name: [] for name in fold_names(count) if name.startswith("train-")}
    # Stated ones first, so that the others can even the folds out.
    for name in sorted(_by_size(groups, seed), key=lambda name: name in free):
        split = stated[name]
        open_folds = list(folds) if split is None else _of_split(folds, split)
        # Of equal ones the first: where there are fewer groups than folds, those for training come first.
        smallest = min(open_folds, key=lambda fold: len(folds[fold]))
        folds[smallest].extend(groups[name])
    order = {annotation.id: place for place, annotation in enumerate(annotations)}
    return {
        name: sorted(members, key=lambda annotation: order[annotation.id])
        for name, members in folds.items()
        if members
    }


def _stated_split(group: str, members: Sequence[Annotation]) -> str | None:
    splits = {annotation.split for annotation in members}
    if len(splits) > 1:
        told = ", ".join(sorted(split or "none" for split in splits))
        raise InputError(
            f"Group {group} is in more than one split ({told}). A group must not be torn apart: "
            "give all of its annotations the same split, or none."
        )
    return splits.pop()


def _of_split(folds: dict[str, list[Annotation]], split: str) -> list[str]:
    """The folds of a stated split; one is opened for a split that has none."""
    own = [name for name in folds if name.rpartition("-")[0] == split]
    if not own:
        own = [f"{split}-0"]
        folds[own[0]] = []
    return own


def _by_size(groups: dict[str, list[Annotation]], seed: int) -> list[str]:
    """Large groups first, so that small ones can even the folds out; equal ones in an order by the seed."""
    names = sorted(groups)
    random.Random(f"{seed}:folds").shuffle(names)
    return sorted(names, key=lambda name: -len(groups[name]))

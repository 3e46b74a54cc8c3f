"""A benchmark's adversarial half: every item once more, its wrong choices the right ones of others.

PMR doubles its size so (section 3, appendix C): for each premise the three most relevant true actions of
other items, remapped to the objects in view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import structs

from commonsight.build.matching.items import matched_items
from commonsight.build.matching.recipe import Recipe
from commonsight.build.matching.run import MatchRun
from commonsight.build.matching.values import Annotation
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.runs.derived import write_derived
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.store.info import DatasetInfo

LEAST = 4
"""Different right choices that there must be in a split: an item's own, and three that others lend."""

Matching = Callable[[list[Annotation], Recipe], MatchRun]
"""Finds wrong choices for all annotations."""


def write_adversarial(
    opening: Opening, folder: Path, recipe: Recipe, matching: Matching, *, overwrite: bool = False
) -> DatasetInfo:
    """A dataset of both halves: the items as they are, and each with wrong choices that others lend."""
    benchmark = benchmark_of(opening)
    if benchmark.rematched is None:
        raise UsageError(f"{benchmark.name} has no adversarial half. Give a PMR dataset.")
    items = [item for item in opening.read() if item.groups.get("half") != "adv"]
    annotations = [annotation_of(item) for item in items]
    _refuse_too_few(annotations)
    result = matching(annotations, recipe)
    made = {item.id: item for item in matched_items(result.matched, result.recipe)}
    number = max(int(item.id) for item in items)
    rematched = benchmark.rematched

    def both() -> Iterator[Item]:
        for place, item in enumerate(items, start=1):
            yield structs.replace(item, groups={**item.groups, "half": "ori"})
            yield rematched(item, made[item.id], str(number + place))

    used = {"relevance": result.recipe.relevance, "folds": recipe.folds, "remap": recipe.remap}
    return write_derived(
        folder, both(), opening, by="build adversarial", seed=recipe.seed, options=used, overwrite=overwrite
    )


def annotation_of(item: Item) -> Annotation:
    """What a person wrote: the texts that are given, and the right choice to them."""
    if not isinstance(item.gold, Pick):
        raise InputError(f"Item {item.id} has no right choice to lend. Give splits that have labels.")
    scene = item.scenes[0]
    return Annotation(
        item.id,
        item.groups.get("movie", scene.image),
        scene.labels,
        next(iter(item.texts.values())),
        item.choices[item.gold.index],
        image=scene.image,
        split=item.split,
    )


def _refuse_too_few(annotations: list[Annotation]) -> None:
    splits: dict[str | None, set[object]] = {}
    for annotation in annotations:
        splits.setdefault(annotation.split, set()).add(annotation.answer)
    for split, responses in splits.items():
        if len(responses) < LEAST:
            raise InputError(
                f"Split {split} has {len(responses)} different right choices, and {LEAST} are needed. "
                "Leave it out, or add items."
            )

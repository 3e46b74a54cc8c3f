"""Items that were drawn several times, one item for each drawing; and a part of the groups held out.

Networks see one picture of an item, and learn more from all of them. What is held out, to choose the best
weights by, is held out by whole groups: no sentence is in both parts (NLVR2, appendix E.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.build.questions.split import draw
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.derived import info_of, write_derived
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.store.info import DatasetInfo

Progress = Callable[[Iterator[Item], int], Iterator[Item]]
"""Is handed the items and their number, and passes them on."""
HELD_OUT = 0.05
"""Of the training groups (NLVR2, appendix E.5)."""


class HoldingOut(NamedTuple):
    """One split becomes `train`, but for some groups, which become `val`."""

    split: str
    share: float = HELD_OUT
    seed: int = 0

    def of(self, item: Item) -> str:
        """The split of an item."""
        if item.split != self.split:
            return item.split
        group = next(iter(item.groups.values()), item.id)
        return "val" if draw(f"held out:{self.seed}:{group}") % 10_000 < self.share * 10_000 else "train"


def write_drawings(
    opening: Opening,
    folder: Path,
    *,
    holding: HoldingOut | None = None,
    overwrite: bool = False,
    progress: Progress = lambda items, _: items,
) -> DatasetInfo:
    """A dataset of every drawing of every item."""
    benchmark = benchmark_of(opening)
    if benchmark.views is None:
        raise UsageError(
            f"{benchmark.name} shows each item once, so there are no further drawings. Give an NLVR dataset."
        )
    splits = info_of(opening.paths[0]).splits
    if holding is not None and holding.split not in splits:
        raise UsageError(
            f"There is no split '{holding.split}' to hold anything out of. There are: "
            f"{', '.join(sorted(splits))}."
        )
    views = benchmark.views
    total = sum(split.items for split in splits.values())

    def drawings() -> Iterator[Item]:
        for item in progress(opening.read(), total):
            for one in views(item):
                yield one if holding is None else structs.replace(one, split=holding.of(one))

    used = {} if holding is None else holding._asdict()
    seed = 0 if holding is None else holding.seed
    return write_derived(
        folder, drawings(), opening, by="build drawings", seed=seed, options=used, overwrite=overwrite
    )

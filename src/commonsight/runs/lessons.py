"""What a network is trained on or tried on: a dataset's questions as examples, and where its features lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from commonsight.core.benchmark import Ask, Benchmark, Task
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import UsageError
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.examples import Example, example_of
from commonsight.models.features.pictures import pictures_of
from commonsight.models.keeping import Keeping, Told
from commonsight.models.progress import silent
from commonsight.runs.begin import tasks_named
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, read_info
from commonsight.store.paths import cache_folder

_PICKED = ("pick", "verdict")


class Only(NamedTuple):
    """A part of a dataset, by one of the slices that its benchmark knows, such as form=adv."""

    slice: str
    label: str

    @classmethod
    def read(cls, text: str) -> Only:
        """As a person writes it."""
        name, equals, label = text.partition("=")
        if not (name and equals and label):
            raise UsageError(f"--only {text}: write SLICE=LABEL, such as form=adv.")
        return cls(name, label)


@dataclass(frozen=True)
class Lessons:
    """One dataset, of which some tasks are learned."""

    dataset: Path
    benchmark: Benchmark[Scoring]
    tasks: tuple[Task, ...]
    only: Only | None = None

    def items(self, split: str) -> list[Item]:
        """The items of a split, of the part that is meant."""
        items = Opening((self.dataset,), split=split).read()
        if self.only is None:
            return list(items)
        known = self.benchmark.scoring.slices
        if self.only.slice not in known:
            told = f"It has: {', '.join(known)}." if known else "It has none."
            raise UsageError(f"--only: {self.benchmark.name} knows no slice '{self.only.slice}'. {told}")
        labels = known[self.only.slice]
        kept = [item for item in items if self.only.label in labels(item)]
        if not kept:
            raise UsageError(f"--only {'='.join(self.only)}: split {split} has no such item.")
        return kept

    def keeping(
        self, folder: Path, items: Iterable[Item], splits: Sequence[str], *, told: Told | None = None
    ) -> Keeping:
        """Where features of these splits lie."""
        info = read_info(self.dataset)
        assert info is not None  # it was read before
        return Keeping(
            folder,
            self.dataset,
            tuple(info.splits[split].sha256 for split in splits),
            tasks=(*(task.name for task in self.tasks), *([] if self.only is None else self.only)),
            pictures=tuple(pictures_of(_stored(items))),
            told=told or (lambda _: silent),
        )


def lessons(dataset: Path, tasks: Sequence[str] = (), only: str | None = None) -> Lessons:
    """A dataset and those of its tasks that ask to pick one of several."""
    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert` or `build`.")
    opening = Opening((dataset,))
    benchmark = benchmark_of(opening)
    first = next(iter(opening.read()), None)
    if first is None:
        raise UsageError(f"{dataset}: there is no item in it.")
    wanted = tasks_named(tasks, benchmark)
    fit = tuple(task for task in wanted if _picks(task, first))
    if not fit or (tasks and len(fit) < len(wanted)):
        names = ", ".join(task.name for task in wanted)
        raise UsageError(
            f"{dataset}: {names} of {benchmark.name} has no choices to score. Choose a task that has."
        )
    return Lessons(dataset, benchmark, fit, None if only is None else Only.read(only))


def _picks(task: Task, item: Item) -> bool:
    try:
        return task.ask(item).expects in _PICKED
    except ValueError:  # it builds on a gold answer that this item does not have
        return task.given is not None


def examples(entry: Entry, asks: Iterable[Ask]) -> list[Example]:
    """Questions as this network is given them."""
    found = []
    for ask in asks:
        if entry.sees and len(ask.scenes) > 1:
            raise UsageError(
                f"Item {ask.item_id} has {len(ask.scenes)} pictures, and {entry.title} sees one. "
                "Choose a network that sees several."
            )
        found.append(example_of(ask, kept=entry.objects))
    return found


def _stored(items: Iterable[Item]) -> Iterable[Scene]:
    return (scene for item in items for scene in item.scenes if scene.stored is not None)


def feature_folder() -> Path:
    """Where features are kept unless a person says otherwise."""
    return cache_folder() / "features"

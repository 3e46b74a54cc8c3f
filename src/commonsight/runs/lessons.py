"""What a network is trained on or tried on: a dataset's questions as examples, and where its features lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from msgspec import structs

from commonsight.core.benchmark import Ask, Benchmark, Expects, Task
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.examples import NAMED, PICKED, WRITTEN, Example, example_of
from commonsight.models.features.pictures import pictures_of
from commonsight.models.keeping import Keeping, Told
from commonsight.models.progress import silent
from commonsight.models.writing.examples import as_written
from commonsight.models.writing.style import CAPTION, TOLD
from commonsight.runs.begin import tasks_named
from commonsight.runs.captions import captioning, captions_in
from commonsight.runs.choosing import choice_texts
from commonsight.runs.contexts import context_named, with_context
from commonsight.runs.knowing import Known
from commonsight.runs.labels import asked
from commonsight.runs.layouts import with_layouts
from commonsight.runs.rationales import WHY, wanted
from commonsight.runs.subject import Opening, benchmark_of
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset
from commonsight.store.paths import cache_folder


class Only(NamedTuple):
    """A part of a dataset, by one of the slices that its benchmark knows, such as half=adv."""

    slice: str
    label: str

    def __str__(self) -> str:
        return f"{self.slice}={self.label}"

    @classmethod
    def read(cls, text: str) -> Only:
        """As a person writes it."""
        name, equals, label = text.partition("=")
        if not (name and equals and label):
            raise UsageError(f"--only {text}: write SLICE=LABEL, such as half=adv.")
        return cls(name, label)


@dataclass(frozen=True)
class Lessons:
    """One dataset, of which some tasks are learned."""

    dataset: Path
    benchmark: Benchmark[Scoring]
    tasks: tuple[Task, ...]
    only: Only | None = None
    outlines: bool = False
    """Whether objects' outlines are read, too."""
    told: Callable[[Task], Task] = lambda task: task
    """A task of the benchmark with whatever is told beside its questions; `tasks` are told already."""

    def items(self, split: str) -> list[Item]:
        """The items of a split, of the part that is meant."""
        items = list(map(_light, Opening((self.dataset,), split=split, outlines=self.outlines).read()))
        if not items:
            raise InputError(f"{self.dataset}: there is no item in split {split}.")
        if self.only is None:
            return items
        labels = self.benchmark.scoring.slices[self.only.slice]
        kept = [item for item in items if self.only.label in labels(item)]
        if not kept:
            known = sorted({label for item in items for label in labels(item)})
            raise UsageError(
                f"--only {self.only}: split {split} has no such item. Its labels are: {', '.join(known)}."
            )
        return kept

    def keeping(self, folder: Path | None, items: Sequence[Item], *, told: Told | None = None) -> Keeping:
        """Where features of these items lie: in a folder of a person's choice, or in the cache."""
        return Keeping(
            folder or cache_folder() / "features",
            self.dataset,
            lambda: pictures_of(scene for item in items for scene in item.scenes),
            told=told or (lambda _: silent),
        )


def _light(item: Item) -> Item:
    """Without what no network reads: relations, and a source's notes."""
    scenes = tuple(structs.replace(scene, relations=(), extra={}) for scene in item.scenes)
    return structs.replace(item, scenes=scenes)


def lessons(
    dataset: Path,
    tasks: Sequence[str] = (),
    only: str | None = None,
    *,
    outlines: bool = False,
    entry: Entry | None = None,
    context: str | None = None,
    captions: Sequence[str] = (),
) -> Lessons:
    """A dataset and those of its tasks that this network can answer; without one, those with choices.

    A `context`, an oracle's name or a file, stands beside every question. `captions` are files to learn from.
    """
    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert` or `build`.")
    opening = Opening((dataset,))
    benchmark = benchmark_of(opening)
    first = next(iter(opening.read()), None)
    if first is None:
        raise InputError(f"{dataset}: there is no item in it.")
    told = _telling(entry, context)
    if (name := wanted(tasks, entry)) is None:
        fit = _fit(dataset, tasks, benchmark, entry, first)
    else:
        fit = (_captioning(context, captions) if name == CAPTION else WHY,)
    return Lessons(dataset, benchmark, tuple(map(told, fit)), _only(only, benchmark), outlines, told)


def _captioning(context: str | None, captions: Sequence[str]) -> Task:
    """Of files to learn from; without any, pictures can be captioned all the same."""
    if context is not None:
        raise UsageError(f"--task {CAPTION}: captions tell of a picture alone. Leave --context out.")
    return captioning(captions_in([*map(Path, captions)])) if captions else captioning()


def _fit(
    dataset: Path, tasks: Sequence[str], benchmark: Benchmark[Scoring], entry: Entry | None, first: Item
) -> tuple[Task, ...]:
    wanted = tasks_named(tasks, benchmark)
    expects = _answerable(entry)
    fit = tuple(task for task in wanted if expected(task, first) in (None, *expects))
    if not fit or (tasks and len(fit) < len(wanted)):
        names = ", ".join(task.name for task in wanted if task not in fit)
        fault = _FAULTS[expects]
        raise UsageError(
            f"{dataset}: {names} of {benchmark.name} {fault}. Choose a task that has, or another network."
        )
    if tasks or entry is None or entry.writes is None or entry.writes.tells_choices:
        return fit
    return tuple(task for task in fit if expected(task, first) == "text") or fit


_FAULTS = {
    PICKED: "has no choices to score",
    NAMED: "has no answer to name, but choices",
    WRITTEN: "wants an object to be pointed to",
}


def _answerable(entry: Entry | None) -> tuple[Expects, ...]:
    if entry is not None and entry.writes is not None:
        return WRITTEN
    return NAMED if entry is not None and entry.names else PICKED


def _telling(entry: Entry | None, context: str | None) -> Callable[[Task], Task]:
    """Tasks whose questions have a context beside them, if there is one."""
    if context is None:
        return lambda task: task
    found = context_named(context)
    after = entry is not None and entry.writes is not None and entry.writes.context == "after"

    def told(task: Task) -> Task:
        given = task.given
        return replace(
            task,
            ask=lambda item: with_context(task.ask(item), found(item), after=after),
            given=None
            if given is None
            else lambda item, place: with_context(given(item, place), found(item), after=after),
        )

    return told


def _only(text: str | None, benchmark: Benchmark[Scoring]) -> Only | None:
    if text is None:
        return None
    only, known = Only.read(text), benchmark.scoring.slices
    if only.slice not in known:
        told = f"It has: {', '.join(known)}." if known else "It has none."
        raise UsageError(f"--only: {benchmark.name} knows no slice '{only.slice}'. {told}")
    return only


def expected(task: Task, item: Item) -> Expects | None:
    """What a task asks for; None where it builds on a gold answer that this item does not have."""
    try:
        return task.ask(item).expects
    except ValueError:
        return None if task.given is not None else "text"


def choosing(given: Lessons, entry: Entry) -> tuple[Task, ...]:
    """Tasks with choices that a network answers by what it learned to name or to write, beside those that it
    learns."""
    learned = {task.name for task in given.tasks}
    if not (entry.names or entry.writes is not None) or not learned.isdisjoint(TOLD):
        return ()
    first = next(iter(Opening((given.dataset,)).read()))  # of any split: nothing may be told beside it
    wanted = {task.name: expected(task, first) for task in given.benchmark.tasks}
    if not any(wanted[name] == "text" for name in learned):
        return ()
    others = (task for task in given.benchmark.tasks if task.name not in learned)
    return tuple(given.told(task) for task in others if wanted[task.name] == "pick")


def answered(tasks: Iterable[Task], items: Sequence[Item]) -> list[Ask]:
    """The questions of all tasks of which the right answer is known; of others there may be any number."""
    asks = (asked(task, item) for task in tasks for item in items)
    return [ask for ask in asks if ask is not None and ask.gold is not None]


def examples(entry: Entry, asks: Iterable[Ask], known: Known | None = None) -> list[Example]:
    """Questions as this network is given them, with facts where there are any."""
    found = []
    for ask in asks:
        if entry.sees and entry.looks == "objects" and len(ask.scenes) > 1:
            raise UsageError(
                f"Item {ask.item_id} has {len(ask.scenes)} pictures, and {entry.title} sees one. "
                "Choose a network that sees several, or none."
            )
        scored = entry.names and entry.picks == "scored" and ask.expects == "pick"
        named = (entry.names and not scored) or (entry.writes is not None and ask.expects == "text")
        example = example_of(
            ask, kept=entry.objects, named=named, counting=entry.counts, query=entry.query
        )
        example = example if entry.writes is None else as_written(example, ask, entry.writes)
        example = structs.replace(example, choices=choice_texts(ask)) if scored else example
        found.append(example if known is None else known.given(example))
    return found if entry.layouts is None else with_layouts(entry.layouts, found)


def executable(entry: Entry, read: list[Example]) -> list[Example]:
    """Those that this network can be given: all, but for one that executes what programs say those whose own
    cannot be read."""
    return [one for one in read if not one.set_aside] if entry.executes else read


def refuse_without(entry: Entry, read: Sequence[Example]) -> None:
    """Say so where one that executes what programs say is to answer a question without one."""
    without = list(dict.fromkeys(one.item for one in read if one.program is None))
    if without:
        raise InputError(
            f"{entry.title} is given every question's program, and {len(without)} of {len(read)} have none "
            f"that can be read ({', '.join(without[:3])}). Choose nmn-cs, which answers without, or a split "
            "whose programs can be read."
        )


def set_aside_told(read: Iterable[Example]) -> str | None:
    """How many programs cannot be read, and which, if there are any; questions are told once."""
    faults = {one.item: one.set_aside for one in read if one.set_aside}
    if not faults:
        return None
    ids, first = ", ".join(list(faults)[:3]), shorten(next(iter(faults.values())), 200, placeholder=" …")
    return f"programs set aside because they cannot be read: {len(faults):,} ({ids}). The first: {first}"

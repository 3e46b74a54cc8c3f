"""What an export holds: every question exactly as a run would send it, and its right answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from commonsight.core.benchmark import Ask, Benchmark, Task
from commonsight.core.item import Item
from commonsight.core.prompt import Prompt
from commonsight.errors import UsageError
from commonsight.runs.prompts import prompt_for
from commonsight.runs.subject import Opening
from commonsight.runs.variants import Variants
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset
from commonsight.vlm.client import Picture, Request
from commonsight.vlm.pictures import Pictures
from commonsight.vlm.render import request_of, said


@dataclass(frozen=True)
class Sample:
    """One item in one task: the question, the request that a run would send, the prompt that it came from."""

    item: Item
    task: Task
    ask: Ask
    prompt: Prompt
    request: Request

    @property
    def system(self) -> str:
        """What is said before everything else; mostly nothing."""
        first = self.request.turns[0]
        return _text(first.parts) if first.role == "system" else ""

    @property
    def text(self) -> str:
        """The question itself, word for word as a run sends it."""
        return _text(self.request.turns[-1].parts)

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices as the prompt writes them."""
        labels = self.ask.scenes[0].labels if self.ask.scenes else ()
        return tuple(choice.bracketed(labels) for choice in self.ask.choices)

    @property
    def target(self) -> str:
        """The right answer as a model should say it; empty where the labels are hidden."""
        return "" if self.ask.gold is None else said(self.ask.gold, self.ask)


def _text(parts: tuple[str | Picture, ...]) -> str:
    return "\n".join(part for part in parts if isinstance(part, str))


@dataclass(frozen=True)
class Sampler:
    """How the items of a subject become samples."""

    benchmark: Benchmark[Scoring]
    tasks: tuple[Task, ...]
    pictures: Pictures | None

    def samples(self, item: Item) -> Iterator[Sample]:
        """The item in each task in which it can be asked, in the one way that the paper asks it."""
        for task in self.tasks:
            prompt = prompt_for(task, {})
            for _, ask in Variants().of(item, task):
                yield Sample(item, task, ask, prompt, request_of(ask, prompt, self.pictures))


def sampler_of(opening: Opening, tasks: Iterable[str] | None, *, blind: bool = False) -> Sampler:
    """The sampler of what a person named; `blind` leaves the pictures out."""
    benchmark = benchmark_of(opening)
    return Sampler(benchmark, _tasks(benchmark, tasks), None if blind else _pictures(opening))


def benchmark_of(opening: Opening) -> Benchmark[Scoring]:
    """The benchmark that a subject is of; there must be one, as replies are scored by its rules."""
    benchmark = opening.known()
    if benchmark is None:
        raise UsageError(
            "This dataset is of no benchmark, and replies are scored by a benchmark's rules. "
            "Export a dataset of one that `commonsight benchmarks` lists."
        )
    return benchmark


def _tasks(benchmark: Benchmark[Scoring], wanted: Iterable[str] | None) -> tuple[Task, ...]:
    names = list(wanted or ()) or [task.name for task in benchmark.tasks]
    known = [task.name for task in benchmark.tasks]
    for name in names:
        if name not in known:
            raise UsageError(f"--task {name}: {benchmark.name} has no such task. It has: {', '.join(known)}.")
    return tuple(task for task in benchmark.tasks if task.name in names)


def _pictures(opening: Opening) -> Pictures:
    folder = opening.images or next((path for path in opening.paths if is_dataset(path)), None)
    if folder is None:
        raise UsageError(
            "Native files come without pictures. Name the pictures' folder with --images, "
            "or export the texts alone with --no-images."
        )
    return Pictures(Path(folder))

"""What a benchmark is: a value that declares its files, its tasks and how it is scored.

A new benchmark is one file that builds one `Benchmark`, one line in `benchmarks/__init__.py`, one fixture.
The shared code (reading, writing, validating, scoring, showing) works from this declaration alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from commonsight.core.answer import Given
from commonsight.core.item import Item
from commonsight.core.program import Program
from commonsight.core.prompt import Prompt
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText

R = TypeVar("R")
S = TypeVar("S")

Expects = Literal["pick", "verdict", "text", "grounded"]


class Ask(Struct, frozen=True):
    """One item as one task puts it to an answerer: exactly what may be seen, and the gold beside it."""

    item_id: str
    task: str
    scenes: tuple[Scene, ...]
    texts: dict[str, TaggedText]
    expects: Expects
    choices: tuple[TaggedText, ...] = ()
    gold: Given | None = None
    target: tuple[int, ...] | None = None
    """Ids of all objects that a right answer may point to; `gold` names the first."""
    program: Program | None = None
    """The steps to the right answer, with what each gives: to learn from, never to be shown."""
    answers: tuple[str, ...] = ()
    """Everything that people answered, each as often as it was said: to learn from, never to be shown."""


@dataclass(frozen=True)
class Task:
    """How an item is asked, which metrics score it, and what its items are grouped by for error bars."""

    name: str
    title: str
    ask: Callable[[Item], Ask]
    metrics: tuple[str, ...]
    grouped_by: str
    prompt: Prompt | None = None
    """How a model is asked by default; without one, by a plain prompt."""
    given: Callable[[Item, int], Ask] | None = None
    """The same with the answer at a position given, for a task that builds on one (VCR's QA→R)."""


@dataclass(frozen=True)
class Source:
    """Where a record was read from: what a file's own name tells about its records."""

    name: str
    split: str


@dataclass(frozen=True)
class Sidecar(Generic[R]):
    """A file beside the images that says more about a scene (VCR's metadata JSON)."""

    record: type[R]
    name: Callable[[Item], str | None]
    attach: Callable[[Item, R, dict[str, Any]], Item]
    extract: Callable[[Item], dict[str, Any] | None]


@dataclass(frozen=True)
class NativeFormat(Generic[R]):
    """A benchmark's own file format, as two pure functions between its record and an `Item`.

    `from_item(to_item(record))` gives the record back, unknown fields included.
    """

    layout: Literal["lines", "array"]
    """One JSON object a line, or one JSON array for the whole file."""
    record: type[R]
    to_item: Callable[[R, dict[str, Any], Source], Item]
    from_item: Callable[[Item], dict[str, Any]]
    file_name: Callable[[Item], str]
    """Which native file an item belongs to, such as `val.jsonl`."""
    telling: frozenset[str]
    """Fields that, together, tell this format from the others."""
    split_of: Callable[[R], str | None] = lambda _: None
    """The split that the record itself states, if it does; otherwise the file's name must."""
    native_names: Mapping[str, str] = field(default_factory=dict)
    """Our field to the native one, so that a message names what the user sees in the file."""
    sidecar: Sidecar[Any] | None = None


@dataclass(frozen=True)
class Citation:
    """The paper, as one would cite it."""

    authors: str
    title: str
    venue: str
    year: int
    url: str

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.venue}. {self.url}"


@dataclass(frozen=True)
class PublishedRow:
    """A row of the paper's own table, for people to compare with: chance, majority, human."""

    name: str
    split: str
    metrics: Mapping[str, float]
    source: str
    by_rule: bool = False
    """Whether it follows from the number of choices alone, and so holds for any items of this form."""


@dataclass(frozen=True)
class Variant:
    """Another look of an item, such as one in other colours."""

    name: str
    """Stands behind the item's id."""
    item: Callable[[Item], Item]
    """What becomes of everything but its pictures and its id."""
    pixels: Callable[[Any], Any]
    """What becomes of a picture: (row, column, channel), whole numbers from 0 to 255."""


@dataclass(frozen=True)
class Benchmark(Generic[S]):
    """Everything Commonsight knows about one benchmark.

    `S` is `score.scoring.Scoring`: how it is scored is declared in terms that core does not know.
    """

    name: str
    title: str
    summary: str
    citation: Citation
    licence: str
    homepage: str
    native: NativeFormat[Any]
    native_files: str
    native_predictions: str
    tasks: tuple[Task, ...]
    scoring: S
    published: tuple[PublishedRow, ...] = ()
    probes: tuple[str, ...] = ()
    """Names of the audit probes that fit it; empty means all."""
    opposed: Callable[[Item, TaggedText, str], tuple[Item, Item]] | None = None
    """An item beside its like of another id, whose text makes another choice right: how a model that heeds
    the text is told from one that does not."""
    rematched: Callable[[Item, Item, str], Item] | None = None
    """An item under another id with the choices of a second one, whose wrong choices others lent it."""
    views: Callable[[Item], tuple[Item, ...]] | None = None
    """An item as several, one for each of its pictures, where each picture alone shows all of it."""
    variants: tuple[Variant, ...] = ()
    """Other looks of the same item, of which its gold holds as well."""
    prompts: Mapping[str, Mapping[str, Prompt]] = field(default_factory=dict)
    """Further prompts by name and task, such as the one that the paper asked with."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Every metric of every task, in order, once."""
        return tuple(dict.fromkeys(metric for task in self.tasks for metric in task.metrics))

    def task(self, name: str) -> Task:
        """The task of this name."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise KeyError(name)

"""The door that every probe stands behind, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from commonsight.audit.cases import Case, Cases, Kind, case_of, kind_of, shared_groups
from commonsight.audit.values import Section
from commonsight.core.benchmark import Task
from commonsight.core.item import Item
from commonsight.errors import CommonsightError
from commonsight.score.gold import SliceOf
from commonsight.score.human import Judgement
from commonsight.text.encoders import Encoder


class CannotMeasure(CommonsightError):  # noqa: N818 - it says why, and the audit goes on
    """A probe has nothing to go on; the message is a sentence for the report."""


@dataclass(frozen=True)
class RunAnswers:
    """What one run or one file of predictions answered, and what each answer earned."""

    name: str
    ids: tuple[str, ...]
    scores: dict[str, NDArray[np.float64]]
    """By metric, in the order of `ids`: a value in [0, 1], NaN where the metric leaves the item out."""
    answers: dict[str, dict[str, str | int]] = field(default_factory=dict)
    """By task, then by item: the position that was picked, or the answer in words; failures are left out."""
    chances: dict[str, dict[str, tuple[float, ...]]] = field(default_factory=dict)
    """By task, then by item: the probability of each choice, where the run tells."""
    options: dict[str, Any] = field(default_factory=dict)
    """What the run says of itself: blind, circular, the model's name."""


@dataclass(frozen=True)
class Subject:
    """What is audited: items that can be read again and again, and what is known about them."""

    name: str
    benchmark: str
    title: str
    read: Callable[[], Iterator[Item]]
    """Opens the items anew: a stream each time, so that no probe needs all of them in memory."""
    tasks: tuple[Task, ...]
    cluster_of: Callable[[Item], str] = lambda item: item.id
    judgements_of: Callable[[Item], Sequence[Judgement]] = lambda _: ()
    """What several people said about the item's label, where the item tells."""
    images: Path | None = None
    """The folder below which the scenes' pictures lie, if there is one."""
    runs: tuple[RunAnswers, ...] = ()
    slices: Mapping[str, SliceOf] = field(default_factory=dict)
    """Further labels of items, by what they sort by: those that a file beside the items tells."""

    @cached_property
    def cases(self) -> dict[str, Cases]:
        """The cases of every task, read in one pass and kept: they are what most probes work on."""
        groups = shared_groups(self.read())
        found: dict[str, list[Case]] = {task.name: [] for task in self.tasks}
        for item in self.read():
            cluster = self.cluster_of(item)
            for task in self.tasks:
                case = case_of(item, task, cluster, groups)
                if case is not None:
                    found[task.name].append(case)
        return {
            task.name: Cases(task.name, task.title, self._kind(task), found[task.name]) for task in self.tasks
        }

    def _kind(self, task: Task) -> Kind:
        for item in self.read():
            try:
                return kind_of(task.ask(item))
            except ValueError:
                continue
        return "label"

    def labelled(self, *, kind: str | None = None, least: int = 20) -> Iterator[Cases]:
        """The tasks that have enough labelled cases of a kind to measure anything on."""
        for cases in self.cases.values():
            if (kind is None or cases.kind == kind) and len(cases.labelled) >= least:
                yield cases.labelled


@dataclass(frozen=True)
class Setting:
    """What a person may choose about an audit; the same for all probes."""

    encoder: Encoder
    seed: int = 0
    folds: int = 5
    confidence: float = 0.95
    false_discovery: float = 0.05
    """The share of false alarms that one accepts among all words that are called artifacts."""


class Probe(Protocol):
    """Looks for one kind of thing."""

    @property
    def name(self) -> str:
        """Short, such as `blind`: what `--only` and `--skip` name."""
        ...

    @property
    def title(self) -> str:
        """What it looks for, for people."""
        ...

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of all findings that it may give."""
        ...

    def measure(self, subject: Subject, setting: Setting) -> Sequence[Section]:
        """What it found: one section for each task, or one for all.

        What cannot be measured is said in `Section.skipped`, or raised as `CannotMeasure` where nothing can.
        """
        ...

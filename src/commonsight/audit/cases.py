"""Items as an audit sees them: one task's questions and choices as columns of text, with their groups.

Whatever the benchmark, a task is one of two kinds. In a `pick` every item brings choices of its own and one
of them is right. In a `label` all items share the answers: true and false, or the words that people gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from commonsight.core.answer import FreeText, Given, Grounded, Pick, Verdict
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.core.text import TaggedText

Kind = Literal["pick", "label"]

GROUPS = ("movie", "set", "image", "sentence")
"""What items share, the widest first: cross-validation keeps together by the first that every item has."""


class Case(Struct, frozen=True, gc=False):
    """One item of one task: all that may be told from texts, and the right answer."""

    id: str
    split: str
    given: TaggedText
    """What is asked: question, premise, sentence, the answer to be justified; one after the other."""
    choices: tuple[TaggedText, ...]
    """Empty for a `label`."""
    gold: int | None
    """The position of the right choice, or None; for a `label` see `answer`."""
    answer: str | None
    """The right answer in words; None where the labels are hidden."""
    labels: tuple[str, ...]
    """The classes of the objects that tags point to, by position."""
    images: tuple[str, ...]
    cluster: str
    """What the benchmark's error bars keep together."""
    group: str
    """What cross-validation keeps together: never finer than the cluster."""
    types: tuple[str, ...] = ()
    """What kind each choice is, where the benchmark says (PMR's answer types)."""
    accepted: tuple[str, ...] = ()
    """Answers by several people, where there are any (A-OKVQA's ten)."""
    lent: tuple[str, ...] = ()
    """Where wrong choices were borrowed from, if they were: within such a fold texts recur (`match_fold`)."""

    @property
    def asked(self) -> str:
        """What is asked, tags by class and number: `person1`."""
        return plain(self.given, self.labels)

    @property
    def said(self) -> tuple[str, ...]:
        """The choices, tags by class and number."""
        return tuple(plain(choice, self.labels) for choice in self.choices)


def plain(text: TaggedText, labels: tuple[str, ...]) -> str:
    """A text as one string, its tags as words of their own: `person1 and person2`."""
    def name(index: int) -> str:
        return f"{labels[index] if index < len(labels) else 'object'}{index + 1}"

    return text.render(name)


class Cases:
    """All items of one task that the task can be asked about."""

    def __init__(self, task: str, title: str, kind: Kind, cases: Iterable[Case]) -> None:
        self.task, self.title, self.kind = task, title, kind
        self.all: tuple[Case, ...] = tuple(cases)

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.all)

    @cached_property
    def labelled(self) -> Cases:
        """Those whose right answer is known."""
        if all(case.answer is not None for case in self.all):
            return self
        return Cases(self.task, self.title, self.kind, [case for case in self.all if case.answer is not None])

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """What is asked of each."""
        return tuple(case.asked for case in self.all)

    @cached_property
    def said(self) -> tuple[tuple[str, ...], ...]:
        """The choices of each."""
        return tuple(case.said for case in self.all)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many choices each has."""
        return np.array([len(case.choices) for case in self.all], np.int64)

    @cached_property
    def gold(self) -> NDArray[np.int64]:
        """The position of the right choice of each; -1 where there is none."""
        return np.array([-1 if case.gold is None else case.gold for case in self.all], np.int64)

    @cached_property
    def groups(self) -> NDArray[np.int64]:
        """What cross-validation keeps together, by number."""
        return _numbered(case.group for case in self.all)

    @cached_property
    def clusters(self) -> NDArray[np.int64]:
        """What error bars keep together, by number."""
        return _numbered(case.cluster for case in self.all)


def _numbered(names: Iterable[str]) -> NDArray[np.int64]:
    seen: dict[str, int] = {}
    return np.array([seen.setdefault(name, len(seen)) for name in names], np.int64)


def kind_of(ask: Ask) -> Kind:
    """A task is a `pick` where items bring choices of their own."""
    return "pick" if ask.expects == "pick" else "label"


def case_of(item: Item, task: Task, cluster: str, groups: tuple[str, ...]) -> Case | None:
    """The item as the task asks it; None where it cannot be asked (no rationales, a hidden answer)."""
    try:
        ask = task.ask(item)
    except ValueError:  # what the question itself needs is hidden
        return None
    if ask.expects == "pick" and not ask.choices:
        return None
    gold = ask.gold.index if isinstance(ask.gold, Pick) and 0 <= ask.gold.index < len(ask.choices) else None
    types = item.extra.get("answer_types", ())
    folds = item.provenance.get("match_fold")
    return Case(
        item.id,
        item.split,
        TaggedText(tuple(token for text in ask.texts.values() for token in text.tokens)),
        ask.choices,
        gold,
        _answer(ask.gold, ask.choices, item),
        item.labels,
        tuple(scene.image for scene in item.scenes),
        cluster,
        next((item.groups[name] for name in groups), cluster),
        tuple(types) if isinstance(types, list | tuple) and len(types) == len(ask.choices) else (),
        item.direct_answers,
        () if folds is None else (str(folds),),
    )


def _answer(gold: Given | None, choices: tuple[TaggedText, ...], item: Item) -> str | None:
    match gold:
        case Pick(index) if 0 <= index < len(choices):
            return plain(choices[index], item.labels)
        case Verdict(value):
            return str(value)
        case FreeText(text) | Grounded(text, _):
            return text
    return None


def shared_groups(items: Iterable[Item], names: tuple[str, ...] = GROUPS) -> tuple[str, ...]:
    """The widest kind of group that every item has, alone; none if items share none."""
    left = list(names)
    for item in items:
        left = [name for name in left if name in item.groups]
        if not left:
            break
    return tuple(left[:1])

"""Knowledge files to knowledge, with a report: the one door for whoever builds questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from commonsight.errors import OnProblem, Problem, fail
from commonsight.graph.conceptnet import Triple, read_triples
from commonsight.graph.cycles import cycles
from commonsight.graph.degrees import DegreeStatistics, degree_statistics
from commonsight.graph.knowledge import CATEGORY, Knowledge
from commonsight.graph.select import TAXONOMY, Dropped, Rules, Selector
from commonsight.graph.tagger import Tagger, bundled_tagger

CATEGORIES = (CATEGORY, TAXONOMY)
SHIPPED = ("categories.tsv", "completions.tsv")
"""Our own hand-made additions: what everyday things are, and what ConceptNet says of some things only."""


class KnowledgeReport(Struct, frozen=True):
    """What became of the triples that were read."""

    read: int
    kept: int
    by_relation: dict[str, int]
    merged: int
    dropped: dict[str, Dropped]
    skipped: dict[str, int]
    """Lines that were not even triples for us: another language, an unknown relation."""
    cycles: list[tuple[str, ...]]
    """Categories that lead back to themselves."""
    phrases: int
    explained: int
    """Distinct phrases of the kept items, and how many of them the rules for graphs account for wholly."""
    degrees: DegreeStatistics


class KnowledgeLoaded(NamedTuple):
    """Knowledge and how it came about."""

    knowledge: Knowledge
    report: KnowledgeReport


def load_knowledge(
    paths: Sequence[Path],
    concepts: Collection[str] | None = None,
    *,
    additions: Sequence[Path] | None = None,
    rules: Rules | None = None,
    tagger: Tagger = bundled_tagger,
    on_problem: OnProblem = fail,
    on_circle: OnProblem | None = None,
) -> KnowledgeLoaded:
    """Knowledge from files, about the scenes' concepts if these are given.

    `additions` are tables in our own layout, completions and categories; ours unless others are named, none
    for an empty list. The categories in them (tails of IsA) are the everyday ones. Where these go in a circle
    `on_circle` is told, or else `on_problem`.
    """
    skipped: Counter[str] = Counter()
    extra = list(_shipped() if additions is None else _hand_made(additions, on_problem))
    everyday = frozenset(triple.tail for triple in extra if triple.relation == CATEGORY)
    things = frozenset(name for triple in extra if triple.relation in CATEGORIES for name in triple[1:3])
    selector = Selector(concepts, everyday, rules, tagger=tagger, things=things)
    read = 0
    for triple in _all(extra, paths, on_problem, skipped):
        read += 1
        selector.add(triple)
    selection = selector.selection()
    knowledge = Knowledge(selection.items)
    circles = cycles(knowledge.parents)
    for circle in circles:
        (on_circle or on_problem)(_circle_problem(paths, circle))
    relations = Counter(item.relation for item in selection.items)
    report = KnowledgeReport(
        read, len(selection.items), dict(relations.most_common()), selection.merged, selection.dropped,
        dict(skipped), circles, selection.phrases, selection.explained, degree_statistics(selection.items),
    )  # fmt: skip
    return KnowledgeLoaded(knowledge, report)


def _all(
    extra: Iterable[Triple], paths: Sequence[Path], on_problem: OnProblem, skipped: Counter[str]
) -> Iterator[Triple]:
    yield from extra
    for path in paths:
        yield from read_triples(path, on_problem, skipped)


def _shipped() -> Iterator[Triple]:
    for name in SHIPPED:
        for row in (files("commonsight.graph") / name).read_text("utf-8").splitlines()[1:]:
            relation, head, tail = row.split("\t")
            yield Triple(relation, head, tail, trusted=True)


def _hand_made(paths: Sequence[Path], on_problem: OnProblem) -> Iterator[Triple]:
    for path in paths:
        yield from (triple._replace(trusted=True) for triple in read_triples(path, on_problem))


def _circle_problem(paths: Sequence[Path], circle: tuple[str, ...]) -> Problem:
    path = paths[0] if paths else Path("additions")
    said = " and ".join(circle) if len(circle) < 3 else ", ".join(circle[:8])
    message = f"categories go in a circle: {said}" if len(circle) > 1 else f"{said} is a kind of itself"
    return Problem(path, message, "Take one of these IsA items out.", field=CATEGORY)

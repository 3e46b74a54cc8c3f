"""What networks that read facts are given: items of knowledge files, found by the words of each question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from commonsight.errors import InputError, UsageError
from commonsight.graph.concepts import concept_graph
from commonsight.graph.retrieval import FactIndex, read_facts
from commonsight.models.catalogue_entry import Entry
from commonsight.models.features.examples import Example
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.store.dataset import sha256

MOST = 16
"""Facts that a question is given at most, unless a person says otherwise; the paper does not say how many. Of
drawn questions 88 in a hundred have what they are about among the first 16, and all among 64; among fewer,
networks find better what no training question was about."""
_REMEDY = "Give ConceptNet's CSV, triples, or our own table, as `build questions` reads them."


class Known(NamedTuple):
    """Facts, and how many of them a question is given."""

    facts: FactIndex
    most: int

    def given(self, example: Example) -> Example:
        """The question with its facts."""
        return structs.replace(example, facts=self.facts.about(example.query.words, self.most))


def with_graph(
    entry: Entry, words: Vocabularies, facts: Known | None, learned: Sequence[Example]
) -> Vocabularies:
    """The vocabularies with the graph of what is known about them, for a network that is built on one."""
    if not entry.graph or facts is None:
        return words
    names = (*words.answers, *words.labels.names)
    graph = concept_graph(facts.facts.facts, (one.query.words for one in learned), names)
    if not {answer.lower() for answer in words.answers}.intersection(graph.nodes):
        raise InputError(
            f"{entry.title} needs facts that join words of questions, objects and answers, and no answer has "
            f"any among these {len(facts.facts):,}. Give other facts with --knowledge."
        )
    return structs.replace(words, graph=graph)


def graph_told(words: Vocabularies) -> str:
    """How much is known, in words."""
    nodes = frozenset(words.graph.nodes)
    among = sum(answer.lower() in nodes for answer in words.answers)
    return (
        f"a graph of {len(nodes):,} nodes and {len(words.graph.edges):,} facts; "
        f"{among:,} of {len(words.answers):,} answers are nodes"
    )


def known(entry: Entry, paths: Iterable[str], most: int) -> Known | None:
    """What these files say, for a network that is given facts."""
    files = checked(entry, list(map(Path, paths)))
    return Known(read_facts(files), most if entry.facts else 0) if entry.knows else None


def checked(entry: Entry, paths: Sequence[Path]) -> Sequence[Path]:
    """The files, if the network needs any and they are there; what is wrong is told before they are read."""
    if entry.knows and not paths:
        raise UsageError(f"{entry.title} reads facts. Say with --knowledge FILE where they are. {_REMEDY}")
    if paths and not entry.knows:
        raise UsageError(f"--knowledge: {entry.title} reads no facts. Leave it out, or choose one that does.")
    missing = next((path for path in paths if not path.is_file()), None)
    if missing is not None:
        raise InputError(f"{missing}: there is no such file of knowledge. {_REMEDY} Say so with --knowledge.")
    return paths


def hashes(paths: Iterable[Path]) -> dict[str, str]:
    """By their names, for provenance."""
    return {f"knowledge {path.name}": sha256(path) for path in paths}

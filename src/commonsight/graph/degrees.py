"""How densely knowledge hangs together, as triplets and as graphs (CRIC, Figure 4 (d, e)).

An entity is a head or a tail of an item. As triplets, two entities are connected if they read the same; as
graphs, if they share an object. The degree of an entity is the number of others that it is connected to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from commonsight.graph.knowledge import KnowledgeItem
from commonsight.graph.phrase import Phrase


class Degrees(Struct, frozen=True):
    """How many entities have each degree, and the mean."""

    histogram: dict[int, int]
    mean: float


class DegreeStatistics(Struct, frozen=True):
    """Degrees in the original form and in the decomposed one."""

    before: Degrees
    after: Degrees


def degree_statistics(items: Iterable[KnowledgeItem]) -> DegreeStatistics:
    """Both histograms, over all heads and tails."""
    entities = [phrase for item in items for phrase in (item.head, item.tail)]
    same = Counter(phrase.text for phrase in entities)
    before = Counter(same[phrase.text] - 1 for phrase in entities)
    return DegreeStatistics(_degrees(before), _degrees(_after(entities)))


def _after(entities: Sequence[Phrase]) -> Counter[int]:
    """Phrases with the same set of objects have the same degree, so each set is counted once.

    How many entities share at least one of several objects follows from how many have all of each choice of
    them (inclusion and exclusion), which needs no comparison of pairs.
    """
    sets = Counter(_objects(phrase) for phrase in entities)
    having: Counter[frozenset[str]] = Counter()
    for names, count in sets.items():
        for choice in _choices(names):
            having[choice] += count
    degrees: Counter[int] = Counter()
    for names, count in sets.items():
        connected = sum(having[choice] * (1 if len(choice) % 2 else -1) for choice in _choices(names))
        degrees[max(connected - 1, 0)] += count
    return degrees


def _objects(phrase: Phrase) -> frozenset[str]:
    """What a phrase is about. One without objects ("soft") stands for itself, as it did before."""
    return frozenset(node.name for node in phrase.nodes) or frozenset((f"={phrase.text}",))


def _choices(names: frozenset[str]) -> Iterator[frozenset[str]]:
    """Every choice of at least one name. Phrases are short: six objects give 63."""
    ordered = sorted(names)[:12]
    for bits in range(1, 1 << len(ordered)):
        yield frozenset(name for at, name in enumerate(ordered) if bits >> at & 1)


def _degrees(counts: Mapping[int, int]) -> Degrees:
    total = sum(counts.values())
    mean = sum(degree * count for degree, count in counts.items()) / total if total else 0.0
    return Degrees(dict(sorted(counts.items())), mean)

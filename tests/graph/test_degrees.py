"""Degrees before and after, against counting pairs."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from commonsight.graph.degrees import degree_statistics
from commonsight.graph.knowledge import KnowledgeItem
from commonsight.graph.phrase import Node, Phrase
from commonsight.graph.phrases import parse


def _item(head: str, tail: str) -> KnowledgeItem:
    return KnowledgeItem("UsedFor", parse(head.split()), parse(tail.split()))


def test_shared_objects_connect() -> None:
    items = [_item("fork", "lifting food"), _item("spoon", "eating food"), _item("fork", "eating food")]
    found = degree_statistics(items)
    assert found.before.histogram == {0: 2, 1: 4}
    assert found.after.histogram == {0: 1, 1: 2, 2: 3}
    assert found.before.mean == 4 / 6
    assert found.after.mean == (2 + 6) / 6


def test_nothing() -> None:
    assert degree_statistics([]).after.mean == 0.0


def _phrase(names: frozenset[str]) -> Phrase:
    ordered = sorted(names)
    return Phrase(
        tuple(ordered) or ("soft",), tuple(Node(name, at, at + 1) for at, name in enumerate(ordered))
    )


_PHRASES = st.frozensets(st.sampled_from("abcdef"), max_size=4).map(_phrase)


@given(st.lists(st.tuples(_PHRASES, _PHRASES), max_size=12))
def test_the_quick_way_counts_what_pairs_count(pairs: list[tuple[Phrase, Phrase]]) -> None:
    found = degree_statistics(KnowledgeItem("HasA", head, tail) for head, tail in pairs)
    entities = [phrase for pair in pairs for phrase in pair]
    objects = [{node.name for node in phrase.nodes} or {phrase.text} for phrase in entities]
    slow = Counter(sum(bool(mine & other) for other in objects) - 1 for mine in objects)
    assert found.after.histogram == dict(sorted(slow.items()))
    assert found.after.mean >= found.before.mean

"""Which facts join a dataset's own words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonsight.graph.concepts import Concepts, Edge, concept_graph
from commonsight.graph.knowledge import RELATIONS, KnowledgeItem
from commonsight.graph.phrase import Phrase
from commonsight.graph.retrieval import Fact, fact_of

_ENDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(" ".join)


def fact(head: str, relation: str, tail: str) -> Fact:
    return fact_of(KnowledgeItem(relation, Phrase(tuple(head.split())), Phrase(tuple(tail.split()))))


def test_facts_between_what_is_said_and_named_are_kept() -> None:
    facts = [
        fact("umbrella", "UsedFor", "keeping dry"),
        fact("umbrella", "AtLocation", "hat stand"),  # a place that nobody speaks of
        fact("rain", "HasProperty", "wet"),
        fact("rain", "HasProperty", "wet"),
        fact("rain", "IsA", "rain"),
    ]
    questions = [("why", "is", "keeping", "dry", "wise", "?"), ("is", "it", "wet", "?")]
    graph = concept_graph(facts, questions, ("Umbrella", "rain"))
    assert graph.nodes == ("keeping dry", "rain", "umbrella", "wet")
    used, property_ = RELATIONS.index("UsedFor"), RELATIONS.index("HasProperty")
    assert graph.edges == (Edge(1, property_, 3), Edge(2, used, 0))


def test_words_that_stand_apart_say_no_name() -> None:
    found = Concepts(["hot dog", "dog", "hot"])
    assert sorted(found.said(("a", "hot", "dog"))) == ["dog", "hot", "hot dog"]
    assert sorted(found.said(("dog", "hot"))) == ["dog", "hot"]
    assert not list(Concepts([]).said(("dog",)))


@given(
    st.lists(st.tuples(_ENDS, st.sampled_from(RELATIONS), _ENDS), max_size=12),
    st.lists(st.lists(st.sampled_from("abcd"), max_size=5), max_size=4),
    st.lists(_ENDS, max_size=3),
)
def test_both_ends_of_every_edge_are_meant(
    facts: list[tuple[str, str, str]], questions: list[list[str]], names: list[str]
) -> None:
    made = [fact(*one) for one in facts]
    graph = concept_graph(made, questions, names)
    said = {" ".join(q[i:j]) for q in questions for i in range(len(q)) for j in range(i + 1, len(q) + 1)}
    meant = said | set(names)
    wanted = {(h, r, t) for h, r, t in facts if h in meant and t in meant and h != t}
    assert {(graph.nodes[h], RELATIONS[r], graph.nodes[t]) for h, r, t in graph.edges} == wanted
    assert set(graph.nodes) == {end for h, _, t in wanted for end in (h, t)}
    assert graph == concept_graph(made[::-1], questions[::-1], names)

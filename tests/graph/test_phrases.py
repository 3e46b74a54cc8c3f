"""Phrases to graphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.graph.phrase import EVENT, Edge, Node
from commonsight.graph.phrases import explained, parse

GRAPHS: list[tuple[str, list[str], list[tuple[int, str, int]]]] = [
    ("moving food from plate to mouth", ["food", "plate", "mouth"],
     [(EVENT, "move", 0), (EVENT, "from", 1), (EVENT, "to", 2)]),
    ("transporting students to school", ["student", "school"], [(EVENT, "transport", 0), (EVENT, "to", 1)]),
    ("operating the washing machine", ["washing machine"], [(EVENT, "operate", 0)]),
    ("ordering food", ["food"], [(EVENT, "order", 0)]),
    ("climb hills", ["hill"], [(EVENT, "climb", 0)]),
    ("picking up food", ["food"], [(EVENT, "pick up", 0)]),
    ("blowing out candles", ["candle"], [(EVENT, "blow out", 0)]),
    ("person who treats the sick", ["person", "sick"], [(0, "treat", 1)]),
    ("bottle of water", ["bottle", "water"], [(0, "of", 1)]),
    ("tables for guests", ["table", "guest"], [(0, "for", 1)]),
    ("a sausage in a bun", ["sausage", "bun"], [(0, "in", 1)]),
    ("keeping customers' money", ["money"], [(EVENT, "keep", 0)]),
    ("puddles forming", ["puddle"], []),
    ("long handle", ["handle"], []),
    ("black and white keys", ["key"], []),
    ("giving the dog a bone", ["dog", "bone"], [(EVENT, "give", 0), (EVENT, "give", 1)]),
    ("packing clothes for a journey", ["clothes", "journey"], [(EVENT, "pack", 0), (EVENT, "for", 1)]),
    ("carrying money and keys", ["money", "key"], [(EVENT, "carry", 0), (EVENT, "carry", 1)]),
    ("keeping hair out of the food", ["hair", "food"], [(EVENT, "keep", 0), (EVENT, "out of", 1)]),
    ("eaten by horses", ["horse"], [(EVENT, "by", 0)]),
    ("useful to travellers", ["traveller"], [(EVENT, "to", 0)]),
    ("lighter than air", ["air"], [(EVENT, "than", 0)]),
    ("giving water to firefighters", ["water", "firefighter"], [(EVENT, "give", 0), (EVENT, "to", 1)]),
    ("wearing a pair of shoes", ["shoe"], [(EVENT, "wear", 0)]),
    ("carrying things on the back", ["back"], [(EVENT, "on", 0)]),
    ("sitting on", [], []),
    ("soft", [], []),
    ("dog", ["dog"], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names", "edges"), GRAPHS)
def test_graphs(text: str, names: list[str], edges: list[tuple[int, str, int]]) -> None:
    phrase = parse(text.split())
    assert [node.name for node in phrase.nodes] == names
    assert phrase.edges == tuple(Edge(*edge) for edge in edges)
    assert explained(phrase)
    assert phrase.text == text


@pytest.mark.parametrize(
    "text",
    ["telling drivers when to stop", "opened when it rains", "moving people who cannot walk",
     "you get sweaty", "wind blow hard", "entertain them", "cannot we all"],
)  # fmt: skip
def test_a_clause_is_more_than_the_rules_explain(text: str) -> None:
    assert not explained(parse(text.split()))


def test_articles_and_adjectives_are_in_the_span() -> None:
    phrase = parse(["crossing", "at", "a", "green", "light"])
    assert phrase.nodes == (Node("light", 2, 5),)
    assert phrase.put({0: "BLANK"}) == "crossing at BLANK"


def test_a_name_is_taken_whole_where_it_is_one() -> None:
    assert parse(["hot", "dog"]).nodes[0].name == "dog"
    assert parse(["hot", "dog"], whole=True).nodes == (Node("hot dog", 0, 2),)
    assert parse(["eating", "hot", "dogs"], names={"hot dog"}).nodes == (Node("hot dog", 1, 3),)
    assert parse(["body", "of", "water"], whole=True, names={"body of water"}).nodes == (
        Node("body of water", 0, 3),
    )


def test_what_is_known_about_the_first_word() -> None:
    assert parse(["water", "plants"], event=True).edges == (Edge(EVENT, "water", 0),)
    assert parse(["painting"], event=False).nodes == (Node("painting", 0, 1),)
    assert parse(["store"], event=False).nodes == (Node("store", 0, 1),)


def test_no_words_no_graph() -> None:
    assert parse([]).nodes == ()


@given(
    st.lists(
        st.text(min_size=1, max_size=10).filter(lambda text: text.split() == [text]), min_size=1, max_size=9
    )
)
def test_graphs_of_anything_are_sound(words: list[str]) -> None:
    phrase = parse(words)
    ends = [0, *(node.end for node in phrase.nodes)]
    assert all(
        end <= node.start < node.end <= len(words) for end, node in zip(ends, phrase.nodes, strict=False)
    )
    assert all(EVENT <= edge.source < len(phrase.nodes) for edge in phrase.edges)
    assert all(0 <= edge.target < len(phrase.nodes) and edge.source != edge.target for edge in phrase.edges)
    assert phrase.put({}) == " ".join(words)


_WORDS = st.sampled_from(
    [
        "the",
        "a",
        "dog",
        "water",
        "holding",
        "eat",
        "of",
        "in",
        "with",
        "and",
        "who",
        "big",
        "red",
        "two",
        "piece",
        "plates",
        "to",
        "from",
        "your",
        "is",
        "hot",
    ]
)


@given(st.lists(_WORDS, min_size=1, max_size=9), st.booleans(), st.sampled_from([None, True, False]))
def test_graphs_of_common_words_are_sound(words: list[str], whole: bool, event: bool | None) -> None:
    phrase = parse(words, whole=whole, event=event)
    assert all(node.start < node.end for node in phrase.nodes)
    assert len({edge.target for edge in phrase.edges}) == len(phrase.edges)
    assert phrase.put({}) == " ".join(words)

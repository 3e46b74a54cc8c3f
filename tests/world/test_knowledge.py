"""Our knowledge graph: eleven relations, no doubles, something about everything."""

from __future__ import annotations

from collections import Counter

from commonsight.world.knowledge import CLOTHES, EVENTS, PEOPLE, RELATIONS, Triple, about, read_knowledge
from commonsight.world.places import PLACES
from commonsight.world.things import THINGS


def test_there_are_hundreds_of_triples_and_every_relation() -> None:
    triples = read_knowledge()
    assert len(triples) >= 300
    assert {triple.relation for triple in triples} == set(RELATIONS)
    assert len(RELATIONS) == 11


def test_nothing_is_said_twice_or_left_empty() -> None:
    triples = read_knowledge()
    assert not [triple for triple, count in Counter(triples).items() if count > 1]
    assert all(part and part == part.strip() for triple in triples for part in triple)


def test_every_head_is_of_this_world() -> None:
    known = {*THINGS, *PLACES, *PEOPLE, *EVENTS, *CLOTHES}
    assert {triple.head for triple in read_knowledge()} <= known


def test_there_are_two_triples_about_every_thing_and_place() -> None:
    count = Counter(triple.head for triple in read_knowledge())
    assert not [name for name in (*THINGS, *PLACES) if count[name] < 2]
    assert not [name for name in (*PEOPLE, *EVENTS, *CLOTHES) if not count[name]]


def test_places_of_things_are_places_or_things() -> None:
    places = {triple.tail for triple in read_knowledge() if triple.relation == "AtLocation"}
    assert places <= {*PLACES, *THINGS, *EVENTS}


def test_what_a_thing_is_agrees_with_its_class() -> None:
    wrong = [
        triple
        for triple in read_knowledge()
        if triple.relation == "IsA-Taxonomy"
        and triple.head in THINGS
        and THINGS[triple.head].category != triple.tail
    ]
    assert not wrong


def test_what_is_known_about_one_thing() -> None:
    assert Triple("UsedFor", "cup", "holding drinks") in about("cup")
    assert [triple.tail for triple in about("window", "MadeFrom")] == ["glass"]

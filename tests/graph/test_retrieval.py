"""Facts found by the words of a question."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonsight.core.program import Program, Step
from commonsight.errors import InputError
from commonsight.graph.knowledge import KnowledgeItem
from commonsight.graph.phrase import Phrase
from commonsight.graph.retrieval import FactIndex, fact_of, read_facts, relations_sought


def item(head: str, relation: str, tail: str) -> KnowledgeItem:
    return KnowledgeItem(relation, Phrase(tuple(head.split())), Phrase(tuple(tail.split())))


ITEMS = (
    item("fork", "UsedFor", "lifting food"),
    item("spoon", "UsedFor", "lifting food"),
    item("fork", "AtLocation", "kitchen"),
    item("oven", "AtLocation", "kitchen"),
    item("apple", "IsA", "food"),
    item("Hot dog", "IsA-Taxonomy", "food"),
)
INDEX = FactIndex(ITEMS)


def said(words: str, most: int = 100) -> list[str]:
    return [str(fact) for fact in INDEX.about(words.split(), most)]


def test_head_or_tail_must_have_the_word() -> None:
    assert said("which oven is it ?") == ["oven, AtLocation, kitchen"]
    assert said("foods") == said("location") == said("") == []  # whole words, and none of the relation


def test_facts_that_are_said_best_come_first_and_each_once() -> None:
    # All of "lifting food" weighs most, then the rarer of two words that are all of their side.
    assert said("food in the kitchen lifting") == [
        "fork, UsedFor, lifting food",
        "spoon, UsedFor, lifting food",
        "fork, AtLocation, kitchen",
        "oven, AtLocation, kitchen",
        "apple, IsA, food",
        "hot dog, IsA-Taxonomy, food",
    ]
    assert said("food in the kitchen lifting", 3) == said("food in the kitchen lifting")[:3]


def test_a_word_that_stands_in_half_of_a_side_tells_less_than_one_that_is_all_of_it() -> None:
    assert said("food ?") == [
        "apple, IsA, food",
        "hot dog, IsA-Taxonomy, food",
        "fork, UsedFor, lifting food",
        "spoon, UsedFor, lifting food",
    ]
    assert said("a dog and a fork")[:2] == ["fork, UsedFor, lifting food", "fork, AtLocation, kitchen"]


def test_of_very_many_facts_those_with_the_rarest_words_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonsight.graph.retrieval.LOOKED_AT", 2)
    assert said("food in the oven") == ["oven, AtLocation, kitchen", "apple, IsA, food",
                                        "hot dog, IsA-Taxonomy, food", "fork, UsedFor, lifting food",
                                        "spoon, UsedFor, lifting food"]  # fmt: skip
    assert said("lifting food") == ["fork, UsedFor, lifting food", "spoon, UsedFor, lifting food"]


def test_a_fact_is_read_in_words_that_any_vectors_know() -> None:
    assert fact_of(ITEMS[2]).words == ("fork", "at", "location", "kitchen")
    assert fact_of(ITEMS[5]).words == ("hot", "dog", "is", "a", "taxonomy", "food")


WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=3).map(" ".join)


@given(
    st.lists(st.tuples(WORDS, st.sampled_from(("IsA", "HasA")), WORDS), max_size=12),
    st.lists(st.sampled_from("abcdefgh"), max_size=5),
    st.integers(0, 6),
)
def test_the_index_finds_what_a_look_at_every_fact_finds(
    triples: list[tuple[str, str, str]], asked: list[str], most: int
) -> None:
    index = FactIndex(item(*triple) for triple in triples)
    everything = index.about(asked, len(triples) + 1)
    plain = [
        fact for fact in index.facts if {*fact.head.split(), *fact.tail.split()} & set(asked)
    ]
    assert sorted(map(str, everything)) == sorted(map(str, plain))
    assert index.about(reversed(asked), most) == everything[:most]


def test_what_is_known_is_known_by_its_content() -> None:
    assert FactIndex(ITEMS).digest == INDEX.digest
    assert FactIndex(ITEMS[:-1]).digest != INDEX.digest
    assert INDEX.name == f"6 facts@{INDEX.digest[:12]}"


def test_files_are_read_as_questions_are_made_from_them(tmp_path: Path) -> None:
    """With our own additions; unknown relations are left out, and circles are no matter."""
    path = tmp_path / "triples.tsv"
    table = (("relation", "head", "tail"), ("UsedFor", "zither", "playing music"),
             ("IsA", "zither", "lyre"), ("IsA", "lyre", "zither"))  # fmt: skip
    path.write_text("\n".join(map("\t".join, table)))
    found = {str(fact) for fact in read_facts([path]).about(["zither"], 10)}
    assert {"zither, UsedFor, playing music", "lyre, IsA, zither"} <= found
    path.write_text("UsedFor\tzither\tplaying music\nSingsTo\tzither\tlyre\n")
    assert len(read_facts([path]).about(["zither"], 10)) == 1
    path.write_text("UsedFor\tzither\n")
    with pytest.raises(InputError, match=r"triples\.tsv:1: 2 columns instead of 3\. Write relation, head"):
        read_facts([path])


@pytest.mark.parametrize(
    ("step", "relations"),
    [
        (Step("Find_KG", ("BLANK", "HasA", "branch")), ("HasA",)),
        (Step("find kg reverse", ("cat", "CapableOf", "climb BLANK")), ("CapableOf",)),
        (Step("Find KG", None, extra={"text_input": [["a"], ["UsedFor", ["b"]]]}), ("UsedFor",)),
        (Step("Find", ("HasA",)), ()),
        (Step("Find_KG"), ()),
        (Step("Find_KG", None, extra={"text_input": 3}), ()),
    ],
)
def test_programs_tell_which_relations_they_look_up(step: Step, relations: tuple[str, ...]) -> None:
    assert relations_sought(Program((Step("Initial"), step, step))) == relations
    assert relations_sought(None) == ()

"""Facts in English: everything that can be seen as evidence or concluded has words, and only its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from commonsight.world import english_tables as tables
from commonsight.world.english import RELATIONS, clause, predicate, sentence, tagged, together
from commonsight.world.facts import Fact
from commonsight.world.rules import RULES, VOCABULARY
from commonsight.world.vcr import TYPE_OF, entities_of

WORDINGS = 6
"""More than any row has."""
MARK = re.compile(r"\{(\d+)\}")
ENTITIES = {f"?{letter}": number for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz", start=10)}
NOUNS = ("is", 2)
"""Where a variable stands for a word, not for an entity."""


def _say(number: int) -> Callable[[str], str]:
    """Takes the wording of this number, or the last."""
    return lambda row: row.split("|")[min(number, row.count("|"))]


def _filled(shape: object, kind: object = None, position: int = 0) -> object:
    if isinstance(shape, tuple):
        return tuple(_filled(part, shape[0], place) for place, part in enumerate(shape))
    if isinstance(shape, str) and shape.startswith("?"):
        return "cup" if (kind, position) == NOUNS else ENTITIES[shape[:2]]
    return shape


def _expanded(shape: Fact) -> Iterator[Fact]:
    """The shape with each member of its sets."""
    yield from product(*(sorted(part) if isinstance(part, frozenset) else [part] for part in shape))


def _concluded() -> list[Fact]:
    filled = [_filled(shape) for shapes in VOCABULARY.values() for shape in shapes]
    return [fact for fact in filled if isinstance(fact, tuple)]


def _evidence() -> list[Fact]:
    """Every fact that a rule may name as its evidence."""
    shapes = {fact for rule in RULES for part in rule.when for fact in _expanded(part)}
    return [fact for fact in map(_filled, sorted(shapes, key=repr)) if isinstance(fact, tuple)]


def _check(text: str, fact: Fact) -> None:
    assert text, fact
    assert {int(found) for found in MARK.findall(text)} <= set(entities_of(fact)), (text, fact)
    left = MARK.sub("", text)
    assert not re.search(r"[{}|/]", left), (text, fact)
    assert "None" not in left, (text, fact)
    assert "  " not in text, (text, fact)


@pytest.mark.parametrize("kind", sorted(VOCABULARY))
def test_every_conclusion_has_words_in_every_wording(kind: str) -> None:
    facts = [fact for fact in _concluded() if fact[0] == kind]
    assert facts
    for fact in facts:
        for number in range(WORDINGS):
            _check(clause(fact, _say(number)), fact)


def test_every_kind_of_conclusion_is_asked_about() -> None:
    assert set(VOCABULARY) == set(TYPE_OF)


def test_all_evidence_has_words_in_every_wording() -> None:
    facts = _evidence()
    assert len(facts) > 200
    for fact in facts:
        for number in range(WORDINGS):
            _check(clause(fact, _say(number)), fact)


def test_a_predicate_leaves_its_subject_to_the_clause() -> None:
    for fact in [*_concluded(), *_evidence()]:
        said = predicate(fact, _say(0))
        if said is not None:
            assert clause(fact, _say(0)) == f"{{{fact[1]}}} {said}"


@pytest.mark.parametrize(
    ("table", "kind", "position"),
    [
        (tables.DOING, "doing", 2), (tables.FEELS, "feels", 2), (tables.WANTS, "wants", 2),
        (tables.NEXT, "next", 2), (tables.HAPPENED, "happened", 1), (tables.WOULD, "would", 3),
        (tables.TIMES, "time", 1), (RELATIONS, "related", 3),
    ],
)  # fmt: skip
def test_tables_have_a_row_for_what_rules_give_and_no_other(
    table: dict[str, str], kind: str, position: int
) -> None:
    assert set(table) == {shape[position] for shape in VOCABULARY[kind]}


def test_a_fact_without_words_is_named() -> None:
    with pytest.raises(ValueError, match=r"nobody has said how to put \('mystery', 1\)"):
        clause(("mystery", 1), _say(0))


def test_facts_about_one_share_their_subject() -> None:
    facts: list[Fact] = [("holds", 1, 7), ("looks_at", 1, 2), ("expression", 2, "happy")]
    said = sentence(together(facts, _say(0)))
    assert said.startswith("{1} is holding {7} and looking at {2}")
    assert said.endswith("and {2} is smiling.")


def test_marks_become_tags_where_the_entity_is_listed_and_names_elsewhere() -> None:
    text = tagged("{1} is holding {7}.", {1: 0}, {1: "person", 7: "cell phone"})
    assert text.tokens == ((0,), "is", "holding", "the", "cell", "phone", ".")


def test_the_rules_are_written_in_the_notation_that_this_test_reads() -> None:
    assert all(set(re.findall(r"\?\w+", repr(rule))) <= set(ENTITIES) for rule in RULES)

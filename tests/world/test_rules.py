"""Commonsense: every rule has its scene, no two conclusions contradict, episodes prove what they are for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from commonsight.world.cast import Movie, movie
from commonsight.world.english import OUTFITS
from commonsight.world.episodes import EPISODES, castable
from commonsight.world.facts import Fact, Proof, seen
from commonsight.world.logic import Rule, conclude
from commonsight.world.lore.habits import HABITS
from commonsight.world.lore.table import SETS, Row, ladder, pattern, patterns
from commonsight.world.model import COLOURS
from commonsight.world.places import PLACES
from commonsight.world.plan import Planned, plan_episode
from commonsight.world.rules import RULES, VOCABULARY
from commonsight.world.things import THINGS

SEEN_KINDS = {
    "place", "light", "weather", "is", "colour", "size", "material", "state", "pose", "expression", "age",
    "outfit", "hat", "top", "hair", "holds", "looks_at", "points_at", "sits_on", "lies_on", "hugs", "hands",
    "on", "in", "next_to", "behind", "left_of", "right_of",
}  # fmt: skip
CONCLUDED = {
    "doing", "feels", "wants", "occupation", "related", "happened", "next", "at", "time", "reason", "would",
}  # fmt: skip
STAGINGS = 14
"""Of each episode, with casts of as many movies."""


class Told(NamedTuple):
    planned: Planned
    proofs: tuple[Proof, ...]

    @property
    def facts(self) -> set[Fact]:
        return {proof.fact for proof in self.proofs}


def _movie_for(name: str, start: int) -> Movie:
    ages = lambda found: [character.look.age for character in found.cast]  # noqa: E731
    return next(found for found in map(movie, range(start, 500)) if castable(EPISODES[name], ages(found)))


@cache
def stagings() -> tuple[Told, ...]:
    """Every episode on stage several times."""
    found = []
    for name, episode in EPISODES.items():
        for take in range(STAGINGS):
            planned = plan_episode(
                _movie_for(name, 11 * take), episode, f"{name} {take}", Random(f"{name}:{take}")
            )
            found.append(Told(planned, conclude(seen(planned.stage), RULES)))
    return tuple(found)


def test_there_are_enough_rules_of_every_kind() -> None:
    assert len(RULES) >= 80
    assert set(VOCABULARY) == CONCLUDED
    assert len(VOCABULARY["reason"]) >= 25
    assert len(VOCABULARY["would"]) >= 10
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_rule_holds_somewhere() -> None:
    fired = {proof.rule for told in stagings() for proof in told.proofs}
    assert not [rule.name for rule in RULES if rule.name not in fired]


def test_every_episode_proves_what_it_is_for() -> None:
    missing = {
        (told.planned.episode.name, text)
        for told in stagings()
        for text, fact in zip(told.planned.episode.proves, told.planned.intended(), strict=True)
        if fact not in told.facts
    }
    assert not missing


def _slots(facts: set[Fact]) -> Iterator[tuple[object, object]]:
    """What must be one thing, and what it is."""
    for fact in facts:
        if fact[0] in ("doing", "feels", "wants", "occupation", "next"):
            yield fact[:2], fact[2:]
        elif fact[0] == "related":
            yield ("related", frozenset(fact[1:3])), fact[3]
        elif fact[0] in ("at", "time"):
            yield fact[0], fact[1:]


def test_no_two_conclusions_contradict() -> None:
    for told in stagings():
        values: dict[object, set[object]] = defaultdict(set)
        for slot, value in _slots(told.facts):
            values[slot].add(value)
        assert not {slot: value for slot, value in values.items() if len(value) > 1}, told.planned.stage.id


def test_the_place_that_is_told_is_the_place_where_it_is() -> None:
    for told in stagings():
        assert ("at", told.planned.stage.place) in told.facts, told.planned.stage.id


def test_nearly_every_scene_has_much_to_conclude() -> None:
    kinds = [{fact[0] for fact in told.facts} for told in stagings()]
    assert sum(bool(found & {"reason", "would"}) for found in kinds) > 0.85 * len(kinds)
    assert sum(bool(found & {"happened", "next"}) for found in kinds) > 0.85 * len(kinds)
    assert all(len(found) >= 3 for found in kinds)


def test_conclusions_are_of_the_listed_shapes() -> None:
    words = {kind: {_words(shape) for shape in shapes} for kind, shapes in VOCABULARY.items()}
    for told in stagings()[::5]:
        for fact in told.facts:
            assert _words(fact) in words[str(fact[0])]


def _words(fact: object) -> object:
    """A fact or a shape without its entities."""
    if isinstance(fact, tuple):
        return tuple(_words(part) for part in fact)
    return "?" if isinstance(fact, int) or (isinstance(fact, str) and fact.startswith("?")) else fact


def _names(value: object) -> set[str]:
    if isinstance(value, frozenset):
        return {str(name) for name in value}
    return {value} if isinstance(value, str) and not value.startswith("?") else set()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_names_only_what_there_is(rule: Rule) -> None:
    exceptions = [
        part for entry in rule.unless for part in (entry if isinstance(entry[0], tuple) else (entry,))
    ]
    assert all(part[0] in SEEN_KINDS for part in exceptions if isinstance(part, tuple))
    for fact in rule.when:
        assert fact[0] in SEEN_KINDS | CONCLUDED
        if fact[0] == "is":
            assert _names(fact[2]) <= {*THINGS, "person"}
        if fact[0] == "state":
            assert _names(fact[2]) <= {state for thing in THINGS.values() for state in thing.states}
        if fact[0] == "colour":
            assert _names(fact[2]) <= set(COLOURS)
        if fact[0] == "at":
            assert _names(fact[1]) <= set(PLACES)


def test_conditions_are_read_as_written() -> None:
    assert pattern("is t hot dog") == ("is", "?t", "hot dog")
    assert pattern("is t BALL|kite") == ("is", "?t", frozenset({"sports ball", "frisbee", "kite"}))
    assert patterns("hands p t q; weather rain") == (("hands", "?p", "?t", "?q"), ("weather", "rain"))
    assert all(
        set(names.split("|")) <= {*THINGS, *OUTFITS, "standing", "sitting", "walking"}
        for names in SETS.values()
    )


def test_letters_say_who_is_a_person_and_what_is_a_thing() -> None:
    for told in stagings()[::3]:
        people = {actor.id for actor in told.planned.stage.actors}
        shapes = {rule.name: rule.then for rule in RULES}
        for proof in told.proofs:
            for letter, entity in _paired(shapes[proof.rule], proof.fact):
                assert letter == "?e" or (entity in people) == (letter in ("?p", "?q", "?r")), proof


def _paired(shape: object, fact: object) -> Iterator[tuple[str, object]]:
    """Each variable of a shape with what it stands for in a fact."""
    if isinstance(shape, str) and shape.startswith("?"):
        yield shape, fact
    elif isinstance(shape, tuple) and isinstance(fact, tuple):
        for part, value in zip(shape, fact, strict=True):
            yield from _paired(part, value)


def test_in_a_ladder_the_first_row_that_fits_counts() -> None:
    rows = (Row("p, sad", "expression p sad; holds p t"), Row("p, blue", "expression p sad"))
    facts: list[Fact] = [("expression", 0, "sad"), ("holds", 0, 9), ("expression", 1, "sad")]
    told = {proof.fact for proof in conclude(facts, ladder("feels", rows))}
    assert told == {("feels", 0, "sad"), ("feels", 1, "blue")}


def test_every_activity_has_at_most_one_habit() -> None:
    assert len({habit.activity for habit in HABITS}) == len(HABITS)

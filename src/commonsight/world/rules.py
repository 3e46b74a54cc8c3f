"""Everyday commonsense, gathered: every rule by which what the picture does not say can be concluded.

The tables are in `world.lore`. `VOCABULARY` lists every shape of fact that the rules can give, so that those
who write texts can cover it and a test can tell when they do not: in a shape `?p ?q ?r` stand for people,
`?t ?u ?v` for things (an animal is a thing), `?e` for either, and None for nothing.

A person does, feels, wants, is, and will do next at most one thing; two people are at most one thing to each
other; a scene is at one place and time. `happened`, `reason` and `would` may hold several times.
"""

from __future__ import annotations

from commonsight.world.facts import Fact
from commonsight.world.logic import Rule
from commonsight.world.lore import activities, events, goals, habits, moods, people, reasons

RULES: tuple[Rule, ...] = (
    *activities.RULES,
    *moods.RULES,
    *goals.RULES,
    *habits.RULES,
    *people.RULES,
    *events.RULES,
    *reasons.RULES,
)


def _shapes(rules: tuple[Rule, ...]) -> dict[str, tuple[Fact, ...]]:
    kinds = dict.fromkeys(str(rule.then[0]) for rule in rules)
    return {kind: tuple(dict.fromkeys(rule.then for rule in rules if rule.then[0] == kind)) for kind in kinds}


VOCABULARY: dict[str, tuple[Fact, ...]] = _shapes(RULES)
"""Every shape that a concluded fact can have, by kind."""

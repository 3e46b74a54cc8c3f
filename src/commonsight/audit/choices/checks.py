"""What can be wrong with the choices of an item: each check notes the items it strikes, with an example."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from commonsight.audit.cases import Case, Cases
from commonsight.audit.choices.form import odd_ones
from commonsight.audit.choices.gender import Clash, clash
from commonsight.audit.choices.pairs import Kinship, related_choices
from commonsight.audit.choices.tags import bad_tags, spelled_tags
from commonsight.audit.normal import normal

KINDS: dict[Kinship, str] = {
    "same": "equal but for case and marks",
    "forms": "other forms of the same words",
    "order": "the same words in another order",
    "spelling": "one letter apart",
    "tags": "only the tags differ",
}


class Hit(NamedTuple):
    """What was seen in an item, and how bad it is among its like."""

    example: str
    weight: float = 0.0


@dataclass
class Seen:
    """All that was seen in the choices of one task."""

    hits: dict[str, dict[int, Hit]] = field(default_factory=dict)
    """By code, then by the place of the item."""
    kinds: Counter[tuple[Kinship, bool]] = field(default_factory=Counter)
    """Pairs of choices that are related: how, and whether one of them is the right one."""
    clashes: dict[int, Clash] = field(default_factory=dict)
    """By place: items whose question has one gender."""
    odd: dict[str, dict[int, int]] = field(default_factory=dict)
    """By trait, then by place: which choice is the odd one."""
    quoted: dict[int, int] = field(default_factory=dict)
    """By place: the only choice that occurs in the question, whether it is right or wrong."""

    def hit(self, code: str, place: int, example: str, weight: float = 0.0) -> None:
        """Note an item under a code, by its worst example."""
        known = self.hits.setdefault(code, {})
        if place not in known or known[place].weight < weight:
            known[place] = Hit(example, weight)

    def worst(self, code: str) -> list[int]:
        """The places of the items under a code, the worst first."""
        hits = self.hits.get(code, {})
        return sorted(hits, key=lambda place: -hits[place].weight)


def look(cases: Cases) -> Seen:
    """One pass over the items."""
    seen = Seen()
    bare = spelled_tags(cases)
    for place, (case, asked, said) in enumerate(zip(cases, cases.asked, cases.said, strict=True)):
        _empty(seen, place, said)
        _relations(seen, place, case, said)
        if bare is not None:  # else no picture lists its objects, and there is nothing to hold tags against
            _tags(seen, place, case, bare)
        _quoted(seen, place, asked, said, case.gold)
        _accepted(seen, place, case, said)
        _gender(seen, place, asked, said, case.gold)
        for trait, odd in odd_ones(case.choices, said).items():
            seen.odd.setdefault(trait, {})[place] = odd
    return seen


def _empty(seen: Seen, place: int, said: Sequence[str]) -> None:
    for at, choice in enumerate(said):
        if not choice.strip():
            seen.hit("empty-choices", place, f"choice {at + 1} is empty")


def _relations(seen: Seen, place: int, case: Case, said: Sequence[str]) -> None:
    for related in related_choices(case.choices, said):
        with_right = case.gold in (related.first, related.second)
        seen.kinds[related.kinship, with_right] += 1
        if related.kinship == "same":
            code = "right-equals-wrong" if with_right else "duplicate-choices"
        else:
            code = "tags-only" if related.kinship == "tags" else "near-duplicate-choices"
        seen.hit(code, place, f"“{said[related.first]}” | “{said[related.second]}”")


def _tags(seen: Seen, place: int, case: Case, bare: re.Pattern[str]) -> None:
    for bad in bad_tags(case, bare):
        if bad.trouble == "as words":
            seen.hit("tags-as-words", place, bad.spelled)
        else:
            seen.hit("tags-not-in-image", place, f"{bad.spelled}: {bad.trouble}; {len(case.labels)} objects")


def _quoted(seen: Seen, place: int, asked: str, said: Sequence[str], gold: int | None) -> None:
    question = f" {normal(asked)} "
    there = [at for at, choice in enumerate(said) if (words := normal(choice)) and f" {words} " in question]
    if len(there) == 1:
        seen.quoted[place] = there[0]
        if there[0] == gold:
            seen.hit("answer-in-question", place, f"“{said[there[0]]}” in “{asked}”")


def _gender(seen: Seen, place: int, asked: str, said: Sequence[str], gold: int | None) -> None:
    found = clash(asked, said, gold)
    if found is None:
        return
    seen.clashes[place] = found
    for at, clashes in enumerate(found.clashing):
        if clashes:
            seen.hit("gender-mismatch", place, f"“{asked}” | “{said[at]}”")
    if found.alone and gold is not None:
        seen.hit("gender-only-right-fits", place, f"“{asked}” | “{said[gold]}”")


def _accepted(seen: Seen, place: int, case: Case, said: Sequence[str]) -> None:
    """What people said who saw no choices: never the right one, or a wrong one at least as often."""
    if not case.accepted or case.gold is None:
        return
    votes = Counter(map(normal, case.accepted))
    right = normal(said[case.gold])
    if not votes[right]:
        seen.hit("right-choice-unsaid", place, f"“{said[case.gold]}” by none of {votes.total()}")
    for choice in said:
        wrong = normal(choice)
        if wrong and wrong != right and votes[wrong] >= max(1, votes[right]):
            told = f"“{choice}” by {votes[wrong]}, “{said[case.gold]}” by {votes[right]} of {votes.total()}"
            seen.hit("wrong-choice-accepted", place, told, votes[wrong] - votes[right])

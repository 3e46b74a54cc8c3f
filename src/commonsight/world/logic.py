"""Rules as data, and the little engine that draws conclusions from them.

A pattern is a fact with variables, written `"?p"`; a frozenset in a pattern fits any of its members. A rule
holds when all of its patterns match facts under one binding; two different variables may stand for the same
entity only if the rule does not say `distinct`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from commonsight.world.facts import Fact, Proof

Binding = Mapping[str, object]
_Key = tuple[object, int, object]
"""A kind, a position, and the value there."""


class Rule(NamedTuple):
    """If all of `when` holds, so does `then`; unless something of `unless` does.

    An entry of `unless` is one pattern, or a tuple of patterns that must all match. Its variables that the
    rule does not bind stand for anything.
    """

    name: str
    when: tuple[Fact, ...]
    then: Fact
    unless: tuple[Fact, ...] = ()
    distinct: bool = True

    def __hash__(self) -> int:
        return hash(self.name)  # rules are looked up by the hundred for every scene


class _Part(NamedTuple):
    """A pattern, taken apart once: what must be equal, what is bound, what needs a closer look."""

    kind: object
    size: int
    keys: tuple[_Key, ...]
    """Of the constants."""
    variables: tuple[tuple[int, str], ...]
    others: tuple[tuple[int, object], ...]
    """Sets and nested patterns, by position."""


class _Group(NamedTuple):
    parts: tuple[_Part, ...]
    needed: frozenset[_Key]


class _Compiled(NamedTuple):
    rule: Rule
    when: tuple[_Part, ...]
    unless: tuple[_Group, ...]
    needed: frozenset[_Key]
    """Keys without which the rule cannot hold: most rules are turned away by these."""
    kinds: frozenset[object]


class Facts:
    """Facts by kind and by each of their arguments, so that a pattern is held against few."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._all: set[Fact] = set()
        self._by_kind: dict[object, list[Fact]] = {}
        self._by_value: dict[_Key, list[Fact]] = {}
        for fact in sorted(facts, key=repr):  # sorted: conclusions come in the same order every time
            self.add(fact)

    def __contains__(self, fact: Fact) -> bool:
        return fact in self._all

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._all)

    def add(self, fact: Fact) -> bool:
        """Whether the fact was new."""
        if fact in self._all:
            return False
        self._all.add(fact)
        kind = fact[0]
        self._by_kind.setdefault(kind, []).append(fact)
        for position in range(1, len(fact)):
            self._by_value.setdefault((kind, position, fact[position]), []).append(fact)
        return True

    def have(self, keys: frozenset[_Key]) -> bool:
        """Whether there is a fact for each key."""
        return self._by_value.keys() >= keys

    def possible(self, book: _Book) -> list[int]:
        """Rules that are worth a try, in their order."""
        keys = book.by_key.keys() & self._by_value.keys()
        return sorted(chain(book.always, chain.from_iterable(book.by_key[key] for key in keys)))

    def matching(self, pattern: Fact, binding: Binding) -> Iterator[tuple[Fact, dict[str, object]]]:
        """Facts that a pattern fits, each with the binding it makes."""
        return self.fitting(_part(pattern), binding)

    def fitting(self, part: _Part, binding: Binding) -> Iterator[tuple[Fact, dict[str, object]]]:
        """As `matching`, for a pattern taken apart."""
        for fact in self._candidates(part, binding):
            bound = _fit(part, fact, binding)
            if bound is not None:
                yield fact, bound

    def _candidates(self, part: _Part, binding: Binding) -> list[Fact]:
        """The shortest list that holds every fact that fits."""
        best = self._by_kind.get(part.kind, [])
        for key in part.keys:
            found = self._by_value.get(key, [])
            if len(found) < len(best):
                best = found
        for position, variable in part.variables:
            if variable in binding:
                found = self._by_value.get((part.kind, position, binding[variable]), [])
                if len(found) < len(best):
                    best = found
        return best


def _fit(part: _Part, fact: Fact, binding: Binding) -> dict[str, object] | None:
    if len(fact) != part.size:
        return None
    for _, position, value in part.keys:
        if fact[position] != value:
            return None
    bound = dict(binding)
    for position, variable in part.variables:
        if bound.setdefault(variable, fact[position]) != fact[position]:
            return None
    for position, inner in part.others:
        if not _match(inner, fact[position], bound):
            return None
    return bound


def match(pattern: object, fact: object, binding: Binding) -> dict[str, object] | None:
    """The binding under which the pattern is the fact, or None."""
    bound = dict(binding)
    return bound if _match(pattern, fact, bound) else None


def _match(pattern: object, fact: object, bound: dict[str, object]) -> bool:
    if _is_variable(pattern):
        return bound.setdefault(str(pattern), fact) == fact
    if isinstance(pattern, frozenset):
        return fact in pattern
    if isinstance(pattern, tuple):
        return (
            isinstance(fact, tuple)
            and len(pattern) == len(fact)
            and all(_match(part, value, bound) for part, value in zip(pattern, fact, strict=True))
        )
    return pattern == fact


def _is_variable(pattern: object) -> bool:
    return isinstance(pattern, str) and pattern.startswith("?")


def fill(pattern: object, binding: Binding) -> object:
    """The pattern with its variables filled in."""
    if isinstance(pattern, str):
        return binding[pattern] if pattern.startswith("?") else pattern
    if isinstance(pattern, tuple):
        return tuple([fill(part, binding) for part in pattern])
    return pattern


def _part(pattern: Fact) -> _Part:
    keys, variables, others = [], [], []
    for position, value in enumerate(pattern[1:], start=1):
        if _is_variable(value):
            variables.append((position, str(value)))
        elif isinstance(value, frozenset | tuple):
            others.append((position, value))
        else:
            keys.append((pattern[0], position, value))
    return _Part(pattern[0], len(pattern), tuple(keys), tuple(variables), tuple(others))


def _group(entry: Fact) -> _Group:
    """An exception: one pattern, or several that must hold together."""
    patterns = [part for part in entry if isinstance(part, tuple)] if isinstance(entry[0], tuple) else [entry]
    parts = tuple(map(_part, patterns))
    return _Group(parts, _needed(parts))


def _needed(parts: tuple[_Part, ...]) -> frozenset[_Key]:
    return frozenset(key for part in parts for key in part.keys)


class _Book(NamedTuple):
    rules: tuple[_Compiled, ...]
    kinds: frozenset[object]
    """Kinds that rules name: other facts need not be sorted at all."""
    by_key: dict[_Key, list[int]]
    """Which rules to try if there is a fact for a key: each rule under its rarest."""
    always: tuple[int, ...]
    """Rules without a constant."""


@lru_cache(maxsize=16)
def _compiled(rules: tuple[Rule, ...]) -> _Book:
    found = []
    for rule in rules:
        when = tuple(map(_part, rule.when))
        groups = tuple(_group(entry) for entry in rule.unless)
        found.append(_Compiled(rule, when, groups, _needed(when), frozenset(part.kind for part in when)))
    parts = [
        part for each in found for group in (each.when, *(g.parts for g in each.unless)) for part in group
    ]
    kinds = frozenset(part.kind for part in parts) | {rule.then[0] for rule in rules}
    always = tuple(number for number, each in enumerate(found) if not each.needed)
    return _Book(tuple(found), kinds, _by_rarest_key(found), always)


def _by_rarest_key(compiled: list[_Compiled]) -> dict[_Key, list[int]]:
    common = Counter(key for each in compiled for key in each.needed)
    found: dict[_Key, list[int]] = {}
    for number, each in enumerate(compiled):
        if each.needed:
            rarest = min(each.needed, key=lambda key: (common[key], repr(key)))
            found.setdefault(rarest, []).append(number)
    return found


def conclude(seen: Iterable[Fact], rules: Iterable[Rule]) -> tuple[Proof, ...]:
    """Everything that follows, each fact once, with the first proof found. Rules may build on conclusions.

    `unless` is held against what was seen, never against conclusions: so the order of rules cannot matter to
    what follows.
    """
    book = _compiled(tuple(rules))
    seen = frozenset(seen)
    facts = Facts(fact for fact in seen if fact[0] in book.kinds)
    proofs: dict[Fact, Proof] = {}
    fresh: set[object] | None = None  # None: everything is new
    while fresh is None or fresh:
        grown: set[object] = set()
        for number in facts.possible(book):
            candidate = book.rules[number]
            if fresh is not None and fresh.isdisjoint(candidate.kinds):
                continue
            if not facts.have(candidate.needed):
                continue
            for proof in _proofs(candidate, facts, seen):
                if proof.fact not in seen and facts.add(proof.fact):
                    proofs[proof.fact] = proof
                    grown.add(proof.fact[0])
        fresh = grown
    return tuple(proofs.values())


def _proofs(candidate: _Compiled, facts: Facts, seen: frozenset[Fact]) -> list[Proof]:
    rule = candidate.rule
    found = []
    for binding, evidence in _joined(candidate.when, facts, {}):
        if rule.distinct and len(set(binding.values())) != len(binding):
            continue
        then = fill(rule.then, binding)
        assert isinstance(then, tuple)
        if then in facts or any(_known(group, facts, binding, seen) for group in candidate.unless):
            continue
        found.append(Proof(then, rule.name, evidence))
    return found


def _joined(
    parts: tuple[_Part, ...], facts: Facts, binding: Binding, evidence: tuple[Fact, ...] = ()
) -> Iterator[tuple[Binding, tuple[Fact, ...]]]:
    """Every way to fit all parts at once, with the facts taken."""
    if not parts:
        yield binding, evidence
        return
    for fact, bound in facts.fitting(parts[0], binding):
        yield from _joined(parts[1:], facts, bound, (*evidence, fact))


def _known(group: _Group, facts: Facts, binding: Binding, seen: frozenset[Fact]) -> bool:
    return facts.have(group.needed) and any(
        seen.issuperset(evidence) for _, evidence in _joined(group.parts, facts, binding)
    )


def holds(fact: Fact, seen: Iterable[Fact], rules: Iterable[Rule]) -> bool:
    """Whether a fact can be seen or proved: the checker behind every label of the world."""
    seen = frozenset(seen)
    return fact in seen or any(proof.fact == fact for proof in conclude(seen, rules))

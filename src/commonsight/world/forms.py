"""Logical forms: what a sentence says about one scene or a pair, in a shape that can be proved.

A form is a nested tuple of names and numbers, so it goes into JSON and comes back (`from_json`).

A description says which entities are meant:
    ("is", "dog")  ("is", "person")  ("category", "animal")
    ("has", "colour", "red")  ("has", "hat", None)           any hat at all
    ("rel", "next_to", description)                          next to at least one of those
    ("related", "exactly", 2, "holds", description)          to that many of those
    ("the", description)                                     the only one of its kind in its scene
    ("all_of", …)  ("any_of", …)  ("not", description)
A claim is about one scene, or about two taken together:
    ("some", d)  ("no", d)  ("count", "at least", 2, d)  ("every", d, d)  ("the", d, d)
    ("more", d, d)  ("as many", d, d)  ("scene", "light", "night")  ("and", …)  ("or", …)  ("not", claim)
A form puts claims to a pair of scenes:
    ("left", claim)  ("right", claim)  ("one image", claim)  ("both images", claim)
    ("exactly one image", claim)  ("neither image", claim)  ("pair", claim)    both scenes taken together
    ("compare", "more than", d)         left against right   ("differ", "exactly", 1, d)   either way round
    ("and", …)  ("or", …)  ("not", form)

One entity that satisfies two predicates ("its", "they") is one description with both in `all_of`.
`every` and `the` are true only if there is something that they speak of.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from commonsight.errors import InputError
from commonsight.world.facts import Fact, seen
from commonsight.world.model import Stage
from commonsight.world.things import THINGS

Form = tuple[Any, ...]
Entity = tuple[int, int]
"""Which scene, and the entity's id in it."""

COUNTS: dict[str, Callable[[int, int], bool]] = {
    "exactly": operator.eq, "at least": operator.ge, "at most": operator.le, "no more than": operator.le,
    "fewer than": operator.lt, "more than": operator.gt, "as many as": operator.eq,
}  # fmt: skip
HARD = ("exactly",)
ATTRIBUTES = (
    "is", "colour", "size", "material", "state", "pose", "expression", "age", "outfit", "top", "hair", "hat",
)  # fmt: skip
RELATIONS = (
    "holds", "looks_at", "points_at", "sits_on", "lies_on", "hugs", "on", "in", "next_to", "behind",
    "left_of", "right_of",
)  # fmt: skip
INVERSES = {"held_by": "holds", "in_front_of": "behind", "under": "on", "sat_on_by": "sits_on"}
SPATIAL = frozenset(
    ("on", "in", "under", "next_to", "behind", "in_front_of", "left_of", "right_of", "sits_on", "lies_on")
)


class Seen:
    """The facts of one scene, or of two taken together, laid out for looking up."""

    def __init__(self, *scenes: Iterable[Fact]) -> None:
        self._values: dict[str, dict[Entity, set[object]]] = {kind: {} for kind in ATTRIBUTES}
        self._related: dict[str, dict[Entity, set[Entity]]] = {
            kind: {} for kind in (*RELATIONS, *INVERSES)
        }  # fmt: skip
        self._scene: set[Fact] = set()
        inverse = {kind: name for name, kind in INVERSES.items()}
        for side, facts in enumerate(scenes):
            for fact in facts:
                kind: Any = fact[0]
                if kind in self._values:
                    self._values[kind].setdefault(_entity(side, fact[1]), set()).add(fact[2])
                elif kind in self._related:
                    subject, thing = _entity(side, fact[1]), _entity(side, fact[2])
                    self._related[kind].setdefault(subject, set()).add(thing)
                    if kind in inverse:
                        self._related[inverse[kind]].setdefault(thing, set()).add(subject)
                else:
                    self._scene.add(fact)
        self.found: dict[Form, list[Entity]] = {}
        self.entities: tuple[Entity, ...] = tuple(sorted(self._values["is"]))

    def values(self, kind: str, entity: Entity) -> set[object]:
        """What an entity is like in one respect."""
        values: dict[Entity, set[object]] = _known(self._values, kind, "attribute")
        return values.get(entity, set())

    def related(self, relation: str, entity: Entity) -> set[Entity]:
        """What an entity stands in a relation to."""
        things: dict[Entity, set[Entity]] = _known(self._related, relation, "relation")
        return things.get(entity, set())

    def says(self, fact: Fact) -> bool:
        """Whether a fact about a scene as a whole holds, such as ("light", "night")."""
        return fact in self._scene


def _entity(side: int, entity: object) -> Entity:
    assert isinstance(entity, int)
    return side, entity


def _known(table: dict[str, Any], name: str, what: str) -> Any:
    if name not in table:
        raise InputError(f"'{name}' is no {what} of a form. Use one of: {', '.join(table)}.")
    return table[name]


def visible_facts(stage: Stage, visible_ids: Collection[int]) -> frozenset[Fact]:
    """What the picture shows of those entities that can be made out in it; entities are a fact's numbers."""
    visible = frozenset(visible_ids)
    return frozenset(
        fact for fact in seen(stage) if all(not isinstance(part, int) or part in visible for part in fact)
    )


def holds_in(form: Form, facts_left: Iterable[Fact], facts_right: Iterable[Fact]) -> bool:
    """Whether a form is true of a pair of scenes, given what can be seen in each."""
    left, right = tuple(facts_left), tuple(facts_right)
    return Pair(Seen(left), Seen(right), Seen(left, right)).holds(form)


class Pair:
    """Two scenes, and both taken together: what forms are put to."""

    def __init__(self, left: Seen, right: Seen, together: Seen) -> None:
        self.left, self.right, self.together = left, right, together

    def holds(self, form: Form) -> bool:
        """Whether the form is true of this pair."""
        match form:
            case ("left", claim):
                return true_of(claim, self.left)
            case ("right", claim):
                return true_of(claim, self.right)
            case ("pair", claim):
                return true_of(claim, self.together)
            case ("one image" | "both images" | "exactly one image" | "neither image" as how, claim):
                true = true_of(claim, self.left) + true_of(claim, self.right)
                wanted = {"one image": (1, 2), "both images": (2,), "exactly one image": (1,)}
                return true in wanted.get(how, (0,))
            case ("compare", how, described):
                many, few = count(described, self.left), count(described, self.right)
                return _compare(how)(many, few)
            case ("differ", how, number, described):
                apart = abs(count(described, self.left) - count(described, self.right))
                return _compare(how)(apart, number)
            case ("and", *parts):
                return all(self.holds(part) for part in parts)
            case ("or", *parts):
                return any(self.holds(part) for part in parts)
            case ("not", part):
                return not self.holds(part)
        raise _unreadable(form, "form")


def true_of(claim: Form, scene: Seen) -> bool:
    """Whether a claim is true of one scene, or of two taken together."""
    match claim:
        case ("some", described):
            return bool(among(described, scene))
        case ("no", described):
            return not among(described, scene)
        case ("count", how, number, described):
            return _compare(how)(count(described, scene), number)
        case ("every", described, wanted):
            meant = among(described, scene)
            return bool(meant) and all(fits(wanted, entity, scene) for entity in meant)
        case ("the", described, wanted):
            meant = among(described, scene)
            return len(meant) == 1 and fits(wanted, meant[0], scene)
        case ("more", described, than):
            return count(described, scene) > count(than, scene)
        case ("as many", described, than):
            return count(described, scene) == count(than, scene)
        case ("scene", kind, value):
            return scene.says((kind, value))
        case ("and", *parts):
            return all(true_of(part, scene) for part in parts)
        case ("or", *parts):
            return any(true_of(part, scene) for part in parts)
        case ("not", part):
            return not true_of(part, scene)
    raise _unreadable(claim, "claim")


def among(described: Form, scene: Seen) -> list[Entity]:
    """The entities that a description fits. Asked for every sentence thought of, so remembered."""
    if described not in scene.found:
        scene.found[described] = [entity for entity in scene.entities if fits(described, entity, scene)]
    return scene.found[described]


def count(described: Form, scene: Seen) -> int:
    """How many entities a description fits."""
    return len(among(described, scene))


def fits(described: Form, entity: Entity, scene: Seen) -> bool:
    """Whether a description fits an entity."""
    match described:
        case ("is", name):
            return name in scene.values("is", entity)
        case ("category", name):
            return any(_category(thing) == name for thing in scene.values("is", entity))
        case ("has", kind, value):
            values = scene.values(kind, entity)
            return bool(values) if value is None else value in values
        case ("rel", relation, other):
            return any(fits(other, thing, scene) for thing in scene.related(relation, entity) - {entity})
        case ("related", how, number, relation, other):
            things = scene.related(relation, entity) - {entity}
            return _compare(how)(sum(fits(other, thing, scene) for thing in things), number)
        case ("the", kind):
            alike = [other for other in among(kind, scene) if other[0] == entity[0]]
            return alike == [entity]
        case ("all_of", *parts):
            return all(fits(part, entity, scene) for part in parts)
        case ("any_of", *parts):
            return any(fits(part, entity, scene) for part in parts)
        case ("not", part):
            return not fits(part, entity, scene)
    raise _unreadable(described, "description")


def _category(name: object) -> str | None:
    thing = THINGS.get(name) if isinstance(name, str) else None
    return thing.category if thing is not None else None


def _compare(how: str) -> Callable[[int, int], bool]:
    compare: Callable[[int, int], bool] = _known(COUNTS, how, "way to count")
    return compare


def _unreadable(form: object, what: str) -> InputError:
    return InputError(f"{form!r} is not a {what}. Write it as in the docstring of commonsight.world.forms.")


def from_json(value: object) -> Form:
    """A form as JSON gives it back, with tuples for its lists."""
    if not isinstance(value, list | tuple):
        raise _unreadable(value, "form")
    return tuple(from_json(part) if isinstance(part, list | tuple) else part for part in value)


def parts_of(form: Form) -> Iterator[Form]:
    """The form and every form inside it."""
    yield form
    for part in form:
        if isinstance(part, tuple):
            yield from parts_of(part)


def mentioned(form: Form) -> frozenset[str]:
    """The classes that a form names: "person", "dog" …"""
    return frozenset(part[1] for part in parts_of(form) if part[0] == "is")


def phenomena(form: Form) -> frozenset[str]:
    """The phenomena of the paper's Table 5 that a form itself shows; wording may add others."""
    found = set()
    for part in parts_of(form):
        match part:
            case ("count" | "differ" | "related", how, *_):
                found.add("cardinality (hard)" if how in HARD else "cardinality (soft)")
            case ("some", _):
                found.add("existential")
            case ("every", _, _) | ("both images", _):
                found.add("universal")
            case ("and" | "or", *_) | ("any_of", *_):
                found.add("coordination")
            case ("the", *_):
                found.add("presupposition")
            case ("not" | "no" | "neither image", _):
                found.add("negation")
            case ("compare" | "more" | "as many", *_):
                found.add("comparative")
        if part[0] == "differ":
            found.add("comparative")
        if SPATIAL.intersection((*part[1:2], *part[3:4])) and part[0] in ("rel", "related"):
            found.add("spatial relations")
    return frozenset(found)


REASONING = {
    "exactly one image": "exactly one image", "one image": "existential", "neither image": "universal",
    "both images": "universal", "left": "left or right", "right": "left or right", "compare": "comparison",
    "differ": "comparison", "pair": "across the pair",
}  # fmt: skip
"""What a form's head asks of the pair: the rows of the paper's Table 10, and what its text adds."""


def reasoning(form: Form) -> str:
    """Which reasoning over the pair a form asks for; of several, the one it names first."""
    return next(REASONING[part[0]] for part in parts_of(form) if part[0] in REASONING)

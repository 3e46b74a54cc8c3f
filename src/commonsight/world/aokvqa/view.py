"""What a question writer looks at: the seen facts, what follows from them, and what is known of things.

Also how the writer points at someone or something without saying what the answer needs: "the thing on the
dining table", "the person in red". Every such description is a form that exactly one entity fits.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from commonsight.world.aokvqa.tables import CLUES, COVERED
from commonsight.world.facts import Fact, Proof
from commonsight.world.forms import Form, Seen, among
from commonsight.world.logic import conclude
from commonsight.world.rules import RULES
from commonsight.world.things import THINGS

Triples = Sequence[tuple[str, str, str]]
"""Relation, head, tail."""


BARE = tuple(rule._replace(unless=()) for rule in RULES if rule.then[0] not in ("reason", "would"))
"""The rules without their exceptions: what they give is at least thinkable, and so never a wrong answer."""


class Knowledge(NamedTuple):
    """The knowledge graph, laid out for looking up."""

    tails: dict[tuple[str, str], tuple[str, ...]]
    """By relation and head."""
    heads: dict[tuple[str, str], tuple[str, ...]]
    """By relation and tail."""
    all_tails: dict[str, tuple[str, ...]]
    """By relation, sorted."""


@lru_cache(maxsize=4)
def knowledge(triples: tuple[tuple[str, str, str], ...]) -> Knowledge:
    """The triples as `Knowledge`; the few that a program has are laid out once."""
    tails: dict[tuple[str, str], list[str]] = {}
    heads: dict[tuple[str, str], list[str]] = {}
    for relation, head, tail in triples:
        tails.setdefault((relation, head), []).append(tail)
        heads.setdefault((relation, tail), []).append(head)
    relations = {relation for relation, _ in tails}
    return Knowledge(
        {key: tuple(found) for key, found in tails.items()},
        {key: tuple(found) for key, found in heads.items()},
        {name: tuple(sorted({tail for kind, tail in heads if kind == name})) for name in relations},
    )


class View:
    """One scene as its writer knows it."""

    def __init__(self, facts: Iterable[Fact], proofs: Iterable[Proof], triples: Triples) -> None:
        self.facts = frozenset(facts)
        self.proofs = tuple(proofs)
        self.known = knowledge(tuple((relation, head, tail) for relation, head, tail in triples))
        self._values: dict[tuple[str, int], list[object]] = {}
        self._kinds: dict[str, list[Fact]] = {}
        for fact in sorted(self.facts, key=repr):
            kind = str(fact[0])
            self._kinds.setdefault(kind, []).append(fact)
            if len(fact) == 3 and isinstance(fact[1], int):
                self._values.setdefault((kind, fact[1]), []).append(fact[2])
        self.names = {entity: str(found[0]) for (kind, entity), found in self._values.items() if kind == "is"}
        self.people = sorted(entity for entity, name in self.names.items() if name == "person")
        self.things = sorted(entity for entity, name in self.names.items() if name in THINGS)

    @cached_property
    def seen(self) -> Seen:
        """The facts as forms are held against them."""
        return Seen(self.facts)

    @cached_property
    def present(self) -> frozenset[str]:
        """The names of all things in sight."""
        return frozenset(self.names[thing] for thing in self.things)

    def value(self, kind: str, entity: int) -> str | None:
        """What the entity is like in one respect."""
        found = self._values.get((kind, entity))
        return str(found[0]) if found else None

    def of_kind(self, kind: str) -> list[Fact]:
        """Seen facts of one kind, in a fixed order."""
        return self._kinds.get(kind, [])

    def proven(self, kind: str) -> Iterator[Proof]:
        """Conclusions of one kind."""
        return (proof for proof in self.proofs if proof.fact[0] == kind)

    def behind(self, fact: Fact) -> tuple[Fact, ...]:
        """The seen facts that a conclusion rests on in the end."""
        proof = self._proof_of.get(fact)
        if proof is None:
            return (fact,) if fact in self.facts else ()
        return tuple(dict.fromkeys(seen for part in proof.evidence for seen in self.behind(part)))

    @cached_property
    def _proof_of(self) -> dict[Fact, Proof]:
        return {proof.fact: proof for proof in self.proofs}

    def possible(self, kind: str) -> list[Fact]:
        """What rules of one kind would give if no better reading stood before them."""
        return self._possible.get(kind, [])

    @cached_property
    def _possible(self) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = {}
        for proof in conclude(self.facts, BARE):
            found.setdefault(str(proof.fact[0]), []).append(proof.fact)
        return found

    def meant(self, form: Form) -> list[int]:
        """The entities that a description fits."""
        return [entity for _, entity in among(form, self.seen)]


def category(name: str) -> str:
    """What one calls a thing without its name."""
    return THINGS[name].category if name in THINGS else name


class Description(NamedTuple):
    """Words for one entity, and the form that only it fits."""

    text: str
    form: Form


DRAFTS = 3
"""Of so many descriptions that come to mind the shortest is taken."""
PERSON: Form = ("is", "person")
THING: Form = ("not", PERSON)
POSES = {
    "sitting": "sitting down", "lying": "lying down", "running": "running", "walking": "walking",
    "crouching": "crouching", "pointing": "pointing", "standing": "standing", "reading": "reading",
}  # fmt: skip
THING_WORDS = ("thing", "object", "item")
CATEGORY_WORDS = {
    "animal": "animal", "vehicle": "vehicle", "fruit": "fruit", "furniture": "piece of furniture",
    "toy": "toy",
    "musical instrument": "instrument", "bag": "bag", "tool": "tool", "plant": "plant", "sign": "sign",
    "reading matter": "reading material", "electric device": "device", "food": "food",
}  # fmt: skip


def describe(view: View, entity: int, hides: Collection[str], rng: random.Random) -> Description | None:
    """Words that point out the entity and nothing that is hidden; None where there are none.

    `hides` names kinds of facts that would say too much, and "name" for what a thing is called.
    """
    if view.names[entity] == "person":
        found = list(_person_words(view, entity, hides))
    else:
        found = list(_thing_words(view, entity, hides, rng))
    rng.shuffle(found)
    fitting = islice((words for words in found if view.meant(words.form) == [entity]), DRAFTS)
    return min(fitting, key=lambda words: len(words.text), default=None)


def _person_words(view: View, person: int, hides: Collection[str]) -> Iterator[Description]:
    noun, who = "person", PERSON
    if "age" not in hides and view.value("age", person) in ("child", "old"):
        age = view.value("age", person)
        noun = {"child": "child", "old": "old person"}[str(age)]
        who = ("all_of", PERSON, ("has", "age", age))
    yield Description(f"the {noun}", who)
    top, outfit = view.value("top", person), view.value("outfit", person)
    if "top" not in hides and outfit not in COVERED:
        yield from _worn(noun, who, str(top))
    hat = view.value("hat", person)
    if hat is not None and "hat" not in hides:
        yield Description(f"the {noun} with the {hat}", ("all_of", who, ("has", "hat", hat)))
    pose = view.value("pose", person)
    if pose in POSES and "pose" not in hides:
        yield Description(f"the {noun} who is {POSES[pose]}", ("all_of", who, ("has", "pose", pose)))
    for side, other in (("left", "right_of"), ("right", "left_of")):
        form: Form = ("all_of", who, ("not", ("rel", other, PERSON)))
        if len(view.people) > 1:
            yield Description(f"the {noun} on the {side}", form)
    yield from _person_beside(view, person, noun, who, hides)


def _worn(noun: str, who: Form, top: str) -> Iterator[Description]:
    # A white coat or apron over something else is white to the eye as well.
    others = ("any_of", ("has", "outfit", "doctor coat"), ("has", "outfit", "apron"))
    form: Form = ("all_of", who, ("has", "top", top))
    if top == "white":
        form = ("all_of", who, ("any_of", ("has", "top", top), others))
    yield Description(f"the {noun} in {top}", form)
    yield Description(f"the {noun} wearing {top}", form)


def _person_beside(
    view: View, person: int, noun: str, who: Form, hides: Collection[str]
) -> Iterator[Description]:
    for relation, words in (("holds", "with the"), ("sits_on", "on the"), ("next_to", "next to the")):
        for _, subject, thing in view.of_kind(relation):
            if subject == person and relation not in hides and thing in view.things:
                name = view.names[int(str(thing))]
                form: Form = ("all_of", who, ("rel", relation, ("the", ("is", name))))
                yield Description(f"the {noun} {words} {name}", form)


def _thing_words(view: View, thing: int, hides: Collection[str], rng: random.Random) -> Iterator[Description]:
    kinds: list[tuple[str, Form]] = [(rng.choice(THING_WORDS), THING)]
    kind = category(view.names[thing])
    if kind in CATEGORY_WORDS and "category" not in hides:
        kinds.append((CATEGORY_WORDS[kind], ("category", kind)))
        yield Description(f"the {CATEGORY_WORDS[kind]}", ("category", kind))
    colour = view.value("colour", thing)
    if "colour" not in hides:
        kinds += [(f"{colour} {noun}", ("all_of", form, ("has", "colour", colour))) for noun, form in kinds]
        if len(kinds) > 2:
            yield Description(f"the {kinds[-1][0]}", kinds[-1][1])
    for noun, form in kinds:
        yield from _thing_places(view, thing, noun, form, rng)
    if "clue" not in hides:
        yield from (clue for clue in clues(view) if clue.form == _clue_form(view, thing, clue))
    if "name" not in hides:
        name = view.names[thing]
        yield Description(f"the {name}", ("is", name))


def _clue_form(view: View, thing: int, clue: Description) -> Form | None:
    return clue.form if view.meant(clue.form) == [thing] else None


def _thing_places(view: View, thing: int, noun: str, form: Form, rng: random.Random) -> Iterator[Description]:
    for relation, words in (("on", "on"), ("in", "in"), ("next_to", "next to")):
        for _, subject, other in view.of_kind(relation):
            if subject == thing and other in view.things:
                name = view.names[int(str(other))]
                place: Form = ("rel", relation, ("the", ("is", name)))
                yield Description(f"the {noun} {words} the {name}", ("all_of", form, place))
    for _, person, held in view.of_kind("holds"):
        holder = describe(view, int(str(person)), ("holds", "next_to"), rng) if held == thing else None
        if holder is not None:
            form = ("all_of", form, ("rel", "held_by", holder.form))
            yield Description(f"the {noun} that {holder.text} is holding", form)


def clues(view: View) -> Iterator[Description]:
    """Things by what they are known by, where exactly one in sight is."""
    for words, names in CLUES.items():
        if sum(view.names[thing] in names for thing in view.things) == 1:
            form: Form = ("any_of", *(("is", name) for name in names))
            yield Description(f"the thing that {words}", form)

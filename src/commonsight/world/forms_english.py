"""How forms are said in English, in several wordings each, from short to long.

Whoever words a form also names the other readings that the words allow ("two dogs" may mean at least two):
a sentence is good only where all of its readings agree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from commonsight.world.forms import Form


class Noun(NamedTuple):
    """What a kind of entity is called."""

    form: Form
    one: str
    many: str
    other: Form | None = None
    """What else the words may mean, as in "brown dogs and cats"."""


class Predicate(NamedTuple):
    """What may be said of an entity after "is" or "are", or before its noun if `adjective`."""

    form: Form
    text: str
    adjective: bool = False


class Clause(NamedTuple):
    """A claim in three wordings; `shown` is what an image shows, and empty where that cannot be said."""

    claim: Form
    bare: str
    there: str
    shown: str
    readings: tuple[Form, ...] = ()
    joined: bool = False
    tags: frozenset[str] = frozenset()


class Said(NamedTuple):
    """A form, the sentences that say it from short to long, and what else these may mean."""

    form: Form
    texts: tuple[str, ...]
    readings: tuple[Form, ...]
    tags: frozenset[str]


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SHOWS = ("show", "contain", "include", "have", "feature")


THERE = 0.22
"""How often a sentence starts with "there is" where it need not."""
TRAILING = 0.75
"""How often the image is named at the end."""


def an(words: str) -> str:
    """The words with their article."""
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def negated(predicate: Predicate) -> Predicate:
    """The opposite."""
    return Predicate(("not", predicate.form), f"not {predicate.text}")


def described(noun: Noun, predicates: Sequence[Predicate]) -> Form:
    """Those of a kind of which all predicates are true."""
    return ("all_of", noun.form, *(p.form for p in predicates)) if predicates else noun.form


def phrase(noun: Noun, predicates: Sequence[Predicate], many: bool, rng: random.Random) -> str:
    """A noun with what is said of it: "brown dogs that are asleep"."""
    words = [p.text for p in predicates if p.adjective]
    words.append(noun.many if many else noun.one)
    after = [p.text for p in predicates if not p.adjective]
    if after:
        whole = any(text.startswith(("not ", "either ")) for text in after) or rng.random() < 0.5
        be = "are" if many else "is"
        words.append((f"that {be} " if whole else "") + " and ".join(after))
    return " ".join(words)


def _clause(
    claim: Callable[[Form], Form], noun: Noun, predicates: Sequence[Predicate], few: str, many: bool,
    rng: random.Random,
) -> Clause:  # fmt: skip
    """A clause about so many (`few`) of a kind: "exactly two" dogs, "no" dog."""
    be = "are" if many else "is"
    whole = phrase(noun, predicates, many, rng)
    whole = f"{few} {whole}" if few != "a" else an(whole)
    if predicates:
        start = phrase(noun, predicates[:-1], many, rng)
        bare = f"{f'{few} {start}' if few != 'a' else an(start)} {be} {predicates[-1].text}"
    else:
        bare = f"{whole} {be} {rng.choice(('present', 'visible', 'shown'))}"
    readings = (claim(described(noun._replace(form=noun.other), predicates)),) if noun.other else ()
    return Clause(claim(described(noun, predicates)), bare, f"there {be} {whole}", whole, readings)


def count_clause(
    noun: Noun, predicates: Sequence[Predicate], how: str, number: int, words: str, rng: random.Random
) -> Clause:
    """So many of a kind; a bare number may also mean "at least"."""
    many = not (words.endswith("one") or words == "a")
    made = _clause(lambda d: ("count", how, number, d), noun, predicates, words, many, rng)
    if words in NUMBERS:
        least = ("count", "at least", number, described(noun, predicates))
        made = made._replace(readings=(*made.readings, least))
    return made


def some_clause(noun: Noun, predicates: Sequence[Predicate], rng: random.Random) -> Clause:
    """At least one of a kind."""
    return _clause(lambda d: ("some", d), noun, predicates, "a", False, rng)


def no_clause(noun: Noun, predicates: Sequence[Predicate], rng: random.Random) -> Clause:
    """None of a kind."""
    many = rng.random() < 0.6
    made = _clause(lambda d: ("no", d), noun, predicates, "no", many, rng)
    if many and rng.random() < 0.5 and predicates:
        made = made._replace(bare=f"none of the {made.bare.removeprefix('no ')}")
    return made


def every_clause(noun: Noun, predicates: Sequence[Predicate], rng: random.Random) -> Clause:
    """All of a kind are so; whether that is true of none is left open, so both readings must agree."""
    *kind, last = predicates
    few, many = rng.choice((("every", False), ("each", False), ("all of the", True), ("all the", True)))
    bare = f"{few} {phrase(noun, kind, many, rng)} {'are' if many else 'is'} {last.text}"
    empty = ("no", ("all_of", described(noun, kind), ("not", last.form)))
    return Clause(("every", described(noun, kind), last.form), bare, bare, "", (empty,))


def the_clause(noun: Noun, predicates: Sequence[Predicate], rng: random.Random) -> Clause:
    """The only one of a kind is so; where it is not the only one, some say false and some look at all."""
    *kind, last = predicates
    bare = f"the {phrase(noun, kind, False, rng)} is {last.text}"
    return Clause(
        ("the", described(noun, kind), last.form), bare, bare, "", (("some", described(noun, predicates)),)
    )


def same_clause(noun: Noun, first: Predicate, then: Predicate, number: int, rng: random.Random) -> Clause:
    """So many are one thing, and the same ones another: "and it is", "and they are all"."""
    few, many = ("a" if number == 1 else f"exactly {NUMBERS[number]}"), number > 1
    subject = "they are both" if number == 2 else "they are all" if many else "it is"
    if not many and noun.one in ("person", "child"):
        subject = "they are"
    start = _clause(lambda d: ("count", "exactly", number, d), noun, (first,), few, many, rng)
    end = f"and {subject} {then.text}"
    claim: Form = ("some", described(noun, (first, then)))
    if many:
        claim = ("and", start.claim, ("every", described(noun, (first,)), then.form))
    tags = frozenset(("coreference",))
    return Clause(claim, f"{start.bare} {end}", f"{start.there} {end}", "", (), True, tags)


def more_clause(noun: Noun, than: Noun, predicates: Sequence[Predicate], rng: random.Random) -> Clause:
    """More of one kind than of another."""
    shown = f"more {phrase(noun, predicates, True, rng)} than {than.many}"
    return Clause(
        ("more", described(noun, predicates), than.form), f"there are {shown}", f"there are {shown}", shown
    )


def join(first: Clause, then: Clause, word: str) -> Clause:
    """Both clauses, of the same scene."""
    claim = ("and", first.claim, then.claim)
    readings = [("and", reading, then.claim) for reading in first.readings]
    readings += [("and", first.claim, reading) for reading in then.readings]
    shown = f"{first.shown} {word} {then.shown}" if first.shown and then.shown and word == "and" else ""
    bare, there = f"{first.bare} {word} {then.bare}", f"{first.there} {word} {then.bare}"
    return Clause(claim, bare, there, shown, tuple(readings), True, first.tags | then.tags)


SCOPES: dict[str, tuple[str, ...]] = {
    "left": ("the left image", "the image on the left", "the left-hand image"),
    "right": ("the right image", "the image on the right", "the right-hand image"),
    "one image": ("one image", "one of the images", "one of the two images"),
    "both images": ("both images", "each image", "each of the two images"),
    "exactly one image": ("exactly one image", "only one of the images", "just one of the two images"),
    "neither image": ("neither image", "neither of the images", "neither of the two images"),
}


def say(scope: str, clause: Clause, rng: random.Random) -> Said | None:
    """A clause of one image, of both or of the pair; None where that cannot be said."""
    form: Form = (scope, clause.claim)
    readings: list[Form] = [(scope, reading) for reading in clause.readings]
    if scope == "pair":
        start = clause.there if rng.random() < THERE else clause.bare
        total = ("in total",) if clause.claim[0] == "count" else ()
        ends = ("in the two images", "in the image pair", *total) if rng.random() < TRAILING else ()
        texts = [start] if clause.joined or not ends else [f"{start} {end}" for end in ends]
    else:
        names = SCOPES[scope]
        if scope == "one image":
            if rng.random() < 0.4:
                names = ("at least one image", "at least one of the images")
            else:
                readings.append(("exactly one image", clause.claim))
        texts = list(_of_images(scope, names, clause, rng))
    if not texts:
        return None
    texts.sort(key=lambda text: (len(text), text))
    return Said(form, tuple(texts), tuple(readings), clause.tags)


def _of_images(scope: str, names: Sequence[str], clause: Clause, rng: random.Random) -> Iterator[str]:
    verb = rng.choice(SHOWS)
    there = rng.random() < THERE and scope not in ("exactly one image", "neither image")
    start = clause.there if there else clause.bare
    wide = clause.claim[0] == "no" and scope not in ("left", "right")  # "no dog in one image": which first?
    trailing = not clause.joined and not wide and rng.random() < TRAILING
    for name in names:
        if clause.shown and not there:
            ending = "" if name.startswith("both") else "has" if verb == "have" else f"{verb}s"
            yield f"{name} {ending or verb} {clause.shown}"
        if scope not in ("exactly one image", "neither image"):
            yield f"in {name}{'' if there else ','} {start}"
            if trailing:
                yield f"{start} in {name}"


def say_compared(noun: Noun, predicates: Sequence[Predicate], rng: random.Random) -> Said:
    """How many there are in one image against the other."""
    what, kind = described(noun, predicates), phrase(noun, predicates, True, rng)
    side, other = rng.choice((("left", "right"), ("right", "left")))
    verb = rng.choice(("shows", "contains", "has"))
    if rng.random() < 0.2:
        number = rng.choice((1, 1, 2))
        kind = phrase(noun, predicates, number > 1, rng)
        texts = [f"one image {verb} exactly {NUMBERS[number]} more {kind} than the other"]
        return Said(("differ", "exactly", number, what), tuple(texts), (), frozenset())
    word = rng.choice(("more", "more", "fewer", "same"))
    if word == "same":
        texts = [
            f"the two images have the same number of {kind}",
            f"there are as many {kind} in the left image as in the right image",
        ]
        return Said(("compare", "as many as", what), tuple(texts), (), frozenset())
    how = "more than" if (word == "more") == (side == "left") else "fewer than"
    texts = [
        f"the {side} image {verb} {word} {kind} than the {other} image",
        f"there are {word} {kind} in the {side} image than in the {other} image",
        f"there are {word} {kind} in the image on the {side} than in the image on the {other}",
    ]
    return Said(("compare", how, what), tuple(texts), (), frozenset())

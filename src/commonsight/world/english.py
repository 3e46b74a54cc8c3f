"""Facts as English clauses, with marks such as `{7}` where an entity is meant.

What is seen and what is concluded are both put into words here, once, for every kind of text. A voice decides
between wordings; whether a mark becomes a tag or a name is decided by whoever knows the list of objects.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from commonsight.core.text import TaggedText, Token
from commonsight.world import english_tables as tables
from commonsight.world.facts import Fact
from commonsight.world.model import Expression, Pose
from commonsight.world.places import PLACES
from commonsight.world.voices import Voice, prefer

Say = Callable[[str], str]
"""Takes a row of wordings, gives the one that the voice prefers."""

POSES: dict[Pose, str] = {
    "standing": "is standing", "sitting": "is sitting", "lying": "is lying down", "walking": "is walking",
    "running": "is running", "pointing": "is pointing", "hugging": "has both arms round someone",
    "handing over": "is stretching out an arm", "eating": "has a hand at the mouth",
    "reading": "is looking down at both hands", "playing": "is moving about with raised arms",
    "sleeping": "has both eyes closed", "crouching": "is crouching",
}  # fmt: skip
EXPRESSIONS: dict[Expression, str] = {
    "neutral": "has a plain look on the face|looks neither glad nor sad",
    "happy": "is smiling|has a big smile on the face",
    "sad": "is crying|has tears in the eyes", "angry": "is frowning|has lowered eyebrows and a tight mouth",
    "surprised": "has an open mouth|has raised eyebrows and an open mouth",
    "afraid": "has wide eyes|has wide eyes and a trembling mouth",
    "tired": "has heavy eyelids|has heavy eyelids and rings under the eyes",
}  # fmt: skip
OUTFITS: dict[str, str] = {
    "casual": "everyday clothes", "suit": "a suit and tie", "dress": "a dress", "apron": "an apron",
    "chef jacket": "a white jacket with two rows of buttons", "doctor coat": "a long white coat",
    "police uniform": "a dark uniform with a badge", "work vest": "a bright vest", "swimwear": "a swimsuit",
    "pyjamas": "striped pyjamas", "sports kit": "a shirt with a number",
}  # fmt: skip
WITH: dict[Pose, str] = {
    "standing": "is standing there with {t}|is standing with {t} in the hand",
    "sitting": "is sitting there with {t}|is sitting with {t} in the hand",
    "walking": "is walking with {t}|is walking along with {t} in the hand",
    "running": "is running with {t}|is running with {t} in the hand",
    "eating": "has {t} at the mouth|is lifting {t} to the mouth",
    "reading": "is looking down at {t}|is looking down at {t} with both hands on it",
    "playing": "is moving about with {t}|is moving about with {t} in the hands",
    "crouching": "is crouching with {t}|is crouching with {t} in the hand",
}
"""A pose, and what is in the hands: nobody names the two one after the other."""
IMPLIED: dict[str, tuple[Pose, ...]] = {
    "hands": ("handing over",), "hugs": ("hugging",), "points_at": ("pointing",), "sits_on": ("sitting",),
    "lies_on": ("lying",),
}  # fmt: skip
"""Poses that go without saying once something else is said."""
AGES = {"child": "a child", "adult": "an adult", "old": "an old person"}
THERE = "can be seen|is in the picture|can be seen in the picture"
"""What is said of something that is simply there."""
LIGHTS = {
    "day": "the sun is out|it is a bright day",
    "dusk": "the sky is orange|the sun is going down in an orange sky",
    "night": "it is dark|it is already dark",
}
STATES = {
    "lit": "is lit", "open": "is open", "full": "is full", "empty": "is empty", "broken": "is broken",
    "fallen": "is lying on its side", "asleep": "is asleep",
}  # fmt: skip
RELATIONS: dict[str, str] = {
    "doctor and patient": "{p} is the doctor of {q}|{q} is a patient and {p} is the doctor",
    "teacher and pupil": "{p} is the teacher of {q}|{q} is a pupil and {p} is the teacher",
    "waiter and guest": "{p} is the waiter of {q}|{q} is a guest and {p} is the waiter",
    "seller and customer": "{q} is a customer of {p}|{p} is the seller and {q} is a customer",
    "strangers": "{p} and {q} are strangers|{p} and {q} have never met before",
    "classmates": "{p} and {q} are classmates|{p} and {q} go to the same school",
    "band mates": "{p} and {q} play in one band|{p} and {q} are musicians in the same band",
    "colleagues": "{p} and {q} are colleagues|{p} and {q} work in the same office",
    "grandparent and grandchild": "{q} is the grandchild of {p}|{p} is a grandparent of {q}",
    "parent and child": "{q} is the child of {p}|{p} is the mother or father of {q}",
    "couple": "{p} and {q} are a couple|{p} and {q} are in a relationship",
    "friends": "{p} and {q} are friends|{p} and {q} are good friends",
}


def speaker(voice: Voice, rng: random.Random) -> Say:
    """How this voice chooses between the wordings of a row."""
    return lambda row: prefer(voice, row.split("|"), rng)


def mark(entity: object) -> str:
    """What stands for an entity in a clause."""
    return f"{{{entity}}}"


def with_article(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def clause(fact: Fact, say: Say) -> str:
    """A fact as a whole clause, without a full stop."""
    phrase = predicate(fact, say)
    if phrase is not None:
        return f"{mark(fact[1])} {phrase}"
    match fact:
        case ("happened", str(event), x, y):
            row = tables.HAPPENED[event]
            known, _, unknown = row.partition("//")
            return _filled(say(unknown if unknown and y is None else known), x=x, y=y)
        case ("related", p, q, str(relation)):
            return _filled(say(RELATIONS[relation]), p=p, q=q)
        case ("at" | "place", str(place)):
            where = PLACES[place].phrase
            return say(f"they are {where}|all of this takes place {where}")
        case ("time", str(time)):
            wording = say(tables.TIMES[time])
            return wording[0].lower() + wording[1:]
        case ("weather", "rain"):
            return say("it is raining|rain is falling")
        case ("weather", _):
            return say("it is not raining|no rain is falling")
        case ("light", str(light)):
            return say(LIGHTS[light])
        case ("is", thing, _):
            return f"{mark(thing)} {say(THERE)}"
        case ("reason", tuple(effect), tuple(cause)):
            return f"{clause(effect, say)} because {clause(cause, say)}"
    raise ValueError(f"nobody has said how to put {fact!r}")


def predicate(fact: Fact, say: Say) -> str | None:
    """What a fact says of its first entity, without naming it; None where it is not about one."""
    match fact:
        case ("doing", _, str(what), x):
            return _filled(say(tables.DOING[what]), x=x)
        case ("feels", _, str(mood)):
            return f"is {say(tables.FEELS[mood])}"
        case ("wants", _, str(what), x):
            return _filled(say(tables.WANTS[what]), x=x)
        case ("next", _, str(what), x):
            return _filled(say(tables.NEXT[what]), x=x)
        case ("would", _, _, str(what), x):
            return _filled(say(tables.WOULD[what]), x=x)
        case ("occupation", _, str(job)):
            named = f"is {with_article(job)}"
            return named if job == "pupil" else say(f"{named}|works as {with_article(job)}")
        case _:
            return _seen(fact, say)


def _seen(fact: Fact, say: Say) -> str | None:
    match fact:
        case ("pose", _, str(pose)):
            return POSES[cast("Pose", pose)]
        case ("expression", _, str(face)):
            return say(EXPRESSIONS[cast("Expression", face)])
        case ("age", _, str(age)):
            return f"is {AGES[age]}"
        case ("outfit", _, str(outfit)):
            return f"is wearing {OUTFITS[outfit]}"
        case ("hat", _, str(hat)):
            return f"is wearing {with_article(hat)}"
        case ("state", _, str(state)):
            return STATES[state]
        case ("colour", _, str(colour)):
            return f"is {colour}"
        case ("hands", _, thing, other):
            return f"is holding out {mark(thing)} to {mark(other)}"
        case (str(kind), _, other) if kind in _TO_ANOTHER:
            return f"{_TO_ANOTHER[kind]} {mark(other)}"
    return None


_TO_ANOTHER = {
    "holds": "is holding", "looks_at": "is looking at", "points_at": "is pointing at", "on": "is on",
    "sits_on": "is sitting on", "lies_on": "is lying on", "hugs": "is hugging", "in": "is in",
    "next_to": "is next to", "behind": "is behind", "left_of": "is to the left of",
    "right_of": "is to the right of",
}  # fmt: skip


def _filled(wording: str, **entities: object) -> str:
    for name, entity in entities.items():
        wording = wording.replace(f"{{{name}}}", mark(entity))
    return wording


def together(facts: Sequence[Fact], say: Say) -> str:
    """Several facts in one sentence; those about the same entity share their subject."""
    by_subject: dict[object, list[str]] = {}
    others: list[str] = []
    there: list[str] = []
    ages = {fact[1]: AGES[str(fact[2])] for fact in facts if fact[0] == "age"}
    for fact in _merged(facts, say):
        phrase = fact if isinstance(fact, _Phrase) else _phrase(fact, say)
        if phrase is not None:
            by_subject.setdefault(phrase.subject, []).append(phrase.text)
        elif fact[0] == "is":
            there.append(mark(fact[1]))
        elif fact[0] != "age":
            others.append(clause(fact, say))
    clauses = [_told(subject, phrases, ages.pop(subject, "")) for subject, phrases in by_subject.items()]
    clauses += [f"{mark(subject)} is {age}" for subject, age in ages.items()]
    if there:
        seen_there = say(THERE)
        clauses.append(f"{_listed(there)} {seen_there if len(there) == 1 else _many(seen_there)}")
    return _joined([*clauses, *others], say if not there else lambda row: row.split("|")[0])


class _Phrase(NamedTuple):
    subject: object
    text: str


def _phrase(fact: Fact, say: Say) -> _Phrase | None:
    text = None if fact[0] in ("age", "is") else predicate(fact, say)
    return None if text is None else _Phrase(fact[1], text)


def _merged(facts: Sequence[Fact], say: Say) -> Iterator[Fact | _Phrase]:
    """A pose and what is held become one phrase; a pose that goes without saying is left out."""
    held = {fact[1]: fact[2] for fact in facts if fact[0] == "holds"}
    poses = {fact[1]: cast("Pose", fact[2]) for fact in facts if fact[0] == "pose"}
    implied = {(fact[1], pose) for fact in facts for pose in IMPLIED.get(str(fact[0]), ())}
    for fact in facts:
        who = fact[1]
        both = who in held and poses.get(who, "lying") in WITH
        if fact[0] == "pose" and both:
            yield _Phrase(who, _filled(say(WITH[poses[who]]), t=held[who]))
        elif not (fact[0] == "holds" and both) and not (fact[0] == "pose" and (who, fact[2]) in implied):
            yield fact


_IS_DOING = re.compile(r"is \w+ing\b")
_IS = re.compile(r"is (?!\{)")


def _told(subject: object, phrases: Sequence[str], age: str) -> str:
    """All that is said of one: what goes on first, so that it shares its "is"; an age is put in between."""
    doing = sorted(filter(_IS.match, phrases), key=lambda phrase: not _IS_DOING.match(phrase))
    rest = [phrase for phrase in phrases if phrase not in doing]
    going_on = [_listed([doing[0], *(phrase.removeprefix("is ") for phrase in doing[1:])])] if doing else []
    name = f"{mark(subject)}, {age}," if age else mark(subject)
    return f"{name} {_listed([*going_on, *rest])}"


def _many(text: str) -> str:
    return text.replace("is in", "are in")


def _joined(clauses: Sequence[str], say: Say) -> str:
    """Clauses one after the other; a comma helps where one of them has an "and" of its own."""
    if len(clauses) == 2:
        comma = any(" and " in told for told in clauses)
        return say(f"{', and ' if comma else ' and '}| while ").join(clauses)
    return ", and ".join((", ".join(clauses[:-1]), clauses[-1])) if len(clauses) > 2 else "".join(clauses)


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 3:
        comma = len(parts) == 2 and " and " in parts[0]
        return (", and " if comma else " and ").join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def sentence(text: str, end: str = ".") -> str:
    """A clause as a sentence."""
    return f"{text[0].upper()}{text[1:]}{end}" if text else text


_PIECE = re.compile(r"\{(\d+)\}|\w+|[^\w\s]")


def tagged(text: str, index: Mapping[int, int], names: Mapping[int, str]) -> TaggedText:
    """Marks as tags where the object list has the entity, else as "the" and its name; words as tokens."""
    tokens: list[Token] = []
    for piece in _PIECE.finditer(text):
        entity = piece.group(1)
        if entity is None:
            tokens.append(piece.group())
        elif int(entity) in index:
            tokens.append((index[int(entity)],))
        else:
            begins = not tokens or tokens[-1] in (".", "?", "!")
            tokens.extend(("The" if begins else "the", *names[int(entity)].split()))
    return TaggedText(tuple(tokens))

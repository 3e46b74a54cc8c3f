"""PMR's work: actions to one of the offered premises, whether others' are accepted, and their distractors.

The premises on offer come from templates with many words; what follows from a premise is known for the words
of the world's own tables, and for another word by the one of them that is nearest in meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from commonsight.benchmarks.protocols.pmr_flow import FAULTS
from commonsight.build.premises.templates import TEMPLATES
from commonsight.collect.protocol import labels_of
from commonsight.runs.simulated.minds import GUILLEMETS, Answers, Mind, Payload, bracketed
from commonsight.runs.simulated.sights import regions_of
from commonsight.text.encoders import Encoder, default_encoder
from commonsight.world import pmr_tables as tables
from commonsight.world.english import tagged
from commonsight.world.frame import Frame
from commonsight.world.pmr import Idea, Premise, actions_about, by_kind, open_to, side_of
from commonsight.world.pmr_looks import View
from commonsight.world.pmr_tables import Category

NEAR = 0.45
"""A word whose vector is so near to that of a known one means about the same."""
_TAG = r"\[[^\[\]]+\]"
_NUMBER = re.compile(r"\[[a-z ]+(\d+)\]")
FIELDS = ("action_true", "action_false", "distractor1", "distractor2")


def answer(stage: str, payload: Payload, mind: Mind) -> Answers | None:
    """Write, examine, or look over."""
    return {"write": write, "examine": _examine, "check": _check}[stage](payload, mind)


# --- phase 1 -----------------------------------------------------------------------------------------------


def write(payload: Payload, mind: Mind) -> Answers | None:
    """Actions to the premise of which one knows best what follows."""
    seen = mind.world.frame(payload["picture"]["picture"])
    if seen is None:
        return None
    index = regions_of(seen, payload["picture"])
    view = View(seen.stage, seen.known, index)
    for offer in sorted(_offers(payload, seen, index, view), key=lambda one: -one.sureness):
        made = actions_about(view, offer.idea, mind.writer, mind.draw)
        if made is None:
            continue
        texts = _typed(made, seen, index, payload)
        sound = made.mistake is None and offer.sureness >= NEAR
        mind.memory["pmr", texts[0], texts[1]] = (sound, texts)
        return {"premise": str(offer.place), "action_true": texts[0], "action_false": texts[1]}
    return None


class _Offer(NamedTuple):
    place: int
    idea: Idea
    sureness: float


def _offers(payload: Payload, seen: Frame, index: Mapping[int, int], view: View) -> Iterator[_Offer]:
    """The premises on offer that the picture leaves open, as sides of an axis."""
    entities = {place: entity for entity, place in index.items()}
    facts = by_kind(seen.known)
    for place, text in enumerate(payload["premises"]):
        named = [entities.get(int(number) - 1) for number in _NUMBER.findall(text)]
        people = [who for who in named if who in view.people] + [
            who for who in view.people if who not in named
        ]
        found = meaning(text)
        if found is None or not people:
            continue
        category, value, sureness = found
        axis, side = side_of(category, value)
        p, q = people[0], people[1] if len(people) > 1 else None
        if open_to(category, axis.sides[side], facts, p, q):
            yield _Offer(place, Idea(category, axis, side, p, q), sureness)


class Meaning(NamedTuple):
    """What a premise says, in the words of the world's tables, and how surely."""

    category: Category
    value: str
    sureness: float


@lru_cache(maxsize=1 << 12)
def meaning(premise: str) -> Meaning | None:
    """What an offered premise says; None for one of those that are whole sentences."""
    matched = [(category, pattern.fullmatch(premise)) for category, pattern in _patterns()]
    slots = [(category, found["slot"]) for category, found in matched if found is not None]
    known = [Meaning(category, word, 1.0) for category, word in slots if word in _values(category)]
    if known or not slots:
        return known[0] if known else None
    category, word = min(slots, key=lambda slot: len(slot[1]))  # the template that says most by itself
    encoder, values = _encoder(), _values(category)
    near = encoder.encode(values) @ encoder.encode([word])[0]
    return Meaning(category, values[int(near.argmax())], float(near.max()))


@lru_cache(maxsize=1)
def _encoder() -> Encoder:
    return default_encoder()


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[Category, re.Pattern[str]], ...]:
    made = []
    for template in TEMPLATES:
        if template.words is None:
            continue
        pattern = re.escape(template.text)
        for slot, fits in (
            ("{p}", _TAG), ("{q}", _TAG), ("{v}", "(?P<slot>.+?)"), ("{a v}", "(?:an? )?(?P<slot>.+?)"),
            ("{A v}", "(?:An? )?(?P<slot>.+?)"),
        ):  # fmt: skip
            pattern = pattern.replace(re.escape(slot), fits)
        made.append((template.category, re.compile(pattern)))
    return tuple(made)


@lru_cache(maxsize=8)
def _values(category: Category) -> tuple[str, ...]:
    axes = tables.AXES[category]
    return tuple(value for axis in axes for side in axis.sides for value in side.values.split("|"))


def _typed(made: Premise, seen: Frame, index: Mapping[int, int], payload: Payload) -> list[str]:
    """The four actions as they are typed, the words about the picture in brackets."""
    labels = labels_of(payload, "picture")
    words = (made.true_words.text, made.true_words.text, made.false_words.text, made.false_words.text)
    opened, closed = GUILLEMETS
    marked = [
        text.replace(word, f"{opened} {word} {closed}", 1)
        for text, word in zip(made.actions, words, strict=True)
    ]
    return [bracketed(tagged(text, index, seen.names), labels) for text in marked]


# --- phases 2 and 3 ----------------------------------------------------------------------------------------


def _examine(payload: Payload, mind: Mind) -> Answers:
    """Accept what is sound, with distractors; what nobody of the company wrote cannot be judged."""
    known: tuple[bool, list[str]] | None = mind.memory.get(
        ("pmr", payload["action_true"], payload["action_false"])
    )
    if known is None or not mind.judges(known[0]):
        return {"decision": "drop", "fault": mind.draw.choice(list(FAULTS))}
    return {"decision": "accept", "distractor1": known[1][2], "distractor2": known[1][3]}


def _check(payload: Payload, mind: Mind) -> Answers:
    sound, _ = mind.memory.get(("pmr", payload["action_true"], payload["action_false"]), (True, None))
    decided: Any = payload["decision"][0]["Decision"]
    if mind.judges(sound == (decided == "accepted")):
        return {"meets": "yes"}
    return {"meets": "no", "feedback": "Look again at what follows from the premise, and what does not."}

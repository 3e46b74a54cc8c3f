"""Why an answer is right, as people put it: what is seen, what everyone knows, and what follows."""

from __future__ import annotations

import random
from collections.abc import Sequence

from commonsight.world.aokvqa.phrases import SAY
from commonsight.world.aokvqa.physics import BEHAVIOURS
from commonsight.world.aokvqa.topic import Ground, Subject, Topic
from commonsight.world.aokvqa.view import View
from commonsight.world.aokvqa.wordings import WHY_KNOWS, WHY_SO, WORDINGS
from commonsight.world.aokvqa.words import articles, counted
from commonsight.world.facts import Fact
from commonsight.world.voices import Voice, prefer, style

OUTFITS = {
    "casual": "everyday clothes", "suit": "a suit", "dress": "a dress", "apron": "an apron",
    "chef jacket": "a white double-breasted jacket", "doctor coat": "a white coat",
    "police uniform": "a uniform",
    "work vest": "a bright vest", "swimwear": "swimwear", "pyjamas": "pyjamas", "sports kit": "a sports kit",
}  # fmt: skip


POSES = {
    "eating": "lifting a hand to the mouth", "playing": "all in play", "handing over": "reaching out",
    "reading": "looking down at something", "hugging": "close to someone",
}  # fmt: skip
AGES = {"child": "young", "adult": "grown up", "old": "old"}


def rationale(
    view: View, topic: Topic, subject: Subject, ground: Ground, answer: str, said_of: str, voice: Voice,
    rng: random.Random,
) -> str:  # fmt: skip
    """One rationale for an answer. Lazy voices only say what follows."""
    wording = WORDINGS.get(topic.name)
    knows, so = (WHY_KNOWS, WHY_SO) if wording is None else (wording.knows, wording.so)
    words = {
        "a": answer, "c": counted(answer), "n": _noun(view, subject), "r": said_of,
        "w": BEHAVIOURS[str(subject[0])].why if topic.name == "behaviour" else "",
    }  # fmt: skip
    follows = rng.choice(so).format(**words)
    if rng.random() < voice.lazy:
        return _sentence(follows, voice, rng)
    known = rng.choice(knows).format(**words)
    seen = _clauses(view, ground.evidence, subject, rng)
    first = seen[0] if seen else follows
    both = " and ".join(seen[:2]) if seen else follows
    shapes = (
        known if topic.knowledge == "knowledge base" else first, f"{first}, so {follows}",
        f"{first}, and {known}",
        f"{known}, and {first}", f"{both}, so {follows}",
    )  # fmt: skip
    return _sentence(prefer(voice, shapes, rng), voice, rng)


def _clauses(view: View, evidence: Sequence[Fact], subject: Subject, rng: random.Random) -> list[str]:
    """What is seen, in any order; that a thing is there goes without saying where more is said of it."""
    telling = [fact for fact in evidence if fact[0] not in ("is", "age", "light")] or list(evidence)
    clauses = [clause for fact in telling if (clause := say(view, fact, subject, rng))]
    rng.shuffle(clauses)
    return clauses


def _sentence(text: str, voice: Voice, rng: random.Random) -> str:
    text = articles(style(voice, text, rng))
    return f"{text[0].upper()}{text[1:]}."


def say(view: View, fact: Fact, subject: Subject, rng: random.Random) -> str:
    """A seen fact as a clause; empty for what is not seen."""
    ways = SAY.get(str(fact[0]))
    if ways is None:
        return ""
    return rng.choice(ways).format(*(_argument(view, str(fact[0]), part, subject) for part in fact[1:]))


def _argument(view: View, kind: str, part: object, subject: Subject) -> str:
    if isinstance(part, int):
        noun, others = _plain(view, part), [who for who in subject if who in view.people and who != part]
        same = part not in subject and any(_plain(view, int(str(who))) == noun for who in others)
        return f"other {noun}" if same else noun
    return {"outfit": OUTFITS, "age": AGES, "pose": POSES}.get(kind, {}).get(str(part), str(part))


def _noun(view: View, subject: Subject) -> str:
    entities = [part for part in subject if isinstance(part, int) and part in view.names]
    return _plain(view, entities[0]) if entities else "scene"


def _plain(view: View, entity: int) -> str:
    if view.names.get(entity) != "person":
        return view.names.get(entity, "thing")
    return {"child": "child", "old": "old person"}.get(str(view.value("age", entity)), "person")

"""NLVR2's work: sets are looked through, sentences written about pairs, and labelled by others."""

from __future__ import annotations

from typing import Any

from commonsight.benchmarks.protocols.nlvr2_words import VIOLATIONS
from commonsight.runs.simulated.minds import Answers, Memory, Mind, Payload
from commonsight.runs.simulated.sights import DrawnWorld, InSet
from commonsight.store.dataset import read_dataset
from commonsight.world.forms import from_json
from commonsight.world.nlvr2 import sentence_about, true_of_pair

TRIES = 4
DULL = 0.1
"""How often a picture is not found interesting."""


def recall(world: DrawnWorld, memory: Memory) -> None:
    """What the world's own writers meant, for campaigns that begin with their sentences."""
    for item in read_dataset(world.folder / "nlvr2"):
        sound = not item.provenance["mistake"]
        memory["nlvr2", item.texts["sentence"].bracketed(())] = (from_json(item.provenance["form"]), sound)


def answer(stage: str, payload: Payload, mind: Mind) -> Answers | None:
    """Whatever the stage asks for."""
    return {
        "prune": _prune, "construct": _construct, "write": _write, "validate": _label, "extra": _label,
        "judge": _judge,
    }[stage](payload, mind)  # fmt: skip


def _prune(payload: Payload, mind: Mind) -> Answers:
    """Out goes what is of another set, or of none."""
    found = [_seen(shown, mind) for shown in payload["pictures"]]
    names = [one.name for one in found if one is not None]
    most = max(names, key=names.count, default=None)
    unfit = [str(place) for place, one in enumerate(found) if one is None or one.name != most]
    return {"remove": unfit if mind.draw.random() >= mind.error_rate else []}


def _construct(payload: Payload, mind: Mind) -> Answers:
    """Of pictures that are there twice the first stays; a few are dull."""
    shown = [one["picture"] for one in payload["pictures"]]
    doubled = [str(place) for place, one in enumerate(shown) if one in shown[:place]]
    dull = [str(place) for place in range(len(shown)) if mind.draw.random() < DULL]
    return {"duplicates": doubled, "dull": [place for place in dull if place not in doubled]}


def _write(payload: Payload, mind: Mind) -> Answers | None:
    """A sentence that is true of two pairs; who cannot find one says that the set cannot be used."""
    pairs = [[_seen(side, mind) for side in pair] for pair in payload["pairs"]]
    found = [side for pair in pairs for side in pair if side is not None]
    if len(found) < 2 * len(pairs) or len({side.name for side in found}) > 1:
        return {"fit": "unfit"}
    places = [(left.place, right.place) for left, right in zip(found[::2], found[1::2], strict=True)]
    for _ in range(TRIES):
        said = sentence_about(found[0].made.scenes, places, mind.writer, mind.draw)
        if said is not None and len(said.text.split()) >= 4:
            mind.memory["nlvr2", said.text] = (said.form, said.mistake is None)
            return {
                "fit": "yes", "selected": [str(place) for place in said.selected], "sentence": said.text
            }  # fmt: skip
    return {"fit": "other"}


def _label(payload: Payload, mind: Mind) -> Answers:
    """Whether the sentence is true of the pair; of a sentence that nobody here wrote, one guesses."""
    known = mind.memory.get(("nlvr2", payload["sentence"]))
    sides = [_seen(side, mind) for side in payload["pair"][0]]
    if known is None or None in sides:
        return {"label": mind.draw.choice(("true", "false"))}
    left, right = (side for side in sides if side is not None)
    return {"label": "true" if mind.judges(true_of_pair(known[0], left.stage, right.stage)) else "false"}


def _judge(payload: Payload, mind: Mind) -> Answers:
    _, sound = mind.memory.get(("nlvr2", payload["sentence"]), (None, True))
    if mind.judges(sound):
        return {"follows": "yes"}
    broken = mind.draw.choice(VIOLATIONS).value
    return {"follows": "no", "violations": [broken], "feedback": "It is not true of these pairs."}


def _seen(shown: dict[str, Any], mind: Mind) -> InSet | None:
    return mind.world.in_set(shown["picture"])

"""VCR triplets as items and as raw annotations.

Raw annotations are what Adversarial Matching starts from. The items have distractors too, taken at random
from other scenes of the movie: an easy baseline that matching has to beat, and marked as such. What happens
to hold in this scene as well is never taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.world.english import tagged
from commonsight.world.facts import Proof
from commonsight.world.frame import Frame, scene_of
from commonsight.world.vcr import Triplet, entities_of, seen_evidence, triplets
from commonsight.world.voices import Voice

WRONG = 3
"""Distractors an item has."""


class Written(NamedTuple):
    """A triplet, the frame it is about, and what the files call both."""

    triplet: Triplet
    frame: Frame
    id: str
    image: str
    number: int
    """Which of the image's questions."""


def write(frames: Sequence[Frame], split: str, first: int, crew: Sequence[Voice], seed: int) -> list[Written]:
    """What annotators write about a movie's frames; `first` is the number of the first frame in the world."""
    written = []
    for place, frame in enumerate(frames):
        rng = random.Random(f"{seed}:vcr:{frame.stage.id}")
        for number, triplet in enumerate(triplets(frame.proofs, crew, rng, frame.index, rng.randint(1, 3))):
            name = f"{split}-{(first + place) * 10 + number}"
            written.append(Written(triplet, frame, name, f"{split}-{first + place}", number))
    return written


def raw(entry: Written, split: str) -> dict[str, Any]:
    """One line of raw annotations: the right answer and rationale alone."""
    frame, triplet = entry.frame, entry.triplet
    texts = {
        name: tagged(text, frame.index, frame.names).native()
        for name, text in (
            ("question", triplet.question),
            ("answer", triplet.answer),
            ("rationale", triplet.rationale),
        )
    }
    return {
        "id": entry.id,
        "group": frame.stage.movie,
        "split": split,
        "image": image_name(frame),
        "objects": [frame.names[entity] for entity in frame.index],
        **texts,
        "likelihood": triplet.likelihood,
        "interesting": triplet.interesting,
        "drawn": True,
        "type": triplet.type,
        "writer": triplet.writer,
        "form": triplet.fact,
        "evidence": triplet.evidence,
        "mistake": triplet.mistake,
    }


def image_name(frame: Frame) -> str:
    """The picture's file name below the images' folder."""
    return f"{frame.stage.id}.jpg"


def items(written: Sequence[Written], split: str, seed: int) -> list[Item]:
    """Items with random distractors; none for a triplet that finds too few other ones."""
    made = [_item(entry, written, split, random.Random(f"{seed}:choices:{entry.id}")) for entry in written]
    return [item for item in made if item is not None]


def _item(entry: Written, written: Sequence[Written], split: str, rng: random.Random) -> Item | None:
    answers = _choices(entry, written, "answer", rng)
    rationales = _choices(entry, written, "rationale", rng)
    if answers is None or rationales is None:
        return None
    frame, triplet = entry.frame, entry.triplet
    image = image_name(frame)
    return Item(
        entry.id,
        split,
        (scene_of(frame, image),),
        {"question": tagged(triplet.question, frame.index, frame.names)},
        answers.texts,
        Pick(answers.right),
        rationales.texts,
        rationales.right,
        groups={"movie": frame.stage.movie, "image": entry.image},
        provenance={
            "form": triplet.fact,
            "evidence": triplet.evidence,
            "type": triplet.type,
            "writer": triplet.writer,
            "mistake": triplet.mistake,
            "distractors": "random",
        },
        extra={
            "metadata_fn": image.removesuffix(".jpg") + ".json",
            "question_number": entry.number,
            "interesting_scores": list(triplet.interesting),
            "answer_likelihood": triplet.likelihood,
        },
    )


class _Choices(NamedTuple):
    texts: tuple[TaggedText, ...]
    right: int


def _choices(entry: Written, written: Sequence[Written], part: str, rng: random.Random) -> _Choices | None:
    own = tagged(getattr(entry.triplet, part), entry.frame.index, entry.frame.names)
    others = [other for other in written if other.frame.stage.id != entry.frame.stage.id]
    rng.shuffle(others)
    others.sort(key=lambda other: other.triplet.type != entry.triplet.type)  # the same type first
    texts = [own]
    for other in others:
        lent = _lent(other, entry)
        text = tagged(getattr(other.triplet, part), _placed(lent, entry), other.frame.names)
        if text not in texts and not _holds_too(other, entry, lent, part):
            texts.append(text)
        if len(texts) > WRONG:
            break
    if len(texts) <= WRONG:
        return None
    rng.shuffle(texts)
    return _Choices(tuple(texts), texts.index(own))


def _lent(other: Written, entry: Written) -> dict[int, int]:
    """Who of this scene stands for whom of another: of the same name, those that are asked about first."""
    here: dict[str, list[int]] = {}
    for entity in _asked_first(entry):
        if entity in entry.frame.index:
            here.setdefault(entry.frame.names[entity], []).append(entity)
    lent: dict[int, int] = {}
    used: dict[str, int] = {}
    for entity in _asked_first(other):
        name = other.frame.names[entity]
        if name in here:
            turn = used.get(name, 0)
            lent[entity] = here[name][turn % len(here[name])]
            used[name] = turn + 1
    return lent


def _asked_first(entry: Written) -> list[int]:
    return list(dict.fromkeys([*entities_of(entry.triplet.fact), *entry.frame.names]))


def _placed(lent: dict[int, int], entry: Written) -> dict[int, int]:
    return {entity: entry.frame.index[stands_in] for entity, stands_in in lent.items()}


def _holds_too(other: Written, entry: Written, lent: dict[int, int], part: str) -> bool:
    """Whether what another's text says can be seen or concluded in this scene."""
    told = other.triplet.mistake or other.triplet.fact
    proof = Proof(told, "", other.triplet.evidence)
    said = [told] if part == "answer" else seen_evidence(proof, other.frame.proofs)
    return all(_moved(fact, lent) in entry.frame.known for fact in said)


def _moved(fact: object, lent: dict[int, int]) -> object:
    """The fact with this scene's entities; whom nobody here stands for is -1, of whom nothing holds."""
    if isinstance(fact, tuple):
        return tuple(_moved(part, lent) for part in fact)
    return lent.get(fact, -1) if isinstance(fact, int) else fact

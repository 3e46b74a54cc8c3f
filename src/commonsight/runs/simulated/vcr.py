"""VCR's work: questions with answers and reasons about a scene, and reviews of what others wrote."""

from __future__ import annotations

from typing import Any

from commonsight.collect.forms import word_count
from commonsight.collect.protocol import labels_of
from commonsight.runs.simulated.minds import Answers, Mind, Payload, bracketed
from commonsight.runs.simulated.sights import regions_of
from commonsight.world.english import tagged
from commonsight.world.frame import Frame
from commonsight.world.vcr import LAZY, Triplet, triplets

TRIES = 6
LEAST_WORDS = {"question": 4, "answer": 3, "rationale": 5}
INTERESTING = {-1: "boring", 0: "okay", 1: "interesting"}
PRAISE = (
    "Your questions ask for what has to be understood, and each reason names what can be seen.",
    "Good work: whoever reads the reasons believes the answers. Go on pointing with numbers as you do.",
)
BLAME = (
    "Some of your reasons say nothing that can be seen. Name what in the picture tells you that it is so.",
    "At least one of the answers is not what the picture shows. Look again at the faces and at the things.",
)


def answer(stage: str, payload: Payload, mind: Mind) -> Answers | None:
    """Write, or review."""
    return _review(payload, mind) if stage == "review" else write(payload, mind)


def write(payload: Payload, mind: Mind, limit: int | None = None) -> Answers | None:
    """One to three triplets about a picture of the world, as long as the form wants them."""
    seen = mind.world.frame(payload["picture"]["picture"])
    if seen is None:
        return None
    index = regions_of(seen, payload["picture"])
    wanted = limit or mind.draw.randint(1, 3)
    kept: list[Answers] = []
    for _ in range(TRIES):
        made = triplets(seen.proofs, [mind.writer], mind.draw, index, wanted)
        written = [(triplet, _typed(triplet, seen, index, payload)) for triplet in made]
        fitting = [(triplet, typed) for triplet, typed in written if _long_enough(typed)]
        if fitting:
            for triplet, typed in fitting:
                sound = triplet.mistake is None and triplet.rationale not in LAZY
                mind.memory["vcr", typed["question"], typed["rationale"]] = sound
            kept = [typed for _, typed in fitting]
            interesting = INTERESTING[fitting[0][0].interesting[0]]
            return {"triplets": kept, "interesting": interesting}
    return None


def _typed(triplet: Triplet, seen: Frame, index: dict[int, int], payload: Payload) -> Answers:
    labels = labels_of(payload, "picture")
    texts: dict[str, Any] = {
        name: bracketed(tagged(text, index, seen.names), labels)
        for name, text in (
            ("question", triplet.question), ("answer", triplet.answer), ("rationale", triplet.rationale)
        )
    }  # fmt: skip
    return {**texts, "likelihood": triplet.likelihood}


def _long_enough(typed: Answers) -> bool:
    points = any("[" in typed[name] for name in LEAST_WORDS)
    return points and all(word_count(typed[name]) >= least for name, least in LEAST_WORDS.items())


def _review(payload: Payload, mind: Mind) -> Answers:
    known = [mind.memory.get(("vcr", one["question"], one["rationale"]), True) for one in payload["work"]]
    good = mind.judges(all(known))
    rated = "good" if good else "poor"
    return {
        "questions": "good", "answers": rated, "rationales": rated, "good_enough": "yes" if good else "no",
        "feedback": mind.draw.choice(PRAISE if good else BLAME),
    }  # fmt: skip

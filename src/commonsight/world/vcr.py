"""What annotators write about a scene in the manner of VCR: a question, its answer, and why it is right.

The question is about a conclusion; the answer states it; the rationale names the evidence that the picture
shows. Nothing that must be inferred stands in the question. Each triplet carries the fact and its evidence,
so that anyone can prove the answer from the scene.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from commonsight.world import english_tables as tables
from commonsight.world.english import Say, clause, mark, predicate, sentence, speaker, together
from commonsight.world.facts import Fact, Proof
from commonsight.world.logic import Rule, conclude
from commonsight.world.voices import Voice, style

InferenceType = Literal["Explanation", "Activity", "Temporal", "Mental", "Role", "Scene", "Hypothetical"]

SHARES: dict[InferenceType, float] = {
    "Explanation": 0.38, "Activity": 0.24, "Temporal": 0.13, "Mental": 0.08, "Role": 0.07, "Scene": 0.05,
    "Hypothetical": 0.05,
}  # fmt: skip
"""The paper's Table 4."""

RARE: dict[InferenceType, float] = {"Role": 2.3, "Hypothetical": 2.5, "Temporal": 0.85, "Scene": 0.8}
"""How much more often a type is asked about where a scene offers it, since fewer scenes do (or more)."""

TYPE_OF: dict[str, InferenceType] = {
    "reason": "Explanation", "doing": "Activity", "happened": "Temporal", "next": "Temporal",
    "feels": "Mental", "wants": "Mental", "occupation": "Role", "related": "Role", "at": "Scene",
    "time": "Scene", "would": "Hypothetical",
}  # fmt: skip

LIKELIHOOD = {"reason": "likely", "would": "possible", "next": "likely", "wants": "possible"}
"""How sure annotators are, on the paper's scale; what is not listed here is likely."""


class Triplet(Struct, frozen=True):
    """One question, answer and rationale, with marks for entities, and the logic behind them."""

    question: str
    answer: str
    rationale: str
    type: InferenceType
    fact: Fact
    evidence: tuple[Fact, ...]
    writer: str
    likelihood: str
    interesting: tuple[int, ...]
    mistake: Fact | None = None
    """What the answer says instead of the fact, if the writer erred."""

    def entities(self) -> set[int]:
        """Everyone and everything that the texts name."""
        words = f"{self.question} {self.answer} {self.rationale}"
        return {int(part.split("}")[0]) for part in words.split("{")[1:]}


def triplets(
    proofs: Sequence[Proof], crew: Sequence[Voice], rng: random.Random, visible: Iterable[int], limit: int = 3
) -> list[Triplet]:
    """Up to `limit` triplets about a scene, by one annotator, of different conclusions."""
    shown = frozenset(visible)
    open_proofs = [proof for proof in proofs if _tellable(proof, shown)]
    voice = rng.choice(crew)
    written: list[Triplet] = []
    while open_proofs and len(written) < limit:
        proof = _next_proof(open_proofs, rng)
        open_proofs = [other for other in open_proofs if other.fact[:2] != proof.fact[:2]]
        written.append(_written(proof, proofs, voice, rng, shown))
    return written


def _tellable(proof: Proof, shown: frozenset[int]) -> bool:
    """Whether all that the conclusion and its evidence are about can be seen."""
    return proof.fact[0] in TYPE_OF and all(
        entity in shown for fact in (proof.fact, *proof.evidence) for entity in entities_of(fact)
    )


def entities_of(fact: object) -> Iterable[int]:
    """The entities among a fact's arguments, those of nested facts included."""
    if isinstance(fact, tuple):
        for part in fact:
            yield from entities_of(part)
    elif isinstance(fact, int):
        yield fact


def _next_proof(proofs: Sequence[Proof], rng: random.Random) -> Proof:
    """A type by the paper's shares, then a proof of it: what scenes are full of does not crowd out."""
    by_type: dict[InferenceType, list[Proof]] = {}
    for proof in proofs:
        by_type.setdefault(TYPE_OF[str(proof.fact[0])], []).append(proof)
    kinds = sorted(by_type)
    kind = rng.choices(kinds, [SHARES[kind] * RARE.get(kind, 1.0) for kind in kinds])[0]
    return rng.choices(by_type[kind], [0.2 if _dull(proof.fact) else 1.0 for proof in by_type[kind]])[0]


DULL = {"taking a walk", "fresh air", "walk on"}
"""What passers-by do, want and do next: true of many scenes, and seldom worth a question."""


def _dull(fact: object) -> bool:
    """Whether a conclusion is about nothing but someone who passes by."""
    return fact in DULL if isinstance(fact, str) else isinstance(fact, tuple) and any(map(_dull, fact))


def _written(
    proof: Proof, all_proofs: Sequence[Proof], voice: Voice, rng: random.Random, shown: frozenset[int]
) -> Triplet:
    say = speaker(voice, rng)
    mistake = mistaken(proof.fact, rng) if rng.random() < voice.mistakes else None
    told = mistake or proof.fact
    return Triplet(
        question=style(voice, question(proof.fact, say, rng, shown), rng),
        answer=style(voice, answer(told, say, rng), rng),
        rationale=style(voice, rationale(proof, all_proofs, say, voice, rng), rng),
        type=TYPE_OF[str(proof.fact[0])],
        fact=proof.fact,
        evidence=proof.evidence,
        writer=voice.name,
        likelihood=LIKELIHOOD.get(str(proof.fact[0]), "likely"),
        interesting=tuple(rng.choices((-1, 0, 1), (1, 3, 2), k=2)),
        mistake=mistake,
    )


# --- questions ---------------------------------------------------------------------------------------------

QUESTIONS: dict[str, str] = {
    "doing": "What is {p} doing?|What is {p} doing here?|What is {p} doing right now?",
    "feels": "How is {p} feeling?|How is {p} feeling right now?|What is {p} feeling at the moment?",
    "wants": "What is {p} thinking?|What is {p} thinking about?|What is {p} thinking right now?",
    "next": "What will {p} do next?|What is {p} going to do next?|What will {p} do after this?",
    "occupation": "What is the occupation of {p}?|What occupation does {p} have?",
    "related": "What is the relation between {p} and {q}?|Are {p} and {q} strangers, or how do they relate?",
    "at": "Where is this?|Where are these people?|Where does this take place?",
    "time": "What time is it?|What time of day or year is it?",
    "happened x": "What happened to {x}?|What happened to {x} before this?|What happened to {x} earlier?",
    "happened y": "What happened to {y} earlier?|What happened to {y} before this?",
    "happened": "What happened before this?|What happened here earlier?",
}  # fmt: skip


def question(fact: Fact, say: Say, rng: random.Random, shown: frozenset[int]) -> str:
    """A question to which the fact is the answer, and which does not give it away."""
    match fact:
        case ("reason", tuple(effect), _):
            return _why(effect, say, rng)
        case ("would", p, str(condition), _, _):
            wording = say("What would {p} do if {c}?|What might {p} do if {c}?|If {c}, what would {p} do?")
            return wording.replace("{p}", mark(p)).replace("{c}", condition)
        case ("happened", _, x, y):
            known = [name for name, entity in (("x", x), ("y", y)) if entity is not None and entity in shown]
            key = f"happened {rng.choice(known)}" if known else "happened"
            return say(QUESTIONS[key]).replace("{x}", mark(x)).replace("{y}", mark(y))
        case ("related", p, q, _):
            return say(QUESTIONS["related"]).replace("{p}", mark(p)).replace("{q}", mark(q))
        case (str(kind), p, *_):
            return say(QUESTIONS[kind]).replace("{p}", mark(p))
    raise ValueError(f"nobody asks about {fact!r}")


EFFECTS: dict[tuple[str, object], str] = {
    ("pose", "running"): "running", ("pose", "crouching"): "crouching|crouching down there",
    ("pose", "sleeping"): "asleep|asleep at this hour", ("expression", "sad"): "crying|in tears",
    ("expression", "happy"): "smiling|smiling like that", ("expression", "angry"): "frowning|frowning so",
    ("expression", "afraid"): "staring with wide eyes", ("expression", "surprised"): "gaping|gaping so",
    ("expression", "tired"): "yawning|hardly able to keep the eyes open",
}  # fmt: skip


def _why(effect: Fact, say: Say, rng: random.Random) -> str:
    key = (str(effect[0]), effect[2] if len(effect) > 2 else None)
    phrase = say(EFFECTS[key]) if key in EFFECTS else None
    if phrase is None:
        told = predicate(effect, say)
        assert told is not None
        phrase = told.removeprefix("is ")
    who, when = mark(effect[1]), say("|| right now| in this picture")
    return rng.choices((f"Why is {who} {phrase}{when}?", f"How come {who} is {phrase}{when}?"), (5, 1))[0]


# --- answers -----------------------------------------------------------------------------------------------


def answer(fact: Fact, say: Say, rng: random.Random) -> str:
    """The conclusion in a sentence, now and then without its subject or with "because"."""
    if fact[0] == "reason":
        cause = _as_fact(fact[2])
        told = clause(cause, say) + (say(ASIDES[str(cause[0])]) if str(cause[0]) in ASIDES else "")
        return sentence(rng.choices((told, f"because {told}"), (4, 1))[0])
    if fact[0] == "would":
        return sentence(f"{mark(fact[1])} {predicate(fact, say)}")
    told = clause(fact, say)
    aside = say(ASIDES[str(fact[0])]) if str(fact[0]) in ASIDES and fact[-1] != "pupil" else ""
    subject = mark(fact[1]) if isinstance(fact[1], int) else ""
    if fact[0] == "doing" and rng.random() < 0.25:
        told = told.removeprefix(f"{subject} is ")
    return sentence(told + aside)


ASIDES: dict[str, str] = {
    "doing": "|| right now| at the moment", "feels": "| right now| at this moment",
    "wants": "|, no doubt|, by the look of it", "next": "| in a moment| before long",
    "happened": "| not long ago| a little while before this", "occupation": "|| for a living",
    "related": "|, as one can tell|, as anyone can tell", "time": "| now| in this picture",
    "at": "|| in this picture",
}  # fmt: skip
"""What talkative annotators add without saying more."""


def _as_fact(value: object) -> Fact:
    assert isinstance(value, tuple)
    return value


# --- rationales --------------------------------------------------------------------------------------------

TAILS: dict[str, str] = {
    "doing": "That is how one does it.|This is what it looks like when someone does that.|"
    "Few people would look like that if they were doing something else.",
    "feels": "A face like that says enough.|People look like that when they feel this way.|"
    "Most people in the same place would feel the same way.",
    "wants": "That is what one does it for.|Someone who does that has this in mind.|"
    "Hardly anybody would do that without such a wish.",
    "next": "This usually comes next.|After that, this is what usually comes next.|"
    "It is what most people would do in that situation.",
    "occupation": "That fits nobody better.|People who do this look and act like that.|"
    "Hardly anyone else would be dressed and busy like that.",
    "related": "That fits best.|Others would behave differently.|"
    "People behave like that towards each other in such a case.",
    "at": "That belongs there.|This is what one finds in such a place.|"
    "All of this is seldom found together anywhere else.",
    "time": "That fits this time best.|At another time it would look different.",
    "happened": "Nothing else would explain it.|It must have happened a short while ago.|"
    "What can be seen here is what is left of it afterwards.",
    "reason": "That explains it.|The one thing leads to the other.|So it is easy to understand.|"
    "In such a case most people would do the same thing.|It is hard to think of a better explanation.",
    "would": "Anyone would do that.|It would be the natural thing to do.|"
    "Most people in that position would react in this way.",
}  # fmt: skip
LAZY = (
    "It looks like that.",
    "You can see it in the picture.",
    "It seems obvious.",
    "That is my guess from the image.",
)


def rationale(proof: Proof, all_proofs: Sequence[Proof], say: Say, voice: Voice, rng: random.Random) -> str:
    """The evidence in words, and now and then what everybody knows about such evidence."""
    if rng.random() < voice.lazy:
        return rng.choice(LAZY)
    shown = telling(seen_evidence(proof, all_proofs))
    if proof.fact[0] not in ("at", "time"):  # where it is goes without saying if anything else can be said
        shown = [fact for fact in shown if fact[:1] + fact[2:] not in UNTOLD] or shown
    rng.shuffle(shown)
    text = sentence(together(shown[: 3 + round(2 * voice.wordy)], say))
    if rng.random() < 0.75 + 0.25 * voice.wordy:
        text = f"{text} {say(TAILS[str(proof.fact[0])])}"
    return text


SCENERY = {"tree", "parasol", "traffic light", "stage light"}
"""Things that tell where one is and no more."""
UNTOLD = {("is", name) for name in SCENERY} | {("outfit", name) for name in ("casual", "dress")}
"""What rules ask for and nobody would bring forward."""


def seen_evidence(proof: Proof, all_proofs: Sequence[Proof]) -> list[Fact]:
    """What can be seen behind a conclusion, through conclusions that it rests on."""
    by_fact = {other.fact: other for other in all_proofs}
    seen: dict[Fact, None] = {}
    for fact in proof.evidence:
        if fact in by_fact:
            seen.update(dict.fromkeys(seen_evidence(by_fact[fact], all_proofs)))
        else:
            seen[fact] = None
    return list(seen)


def telling(facts: Sequence[Fact]) -> list[Fact]:
    """Evidence worth naming: that something is there goes without saying if more is said about it."""
    named = [fact for fact in facts if fact[0] != "is"]
    mentioned = {entity for fact in named for entity in entities_of(fact)}
    return named + [fact for fact in facts if fact[0] == "is" and fact[1] not in mentioned]


# --- mistakes and checks -----------------------------------------------------------------------------------

_VALUES: Mapping[str, Callable[[], list[str]]] = {
    "feels": lambda: list(tables.FEELS),
    "time": lambda: list(tables.TIMES),
    "occupation": lambda: ["doctor", "cook", "teacher", "waiter", "builder", "singer", "athlete", "cleaner"],
}


def mistaken(fact: Fact, rng: random.Random) -> Fact | None:
    """Another value in place of the right one, for the kinds in which people err; None for the others."""
    kind = str(fact[0])
    if kind not in _VALUES:
        return None
    wrong = [value for value in _VALUES[kind]() if value != fact[-1]]
    return (*fact[:-1], rng.choice(wrong))


def proves(triplet: Triplet, seen: Iterable[Fact], rules: Iterable[Rule]) -> bool:
    """Whether the scene proves what the answer says; never so for one that is marked as a mistake."""
    concluded = {proof.fact for proof in conclude(frozenset(seen), rules)}
    return (triplet.mistake or triplet.fact) in concluded

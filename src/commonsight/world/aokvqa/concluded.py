"""Questions about what rules conclude: what people do, feel, want and are, what comes next, and why."""

from __future__ import annotations

from functools import cache

from commonsight.world.aokvqa.alike import ALIKE, BECAUSE_ALIKE, VAGUE
from commonsight.world.aokvqa.sayings import BECAUSE, SAYINGS
from commonsight.world.aokvqa.topic import Ground, KnowledgeType, Right, Subject, Topic, ample, apart
from commonsight.world.aokvqa.view import View
from commonsight.world.facts import Fact
from commonsight.world.rules import VOCABULARY

EFFECTS = (
    "holds",
    "pose",
    "points_at",
    "looks_at",
    "expression",
    "hands",
    "hugs",
    "lies_on",
    "outfit",
    "hat",
)
"""What one can ask the reason of."""


def concluded(name: str, kind: str, knowledge: KnowledgeType, hides: tuple[str, ...], **rest: float) -> Topic:
    """What rules conclude about one person, two, a thing, or the scene."""

    def subjects(view: View) -> list[Subject]:
        found = dict.fromkeys(_about(proof.fact) for proof in view.proven(kind))
        return [subject for subject in found if all(entity in view.names for entity in subject)]

    def right(view: View, subject: Subject) -> Right:
        return {
            said: Ground(view.behind(proof.fact), ("rule", proof.rule))
            for proof in view.proven(kind)
            if _about(proof.fact) == subject
            and (said := answer_of(proof.fact))
            and not (kind == "next" and said in VAGUE)
        }

    def wrong(view: View, subject: Subject) -> list[str]:
        true = list(right(view, subject))
        maybe = [
            said for fact in view.possible(kind) if _concerns(fact, subject) and (said := answer_of(fact))
        ]
        if kind == "at":
            maybe += [answer_of(("at", place)) for _, place in view.of_kind("place")]
        maybe += VAGUE if kind == "next" else ()
        return [said for said in apart(all_sayings(kind), true, ALIKE) if said not in maybe]

    return Topic(name, knowledge, subjects, right, wrong, hides, **rest)


def _about(fact: Fact) -> Subject:
    """Whom or what a conclusion is about."""
    match fact:
        case ("at" | "time", _):
            return ()
        case ("related", one, other, _):
            return (one, other)
        case ("happened", _, thing, _):
            return (thing,)
        case (_, person, *_):
            return (person,)
    return ()


def _concerns(fact: Fact, subject: Subject) -> bool:
    """Whether a possible conclusion touches the subject at all; two people count in either order."""
    return set(_about(fact)) == set(subject)


def answer_of(fact: Fact) -> str:
    """A conclusion in the one to three words of an answer; empty where nobody would put it so."""
    kind = str(fact[0])
    value = {"related": fact[-1], "at": fact[1], "time": fact[1], "happened": fact[1]}.get(kind, fact[2:3])
    key = str(value[0] if isinstance(value, tuple) else value)
    return SAYINGS[kind].get(key, "").split("|")[0]


@cache
def all_sayings(kind: str) -> tuple[str, ...]:
    """Every answer of a kind, each once."""
    return tuple(dict.fromkeys(row.split("|")[0] for row in SAYINGS[kind].values()))


# --- why --------------------------------------------------------------------------------------------------


def _effects(view: View) -> list[Subject]:
    """Seen facts that have a reason: the person, then the fact's kind."""
    found = dict.fromkeys(
        (effect[1], effect[0])
        for proof in view.proven("reason")
        if isinstance(effect := proof.fact[1], tuple) and effect[0] in EFFECTS
    )
    return [subject for subject in found if subject[0] in view.people]


def _reasons(view: View, subject: Subject) -> Right:
    found: Right = {}
    for proof in view.proven("reason"):
        _, effect, cause = proof.fact
        assert isinstance(effect, tuple)
        assert isinstance(cause, tuple)
        if (effect[1], effect[0]) == subject and (said := cause_of(cause)):
            evidence = tuple(dict.fromkeys((effect, cause, *view.behind(cause))))
            found[said] = Ground(evidence, ("rule", proof.rule))
    return found


def cause_of(fact: Fact) -> str:
    """A cause as an answer to why; empty where it is none."""
    value = fact[2] if len(fact) > 2 and fact[0] != "happened" else fact[1]
    row = BECAUSE.get((str(fact[0]), str(value)))
    if row is None:
        return answer_of(fact) if fact[0] in ("doing", "wants", "next", "feels") else ""
    return row.split("|")[0]


def _no_reasons(view: View, subject: Subject) -> list[str]:
    """Causes that are nowhere in the scene, seen or even thinkable; those behind like facts first."""
    every = tuple(row.split("|")[0] for row in BECAUSE.values())
    kinds = sorted({kind for kind, _ in BECAUSE} | {"doing", "wants", "next", "feels"})
    thinkable = [fact for kind in kinds for fact in (*view.possible(kind), *view.of_kind(kind))]
    right = (*_reasons(view, subject), *map(cause_of, thinkable))
    behind = _causes(str(subject[1]))
    near = apart((*behind, *every), tuple(_reasons(view, subject)), (*BECAUSE_ALIKE, *ALIKE))
    usual = [said for said in behind if said in near]
    return ample(usual, near, right)


@cache
def _causes(effect: str) -> tuple[str, ...]:
    """What rules know to be behind facts of a kind."""
    said = [
        cause_of(cause)
        for _, seen, cause in VOCABULARY["reason"]
        if isinstance(seen, tuple) and isinstance(cause, tuple) and seen[0] == effect
    ]
    return tuple(dict.fromkeys(word for word in said if word))


WHY = Topic("why", "commonsense", _effects, _reasons, _no_reasons, ("holds", "expression", "pose"), 0.5, 1.5)

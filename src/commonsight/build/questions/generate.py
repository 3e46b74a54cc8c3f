"""All questions of one scene: forms put into words and steps, executed, checked, none twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from commonsight.build.questions.answers import gives_away
from commonsight.build.questions.form import Question, QuestionType
from commonsight.build.questions.lore import Lore
from commonsight.build.questions.makers import MAKERS
from commonsight.build.questions.scope import Manner, Scope
from commonsight.build.questions.steps import traced
from commonsight.core.program import Program
from commonsight.core.scene import Scene
from commonsight.graph.execute import NO, YES
from commonsight.graph.sets import SceneSets
from commonsight.graph.subgraph import subgraph

PER_SCENE = 28
"""Questions of a scene before balancing: the paper's 3 million of 108 thousand images."""
TRIES = 25
"""How often in a row a maker may fail before a scene is left with fewer questions than wanted."""
SHARES: Mapping[QuestionType, float] = {
    "QueryObjKG": 0.2, "QueryObjSG": 0.2, "QueryAtt": 0.2, "VerifyKG": 0.2, "VerifyAtt": 0.2,
}  # fmt: skip
"""How often each type is tried; ours, as the paper gives no numbers."""


class Words(Protocol):
    """Puts a form into English."""

    def __call__(self, question: Question, rng: Random) -> str: ...


class Made(Struct, frozen=True, gc=False):
    """A question with its words, its traced program and its answer."""

    question: Question
    text: str
    program: Program
    answer: str
    target: tuple[int, ...]
    """Ids of the objects that the answer is about."""
    subgraph: dict[str, list[Any]]
    scene: Scene


def questions(
    scene: Scene,
    lore: Lore,
    words: Words,
    rng: Random,
    manner: Manner = Manner(),  # noqa: B008 - it is frozen
    *,
    count: int = PER_SCENE,
    shares: Mapping[QuestionType, float] = SHARES,
) -> Iterator[Made]:
    """Up to `count` different questions about a scene."""
    if not scene.regions:
        return
    scope = Scope(SceneSets(scene, lore.knowledge), lore, rng, manner)
    said: set[str] = set()
    for kind, wanted in _quotas(count, shares, rng).items():
        make, failed = MAKERS[kind], 0
        while wanted and failed < TRIES:
            question = make(scope)
            made = None if question is None else _made(question, scope, words, said)
            if made is None:
                failed += 1
            else:
                failed = 0
                wanted -= 1
                yield made


def _quotas(count: int, shares: Mapping[QuestionType, float], rng: Random) -> dict[QuestionType, int]:
    """How many questions of each type; what is left over after rounding falls to any type, by its share."""
    whole = sum(shares.values())
    quotas = {kind: int(count * share / whole) for kind, share in shares.items()}
    for kind in rng.choices(list(shares), list(shares.values()), k=count - sum(quotas.values())):
        quotas[kind] += 1
    return quotas


def _made(question: Question, scope: Scope, words: Words, said: set[str]) -> Made | None:
    """The question put into steps and words; None if it is too short or too long, told before, or idle."""
    sets, knowledge = scope.sets, scope.lore.knowledge
    done = traced(question, scope.outcomes)
    answer, steps = done.answer, done.program.steps
    least, most = scope.manner.functions
    if not least <= len(steps) - 1 <= most:  # Initial is not counted
        return None
    if answer is None or (question.asks is None and answer != (YES if question.wrong is None else NO)):
        return None
    text = words(question, scope.rng)
    if text in said or (question.asks is not None and gives_away(text, answer)):
        return None
    said.add(text)
    rests_on = subgraph(steps, done.values, sets, knowledge)
    return Made(question, text, done.program, answer, sets.ids(done.target), rests_on, sets.scene)

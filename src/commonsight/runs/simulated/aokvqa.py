"""A-OKVQA's work: questions about similar pictures, screened, explained, and answered in own words."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

from commonsight.benchmarks.protocols.aokvqa_flow import tidy
from commonsight.benchmarks.protocols.aokvqa_words import FLAWS
from commonsight.collect.forms import word_count
from commonsight.core.answer import Pick
from commonsight.runs.simulated.minds import Answers, Memory, Mind, Payload
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.store.dataset import read_dataset
from commonsight.world.aokvqa import Question, questions
from commonsight.world.aokvqa.answers import ten_answers
from commonsight.world.aokvqa.rationales import rationale
from commonsight.world.aokvqa.topics import TOPICS
from commonsight.world.aokvqa.view import View
from commonsight.world.aokvqa.words import remark
from commonsight.world.frame import Frame
from commonsight.world.knowledge import read_knowledge

LONGEST = 3
"""Words of a choice at most."""
LEAST_WORDS = 4
TRIES = 3
UNKNOWN = "unsure"


class _Known(NamedTuple):
    question: Question
    seen: Frame
    sound: bool

    @property
    def answer(self) -> str:
        return tidy(self.question.choices[self.question.right])


def recall(world: DrawnWorld, memory: Memory) -> None:
    """What the world's own writers meant, for campaigns that begin with their questions."""
    for item in read_dataset(world.folder / "aokvqa"):
        picture = Path(item.scenes[0].stored or "").name
        seen = world.frame(picture)
        if seen is not None and isinstance(item.gold, Pick):
            text, choices = item.texts["question"].bracketed(()), [one.bracketed(()) for one in item.choices]
            form, kind = item.provenance["form"], item.extra["knowledge_type"]
            question = Question(text, tuple(choices), item.gold.index, (), False, (), (), kind, form)
            memory["aokvqa", picture, text] = _Known(question, seen, True)


def answer(stage: str, payload: Payload, mind: Mind) -> Answers | None:
    """Whatever the stage asks for."""
    return {
        "write": _write, "solve": _solve, "screen": _screen, "explain": _explain, "answer": _answer,
    }[stage](payload, mind)  # fmt: skip


def _write(payload: Payload, mind: Mind) -> Answers | None:
    """A question about each picture that one can be asked about."""
    made = []
    for place, shown in enumerate(payload["pictures"]):
        entry = _entry(shown["picture"], mind)
        if entry is not None:
            made.append({"picture": str(place), **entry, "compared": "different"})
    return {"questions": made} if len(made) >= 2 else None


def _entry(picture: str, mind: Mind) -> Answers | None:
    seen = mind.world.frame(picture)
    if seen is None:
        return None
    voice, draw = mind.writer, mind.draw
    for _ in range(TRIES):
        found = questions(
            seen.stage, seen.facts, seen.proofs, read_knowledge(), [voice], draw, 2, even=False
        )
        for one in found:
            if _fits(one):
                right, *wrong = _ordered(one)
                sound = draw.random() >= voice.mistakes
                if not sound:  # in good faith, a wrong choice is taken for the right one
                    right, wrong[0] = wrong[0], right
                mind.memory["aokvqa", picture, one.text] = _Known(one, seen, sound)
                return {"question": one.text, "answer": right, "wrong": wrong}
    return None


def _ordered(question: Question) -> list[str]:
    choices = list(question.choices)
    return [choices.pop(question.right), *choices]


def _fits(question: Question) -> bool:
    short = all(word_count(choice) <= LONGEST for choice in question.choices)
    return short and word_count(question.text) >= LEAST_WORDS


def _known(payload: Payload, mind: Mind) -> _Known | None:
    found: _Known | None = mind.memory.get(("aokvqa", payload["picture"]["picture"], payload["question"]))
    return found


def _solve(payload: Payload, mind: Mind) -> Answers:
    """A program that knows nothing."""
    return {"pick": str(mind.draw.randrange(len(payload["choices"])))}


def _screen(payload: Payload, mind: Mind) -> Answers:
    known = _known(payload, mind)
    if known is not None and mind.judges(known.sound):
        return {"meets": "yes"}
    return {"meets": "no", "flaws": [mind.draw.choice(list(FLAWS))]}


def _explain(payload: Payload, mind: Mind) -> Answers:
    """Who knows the answer to be another one says so."""
    known = _known(payload, mind)
    if known is None:
        return {"confirmed": "no", "own_answer": UNKNOWN}
    if not mind.judges(known.answer == payload["answer"]):
        others = [choice for choice in payload["choices"] if choice != payload["answer"]]
        return {"confirmed": "no", "own_answer": mind.draw.choice(others)}
    return {"confirmed": "yes", "rationale": _why(known, mind)}


def _why(known: _Known, mind: Mind) -> str:
    form: dict[str, Any] = known.question.form
    topic, subject = TOPICS[form["topic"]], tuple(form["subject"])
    view = View(known.seen.facts, known.seen.proofs, read_knowledge())
    ground = topic.right(view, subject)[form["answer"]]
    said_of = remark(topic, subject, mind.draw)
    return rationale(view, topic, subject, ground, form["answer"], said_of, mind.voice, mind.draw)


def _answer(payload: Payload, mind: Mind) -> Answers:
    """What one of ten people would say: which ways there are to put it is a matter of the question."""
    known = _known(payload, mind)
    if known is None:
        return {"answer": UNKNOWN}
    topic = TOPICS[known.question.form["topic"]]
    right, *wrong = _ordered(known.question)
    about = sorted({known.seen.names[entity] for entity in known.seen.index})
    of_all = random.Random(f"{payload['picture']['picture']}:{payload['question']}")
    said = mind.draw.choice(ten_answers(right, wrong, about, topic.scatter, [mind.writer], of_all)).text
    return {"answer": said if word_count(said) <= LONGEST else right}

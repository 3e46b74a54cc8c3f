"""A-OKVQA's part of the world: questions that need knowledge beyond the picture.

Each comes with four choices, ten answers in people's own words and three rationales, and with the form it
was written from: what is seen, the rule, triple or table row that leads on, and the answer. `check` derives
that the marked choice is right and that no other is.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.world.aokvqa.answers import Said, difficult, ten_answers
from commonsight.world.aokvqa.rationales import rationale
from commonsight.world.aokvqa.topic import Ground, KnowledgeType, Subject, Topic
from commonsight.world.aokvqa.topics import PULL, TOPICS
from commonsight.world.aokvqa.usual import draw, keep
from commonsight.world.aokvqa.view import Description, Triples, View, clues, describe
from commonsight.world.aokvqa.words import asked, remark
from commonsight.world.facts import Fact, Proof
from commonsight.world.forms import from_json
from commonsight.world.model import Stage
from commonsight.world.voices import Voice

WRONG = 3
RATIONALES = 3


class Question(Struct, frozen=True):
    """One question with all that people wrote about it."""

    text: str
    choices: tuple[str, ...]
    right: int
    direct_answers: tuple[Said, ...]
    difficult: bool
    rationales: tuple[str, ...]
    false_rationales: tuple[int, ...]
    """Which rationales were written in good faith for a wrong choice."""
    knowledge: KnowledgeType
    form: dict[str, Any]


class Candidate(NamedTuple):
    """What could be asked."""

    topic: Topic
    subject: Subject


def questions(
    stage: Stage, facts: Iterable[Fact], proofs: Iterable[Proof], triples: Triples, crew: Sequence[Voice],
    rng: random.Random, limit: int, *, even: bool = True,
) -> list[Question]:  # fmt: skip
    """Up to `limit` questions about a scene, each topic at most once, in roughly the paper's shares.

    `even` lets go of most questions whose answer would otherwise be right too often.
    """
    view = View(facts, proofs, triples)
    hidden = {prop.name for prop in stage.props} - view.present
    open_topics: dict[KnowledgeType, dict[str, list[Candidate]]] = {}
    for candidate in _candidates(view):
        topics = open_topics.setdefault(candidate.topic.knowledge, {})
        topics.setdefault(candidate.topic.name, []).append(candidate)
    written: list[Question] = []
    while len(written) < limit and open_topics:
        kinds = list(open_topics)
        kind = rng.choices(kinds, [PULL[kind] for kind in kinds])[0]
        names = list(open_topics[kind])
        name = rng.choices(names, [TOPICS[name].rare for name in names])[0]
        found = open_topics[kind].pop(name)
        rng.shuffle(found)
        made = (_write(view, candidate, hidden, crew, rng) for candidate in found)
        question = next((question for question in made if question is not None), None)
        if question is not None and (not even or keep(name, question.form["answer"], rng)):
            written.append(question)
        if not open_topics[kind]:
            del open_topics[kind]
    return written


def _candidates(view: View) -> Iterable[Candidate]:
    for topic in TOPICS.values():
        for subject in topic.subjects(view):
            if topic.right(view, subject):
                yield Candidate(topic, subject)


def _write(
    view: View, candidate: Candidate, hidden: set[str], crew: Sequence[Voice], rng: random.Random
) -> Question | None:
    """The question, or None where nothing points out the subject or too little is surely wrong."""
    topic, subject = candidate
    refers = refer(view, topic, subject, rng)
    right = topic.right(view, subject)
    wrong = [answer for answer in topic.wrong(view, subject) if answer not in right and answer not in hidden]
    wrong = list(dict.fromkeys(wrong))
    if refers is None or len(wrong) < WRONG:
        return None
    answer = rng.choice(sorted(right))
    choices = [answer, *draw(topic.name, wrong, WRONG, rng)]
    rng.shuffle(choices)
    said_of = remark(topic, subject, rng)
    text = asked(topic, subject, refers, said_of, rng.choice(crew), rng)
    others = [choice for choice in choices if choice != answer]
    about = sorted({view.names[thing] for thing in view.things})
    said = ten_answers(answer, others, about, topic.scatter, crew, rng)
    reasons, false = [], []
    for number in range(RATIONALES):
        voice = rng.choice(crew)
        if rng.random() < voice.mistakes:
            false.append(number)
        defended = rng.choice(others) if number in false else answer
        reasons.append(rationale(view, topic, subject, right[answer], defended, said_of, voice, rng))
    form = _form(candidate, refers, right[answer], answer)
    return Question(
        text, tuple(choices), choices.index(answer), said, difficult(said), tuple(reasons), tuple(false),
        topic.knowledge, form,
    )  # fmt: skip


def refer(view: View, topic: Topic, subject: Subject, rng: random.Random) -> list[Description] | None:
    """Words for each entity of the subject; None where one cannot be pointed out."""
    if topic.name in ("painted", "under"):
        return [clue for clue in clues(view) if clue.text == subject[1]]
    if topic.name in ("worn by", "behaviour"):
        return []
    entities = [part for part in subject if isinstance(part, int)]
    words = [describe(view, entity, topic.hides, rng) for entity in entities]
    return [word for word in words if word is not None] if None not in words else None


def _form(candidate: Candidate, refers: list[Description], ground: Ground, answer: str) -> dict[str, Any]:
    return {
        "topic": candidate.topic.name,
        "subject": list(candidate.subject),
        "refers": [words.form for words in refers],
        "evidence": list(ground.evidence),
        "by": list(ground.by),
        "answer": answer,
    }


def items(
    stage: Stage, facts: Iterable[Fact], proofs: Iterable[Proof], triples: Triples, crew: Sequence[Voice],
    rng: random.Random, limit: int, *, image_id: int, split: str = "train",
) -> list[Item]:  # fmt: skip
    """The questions about a scene as items of the benchmark."""
    written = questions(stage, facts, proofs, triples, crew, rng, limit)
    return [to_item(question, stage, image_id, number, split) for number, question in enumerate(written)]


def to_item(question: Question, stage: Stage, image_id: int, number: int, split: str) -> Item:
    """A question as an item, the way the benchmark's reader makes one."""
    return Item(
        f"{stage.id}-q{number}",
        split,
        (Scene(f"{image_id:012d}.jpg"),),
        {"question": TaggedText.plain(question.text)},
        tuple(TaggedText.plain(choice) for choice in question.choices),
        Pick(question.right),
        tuple(TaggedText.plain(text) for text in question.rationales),
        direct_answers=tuple(said.text for said in question.direct_answers),
        groups={"image": str(image_id)},
        provenance={
            "drawn": True,
            "movie": stage.movie,
            "form": question.form,
            "direct_answers": [said.how for said in question.direct_answers],
            "false_rationales": list(question.false_rationales),
        },
        extra={"difficult_direct_answer": question.difficult, "knowledge_type": question.knowledge},
    )


def check(item: Item, facts: Iterable[Fact], proofs: Iterable[Proof], triples: Triples) -> bool:
    """Whether the label follows: the subject is pointed out, the choice is right, and no other is."""
    view = View(facts, proofs, triples)
    form = item.provenance["form"]
    topic, subject = TOPICS[form["topic"]], from_json(form["subject"])
    if not _pointed_out(view, subject, form["refers"]) or not _grounded(view, form["evidence"]):
        return False
    right, wrong = topic.right(view, subject), set(topic.wrong(view, subject))
    texts = [str(choice.tokens[0]) for choice in item.choices]
    assert isinstance(item.gold, Pick)
    others = [text for place, text in enumerate(texts) if place != item.gold.index]
    return (
        texts[item.gold.index] == form["answer"]
        and form["answer"] in right
        and len(set(texts)) == len(texts)
        and all(text in wrong and text not in right for text in others)
        and _honest(item, set(others))
    )


def _pointed_out(view: View, subject: Subject, refers: Sequence[object]) -> bool:
    """Whether each description fits exactly one entity, and it is the one that is asked about."""
    return all(view.meant(from_json(form)) == [entity] for entity, form in zip(subject, refers, strict=False))


def _grounded(view: View, evidence: Sequence[object]) -> bool:
    """Whether everything that the answer rests on is seen or concluded."""
    concluded = {proof.fact for proof in view.proofs}
    return all((fact := from_json(row)) in view.facts or fact in concluded for row in evidence)


def _honest(item: Item, wrong: set[str]) -> bool:
    """Whether direct answers are marked for what they are."""
    marks = item.provenance["direct_answers"]
    answer = item.provenance["form"]["answer"]
    pairs = list(zip(item.direct_answers, marks, strict=True))
    return all(
        (text in wrong) if how == "mistake" else (text == answer) == (how == "answer") for text, how in pairs
    )

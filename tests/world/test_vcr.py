"""Drawn VCR triplets: proved or marked, of the paper's types and lengths, and giving nothing away."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from msgspec import structs

from commonsight.text.question_types import question_types
from commonsight.world.english import tagged
from commonsight.world.facts import Fact
from commonsight.world.forms import visible_facts
from commonsight.world.logic import conclude
from commonsight.world.make import Plan, film_of, units
from commonsight.world.measure import PAPER_WORDS, RawLine, measured
from commonsight.world.model import Stage
from commonsight.world.plan import plan_scene, scene_rng
from commonsight.world.rules import RULES
from commonsight.world.vcr import SHARES, Triplet, entities_of, proves, triplets
from commonsight.world.voices import Voice, voices

SCENES, SEED = 1500, 11
CREW = voices(SEED, 400)  # many, so that no one crew's habits decide the lengths
EXACT = tuple(structs.replace(voice, typos=0.0) for voice in CREW)
MARK = re.compile(r"\{(\d+)\}")
WORD = re.compile(r"[a-z']+")


class Written(NamedTuple):
    triplet: Triplet
    stage: Stage
    movie: int
    facts: frozenset[Fact]
    names: dict[int, str]
    """Of listed and unlisted entities."""
    index: dict[int, int]


def _write(crew: Sequence[Voice], scenes: int) -> list[Written]:
    """Planned scenes; in one of five something cannot be made out, as in drawn ones."""
    written = []
    plan = Plan(scenes, SEED, ("vcr",))
    for unit in units(plan):
        film = film_of(plan, unit.number)
        for at in range(unit.scenes):
            stage = plan_scene(film, at, scene_rng(SEED, film, at))
            rng = random.Random(f"{SEED}:{stage.id}")
            names = {actor.id: "person" for actor in stage.actors}
            names |= {prop.id: prop.name for prop in stage.props}
            hidden = set(rng.sample(sorted(names), int(rng.random() < 0.2)))
            index = {e: place for place, e in enumerate(e for e in names if e not in hidden)}
            facts = visible_facts(stage, index)
            proofs = conclude(facts, RULES)
            found = triplets(proofs, crew, rng, index, rng.randint(1, 3))
            written += [Written(triplet, stage, unit.number, facts, names, index) for triplet in found]
    return written


@pytest.fixture(scope="module")
def written() -> list[Written]:
    return _write(CREW, SCENES)


@pytest.fixture(scope="module")
def exact() -> list[Written]:
    """Without misspelt words."""
    return _write(EXACT, 600)


def test_what_is_not_marked_is_proved_and_what_is_marked_is_not(written: list[Written]) -> None:
    marked = [entry for entry in written if entry.triplet.mistake is not None]
    assert 0 < len(marked) < 0.05 * len(written)
    wrong = [
        entry.triplet
        for entry in [*marked, *written[::4]]  # each proof draws all conclusions of its scene anew
        if proves(entry.triplet, entry.facts, RULES) == (entry.triplet.mistake is not None)
    ]
    assert wrong == []


def test_mistakes_are_of_the_same_kind_about_the_same_one(written: list[Written]) -> None:
    for entry in written:
        mistake, fact = entry.triplet.mistake, entry.triplet.fact
        if mistake is not None:
            assert mistake[:-1] == fact[:-1]
            assert mistake[-1] != fact[-1]


def test_evidence_is_seen_or_concluded(written: list[Written]) -> None:
    for entry in written[::10]:
        known = entry.facts | {proof.fact for proof in conclude(entry.facts, RULES)}
        assert known.issuperset(entry.triplet.evidence)


def test_questions_are_of_their_type_by_the_papers_words(exact: list[Written]) -> None:
    for entry in exact:
        question = MARK.sub("someone", entry.triplet.question)
        assert entry.triplet.type in question_types(question), question


def test_questions_other_than_why_are_of_one_type(exact: list[Written]) -> None:
    """What someone does can be asked for a reason, and then names the deed: "Why is … looking at …?"."""
    for entry in exact:
        question = MARK.sub("someone", entry.triplet.question)
        found = question_types(question)
        assert found == (entry.triplet.type,) or entry.triplet.type == "Explanation", question


def _telling(fact: Fact) -> set[str]:
    """The words of what is concluded; of a reason, those of its cause that its effect does not have."""
    if fact[0] == "reason":
        _, effect, cause = fact
        assert isinstance(effect, tuple)
        assert isinstance(cause, tuple)
        return _telling(cause) - _telling(effect)
    words = fact[3:] if fact[0] == "would" else fact[1:]
    found = {word for part in words if isinstance(part, str) for word in WORD.findall(part)}
    return found - {"to", "the", "a", "of", "for", "on", "in", "with", "and", "at", "is", "what", "up", "it"}


def _given_away(written: list[Written], why: bool) -> list[str]:
    """Questions that have a telling word; words for asking (strangers, next, right now) are none."""
    return [
        entry.triplet.question
        for entry in written
        if (entry.triplet.type == "Explanation") == why
        and (_telling(entry.triplet.fact) - {"strangers", "next", "right"})
        & set(WORD.findall(entry.triplet.question.lower()))
    ]


def test_questions_do_not_say_what_is_to_be_concluded(exact: list[Written]) -> None:
    assert _given_away(exact, why=False) == []


def test_few_why_questions_share_a_word_with_the_cause(exact: list[Written]) -> None:
    """ "Why is … having a chat?" – "… would like to have a chat": a deed and its wish may share a noun."""
    asked = sum(entry.triplet.type == "Explanation" for entry in exact)
    assert len(_given_away(exact, why=True)) <= 0.1 * asked


def test_only_what_is_listed_is_tagged_and_named(written: list[Written]) -> None:
    for entry in written:
        assert entry.triplet.entities() <= set(entry.index)
        for text in (entry.triplet.question, entry.triplet.answer, entry.triplet.rationale):
            references = list(tagged(text, entry.index, entry.names).references())
            assert references == [entry.index[int(entity)] for entity in MARK.findall(text)]
            assert not re.search(r"[{}|]", MARK.sub("", text)), text


def test_the_subject_of_the_question_is_the_facts(written: list[Written]) -> None:
    for entry in written:
        asked = {int(entity) for entity in MARK.findall(entry.triplet.question)}
        assert asked <= set(entities_of(entry.triplet.fact))


def _line(entry: Written) -> RawLine:
    texts = (entry.triplet.question, entry.triplet.answer, entry.triplet.rationale)
    question, answer, rationale = (tagged(text, entry.index, entry.names).tokens for text in texts)
    return RawLine(entry.stage.id, entry.triplet.type, question, answer, rationale)


def test_types_lengths_and_wordings_are_near_the_papers(written: list[Written]) -> None:
    found = measured(map(_line, written))
    assert found.triplets == len(written) > 2500
    for name, share in SHARES.items():
        assert abs(found.shares[name] - share) <= 0.06, found.shares
    for part, tolerance in (("question", 1.0), ("answer", 1.0), ("rationale", 3.0)):
        assert abs(found.words[part] - PAPER_WORDS[part]) <= tolerance, found.words
    assert found.wordings >= 3000


def test_annotators_give_likelihoods_and_scores_on_the_papers_scales(written: list[Written]) -> None:
    assert {entry.triplet.likelihood for entry in written} <= {"likely", "possible", "unlikely"}
    scores = Counter(score for entry in written for score in entry.triplet.interesting)
    assert set(scores) == {-1, 0, 1}


def test_the_same_seed_gives_the_same_triplets(exact: list[Written]) -> None:
    assert [entry.triplet for entry in _write(EXACT, 48)] == [
        entry.triplet for entry in exact if entry.movie < 4
    ]


# --- what the text alone tells -----------------------------------------------------------------------------


class Told(NamedTuple):
    """How often a variable is guessed: as the most frequent value, from the fact, from the answer's words."""

    prior: float
    fact: float
    text: float


def _guessed(
    bags: Sequence[Sequence[str]], hidden: Sequence[str], movies: Sequence[int]
) -> tuple[float, float]:
    """Accuracy of the prior and of multinomial naive Bayes, on movies that were not learnt from."""
    words = {word: number for number, word in enumerate(sorted({word for bag in bags for word in bag}))}
    values = {value: number for number, value in enumerate(sorted(set(hidden)))}
    counts = np.zeros((len(bags), len(words)))
    for row, bag in enumerate(bags):
        for word in bag:
            counts[row, words[word]] += 1
    gold = np.array([values[value] for value in hidden])
    fold = np.array(movies) % 5
    prior = right = 0
    for number in range(5):
        learnt, held = fold != number, fold == number
        classes = np.bincount(gold[learnt], minlength=len(values))
        by_class = (
            np.array([counts[learnt][gold[learnt] == each].sum(axis=0) for each in range(len(values))]) + 1
        )
        likelihood = counts[held] @ np.log(by_class / by_class.sum(axis=1, keepdims=True)).T
        right += int(((likelihood + np.log(classes + 1)).argmax(axis=1) == gold[held]).sum())
        prior += int((classes.argmax() == gold[held]).sum())
    return prior / len(gold), right / len(gold)


def _told(written: list[Written], kind: str, stated: str, variable: Callable[[Written], str | None]) -> Told:
    """What answers of a type tell of a variable that they do not state; tags are read as class names."""
    chosen = [(entry, variable(entry)) for entry in written if entry.triplet.type == kind]
    rows = [(e, value, _said(e)) for e, value in chosen if value is not None and _said(e)[0] != stated]
    hidden, movies = [value for _, value, _ in rows], [entry.movie for entry, _, _ in rows]
    texts = [WORD.findall(MARK.sub(_name(e), e.triplet.answer).lower()) for e, _, _ in rows]
    facts = [[" ".join(str(part) for part in said if not isinstance(part, int))] for _, _, said in rows]
    prior, text = _guessed(texts, hidden, movies)
    prior = max(prior, 1 / len(set(hidden)))  # the commonest of few values may be rarer in held-out movies
    return Told(prior, _guessed(facts, hidden, movies)[1], text)


def _said(entry: Written) -> Fact:
    fact = entry.triplet.mistake or entry.triplet.fact
    cause = fact[2] if fact[0] == "reason" else fact
    assert isinstance(cause, tuple)
    return cause


def _name(entry: Written) -> Callable[[re.Match[str]], str]:
    return lambda mark: entry.names[int(mark.group(1))].replace(" ", "")


def _subject(entry: Written) -> int | None:
    return next((e for e in entities_of(entry.triplet.fact) if entry.names[e] == "person"), None)


def _mood(entry: Written) -> str | None:
    concluded = conclude(entry.facts, RULES)
    return next((str(p.fact[2]) for p in concluded if p.fact[:2] == ("feels", _subject(entry))), None)


def _place(entry: Written) -> str | None:
    return entry.stage.place


def _light(entry: Written) -> str | None:
    return entry.stage.light


def _look(name: str) -> Callable[[Written], str | None]:
    def look(entry: Written) -> str | None:
        actor = next((actor for actor in entry.stage.actors if actor.id == _subject(entry)), None)
        return None if actor is None else str(getattr(actor.look, name))

    return look


@pytest.mark.parametrize("kind", ["Explanation", "Activity", "Temporal", "Mental"])
@pytest.mark.parametrize(
    "variable",
    [_look("skin"), _look("top"), _look("hair"), _look("age"), _light],
    ids=["skin", "top", "hair", "age", "light"],
)
def test_answers_do_not_tell_what_the_story_does_not_tie_to_them(
    written: list[Written], kind: str, variable: Callable[[Written], str | None]
) -> None:
    told = _told(written, kind, "time", variable)
    assert told.text <= told.prior + 0.1, told


STORY_BOUND = [("Activity", "feels", _mood), ("Explanation", "place", _place)]
"""In the stories, what people do goes with how they feel and where they are."""


@pytest.mark.parametrize(("kind", "stated", "variable"), STORY_BOUND, ids=["mood", "place"])
def test_wording_tells_no_more_than_the_fact_that_it_states(
    written: list[Written], kind: str, stated: str, variable: Callable[[Written], str | None]
) -> None:
    told = _told(written, kind, stated, variable)
    assert told.text <= told.fact + 0.05, told


@pytest.mark.xfail(
    strict=True,
    reason="known: 0.15 to 0.25 above the prior for mood, some 0.3 for place. The stories tie what people do "
    "to moods and places; the fact that an answer states tells as much without its words",
)
@pytest.mark.parametrize(("kind", "stated", "variable"), STORY_BOUND, ids=["mood", "place"])
def test_answers_tell_neither_mood_nor_place(
    written: list[Written], kind: str, stated: str, variable: Callable[[Written], str | None]
) -> None:
    told = _told(written, kind, stated, variable)
    assert told.text <= told.prior + 0.1, told

"""Forms in words: every frame, every relation, agreement, and none of the marks left in."""

from __future__ import annotations

from random import Random

import pytest

from commonsight.build.questions.english import English
from commonsight.build.questions.form import Having, Known, Question, Referent, Related
from commonsight.build.questions.predicates import said
from commonsight.graph.knowledge import Query

PLATE = Related("on", Referent("plate"))


def known(head: str, relation: str, tail: str, seen: Referent | None = None) -> Known:
    return Known(Query(head, relation, tail), seen)


CUTS = known("BLANK", "UsedFor", "cutting food")


def wordings(question: Question) -> set[str]:
    return {English()(question, Random(seed)) for seed in range(300)}


@pytest.mark.parametrize(
    ("predicate", "one", "many"),
    [
        ("on", "is on", "are on"),
        ("wear", "is wearing", "are wearing"),
        ("sit on", "is sitting on", "are sitting on"),
        ("has", "has", "have"),
        ("cover", "covers", "cover"),
        ("parked on", "is parked on", "are parked on"),
        ("park next", "is parked next to", "are parked next to"),
        ("fill with", "is filled with", "are filled with"),
        ("in the front of", "is in front of", "are in front of"),
        ("carries", "is carrying", "are carrying"),
        ("lying on", "is lying on", "are lying on"),
        ("taller than", "is taller than", "are taller than"),
    ],
)
def test_predicates_are_said_as_verbs(predicate: str, one: str, many: str) -> None:
    forms = [said(predicate), said(predicate, many=True)]
    assert [form and form.plain for form in forms] == [one, many]


@pytest.mark.parametrize("predicate", ["of", "to", "are fully", "says", "talk", ""])
def test_some_predicates_cannot_be_said(predicate: str) -> None:
    assert said(predicate) is None


@pytest.mark.parametrize(
    ("question", "one_wording"),
    [
        (Question("QueryObjKG", Referent(), CUTS, "object"), "What can be used for cutting food?"),
        (
            Question("QueryObjKG", Referent("utensil", True, ("metal", "small")), CUTS, "utensil"),
            "Which small metal utensil is usually used for cutting food?",
        ),
        (
            Question("QueryObjKG", Referent(), known("chopping", "HasPrerequisite", "BLANK"), "object"),
            "What does chopping require?",
        ),
        (
            Question(
                "QueryObjKG",
                Referent("utensil", True),
                known("BLANK", "CapableOf", "lift VISION", Referent(clauses=(PLATE,))),
                "utensil",
            ),
            "What utensil can lift the object that is on the plate?",
        ),
        (
            Question("QueryObjKG", Referent("food", True), known("fork", "UsedFor", "lifting BLANK"), "food"),
            "Which food can a fork be used for lifting?",
        ),
        (
            Question("QueryObjSG", Referent(), Related("next to", Referent(clauses=(CUTS,))), "object"),
            "What is next to the object that is used for cutting food?",
        ),
        (
            Question("QueryObjSG", Referent(), Related("holding", Referent("person", True), False), "object"),
            "What is the person holding?",
        ),
        (
            Question("QueryAtt", Referent("utensil", True, clauses=(PLATE, CUTS)), asks="color"),
            "What color is the utensil that is on the plate and that can be used for cutting food?",
        ),
        (
            Question("QueryAtt", Referent(clauses=(CUTS,)), asks="material"),
            "What is the object that can be used for cutting food made of?",
        ),
        (
            Question("VerifyKG", Referent("vehicle", True), known("BLANK", "CapableOf", "carry cargo")),
            "Can the vehicle carry cargo?",
        ),
        (
            Question("VerifyKG", Referent("animal", True), known("BLANK", "HasA", "long tail"), exists=True),
            "Is there an animal that has a long tail?",
        ),
        (
            Question("VerifyKG", Referent(clauses=(PLATE,)), known("BLANK", "HasA", "leaves")),
            "Does the object on the plate have leaves?",
        ),
        (
            Question("VerifyKG", Referent(), known("chopping", "HasPrerequisite", "BLANK")),
            "Does chopping require the object?",
        ),
        (
            Question("VerifyKG", Referent(), known("BLANK", "AtLocation", "kitchen")),
            "Is the object likely to be found in a kitchen?",
        ),
        (
            Question("VerifyKG", Referent(), known("BLANK", "IsA-Taxonomy", "feline")),
            "Is the object a type of feline?",
        ),
        (
            Question("VerifyKG", Referent(), known("BLANK", "ReceivesAction", "eaten")),
            "Can the object be eaten?",
        ),
        (
            Question("VerifyAtt", Referent("food", True, clauses=(PLATE,)), Having("red"), exists=True),
            "Is there any red food on the plate?",
        ),
        (
            Question("VerifyAtt", Referent(clauses=(CUTS,)), Having("open")),
            "Is the object that can be used for cutting food open?",
        ),
        (Question("VerifyAtt", Referent("person"), Having("brown hair")), "Does the person have brown hair?"),
        (Question("VerifyAtt", Referent("person"), Having("hard hat")), "Is the person wearing a hard hat?"),
        (
            Question("VerifyAtt", Referent("person", attributes=("standing",)), Having("child")),
            "Is the person who is standing a child?",
        ),
    ],
)
def test_wordings(question: Question, one_wording: str) -> None:
    assert one_wording in wordings(question)


def test_there_are_several_wordings() -> None:
    subject = Referent("utensil", True, clauses=(PLATE, CUTS))
    assert len(wordings(Question("QueryAtt", subject, asks="color"))) > 6


def test_no_mark_is_left_in_a_sentence() -> None:
    seen = known("BLANK", "CapableOf", "lift VISION", Referent(clauses=(PLATE,)))
    for says in (seen, known("fork", "UsedFor", "moving BLANK to the mouth"), CUTS):
        for exists in (False, True):
            for text in wordings(Question("VerifyKG", Referent(), says, exists=exists)):
                assert not any(mark in text for mark in ("BLANK", "VISION", "___", "  "))
                assert text.endswith("?")
                assert text[0].isupper()


def test_many_things_take_the_plural() -> None:
    glasses = Related("on", Referent("glasses"), False)
    texts = wordings(Question("QueryAtt", Referent("furniture", True, clauses=(glasses,)), asks="color"))
    assert "What color is the furniture that the glasses are on?" in texts


def test_what_is_seen_takes_no_second_article() -> None:
    door = known("BLANK", "HasA", "VISION and window", Referent(attributes=("brown",)))
    texts = wordings(Question("QueryObjKG", Referent(), door, "object"))
    assert "What has the brown object and window?" in texts
    assert not any("a the" in text for text in texts)


@pytest.mark.parametrize(
    ("head", "said_as"), [("bus", "Does a bus require"), ("driving a car", "Does driving a car require")]
)
def test_things_that_require_something_have_an_article_and_events_none(head: str, said_as: str) -> None:
    says = known(head, "HasPrerequisite", "BLANK")
    texts = wordings(Question("VerifyKG", Referent("ticket"), says))
    assert texts
    assert all(text.startswith(said_as) for text in texts), texts

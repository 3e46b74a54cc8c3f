"""From named answers to choices: which vectors, and which choice."""

from __future__ import annotations

import pytest

from commonsight.core.answer import FreeText, Pick, Unparsed
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import MissingExtra
from commonsight.runs import choosing
from commonsight.runs.choosing import NEAREST, choice_texts, chosen, nearest, steps
from commonsight.score.choices import step_of
from commonsight.store.runs import AnswerLine
from commonsight.text.vectors import InMemoryVectors, WordVectors

VECTORS = InMemoryVectors({"sea": [1, 0], "ocean": [0.9, 0.1], "hill": [0, 1]}, "by hand")
ITEM = Item("1", "val", choices=(TaggedText.plain("hill"), TaggedText.plain("the ocean")))


def ask(item: Item) -> Ask:
    return Ask(item.id, "mc", item.scenes, item.texts, "pick", item.choices)


TASK = Task("mc", "", ask, ("mc",), "image")


def test_the_nearest_choice_by_the_vectors_that_are_given() -> None:
    wanted: list[frozenset[str]] = []

    def load(words: frozenset[str]) -> WordVectors:
        wanted.append(words)
        return VECTORS

    found = nearest([TASK], [ITEM], ["sea"], load)
    assert wanted == [frozenset(("hill", "the", "ocean", "sea"))]
    assert found.pick(ask(ITEM), "sea") == (Pick(1), "by hand")
    assert found.pick(ask(ITEM), "Hill") == (Pick(0), None)  # a choice itself, but for case
    assert found.pick(ask(ITEM), "xyzzy") == (Unparsed("xyzzy", "no word of the text has a vector"), None)
    assert found.told == "nearest choice by cosine of mean word vectors (by hand)"
    assert choice_texts(ask(ITEM)) == ("hill", "the ocean")


def test_without_vectors_at_hand_the_embedded_encoder_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> WordVectors:
        raise MissingExtra("vectors", "nlp")

    monkeypatch.setattr(choosing, "installed_glove", none)
    found = nearest([TASK], [ITEM], [])
    assert found.told.endswith(f"({choosing.default_encoder().name})")
    assert found.pick(ask(ITEM), "an ocean").answer == Pick(1)


def test_what_was_brought_to_a_choice_is_logged_and_counted() -> None:
    said = ("sea", "Hill", "xyzzy", "Oceans of sea")
    found = [chosen(text, ask(ITEM), VECTORS) for text in said]
    assert [one.told for one in found] == [{NEAREST: "by hand"}, {}, {}, {NEAREST: "by hand"}]
    lines = [AnswerLine(str(at), "mc", one.answer, extra=one.told) for at, one in enumerate(found)]
    other = AnswerLine("4", "mc", Pick(0), extra={NEAREST: "others"})
    assert steps([*lines, other]) == (step_of("by hand", 2), step_of("others", 1))
    assert steps([AnswerLine("5", "da", FreeText("sea"))]) == ()

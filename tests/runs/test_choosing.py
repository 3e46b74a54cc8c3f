"""From named answers to choices: which vectors, and which choice."""

from __future__ import annotations

import pytest

from commonsight.core.answer import Pick, Unparsed
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.errors import MissingExtra
from commonsight.runs import choosing
from commonsight.runs.choosing import choice_texts, nearest
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
    assert found.pick(ask(ITEM), "sea") == Pick(1)
    assert found.pick(ask(ITEM), "Hill") == Pick(0)
    assert isinstance(found.pick(ask(ITEM), "xyzzy"), Unparsed)
    assert found.told == "nearest choice by cosine of mean word vectors (by hand)"
    assert choice_texts(ask(ITEM)) == ("hill", "the ocean")


def test_without_vectors_at_hand_the_embedded_encoder_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> WordVectors:
        raise MissingExtra("vectors", "nlp")

    monkeypatch.setattr(choosing, "installed_glove", none)
    found = nearest([TASK], [ITEM], [])
    assert found.told.endswith(f"({choosing.default_encoder().name})")
    assert found.pick(ask(ITEM), "an ocean") == Pick(1)

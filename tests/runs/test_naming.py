"""Answers that are named, and the objects that they point to."""

from __future__ import annotations

import numpy as np
import pytest

from commonsight.core.answer import FreeText, Grounded, Verdict
from commonsight.core.benchmark import Ask, Expects
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.models.engine.evaluate import Predicted
from commonsight.models.features.examples import example_of
from commonsight.runs.naming import drawn_place, named

SCENE = Scene(
    "1.jpg",
    (Region("cup", Box(0, 0, 5, 5), id=40), Region("dog", Box(5, 5, 9, 9), id=7)),
    width=10,
    height=10,
)


def asked(expects: Expects) -> Ask:
    return Ask("1", "answer", (SCENE,), {"question": TaggedText.plain("what?")}, expects)


def said(ask: Ask, chances: tuple[float, ...], *glimpses: tuple[float, float, float]) -> Predicted:
    attention = {"glimpses": np.array([glimpses], np.float32)} if glimpses else {}
    return Predicted(0, example_of(ask, kept="all", named=True), chances, attention)


@pytest.mark.parametrize(
    ("expects", "best", "answer"),
    [
        ("verdict", "True", Verdict(True)),
        ("verdict", "False", Verdict(False)),
        ("text", "red", FreeText("red")),
        ("grounded", "red", Grounded("red", 7)),
        ("grounded", "no", Grounded("no", None)),
    ],
)
def test_the_answer_that_scores_highest_is_given(expects: Expects, best: str, answer: object) -> None:
    answers = ("True", "False", "red", "no")
    chances = tuple(float(one == best) for one in answers)
    ask = asked(expects)
    # The last glimpse counts, and the whole picture, though looked at most, is no object.
    assert named(ask, said(ask, chances, (0.0, 1.0, 0.0), (0.6, 0.1, 0.3)), answers) == answer


def test_who_looks_at_nothing_points_to_nothing() -> None:
    ask = asked("grounded")
    assert named(ask, said(ask, (1.0,)), ("red",)) == Grounded("red", None)


def test_a_place_is_drawn_by_its_chances_and_follows_from_the_names() -> None:
    chances = (0.1, 0.0, 0.6, 0.3)
    drawn = [drawn_place(chances, 0, str(item), "da") for item in range(1000)]
    assert drawn == [drawn_place(chances, 0, str(item), "da") for item in range(1000)]
    assert drawn != [drawn_place(chances, 0, str(item), "mc") for item in range(1000)]
    assert drawn != [drawn_place(chances, 1, str(item), "da") for item in range(1000)]
    shares = np.bincount(drawn, minlength=4) / 1000
    assert shares[1] == 0.0
    np.testing.assert_allclose(shares, chances, atol=0.05)


def test_another_place_than_the_best_may_be_named() -> None:
    ask = asked("text")
    assert named(ask, said(ask, (0.9, 0.1)), ("red", "blue"), 1) == FreeText("blue")

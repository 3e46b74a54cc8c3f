"""How much of a dataset a vocabulary covers."""

from __future__ import annotations

import pytest

from commonsight.core.answer import FreeText, Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText
from commonsight.runs.vocabulary import covered

CHOSEN = Item("1", "val", choices=(TaggedText.plain("sea"), TaggedText.plain("hill")), gold=Pick(1))
DIRECT = Item("2", "val", direct_answers=("lake", "pond"))
EMPTY = Item("3", "val", gold=FreeText(""))
UNLABELLED = Item("4", "val")


@pytest.mark.parametrize(
    ("items", "answers", "share"),
    [
        ([CHOSEN], ["hill"], 1.0),
        ([CHOSEN], ["sea"], 0.0),
        ([CHOSEN, DIRECT], ["pond"], 0.5),
        ([DIRECT], ["", "hill"], 0.0),  # no right choice is not an empty answer
        ([EMPTY], ["", "hill"], 1.0),
        ([DIRECT, UNLABELLED], ["lake"], 1.0),
        ([UNLABELLED], ["lake"], None),
    ],
)
def test_the_share_with_a_right_answer(items: list[Item], answers: list[str], share: float | None) -> None:
    assert covered(items, answers) == share

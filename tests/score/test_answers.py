"""A run's answers, sorted by item."""

from __future__ import annotations

import pytest

from commonsight.core.answer import Pick, Refused, Unparsed
from commonsight.errors import PredictionError
from commonsight.score.answers import tally
from commonsight.score.scoring import LoggedAnswer


def test_failures_are_counted_by_kind_and_leave_the_item_in_place() -> None:
    told = tally(
        [
            LoggedAnswer("a", "q", Pick(1)),
            LoggedAnswer("b", "q", Unparsed("?")),
            LoggedAnswer("c", "q", Refused("no")),
        ]
    )
    assert told.given == {"a": {"q": Pick(1)}, "b": {}, "c": {}}
    assert told.failures == {"unparsed": 1, "refused": 1}


def test_an_item_asked_in_one_task_only_is_unanswered_in_the_other() -> None:
    both = [LoggedAnswer("a", "q", Pick(1)), LoggedAnswer("a", "r", Pick(0))]
    told = tally([*both, LoggedAnswer("b", "q", Pick(2))])
    assert told.failures == {"unanswered": 1}
    assert told.tasks == {"q", "r"}


def test_two_answers_to_one_question_are_refused() -> None:
    with pytest.raises(PredictionError, match="more than one answer for item a in task q"):
        tally([LoggedAnswer("a", "q", Pick(1)), LoggedAnswer("a", "q", Unparsed("?"))])

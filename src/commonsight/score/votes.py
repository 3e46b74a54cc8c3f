"""People's votes as a run: the majority of the workers who answered each item (VCR, section 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from commonsight.core.answer import Pick, Unparsed
from commonsight.errors import PredictionError
from commonsight.score.human import majority_vote
from commonsight.score.scoring import LoggedAnswer
from commonsight.store.jsonfiles import read_lines


class Votes(Struct):
    """One line: what each worker chose for one item in one task."""

    item: str
    task: str
    votes: list[Annotated[int, Meta(ge=0, le=999)]]


class MajorityRun(NamedTuple):
    """The majority's answers, and the items in which no choice had most votes."""

    answers: list[LoggedAnswer]
    ties: int


def read_votes(path: Path) -> MajorityRun:
    """JSON lines `{"item", "task", "votes"}`; a tie is no answer, scores 0 and is counted."""
    answers, ties = [], 0
    for record in read_lines(path, Votes):
        line = record.value
        if not line.votes:
            raise PredictionError(f"{path}:{record.line}: votes: nobody voted. Leave the item out.")
        pick = majority_vote(line.votes)
        ties += pick is None
        answer = Unparsed(str(line.votes), "a tie") if pick is None else Pick(pick)
        answers.append(LoggedAnswer(line.item, line.task, answer))
    return MajorityRun(answers, ties)

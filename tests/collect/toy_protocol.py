"""A small protocol for tests of the engine: someone writes a question, three vote on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from commonsight.collect.protocol import (
    Answers,
    Done,
    Exam,
    ExamQuestion,
    Field,
    History,
    NewTask,
    Option,
    Outcome,
    Pay,
    Payload,
    Protocol,
    Record,
    Reward,
    Setting,
    Show,
    Shown,
    Stage,
    Standing,
    Verdict,
)
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import Complaint

YES_NO = (Option("yes", "Yes", "y"), Option("no", "No", "n"))


def no_shouting(_: Payload, answers: Answers) -> Iterator[Complaint]:
    """A rule over the whole form."""
    if str(answers.get("question", "")).isupper():
        yield Complaint("question", "Write in small letters.")


def written(done: Done) -> Outcome:
    """A question goes to three others."""
    (said,) = done.said
    payload = {"picture": done.payload["picture"], "question": said.answers["question"]}
    return Outcome(tasks=(NewTask("vote", f"{done.key}/vote", payload, about=(said.assignment,)),))


def voted(done: Done) -> Outcome:
    """The majority decides; a tie is for a reviewer."""
    votes = Counter(said.answers["good"] for said in done.said)
    if not done.adjudicated and len(votes) > 1 and len(set(votes.values())) == 1:
        return Outcome(disputed="As many for as against.")
    good = votes["yes"] > votes["no"]
    told = "The majority liked it." if good else "The majority did not like it."
    verdicts = tuple(Verdict(each, good, "votes", told) for each in done.about)
    if not good:
        return Outcome(verdicts=verdicts, dropped="voted down")
    record = Record(done.key, {"question": done.payload["question"]}, by=done.about)
    rewards = tuple(Reward(each, 500, "kept") for each in done.about)
    return Outcome(records=(record,), verdicts=verdicts, rewards=rewards)


def subjects(
    item: Item, _: Mapping[str, Any], keep: Callable[[str], Shown]
) -> Iterable[NewTask]:
    """One task for each picture."""
    for scene in item.scenes:
        yield NewTask("write", f"{item.id}/{scene.image}", {"picture": keep(scene.stored or scene.image)})


def standing(history: History, settings: Mapping[str, Any]) -> Standing:
    """Out after so many bad verdicts; a bonus for those with none."""
    bad = sum(not good for good in history.verdicts)
    if bad >= settings["most_bad"]:
        return Standing(qualified=False, reason=f"{bad} pieces of work were turned down.")
    good_tier = len(history.verdicts) >= 2 and bad == 0
    return Standing(tier="good" if good_tier else "", pools=("hard",) if good_tier else (), bonus_each=100)


def item_of(record: Record) -> Iterable[Item]:
    """A record as an item."""
    yield Item(
        record.key, "train", (Scene(record.key),), {"question": TaggedText.plain(record.data["question"])}
    )


WRITE = Stage(
    "write", "Write a question", "Write one question about the picture.",
    (Show("picture", "scene", "The picture"),),
    (Field("question", "tagged", "Your question", about="picture", least_words=3, similar=5, warn=True),),
    Pay(1000), written, guide=("Look at the picture.",), checks=(no_shouting,), minutes=10,
)  # fmt: skip
VOTE = Stage(
    "vote", "Is it a good question?", "Say whether the question is good.",
    (Show("picture", "scene"), Show("question", "text")),
    (Field("good", "choice", "Is it good?", options=YES_NO),),
    Pay(200), voted, overlap=3, votes=("good",), minutes=5, exam="start",
)  # fmt: skip
EXAM = Exam(
    "start", "Before you begin", ("Answer both.",),
    graded=(ExamQuestion(Field("sky", "choice", "Is the sky blue?", options=YES_NO), "yes", "It is."),),
    tries=2,
)  # fmt: skip
TOY = Protocol(
    "toy", "A toy", "nobody", "USD", (WRITE, VOTE), "write", subjects, standing, item_of,
    exams=(EXAM,), settings={"most_bad": Setting(3, "Bad verdicts until someone is out.")},
)  # fmt: skip

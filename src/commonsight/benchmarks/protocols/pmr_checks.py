"""Rules of PMR's protocol over several fields of a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from commonsight.benchmarks.protocols import marks
from commonsight.benchmarks.protocols.common import different
from commonsight.benchmarks.protocols.pmr_flow import ACTIONS
from commonsight.build.premises.pictures import PERSON
from commonsight.build.premises.recover import recovered
from commonsight.collect.protocol import Answers, Payload, labels_of
from commonsight.core.text import TaggedText
from commonsight.errors import Complaint

Check = Callable[[Payload, Answers], Iterator[Complaint]]
_TAG = re.compile(r"\[[^\[\]]+\]")


def premise_is_kept(least_bleu: float | None) -> Check:
    """The check that a premise is still the one that was offered but for its tags.

    With `least_bleu`, its words may differ, too, as long as it comes so near to a template of a category.
    """

    def check(payload: Payload, answers: Answers) -> Iterator[Complaint]:
        offered = payload["premises"][int(answers["premise"])]
        said, labels = answers.get("premise_text") or offered, labels_of(payload, "picture")
        named = [*TaggedText.parse(said, labels).references()]
        if any(labels[place] != PERSON for place in named):
            yield Complaint("premise_text", "A premise speaks of people. Use the tags of people.")
        elif least_bleu is not None:
            if recovered(said).bleu < least_bleu:
                told = "This is no longer a premise of one of the kinds that are offered. Change less of it."
                yield Complaint("premise_text", told)
        elif _without_tags(said) != _without_tags(offered):
            yield Complaint("premise_text", "Change nothing but the tags: whom the premise speaks of.")
        elif len(set(named)) < len(named):
            yield Complaint("premise_text", "The premise speaks of different people. Do not name one twice.")

    return check


def _without_tags(text: str) -> str:
    return " ".join(_TAG.sub("[]", text).split()).casefold()


def brackets_are_closed(*fields: str, needed: bool) -> Check:
    """The check that words are marked as they should be, where a field is there."""

    def check(_: Payload, answers: Answers) -> Iterator[Complaint]:
        for name in fields:
            text = answers.get(name)
            if text is None:
                continue
            if told := marks.fault(text):
                yield Complaint(name, told)
            elif needed and not marks.marked(text):
                yield Complaint(name, "Put the words that are about the picture in {curly brackets}.")

    return check


def actions_differ(_: Payload, answers: Answers) -> Iterator[Complaint]:
    """Action-True and Action-False say different things."""
    if different(marks.unmarked(answers[name]) for name in ACTIONS[:2]) < 2:
        yield Complaint("action_false", "This is Action-True again. Write what goes against the premise.")


def distractors_differ(strictly: bool) -> Check:
    """The check that the four choices are four, and that a distractor keeps what it must."""

    def check(payload: Payload, answers: Answers) -> Iterator[Complaint]:
        if answers["decision"] != "accept":
            return
        texts = [payload[name] for name in ACTIONS[:2]] + [answers[name] for name in ACTIONS[2:]]
        if different(map(marks.unmarked, texts)) < len(texts):
            yield Complaint("distractor2", "Two of the four actions read alike. Change words in brackets.")
        for name, action, text in zip(ACTIONS[2:], texts[:2], texts[2:], strict=True):
            if strictly and marks.rest(text) != marks.rest(action):
                yield Complaint(name, "Change the words in brackets alone, and keep the brackets.")

    return check


def feedback_with_no(_: Payload, answers: Answers) -> Iterator[Complaint]:
    """Who says no says why."""
    if answers["meets"] == "no" and not answers.get("feedback"):
        yield Complaint("feedback", "Write to the examiner what does not meet the standard.")

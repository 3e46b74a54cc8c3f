"""How CRIC's generated questions are checked by people: judged by several, mended once, or dropped.

Gao et al., 2022, section 3. The authors validated each module of their generator on samples, that a question
and its program agree, and in the end some 10,000 questions from pictures of various scenes. `build questions`
does the second by itself; this is the third. The paper tells what was checked, not by how many or what became
of faulty questions, and its section 5 names rephrasing by people as what is still needed: votes and
corrections are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from commonsight.benchmarks.protocols import cric_words as words
from commonsight.benchmarks.protocols.common import GOLD, YES_NO, defaults
from commonsight.benchmarks.protocols.cric_flow import (
    MARKS,
    NOTHING,
    corrected,
    item_of,
    reviewed,
    standing,
    subjects,
)
from commonsight.benchmarks.protocols.prose import filled
from commonsight.collect.protocol import (
    Answers,
    Field,
    Option,
    Pay,
    Payload,
    Protocol,
    Setting,
    Show,
    Stage,
)
from commonsight.errors import Complaint, UsageError

SETTINGS: Mapping[str, Setting] = {
    "share": Setting(
        1.0, "Of the imported questions, the share that is looked at, drawn by their ids. The paper looked "
        "at about 0.02 of its 494,350 (section 3, final results validation); set that for as many."),
    "votes": Setting(3, "People who judge a question; the majority decides (no number in the paper)."),
    "corrections": Setting(
        1, "How often a faulty question is mended before it is dropped; 0 drops it at once. Section 5 names "
        "rephrasing by people as necessary in the future."),
    "review_pay": Setting(500, "For judging a question: $0.05 (no number in the paper)."),
    "correct_pay": Setting(1500, "For mending a question: $0.15 (no number in the paper)."),
    "least_accepted": Setting(
        0.5, "Share of one's corrections that must be accepted to go on. Ours: in the paper the authors "
        "checked by themselves (section 3)."),
    "accepted_judged": Setting(6, "Corrections that must have been judged before that share counts. Ours."),
    "exam": Setting(False, "Whether one takes an exam first. The paper has none."),
    "exam_pass_mark": Setting(0.8, "Share of the exam that must be right. Ours."),
    "exam_tries": Setting(2, "How often the exam may be tried. Ours."),
    **GOLD,
}  # fmt: skip

SEEN = (
    Show("picture", "scene", "The picture"),
    Show("question", "text", "The question"),
    Show("answer", "text", "Its answer"),
    Show("points", "text", "What the answer is about"),
    Show("facts", "texts", "What it rests on"),
    Show("steps", "steps", "How it is answered"),
)
ACTIONS = (Option("correct", "Mend it"), Option("drop", "Drop it"))
POINTING = (
    Option("same", "As it is"),
    Option("other", "Other objects"),
    Option("none", "No object: the answer is no"),
)


def no_means_none(payload: Payload, answers: Answers) -> Iterator[Complaint]:
    """The check that a no is about no object, and every other answer about one."""
    if answers.get("action") != "correct":
        return
    nothing = {"none": True, "other": False}.get(answers["pointing"], payload.get("points") == NOTHING)
    negative = answers["answer"].strip().lower() == "no"
    if negative and not nothing:
        yield Complaint("pointing", "A no is about no object. Choose that, or another answer.")
    elif nothing and not negative:
        yield Complaint("pointing", "This answer is about something. Choose the objects.")


def some_change(payload: Payload, answers: Answers) -> Iterator[Complaint]:
    """The check that something was mended."""
    if answers.get("action") != "correct" or answers["pointing"] != "same":
        return
    fields = ("question", "answer")
    same = all(_plain(answers[name]) == _plain(str(payload.get(name, ""))) for name in fields)
    if same:
        yield Complaint("action", "Nothing is changed yet. Mend the question, or drop it.")


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _review(settings: Mapping[str, Any]) -> Stage:
    asked = {
        "grammatical": ("Is it grammatical?", "A correct English question."),
        "unambiguous": ("Is it unambiguous?", "One object is meant, and one answer fits."),
        "right": ("Is the answer right?", "By the picture, and about the object that is named."),
    }
    marks = tuple(Field(name, "choice", *asked[name], options=YES_NO) for name in MARKS)
    return Stage(
        "review", "Judge a question", "Say whether a question is correct, clear and answered right.",
        SEEN, (*marks, Field("note", "text", "What is wrong?", "In a few words.", required=False)),
        Pay(settings["review_pay"]), reviewed,
        guide=filled(words.REVIEWING, settings), examples=words.REVIEWING_EXAMPLES,
        overlap=settings["votes"], minutes=15, exam="reading" if settings["exam"] else "", votes=tuple(MARKS),
    )  # fmt: skip


def _correct(settings: Mapping[str, Any]) -> Stage:
    mend = ("action", "correct")
    return Stage(
        "correct", "Mend a question", "Mend a question in which others found a fault, or drop it.",
        (*SEEN, Show("said", "answers", "What others said")),
        (
            Field("action", "choice", "Can it be mended?", options=ACTIONS),
            Field("question", "text", "The question", only_if=mend, starts_from="question", least_words=3),
            Field("answer", "text", "Its answer", only_if=mend, starts_from="answer"),
            Field("pointing", "choice", "What is the answer about?", only_if=mend, options=POINTING),
            Field("target", "boxes", "Which objects?", about="picture", least=1,
                  only_if=("pointing", "other")),
        ),
        Pay(settings["correct_pay"]), corrected,
        guide=filled(words.CORRECTING, settings), examples=words.CORRECTING_EXAMPLES, minutes=20,
        exam="reading" if settings["exam"] else "", checks=(no_means_none, some_change),
    )  # fmt: skip


def build(settings: Mapping[str, Any]) -> Protocol:
    """The protocol with these settings in its forms, pay and exam."""
    if settings["votes"] < 1:
        raise UsageError("votes must be 1 or more: somebody has to judge a question.")
    return Protocol(
        name="cric",
        title="CRIC",
        source="Gao et al., CRIC: A VQA Dataset for Compositional Reasoning on Vision and Commonsense "
        "(2022), sections 3 and 5",
        currency="USD",
        stages=(_review(settings), _correct(settings)),
        start="review",
        subjects=subjects,
        standing=standing,
        item_of=item_of,
        exams=words.exams(settings),
        settings=SETTINGS,
        rebuilt=build,
    )


CRIC = build(defaults(SETTINGS))

"""What annotators of CRIC's protocol read: instructions, examples and an exam, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonsight.benchmarks.protocols.common import YES_NO
from commonsight.benchmarks.protocols.prose import paragraphs
from commonsight.collect.protocol import Exam, Example, ExamQuestion, Field

REVIEWING = """
A program made this question from a description of the picture and from a list of everyday knowledge. You see
the question, its answer, the object that the answer is about, and the steps by which the program came to it.
Judge three things.

Is it grammatical? It need not be elegant, but it must be a correct English question that is understood at
once.

Is it unambiguous? Whoever looks at the picture must know which object is meant, and only one answer may be
right. If a second object fits the words as well and would give another answer, it is ambiguous.

Is the answer right, and is it about the object that is marked? Look at the picture, not at the steps: the
description that the program had may be wrong or have holes. A question that is answered with no must not be
about any object.

If you say no to anything, write in a few words what is wrong, so that someone else can mend it.
"""
REVIEWING_EXAMPLES = (
    Example("“What colour is the thing on the shelf that is used for boiling water?” green. One kettle is on "
            "the shelf, and it is green.", True, "Correct, clear, and right: yes to all three."),
    Example("“What object can hold tea?” cup. A mug and a bowl stand beside the cup.", False,
            "Grammatical, but ambiguous: mug would be right as well."),
    Example("“Is there a furniture which can be sat on?” yes.", False,
            "It is understood, but “a furniture” is wrong."),
    Example("“What vehicle is next to the tree?” bus. The picture shows a van.", False,
            "Grammatical and unambiguous; the answer is wrong."),
)  # fmt: skip

CORRECTING = """
Others found that something is wrong with this question; what they said is shown. Mend it, or drop it if it
cannot be mended.

Change as little as possible. If the wording is wrong, write the question anew so that it asks the same. If
two objects fit, add what tells them apart. If the answer is wrong, write the right one, and choose the
object that it is about.

A no is about no object. Every other answer is about at least one.

Others judge what you make of it, without knowing what was there before.
"""
CORRECTING_EXAMPLES = (
    Example("“Is there a furniture which can be sat on?” → “Is there furniture that can be sat on?”", True,
            "The same question, in correct English."),
    Example("“What object can hold tea?” → “What object beside the plate can hold tea?”", True,
            "Only the cup is beside the plate, so one object is left."),
    Example("“What object can hold tea?” → “What is on the table?”", False,
            "Another question: what one must know about tea is gone."),
)  # fmt: skip

GUIDE = """
Say of each question, whose picture is told in words here, whether what is asked about it is so.
"""
_CASES = (
    ("On a bench lie a red book and a blue book. “What colour is the book on the bench?” red.",
     "Is it unambiguous?", "no", "Both books lie on the bench."),
    ("On a bench lie a red book and a blue bag. “What colour is the thing that can be read?” red.",
     "Is it unambiguous?", "yes", "Only the book can be read."),
    ("A cat sits on a car. “Is the animal that is on the vehicle a feline?” no.",
     "Is the answer right?", "no", "Cats are felines."),
    ("A cat sits on a car. “What is the animal on the vehicle sitting on?” car.",
     "Is the answer right?", "yes", "It sits on the car."),
    ("A knife lies on a board. “What tool which can cutting bread is on the board?” knife.",
     "Is it grammatical?", "no", "“Can cutting” is no English."),
    ("A knife lies on a board. “Which tool on the board can be used for cutting bread?” knife.",
     "Is it grammatical?", "yes", "It is long, but correct."),
)  # fmt: skip


def exams(settings: Mapping[str, Any]) -> tuple[Exam, ...]:
    """One, where it is asked for."""
    if not settings["exam"]:
        return ()
    graded = tuple(
        ExamQuestion(Field(f"case{number}", "choice", f"{told} {asked}", options=YES_NO), right, why)
        for number, (told, asked, right, why) in enumerate(_CASES, 1)
    )
    return (
        Exam(
            "reading", "Before you judge questions", paragraphs(GUIDE), graded,
            settings["exam_pass_mark"], tries=settings["exam_tries"],
        ),
    )  # fmt: skip

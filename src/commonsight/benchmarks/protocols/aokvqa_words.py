"""What annotators of A-OKVQA's protocol read: instructions, examples and exams, in our own words.

The flaws are the four of the paper's appendix A.1 and what its section 3 asks for beyond; no question of the
paper is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonsight.benchmarks.protocols.common import YES_NO
from commonsight.benchmarks.protocols.prose import paragraphs
from commonsight.collect.protocol import Exam, Example, ExamQuestion, Field, Option

FLAWS: Mapping[str, str] = {
    "recognition": "One only has to recognise a common thing",
    "counting": "One only has to count things that are named",
    "blind": "It can be answered without looking at the picture",
    "colour": "It only asks for the colour of a thing that is named",
    "similar": "It is too much like an earlier question",
    "answer": "The answer is wrong, or another choice is right as well",
    "unclear": "It cannot be understood",
}
"""The first four by appendix A.1; the others follow from the four criteria of section 3 and from sense."""
FLAW_OPTIONS = tuple(Option(value, label) for value, label in FLAWS.items())

KNOWLEDGE: Mapping[str, str] = {
    "commonsense": "How people behave, and why",
    "visual": "What such things look like",
    "knowledge base": "A fact that one could look up",
    "physical": "How the physical world works",
}
"""Kinds of knowledge that a question takes (section 4)."""

WRITING = """
You see {pictures} pictures that are alike. Write a question about at least {least_questions} of them, one
for a picture; leave out those about which no good question comes to mind.

A good question needs four things. One must look at the picture to answer it. One must know something that
the picture does not say: what people usually do, how things work, a fact. One must think a step beyond
naming a thing. And it must not be like a question that was asked before.

Because the pictures are alike, ask different things about them.

Write the right answer and {wrong} wrong ones, each of one to {most_answer_words} words. The wrong ones must
be wrong for this picture, and yet such that someone who does not look, or does not know, could choose them.
They should be of the same kind and form as the right one.

While you write, the earlier questions that are most like yours are shown. If yours asks the same as one of
them, ask something else. Say that you have looked before you go on.

Others then judge each question. What does not need the picture, or only its surface, is left out.
"""
WRITING_EXAMPLES = (
    Example("A man on a ladder reaches for apples. “What season is it most likely?” autumn / spring, winter, "
            "early summer", True,
            "One must see the ripe fruit and know when it is picked."),
    Example("A dog sits behind a fence with a sign. “Who is the sign meant to protect?” visitors / dogs, "
            "gardeners, drivers", True, "It takes the picture, and a thought about what such signs are for."),
    Example("“What animal is behind the fence?”", False, f"{FLAWS['recognition']}."),
    Example("“How many apples are in the basket?”", False, f"{FLAWS['counting']}."),
    Example("“What do bees make?”", False, f"{FLAWS['blind']}."),
    Example("“What colour is the ladder?”", False, f"{FLAWS['colour']}."),
    Example("“What season is it most likely?” asked a third time", False,
            f"{FLAWS['similar']}. Ask what the basket will be used for, or why the man wears gloves."),
    Example("“Where does the dog live?” house / home, moon, soup", False,
            "House and home are both right, and nobody would choose the other two."),
)  # fmt: skip

SCREENING = """
Someone wrote a question about this picture, with a right answer and wrong ones. Say whether it is a question
as we want it.

It is, if all of this is so: one must look at the picture to answer it; one must know something that the
picture does not say; one must think a step beyond naming or counting things; it asks something of its own;
and the answer that is given is right and the others are not.

If it is not, say why: choose all that applies. The writer will read it.
"""
SCREENING_EXAMPLES = (
    Example("Baskets full of apples stand beside a press. “What is the man most likely going to make?” cider",
            True, "The press must be seen, and one must know what it is for."),
    Example("“What fruit is in the baskets?” apples.", False, f"{FLAWS['recognition']}."),
)  # fmt: skip

EXPLAINING = """
You see a question with its choices and the answer that is held to be right. First decide whether you agree.
If you do not, write the answer that you think is right; nothing more is asked then.

If you agree, explain in one or two simple sentences why it is right. Say what in the picture shows it, and
what one must know about the world that the picture does not say.

Do not just repeat the answer, and do not write about the other choices only.
"""
EXPLAINING_EXAMPLES = (
    Example("Apples ripen and are picked in autumn, and the tree still has its leaves.", True,
            "A fact about apples, and what can be seen."),
    Example("It is autumn because it looks like autumn.", False, "The answer once more, and no reason."),
    Example("It is not winter.", False, "That another choice is wrong does not make this one right."),
)  # fmt: skip

ANSWERING = """
Answer the question about the picture in as few words as you can: one to {most_answer_words}. No sentence, no
article.

Say what you think most people would say. If you are not sure, give your best guess.
"""
ANSWERING_EXAMPLES = (
    Example("“What season is it most likely?” autumn", True, "One word is enough."),
    Example("“What season is it most likely?” I think it might be the autumn", False, "Only the answer."),
)  # fmt: skip

SOLVING = """
This work is for programs that take part by the interface for programs: a model that answers questions about
pictures without knowing much. What it answers right is held to be trivial and left out.
"""

QUESTION_EXAM = """
In the first part, say of each question whether it is one that we want. The pictures are told in words here.

In the second part, write a question of your own about this picture: on a small table stand two cups, one of
them full; a coat hangs over the back of an empty chair; beyond the window it is snowing. Someone reads it.
"""
RATIONALE_EXAM = """
In the first part, say of each explanation whether it is as we want it.

In the second part, explain yourself. The picture: on a small table stand two cups, one of them full; a coat
hangs over the back of an empty chair. The question: who is likely to come back? The answer: the guest.
Someone reads what you write.
"""
PROGRAM_EXAM = """
Only for a program that takes part by itself. Tell which one it is; the owner of the campaign lets it in.
"""
_QUESTIONS = (
    ("A boat lies on its side on dry mud.", "What must happen before the boat can be used?", "yes",
     "One must see the mud and know about tides."),
    ("A boat lies on its side on dry mud.", "What is lying on the mud?", "no", FLAWS["recognition"]),
    ("Four bicycles lean against a wall.", "How many bicycles lean on the wall?", "no", FLAWS["counting"]),
    ("Four bicycles lean against a wall.", "What are bicycle tyres filled with?", "no", FLAWS["blind"]),
    ("A child in a yellow coat stands in a puddle.", "What colour is the coat?", "no", FLAWS["colour"]),
    ("A child in a yellow coat stands in a puddle.", "What was the weather like a little earlier?", "yes",
     "The coat and the puddle tell it to someone who knows where puddles come from."),
    ("A waiter carries one plate to a table for two.", "What is the other guest probably waiting for?", "yes",
     "It takes the picture, and a thought about how restaurants work."),
)  # fmt: skip
_RATIONALES = (
    ("What was the weather like a little earlier? rainy",
     "Puddles are left by rain, and the child wears a raincoat.", "yes", "A fact, and what is seen."),
    ("What was the weather like a little earlier? rainy", "It was rainy a little earlier.", "no",
     "It only repeats the answer."),
    ("What must happen before the boat can be used? the tide must rise",
     "Boats need water to float, and at low tide the sea leaves the mud dry.", "yes",
     "It says what one must know."),
    ("What must happen before the boat can be used? the tide must rise",
     "The other answers make no sense.", "no", "It says nothing about the right one."),
)  # fmt: skip


def exams(settings: Mapping[str, Any]) -> tuple[Exam, ...]:
    """Before one writes questions, before one writes rationales (section 3), and for programs."""
    mark, tries = settings["exam_pass_mark"], settings["exam_tries"]
    text = Field("question", "text", "Your question", least_words=settings["least_words"])
    answer = Field("answer", "text", "The right answer", most_words=settings["most_answer_words"])
    reason = Field("rationale", "text", "Your explanation", "One or two simple sentences.", least_words=3)
    model = Field("model", "text", "Which model is it, and what was it trained on?")
    return (
        Exam("questions", "Before you write questions", paragraphs(QUESTION_EXAM),
             _graded(_QUESTIONS, "Is this a question that we want?"), mark, (text, answer), tries),
        Exam("rationales", "Before you explain answers", paragraphs(RATIONALE_EXAM),
             _graded(_RATIONALES, "Is this an explanation that we want?"), mark, (reason,), tries),
        Exam("program", "For programs only", paragraphs(PROGRAM_EXAM), written=(model,), tries=tries),
    )  # fmt: skip


def _graded(cases: tuple[tuple[str, str, str, str], ...], asked: str) -> tuple[ExamQuestion, ...]:
    return tuple(
        ExamQuestion(
            Field(f"case{number}", "choice", f"{about} “{text}” {asked}", options=YES_NO), right, why
        )
        for number, (about, text, right, why) in enumerate(cases, 1)
    )

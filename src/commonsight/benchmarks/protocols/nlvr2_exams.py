"""NLVR2's two exams (appendix B): one before sets are made and sentences written, one before these are read.

The paper's first has six questions about the task, nineteen sentences about two sets of four pairs, and one
sentence to write; who checks sentences labels eight examples first. Pairs are told in words here: no picture
is ours to ship, and whoever cannot see can take the exam as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonsight.benchmarks.protocols.common import YES_NO
from commonsight.benchmarks.protocols.prose import paragraphs
from commonsight.collect.protocol import Exam, ExamQuestion, Field, Option

LABELS = (
    Option("true", "True", "t"),
    Option("false", "False", "f"),
    Option("nonsense", "It makes no sense", "n"),
)
"""What can be said of a sentence and a pair."""

GUIDE = """
First come questions about the task, then sentences about two sets of pairs, which are told in words here. At
the end you write a sentence yourself, which someone reads.

First set. Pair A: left, two brown dogs run on grass; right, three brown dogs lie on grass by a red ball. Pair
B: left, one white dog sits on a sofa; right, two brown dogs on grass with a red ball, one of them jumping.
Pair C: left, one brown dog by a chair; right, one white dog runs on grass. Pair D: left, one white dog on a
chair; right, one brown dog on a sofa. The writer chose A and B.

Second set. Pair A: left, three sailing boats at sea; right, one rowing boat on the sand in front of a pier.
Pair B: left, one sailing boat beside a pier; right, two empty rowing boats beside a pier. Pair C: left, two
rowing boats at sea with a person in each; right, two sailing boats at sea, far from a pier. Pair D: left, one
empty rowing boat beside a pier; right, four sailing boats beside a pier. The writer chose B and D.

Last set, about which you write. Pair A: left, two white cups on a tray; right, three blue cups on a tray.
Pair B: left, one blue cup beside a teapot; right, one white cup beside a teapot. Pair C: left, four white
cups in a row; right, two blue cups, one of them lying on its side. Pair D: left, one white cup; right, one
white cup with a spoon in it.
"""
DOGS, BOATS = "First set", "Second set"

TASK = (
    ("how-many", "Your sentence must be true of …", ("one pair", "the pairs that you choose", "all pairs"), 1,
     "True of each pair that you choose, false of each of the others."),
    ("others", "Of the pairs that you do not choose, your sentence must be …",
     ("false", "true or false, that does not matter", "true of one of them"), 0,
     "So that nobody can tell from the sentence alone whether it is true."),
    ("who-chooses", "Which pairs you write about is …", ("drawn by chance", "for you to choose"), 1,
     "Some choices cannot be told apart, so it is left to you."),
    ("letters", "May your sentence say “pair B”?", ("yes", "no"), 1,
     "Whoever checks it sees one pair and no letters."),
    ("flag", "The same picture is in a set twice. What do you do?",
     ("write a sentence nevertheless", "say that the set should not have come this far"), 1,
     "Sets with duplicates should have gone earlier."),
    ("dull", "A picture is not interesting by our list, but you find it so. Do you mark it as dull?",
     ("yes", "no"), 1, "What you find interesting for any reason stays unmarked."),
)  # fmt: skip
"""Six questions about the task and its rules."""
SENTENCES = (
    (DOGS, "There are more dogs in the right image than in the left image.", True,
     "It compares, and holds for A and B alone."),
    (DOGS, "The dogs look glad to be together.", False, "An opinion."),
    (DOGS, "There are at least two brown dogs in the right image.", True, "It counts by colour and by side."),
    (DOGS, "One of the images was taken from very near.", False, "It is about the photograph itself."),
    (DOGS, "One image shows at least two dogs, and none of them is on furniture.", True,
     "It counts, and says where they are."),
    (DOGS, "Behind the dogs there is a sign with the word PARK.", False, "It is about writing in a picture."),
    (DOGS, "There is a dog.", False, "Only the presence of one thing; and it is true of all four pairs."),
    (DOGS, "There is a red ball near a dog.", False, "No ball is in C or D: the ball alone gives it away."),
    (DOGS, "The two images together show three dogs or five.", True, "One has to count over both pictures."),
    (DOGS, "The left image shows a dog, and the right image shows grass.", False,
     "One thing of the left picture, another of the right, and nothing else."),
    (BOATS, "All boats are right beside a pier.", True, "It is about all of them, and C has a pier as well."),
    (BOATS, "The left image shows exactly one boat.", True, "An exact count on one side."),
    (BOATS, "The boats have a lovely shape.", False, "An opinion."),
    (BOATS, "The right image has more boats than the left image, and nobody sits in a boat.", True,
     "Two conditions, one of them a comparison."),
    (BOATS, "The left image is blurred at its edges.", False, "It is about the photograph itself."),
    (BOATS, "One of the boats has the number 7 painted on it.", False, "It is about writing in a picture."),
    (BOATS, "There is a pier.", False, "Only the presence of one thing."),
    (BOATS, "The left image contains a boat, and the right image contains a pier.", False,
     "One thing of the left picture, another of the right, and nothing else."),
    (BOATS, "One image has twice or four times as many boats as the other.", True, "Counting and comparing."),
)  # fmt: skip
"""Nineteen sentences, and whether each follows the rules."""
EXAMPLES = (
    ("Left: two cats on a sofa. Right: one cat on the floor.",
     "There are three cats in total, and one image shows exactly one.", "true", "Two and one are three."),
    ("Left: two cats on a sofa. Right: one cat on the floor.",
     "Each image contains a cat that is on a sofa.", "false", "The right one shows a cat on the floor."),
    ("Left: a red car. Right: a red car and a blue car.",
     "The right image has more red cars than the left image.", "false", "Each has one red car."),
    ("Left: a red car. Right: a red car and a blue car.",
     "At least one car is not red.", "true", "The blue one."),
    ("Left: three birds on a wire. Right: four birds in the air.",
     "No bird in the left image is flying.", "true", "All three sit."),
    ("Left: three birds on a wire. Right: four birds in the air.",
     "Exactly one of the images has no more than three birds.", "true", "The left one; the other has four."),
    ("Left: a full glass. Right: an empty glass beside a plate.",
     "Glass image plate the left more.", "nonsense", "Nobody can say what is meant."),
    ("Left: a full glass. Right: an empty glass beside a plate.",
     "The glass beside the plate is full.", "false", "That one is empty."),
)  # fmt: skip
"""Eight examples with their labels."""


def exams(settings: Mapping[str, Any]) -> tuple[Exam, Exam]:
    """The exam of writers and that of those who check."""
    return (
        Exam(
            "writing", "Before you make sets or write",
            paragraphs(GUIDE),
            graded=(*_about_the_task(), *_about_sentences()),
            pass_mark=settings["exam_pass_mark"],
            written=(
                Field(
                    "selected", "choices", "Of the last set, the pairs that you choose",
                    options=tuple(Option(letter, f"Pair {letter}") for letter in "ABCD"),
                    least=2, most=2,
                ),
                Field("sentence", "text", "Your sentence", least_words=settings["least_words"]),
            ),
            tries=settings["exam_tries"],
        ),
        Exam(
            "checking", "Before you check sentences",
            ("Say of each pair, which is told in words here, whether the sentence is true of it.",),
            graded=tuple(
                ExamQuestion(
                    Field(f"example{number}", "choice", f"{pair} “{sentence}”", options=LABELS), label, why
                )
                for number, (pair, sentence, label, why) in enumerate(EXAMPLES, 1)
            ),
            pass_mark=settings["exam_pass_mark"],
            tries=settings["exam_tries"],
        ),
    )  # fmt: skip


def _about_the_task() -> tuple[ExamQuestion, ...]:
    return tuple(
        ExamQuestion(
            Field(
                name, "choice", asked,
                options=tuple(Option(str(place), answer) for place, answer in enumerate(answers)),
            ),
            str(right),
            why,
        )
        for name, asked, answers, right, why in TASK
    )  # fmt: skip


def _about_sentences() -> tuple[ExamQuestion, ...]:
    return tuple(
        ExamQuestion(
            Field(
                f"sentence{number}", "choice", f"{about}: “{sentence}” Does it follow the rules?",
                options=YES_NO,
            ),
            "yes" if follows else "no",
            why,
        )
        for number, (about, sentence, follows, why) in enumerate(SENTENCES, 1)
    )  # fmt: skip

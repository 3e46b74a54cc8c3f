"""What annotators of VCR's protocol read: instructions, examples and the exam, in our own words.

The scenes are drawn or of every day: no picture and no sentence of the paper is repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonsight.collect.protocol import Example, ExamQuestion, Field, Option

WRITING = """
You see a picture in which people and things have numbered boxes. Ask about it what a person can tell and a
machine could not easily: why something happens, what someone feels or wants, who they are to each other,
what came before, what comes next. Then answer your own question, and say why the answer is right.

Ask about what is behind the picture, not about what is on its surface. The colour of a coat or the number
of chairs can be read off; that someone is late, proud or about to leave has to be understood.

Ask about this picture. A question or an answer that would fit a hundred other pictures just as well is of
little use.

Point with numbers. People and things with a box are named by their number and by nothing else: no “the man
on the left”, no “the girl with the hat”. On average, every question with its answer and reason must point
to at least {tags_on_average:g} box.

Answer with what is most probably so, not with the best story. For each answer you say how likely it is:
likely means more than {likely_above}%, possible {unlikely_below} to {likely_above}%, unlikely less than
{unlikely_below}%. Most of your answers should be likely.

The reason is one sentence or several. It names what can be seen in the picture and what everybody knows
about such things, so that someone who doubts the answer would be convinced. It does not just say the answer
again.

At least {question_words} words for a question, {answer_words} for an answer, {rationale_words} for a
reason; {least_triplets} to {most_triplets} questions for a picture. Ask more about pictures that have more
to tell.

Where there are captions, they tell what happens around the picture. Use them to understand it; whoever
answers later does not see them, so the picture must be enough.

At the end you say whether the picture is especially interesting (it then goes to others as well), all
right, or so dull that even one good question is hard to find.

A part of all work is read by someone else, who writes to you what is good and what to do better; reviewers
look at what came in at least every {review_hours} hours. Whose work stays below what is asked for gets no
more of it.

What you write becomes part of a dataset with which machines are tested and trained. Write nothing in it
about yourself or about people you know.
"""

WRITING_EXAMPLES = (
    Example(
        "Why is [person2] holding the door? [person2] is letting [person1] go out first. [person1] carries a "
        "large box in both arms and could not turn the handle.",
        True,
        "It asks for a reason, points with tags, and what is said to be seen supports the answer.",
    ),
    Example(
        "What will [person3] do once the kettle boils? [person3] will make tea for the guests. There are "
        "three empty cups with tea bags on the tray, and [person1] and [person2] have just sat down.",
        True,
        "What comes next can be told from the picture, and the reason says from what.",
    ),
    Example(
        "What is [person1] wearing? [person1] is wearing a raincoat. You can see the raincoat quite well.",
        False,
        "Anyone can read that off the surface. Ask why the coat is dripping, or where they come from.",
    ),
    Example(
        "What is the woman in the back doing? The woman is waiting for somebody. She looks as if she waits.",
        False,
        "It describes in words someone who has a number, and the reason only repeats the answer.",
    ),
    Example(
        "How does [person1] feel? [person1] feels happy. [person1] is smiling, so they are happy.",
        False,
        "It would fit any picture with a smile in it. What is this person happy about?",
    ),
    Example(
        "Why is [person1] running? [person1] is a spy whose cover was blown last night. Spies have to run "
        "when they are found out.",
        False,
        "A good story, but nothing in the picture supports it. The likely answer is that the bus is leaving.",
    ),
)

REVIEWING = """
You see what someone wrote about a picture. Read it as a stranger would, who has only the picture and the
words, and judge three things: the questions, the answers, and the reasons.

A good question cannot be answered by naming what is visible, and fits this picture rather than any. A good
answer is what most people would agree on. A good reason names what can be seen and why it matters, instead
of repeating the answer.

Whoever has a box must be pointed to by number. Words like “the man at the table” for a person with a box
are a fault.

Then write to the person: what was good, what was not, and how it would be better, with an example from
their own work. They read exactly what you write, so write as you would want to be written to.

Say at last whether work like this should go on. One weak sentence is no reason to say no; questions that
all stay on the surface, or reasons that explain nothing, are.
"""
REVIEWING_EXAMPLES = (
    Example(
        "Your second question is just what we need: one has to see the muddy boots and think. In the third, "
        "the reason says the answer again. You could name the wet umbrella by the door instead.",
        True,
        "It says what was good and what was not, and shows how to do better.",
    ),
    Example("Nice work, keep going like this please!", False, "Friendly, but nobody can learn from it."),
)

EXAM_GUIDE = """
Before you begin, show that the instructions are clear. First come questions with one right answer each; at
least {exam_pass_mark:.0%} of them must be right.

Then write one question with its answer and its reason about the picture that you are shown. Someone reads
it, so it may take a while until you hear from us.
"""


def exam_questions(settings: Mapping[str, Any]) -> tuple[ExamQuestion, ...]:
    """The graded part: one question for each thing that the instructions ask for."""
    likely, unlikely = settings["likely_above"], settings["unlikely_below"]
    middle = (likely + unlikely) / 2
    return (
        _question(
            "surface", "In the picture, [person1] stands at a stove. Which question is the best one?",
            ("What colour is the pot?", "Why is [person1] cooking so much food?", "Is [person1] standing?"),
            1, "The others can be read off the picture; this one has to be understood.",
        ),
        _question(
            "generic", "Which question is too general?",
            ("What is [person2] doing?", "Why does [person2] hide the parcel behind the curtain?",
             "What will [person3] say when the vase is found?"),
            0, "It would fit every picture with a person in it.",
        ),
        _question(
            "pointing", "A woman with box 4 gives a cup to a boy with box 2. How do you write that?",
            ("The woman gives the boy a cup.", "[person4] gives a cup to [person2].",
             "The woman on the right gives [person2] a cup."),
            1, "Everyone who has a box is pointed to by number.",
        ),
        _question(
            "story", "[person1] looks at a watch beside a railway track. Why? Which answer is the best one?",
            ("[person1] inherited the watch from an uncle and misses him.",
             "[person1] wants to know when the train comes.", "[person1] looks at a watch."),
            1, "The first is a story that nothing supports; the last says what is seen already.",
        ),
        _question(
            "reason", "[person2] will need a towel soon. Which reason is the best one?",
            ("It is what I think.", "[person2] will surely need a towel soon.",
             "[person2] is climbing out of the pool, and wet people want to get dry."),
            2, "It names what is seen and what everybody knows about it.",
        ),
        _question(
            "chance", f"You think that your answer is right with a chance of {middle:g}%. What is it?",
            ("Likely", "Possible", "Unlikely"),
            1, f"Possible means {unlikely:g} to {likely:g}%.",
        ),
        _question(
            "captions", "The caption says that the next thing to happen is a storm. What do you do with it?",
            ("I ask: what does the caption say?", "I let it help me understand the dark clouds that I see.",
             "I write a reason that names the caption."),
            1, "Whoever answers later sees the picture, not the caption.",
        ),
    )  # fmt: skip


def _question(name: str, asked: str, options: tuple[str, ...], right: int, why: str) -> ExamQuestion:
    choices = tuple(Option(str(place), text) for place, text in enumerate(options))
    return ExamQuestion(Field(name, "choice", asked, options=choices), str(right), why)

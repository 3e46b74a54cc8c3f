"""What annotators of PMR's protocol read: instructions, examples, exams, and actions to learn from.

All of it is in our own words and about drawn or everyday scenes: no picture and no sentence of the paper is
repeated.
"""

from __future__ import annotations

from commonsight.collect.protocol import Example, ExamQuestion, Field, Option

WRITING = """
You see a picture with numbered boxes and {premises_offered} premises, one of each kind: what people are to
each other, what they are like, who they are, what happened before, how they feel, and what is around them.
A premise is background that the picture does not show. Choose the one that goes best with the picture.

The premise must tell more than the picture: it must neither repeat what can be seen nor speak against it.
That someone who laughs is happy is no premise; that they just lost their job is one.

The premise may name the wrong people. Change its tags until it speaks of those whom you mean;
{what_may_change}.

Then write two actions, each of which says what will happen next. Action-True fits the picture and follows
from the premise. Action-False fits the picture as well, and goes against the premise.

Both actions say something that can be seen in the picture, and not only by a tag: what someone wears, holds
or does, where they are, what is beside them. Put these words in {{curly brackets}}. Someone else will put
other words there, so that the sentence no longer fits the picture. Everything outside of the brackets must
still make sense then.

People and things with a box are named by their tag. Where two sentences differ only in a few words, nothing
but the premise tells which is right: that is how it should be. Avoid words that give Action-False away,
such as not, fight or hit.

The reference actions are there to show how others have written about what comes next. Nearly all of them
belong to other pictures: take their manner, not their words.

An examiner reads what you wrote. If it is accepted you earn {accepted}; if it is dropped, {rejected}, and
you are told why. What you write becomes part of a dataset with which machines are tested and trained.
"""

WRITING_EXAMPLES = (
    Example(
        "Premise: [person1] is [person2]'s teacher. Action-True: [person1] {with a pencil behind the ear} "
        "will explain the sum to [person2] once more. Action-False: [person1] {with a pencil behind the ear} "
        "will ask [person2] to explain the sum.",
        True,
        "One premise decides between two sentences that are both true of the picture.",
    ),
    Example(
        "Premise: [person2] is very stingy. Action-True: [person2] {at the flower stall} will leave without "
        "a single flower. Action-False: [person2] {at the flower stall} will buy flowers for everyone.",
        True,
        "Where [person2] stands is seen; what comes of it is told by the premise alone.",
    ),
    Example(
        "Premise: [person1] is sad. Action-True: [person1] will cry. Action-False: [person1] will laugh.",
        False,
        "The tears are in the picture already, so the premise adds nothing; and no words are in brackets.",
    ),
    Example(
        "Premise: It is freezing. Action-True: [person3] {in a swimsuit} will go back in. Action-False: "
        "[person3] {in a swimsuit} will not go back in.",
        False,
        "The premise speaks against the sunny beach in the picture, and “not” gives Action-False away.",
    ),
    Example(
        "Action-True: [person1] {will hand [person2] the keys and wave}.",
        False,
        "The brackets hold what will happen, not what can be seen. Mark only what the picture shows.",
    ),
)

EXAMINING = """
You see a picture, the premise that a writer chose, and the two actions that they wrote. First decide
whether to accept them.

Accept if the premise tells more than the picture and does not speak against it, if both actions say what
happens next and fit the picture, if Action-True follows from the premise and Action-False goes against it,
and if the words in {{curly brackets}} are about what can be seen. Otherwise drop it and say what is wrong:
the writer reads that.

If you accept, write two distractors. Distractor 1 is Action-True and Distractor 2 is Action-False with
other words in the brackets, so that the sentence no longer fits the picture. The rest should stay as it is.

A good distractor can only be told by looking. Put in something that could well be there and is not: another
coat, another place, another thing in the hand. Do not always change colours, and do not write what no
picture could show.

After that, exactly one of the four sentences fits both the picture and the premise.

About {check_share:.0%} of your decisions are looked at again. What you earn is {accepted} for work that you
accept and {dropped} for work that you drop, times the share of your decisions that was found to be right.
"""

EXAMINING_EXAMPLES = (
    Example(
        "Action-True: [person1] {with a pencil behind the ear} will explain the sum once more. Distractor 1: "
        "[person1] {with a flower in the hair} will explain the sum once more.",
        True,
        "One must look at the picture to tell them apart.",
    ),
    Example(
        "Distractor 1: [person1] {with a pencil behind the ear} will run out of the room.",
        False,
        "The words about the picture are still true; it is the action that was changed.",
    ),
    Example(
        "Distractor 1: [person1] {with three heads and a tail} will explain the sum once more.",
        False,
        "Nobody needs the picture to know that this is wrong.",
    ),
)

CHECKING = """
You see what an examiner decided about a writer's premise and actions, and the distractors where there are
some. Look at it as if you had to decide yourself.

It meets the standard if you would have accepted or dropped the same work, and if exactly one of the four
actions fits both the picture and the premise: each distractor must be wrong by the picture, and only by the
picture.

What does not meet the standard is taken out; where an examiner dropped work that is good, it goes to
another examiner. Write to the examiner what you found, soon and plainly: with a no it is required, with a
yes it is kind.
"""

QUALIFYING = """
Read the instructions of both kinds of work first; the authors of the method took two hours to explain them.

Then do the work of a writer for {qualification_pairs} pictures: choose a premise, and write the action that
follows and the one that does not, with the words about the picture in brackets.

Someone reads all of it. Who passes writes; who passes with distinction examines what others write.
"""
EDUCATION = "This work is for people with {education}. Please go on only if that is you."

ADVANCED = """
Examiners decide whether what others wrote is accepted, and write the distractors. Who passed the
qualification with distinction needs no more; everyone else may show here that they can do it.{and_then}

Answer the questions, {advanced_pass_mark:.0%} of them right at least, then write the two distractors. Someone
reads them.
"""

SCENE = (
    "Picture: in a bakery, [person1] stands behind the counter in an apron, and [person2] holds an umbrella. "
    "Premise: [person1] is very generous. "
)


def _question(name: str, asked: str, options: tuple[str, ...], right: int, why: str) -> ExamQuestion:
    choices = tuple(Option(str(place), text) for place, text in enumerate(options))
    return ExamQuestion(Field(name, "choice", asked, options=choices), str(right), why)


ADVANCED_QUESTIONS = (
    _question(
        "fits", f"{SCENE}Action-True: [person1] {{in an apron}} will give [person2] a roll for free. "
        "Action-False: [person1] {in an apron} will ask [person2] to pay double. What do you do?",
        ("Accept", "Drop: Action-True does not follow", "Drop: Action-False fits the premise"),
        0, "Both fit the picture, and the premise tells them apart.",
    ),
    _question(
        "repeats", "Picture: it rains, and [person1] runs for shelter. Premise: It is rainy. What do you do?",
        ("Accept", "Drop: the premise repeats the picture"),
        1, "A premise must tell more than can be seen.",
    ),
    _question(
        "brackets", f"{SCENE}Action-True: [person1] {{will give [person2] a roll for free}}. What do you do?",
        ("Accept", "Drop: the brackets do not hold what can be seen"),
        1, "What will happen is not in the picture.",
    ),
    _question(
        "both", f"{SCENE}Action-False: [person1] {{in an apron}} will add a cake as a gift. What do you do?",
        ("Accept", "Drop: Action-False fits the premise"),
        1, "A generous person would do just that.",
    ),
    _question(
        "distractor", f"{SCENE}Action-True: [person1] {{in an apron}} will give [person2] a roll for free. "
        "Which is the best Distractor 1?",
        ("[person1] in a raincoat will give [person2] a roll for free.",
         "[person1] in an apron will throw a roll at [person2].",
         "[person1] on the moon will give [person2] a roll for free."),
        0, "It is wrong by the picture alone, and one must look to see that.",
    ),
)  # fmt: skip

REFERENCES = (
    "{p} will put the cup down and ask {q} to come along.",
    "{p} is going to open the window and call out to someone in the street.",
    "{p} will wait until {q} looks away, then hide the letter.",
    "{p} will offer {q} a chair and pour some tea.",
    "{p} will hurry to the door before it closes.",
    "{p} is about to tell {q} what happened on the way here.",
    "{p} will laugh and show {q} the photograph again.",
    "{p} will look for the keys, find them in the coat, and drive home.",
    "{p} will help {q} to carry the boxes upstairs.",
    "{p} will pretend to be asleep when {q} comes in.",
    "{p} will count the money twice and put it back.",
    "{p} is going to thank {q} and leave without another word.",
    "{p} will take a step back and let {q} pass.",
    "{p} will sit down on the bench and wait for the rain to stop.",
    "{p} will pick up the phone and ask for help.",
    "{p} will ask {q} for a dance as soon as the music begins.",
    "{p} will fold the map and follow the path to the lake.",
    "{p} will apologise to {q} and mend the fence tomorrow.",
)
"""Actions that show how one writes about what comes next. The paper took such from VCR's answers; where an
imported picture brings some, those are shown first."""

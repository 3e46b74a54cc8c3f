"""The question itself: which wording, which words for the subject."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from commonsight.world.aokvqa.physics import BEHAVIOURS
from commonsight.world.aokvqa.tables import WHO
from commonsight.world.aokvqa.topic import Subject, Topic
from commonsight.world.aokvqa.view import Description
from commonsight.world.aokvqa.wordings import WHY_ASKS, WORDINGS
from commonsight.world.voices import Voice, prefer, style

DRAFTS = 3
"""Of so many wordings that come to mind the shortest is taken: people's questions are short."""


def remark(topic: Topic, subject: Subject, rng: random.Random) -> str:
    """What a question says of its subject in place of pointing at it; empty for most topics."""
    if topic.name == "worn by":
        return rng.choice(WHO[str(subject[0]), str(subject[1])])
    if topic.name == "behaviour":
        return rng.choice(BEHAVIOURS[str(subject[0])].asks)
    if topic.name in ("painted", "under"):
        return str(subject[1])
    return ""


def asked(
    topic: Topic,
    subject: Subject,
    refers: Sequence[Description],
    said_of: str,
    voice: Voice,
    rng: random.Random,
) -> str:
    """The question in a voice's words."""
    wordings = WHY_ASKS[str(subject[1])] if topic.name == "why" else WORDINGS[topic.name].asks
    who = " and ".join(words.text for words in refers)
    drafts = [prefer(voice, wordings, rng) for _ in range(DRAFTS)]
    text = min(drafts, key=len).format(x=who, r=said_of)
    text = articles(style(voice, text, rng))
    return text[0].upper() + text[1:]


def articles(text: str) -> str:
    """The text with "an" where it belongs, and without "a" before what is not counted."""
    return _VOWEL.sub(r"\1n ", _UNCOUNTED.sub("", text))


def counted(noun: str) -> str:
    """A noun with its article, if it takes one."""
    return noun if noun.endswith("s") or noun in UNCOUNTED else articles(f"a {noun}")


UNCOUNTED = ("scissors", "money", "medicine", "meat", "furniture", "food", "cutlery", "tableware", "clothing")
_VOWEL = re.compile(r"\b([Aa]) (?=(?!uni|use|one\b)[aeiou])")
_UNCOUNTED = re.compile(rf"\b[Aa] (?=(?:{'|'.join(UNCOUNTED)})\b)")

"""Mentions of images in a sentence, such as "the picture on the left", told apart from what images show.

A rule that looks for places or for definite descriptions of things must set such mentions aside first.
"""

from __future__ import annotations

import re

IMAGE = r"(?:images?|photos?|photographs?|pictures?|pics?|image pairs?|pair of images|pairs?)"
SIDE = r"(?:left|right|lefthand|righthand|leftmost|rightmost|first|second|other|combined|same|single|two)"
MARK = "§"
"""What stands for a mention once it is set aside."""

_AND_SIDE = rf"(?:\s*(?:and|or|,)\s*(?:the\s+)?{SIDE})?"
_QUANTITY = r"(?:(?:(?:at|at the) least|exactly|only|just)\s+)?"
_QUANTIFIER = r"(?:(?:one|each|both|all|every|any|either|neither|none|some)\s+)?(?:of\s+)?"
_ARTICLE = r"(?:(?:the|an?|these|those)\s+)?"
_WHICH = rf"{_QUANTITY}{_QUANTIFIER}{_ARTICLE}(?:{SIDE}{_AND_SIDE}[\s-]+)?(?:(?:hand|side)\s+)?"
_WHERE = r"(?:\s+(?:(?:on|to|at|in)\s+)?the\s+(?:far\s+)?(?:left|right)(?:[\s-]+(?:hand\s+)?side)?\b)?"
_MENTION = re.compile(
    rf"(?:\b(?:in|on|of|from|to|across|between|among|within|than in|than)\s+)?\b{_WHICH}{IMAGE}\b{_WHERE}"
)
_SIDE_ALONE = re.compile(r"\b(?:on|to|at|in) the (?:far )?(?:left|right)(?:[ -]hand)?(?: side)?\b(?! of)")


def spaced(sentence: str) -> str:
    """In lower case, with single spaces, without quotation marks: what the rules read."""
    return " ".join(re.sub(r"[\"“”'’]{2,}|[\"“”]", " ", sentence.lower().replace("’", "'")).split())


def without_images(text: str) -> str:
    """The text with every mention of an image, and where it stands, as one mark."""
    return _MENTION.sub(f" {MARK} ", text)


def without_sides(text: str) -> str:
    """The same, and without sides that stand alone: "the dog on the right" is one of a pair of images."""
    return _SIDE_ALONE.sub(" ", without_images(text))

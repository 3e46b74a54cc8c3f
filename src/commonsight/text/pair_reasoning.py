"""What a sentence asks of a pair of images, by rules (NLVR2, Table 10).

The paper's authors read 200 sentences for this and did not release what they found, so these rules follow the
definitions and examples alone. A sentence may be of several types, or of none: it then states something of
the pair as a whole.
"""

from __future__ import annotations

import re

from commonsight.text.image_mentions import IMAGE, spaced
from commonsight.text.phenomena import phenomena

PAIR_TYPES = (
    "exactly one image", "existential quantification", "universal quantification", "left or right image",
    "comparison between images",
)  # fmt: skip
WHOLE = "the pair as a whole"

_OF = r"(?:of )?(?:the |these )?(?:two )?"
_EXACTLY = re.compile(rf"\b(?:only|exactly|just) (?:one|a single|1) {_OF}{IMAGE}\b")
_SOME = re.compile(
    rf"\b(?:(?:one|1|some|either|any) {_OF}|an? )(?:single )?{IMAGE}\b|\b(?:the|an)other {IMAGE}\b"
)
_EVERY = re.compile(rf"\b(?:both|each|every|all) {_OF}{IMAGE}\b|\beach of the {IMAGE}\b")
_SIDED = re.compile(
    rf"\b(?:left|right)(?:[ -]?(?:hand|most))?(?: and (?:the )?(?:left|right))?(?:[ -]side)? {IMAGE}\b"
    rf"|\b{IMAGE}(?: (?:on|to|at) the (?:far )?(?:left|right)\b)"
)
_BETWEEN = re.compile(
    rf"\bthan (?:in |the |on )*(?:\w+ )?(?:{IMAGE}|left|right)\b|\b(?:more|fewer|less) [^,]*\b{IMAGE}\b"
    rf"|\bas (?:many|much)\b.*\bas\b.*\b{IMAGE}\b|\bsame\b.*\bboth {IMAGE}\b"
    rf"|\bleft and right {IMAGE}\b.*\b(?:same|different|opposite|similar|identical)\b"
)
_COUNT = re.compile(
    r"\b(?:more|fewer|less) th[ae]n (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a)\b"
)


def pair_types(sentence: str) -> tuple[str, ...]:
    """The kinds of reasoning over two images, in the order of the paper's table."""
    text = spaced(sentence)
    exactly = bool(_EXACTLY.search(text))
    compared = "comparison" in phenomena(sentence) and bool(_BETWEEN.search(_COUNT.sub(" ", text)))
    found = (
        exactly,
        not exactly and bool(_SOME.search(text)),
        bool(_EVERY.search(text)),
        bool(_SIDED.search(text)),
        compared,
    )
    return tuple(name for name, holds in zip(PAIR_TYPES, found, strict=True) if holds)

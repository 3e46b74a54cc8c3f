"""What the model itself said: no echoed prompt, no private reasoning, one spelling of every character.

Everything here takes time in proportion to the reply, whatever the reply: runs of blanks are collapsed
before a pattern looks at them, and no pattern scans the same stretch from many starts.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_MARK_RUN = re.compile(r"([^\w\s\x00-\u02ff]{16})[^\w\s\x00-\u02ff]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_QUOTES = str.maketrans("‘’‛´“”„", "''''\"\"\"")
_BLANKS = re.compile(r"[^\S\n]+")

_ECHO_ENDS = ("[/INST]", "ASSISTANT:", "### Assistant:", "<|im_start|>assistant", "<|assistant|>")
_ECHOED_CUE = re.compile(r"^ ?answer ?\(.*?\) ?:", re.IGNORECASE | re.MULTILINE)
_MARKUP = re.compile(r"</?s>|<\|[^|<\n]{0,40}\|>|```(?:json)?|`|\*\*")
_BOLD_LETTER = re.compile(r"\*\*\s?\(?([A-Za-z])\)?[.:]?\s?\*\*")

_SENTENCE_END = re.compile(r"(?<=\w\w\w)[.!?](?=\s|$)|\n|;|,? (?:because|since|due to)\b", re.IGNORECASE)

_PIECE = re.compile(
    r"(?P<word>(?<!\w)-?\d+(?:[.,:/]\d+)*(?![^\W_])|[^\W_]+(?:'[^\W_]+)*)|(?P<stop>[.,;:!?()\n—])"
)
_TURNS = frozenset(("but", "however", "though", "although"))

_CANNOT = r"(?:can't|cannot|can\ not|couldn't|could\ not|unable\ to|not\ able\ to)"
_TELL = r"(?:determine|tell|say|see|view|know|answer|identify|provide|assist|help|be\ determined)"
_REFUSAL = re.compile(
    rf"""
      \bi(?:'m|\ am)\ (?:\w+\ )?sorry\b | ^(?:sorry|no\ idea|who\ knows|not\ sure|unsure|no\ way\ to\ know)\b
    | \b{_CANNOT}\ (?:\w+\ )?{_TELL}\b
    | \b(?:not\ possible|impossible|hard|difficult)\ to\ (?:\w+\ )?{_TELL}\b
    | (?:^|\bi\ )(?:don't|do\ not)\ know\b
    | \bas\ an\ ai\b[^.]{{0,200}}\b(?:not|cannot|unable|\w{{2,8}}n't)\b
    """,
    re.VERBOSE,
)


def plain(text: str) -> str:
    """One spelling for characters that look the same, no invisible ones, blanks collapsed."""
    # Normalising sorts runs of combining marks in quadratic time, so no run may be long (Unicode's UAX 15
    # calls text without such runs stream-safe).
    safe = _MARK_RUN.sub(r"\1", text)
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", safe)).translate(_QUOTES)
    return _BLANKS.sub(" ", visible).replace(" ' ", "'").strip()


def spoken(reply: str) -> str:
    """The reply without what is not its answer: an echoed prompt, reasoning, marks of layout."""
    text = plain(reply)
    for mark in _ECHO_ENDS:
        text = text.rpartition(mark)[2]
    for cue in list(_ECHOED_CUE.finditer(text))[-1:]:
        text = text[cue.end() :]
    # Reasoning that was never closed holds no answer, so only what stands before it is left.
    said = text.rpartition("</think>")[2].partition("<think>")[0]
    return _MARKUP.sub("", _BOLD_LETTER.sub(r"(\1)", said)).strip()


def first_sentence(text: str) -> str:
    """Up to the first end of a sentence or the first reason given. "Dr." and "B." end no sentence."""
    return _SENTENCE_END.split(text, maxsplit=1)[0].strip()


def refuses(text: str) -> bool:
    """Whether the reply says that it will not or cannot answer."""
    return _REFUSAL.search(" ".join(text.lower().split())) is not None


class Token(NamedTuple):
    """A word, where it stands, and the number of its clause; `stopped` if punctuation or the end follows."""

    word: str
    start: int
    end: int
    clause: int
    stopped: bool


def tokens(text: str) -> list[Token]:
    """The words of a text in lower case. Numbers keep their sign and their inner marks: -5, 3.5, 7:00."""
    found: list[Token] = []
    clause = 0
    for piece in _PIECE.finditer(text):
        if piece["word"] is None:
            clause += 1
            if found:
                found[-1] = found[-1]._replace(stopped=True)
            continue
        word = piece["word"].casefold()
        clause += word in _TURNS
        found.append(Token(word, piece.start(), piece.end(), clause, stopped=False))
    if found:
        found[-1] = found[-1]._replace(stopped=True)
    return found


def is_negator(word: str) -> bool:
    """Whether the word turns around, or rules out, what its clause names."""
    return word in _NEGATORS or word.endswith("n't")


_NEGATORS = frozenset(
    ("not", "no", "never", "neither", "nor", "none", "without", "cannot", "incorrect", "wrong", "false",
     "unlikely", "rather", "instead", "unlike", "except")
)  # fmt: skip

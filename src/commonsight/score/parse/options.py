"""Which choice a stretch of text means.

A piece of evidence (a letter, an option number, an option's text) is the set of choices that it could mean.
All pieces must share a choice; if they share none, the text contradicts itself. Choices that read the same,
letter for letter, are one choice to a reader, and the first of them stands for all unless a letter tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

from commonsight.score.parse.evidence import Clash
from commonsight.score.parse.reply import Token, first_sentence, is_negator, plain, tokens

Could = frozenset[int]
"""The choices that a piece of evidence could mean."""

Key = TypeVar("Key", str, tuple[str, ...])

_ARTICLES = frozenset(("a", "an", "the"))
_CUES = frozenset(("option", "choice", "answer"))
_ORDINALS = {word: rank for rank, word in enumerate(("first", "second", "third", "fourth", "fifth"), start=1)}
_OPINIONS = frozenset(("think", "say", "believe", "guess"))
_PRAISE = frozenset(("correct", "right", "best"))
_NOT_AFTER_ARTICLE = frozenset(("or", "and", "is", "because"))
_EDGE = " \n\t\"'.,;:!?()[]{}<>*_#$~-"
_HEADED = re.compile(r"([A-Za-z]|\d{1,2})(?:\)|[.:,-](?=\s|$))\s?(.*)", re.DOTALL)


class Mention(NamedTuple):
    """A choice named in running text."""

    could: Could
    start: int
    kind: Literal["text", "marked", "bare"]
    """By its text; by a letter or number marked as such, "(B)", "option 2"; or by a bare capital, which may
    be a letter of anything ("vitamin C"): in prose that casts doubt on other evidence, but is none itself."""
    ruled_out: bool
    """Named in a clause that negates: "it is not a dog"."""


class Options:
    """The choices of one question, ready to be recognised."""

    def __init__(self, choices: Sequence[str]) -> None:
        self._texts = tuple(plain(choice).casefold() for choice in choices)
        self._by_text = _grouped(self._texts)
        self._by_words = _grouped(tuple(_content(tokens(text)) for text in self._texts))
        self._by_first_word: dict[str, list[tuple[str, ...]]] = {}
        for words in sorted(filter(None, self._by_words), key=len, reverse=True):
            self._by_first_word.setdefault(words[0], []).append(words)

    def final(self, text: str) -> int | Clash | None:
        """From an explicit final answer, where a bare letter is enough."""
        sentence = first_sentence(text)
        for part in (text, sentence):
            found = self.whole(part)
            if found is not None:
                return found
        return self._single(self._mentions(sentence), bare_is_enough=True)

    def whole(self, text: str) -> int | Clash | None:
        """From a text that is a letter, an option's text, or a letter and then more."""
        core = text.strip(_EDGE)
        evidence = [could for could in (self._same_text(text, core), self._letter(core)) if could]
        return self._settle(evidence) if evidence else self._headed(core)

    def named(self, text: str) -> int | Clash | None:
        """From prose that names one choice, by its text or by a marked letter, and rules nothing out."""
        return self._single(self._mentions(text), bare_is_enough=False)

    def unfinished(self, text: str) -> bool:
        """Whether a longer option begins like this: "mobile" may become "mobile phone"."""
        words = _content(tokens(text))
        return any(words == longer[: len(words)] for longer in self._by_words if len(longer) > len(words))

    def _same_text(self, text: str, core: str) -> Could | None:
        for spelling in (text.strip().casefold(), core.casefold()):
            if spelling in self._by_text:
                return self._by_text[spelling]
        words = _content(tokens(text))
        return self._by_words.get(words) if words else None

    def _letter(self, core: str) -> Could | None:
        if len(core) != 1 or not core.isascii() or not core.isalpha():
            return None
        return self._position(ord(core.lower()) - ord("a"))

    def _position(self, index: int) -> Could | None:
        return frozenset((index,)) if 0 <= index < len(self._texts) else None

    def _headed(self, core: str) -> int | Clash | None:
        """The letter of "B. sitting", unless what follows names another choice.

        A number counts only together with its option's text, since "2) …" may number anything.
        """
        match = _HEADED.match(core)
        if match is None:
            return None
        head, rest = match.groups()
        label = self._position(int(head) - 1) if head.isdecimal() else self._letter(head)
        after = self._after_label(rest)
        named = [mention.could for mention in after if not mention.ruled_out]
        if label is None or (head.isdecimal() and not named):
            return None
        if any(label <= mention.could for mention in after if mention.ruled_out):
            return Clash("a choice is named and ruled out")
        return self._settle([label, *named], otherwise="its label and its text name different choices")

    def _after_label(self, rest: str) -> list[Mention]:
        """What the label's own sentence names, and letters anywhere after it.

        Explanations speak of other choices by their texts, which is no second answer; "Or B." is one.
        """
        same = self._same_text(rest, rest.strip(_EDGE))
        if same:
            return [Mention(same, 0, "text", ruled_out=False)]
        end = len(first_sentence(rest))
        return [mention for mention in self._mentions(rest) if mention.start < end or mention.kind != "text"]

    def _single(self, mentions: Sequence[Mention], *, bare_is_enough: bool) -> int | Clash | None:
        if any(mention.ruled_out for mention in mentions):
            return Clash("a choice is named and ruled out")
        if not bare_is_enough and all(mention.kind == "bare" for mention in mentions):
            return Clash("more than one letter") if len({m.could for m in mentions}) > 1 else None
        return self._settle([mention.could for mention in mentions])

    def _settle(
        self, evidence: Sequence[Could], otherwise: str = "more than one choice is named"
    ) -> int | Clash | None:
        if not evidence:
            return None
        common = frozenset.intersection(*evidence)
        if not common:
            return Clash(otherwise)
        if len({self._texts[index] for index in common}) > 1:
            return Clash("choices that differ only in punctuation or articles cannot be told apart")
        return min(common)

    def _mentions(self, text: str) -> list[Mention]:
        """Every choice that the text names, in order."""
        words = tokens(text)
        spans = list(self._spans(words))
        claimed = {place for span in spans for place in span}
        negated = {t.clause for place, t in enumerate(words) if place not in claimed and is_negator(t.word)}
        inside = {place for span in spans if len(span) > 1 for place in span}
        mentions = [
            Mention(self._by_words[_words_at(words, span)], words[span[0]].start, "text",
                    any(words[place].clause in negated for place in span))
            for span in spans
        ]  # fmt: skip
        for place, token in enumerate(words):
            label = None if place in inside else self._label(text, words, place)
            if label is not None:
                mentions.append(Mention(label[0], token.start, label[1], token.clause in negated))
        return sorted(mentions, key=lambda mention: mention.start)

    def _spans(self, words: Sequence[Token]) -> Iterator[list[int]]:
        """Where options' texts stand, articles passed over; of several from the same word on, the longest."""
        places = [place for place, token in enumerate(words) if not _is_article(token)]
        at = 0
        while at < len(places):
            for option in self._by_first_word.get(words[places[at]].word, ()):
                span = places[at : at + len(option)]
                if _words_at(words, span) == option:
                    yield span
                    at += len(span)
                    break
            else:
                at += 1

    def _label(
        self, text: str, words: Sequence[Token], place: int
    ) -> tuple[Could, Literal["marked", "bare"]] | None:
        """The letter or option number that stands at this place, if one does."""
        token = words[place]
        before = words[place - 1].word if place else ""
        after = words[place + 1].word if place + 1 < len(words) else ""
        if (rank := _rank(token.word, before, after)) is not None:
            could = self._position(rank - 1)
            return (could, "marked") if could else None
        could = self._letter(token.word)
        if could is None:
            return None
        if text[token.end : token.end + 1] == ")":
            return could, "marked"
        if token.word in ("a", "i") and not token.stopped and after not in _NOT_AFTER_ARTICLE:
            return None  # the article, the pronoun
        if before in _CUES or (before in _OPINIONS and token.stopped) or _is_praised(words, place):
            return could, "marked"
        return (could, "bare") if text[token.start].isupper() else None


def _rank(word: str, before: str, after: str) -> int | None:
    """The number of an option that is marked as one: "option 2", "2nd option", "the second choice"."""
    if before in ("option", "choice") and word.isdecimal() and len(word) <= 2:
        return int(word)
    if after in ("option", "choice"):
        digits = word[:-2] if word.endswith(("st", "nd", "rd", "th")) else ""
        return int(digits) if digits.isdecimal() and len(digits) <= 2 else _ORDINALS.get(word)
    return None


def _is_praised(words: Sequence[Token], place: int) -> bool:
    """Whether the reply goes on "is correct" or "is the best …"."""
    after = [token.word for token in words[place + 1 : place + 4] if token.word != "the"]
    return after[:1] == ["is"] and not _PRAISE.isdisjoint(after[1:2])


def _words_at(words: Sequence[Token], places: Sequence[int]) -> tuple[str, ...]:
    return tuple(words[place].word for place in places)


def _content(words: Sequence[Token]) -> tuple[str, ...]:
    """The words that tell a text apart: without articles, unless there is nothing else."""
    telling = tuple(token.word for token in words if not _is_article(token))
    return telling or tuple(token.word for token in words)


def _is_article(token: Token) -> bool:
    """Whether the word only leads on to the next one, as "A" does in "A dog" and does not in "A. dog"."""
    return token.word in _ARTICLES and not token.stopped


def _grouped(keys: Sequence[Key]) -> dict[Key, Could]:
    groups: dict[Key, Could] = {}
    for index, key in enumerate(keys):
        groups[key] = groups.get(key, frozenset()) | {index}
    return groups

"""One wording for what is the same: verb forms by relation, names, events, articles.

"hold water", "holds fluid" and "holding your drinks" are one event. Left as they are, a rare wording gives
its item away in a question, and no two items meet.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from commonsight.core import inflect
from commonsight.core.english_nouns import words
from commonsight.core.english_verbs import VERBS
from commonsight.graph.tagger import Tagger, bundled_tagger

EVENT_TAIL = {
    "UsedFor": inflect.gerund, "CapableOf": inflect.base, "ReceivesAction": inflect.participle,
    "HasPrerequisite": inflect.gerund, "HasSubevent": inflect.gerund,
}  # fmt: skip
"""The form of the verb that a tail begins with, by relation: lifting food, lift food, eaten."""
MUST_HAPPEN = frozenset(("UsedFor", "CapableOf", "ReceivesAction"))
"""Relations whose tail is always an event."""

_LEADING = words(
    "the a an some most many any all every each this that these those to my your his her their our its"
)
HEAD_LEADING = _LEADING | words("one two three four five several few more other such")
"""What is taken off the front of a head: knowledge is about a thing, however many there are."""
_MADE = re.compile(r"(?:made|make) (?:from|of|out of|with) (.+)")
_FOUND = re.compile(r"(?:found|find|located|locate|kept|keep|stored|store) (?:in|at|on) (.+)")
_OWNERS = words("my your his her their our its one's")
_ARTICLES = words("the a an")
_THE = words(
    """floor ground head face body back skin sun sky rain wind weather world time way radio internet news
    street night morning evening house air road past future"""
)
"""Nouns that an event speaks of as "the": there is one, or everyone has one."""
_NUMBERS = words("two three four five six seven eight nine ten twelve hundred several")
_BARE = words("school bed work home church class court prison sea town college jail lunch dinner breakfast")
"""Nouns that take no article after a verb or preposition."""
_PREPOSITIONS = words(
    "of in on at by with from for into onto through over under around to off up down about out"
)


class Rewordings(NamedTuple):
    """Other names of things, anywhere in a phrase, and other wordings of whole events."""

    names: Mapping[tuple[str, ...], tuple[str, ...]]
    events: Mapping[str, str]


@cache
def shipped_rewordings() -> Rewordings:
    """Our own list, made by hand."""
    return read_rewordings((files("commonsight.graph") / "rewordings.tsv").read_text("utf-8"))


def read_rewordings(text: str) -> Rewordings:
    """A table of `from<TAB>to<TAB>name` and `from<TAB>to<TAB>event` under a header."""
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    events: dict[str, str] = {}
    for row in text.splitlines()[1:]:
        said, better, where = row.split("\t")
        if where == "event":
            events[event_key(said)] = better
        else:
            names[tuple(said.split())] = tuple(better.split())
    return Rewordings(names, events)


def plain(text: str, leading: Collection[str] = _LEADING) -> str:
    """Lower case, no punctuation at the ends, no determiner in front, nothing that says whose it is."""
    said = [word.strip('.,!?;:"()') for word in text.lower().split()]
    said = [word for word in said if word]
    while len(said) > 1 and said[0] in leading:
        said.pop(0)
    return " ".join(word for at, word in enumerate(said) if word not in _OWNERS or at == len(said) - 1)


def renamed(text: str, rewordings: Rewordings, keep: Collection[str] = frozenset()) -> str:
    """Names in their usual form, but those in `keep` stay: a picture's own name for a thing is best."""
    if not rewordings.names:
        return text
    said = text.split()
    out: list[str] = []
    at = 0
    while at < len(said):
        for length in (4, 3, 2, 1):
            name = tuple(said[at : at + length])
            if len(name) == length and name in rewordings.names and " ".join(name) not in keep:
                out += rewordings.names[name]
                at += length
                break
        else:
            out.append(said[at])
            at += 1
    return " ".join(out)


@lru_cache(maxsize=200_000)
def event_key(text: str) -> str:
    """What two wordings of one event share: the plain verb, nouns in the singular, no articles."""
    said = [word for word in text.split() if word not in _ARTICLES and word not in _OWNERS]
    if not said:
        return text
    return " ".join([inflect.base(said[0]), *(inflect.singular(word) for word in said[1:])])


def simpler(relation: str, tail: str) -> tuple[str, str]:
    """Being made of something, or found somewhere, are relations of their own; "be" goes without saying."""
    if relation == "ReceivesAction":
        tail = tail.removeprefix("be ")
    if relation in ("ReceivesAction", "HasProperty"):
        for pattern, better in ((_MADE, "MadeFrom"), (_FOUND, "AtLocation")):
            match = pattern.fullmatch(tail)
            if match:
                return better, plain(match.group(1))
    return relation, tail


def begins_with_verb(text: str, expected: bool, tagger: Tagger = bundled_tagger) -> bool:
    """Whether a phrase is an event. Where one is `expected`, a word that can be a verb is taken for one."""
    said = text.split()
    if not said or inflect.base(said[0]) not in VERBS:
        return False
    tags = tagger(said)
    if tags[0].startswith("VB"):
        return expected or len(said) == 1 or tags[0] != "VBN"
    if not expected:
        return False
    if len(said) == 1:
        return tags[0] == "JJ" or inflect.base(said[0]) != said[0]
    return tags[1] in ("NN", "NNS", "DT", "PRP$", "JJ", "RP", "IN")


def event(text: str, relation: str, rewordings: Rewordings) -> str:
    """An event in the wording that its relation asks for."""
    text = rewordings.events.get(event_key(text), text)
    return EVENT_TAIL.get(relation, inflect.gerund)(inflect.base(text))


def counted(text: str) -> str:
    """Numbers with the plural that ConceptNet leaves out: "four leg" → "four legs"."""
    first, _, rest = text.partition(" ")
    many = rest and first in _NUMBERS
    return f"{first} {inflect.plural(rest)}" if many else text


def with_articles(text: str, things: Collection[str], tagger: Tagger = bundled_tagger) -> str:
    """An event with the articles that ConceptNet leaves out: "ride horse" → "ride a horse".

    Only nouns in `things`, which can be counted because they are seen in pictures, take "a".
    """
    said = text.split()
    tags = tagger(said)
    if said[0] in ("go", "going", "come", "coming") and len(said) == 2:
        return text
    out = said[:1]
    for at in range(1, len(said)):
        opens = tags[at] in ("NN", "JJ") and (
            at == 1 or said[at - 1] in _PREPOSITIONS or tags[at - 1][:2] == "VB"
        )
        if opens:
            out += _article(said, tags, at, things)
        out.append(said[at])
    return " ".join(out)


def _article(said: list[str], tags: tuple[str, ...], start: int, things: Collection[str]) -> list[str]:
    end = start
    while end < len(said) and tags[end] in ("NN", "JJ"):
        end += 1
    if tags[end - 1] != "NN" or (end < len(said) and tags[end] == "NNS"):
        return []
    head = said[end - 1]
    if head in _THE:
        return ["the"]
    full = " ".join(said[start:end])
    if head in _BARE or not (head in things or full in things):
        return []
    return [inflect.an(full)] if inflect.article(head) else []

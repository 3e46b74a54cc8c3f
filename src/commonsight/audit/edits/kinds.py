"""The kinds of edits: each changes one place of a choice and keeps its meaning, or gives None."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from commonsight.audit.edits.wording import (
    DONE,
    EXCHANGES,
    FILLERS,
    FINITE,
    HEDGES,
    JOINS,
    NOT_AFTER_NOT,
    PERSONAL,
    PLURAL,
    SUBJECTS,
    UNBENT,
    UNDONE,
    Exchange,
)
from commonsight.core.item import Item
from commonsight.core.text import Token

Tokens = tuple[Token, ...]
_ENDS = (".", "!", "?")
_SINGULAR = ("he", "she")
_MARKS = frozenset(".,;:!?")


class Asked(NamedTuple):
    """What a choice's pronouns can stand for."""

    person: Token | None
    """The only person that is asked about, as a tag; None where it is none, several, or not sure."""
    people: Token | None
    """The only group of several people that is asked about."""


def asked_of(item: Item) -> Asked:
    """Who is asked about: sure only where one tag stands there, no pronoun, and no "[person1]'s mother"."""
    tokens = [token for text in item.texts.values() for token in text.tokens]
    tags = list(dict.fromkeys(token for token in tokens if isinstance(token, tuple)))
    owned = any(_owns(tokens, at) for at, token in enumerate(tokens) if isinstance(token, tuple))
    pronouns = any(isinstance(token, str) and token.lower() in PERSONAL for token in tokens)
    labels = item.labels
    if len(tags) != 1 or owned or pronouns or not all(_is_person(index, labels) for index in tags[0]):
        return Asked(None, None)
    return Asked(tags[0], None) if len(tags[0]) == 1 else Asked(None, tags[0])


def _is_person(index: int, labels: Sequence[str]) -> bool:
    return index < len(labels) and labels[index] == "person"


def _owns(tokens: Sequence[Token], at: int) -> bool:
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    return isinstance(following, str) and following[:1] in ("'", "’")


def lowered(token: Token | None) -> str:
    """A word in lower case; a tag or nothing is the empty word."""
    return token.lower().replace("’", "'") if isinstance(token, str) else ""


def _at(tokens: Tokens, place: int) -> Token | None:
    return tokens[place] if 0 <= place < len(tokens) else None


# --- pronouns and tags -------------------------------------------------------------------------------------


def pronoun_to_tag(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"She is leaving" becomes "[person1] is leaving" where only that person is asked about."""
    del rng
    first = lowered(_at(tokens, 0))
    tag = asked.person if first in _SINGULAR else asked.people if first == "they" else None
    if tag is None or any(isinstance(token, tuple) for token in tokens):
        return None
    return (tag, *tokens[1:])


def tag_to_they(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"[person1] will leave" becomes "They will leave" where only that person is asked about."""
    del rng
    first, verb = _at(tokens, 0), lowered(_at(tokens, 1))
    if first is None or isinstance(first, str) or first not in (asked.person, asked.people):
        return None
    rest = tokens[1:]
    words = {lowered(token) for token in rest}
    if any(isinstance(token, tuple) for token in rest) or words & (PERSONAL | {"and", "but", "or"}):
        return None
    if lowered(_at(tokens, 2)) in ("a", "an"):  # "They are a maid" is no good English
        return None
    if len(first) > 1 or verb in UNBENT:
        return ("They", *rest) if verb in UNBENT or verb in PLURAL.values() else None
    return ("They", PLURAL[verb], *rest[1:]) if verb in PLURAL else None


# --- contractions ------------------------------------------------------------------------------------------


def contraction_undone(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"doesn't" becomes "does not"."""
    del asked
    places = [at for at, token in enumerate(tokens) if lowered(token) in UNDONE]
    if not places:
        return None
    at = rng.choice(places)
    return _replaced(tokens, at, 1, UNDONE[lowered(tokens[at])])


def contraction_done(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"does not" becomes "doesn't"; not at the end, where "they are" cannot be shortened."""
    del asked
    places = [
        (at, size)
        for at in range(len(tokens) - 1)
        for size in (1, 2)
        if _phrase(tokens, at, size) in DONE
        and (following := lowered(_at(tokens, at + size)) or "[") not in NOT_AFTER_NOT
        and following not in _MARKS
    ]
    if not places:
        return None
    at, size = rng.choice(places)
    return _replaced(tokens, at, size, DONE[_phrase(tokens, at, size)])


# --- words of one meaning ----------------------------------------------------------------------------------


def synonym(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """A word or two for others that mean the same."""
    del asked
    places = [
        (at, exchange)
        for at in range(len(tokens))
        for exchange in _BY_FIRST.get(lowered(tokens[at]), ())
        if _fits(tokens, at, exchange)
    ]
    if not places:
        return None
    at, exchange = rng.choice(places)
    return _replaced(tokens, at, len(exchange.old.split()), exchange.new)


def _by_first() -> dict[str, tuple[Exchange, ...]]:
    found: dict[str, tuple[Exchange, ...]] = {}
    for exchange in EXCHANGES:
        first = exchange.old.split()[0]
        found[first] = (*found.get(first, ()), exchange)
    return found


_BY_FIRST = _by_first()


def _fits(tokens: Tokens, at: int, exchange: Exchange) -> bool:
    size = len(exchange.old.split())
    before, after = lowered(_at(tokens, at - 1)), lowered(_at(tokens, at + size))
    return (
        _phrase(tokens, at, size) == exchange.old
        and before not in exchange.not_after
        and after not in exchange.not_before
        and not (at == 0 and exchange.old == "because")
    )


def will_to_going(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"[person1] will step" becomes "[person1] is going to step"."""
    del asked, rng
    subject, verb, following = _at(tokens, 0), lowered(_at(tokens, 1)), lowered(_at(tokens, 2))
    if verb != "will" or not following.isalpha() or following in _ADVERBS:
        return None
    if following.endswith("ly") or (isinstance(subject, str) and lowered(subject) not in _WHO):
        return None
    many = lowered(subject) == "they" or (isinstance(subject, tuple) and len(subject) > 1)
    return (tokens[0], "are" if many else "is", "going", "to", *tokens[2:])


_WHO = frozenset(("he", "she", "it", "they"))
_ADVERBS = frozenset(
    (
        "not", "never", "have", "always", "also", "still", "just", "soon", "then", "now", "all", "both",
        "even", "only",
    )
)  # fmt: skip


# --- the whole sentence ------------------------------------------------------------------------------------


def filler(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"It seems that" before a sentence that has its subject first."""
    del asked
    hedged = any(lowered(token) in HEDGES for token in tokens[:4])
    if hedged or not _is_sentence(tokens) or lowered(tokens[-1]) == "?":
        return None
    first = tokens[0]
    return (*rng.choice(FILLERS), lowered(first) if isinstance(first, str) else first, *tokens[1:])


def _is_sentence(tokens: Tokens) -> bool:
    """A tag or a pronoun first, and a verb that can only be its own, before any other clause begins."""
    first = _at(tokens, 0)
    if first is None or (isinstance(first, str) and lowered(first) not in SUBJECTS):
        return False
    second = lowered(_at(tokens, 1))
    if second in FINITE:
        return True
    alone = isinstance(first, str) or len(first) == 1
    if alone and second.isalpha() and second.endswith("s") and not second.endswith("ss") and len(second) > 3:
        return True  # "[person1] walks"
    for token in tokens[1:8]:
        if lowered(token) in FINITE:
            return True
        if lowered(token) in JOINS or lowered(token) in _MARKS:
            return False
    return False


def reorder(tokens: Tokens, asked: Asked, rng: random.Random) -> Tokens | None:
    """"[person1] and [person2]" the other way round, and so "cold and hungry" at the end."""
    del asked
    joints = [at for at in range(1, len(tokens) - 1) if lowered(tokens[at]) == "and"]
    places = [at for at in joints if _swappable(tokens, at)]
    if not places:
        return None
    at = rng.choice(places)
    return (*tokens[: at - 1], tokens[at + 1], tokens[at], tokens[at - 1], *tokens[at + 2 :])


_LINKING = frozenset(("is", "are", "was", "were", "looks", "look", "feels", "feel", "seems", "seem", "being"))
_PREPOSITIONS = frozenset(("of", "with", "at", "to", "for", "between", "behind", "near", "from", "on", "in"))


def _swappable(tokens: Tokens, at: int) -> bool:
    left, right = tokens[at - 1], tokens[at + 1]
    before, after = lowered(_at(tokens, at - 2)), lowered(_at(tokens, at + 2))
    ends = at + 2 >= len(tokens) or after in _MARKS
    if isinstance(left, tuple) and isinstance(right, tuple):
        plural = at == 1 and after in ("are", "were", "have", "will", "would", "can", "could", "may", "might")
        return plural or (ends and before in _PREPOSITIONS and after != ",")
    described = isinstance(left, str) and isinstance(right, str) and left.isalpha() and right.isalpha()
    return described and ends and before in _LINKING and after != ","


def full_stop(tokens: Tokens) -> Tokens:
    """Without its full stop, or with one."""
    if lowered(tokens[-1]) == "." and len(tokens) > 1:
        return tokens[:-1]
    return tokens if lowered(tokens[-1]) in _MARKS else (*tokens, ".")


# --- putting words in --------------------------------------------------------------------------------------


def _phrase(tokens: Tokens, at: int, size: int) -> str:
    part = tokens[at : at + size]
    return " ".join(lowered(token) for token in part) if all(isinstance(token, str) for token in part) else ""


def _replaced(tokens: Tokens, at: int, size: int, new: str) -> Tokens:
    """Other words in that place; a capital stays one, and "a" becomes "an" where it must."""
    words = new.split()
    old = tokens[at]
    if isinstance(old, str) and old[:1].isupper() and old != "TV":
        words[0] = words[0][:1].upper() + words[0][1:]
    before = tokens[:at]
    if lowered(_at(tokens, at - 1)) in ("a", "an") and isinstance(before[-1], str):
        article = "an" if words[0][:1].lower() in "aeiou" else "a"
        before = (*before[:-1], article.capitalize() if before[-1][:1].isupper() else article)
    return (*before, *words, *tokens[at + size :])


KINDS: dict[str, Callable[[Tokens, Asked, random.Random], Tokens | None]] = {
    "pronoun to tag": pronoun_to_tag,
    "tag to they": tag_to_they,
    "contraction undone": contraction_undone,
    "contraction done": contraction_done,
    "synonym": synonym,
    "will to going to": will_to_going,
    "filler": filler,
    "reorder": reorder,
}
"""All but the full stop, which is for choices where none of these fits."""

OPPOSED = {
    "pronoun to tag": "tag to they",
    "tag to they": "pronoun to tag",
    "contraction undone": "contraction done",
    "contraction done": "contraction undone",
}
"""Edits that would take each other back."""

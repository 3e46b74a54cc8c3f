"""Small lists behind the edits: contractions, words of one meaning, verbs that show a sentence.

Each list is short on purpose. A word stands here only if it can be exchanged wherever the conditions beside
it hold; a synonym that fits only some of its places would change what a choice says.
"""

from __future__ import annotations

from typing import NamedTuple

_NEGATED = (
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "would", "could", "should",
)  # fmt: skip

UNDONE: dict[str, str] = {
    **{f"{verb}n't": f"{verb} not" for verb in _NEGATED},
    "can't": "cannot", "won't": "will not", "they're": "they are", "we're": "we are", "you're": "you are",
    "i'm": "I am", "they'll": "they will", "he'll": "he will", "she'll": "she will", "it'll": "it will",
    "they've": "they have", "we've": "we have", "i've": "I have",
}  # fmt: skip
"""Contractions that stand for one thing only."""
DONE: dict[str, str] = {
    **{f"{verb} not": f"{verb}n't" for verb in _NEGATED},
    "cannot": "can't", "can not": "can't", "will not": "won't", "they are": "they're", "they will": "they'll",
}  # fmt: skip
NOT_AFTER_NOT = frozenset(("only", "just", "even", "so"))
"""After these "not" belongs to what follows: "is not only" stays as it is."""


class Exchange(NamedTuple):
    """Words that may stand for others, unless one of these words is before or after."""

    old: str
    new: str
    not_before: frozenset[str] = frozenset()
    """Words that must not follow."""
    not_after: frozenset[str] = frozenset()
    """Words that must not come first."""


def _both_ways(*pairs: tuple[str, str]) -> tuple[Exchange, ...]:
    return tuple(Exchange(old, new) for one, other in pairs for old, new in ((one, other), (other, one)))


EXCHANGES = (
    *_both_ways(
        ("someone", "somebody"), ("everyone", "everybody"), ("anyone", "anybody"), ("no one", "nobody"),
        ("maybe", "perhaps"), ("couch", "sofa"), ("photo", "photograph"), ("photos", "photographs"),
        ("tv", "television"), ("bike", "bicycle"), ("starts to", "begins to"), ("started to", "began to"),
        ("starting to", "beginning to"), ("start to", "begin to"), ("trying to", "attempting to"),
        ("tries to", "attempts to"), ("talking to", "speaking to"), ("talking with", "speaking with"),
        ("talking about", "speaking about"), ("talk to", "speak to"), ("talks to", "speaks to"),
        ("yelling at", "shouting at"), ("yells at", "shouts at"), ("scared of", "afraid of"),
        ("mom", "mother"), ("dad", "father"), ("kids", "children"), ("kid", "child"),
        ("glad to", "happy to"), ("quickly", "rapidly"), ("right now", "at the moment"),
        ("in a hurry", "in a rush"), ("all of the", "all the"), ("toward", "towards"),
    ),
    Exchange("each other", "one another", frozenset(("'s",))),
    Exchange("next to", "beside", frozenset(("nothing", "impossible", "no"))),
    Exchange("in order to", "to"),
    Exchange("a lot of", "lots of", not_after=frozenset(("quite", "such", "what", "not", "an"))),
    Exchange("lots of", "a lot of"),
    Exchange("large", "big", frozenset(("amount", "number", "part", "and")), frozenset(("at", "and"))),
    Exchange(
        "should", "ought to", frozenset(("not", "never", "have", "i", "he", "she", "they", "you", "we")),
    ),
    Exchange("movie", "film", frozenset(("theater", "star", "stars", "'s"))),
    Exchange("cop", "police officer", frozenset(("car",))),
    Exchange("cops", "police officers"),
    Exchange("wants to", "would like to"),
    Exchange("is able to", "can", not_after=frozenset(("and",))),
    Exchange("are able to", "can", not_after=frozenset(("and",))),
    Exchange(
        "because", "since", frozenset(("of",)),
        frozenset(("just", "only", "simply", "mainly", "probably", "not", "is", "was", "be", "are")),
    ),
)  # fmt: skip

FILLERS = (("It", "seems", "that"), ("It", "looks", "like"), ("I", "think", "that"), ("Apparently", ","))
"""Put before a whole sentence: they hedge it, and leave what it says."""
HEDGES = frozenset(("seems", "seem", "looks", "look", "appears", "appear", "thinks", "think", "apparently"))
"""A sentence that begins with one of these is hedged already."""

FINITE = frozenset(
    (
        "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may", "might",
        "must", "should", "does", "do", "did", "wants", "looks", "seems", "feels", "needs", "likes", "thinks",
        "knows", "isn't", "aren't", "wasn't", "weren't", "doesn't", "don't", "didn't", "won't", "can't",
        "cannot",
    )
)  # fmt: skip
"""Verbs that stand only in a sentence with its subject before them."""
SUBJECTS = frozenset(("he", "she", "they", "it", "we", "someone", "somebody", "everyone", "nobody"))
JOINS = frozenset(
    ("who", "that", "which", "when", "if", "because", "since", "while", "whether", "to", "as", "what", "how")
)
"""After these a verb need not be that of the whole sentence."""

PLURAL = {
    "is": "are", "was": "were", "has": "have", "isn't": "aren't", "wasn't": "weren't", "doesn't": "don't",
}  # fmt: skip
"""What a verb becomes where "they" takes the place of one person."""
UNBENT = frozenset(("will", "would", "can", "could", "may", "might", "must", "should", "did", "had", "won't"))
"""Verbs that are the same for one and for many."""
PERSONAL = frozenset(
    (
        "he", "she", "him", "her", "his", "hers", "himself", "herself", "they", "them", "their", "themselves",
        "theirs",
    )
)  # fmt: skip

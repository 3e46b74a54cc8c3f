"""Words as the similarity model compares them: their stems, negations, and small tables of opposites."""

from __future__ import annotations

import re

NEGATIONS = frozenset(
    (
        "no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot",
        "hardly",
    )
)  # fmt: skip
"""Words that turn a statement round; those that end in "n't" do as well."""

OPPOSITES = (
    "two three four five six seven eight nine ten eleven twelve", "one",
    "red blue green yellow black white brown orange purple pink grey gold silver", "man woman", "boy girl",
    "male female", "husband wife", "mother father", "son daughter", "brother sister", "gentleman lady",
    "he she", "him her", "his her", "himself herself", "sit stand lie sleep run walk swim kneel",
    "inside outside", "indoor outdoor", "indoors outdoors", "up down", "left right", "open close",
    "empty full", "happy sad angry", "excited bored", "calm nervous", "hot cold", "day night",
    "morning evening", "summer winter", "young old", "big small", "large small", "tall short", "long short",
    "fast slow", "quickly slowly", "dry wet", "clean dirty", "alive dead", "love hate", "like dislike",
    "laugh cry", "smile frown", "win lose", "buy sell", "push pull", "enter leave", "arrive leave",
    "awake asleep", "first last", "before after", "near far", "friend enemy", "friend stranger",
    "rich poor", "safe dangerous", "true false", "agree disagree", "alone together", "begin end",
    "start stop", "give take", "high low", "light dark", "loud quiet", "strong weak", "yes no", "dog cat",
    "beach city", "front behind", "on off", "above below", "few many", "stay leave",
    "happy sad angry afraid bored nervous", "calm angry", "tired excited", "agree refuse", "listen ignore",
    "believe doubt", "trust suspect", "accept refuse", "remember forget", "help hurt", "find lose",
    "help attack", "kiss hit",
    "doctor lawyer teacher waiter soldier police nurse pilot priest chef farmer singer student mechanic",
    "restaurant hospital school church office bar store prison airport theater kitchen bedroom garden",
    "wedding funeral birthday", "married sibling stranger", "breakfast lunch dinner",
    "morning afternoon night", "spring summer autumn winter", "waiter customer", "teacher student",
    "boss worker", "doctor patient", "win fail", "remain leave", "hide show", "build destroy", "fix break",
    "innocent guilty", "sick healthy", "hungry thirsty",
)  # fmt: skip
"""Any two words of a line exclude one another, where one text says the one and the other the other."""

_WORD = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)?")
_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot",
    "teeth": "tooth", "wives": "wife", "kids": "kid", "sat": "sit", "stood": "stand", "ran": "run",
    "lying": "lie", "slept": "sleep", "gave": "give", "took": "take", "left": "left", "went": "go",
    "goes": "go", "gray": "grey", "ate": "eat", "eaten": "eat", "held": "hold", "wore": "wear",
    "said": "say", "told": "tell", "thought": "think", "felt": "feel", "got": "get", "made": "make",
    "saw": "see", "knew": "know", "won": "win", "lost": "lose", "1": "one", "2": "two", "3": "three",
    "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine", "10": "ten",
    "11": "eleven", "12": "twelve", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be",
    "being": "be", "am": "be", "has": "have", "had": "have", "an": "a", "does": "do", "did": "do",
    "this": "this", "his": "his", "yes": "yes", "during": "during", "something": "something",
    "nothing": "nothing", "anything": "anything", "everything": "everything", "thing": "thing",
    "evening": "evening", "morning": "morning", "wedding": "wedding", "building": "building",
    "king": "king", "ring": "ring", "red": "red", "bed": "bed", "need": "need",
}  # fmt: skip
_VOWELS = frozenset("aeiouy")
_UNDOUBLED = frozenset("lsz")


def words_of(text: str) -> list[str]:
    """The words and numbers of a text in lower case, possessive endings left out."""
    found = _WORD.findall(text.lower().replace("’", "'"))
    return [word.removesuffix("'s") for word in found]


def negates(word: str) -> bool:
    """Whether the word turns a statement round."""
    return word in NEGATIONS or word.endswith("n't")


def stem(word: str) -> str:
    """The word without its commonest endings: "walks", "walked" and "walking" are all "walk".

    A handful of rules, not a grammar: two forms of a word that it keeps apart are still found alike by their
    vectors, and that two words fall together is rare.
    """
    word = _IRREGULAR[word] if word in _IRREGULAR else _bare(word)
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _bare(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
        if word.endswith(("she", "che", "sse", "xe", "zze")):
            word = word[:-1]
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) > 1 and not _VOWELS.isdisjoint(bare):
            word = bare[:-1] if bare[-1] == bare[-2] and bare[-1] not in _UNDOUBLED else bare
            break
    return word

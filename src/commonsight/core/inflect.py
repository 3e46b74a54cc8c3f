"""Forms of English words: plurals, persons, participles, and the way back. Rules, and tables by hand.

A noun of several words changes its head ("bottle of water" → "bottles of water"), a verb phrase its verb
("pick up food" → "picking up food"). What is not in a table goes by its ending.
"""

from __future__ import annotations

import re
from functools import lru_cache

from commonsight.core import english_nouns as nouns
from commonsight.core import english_verbs as verbs
from commonsight.core.english_nouns import words

VOWELS = "aeiou"
_CONSONANT_VOWEL_CONSONANT = re.compile(r"^[^aeiou]*(?:qu)?[aeiou][bcdfghjklmnpqrstvz]$")
_LOSES_E = re.compile(
    r"(?:[cvuz]|[drn]g|[bdfgkptzs]l|[nrlaeiou]s|[^e]at|(?<![aeiou])(?:i[tdnr]|u[tr])|[aiou]b|ag)$"
)
_HISSES = ("s", "x", "z", "ch", "sh")
_HARD_CH = ("stomach", "monarch", "patriarch", "loch", "epoch")
_INSIDE = words(
    "of in on at with without for from to by about under over near behind between inside who that which"
)
"""Words after which a noun phrase only says more about its head."""
_BEFORE_VERB = words("not never always often usually easily quickly slowly carefully safely")
_SOUNDS_CONSONANT = re.compile(
    r"(?:eu|ewe|one(?![a-z])|once|u[bcfhjkqrstn]i|use|usu|uku|uv|ut[ei]|ura|unicorn)"
)
_UN_IS_A_VOWEL = re.compile(r"un(?:i[dmn](?!i)|in)")
_SOUNDS_VOWEL = re.compile(
    r"(?:hour|honest|honou?r|heir|[aefhilmnorsx]-|[aefhilmnorsx]$|8|11(?!\d)|18(?!\d))"
)

_SINGULAR = {many: one for one, many in nouns.IRREGULAR.items()} | {"pennies": "penny", "persons": "person"}
_PAST = {past: base for base, (past, _) in verbs.IRREGULAR.items()}
_PARTICIPLE = {done: base for base, (_, done) in verbs.IRREGULAR.items()}
_THIRD = {third: base for base, third in verbs.THIRD.items()}
_AMBIGUOUS = {
    "saw": "see", "found": "find", "ground": "grind", "wound": "wind", "lay": "lie", "fell": "fall",
    "bathing": "bathe", "bathed": "bathe", "skied": "ski", "skis": "ski", "is": "be", "are": "be", "am": "be",
}  # fmt: skip
_AGAIN = re.compile(r"(?:re|un|over|out|fore|mis|baby|with)(?=[a-z]{3})")
"""Beginnings that leave a verb as irregular as it was: rewrite, oversleep."""


def plural(noun: str) -> str:
    """Many of it: "dining table" → "dining tables". What is many already, or never counted, stays."""
    before, head, after = _noun_parts(noun)
    return before + _plural(head) + after


def singular(noun: str) -> str:
    """One of it: "pairs of glasses" → "pair of glasses". "scissors" and the like stay as they are."""
    before, head, after = _noun_parts(noun)
    if head == "glasses" and before and not before.endswith(("of ", "reading ", "eye ", "sun ")):
        return before + "glass" + after  # wine glasses are not for the nose
    return before + _singular(head) + after


@lru_cache(maxsize=100_000)
def is_plural(noun: str) -> bool:
    """Whether it goes with "are"."""
    return _noun_parts(noun)[1] in nouns.PLURAL_ONLY or singular(noun) != noun


@lru_cache(maxsize=100_000)
def is_mass(noun: str) -> bool:
    """Whether it is mostly not counted, as milk."""
    return _noun_parts(noun)[1] in nouns.MASS


def countable(noun: str) -> bool:
    """Whether one can speak of one and of two: a glass, a coffee, but no milk and no scissors."""
    head = _noun_parts(noun)[1]
    return head not in nouns.PLURAL_ONLY and (head not in nouns.MASS or head in nouns.COUNTED_TOO)


@lru_cache(maxsize=100_000)
def article(noun_phrase: str) -> str:
    """The indefinite article that fits: "a", "an", or "" where none does (milk, scissors, dogs)."""
    if not noun_phrase.strip() or is_mass(noun_phrase) or is_plural(noun_phrase):
        return ""
    return an(noun_phrase)


def with_article(noun_phrase: str) -> str:
    """A noun with its indefinite article, if it takes one."""
    return f"{article(noun_phrase)} {noun_phrase}".strip()


def an(text: str) -> str:
    """ "a" or "an", by the sound that follows."""
    word = text.split(maxsplit=1)[0].lower()
    if _SOUNDS_VOWEL.match(word):
        return "an"
    if word[0] not in VOWELS or (_SOUNDS_CONSONANT.match(word) and not _UN_IS_A_VOWEL.match(word)):
        return "a"
    return "an"


def third_person(verb: str) -> str:
    """ "lift food" → "lifts food"."""
    before, word, after = _verb_parts(verb)
    return before + (verbs.THIRD.get(word) or _with_s(word)) + after


def gerund(verb: str) -> str:
    """ "lift food" → "lifting food"."""
    before, word, after = _verb_parts(verb)
    return before + _gerund(word) + after


def past(verb: str) -> str:
    """ "lift food" → "lifted food"."""
    before, word, after = _verb_parts(verb)
    irregular = _irregular(word)
    return before + (irregular[0] if irregular else _with_ed(word)) + after


def participle(verb: str) -> str:
    """ "eat raw" → "eaten raw"."""
    before, word, after = _verb_parts(verb)
    irregular = _irregular(word)
    return before + (irregular[1] if irregular else _with_ed(word)) + after


def base(verb_form: str) -> str:
    """The verb as dictionaries list it: "lifting food", "lifts food" and "lifted food" → "lift food"."""
    before, word, after = _verb_parts(verb_form)
    return before + _base(word) + after


def is_verb(word: str) -> bool:
    """Whether a word is a known verb in any form."""
    return _base(word) in verbs.VERBS


def _noun_parts(noun: str) -> tuple[str, str, str]:
    """What stands before a noun phrase's head, the head, and what stands after it."""
    if " " not in noun:
        return "", noun, ""
    words = noun.split(" ")
    at = next((i for i, word in enumerate(words) if i and word in _INSIDE), len(words)) - 1
    before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
    return before + " " if before else "", words[at], " " + after if after else ""


def _verb_parts(phrase: str) -> tuple[str, str, str]:
    if " " not in phrase:
        return "", phrase, ""
    words = phrase.split(" ")
    at = 0
    while at < len(words) - 1 and words[at] in _BEFORE_VERB:
        at += 1
    before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
    return before + " " if before else "", words[at], " " + after if after else ""


@lru_cache(maxsize=100_000)
def _plural(noun: str) -> str:
    if noun in nouns.IRREGULAR:
        return nouns.IRREGULAR[noun]
    if noun in nouns.SAME or noun in nouns.PLURAL_ONLY or _singular(noun) != noun:
        return noun
    if noun in nouns.MASS and noun not in nouns.COUNTED_TOO:
        return noun
    part = _last_part(noun)
    if part:
        return noun[: -len(part)] + nouns.IRREGULAR[part]
    return noun + "es" if noun in nouns.ADDS_ES else _with_s(noun)


@lru_cache(maxsize=100_000)
def _singular(noun: str) -> str:
    if noun in _SINGULAR:
        return _SINGULAR[noun]
    for part in nouns.ENDINGS:
        many = nouns.IRREGULAR[part]
        if noun.endswith(many) and len(noun) > len(many) + 1:
            return noun[: -len(many)] + part
    if noun in _PLAIN_S:
        return noun[:-1]
    if not noun.endswith("s") or _is_one(noun):
        return noun
    if noun.endswith("ies") and len(noun) > 4 and noun not in _IN_IE:
        return noun[:-3] + "y"
    if noun.endswith("oes") and noun[:-2] in nouns.ADDS_ES:
        return noun[:-2]
    if noun.endswith(("sses", "xes", "ches", "shes", "zzes")) and noun not in _IN_CHE:
        return noun[:-2]
    if noun.endswith("ses") and noun[:-2] in nouns.SINGULAR_S and len(noun) > 4:
        return noun[:-2]
    return noun[:-1]


_IN_IE = words(
    """cookies movies pies ties zombies brownies smoothies selfies hoodies calories rookies birdies genies
    collies prairies veggies bookies newbies magpies neckties lies beanies"""
)
_PLAIN_S = words(
    """skis taxis menus emus gurus picnics topics fabrics plastics mechanics comics clinics attics mosaics
    cosmetics logics critics lyrics alcoholics tunics republics bikinis kiwis zucchinis paninis tutus"""
)
_IN_CHE = words(
    """aches headaches toothaches axes caches niches avalanches creches moustaches mustaches quiches"""
)


def _is_one(noun: str) -> bool:
    known = noun in nouns.SINGULAR_S or noun in nouns.SAME or noun in nouns.PLURAL_ONLY or noun in nouns.MASS
    return known or len(noun) < 4 or noun.endswith(("ss", "us", "is", "ics", "'s", "ness"))


def _last_part(noun: str) -> str:
    if noun in nouns.NOT_MEN:
        return ""
    return next((part for part in nouns.ENDINGS if noun.endswith(part) and len(noun) > len(part) + 1), "")


def _with_s(word: str) -> str:
    if word.endswith("y") and len(word) > 1 and word[-2] not in VOWELS:
        return word[:-1] + "ies"
    if word == "quiz":
        return "quizzes"
    if word.endswith(_HISSES) and not word.endswith(_HARD_CH):
        return word + "es"
    if word.endswith("o") and len(word) > 2 and word[-2] not in VOWELS and word in verbs.VERBS:
        return word + "es"
    return word + "s"


@lru_cache(maxsize=100_000)
def _gerund(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb not in verbs.KEEPS_E:
        return verb[:-1] + "ing"
    return verb + ("k" if verb.endswith("ic") else verb[-1:] if _doubles(verb) else "") + "ing"


def _irregular(verb: str) -> tuple[str, str] | None:
    if verb in verbs.IRREGULAR:
        return verbs.IRREGULAR[verb]
    begins = _AGAIN.match(verb)
    rest = verbs.IRREGULAR.get(verb[begins.end() :]) if begins and verb not in verbs.REGULAR else None
    return (verb[: begins.end()] + rest[0], verb[: begins.end()] + rest[1]) if begins and rest else None


def _with_ed(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and len(verb) > 1 and verb[-2] not in VOWELS:
        return verb[:-1] + "ied"
    return verb + ("k" if verb.endswith("ic") else verb[-1:] if _doubles(verb) else "") + "ed"


def _doubles(verb: str) -> bool:
    if verb.endswith(("w", "x", "y")):
        return False
    return verb in verbs.DOUBLING or _CONSONANT_VOWEL_CONSONANT.match(verb) is not None


@lru_cache(maxsize=100_000)
def _base(form: str) -> str:
    if form in _AMBIGUOUS:
        return _AMBIGUOUS[form]
    for table in (_PARTICIPLE, _PAST, verbs.ALSO_PAST, _THIRD):
        if form in table:
            return table[form]
    if form in verbs.VERBS:
        return form
    begins = None if form in verbs.REGULAR else _AGAIN.match(form)
    again = begins and (_PARTICIPLE.get(form[begins.end() :]) or _PAST.get(form[begins.end() :]))
    if begins and again:
        return begins.group() + again
    stems = list(_stems(form))
    return next((stem for stem in stems if stem in verbs.VERBS), stems[0] if stems else form)


def _stems(form: str) -> list[str]:
    """What a form may be a form of, the likeliest by its spelling first."""
    if form.endswith("ying") and (len(form) == 5 or form == "untying"):
        return [form[:-4] + "ie", form[:-3]]
    if form.endswith(("ied", "ies")):
        return [form[:-3] + "y", form[:-1]]
    for ending in ("ing", "ed"):
        stem = form[: -len(ending)]
        if form.endswith(ending) and len(stem) > 1 and any(letter in VOWELS + "y" for letter in stem):
            return _without_ending(stem)
    if form.endswith("es") and form[:-2].endswith((*_HISSES, "o")):
        return [form[:-2], form[:-1], form[:-3]]
    if form.endswith("s") and not form.endswith(("ss", "us", "is")) and len(form) > 2:
        return [form[:-1]]
    return []


def _without_ending(stem: str) -> list[str]:
    plain, with_e = stem, stem + "e"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        undoubled = stem[:-1]
        return [plain, undoubled, with_e] if stem[-1] in "lszf" else [undoubled, plain]
    if stem.endswith("ck") and stem[:-1].endswith("ic"):
        return [stem[:-1], plain]
    return [with_e, plain] if _lost_an_e(stem) else [plain, with_e]


def _lost_an_e(stem: str) -> bool:
    if _CONSONANT_VOWEL_CONSONANT.match(stem):
        return True  # a short verb without e would have doubled
    return _LOSES_E.search(stem) is not None

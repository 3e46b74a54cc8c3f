"""Parts of speech for the short phrases of a knowledge graph, with Penn's tags.

The bundled tagger knows a few thousand words, written down by hand, judges others by their endings, and
settles what is left by the words around. It needs nothing installed. spaCy does the same work where a user
asks for it by the name of its model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from commonsight.core import inflect
from commonsight.core.english_nouns import words
from commonsight.core.english_verbs import VERBS
from commonsight.errors import MissingExtra, UsageError

Tags = tuple[str, ...]
Tagger = Callable[[Sequence[str]], Tags]
"""Words to one tag each."""

_NUMBER = re.compile(r"\$?\d[\d,.:/%-]*(?:st|nd|rd|th|s)?$")
_ADJECTIVE = re.compile(
    r".{2,}(?:ous|ful|less|able|ible|ish|ive|ic|ical|proof|sized|shaped|like|ese|ian|esque|some|ary|ular|al)$"
)
_NOUN = re.compile(
    r".{2,}(?:tion|sion|ment|ness|ity|ance|ence|ship|hood|ist|ism|logy|er|or|ure|age|ery|dom|cy|phone|scope"
    r"|man|woman|room|board|book|house|berry|fish|bird|ball|ware|wear|work|light|craft|cide)$"
)
_NOUN_IN_IC = re.compile(
    r".*(?:music|fabric|picnic|topic|clinic|public|plastic|mechanic|critic|traffic|magic|logic|comic|attic|metric"
    r"|garlic|ethic|mosaic|fanatic|arithmetic|rhetoric|republic|motive|native|detective|relative|olive|executive"
    r"|beehive|archive|drive|dive|hive|narrative|adjective|perspective|initiative|objective|table|cable|vegetable"
    r"|constable|fable|bible|syllable|variable|musician|magician|physician|politician|technician|electrician"
    r"|librarian|pedestrian|vegetarian|guardian|comedian|fish|dish|radish|rubbish|finish|british|library|diary"
    r"|[mc]oral|mammal|petal|pedal|medal|cereal|sandal|crystal|rental|terminal|journal|metal|hospital|animal|ritual"
    r"|festival|funeral|material|capital|mineral|signal|meal|seal|deal|goal|coal|canal|cathedral|carnival|arrival|oral"
    r"|proposal|survival|approval|removal|principal|general|aerial|denial|trial|burial|tutorial|memorial|rival|interval"
    r"|secretary|dictionary|january|february|canary|salary|summary|boundary|missionary)$"
)
_VERB = re.compile(r".{3,}(?:ize|ise|ify|ate)$")
_NOUN_IN_ATE = re.compile(
    r".*(?:chocolate|plate|gate|climate|date|state|pirate|certificate|candidate|exercise|noise|surprise|prize|size|rise"
    r"|paradise|enterprise|merchandise|disguise|cruise|tortoise|porpoise|premise|expertise|debate|private|chocolates"
    r"|ultimate|delegate|carbohydrate|vertebrate|graduate|primate|roommate|classmate|inmate|playmate|slate|senate"
    r"|late|concentrate|estate|advocate|template|rate|mate|phosphate|bicarbonate)$"
)
_NOT_ADVERB = words(
    """fly family ally jelly belly bully reply supply assembly anomaly butterfly dragonfly firefly italy july
    lily monopoly bubbly melancholy rally tally doily homily ply"""
)
_ADJECTIVE_IN_LY = words(
    """friendly lonely lovely ugly silly early daily weekly monthly yearly deadly costly holy only likely
    lively unlikely elderly orderly curly hilly smelly jolly woolly wooly unfriendly cuddly wobbly manly"""
)


@cache
def _lexicon() -> dict[str, Tags]:
    found: dict[str, dict[str, None]] = {}
    for line in (files("commonsight.graph") / "lexicon.txt").read_text("utf-8").splitlines():
        tag, _, listed = line.partition(": ")
        if not line.startswith("#"):
            for word in listed.split():
                found.setdefault(word, {})[tag] = None
    return {word: tuple(tags) for word, tags in found.items()}


def bundled_tagger(phrase: Sequence[str]) -> Tags:
    """Tags by lexicon, ending and context."""
    return _tagged(tuple(phrase))


@lru_cache(maxsize=50_000)
def _tagged(phrase: tuple[str, ...]) -> Tags:
    lowered = [word.lower() for word in phrase]
    choices = [_choices(word) for word in lowered]
    tags: list[str] = []
    for at, word in enumerate(lowered):
        before = tags[-1] if tags else ""
        after = choices[at + 1] if at + 1 < len(choices) else ()
        tags.append(_settle(word, choices[at], before, tags, after))
    return tuple(tags)


@cache
def _choices(word: str) -> Tags:
    """What a word can be, the likeliest first."""
    listed = _lexicon().get(word, ())
    verb = _verb_tags(word)
    if "NOUN" in listed:
        listed = tuple(dict.fromkeys("NN" if tag == "NOUN" else tag for tag in listed))
        return (*listed, *verb)
    if verb == ("VB",) and listed and set(listed) <= {"NN", "NNS"}:
        return ("VB", *listed)
    if listed:
        return tuple(dict.fromkeys((*listed, *verb)))
    return verb or _by_ending(word)


def _verb_tags(word: str) -> Tags:
    """The tags of a known verb's form; forms in -s may be nouns just as well."""
    if word in ("be", "am", "is", "are", "was", "were", "been", "being"):
        return {"be": ("VB",), "been": ("VBN",), "being": ("VBG",), "was": ("VBD",), "were": ("VBD",),
                "is": ("VBZ",)}.get(word, ("VBP",))  # fmt: skip
    if word in VERBS:
        return ("VB",) if inflect.base(word) == word else ("VBN", "VBD", "VB")
    base = inflect.base(word)
    if base == word or base not in VERBS:
        return ()
    if word.endswith("ing"):
        return ("VBG", "NN")
    if inflect.third_person(base) == word:
        return ("NNS", "VBZ") if {"NN", "NOUN"} & set(_lexicon().get(base, ())) else ("VBZ", "NNS")
    if inflect.participle(base) == word:
        return ("VBN", "VBD") if inflect.past(base) == word else ("VBN",)
    return ("VBD",)


def _by_ending(word: str) -> Tags:
    if _NUMBER.match(word):
        return ("JJ",) if word.endswith(("st", "nd", "rd", "th")) else ("CD",)
    if word.endswith("ly") and len(word) > 3 and word not in _NOT_ADVERB:
        return ("JJ",) if word in _ADJECTIVE_IN_LY else ("RB",)
    if _VERB.match(word) and not _NOUN_IN_ATE.match(word):
        return ("VB",)
    if _ADJECTIVE.match(word) and not _NOUN_IN_IC.match(word):
        return ("JJ",)
    if word.endswith("ing") and len(word) > 5:
        return ("VBG", "NN")
    if word.endswith("ed") and len(word) > 4 and not word.endswith("eed"):
        return ("VBN", "JJ")
    if word.endswith("est") and len(word) > 5 and _lexicon().get(word[:-3], ("",))[0] == "JJ":
        return ("JJS",)
    if word.endswith("y") and len(word) > 4 and inflect.base(word[:-1]) in VERBS and not _NOUN.match(word):
        return ("JJ", "NN")
    return ("NNS",) if inflect.is_plural(word) else ("NN",)


def _settle(word: str, choices: Tags, before: str, tags: list[str], after: Tags) -> str:
    """One tag of the possible ones, by what stands around."""
    special = _small_word(word, before, tags, after) or _particle(word, choices, before, tags, after)
    if special:
        return special
    if len(choices) == 1:
        named = (
            choices == ("VB",) and before in ("DT", "PRP$", "JJ", "CD", "POS", "JJR", "JJS") and word != "be"
        )
        return "NN" if named else choices[0]
    can = set(choices)
    if before in ("DT", "PRP$") and can >= {"IN", "NN"}:
        return "NN"
    if can & {"VB", "VBZ"}:
        return _verb_or_noun(choices, before, tags, after)
    if "JJ" in can and "RB" in can:
        lone_end = not after and bool(_FORMS & set(tags))
        return "RB" if lone_end or (before in _FORMS and not _begins_noun(after)) else "JJ"
    if "JJ" in can and can & _NOUNS:
        told = before in ("RB", "VBZ") or (
            not after and before in _NOUNS and tags[0] in _FORMS
        )  # keep food cold
        return "JJ" if told or _begins_noun(after) or choices[0] == "JJ" else "NN"
    if can >= {"VBG", "NN"}:
        return "NN" if before in ("DT", "PRP$", "JJ") else "VBG"
    if can >= {"VBN", "VBD"}:
        return "VBD" if before == "PRP" else "VBN"
    return choices[0]


_NOUNS = frozenset(("NN", "NNS"))
_FORMS = frozenset(("VB", "VBG", "VBN", "VBP", "VBZ", "VBD"))
_LIFTING = frozenset(("up", "out", "down", "off"))
_ADVERBIAL = frozenset(("away", "back", "together", "apart", "aside", "forth", "along", "around"))


def _begins_noun(after: Tags) -> bool:
    return bool(set(after[:1]) & {"NN", "NNS", "JJ"}) or (after[:1] == ("VB",) and "NN" in after)


def _small_word(word: str, before: str, tags: list[str], after: Tags) -> str:
    """Words with a habit of their own."""
    if word == "to":
        return "TO" if not after or (after[0] in ("VB", "RB", "VBN") and before != "VBG") else "IN"
    if word == "like":
        return "VB" if before in ("TO", "MD", "PRP") or (not tags and after[:1] == ("TO",)) else "IN"
    if word == "that":
        return "WDT" if before in _NOUNS else "IN" if after[:1] in (("PRP",), ("PRP$",)) else "DT"
    if word in ("her", "his"):
        return "PRP$" if after and after[0] not in ("IN", "TO", "RB", "CC") else "PRP"
    if word in ("more", "less", "most", "least"):
        noun = not after or bool(set(after[:1]) & {"NN", "NNS", "VB", "IN"})
        return (
            {True: "JJR", False: "RBR"}[noun]
            if word in ("more", "less")
            else {True: "JJS", False: "RBS"}[noun]
        )
    if word == "home":
        return "RB" if before in _FORMS and not after else "NN"
    return ""


def _particle(word: str, choices: Tags, before: str, tags: list[str], after: Tags) -> str:
    """up, off, in and the like: part of a verb, or in front of a noun."""
    if "RP" not in choices:
        return ""
    if word == "back" and before in ("DT", "PRP$", "JJ"):
        return "NN"
    if word in _ADVERBIAL and "IN" not in choices[:1]:
        return "RB"
    has_object = bool(after) and after[0] in ("NN", "NNS", "DT", "PRP$", "PRP", "JJ", "CD", "VB", "VBG", "WP")
    away_from = word == "out" and after[:1] == ("IN",)
    if word in _LIFTING and not away_from and (before in _FORMS or (not after and _FORMS & set(tags))):
        return "RP"
    if word == "around" and not has_object:
        return "RB"
    return "IN"


_HELPS = frozenset(("help", "let", "make", "go", "stop", "get", "start", "keep"))


def _verb_or_noun(choices: Tags, before: str, tags: list[str], after: Tags) -> str:
    """Most short verbs are nouns too: "drink" opens "drink milk" and ends "have drink"."""
    verb = "VB" if "VB" in choices else "VBZ"
    noun = next((tag for tag in choices if tag in ("NN", "NNS", "JJ")), "NN")
    if before in ("TO", "MD", "PRP", "WRB", "WP", "WDT"):
        return verb
    if "JJ" in choices and (_begins_noun(after) or before == "RB" or (not after and noun == "JJ" and tags)):
        return "JJ"
    if before in ("DT", "PRP$", "JJ", "CD", "POS", "IN", "JJR", "JJS", *_FORMS):
        return noun
    opens = all(tag in ("RB", "CC") for tag in tags) or (before == "CC" and bool(_FORMS & set(tags)))
    if opens:
        return (
            verb
            if choices[0] == verb or (after[:1] and after[0] in ("DT", "PRP$", "PRP", "RP"))
            else choices[0]
        )
    if _FORMS & set(tags):
        return noun
    takes_object = bool(after) and after[0] in ("DT", "PRP$", "PRP")
    return verb if before in _NOUNS and ((choices[0] == verb and after) or takes_object) else noun


def can_be(word: str, tag: str) -> bool:
    """Whether the bundled tagger could give a word this tag, whatever stands around."""
    return tag in _choices(word)


def knowing(things: Collection[str], tagger: Tagger) -> Tagger:
    """A tagger that knows which words name things: after the first word they are nouns and not verbs."""

    @lru_cache(maxsize=50_000)
    def tagged(phrase: tuple[str, ...]) -> Tags:
        tags = list(tagger(phrase))
        for at in range(1, len(tags)):
            if tags[at] in ("VB", "VBP") and phrase[at] in things and tags[at - 1] not in ("TO", "MD"):
                tags[at] = "NN"
        return tuple(tags)

    return lambda phrase: tagged(tuple(phrase))


def spacy_tagger(name: str) -> Tagger:
    """spaCy's tags, by the name of a model that is installed as a package or lies in a folder."""
    try:
        import spacy
        from spacy.tokens import Doc
    except ImportError as error:
        raise MissingExtra("spaCy", "nlp") from error
    try:
        load = spacy.load(name, exclude=["parser", "ner", "lemmatizer"])
    except OSError as error:
        raise UsageError(
            f"spaCy has no model {name!r}. Install it by: python -m spacy download {name}"
        ) from error

    def tag(phrase: Sequence[str]) -> Tags:
        return tuple(token.tag_ for token in load(Doc(load.vocab, words=list(phrase)))) if phrase else ()

    return tag


def agreement(tagger: Tagger, others: Iterable[tuple[Sequence[str], Sequence[str]]]) -> float:
    """The share of words to which a tagger gives the tag that another one gave."""
    same = total = 0
    for phrase, tags in others:
        same += sum(ours == theirs for ours, theirs in zip(tagger(phrase), tags, strict=True))
        total += len(phrase)
    return same / total if total else 1.0

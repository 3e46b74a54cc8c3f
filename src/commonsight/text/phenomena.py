"""Which linguistic phenomena a sentence shows, by rules (NLVR2, Table 5).

The paper's authors read 800 sentences. The rules follow their tags where a definition leaves a choice: "one
image" is a way to point, not a count; "at least one image" counts softly; the place of an image ("the image
on the left") is no spatial relation between things, and "the left image" presupposes nothing. They were
written with every other one of those sentences in view, and are measured on the rest by `tag_scores`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec import Struct

from commonsight.core.english_nouns import words
from commonsight.text import attachment
from commonsight.text.image_mentions import IMAGE, SIDE, spaced, without_images, without_sides

_NUMBER = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|twenty|thirty|forty|fifty|hundred|dozen|\d+)"
)
_SOFT = re.compile(
    r"\bat (?:the )?(?:least|most)\b|\b(?:more|less|fewer|greater|no more|no less|no fewer) th[ae]n"
    rf"(?= (?:a |half )?(?:{_NUMBER}|few|dozen|couple|half)\b)|\b{_NUMBER} or (?:more|fewer|less)\b"
    r"|\bup to (?:\d|two|three|four|five)|\b(?:no|not) (?:more|less|fewer)\b|\b(?:several|a few|numerous)\b"
    r"|\b(?:over|under|about|around|nearly|almost|only up to) (?:\d+|half a dozen|a dozen|ten|twenty)\b"
)
_BOUNDS = r"at (?:the )?(?:least|most)|(?:more|less|fewer|greater) th[ae]n|up to|over"
_SOFTENED = re.compile(
    rf"\b(?:{_BOUNDS})\s+{_NUMBER}(?:\s+of)?\b"
    rf"|\b{_NUMBER} or (?:more|fewer|less)\b|\b(?:no|not) (?:more|less|fewer) th[ae]n {_NUMBER}\b"
)
_ONE_IMAGE = re.compile(
    r"(?<!in )(?<!exactly )(?<!only )(?<!just )\bone (?:of )?(?:the |these )?(?:two )?"
    rf"(?:{SIDE} )?{IMAGE}\b|\bin one (?:{SIDE} )?{IMAGE}\b"
)
"""Ways to point to an image. "In one of the images" is none of them: most sentences with it are tagged."""
_HARD = re.compile(
    rf"\b(?:{_NUMBER}|single|lone|pair of|couple of|trio|duo|quartet|once|thrice)\b"
    r"(?!-(?:of-a-kind|way|eyed))|\b(?:only|just) a\b"
)
_THAT_ONE = re.compile(r"\b(?:the|this|that|which|another|other|left|right|hand|any|no|every) one\b")


def _hard(text: str) -> bool:
    """A count that is exact: numbers that nothing softens, and that do not merely point to an image."""
    left = _THAT_ONE.sub(" ", _SOFTENED.sub(" ", _ONE_IMAGE.sub(" ", text)))
    return bool(_HARD.search(left))


_EXISTS = re.compile(r"\bthere(?:'s|s| is| are| was| were| appears?| seems?| exists?| isn't| aren't)\b")
_ALL = re.compile(r"\b(?:all|every|each(?![\s-]*other)|both|everyone|everything|always|entire)\b")
_BOTH_ALONE = re.compile(r"\bboth (?:\w+ )?(?:and|eyes|hands|ears|arms|legs|sides)\b")


def _universal(text: str) -> bool:
    return bool(_ALL.search(_BOTH_ALONE.sub(" ", text)))


_JOINED = re.compile(
    r"\band\b|\bor\b(?! (?:more|fewer|less)\b)|\b(?:nor|as well as)\b|\bbut\b(?! one)|&|;|-and-"
)
_REFERS = re.compile(
    r"\b(?:its|it's|their|them|themselves|itself|his|him|himself|herself|they|he|she|theirs|hers|her)\b"
    r"|(?:on|of|in|to|around|with|for|behind|by|inside|above|under|over|from|near|and|at|beside|has) it\b"
    r"|\bit(?= (?:is|has|in|as|was|with|on)\b)|\beach[\s-]?other(?:'s)?\b|\bone another\b"
)
_SHOWN_IN_IT = re.compile(rf"^(?:[^,]*\b)?{IMAGE}[^,]* in it\b|\bthere(?:'s| is)? it\b")


def _refers(text: str) -> bool:
    """A pronoun that stands for something in the sentence; "a picture with a dog in it" has none."""
    return bool(_REFERS.search(_SHOWN_IN_IT.sub(" ", text)))


_COMPARES = re.compile(
    r"\b(?:same|different|differently|similar|similarly|identical|opposite|opposing|matching|unlike|alike"
    r"|equal|equally|twice|likewise|differ|various|look-?alike|identical-looking)\b"
    r"|\bas (?:many|much|\w+) as\b"
    rf"|\b(?:more|fewer|less)\b(?! th[ae]n {_NUMBER}\b)(?<!or more)(?<!or less)(?<!or fewer)"
    r"(?=(?: [\w'-]+){1,5}? (?:than|then|in|on|§)\b|.*§)"
    r"|\b(?:larger|smaller|bigger|taller|shorter|longer|darker|lighter|older|younger|wider|closer|higher"
    rf"|lower|greater|thicker|thinner|brighter)\b(?: [\w'-]+){{0,3}} th[ae]n\b(?! {_NUMBER})"
    r"|\b(?:larger|largest|smallest|biggest|tallest|longest|most)\b(?= \w+)"
)


def _compares(text: str) -> bool:
    return bool(_COMPARES.search(without_images(text)) or re.search(r"\bsame\b", text))


_NEGATES = re.compile(
    r"\b(?:no|not|none|nothing|nobody|neither|nor|never|without|cannot|lacks?|lacking|except|instead of"
    r"|absent)\b|n't\b|\bdont\b|\bnon[ -]"
)
_THE = re.compile(r"\bthe(?= (?P<next>[\w'-]+))")
_GIVEN = words(
    """same other others left right far side camera viewer total number amount combined lefthand righthand
    one is leftmost rightmost top bottom front back center middle foreground background leg second first
    third pair opposite collage air distance edge image images photo photos picture pictures most only
    shape"""
)
"""What "the" goes before without presupposing a thing in the picture."""
_PART_OF = re.compile(
    r"\bthe (?:[\w'-]+ )?[\w'-]+ of (?:an?|some|its|their)\b|\bof the [\w'-]+ (?:pictured|shown)\b"
)
"""The parts of something new: "the face of a husky"."""


def _presupposes(text: str) -> bool:
    """A definite description of a thing that the sentence did not bring in before."""
    plain = _PART_OF.sub(" ", without_sides(text))
    return any(_is_new(match, plain) for match in _THE.finditer(plain))


def _is_new(definite: re.Match[str], text: str) -> bool:
    before = {_stem(word) for word in re.findall(r"[\w'-]+", text[: definite.start()])}
    after = re.findall(r"[\w'§-]+", text[definite.end() :])[:2]
    told = any(_stem(word) in before for word in after if len(word) > 2)
    return definite["next"] not in _GIVEN and not told


def _stem(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s")


_PLACE = (
    r"on|in|inside|into|onto|near|nearby|next to|beside|behind|under|underneath|beneath|above|below|over"
    r"|between|among|around|across|against|along|alongside|atop|through|towards?|in front of|on top of|at"
    r"|upon|within|outside|past|surrounded by|surrounding|by (?:a|the|its|their)|off|down|away from|close to"
    r"|close together|beyond"
)
_POSTURE = (
    r"side[ -]by[ -]side|face[ -]to[ -]face|back[ -]to[ -]back|overlapping|hanging|attached|touching|lined up"
    r"|stacked|leftward|rightward|upward|downward|sideways|vertically|horizontally|diagonally|upside[ -]down"
    r"|overhead|facing (?:left|right|each|the (?:left|right)|opposite|forward|away|toward)|front of|side of"
    r"|opposite directions|perched|surrounds?|foreground|in a (?:row|line|circle)|to the (?:left|right) of"
    r"|left of|right of|holding|filled with|topped with|covered (?:in|with)|full of|carrying|containing"
)
_SPATIAL = re.compile(rf"\b(?:{_PLACE}|{_POSTURE})\b")
_LOOKS = (
    r"color|colour|profile|focus|view|common|use|addition|motion|black|white|red|blue|green|yellow|pink|orange"
    r"|brown|gray|grey|shape|size|style|number|shades?|the shape|the process|which|total|all"
)
_DRESS = (
    r"similar|variety|different|\w+ (?:pose|position|style|color)|pose|position|bikini|suit|dress|costume"
    r"|hat|shirt|coat"
)
_NO_PLACE = re.compile(
    rf"\bin (?:{_LOOKS}|a (?:{_DRESS}))\b|\b(?:over|under|around) {_NUMBER}\b"
    r"|\blook(?:s|ing)? (?:\w+ )?(?:at|into)\b|\bstar(?:es|ing) (?:at|into)\b|\b(?:on|in) display\b"
    r"|\b(?:at|over|around) (?:least|most|all)\b|\btongue (?:\w+ )?(?:out|hanging out)\b"
    r"|\bworking on\b|\bbased on\b|\btrying on\b|\bturned on\b|\bput on\b|\bat the same\b"
    r"|\bmade in\b|\bin at\b|\b(?:at|in) an? angle\b|\bhanging out\b"
    r"|\b(?:has|have|with)\b[^,§]*\b(?:in|on) (?:it|them)\b|\b(?:in|on|of) the (?:out|in)side of\b"
    r"|\bwom[ae]n in\b|\bbreak(?:s|ing)? down\b|\bdown\b(?= (?:and|or)\b)|\bsitting down\b|\bto the side\b"
)
"""Places by their words only: looks, dress, manner, and what a thing has on itself."""


def _spatial(text: str) -> bool:
    """A place of one thing by another, once the places of images are set aside."""
    return bool(_SPATIAL.search(_NO_PLACE.sub(" ", without_sides(text))))


def _finds(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: bool(pattern.search(text))


_RULES: dict[str, Callable[[str], bool]] = {
    "hard cardinality": _hard,
    "soft cardinality": _finds(_SOFT),
    "existential quantifier": _finds(_EXISTS),
    "universal quantifier": _universal,
    "coordination": _finds(_JOINED),
    "coreference": _refers,
    "spatial relation": _spatial,
    "comparison": _compares,
    "presupposition": _presupposes,
    "negation": _finds(_NEGATES),
    "cc ambiguity": attachment.coordinated,
    "pp ambiguity": attachment.prepositional,
    "sbar ambiguity": attachment.clausal,
}

PHENOMENA = tuple(_RULES)
"""In the order of the paper's Table 5, by the names in its file of tagged sentences."""

HELD_OUT_F1 = dict(
    zip(
        PHENOMENA,
        (0.92, 0.97, 0.96, 0.95, 0.97, 0.88, 0.84, 0.84, 0.89, 0.88, 0.38, 0.60, 0.57),
        strict=True,
    )
)
"""How the rules agree with the paper's authors on the 400 tagged sentences that they were not written for."""


@lru_cache(maxsize=1 << 15)
def phenomena(sentence: str) -> tuple[str, ...]:
    """The phenomena of a sentence, in the order of the paper's table."""
    text = spaced(sentence)
    return tuple(name for name, found in _RULES.items() if found(text))


class TagScore(Struct, frozen=True):
    """How a tagger compares with people on one phenomenon."""

    both: int
    tagger: int
    """Sentences that the tagger tags, and that people do."""
    people: int

    @property
    def precision(self) -> float | None:
        """The share of the tagger's tags that people gave too; None if it gave none."""
        return self.both / self.tagger if self.tagger else None

    @property
    def recall(self) -> float | None:
        """The share of people's tags that the tagger gave too; None if there are none."""
        return self.both / self.people if self.people else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; None where neither tagged anything."""
        return 2 * self.both / (self.tagger + self.people) if self.tagger + self.people else None


def tag_scores(
    tagged: Iterable[tuple[str, Iterable[str]]], tagger: Callable[[str], Iterable[str]] = phenomena
) -> dict[str, TagScore]:
    """Each phenomenon's score over sentences that people tagged."""
    pairs = [(set(tagger(sentence)), set(tags)) for sentence, tags in tagged]
    return {
        name: TagScore(
            sum(name in ours and name in theirs for ours, theirs in pairs),
            sum(name in ours for ours, _ in pairs),
            sum(name in theirs for _, theirs in pairs),
        )
        for name in PHENOMENA
    }

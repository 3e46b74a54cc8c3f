"""The warnings about a draft, from what was learned so far: a pure function of both.

Each check takes the draft and gives warnings about fields that ask for them, at most one of a kind for each
field, with what was seen and what to do about it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from commonsight.audit.blind.lists import LONG, Listing, softmax
from commonsight.audit.cases import Case, Cases, plain
from commonsight.audit.choices.alike import stems_of, worth_judging
from commonsight.audit.listwise import Rows, earned, rows_of
from commonsight.audit.shortcuts.features import columns_of
from commonsight.audit.words.grams import LONGEST, words_in
from commonsight.build.matching.similarity import EmbeddedSimilarity
from commonsight.build.matching.values import normalised
from commonsight.collect.forms import word_count
from commonsight.core.text import TaggedText
from commonsight.runs.watching.drafts import Choice, Draft, Sketch, Text
from commonsight.runs.watching.learning import blind_features
from commonsight.runs.watching.values import Kind, Learned, Usual, Warning_
from commonsight.text.encoders import Encoder

FAR = 2.0
"""A text that has so many times more, or fewer, words than the end of what is usual is worth a word."""
APART = 1.8
"""So many times longer than the next longest a choice stands out."""
FEW = 4
"""... if it has at least so many words more: of one word and two nobody makes much."""
SAME = 0.85
"""A text that follows from another so likely says nothing new."""
NEAR = 0.75
"""The cosine from which on an earlier text is looked at closely."""

Earlier = Callable[[str, str], Sequence[tuple[str, float]]]
"""The earlier texts of a field that are nearest to a text, each with its cosine."""


class Eyes:
    """What looking needs beside what was learned: an encoder, a judge of likeness, the earlier texts."""

    def __init__(self, encoder: Encoder, earlier: Earlier) -> None:
        self.encoder, self.earlier = encoder, earlier
        self.judge = EmbeddedSimilarity(encoder)


def warnings(learned: Learned, stage: str, draft: Draft, eyes: Eyes) -> list[Warning_]:
    """All warnings about a draft, in the order of its fields."""
    found = [
        *unusual_lengths(learned, stage, draft),
        *(told for item in draft.items for told in lengths_apart(item)),
        *standing_out(learned, draft),
        *alike(draft, eyes),
        *telling(learned, draft),
        *given_away(learned, draft, eyes.encoder),
    ]
    order = {text.field: place for place, text in enumerate(draft.texts)}
    first: dict[tuple[str, str], Warning_] = {}
    for told in found:
        first.setdefault((told.field, told.kind), told)
    return sorted(first.values(), key=lambda told: order.get(told.field, len(order)))


# --- length ------------------------------------------------------------------------------------------------


def unusual_lengths(learned: Learned, stage: str, draft: Draft) -> Iterator[Warning_]:
    """Texts that are much longer or shorter than the earlier ones of their field."""
    for text in draft.texts:
        path = tuple(part for part in text.field.split(".") if not part.isdigit())
        usual = learned.usual.get((stage, path))
        how = "" if usual is None else _how_unusual(text.words, usual)
        if usual is not None and how:
            yield Warning_(
                text.field,
                f"This is much {how} than what is written here otherwise: {_words(text.words)}, where most "
                f"have {_range(usual)}.",
                "length",
            )


def _how_unusual(words: int, usual: Usual) -> str:
    if words >= FAR * usual.high and words >= usual.high + FEW:
        return "longer"
    return "shorter" if words * FAR <= usual.low and words <= usual.low - FEW else ""


def _range(usual: Usual) -> str:
    low, high = math.floor(usual.low), math.ceil(usual.high)
    return f"{low} to {high}" if low < high else f"{low}"


def lengths_apart(item: Sketch) -> Iterator[Warning_]:
    """A choice that has many more, or many fewer, words than all others of its item."""
    if len(item.choices) < 2 or not item.whole:
        return
    counts = sorted(choice.text.words for choice in item.choices)
    for how, own, next_to_it in (("longer", counts[-1], counts[-2]), ("shorter", counts[0], counts[1])):
        long, short = max(own, next_to_it), min(own, next_to_it)
        if long < APART * short or long - short < FEW:
            continue
        odd = next(choice for choice in item.choices if choice.text.words == own)
        others = ", ".join(str(choice.text.words) for choice in item.choices if choice is not odd)
        whose = "right" if odd.right else "wrong"
        told = (
            f"The {whose} choice is much {how} than the others ({own} words against {others}): its length "
            "alone gives it away. Bring them to about the same length."
        )
        yield from _about(item, odd, told, "length")
        return


def _about(item: Sketch, choice: Choice, told: str, kind: Kind) -> Iterator[Warning_]:
    """At the choice itself, or at the first of the others that the writer can change."""
    texts = [choice.text, *(other.text for other in item.choices if other is not choice)]
    field = next((text.field for text in texts if text.field and text.watched is not None), None)
    if field is not None:
        yield Warning_(field, told, kind)


def standing_out(learned: Learned, draft: Draft) -> Iterator[Warning_]:
    """Right choices that stand out just as the right ones of the records so far do."""
    if not learned.standouts:
        return
    for item, rows in _ready(draft):
        columns = columns_of(rows)
        for one in learned.standouts:
            result = earned(one.sign * columns[one.feature], rows)
            if result.credit[0] < 1.0 or not result.decided[0]:
                continue
            told = (
                f"In the work so far, {one.says} is the right one in {one.reached:.0%} of all cases, where "
                f"guessing gets {one.chance:.0%}; and so it is here. Try to write them the other way round."
            )
            right = next(choice for choice in item.choices if choice.right)
            yield from _about(item, right, told, one.kind)


# --- likeness ----------------------------------------------------------------------------------------------


def alike(draft: Draft, eyes: Eyes) -> Iterator[Warning_]:
    """Texts that add nothing to another: an answer to its question, a wrong choice to the right one, a text
    to one that somebody wrote before. All pairs are judged at once, which takes hardly longer than one."""
    found = [*_pairs(draft), *(pair for text in draft.texts for pair in _repeats(text, draft.labels, eyes))]
    pairs = [pair for pair in found if _comparable(pair.first, pair.later)]
    if not pairs:
        return
    ones, others = [pair.first.said for pair in pairs], [pair.later.said for pair in pairs]
    judged = eyes.judge.entails([*ones, *others], [*others, *ones]).tolist()
    for place, pair in enumerate(pairs):
        if pair.how(judged[place], judged[place + len(pairs)]) >= SAME:
            at, other = (pair.later, pair.first) if pair.later.watched else (pair.first, pair.later)
            yield Warning_(at.field, pair.says.format(_short(other.said)), "likeness")


class _Pair(NamedTuple):
    first: Text
    later: Text
    how: Callable[[float, float], float] = lambda follows, _: follows
    """What counts of the chances that the later follows from the first, and that the first does from it."""
    says: str = "This adds nothing to “{}”. Say more, or something else."


def _pairs(draft: Draft) -> Iterator[_Pair]:
    """Texts of one entry of a group, those of one field in several, and what an item is made of."""
    made = [pair for item in draft.items for pair in _of_item(item)]
    known = {frozenset((pair.first.field, pair.later.field)) for pair in made}
    for one, other in combinations(draft.texts, 2):
        if one.watched is other.watched:
            if _entry(one) != _entry(other) and min(one.words, other.words) < LONG:
                continue  # two questions may well have the same short answer
            made.append(_Pair(one, other, min, "This says nearly the same as “{}”. Write something else."))
        elif _entry(one) == _entry(other) and frozenset((one.field, other.field)) not in known:
            made.append(_Pair(one, other))
    yield from (pair for pair in made if pair.first.watched or pair.later.watched)


def _of_item(item: Sketch) -> Iterator[_Pair]:
    for asked in item.asked:
        yield from (_Pair(asked, choice.text) for choice in item.choices)
    both_right = "Either this follows from “{}”, or that from this: then both are right or wrong. Change one."
    for one, other in combinations(item.choices, 2):
        if one.right != other.right:
            right, wrong = (one.text, other.text) if one.right else (other.text, one.text)
            yield _Pair(right, wrong, max, both_right)
        elif one.text.watched is not other.text.watched:
            yield _Pair(one.text, other.text, min, "This says nearly the same as “{}”. Write something else.")


def _entry(text: Text) -> tuple[str, ...]:
    """The entry of a group that a text belongs to; texts of one list belong together."""
    parts = text.field.split(".")
    places = [at for at, part in enumerate(parts) if part.isdigit() and at < len(parts) - 1]
    return tuple(parts[: places[-1] + 1]) if places else ()


def _comparable(one: Text, other: Text) -> bool:
    """Short texts are compared by their letters alone: one synonym would be all that they share."""
    if normalised(one.read) == normalised(other.read):
        return True
    if min(one.words, other.words) < LONG:
        return False
    return worth_judging(stems_of(one.said), stems_of(other.said))


def _repeats(text: Text, labels: Sequence[str], eyes: Eyes) -> Iterator[_Pair]:
    """A text with those that somebody wrote before, where they are near. Short ones recur by right."""
    if text.words < LONG:
        return
    for said, cosine in eyes.earlier(text.field, text.read.bracketed(labels)):
        if cosine >= NEAR:
            read = TaggedText.parse(said, labels)
            before = Text("", read, plain(read, tuple(labels)), word_count(said))
            told = "An earlier text here says nearly the same: “{}”. Find something new."
            yield _Pair(before, text, min, told)


# --- words -------------------------------------------------------------------------------------------------


def telling(learned: Learned, draft: Draft) -> Iterator[Warning_]:
    """Words that lean to the side that the choice they stand in is on."""
    if not learned.telling:
        return
    for item in draft.items:
        for choice in item.choices:
            if choice.text.watched is None:
                continue
            known = [name for name in _runs(choice.text.said) if name in learned.telling]
            held = [(name, one) for name in known if (one := learned.telling[name]).wrong != choice.right]
            if not held:
                continue
            name, one = max(held, key=lambda each: each[1].share - each[1].usual)
            side = "wrong" if one.wrong else "right"
            told = (
                f"“{name}” gives it away: of {one.texts} choices with it so far, {one.share:.0%} were "
                f"{side}, where {one.usual:.0%} would be by chance. Say it in other words."
            )
            yield Warning_(choice.text.field, told, "telling-word")


def _runs(said: str) -> list[str]:
    """The words of a text and its runs of words, as the audit counts them."""
    words = words_in(said)
    return list(dict.fromkeys(
        " ".join(words[start : start + size])
        for size in range(1, LONGEST + 1)
        for start in range(len(words) - size + 1)
    ))  # fmt: skip


# --- a blind model -----------------------------------------------------------------------------------------


def given_away(learned: Learned, draft: Draft, encoder: Encoder) -> Iterator[Warning_]:
    """Items whose right choice is told by a model that sees only the choices."""
    blind = learned.blind
    if blind is None:
        return
    for item, rows in _ready(draft):
        listing = Listing(rows.cases)
        features = blind_features(listing, encoder)
        chances = softmax(features @ blind.weights, listing.starts)
        right, count = item.right, len(item.choices)
        if right is None or chances.argmax() != right or chances[right] < 0.5 + 0.5 / count:
            continue
        told = (
            "A model that sees only the choices, neither picture nor question, picks the right one already "
            f"({chances[right]:.0%} sure). Make the wrong ones as likely by themselves as the right one. "
            f"(It is right in {blind.reached:.0%} of the work so far; guessing gets {blind.chance:.0%}.)"
        )
        yield from _about(item, item.choices[right], told, "blind-model")


def _ready(draft: Draft) -> Iterator[tuple[Sketch, Rows]]:
    """Items that have all their choices, as the audit sees them."""
    for item in draft.items:
        if not item.whole or item.right is None or len(item.choices) < 2:
            continue
        given = TaggedText(tuple(token for text in item.asked for token in text.read.tokens))
        choices = tuple(choice.text.read for choice in item.choices)
        case = Case("draft", "", given, choices, item.right, "", draft.labels, (), "draft", "draft")
        yield item, rows_of(Cases("draft", "", "pick", [case]))


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


def _short(said: str, most: int = 90) -> str:
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"

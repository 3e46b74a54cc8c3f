"""What annotators write about a scene in the manner of PMR: a premise, and four actions.

A premise is background that the picture neither shows nor contradicts. Action-True describes someone in words
that are true of the picture and goes on with what follows from the premise; Action-False has the same image
words and what contradicts it; each distractor is one of them with image words that are false. What follows
from what is in `pmr_tables`; what is true of the picture is proved from seen facts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct, convert, structs, to_builtins

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.world import pmr_tables as tables
from commonsight.world.english import mark, sentence, speaker, tagged, with_article
from commonsight.world.facts import Fact
from commonsight.world.forms import Seen, from_json
from commonsight.world.logic import match
from commonsight.world.lore.table import pattern
from commonsight.world.model import Stage
from commonsight.world.pmr_looks import ImageWords, View, claimed, image_words
from commonsight.world.pmr_tables import Axis, Category, Side
from commonsight.world.voices import Voice, style

ANSWER_TYPES = ("Action-True", "Action-False", "Distractor1", "Distractor2")
ByKind = Mapping[object, Sequence[Fact]]
SAME_STEM = 0.7
"""How often the false action is the true one's very opposite, and not just another of its side."""


Mistake = Literal["image words", "action"]
"""The false image words are true as well, or Action-False does not contradict the premise."""
MISTAKES: tuple[Mistake, ...] = ("image words", "action")


class Premise(Struct, frozen=True):
    """A premise with its four actions, in the order of `ANSWER_TYPES`; entities are marked by id."""

    text: str
    actions: tuple[str, ...]
    order: tuple[int, ...]
    """Which of the actions is shown at each position."""
    category: Category
    slot: Fact
    """What the premise says: a category, whom it is about, and the slot's value."""
    follows: str
    """The table's action behind Action-True; `against` is the one behind Action-False."""
    against: str
    true_words: ImageWords
    false_words: ImageWords
    writer: str
    mistake: Mistake | None = None

    @property
    def label(self) -> int:
        """At which position Action-True is shown."""
        return self.order.index(0)


class Idea(NamedTuple):
    """A premise: a side of an axis, and who is who in it."""

    category: Category
    axis: Axis
    side: int
    p: int
    q: int | None

    def pairs(self) -> list[tuple[str, str]]:
        """What follows and what contradicts, for those who are there."""
        ordered = [pair if self.side == 0 else (pair[1], pair[0]) for pair in self.axis.does]
        return [pair for pair in ordered if self.q is not None or not any("{q}" in part for part in pair)]


def premises(
    stage: Stage, facts: Iterable[Fact], crew: Sequence[Voice], rng: random.Random, visible: Iterable[int],
    limit: int,
) -> list[Premise]:  # fmt: skip
    """Up to `limit` premises about a scene, of different axes.

    `facts` are the seen ones and, where the caller has them, the concluded ones: a premise then never repeats
    or contradicts what can be concluded either.
    """
    view = View(stage, facts, visible)
    ideas: dict[Category, list[Idea]] = {}
    for idea in _ideas(view):
        ideas.setdefault(idea.category, []).append(idea)
    written: list[Premise] = []
    while ideas and len(written) < limit:
        category = rng.choices(list(ideas), [tables.SHARES[name] for name in ideas])[0]
        idea = rng.choice(ideas[category])
        made = _written(view, idea, rng.choice(crew), rng)
        written += [] if made is None else [made]
        ideas[category] = [other for other in ideas[category] if other.axis is not idea.axis]
        ideas = {name: left for name, left in ideas.items() if left}
    return written


def actions_about(view: View, idea: Idea, voice: Voice, rng: random.Random) -> Premise | None:
    """The four actions that an annotator writes to a given premise; None where no words can be found.

    The text of what comes back is the annotator's own wording of the premise.
    """
    side = idea.axis.sides[idea.side]
    return _written(view, idea, voice, rng) if idea.pairs() and _tellable(idea, side) else None


def _ideas(view: View) -> Iterator[Idea]:
    """Every premise that the picture leaves open."""
    facts = by_kind(view.facts)
    pairs: list[tuple[int, int | None]] = [(p, q) for p in view.people for q in view.people if p != q]
    for category, axes in tables.AXES.items():
        for axis in axes:
            for number, side in enumerate(axis.sides):
                for p, q in pairs or [(p, None) for p in view.people]:
                    idea = Idea(category, axis, number, p, q)
                    if open_to(category, side, facts, p, q) and idea.pairs() and _tellable(idea, side):
                        yield idea


def _tellable(idea: Idea, side: Side) -> bool:
    row = side.told or tables.TEMPLATES[idea.axis.form]
    return idea.q is not None or any("{q}" not in wording for wording in row.split("|"))


def by_kind(facts: Iterable[Fact]) -> ByKind:
    """Facts by their kind."""
    sorted_out: dict[object, list[Fact]] = {}
    for fact in facts:
        sorted_out.setdefault(fact[0], []).append(fact)
    return sorted_out


def open_to(category: Category, side: Side, facts: ByKind, p: int, q: int | None) -> bool:
    """Whether what is known of the scene allows the premise, and does not say it already."""
    binding: dict[str, object] = {"?p": p} if q is None else {"?p": p, "?q": q}
    needs, never = tables.LIMITS[category]
    return all(_found(text, facts, binding) for text in _conditions(needs, side.needs)) and not any(
        _found(text, facts, binding) for text in _conditions(never, side.never)
    )


def _conditions(*rows: str) -> list[str]:
    return [text.strip() for row in rows for text in row.split(";") if text.strip()]


_pattern = lru_cache(maxsize=None)(pattern)


def _found(condition: str, facts: ByKind, binding: Mapping[str, object]) -> bool:
    wanted = _pattern(condition)
    return any(match(wanted, fact, binding) is not None for fact in facts.get(wanted[0], ()))


# --- writing -----------------------------------------------------------------------------------------------


def _written(view: View, idea: Idea, voice: Voice, rng: random.Random) -> Premise | None:
    """The premise in a voice's words; None where nobody can be described both truly and falsely."""
    say = speaker(voice, rng)
    follows, against = _actions(idea, rng)
    mistake: Mistake | None = rng.choice(MISTAKES) if rng.random() < voice.mistakes else None
    if mistake == "action":
        others = [pair[0] for pair in idea.pairs() if pair[0] != follows]
        against, mistake = (rng.choice(others), mistake) if others else (against, None)
    who = _described(idea, follows, against, rng)
    words = image_words(view, who, idea.category, mistake == "image words", rng)
    if words is None:
        return None
    value = rng.choice(idea.axis.sides[idea.side].values.split("|"))
    fronted = who == idea.p and all(word.kind in tables.FRONTED for word in words) and rng.random() < 0.3
    row = (tables.FRONTED if fronted else tables.WORDS)[words[0].kind]
    wording = row.split("|").index(say(row))
    true, false = (_worded(word, fronted, wording, voice, rng) for word in words)
    will = style(voice, say(tables.WILL), rng)
    parts = [style(voice, part, rng) for part in (_filled(follows, idea), _filled(against, idea))]
    actions = tuple(_assembled(idea.p, will, part, word, fronted) for word in (true, false) for part in parts)
    order = list(range(4))
    rng.shuffle(order)
    return Premise(
        text=style(voice, _premise(idea, value, say), rng), actions=actions, order=tuple(order),
        category=idea.category, slot=(idea.category, idea.p, idea.q, value), follows=follows, against=against,
        true_words=true, false_words=false, writer=voice.name, mistake=mistake,
    )  # fmt: skip


def _actions(idea: Idea, rng: random.Random) -> tuple[str, str]:
    """An action that follows and one that contradicts, often its very opposite."""
    pairs = idea.pairs()
    weights = [
        1.0 + sum("{q}" in part for part in pair) for pair in pairs
    ]  # most actions are done to someone
    follows, against = rng.choices(pairs, weights)[0]
    return (follows, against) if rng.random() < SAME_STEM else (follows, rng.choices(pairs, weights)[0][1])


def _liking(pair: tuple[str, str]) -> float:
    """Most actions are done to someone, and short ones are sooner written."""
    words = sum(len(part.split()) for part in pair)
    return (1.0 + sum("{q}" in part for part in pair)) / words**4


def _filled(wording: str, idea: Idea) -> str:
    return wording.replace("{p}", mark(idea.p)).replace("{q}", mark(idea.q))


def _premise(idea: Idea, value: str, say: Callable[[str], str]) -> str:
    row = idea.axis.sides[idea.side].told or tables.TEMPLATES[idea.axis.form]
    if idea.q is None:
        row = "|".join(wording for wording in row.split("|") if "{q}" not in wording)
    wording = say(row).replace("{a v}", with_article(value)).replace("{v}", value)
    return sentence(_filled(wording, idea))


def _described(idea: Idea, follows: str, against: str, rng: random.Random) -> int:
    """Whom the image words are about: the one who acts, or the other where both actions name them."""
    named = all("{q}" in action.replace("{q}'s", "") for action in (follows, against))
    return idea.q if idea.q is not None and named and rng.random() < 0.4 else idea.p


def _worded(word: ImageWords, fronted: bool, wording: int, voice: Voice, rng: random.Random) -> ImageWords:
    """The words in the wording that true and false ones share."""
    row = (tables.FRONTED if fronted else tables.WORDS)[word.kind].split("|")
    counted = tables.UNCOUNTED.get(word.value) or with_article(word.said)
    text = row[wording % len(row)].replace("{a v}", counted).replace("{v}", word.said)
    return structs.replace(word, text=style(voice, text.replace("{V}", sentence(word.said, "")), rng))


def _assembled(p: int, will: str, part: str, word: ImageWords, fronted: bool) -> str:
    if fronted:
        return f"{word.text}, {mark(p)} {will} {part}."
    text = f"{mark(p)} {will} {part}."
    named = re.search(rf"{re.escape(mark(word.entity))}(?!')", text)
    assert named is not None
    return f"{text[: named.end()]} {word.text}{text[named.end() :]}"


# --- items and checks --------------------------------------------------------------------------------------


def items(
    stage: Stage, facts: Iterable[Fact], crew: Sequence[Voice], rng: random.Random, visible: Iterable[int],
    limit: int, *, index: Mapping[int, int], first: int, image: str, image_id: str, split: str = "train",
) -> list[Item]:  # fmt: skip
    """The premises about a scene as items, numbered from `first`; `index` maps entities to regions."""
    written = premises(stage, facts, crew, rng, visible, limit)
    return [
        to_item(premise, stage, index, str(first + number), image, image_id, split)
        for number, premise in enumerate(written)
    ]


def to_item(
    premise: Premise, stage: Stage, index: Mapping[int, int], name: str, image: str, image_id: str, split: str
) -> Item:
    """A premise as an item, the way the benchmark's reader makes one."""
    names = {actor.id: "person" for actor in stage.actors} | {prop.id: prop.name for prop in stage.props}
    entities = sorted(index, key=lambda entity: index[entity])
    return Item(
        name,
        split,
        (Scene(image, tuple(Region(names[entity]) for entity in entities)),),
        {"premise": tagged(premise.text, index, names)},
        tuple(tagged(premise.actions[number], index, names) for number in premise.order),
        Pick(premise.label),
        groups={"movie": stage.movie, "image": image_id, "category": premise.category, "half": "ori"},
        provenance={
            "drawn": True,
            "form": to_builtins(premise),
            "image_words": {"true": premise.true_words.text, "false": premise.false_words.text},
            "entities": entities,
            "writer": premise.writer,
            "mistake": premise.mistake,
        },
        extra={
            "answer_types": [ANSWER_TYPES[number] for number in premise.order],
            "metadata_fn": f"{image.rpartition('.')[0] or image}.json",
            "pal_id": -1,
        },
    )


def from_item(item: Item) -> Premise:
    """The premise behind an item, as its provenance tells it."""
    premise = convert(item.provenance["form"], Premise)
    true, false = premise.true_words, premise.false_words
    return structs.replace(
        premise,
        true_words=structs.replace(true, claim=from_json(true.claim)),
        false_words=structs.replace(false, claim=from_json(false.claim)),
    )


def check(written: Premise | Item, facts: Iterable[Fact]) -> bool:
    """Whether the label is proved: the premise is open, the action pair is the table's, the image words are
    true and false as they should be, and the four texts are made of these."""
    premise = from_item(written) if isinstance(written, Item) else written
    if isinstance(written, Item) and not _tells(written, premise):
        return False
    facts = frozenset(facts)
    seen = Seen(facts)
    category, p, q, value = premise.slot
    assert isinstance(p, int)
    assert q is None or isinstance(q, int)
    axis, side = side_of(premise.category, str(value))
    true, false = premise.true_words, premise.false_words
    return (
        category == premise.category
        and open_to(premise.category, axis.sides[side], by_kind(facts), p, q)
        and premise.follows in {pair[side] for pair in axis.does}
        and premise.against in {pair[1 - side] for pair in axis.does}
        and facts.issuperset(true.evidence)
        and claimed(true, seen, facts)
        and not claimed(false, seen, facts)
        and tuple(action.replace(true.text, false.text, 1) for action in premise.actions[:2])
        == premise.actions[2:]
        and len(set(premise.actions)) == len(ANSWER_TYPES)
    )


def side_of(category: Category, value: str) -> tuple[Axis, int]:
    """The axis that a value is on, and its side."""
    for axis in tables.AXES[category]:
        for number, side in enumerate(axis.sides):
            if value in side.values.split("|"):
                return axis, number
    raise ValueError(f"no premise of the category {category!r} has the value {value!r}")


def _tells(item: Item, premise: Premise) -> bool:
    """Whether the item shows the premise's own texts, and its label is the premise's."""
    entities = item.provenance["entities"]
    index = {entity: number for number, entity in enumerate(entities)}
    names = dict(zip(entities, item.labels, strict=True))
    shown = tuple(tagged(premise.actions[number], index, names) for number in premise.order)
    types = [ANSWER_TYPES[number] for number in premise.order]
    return (
        item.gold == Pick(premise.label)
        and item.extra["answer_types"] == types
        and item.choices == shown
        and item.texts["premise"] == tagged(premise.text, index, names)
    )

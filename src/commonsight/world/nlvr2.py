"""Sets of eight similar scenes, paired, with sentences that are true of two pairs and false of the others.

Made as the NLVR2 paper collected its photographs (Suhr et al., 2019, section 3): a search for one kind of
thing gives eight scenes; they are paired at random; a writer picks two pairs and writes a sentence that tells
them from the other two; validators label each pair, and examples on which they disagree are dropped. Every
sentence carries the form that it was worded from, so that anyone can prove its labels (`check`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from commonsight.core.answer import Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.errors import UsageError
from commonsight.world import forms_english as english
from commonsight.world.facts import Fact, seen
from commonsight.world.forms import (
    SPATIAL,
    Form,
    Pair,
    Seen,
    from_json,
    holds_in,
    mentioned,
    parts_of,
    phenomena,
    reasoning,
    visible_facts,
)  # fmt: skip
from commonsight.world.forms_english import Clause, Noun, Predicate, Said, an
from commonsight.world.model import Stage
from commonsight.world.nlvr2_scenes import TABLES, Plan, Scenes, similar_scenes
from commonsight.world.things import THINGS
from commonsight.world.voices import Voice, prefer, style

PAIRS = 4
TRIES = 400
"""How many sentences a writer thinks of before giving a set up."""
EXTRA = 4
"""Further validators of a dev or test example; an example with two that disagree is dropped (section 3.4)."""
REPEATED = 0.3
"""How often a validator falls for what the writer fell for."""


class Votes(Struct, frozen=True):
    """What validators said of one pair, by name, as "True" or "False"."""

    validation: dict[str, str]
    extra: dict[str, str]

    def keeps(self, label: bool) -> bool:
        """Whether the example stays: the validator agrees with the writer, the others mostly do."""
        against = [said for said in self.extra.values() if said != str(label)]
        return list(self.validation.values()) == [str(label)] and len(against) < 2


class Sentence(Struct, frozen=True):
    """What one writer wrote about a set, and what became of it."""

    text: str
    form: Form
    tags: tuple[str, ...]
    """Phenomena of the paper's Table 5."""
    reasoning: str
    """Reasoning over the pair, of the paper's Table 10."""
    writer: str
    selected: tuple[int, ...]
    """The pairs that the writer takes the sentence to be true of."""
    votes: tuple[Votes, ...]
    """By pair."""
    mistake: int | None = None
    """The pair that the writer got wrong."""


class Nlvr2Set(Struct, frozen=True):
    """Eight scenes, how they are paired, and the sentences written about them; none where no writer could."""

    split: str
    number: int
    synset: str
    query: str
    stages: tuple[Stage, ...]
    pairs: tuple[tuple[int, int], ...]
    """Left and right scene of each pair, by position in `stages`."""
    sentences: tuple[Sentence, ...]


def nlvr2_set(seed: int, number: int, split: str, crew: Sequence[Voice]) -> Nlvr2Set:
    """Set `number` of a split: the same for the same arguments, whichever sets were made before."""
    if len(crew) < EXTRA + 2:
        raise UsageError(f"{len(crew)} annotators are too few. Give at least {EXTRA + 2}: voices(seed, 12).")
    rng = random.Random(f"{seed}:nlvr2:{split}:{number}")
    scenes = similar_scenes(rng, f"{split}-{number}")
    pairs = _paired(rng, scenes)
    facts = [seen(stage) for stage in scenes.stages]
    known = [_pair(facts[a], facts[b]) for a, b in pairs]
    words = {definite: _vocabulary(rng, scenes, facts, definite) for definite in (False, True)}
    writers = rng.sample(list(crew), 2)
    written = (_write(rng, words, known, voice, crew, split) for voice in writers)
    theme = scenes.plan.theme.noun
    sentences = tuple(sentence for sentence in written if sentence is not None)
    return Nlvr2Set(split, number, theme, _query(rng, scenes.plan), scenes.stages, pairs, sentences)


def _paired(rng: random.Random, scenes: Scenes) -> tuple[tuple[int, int], ...]:
    order = rng.sample(range(len(scenes.stages)), len(scenes.stages))
    return tuple(zip(order[::2], order[1::2], strict=True))


def _pair(left: frozenset[Fact], right: frozenset[Fact]) -> Pair:
    return Pair(Seen(left), Seen(right), Seen(left, right))


class SetScenes(NamedTuple):
    """The scenes of a set and how its pictures are called: `<split>-<number>-<pair>-img<side>.png`."""

    scenes: Scenes
    pairs: tuple[tuple[int, int], ...]


def scenes_of_set(seed: int, number: int, split: str) -> SetScenes:
    """The same scenes as `nlvr2_set` makes of these arguments, without anybody writing about them."""
    rng = random.Random(f"{seed}:nlvr2:{split}:{number}")
    scenes = similar_scenes(rng, f"{split}-{number}")
    return SetScenes(scenes, _paired(rng, scenes))


def sentence_about(
    scenes: Scenes, pairs: Sequence[tuple[int, int]], voice: Voice, rng: random.Random
) -> Sentence | None:
    """What an annotator writes about four pairs of a set's scenes, however they are paired; without votes."""
    facts = [seen(stage) for stage in scenes.stages]
    words = {definite: _vocabulary(rng, scenes, facts, definite) for definite in (False, True)}
    return _write(rng, words, [_pair(facts[a], facts[b]) for a, b in pairs], voice, (), "")


def true_of_pair(form: Form, left: Stage, right: Stage) -> bool:
    """Whether a sentence's form holds of two scenes, side by side."""
    return _pair(seen(left), seen(right)).holds(form)


def _query(rng: random.Random, plan: Plan) -> str:
    """What was searched for, by one of the heuristics of the paper's Table 1."""
    noun, many = plan.theme.noun, _many(plan.theme.noun)
    kind = THINGS[noun].category
    similar = f"{many} sleeping" if kind == "animal" else f"{noun} {plan.companion}"
    return rng.choice((f"group of {many}", f"two {many}", f"{noun} {kind}", similar))


# Words: what there is to say about a set.


class Vocabulary(NamedTuple):
    """Nouns from the likeliest on, and what can be said of each, by its singular."""

    nouns: tuple[Noun, ...]
    predicates: dict[str, tuple[Predicate, ...]]
    pools: tuple[Noun, ...]
    """Two nouns taken together, as in "dogs and cats"."""


PREPOSITIONS = {
    "next_to": ("next to", "beside", "right by"), "behind": ("behind",), "sits_on": ("sitting on",),
    "left_of": ("to the left of", "left of", "somewhere to the left of"), "on": ("on", "on top of"),
    "right_of": ("to the right of", "right of", "somewhere to the right of"),
}  # fmt: skip
CALLED = {"dining table": "table", "sports ball": "ball"}
STATE_WORDS = {"fallen": "knocked over", "asleep": "sleeping"}
COLLECTIVE = {"animal": "animal", "bag": "bag", "toy": "toy", "fruit": "piece of fruit"}
UNUSUAL = {"person": "people", "child": "children", "piece of fruit": "pieces of fruit"}
KINDS = {
    "hard": 82, "soft": 23, "some": 8, "every": 17, "no": 4, "not": 3, "the": 14, "same": 15, "more": 2.5,
    "pooled": 26,
}  # fmt: skip
"""How often a writer thinks of what; so chosen that what is found comes near the paper's Table 5."""
SCOPES = {
    "pair": 44, "left": 17, "right": 17, "one image": 27, "both images": 18, "compare": 5.5,
    "exactly one image": 4.5, "neither image": 0.5,
}  # fmt: skip
"""The same for the paper's Table 10."""
TRAILING = re.compile(r"(next to|behind|of|on|holding) (an?|the) \w+( \w+)? in (the|one|both|each|at)\b")
"""Who is in the left image in "a dog is next to a bench in the left image"?"""
SECOND = 0.65
"""How often a second clause is added."""
SOFT = (
    ("at least", 0, "at least {}"), ("at least", 0, "{} or more"), ("at most", 0, "at most {}"),
    ("no more than", 0, "no more than {}"), ("fewer than", 1, "fewer than {}"),
    ("more than", -1, "more than {}"),
)  # fmt: skip


def _many(noun: str) -> str:
    if noun in UNUSUAL:
        return UNUSUAL[noun]
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _noun(form: Form, name: str) -> Noun:
    name = CALLED.get(name, name)
    return Noun(form, name, _many(name))


def _vocabulary(
    rng: random.Random, scenes: Scenes, facts: Sequence[frozenset[Fact]], definite: bool
) -> Vocabulary:
    plan, everything = scenes.plan, sorted(set(chain.from_iterable(facts)), key=repr)
    person = _noun(("is", "person"), "person")
    theme, companion = (_noun(("is", n), n) for n in (plan.theme.noun, plan.companion))
    nouns = [theme, theme, theme, person, person, companion]
    kinds = {THINGS[n].category for n in (plan.theme.noun, plan.companion)}
    if len(kinds) == 1 and (kind := kinds.pop()) in COLLECTIVE:
        nouns.append(_noun(("category", kind), COLLECTIVE[kind]))
    if any(fact[0] == "age" and fact[2] == "child" for fact in everything):
        nouns.append(_noun(("all_of", person.form, ("has", "age", "child")), "child"))
    predicates = {
        noun.one: tuple(_predicates(rng, noun, plan, everything, definite)) for noun in dict.fromkeys(nouns)
    }
    names = sorted({noun.one for noun in nouns if len(predicates[noun.one]) >= 2})
    pools = [
        Noun(("any_of", theme.form, companion.form), "", f"{theme.many} and {companion.many} combined"),
        *_ambiguous(theme, companion, predicates[theme.one]),
    ]
    return Vocabulary(tuple(noun for noun in nouns if noun.one in names), predicates, tuple(pools))


def _ambiguous(theme: Noun, other: Noun, predicates: Sequence[Predicate]) -> Iterator[Noun]:
    """ "Brown dogs and cats": are the cats brown?"""
    for predicate in predicates:
        if predicate.adjective:
            one, both = ("all_of", theme.form, predicate.form), ("all_of", other.form, predicate.form)
            many = f"{predicate.text} {theme.many} and {other.many} combined"
            yield Noun(("any_of", one, other.form), "", many, ("any_of", one, both))


def _predicates(
    rng: random.Random, noun: Noun, plan: Plan, facts: Sequence[Fact], definite: bool
) -> Iterator[Predicate]:
    names = mentioned(noun.form)
    name = next(iter(names), "")
    if names == {"person"}:
        yield from _personal(rng, facts, plan)
    elif names:
        for colour in sorted(plan.colours[name]) if len(plan.colours[name]) > 1 else ():
            yield Predicate(("has", "colour", colour), colour, True)
        state = plan.states.get(name)
        if state is not None:
            yield Predicate(("has", "state", state), STATE_WORDS.get(state, state), state not in STATE_WORDS)
        if name == plan.theme.noun and len(plan.sizes) > 1:
            yield from (Predicate(("has", "size", size), size, True) for size in plan.sizes)
        if THINGS[name].stands == "surface":
            yield _related(rng, "on", TABLES.get(plan.place, "dining table"), definite)
            if plan.carried == name:
                yield Predicate(("rel", "held_by", ("is", "person")), "being held by a person")
            return
    for relation in ("next_to", "left_of", "right_of", "behind", "next_to"):
        yield _related(rng, relation, plan.anchor, definite)


def _related(rng: random.Random, relation: str, name: str, definite: bool) -> Predicate:
    form: Form = ("the", ("is", name)) if definite else ("is", name)
    called = CALLED.get(name, name)
    text = f"the {called}" if definite else an(called)
    return Predicate(("rel", relation, form), f"{rng.choice(PREPOSITIONS[relation])} {text}")


def _personal(rng: random.Random, facts: Sequence[Fact], plan: Plan) -> Iterator[Predicate]:
    for pose in sorted({str(fact[2]) for fact in facts if fact[0] == "pose"} - {"sitting"}):
        yield Predicate(("has", "pose", pose), pose)
    for hat in sorted({str(fact[2]) for fact in facts if fact[0] == "hat"}):
        yield Predicate(("has", "hat", hat), f"wearing {an(hat)}")
    for top in plan.tops:
        yield Predicate(("has", "top", top), f"wearing {an(top)} top")
    held: Form = ("is", plan.carried)
    holding = f"holding {an(CALLED.get(plan.carried, plan.carried))}"
    yield Predicate(("rel", "holds", held), holding)
    for colour in plan.colours[plan.carried][:2]:
        form: Form = ("rel", "holds", ("all_of", held, ("has", "colour", colour)))
        yield Predicate(form, f"{holding} that is {colour}")
    if plan.seats:
        yield _related(rng, "sits_on", plan.anchor, False)


# Sentences: what a writer thinks of, until something tells two pairs from the others.


def _some_of(rng: random.Random, words: Vocabulary, least: int, most: int) -> tuple[Noun, list[Predicate]]:
    noun = rng.choice(words.nouns)
    known = words.predicates[noun.one]
    spatial = [p for p in known if p.form[0] == "rel" and p.form[1] in SPATIAL]
    plain = [p for p in known if p not in spatial]
    order = (spatial, plain) if rng.random() < 0.3 else (plain, spatial)
    chosen = [rng.choice(pool) for pool in order if pool]
    chosen = chosen[: rng.randint(least, most)]
    while len(chosen) < least:
        chosen.append(rng.choice([p for p in known if p not in chosen]))
    chosen.sort(key=lambda p: not p.adjective)
    return noun, chosen


def _clause(rng: random.Random, words: Vocabulary, kind: str) -> Clause:
    if kind == "pooled":
        return _counted(rng, rng.choice(words.pools), [], rng.choice(("hard", "soft")))
    alone = kind in ("hard", "soft") and rng.random() < 0.5
    both = kind == "some" and rng.random() < 0.7  # that there is a brown dog says little
    noun, chosen = _some_of(rng, words, 0 if alone else 2 if both else 1, 2)
    if kind == "same":
        noun, chosen = _some_of(rng, words, 2, 2)
        return english.same_clause(noun, chosen[1], chosen[0], rng.choice((1, 1, 1, 2, 2, 3)), rng)
    if kind == "more":
        plain = [other for other in words.nouns if other.form[0] == "is"]
        noun = rng.choice(plain)
        return english.more_clause(noun, rng.choice(plain), [], rng)  # a noun against itself is never good
    if kind == "not":
        last = chosen.pop()
        return english.some_clause(noun, [*chosen, english.negated(last)], rng)
    if kind in ("hard", "soft"):
        return _counted(rng, noun, chosen, kind)
    make = {"some": english.some_clause, "every": english.every_clause, "no": english.no_clause}
    return make.get(kind, english.the_clause)(noun, chosen, rng)


def _counted(rng: random.Random, noun: Noun, chosen: list[Predicate], kind: str) -> Clause:
    number = rng.choice((1, 1, 2, 2, 2, 3, 3, 4) if noun.one else (2, 3, 3, 4, 4, 5, 6))
    if kind == "hard":
        words = rng.choice(("exactly {}", "{}", "only {}", "just {}")).format(english.NUMBERS[number])
        return english.count_clause(noun, chosen, "exactly", number, words, rng)
    how, more, text = rng.choice(SOFT)
    number = max(number + more, 2 if how == "fewer than" or not noun.one else 1)
    return english.count_clause(noun, chosen, how, number, text.format(english.NUMBERS[number]), rng)


def _thought(rng: random.Random, words: dict[bool, Vocabulary], scope: str) -> Said | None:
    if scope == "compare":
        noun, chosen = _some_of(rng, words[False], 0, 1)
        return english.say_compared(noun, chosen, rng)
    definite = scope != "pair" and rng.random() < 0.7
    kinds = [k for k in KINDS if not (k == "the" and scope == "pair")]
    if scope == "neither image":
        kinds = ["some", "hard"]
    kind, second = rng.choices(kinds, [KINDS[k] for k in kinds], k=2)
    clause = _clause(rng, words[definite], kind)
    if scope in ("left", "right") and clause.shown and rng.random() < 0.15:
        other = _clause(rng, words[definite], second)
        return _both_sides(clause, other, rng) if other.shown else None
    if rng.random() < SECOND and not clause.joined:
        other = _clause(rng, words[definite], second)
        if other.joined or other.claim[-1] == clause.claim[-1]:
            return None
        clause = english.join(clause, other, rng.choice(("and", "and", "and", "while", "but")))
    return english.say(scope, clause, rng)


def _both_sides(left: Clause, right: Clause, rng: random.Random) -> Said:
    form: Form = ("and", ("left", left.claim), ("right", right.claim))
    readings = [("and", ("left", reading), form[2]) for reading in left.readings]
    readings += [("and", form[1], ("right", reading)) for reading in right.readings]
    word = rng.choice(("and", "while"))
    texts = (
        f"the left image shows {left.shown} {word} the right image shows {right.shown}",
        f"{left.there} in the left image, {word} {right.there} in the right image",
    )
    return Said(form, texts, tuple(readings), left.tags | right.tags)


def _write(
    rng: random.Random, words: dict[bool, Vocabulary], pairs: Sequence[Pair], voice: Voice,
    crew: Sequence[Voice], split: str,
) -> Sentence | None:  # fmt: skip
    """A sentence of two pairs, by one writer; one who errs takes a pair for what it is not."""
    errs = rng.random() < voice.mistakes
    scope = rng.choices(tuple(SCOPES), tuple(SCOPES.values()))[0]
    for attempt in range(TRIES):
        if attempt % 100 == 99:
            scope = rng.choices(tuple(SCOPES), tuple(SCOPES.values()))[0]
        said = _thought(rng, words, scope)
        if said is None:
            continue
        true = [pair for pair in range(PAIRS) if pairs[pair].holds(said.form)]
        if len(true) in ((1, 3) if errs else (2,)) and _good(said, pairs, true):
            break
    else:
        return None
    mistake = None
    if errs:
        mistake = rng.choice(true if len(true) == 3 else [pair for pair in range(PAIRS) if pair not in true])
    selected = tuple(pair for pair in range(PAIRS) if (pair in true) != (pair == mistake))
    text, tags = _worded(rng, voice, said)
    votes = tuple(
        _votes(rng, voice, crew, pair in true, pair == mistake, said.form, split)
        for pair in (range(PAIRS) if crew else ())
    )
    return Sentence(
        text, said.form, tuple(sorted(tags)), reasoning(said.form), voice.name, selected, votes, mistake
    )


def _good(said: Said, pairs: Sequence[Pair], true: Sequence[int]) -> bool:
    """Whether all readings agree, and what is named is there in a pair that was not selected (Table 8)."""
    scope, claim = said.form[:2]
    halves = [(scope, half) for half in claim[1:]] if claim[0] == "and" else []
    if scope == "and":
        halves = list(said.form[1:])
    if any(len({pair.holds(half) for pair in pairs}) == 1 for half in halves):
        return False  # half of the sentence would say nothing
    unselected = [pairs[pair] for pair in range(PAIRS) if pair not in true]
    named = [("pair", ("some", ("is", name))) for name in mentioned(said.form)]
    return all(any(pair.holds(form) for pair in unselected) for form in named) and all(
        pairs[pair].holds(reading) == (pair in true) for reading in said.readings for pair in range(PAIRS)
    )


def _worded(rng: random.Random, voice: Voice, said: Said) -> tuple[str, set[str]]:
    plain = prefer(voice, said.texts, rng)
    tags = set(said.tags | phenomena(said.form)) - {"existential"}
    if re.search(r"\b(and|while|but|either)\b", plain):
        tags.add("coordination")
    if re.search(r"\bthere (is|are)\b", plain):
        tags.add("existential")
    if TRAILING.search(plain):
        tags.add("pp attachment")
    parts = list(parts_of(said.form))
    if re.search(r"holding an? [\w ]+ that is", plain):
        tags.add("sbar attachment")
    if any(p[0] == "any_of" and p[1][0] == "all_of" for p in parts):
        tags.add("cc attachment")
    text = style(voice, plain, rng)
    text = text[0].upper() + text[1:] + ("" if rng.random() < voice.lazy else ".")
    return text, tags


def _votes(
    rng: random.Random, writer: Voice, crew: Sequence[Voice], true: bool, mistaken: bool, form: Form,
    split: str,
) -> Votes:  # fmt: skip
    """What validators say: mostly what is so. Longer forms are harder, and errors are catching."""
    others = [voice for voice in crew if voice.name != writer.name]
    asked = rng.sample(others, 1 if split == "train" else 1 + EXTRA)
    if rng.random() < 0.115:  # writers validate their own sentences that often (footnote 8)
        asked[0] = writer
    hard = REPEATED if mistaken else 0.02 + 0.004 * len(list(parts_of(form)))
    said = {voice.name: str(true != (rng.random() < hard + voice.mistakes)) for voice in asked}
    first, *rest = said.items()
    return Votes(dict([first]), dict(rest))


# Items: the examples that stay.


def items(made: Nlvr2Set) -> list[Item]:
    """The examples of a set that validation leaves."""
    kept = []
    for place, sentence in enumerate(made.sentences):
        for pair in range(PAIRS):
            label = pair in sentence.selected
            if sentence.votes[pair].keeps(label):
                kept.append(_item(made, place, sentence, pair, label))
    return kept


def _item(made: Nlvr2Set, place: int, sentence: Sentence, pair: int, label: bool) -> Item:
    name, votes = f"{made.split}-{made.number}", sentence.votes[pair]
    left, right = (made.stages[position] for position in made.pairs[pair])
    extra = {
        "left_url": f"drawn:{left.id}", "right_url": f"drawn:{right.id}", "writer": sentence.writer,
        "synset": made.synset, "query": made.query, "validation": votes.validation,
    }  # fmt: skip
    return Item(
        f"{name}-{pair}-{place}",
        made.split,
        (Scene(f"{name}-{pair}-img0.png"), Scene(f"{name}-{pair}-img1.png")),
        {"sentence": TaggedText.plain(sentence.text)},
        gold=Verdict(label),
        groups={"sentence": f"{name}-{place}", "set": name},
        provenance={
            "drawn": True, "form": sentence.form, "tags": list(sentence.tags),
            "reasoning": sentence.reasoning, "mistake": pair == sentence.mistake,
        },
        extra={**extra, "extra_validations": votes.extra} if votes.extra else extra,
    )  # fmt: skip


def check(
    item: Item, left: Stage, right: Stage, visible: tuple[Collection[int], Collection[int]] | None = None
) -> bool:
    """Whether the item's label follows from its form and its scenes, of which these ids (or all) are seen."""
    stages = (left, right)
    shown = visible or tuple({*(a.id for a in s.actors), *(p.id for p in s.props)} for s in stages)
    facts = [visible_facts(stage, ids) for stage, ids in zip(stages, shown, strict=True)]
    return item.gold == Verdict(holds_in(from_json(item.provenance["form"]), facts[0], facts[1]))

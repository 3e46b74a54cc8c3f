"""Synthetic benchmarks: clean ones, in which nothing gives the answer away, and ones with a planted shortcut.

An audit that cries wolf over a clean set is worth as little as one that misses a plant: both are tested here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import structs

from commonsight.audit.probe import Subject
from commonsight.core.answer import Pick, Verdict
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.core.scene import Region, Scene
from commonsight.core.text import TaggedText, Token

_STARTS = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu")
_ENDS = ("dan", "fer", "gil", "kon", "lum", "mas", "nek", "pir", "ros", "tud", "var", "wes")
WORDS = tuple(start + end for start in _STARTS for end in _ENDS)
"""Words that mean nothing, so that no encoder can know better."""
MOVIES = 40
CHOICES = 4


def clean_items(count: int, seed: int, *, splits: Sequence[str] = ("train", "val")) -> list[Item]:
    """Four-choice items whose words, lengths, positions and tags say nothing about the right choice."""
    rng = random.Random(f"{seed}:clean")
    return [_item(number, splits[number % MOVIES * len(splits) // MOVIES], rng) for number in range(count)]


def _item(number: int, split: str, rng: random.Random) -> Item:
    movie = f"movie{number % MOVIES}"
    people = rng.randint(1, 3)
    regions = (*[Region("person")] * people, Region(rng.choice(("dog", "cup", "car"))))
    return Item(
        f"{split}-{number}",
        split,
        (Scene(f"{movie}/{number}.png", regions),),
        {"question": _text(rng, rng.randint(5, 9), len(regions), "?")},
        tuple([_text(rng, rng.randint(4, 12), len(regions), ".") for _ in range(CHOICES)]),
        Pick(rng.randrange(CHOICES)),
        groups={"movie": movie, "image": f"{movie}/{number}"},
    )


def _text(rng: random.Random, words: int, regions: int, end: str) -> TaggedText:
    tokens: list[Token] = [rng.choice(WORDS) for _ in range(words)]
    tokens[rng.randrange(words)] = (rng.randrange(regions),)
    return TaggedText((*tokens, end))


def clean_verdicts(count: int, seed: int) -> list[Item]:
    """Sentences that are true of two of four pairs: the text alone says nothing."""
    rng = random.Random(f"{seed}:verdicts")
    found: list[Item] = []
    for sentence in range((count + 3) // 4):
        text = TaggedText.plain(" ".join(rng.choice(WORDS) for _ in range(rng.randint(6, 15))) + ".")
        truths = rng.sample((True, True, False, False), 4)
        for pair, truth in enumerate(truths):
            name = f"dev-{sentence}-{pair}-0"
            scenes = (Scene(f"{name}-img0.png"), Scene(f"{name}-img1.png"))
            groups = {"sentence": f"dev-{sentence}-0", "set": f"dev-{sentence}"}
            found.append(Item(name, "dev", scenes, {"sentence": text}, gold=Verdict(truth), groups=groups))
    return list(islice(found, count))


Plant = Callable[[Item, random.Random], Item]


def planted(items: Sequence[Item], plant: Plant, share: float, seed: int) -> list[Item]:
    """The same items, a share of them changed by `plant`."""
    rng = random.Random(f"{seed}:plant")
    return [plant(item, rng) if rng.random() < share else item for item in items]


def longer_answer(item: Item, rng: random.Random) -> Item:
    """The right choice gets four words more."""
    more = [rng.choice(WORDS) for _ in range(4)]
    return _with_right(item, lambda right: TaggedText((*more, *right.tokens)))


def watermark(item: Item, rng: random.Random) -> Item:
    """The right choice holds a word that others hardly do."""
    del rng
    return _with_right(item, lambda right: TaggedText(("indeed", *right.tokens)))


def first_position(item: Item, rng: random.Random) -> Item:
    """The right choice stands first."""
    del rng
    at = _gold(item)
    order = (at, *(place for place in range(len(item.choices)) if place != at))
    return structs.replace(item, choices=tuple(item.choices[place] for place in order), gold=Pick(0))


def repeated_tag(item: Item, rng: random.Random) -> Item:
    """The right choice points to the object that the question points to (the flaw found in VCR)."""
    del rng
    tag = next(item.texts["question"].references())
    return _with_right(
        item,
        lambda right: TaggedText(tuple(word if isinstance(word, str) else (tag,) for word in right.tokens)),
    )


def leaked(items: Sequence[Item], share: float, seed: int) -> list[Item]:
    """A share of the items of the first split is also in the last, under other ids."""
    rng = random.Random(f"{seed}:leak")
    splits = list(dict.fromkeys(item.split for item in items))
    first = [item for item in items if item.split == splits[0]]
    again = rng.sample(first, round(share * len(first)))
    return [*items, *(structs.replace(item, id=f"again-{item.id}", split=splits[-1]) for item in again)]


def _gold(item: Item) -> int:
    assert isinstance(item.gold, Pick)
    return item.gold.index


def _with_right(item: Item, change: Callable[[TaggedText], TaggedText]) -> Item:
    at = _gold(item)
    choices = tuple(change(text) if place == at else text for place, text in enumerate(item.choices))
    return structs.replace(item, choices=choices)


def _ask_choice(item: Item) -> Ask:
    return Ask(item.id, "choose", item.scenes, item.texts, "pick", item.choices, item.gold)


def _ask_verdict(item: Item) -> Ask:
    return Ask(item.id, "verify", item.scenes, item.texts, "verdict", (), item.gold)


CHOOSE = Task("choose", "Choose one of four", _ask_choice, ("accuracy",), "image")
VERIFY = Task("verify", "True or false", _ask_verdict, ("accuracy",), "sentence")


def subject_of(items: Sequence[Item], task: Task = CHOOSE) -> Subject:
    """Items in memory as something to audit."""
    group = task.grouped_by
    return Subject(
        "synthetic", "synthetic", "A synthetic benchmark", lambda: iter(items), (task,),
        cluster_of=lambda item: item.groups.get(group, item.id),
    )  # fmt: skip

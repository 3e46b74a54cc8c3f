"""A protocol for tests in which people write questions with choices, and items that lean as they are told."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from commonsight.collect.protocol import (
    Done,
    Field,
    Making,
    Outcome,
    Pay,
    Protocol,
    Record,
    Show,
    Stage,
    Standing,
)
from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.core.text import TaggedText

WORDS = (
    "dog", "cat", "man", "woman", "child", "table", "chair", "window", "street", "car", "tree", "garden",
    "kitchen", "letter", "phone", "coat", "lamp", "door", "river", "bridge", "boat", "horse", "bread", "cup",
    "plate", "music", "dance", "train", "hill", "field",
)  # fmt: skip


def _nothing(_: Done) -> Outcome:
    return Outcome()


def item_of(record: Record) -> Iterable[Item]:
    """A record as a multiple-choice item."""
    data = record.data
    yield Item(
        record.key,
        "train",
        texts={"question": TaggedText.plain(data["question"])},
        choices=tuple(TaggedText.plain(text) for text in data["choices"]),
        gold=Pick(data["right"]),
        groups={"image": data["image"]},
    )


QUESTIONS = Field(
    "questions", "group", "Questions", least=1, most=3,
    parts=(
        Field("question", "tagged", "Question", about="picture", warn=True),
        Field("right", "text", "Right", warn=True),
        Field("wrong", "texts", "Wrong", least=3, most=3, warn=True),
        Field("note", "text", "Note", required=False),
    ),
)  # fmt: skip
WRITE = Stage(
    "write", "Write", "Write.", (Show("picture", "scene"),), (QUESTIONS,), Pay(100), _nothing,
    making=Making(("questions.question",), ("questions.right",), ("questions.wrong",)),
)  # fmt: skip
FINISH = Stage(
    "finish", "Finish", "Add one wrong choice.", (Show("picture", "scene"), Show("question", "text")),
    (Field("more", "text", "One more", warn=True, marks="what is seen"),), Pay(100), _nothing,
    making=Making(("question",), ("right",), ("wrong", "more")),
)  # fmt: skip
CHOOSING = Protocol(
    "choosing", "Choosing", "nobody", "USD", (WRITE, FINISH), "write",
    lambda *_: (), lambda *_: Standing(), item_of,
)  # fmt: skip


def phrase(draw: random.Random, words: int) -> str:
    """Some words in a row."""
    return " ".join(draw.choices(WORDS, k=words))


def record_data(
    seed: int,
    count: int,
    *,
    right: Callable[[random.Random], str] = lambda draw: phrase(draw, 5),
    wrong: Callable[[random.Random], str] = lambda draw: phrase(draw, 5),
) -> dict[str, dict[str, object]]:
    """Data of records by their keys: three wrong choices and a right one, each from its own writer."""
    draw = random.Random(seed)
    made = {}
    for number in range(count):
        choices = [wrong(draw) for _ in range(3)]
        place = draw.randrange(4)
        choices.insert(place, right(draw))
        made[f"r{number}"] = {
            "question": f"What about {phrase(draw, 3)}?", "choices": choices, "right": place,
            "image": f"image{number // 2}",
        }  # fmt: skip
    return made

"""From items to questions: every item, in every way that is wanted, as a request with a reader."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from commonsight.core.answer import Answer, FreeText
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.core.prompt import Prompt
from commonsight.runs.answers import PROBABILITIES
from commonsight.runs.choosing import Chosen, chosen
from commonsight.runs.contexts import ContextOf, with_context
from commonsight.runs.feed import Question
from commonsight.runs.shots import Shots
from commonsight.runs.variants import Blind, Key, Variants, other_scenes, turned_back
from commonsight.score.parse import parse_free_text
from commonsight.text.vectors import WordVectors
from commonsight.vlm.client import Reply, Request
from commonsight.vlm.pictures import Pictures
from commonsight.vlm.reading import answer_of, ended
from commonsight.vlm.render import request_of


@dataclass(frozen=True)
class Questioner:
    """How items are asked."""

    tasks: tuple[Task, ...]
    prompts: Mapping[str, Prompt]
    pictures: Pictures | None
    variants: Variants = field(default_factory=Variants)
    blind: Blind | None = None
    strangers: tuple[Ask, ...] = ()
    """Questions whose pictures are shown instead of an item's own, with `--blind other`."""
    shots: Mapping[str, Shots] = field(default_factory=dict)
    context: ContextOf | None = None
    temperature: float = 0.0
    seed: int = 0
    weighed: bool = False
    """Whether choices are weighed by the log-probability of their whole texts (`--score-by choices`)."""
    vectors: WordVectors | None = None
    """What brings an answer in words to the nearest choice, where a prompt asks for one."""

    def questions(self, items: Iterable[Item]) -> Iterator[Question]:
        """All questions, item by item; nothing is drawn or encoded before a question's turn has come."""
        for item in items:
            for task in self.tasks:
                for key, ask in self.variants.of(item, task):
                    yield self._question(item, key, ask)

    def asks(self, items: Iterable[Item]) -> Iterator[tuple[Key, Ask]]:
        """Everything that may have been asked, own answers given too, as it was asked."""
        given_any = replace(self.variants, given="all") if self.variants.given == "own" else self.variants
        return ((key, ask) for item in items for task in self.tasks for key, ask in given_any.of(item, task))

    def follow_ups(self, items: Iterable[Item], picked: Mapping[str, int]) -> Iterator[Question]:
        """What builds on an answer, asked once more with the model's own answer given where it was wrong."""
        for item in items:
            for task in self.tasks:
                if task.given is not None and item.id in picked:
                    for key, ask in self.variants.with_given(item, task, picked[item.id]):
                        yield self._question(item, key, ask)

    def _question(self, item: Item, key: Key, ask: Ask) -> Question:
        told = ask if self.context is None else with_context(ask, self.context(item))
        return Question(
            item.id,
            str(key),
            partial(self._request, told, key),
            partial(self.read, told, key),
            told=partial(self._told, told, key),
        )

    def read(self, ask: Ask, key: Key, reply: Reply) -> Answer:
        """What a reply answers, in the item's own order of choices."""
        prompt = self.prompts[key.task]
        ending = ended(reply, prompt)
        if _in_words(ask, prompt):
            assert self.vectors is not None  # a plan without them is refused
            return turned_back(_worded(ending, ask, self.vectors).answer, key.turned, len(ask.choices))
        return own_answer(ask, key, ending)

    def _told(self, ask: Ask, key: Key, reply: Reply) -> dict[str, Any]:
        """What else the log shall tell: probabilities, and whether words had to be brought to a choice."""
        prompt = self.prompts[key.task]
        if _in_words(ask, prompt) and self.vectors is not None:
            return _worded(ended(reply, prompt), ask, self.vectors).told
        return _chances(ask, key, reply)

    def _request(self, ask: Ask, key: Key) -> Request:
        if self.blind == "other":
            ask = other_scenes(ask, list(self.strangers), random.Random(f"{self.seed}:{ask.item_id}"))
        shots = self.shots.get(key.task)
        return request_of(
            ask,
            self.prompts[key.task],
            None if self.blind == "none" else self.pictures,
            examples=() if shots is None else shots.of(ask),
            temperature=self.temperature,
            # An epoch is another draw: without a seed of its own it would come out of the cache.
            seed=self.seed + key.epoch if self.temperature or key.epoch else None,
            weighed=self.weighed,
        )


def own_answer(ask: Ask, key: Key, reply: Reply) -> Answer:
    """What a reply picks or says by itself, in the item's own order of choices."""
    return turned_back(answer_of(reply, ask), key.turned, len(ask.choices))


def _in_words(ask: Ask, prompt: Prompt) -> bool:
    return prompt.in_words and ask.expects == "pick"


def _worded(reply: Reply, ask: Ask, vectors: WordVectors) -> Chosen:
    """The choice nearest to what a reply says in words; whatever cannot be read stays unread."""
    if reply.finish == "filtered":
        return Chosen(answer_of(reply, ask))
    said = parse_free_text(reply.text, truncated=reply.finish == "length")
    return chosen(said.text, ask, vectors) if isinstance(said, FreeText) else Chosen(said)


def _chances(ask: Ask, key: Key, reply: Reply) -> dict[str, Any]:
    """How likely the model held each of the item's own choices to be, where it tells."""
    count = len(ask.choices)
    if reply.chances is None or ask.expects != "pick" or len(reply.chances) != count:
        return {}
    return {PROBABILITIES: [reply.chances[(place - key.turned) % count] for place in range(count)]}

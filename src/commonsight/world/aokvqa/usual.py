"""How often an answer is the right one, so that wrong choices can be as usual as right ones.

Were wrong choices drawn evenly, whoever knows what is right most often could do without picture and question.
The table `usual.tsv` (topic, answer, times) was counted with `count` over 3,000 scenes,
none let go (`even=False`). It needs counting anew when rules or plots change much, and a test says when.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

SELDOM = 0.3
"""The weight of an answer that was never counted."""


def count(asked: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of the table from topics and right answers."""
    return [f"{topic}\t{answer}\t{times}" for (topic, answer), times in sorted(Counter(asked).items())]


@cache
def usual() -> dict[tuple[str, str], float]:
    """How often each answer was right, by topic and answer."""
    text = (files(__package__) / "usual.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {(topic, answer): float(times) for topic, answer, times in rows}


@cache
def cap(topic: str) -> float:
    """How often an answer of a topic may be right: as often as the topic's answers are on average."""
    times = [times for (name, _), times in usual().items() if name == topic]
    return sum(times) / len(times) if times else 1.0


def keep(topic: str, answer: str, rng: random.Random) -> bool:
    """Whether a question is asked: those whose answer would be right too often are mostly let go."""
    return rng.random() < cap(topic) / max(cap(topic), usual().get((topic, answer), SELDOM))


def draw(topic: str, wrong: Sequence[str], number: int, rng: random.Random) -> list[str]:
    """Different wrong answers, each as likely as it is to be right in the questions that are kept."""
    weights = {answer: min(usual().get((topic, answer), SELDOM), cap(topic)) for answer in wrong}
    # The largest of random numbers to the power of 1/weight: sampling by weight without replacement.
    keys = {answer: rng.random() ** (1 / weights[answer]) for answer in wrong}
    return sorted(wrong, key=lambda answer: keys[answer], reverse=True)[:number]

"""What a trained network writes, and how good that is: the share of words that are right, or BLEU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import structs
from torch import nn

from commonsight.models.engine.evaluate import Predicted, batches_read
from commonsight.models.engine.team import Team
from commonsight.models.features.source import Source
from commonsight.models.network import needed
from commonsight.models.writing.decoding import decoded
from commonsight.models.writing.style import TOLD, Decoding, Written
from commonsight.text.bleu import LONGEST, BleuCounts, bleu_counts


def writings(
    network: Any,
    source: Source,
    size: int,
    how: Decoding,
    *,
    tokenizer: Any,
    team: Team,
    wanted: Callable[[int], bool] = lambda _: True,
) -> Iterator[Predicted]:
    """What the network writes for each question of this process's part, as a stream, of even length first.

    So many beginnings are held at once as `size` says, so that a wider beam takes fewer questions.
    """
    at_once = max(1, size // how.beam)
    for numbers, batch in batches_read(network, source, at_once, team=team, wanted=wanted):
        for number, text in zip(numbers, decoded(network, batch, how), strict=True):
            said = tokenizer.decode(text.tokens, skip_special_tokens=True).strip()
            yield Predicted(number, source.examples[number], (), {}, said)


def judged(
    task: str, source: Source, size: int, how: Decoding, tokenizer: Any
) -> Callable[[nn.Module, Team], float]:
    """A judge of what is written by the likeliest token each time: answers by F1, rationales by BLEU
    (A-OKVQA, appendices B.3 and C), and captions likewise."""
    narrow = structs.replace(how, beam=1)

    def judge(network: nn.Module, team: Team) -> float:
        said = writings(network, source, size, narrow, tokenizer=tokenizer, team=team)
        pairs = ((one.text or "", _wanted(one.example.written)) for one in said)
        if task in TOLD:
            return _bleu(pairs, team)
        return team.summed(sum(f1(text, wanted[0]) for text, wanted in pairs)) / len(source)

    return judge


def _wanted(written: Written | None) -> list[str]:
    return [text.strip() for text in needed(written, "texts as people put them").wanted]


def f1(text: str, wanted: str) -> float:
    """The harmonic mean of the shares of words that both have, as SQuAD counts them but for one thing: words
    are what spaces part, as they are written. SQuAD does without case, articles and punctuation first."""
    said, right = Counter(text.split()), Counter(wanted.split())
    if not said or not right:
        return float(said == right)
    both = (said & right).total()
    return 2 * both / (said.total() + right.total())


def _bleu(pairs: Iterator[tuple[str, Sequence[str]]], team: Team) -> float:
    """Of the corpus, whatever part of it each process has; smoothed as sacrebleu does."""
    whole = BleuCounts((0,) * LONGEST, (0,) * LONGEST, 0, 0)
    for text, wanted in pairs:
        whole += bleu_counts(text.lower().split(), [one.lower().split() for one in wanted])
    sums = team.sums((*whole.matches, *whole.totals, whole.length, whole.reference))
    numbers = [round(value) for value in sums]
    together = BleuCounts(
        tuple(numbers[:LONGEST]), tuple(numbers[LONGEST : 2 * LONGEST]), numbers[-2], numbers[-1]
    )
    return together.score("exponential")

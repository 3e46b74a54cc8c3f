"""What a trained network says: accuracies, and predictions with what it looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from commonsight.models.engine.team import Team
from commonsight.models.features.buckets import batches
from commonsight.models.features.examples import Example
from commonsight.models.features.source import Source

Floats = NDArray[np.float32]


class Predicted(NamedTuple):
    """What a network says to one question."""

    number: int
    """Among the questions."""
    example: Example
    chances: tuple[float, ...]
    """Of each choice, or of each answer that can be named; together 1."""
    attention: dict[str, Floats]
    """By name: (choice, place that looks, place looked at), padding included."""


def accuracy(source: Source, size: int, *, drawn: bool = False) -> Callable[[nn.Module, Team], float]:
    """A judge: the share of questions whose right choice scores highest, read so many at once.

    Where people gave several answers, one counts as much as a direct answer is scored. Of answers that are
    `drawn` it is the mean over all draws.
    """

    def right(one: Predicted) -> float:
        rights = one.example.rights()
        if not drawn:
            return rights.get(int(np.argmax(one.chances)), 0.0)
        return sum(one.chances[place] * share for place, share in rights.items())

    def judged(network: nn.Module, team: Team) -> float:
        said = predictions(network, source, size, team=team)
        return team.summed(sum(map(right, said))) / len(source)

    return judged


def predictions(
    network: nn.Module,
    source: Source,
    size: int,
    *,
    team: Team,
    wanted: Callable[[int], bool] = lambda _: True,
) -> Iterator[Predicted]:
    """What the network says to each question of this process's part, as a stream, of even length first.

    A batch in which no question is `wanted`, by number, is left out. The others are as they would be anyway,
    so that what was stopped comes to the same, to the last bit.
    """
    training = network.training
    network.eval()
    whole = [team.share(numbers) for numbers in batches(source.lengths, size, seed=None)]
    chosen = [numbers for numbers in whole if any(map(wanted, numbers.tolist()))]
    try:
        with closing(source.ahead(chosen)) as stream:
            for numbers, batch in zip(chosen, stream, strict=True):
                with torch.inference_mode():
                    scores = network(batch.to(team.device))
                    chances = scores.logits.float().softmax(dim=-1).cpu().numpy()
                there = batch.choices.cpu().numpy()
                looked = {name: weights.float().cpu().numpy() for name, weights in scores.attention.items()}
                for row, number in enumerate(numbers.tolist()):
                    example = source.examples[number]
                    own = tuple(float(chance) for chance in chances[row, there[row]])
                    yield Predicted(number, example, own, {name: one[row] for name, one in looked.items()})
    finally:
        network.train(training)

"""How well each module does by itself (CRIC, Table 3), and how well layouts are predicted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from commonsight.models.engine.team import Team
from commonsight.models.features.buckets import batches
from commonsight.models.features.source import Source
from commonsight.models.networks.nmn_cs.network import NMNCS, layouts_of
from commonsight.models.networks.nmn_cs.truth import NMNCSGT, Outcome
from commonsight.models.programs.learning import ReadRight, layouts_right

RECOGNITION = "Recognition"
ROWS = ("Find", "Relate", "Find_Hypernym", "Find_KG", "And", RECOGNITION)
"""Of the table; a function and its reverse are one row."""
_READ = 128


class ModuleScore(NamedTuple):
    """One row: for what finds objects the mean intersection over union, else the share that is right."""

    module: str
    score: float
    calls: int


def overlap(outcome: Outcome) -> float:
    """|found and true| / |found or true|; 1 where nothing was to be found, and nothing was."""
    either = outcome.found | outcome.true
    return len(outcome.found & outcome.true) / len(either) if either else 1.0


def table(outcomes: Iterable[Outcome], recognised: Iterable[bool]) -> list[ModuleScore]:
    """Each row that has a call."""
    found: dict[str, list[float]] = {name: [] for name in ROWS}
    for outcome in outcomes:
        found[outcome.function.removesuffix("_Reverse")].append(overlap(outcome))
    found[RECOGNITION] += map(float, recognised)
    return [ModuleScore(name, float(np.mean(own)), len(own)) for name, own in found.items() if own]


def per_module(network: NMNCSGT, source: Source, team: Team) -> list[ModuleScore]:
    """Of all questions, each module given what is true."""
    network.eval()
    outcomes: list[Outcome] = []
    recognised: list[bool] = []
    for numbers in batches(source.lengths, _READ, seed=None):
        batch = source.batch(numbers.tolist()).to(team.device)
        outcomes += network.outcomes(batch)
        recognised += network.recognised(batch)
    return table(outcomes, recognised)


def layout_scores(network: NMNCS, source: Source, team: Team) -> ReadRight:
    """How many layouts are predicted right."""
    network.eval()
    said: list[list[int]] = [[] for _ in range(len(source))]
    for numbers in batches(source.lengths, _READ, seed=None):
        batch = source.batch(numbers.tolist()).to(team.device)
        for number, layout in zip(numbers.tolist(), layouts_of(network, batch), strict=True):
            said[number] = list(layout)
    return layouts_right(source.examples, said)

"""Facts about questions as tensors, beside the questions' own words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.retrieval import Fact, relations_sought
from commonsight.models.features.batch import Facts, Words
from commonsight.models.features.examples import Example, Spoken

_PLACE = {name: place for place, name in enumerate(RELATIONS)}


def spoken(fact: Fact) -> Spoken:
    """As a text; its words point to no object."""
    return Spoken(fact.words, (0,) * len(fact.words))


def facts_read(examples: Sequence[Example], different: Sequence[Fact], words: Words) -> Facts:
    """The facts of each question, where these are all that there are, and their words."""
    number = {id(fact): place for place, fact in enumerate(different)}
    counts = np.array([len(example.facts) for example in examples])
    mask = np.arange(max(1, counts.max())) < counts[:, None]  # room for one, also where nobody has any
    which, relations = np.zeros(mask.shape, np.int64), np.zeros(mask.shape, np.int64)
    which[mask] = [number[id(fact)] for example in examples for fact in example.facts]
    relations[mask] = np.array([_PLACE[fact.relation] for fact in different], np.int64)[which[mask]]
    numbers, asked_for, there = map(torch.from_numpy, (which, relations, mask))
    return Facts(words, numbers, asked_for, there, sought(examples))


def sought(examples: Sequence[Example]) -> Tensor:
    """(batch, relation): which ones the questions' programs look up."""
    found = torch.zeros(len(examples), len(RELATIONS), dtype=torch.bool)
    for row, example in enumerate(examples):
        found[row, [_PLACE[name] for name in relations_sought(example.program)]] = True
    return found

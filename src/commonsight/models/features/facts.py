"""Facts about questions as tensors, beside the questions' own words."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.retrieval import relations_sought
from commonsight.models.features.batch import Facts, Words
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.layers.masks import lengths_to_mask

_PLACE = {name: place for place, name in enumerate(RELATIONS)}


def most_facts(examples: Sequence[Example]) -> int:
    """How many rows a batch of them needs: one at least, so that there is something to pad."""
    return max(1, *(len(example.facts) for example in examples))


def fact_texts(examples: Sequence[Example]) -> list[Sequence[Spoken]]:
    """Of each question, as if facts were choices; their words point to no object."""
    return [[Spoken(fact.words, (0,) * len(fact.words)) for fact in one.facts] for one in examples]


def facts_read(examples: Sequence[Example], words: Words) -> Facts:
    """The facts whose words these are."""
    rows, most = words.ids.shape[:2]
    relations = torch.zeros(rows, most, dtype=torch.long)
    for row, example in enumerate(examples):
        relations[row, : len(example.facts)] = torch.tensor(
            [_PLACE[fact.relation] for fact in example.facts], dtype=torch.long
        )
    mask = lengths_to_mask(torch.tensor([len(example.facts) for example in examples]), most)
    return Facts(words, relations, mask, sought(examples))


def sought(examples: Sequence[Example]) -> Tensor:
    """(batch, relation): which ones the questions' programs look up."""
    found = torch.zeros(len(examples), len(RELATIONS), dtype=torch.bool)
    for row, example in enumerate(examples):
        found[row, [_PLACE[name] for name in relations_sought(example.program)]] = True
    return found

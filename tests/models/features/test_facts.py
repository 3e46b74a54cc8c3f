"""Facts about questions as tensors, with a frozen encoder's vectors where there are any."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from making import KNOWN, drawn
from msgspec import structs

from commonsight.core.program import Program, Step
from commonsight.graph.knowledge import RELATIONS
from commonsight.graph.retrieval import Fact
from commonsight.models.features.batch import Facts
from commonsight.models.features.examples import Example
from commonsight.models.features.reading import WordReading
from commonsight.models.features.texts import kept_texts
from commonsight.models.features.vocabulary import PADDING

from .test_texts import DIM, Spelled

FACTS = (
    Fact("bac", "IsA", "dog", ("bac", "is", "a", "dog")),
    Fact("doc", "UsedFor", "kid", ("doc", "used", "for", "kid", "kid")),
)


def asked() -> list[Example]:
    """Two facts, none, and one; the first has a program."""
    one, two, three = drawn(3)
    program = Program((Step("Initial"), Step("Find_KG", ("BLANK", "UsedFor", "kid"))))
    return [
        structs.replace(one, facts=FACTS, program=program),
        structs.replace(two, facts=()),
        structs.replace(three, facts=FACTS[1:]),
    ]


def read(examples: list[Example], reading: WordReading) -> Facts:
    found = reading.batch(examples).facts
    assert found is not None
    return found


def test_each_fact_is_read_once_however_many_questions_have_it() -> None:
    facts = read(asked(), WordReading(KNOWN, facts=True))
    numbers = KNOWN.words.numbers()
    assert facts.mask.tolist() == [[True, True], [False, False], [True, False]]
    assert facts.which.tolist() == [[0, 1], [0, 0], [1, 0]]
    assert facts.words.ids.shape == (1, 2, 5)
    assert facts.words.lengths.tolist() == [[4, 5]]
    assert facts.words.ids[0, 1, :1].tolist() == [numbers["doc"]]
    assert facts.words.ids[0, 0, 4:].tolist() == [PADDING]
    used, category = RELATIONS.index("UsedFor"), RELATIONS.index("IsA")
    assert facts.relations.tolist() == [[category, used], [0, 0], [used, 0]]
    assert facts.sought.nonzero().tolist() == [[0, used]]


def test_nobody_needs_to_have_a_fact() -> None:
    facts = read([structs.replace(example, facts=()) for example in asked()], WordReading(KNOWN, facts=True))
    assert facts.mask.shape == facts.which.shape == (3, 1)
    assert not facts.mask.any()
    assert facts.words.ids.tolist() == [[[PADDING]]]
    assert WordReading(KNOWN).batch(asked()).facts is None


@pytest.mark.parametrize("paired", [False, True])
def test_a_frozen_encoder_reads_each_fact_alone(tmp_path: Path, paired: bool) -> None:
    examples, encoder = asked(), Spelled(paired)
    kept = kept_texts(tmp_path / "a.safetensors", examples, encoder)
    facts = read(examples, WordReading(KNOWN, kept, facts=True))
    assert facts.words.vectors is not None
    assert facts.words.vectors.shape == (1, 2, 5, DIM)
    for place, fact in enumerate(FACTS):
        wanted = torch.from_numpy(encoder.text(fact.words, ()))
        torch.testing.assert_close(facts.words.vectors[0, place, : len(fact.words)], wanted)
    assert not facts.words.vectors[0, 0, 4:].any()
    assert sum(pair.query == FACTS[1].words for pair in encoder.asked) == 1  # however many have it
    np.testing.assert_array_equal(kept.of_fact(FACTS[1]), wanted.numpy())

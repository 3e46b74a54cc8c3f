"""Batches are made ahead, in order, and no further than they are wanted."""

from __future__ import annotations

import threading
from contextlib import closing

import numpy as np
import pytest
import torch
from making import KNOWN, drawn
from msgspec import structs
from numpy.typing import NDArray

from commonsight.errors import InputError
from commonsight.models.features.batch import Batch
from commonsight.models.features.reading import WordReading
from commonsight.models.features.source import Source, made_ahead, refuse_unseen

NUMBERS = [np.array([number], np.int64) for number in range(30)]


def _batch(numbers: NDArray[np.int64]) -> Batch:
    return Batch(torch.ones(1, 1, dtype=torch.bool), torch.from_numpy(numbers))


def test_batches_come_in_order() -> None:
    assert [int(batch.gold) for batch in made_ahead(_batch, NUMBERS)] == list(range(30))
    assert list(made_ahead(_batch, [])) == []


def test_only_a_few_are_made_before_they_are_wanted() -> None:
    made: list[int] = []

    def noted(numbers: NDArray[np.int64]) -> Batch:
        made.append(int(numbers[0]))
        return _batch(numbers)

    with closing(made_ahead(noted, NUMBERS, ahead=2)) as stream:
        assert [int(next(stream).gold) for _ in range(3)] == [0, 1, 2]
    assert len(made) <= 6
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("batches")]


def test_what_goes_wrong_is_told_where_the_batch_is_wanted() -> None:
    def broken(numbers: NDArray[np.int64]) -> Batch:
        if numbers[0] == 3:
            raise InputError("no such thing")
        return _batch(numbers)

    seen = []
    with pytest.raises(InputError, match="no such thing"):
        seen.extend(int(batch.gold) for batch in made_ahead(broken, NUMBERS))
    assert seen == [0, 1, 2]


def test_a_source_is_read_by_number_in_any_order() -> None:
    examples = drawn(6)
    source = Source(examples, WordReading(KNOWN))
    assert len(source) == len(source.lengths) == 6
    (some,) = source.ahead([np.array([4, 1])])
    assert some.gold.tolist() == [examples[4].gold, examples[1].gold]
    assert some.responses is not None
    assert int(some.responses.lengths[0].max()) == source.lengths[4]
    assert some.seen is not None
    assert some.seen.features is None


def test_questions_that_cannot_be_seen_are_counted() -> None:
    refuse_unseen([structs.replace(one, picture="a.png") for one in drawn(2)])
    with pytest.raises(InputError, match=r"2 of 2 questions have no picture .* \(0-0-4-3, 0-1-4-3\)"):
        refuse_unseen(drawn(2))

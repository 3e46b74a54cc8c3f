"""What is said to see responses alone is not moved by anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import DIM, batch_for, drawn, pieces, reading_for, scores_of, tiny_network, tiny_parts
from msgspec import structs
from torch import Tensor

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch
from commonsight.models.features.examples import Example, Spoken
from commonsight.models.networks.chance import Chance
from commonsight.models.networks.lstm import ResponseLSTM, lstm_paper
from commonsight.models.parts import Parts


def asked_otherwise(example: Example) -> Example:
    return structs.replace(example, query=Spoken(("bac",) * 9, (0,) * 9))


@pytest.mark.parametrize("name", ["lstm", "bert-response-only", "chance"])
def test_another_query_gives_the_very_same_scores(name: str) -> None:
    entry, examples = find(name), drawn(4)
    network = tiny_network(entry)
    one, other = (
        scores_of(network, batch_for(entry, given)).logits
        for given in (examples, list(map(asked_otherwise, examples)))
    )
    assert torch.equal(one, other)


def test_bert_reads_no_query_there() -> None:
    entry = find("bert-response-only")
    batch = reading_for(entry).batch(drawn(3))
    assert batch.pieces is not None
    marks = pieces().sep_token_id
    assert ((batch.pieces.ids == marks).sum(dim=-1) == 1).all()
    assert not batch.pieces.segments.any()


def last_states(network: ResponseLSTM, batch: Batch) -> Tensor:
    """One response after the other through torch's own LSTM, each without padding."""
    responses = batch.responses
    assert responses is not None
    found = []
    for ids, length in zip(responses.ids.flatten(0, 1), responses.lengths.flatten(), strict=True):
        _, (hidden, _) = network.read.lstm(network.words.table(ids[: int(length)])[None])
        found.append(hidden[:, 0].flatten())
    return torch.stack(found).reshape(*responses.lengths.shape, -1)


def test_the_lstm_scores_what_both_directions_end_with() -> None:
    entry = find("lstm")
    network, batch = tiny_network(entry), batch_for(entry, drawn(4))
    assert isinstance(network, ResponseLSTM)
    expected = last_states(network, batch) @ network.score.weight[0]
    torch.testing.assert_close(scores_of(network, batch).logits, expected)


def test_published_sizes() -> None:
    network = lstm_paper(tiny_parts(find("lstm")))
    assert network.read.lstm.hidden_size == 256
    assert network.read.lstm.input_size == DIM
    assert network.dropout == network.read.dropout == 0.3


def test_parts_that_are_missing_are_named() -> None:
    with pytest.raises(ValueError, match="this network needs word vectors, and there is none"):
        lstm_paper(Parts(7))
    batch = batch_for(find("lstm"), drawn(2))
    with pytest.raises(ValueError, match="needs responses word by word, and there is none"):
        tiny_network(find("lstm"))(replace(batch, responses=None))


def test_chance_is_even() -> None:
    batch = batch_for(find("chance"), [*drawn(2), *drawn(1, choices=3)])
    logits = Chance()(batch).logits
    assert not logits[batch.choices].any()
    assert logits.softmax(dim=1)[2].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])

"""What is said to see responses alone is not moved by anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import DIM, batch_for, drawn, pieces, reading_for, scores_of, tiny_network, tiny_parts
from msgspec import structs
from torch import Tensor

from commonsight.core.benchmark import Ask
from commonsight.core.scene import Box, Region, Scene
from commonsight.core.text import TaggedText
from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch
from commonsight.models.features.examples import Example, Spoken, example_of
from commonsight.models.networks.chance import Chance
from commonsight.models.networks.lstm import ResponseLSTM, lstm_paper
from commonsight.models.parts import Parts


def asked_otherwise(example: Example) -> Example:
    return structs.replace(example, query=Spoken(("bac",) * 9, (0,) * 9))


UNASKED = ["lstm", "bert-response-only", "bert-no-premise", "ernie-vil-no-premise", "chance"]


@pytest.mark.parametrize("name", UNASKED)
def test_another_query_gives_the_very_same_scores(name: str) -> None:
    entry, examples = find(name), drawn(4)
    network = tiny_network(entry)
    one, other = (
        scores_of(network, batch_for(entry, given)).logits
        for given in (examples, list(map(asked_otherwise, examples)))
    )
    assert torch.equal(one, other)


@pytest.mark.parametrize("name", ["bert-response-only", "bert-no-premise", "ernie-vil-no-premise"])
def test_no_query_is_among_the_sub_words(name: str) -> None:
    """Neither its words nor the mark and the segment that would tell that there was one."""
    entry = find(name)
    examples = drawn(3)
    batch = reading_for(entry).batch(examples)
    assert batch.pieces is not None
    assert batch.query is None
    marks = pieces().sep_token_id
    assert ((batch.pieces.ids == marks).sum(dim=-1) == 1).all()
    assert not batch.pieces.segments.any()
    other = reading_for(entry).batch(list(map(asked_otherwise, examples))).pieces
    assert other is not None
    assert torch.equal(other.ids, batch.pieces.ids)
    assert torch.equal(other.objects, batch.pieces.objects)


def test_objects_do_not_tell_what_an_unread_premise_speaks_of() -> None:
    """All are seen, in the order of the scene, whatever the premise points to."""
    entry, region = find("ernie-vil-no-premise"), Region("person", Box(0.0, 0.0, 9.0, 9.0))
    scene = Scene("a.jpg", (region,) * 3, (), 64, 48)
    choices = (TaggedText(((0,), "runs")), TaggedText(("nobody", "runs")))
    seen = [
        example_of(Ask("item", "action", (scene,), {"premise": premise}, "pick", choices), kept=entry.objects)
        for premise in (TaggedText(((2,), "is", "kind")), TaggedText(("nobody", "is", "kind")))
    ]
    assert seen[0].objects == seen[1].objects
    assert seen[0].responses == seen[1].responses
    assert seen[0].query != seen[1].query


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

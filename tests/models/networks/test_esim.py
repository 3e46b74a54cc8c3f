"""ESIM reads each text once, and compares any two of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import DIM, KNOWN, batch_for, drawn, tiny_parts
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch, Words
from commonsight.models.layers.masks import lengths_to_mask
from commonsight.models.libraries import seeded
from commonsight.models.networks.esim import ESIM, EncodedText, esim_paper
from commonsight.models.words import LearnedVectors

ENTRY = find("esim")


def made(*, outputs: int = 1, seed: int = 0) -> ESIM:
    with seeded(seed):
        return ESIM(LearnedVectors(len(KNOWN.words), DIM), hidden=6, dropout=0.5, outputs=outputs).eval()


def texts(count: int, seed: int) -> Words:
    """Texts one after another: (text, word)."""
    chance = Generator().manual_seed(seed)
    lengths = torch.randint(1, 8, (count,), generator=chance)
    ids = torch.randint(2, len(KNOWN.words), (count, 8), generator=chance)
    return Words(ids.masked_fill(~lengths_to_mask(lengths, 8), 0), lengths, torch.zeros_like(ids))


@pytest.fixture
def batch() -> Batch:
    return batch_for(ENTRY, drawn(5))


def test_choices_are_scored_as_encoded_texts_are_compared(batch: Batch) -> None:
    network = made()
    assert batch.query is not None
    assert batch.responses is not None
    compared = network.compare(network.encode(batch.query), network.encode(batch.responses))
    assert compared.outputs.shape == (5, 4, 1)
    scores = network(batch)
    assert torch.equal(compared.outputs.squeeze(-1), scores.logits)
    assert torch.equal(compared.second, scores.attention["query"])


def slow(network: ESIM, first: Tensor, second: Tensor) -> Tensor:
    """One pair of texts without padding, by the paper's equations: (word, 2 x hidden) each."""
    scores = first @ second.T
    pooled = []
    for own, other, rows in ((first, second, scores), (second, first, scores.T)):
        seen = rows.softmax(dim=1) @ other
        enhanced = network.project(torch.cat((own, seen, own - seen, own * seen), dim=1)).relu()
        read, _ = network.compose.lstm(enhanced[None])
        pooled += [read[0].mean(dim=0), read[0].amax(dim=0)]
    return network.score(network.hidden(torch.cat(pooled)).relu())


def test_a_comparison_is_what_the_paper_writes(batch: Batch) -> None:
    network = made(outputs=3)
    assert batch.query is not None
    assert batch.responses is not None
    query, responses = network.encode(batch.query), network.encode(batch.responses)
    outputs = network.compare(query, responses).outputs
    for row in range(5):
        first = query.steps[row, 0, : int(query.lengths[row, 0])]
        for choice in range(4):
            second = responses.steps[row, choice, : int(responses.lengths[row, choice])]
            torch.testing.assert_close(outputs[row, choice], slow(network, first, second))


def test_all_pairs_are_compared_after_each_text_was_read_once() -> None:
    network, many = made(outputs=3), texts(4, seed=1)
    encoded = network.encode(many)
    one = EncodedText(encoded.steps[:, None], encoded.mask[:, None], encoded.lengths[:, None])
    other = EncodedText(encoded.steps[None], encoded.mask[None], encoded.lengths[None])
    table = network.compare(one, other).outputs
    assert table.shape == (4, 4, 3)
    torch.testing.assert_close(
        table[2, 1],
        network.compare(
            EncodedText(*(part[2:3] for part in encoded)), EncodedText(*(part[1:2] for part in encoded))
        ).outputs[0],
    )


def test_both_ways_are_two_comparisons() -> None:
    network = made(outputs=3)
    first, second = network.encode(texts(5, seed=1)), network.encode(texts(5, seed=2))
    there, back = network.both_ways(first, second)
    torch.testing.assert_close(there, network.compare(first, second).outputs)
    torch.testing.assert_close(back, network.compare(second, first).outputs)
    assert not torch.allclose(there, back)


def test_texts_are_encoded_alone() -> None:
    network, many = made(), texts(6, seed=2)
    encoded = network.encode(many)
    alone = network.encode(Words(many.ids[3:4], many.lengths[3:4], many.objects[3:4]))
    torch.testing.assert_close(encoded.steps[3:4], alone.steps)
    assert not encoded.steps[~many.mask].any()


def test_it_learns_labels_of_pairs() -> None:
    """As a model of inference: three labels, a pair of texts each."""
    network, first, second = made(outputs=3), texts(24, seed=3), texts(24, seed=4)
    labels = torch.arange(24) % 3
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(60):
        found = network.compare(network.encode(first), network.encode(second)).outputs
        loss = cross_entropy(found, labels)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert (found.argmax(dim=1) == labels).all()
    assert network.score.bias.grad.any()


def test_labels_are_no_choices(batch: Batch) -> None:
    with pytest.raises(ValueError, match=r"choices have one output, and this network has 3: use compare\(\)"):
        made(outputs=3)(batch)
    with pytest.raises(ValueError, match="needs a query word by word, and there is none"):
        made()(replace(batch, query=None))


def test_training_needs_a_generator(batch: Batch) -> None:
    network = made().train()
    with pytest.raises(ValueError, match="pass generator="):
        network(batch)
    assert network(batch, generator=Generator().manual_seed(1)).logits.isfinite().all()


def test_published_sizes() -> None:
    network = esim_paper(tiny_parts(ENTRY))
    assert network.dropout == network.encoder.dropout == network.compose.dropout == 0.5
    assert network.encoder.lstm.hidden_size == network.compose.lstm.hidden_size == 300
    assert network.encoder.lstm.bidirectional
    assert network.project.weight.shape == (300, 2400)
    assert network.hidden.weight.shape == (300, 2400)
    assert network.score.weight.shape == (1, 300)

"""The maximum entropy classifier: sums of weights, by hand."""

from __future__ import annotations

from dataclasses import replace

import torch
from making import batch_for, drawn, scores_of, tiny_network

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Signs
from commonsight.models.networks.majority import Majority
from commonsight.models.networks.maxent import MaxEnt


def test_scores_are_sums_of_the_weights_of_signs() -> None:
    entry = find("maxent")
    batch, network = batch_for(entry, drawn(4)), tiny_network(entry)
    assert isinstance(network, MaxEnt)
    torch.nn.init.normal_(network.weights.weight)
    torch.nn.init.normal_(network.bias)
    assert batch.signs is not None
    ends = [*batch.signs.starts.tolist()[1:], len(batch.signs.ids)]
    found = scores_of(network, batch).logits
    for row, (start, end) in enumerate(zip(batch.signs.starts.tolist(), ends, strict=True)):
        own = network.weights.weight[batch.signs.ids[start:end]].sum(dim=0) + network.bias
        torch.testing.assert_close(found[row], own)


def test_it_begins_with_all_answers_alike() -> None:
    entry = find("maxent")
    assert not scores_of(tiny_network(entry), batch_for(entry, drawn(3))).logits.any()


def test_what_is_asked_about_nothing_that_is_known_gets_the_usual_answer() -> None:
    entry = find("maxent")
    network = tiny_network(entry)
    assert isinstance(network, MaxEnt)
    torch.nn.init.normal_(network.weights.weight)
    network.bias.data = torch.arange(5.0)
    none = torch.zeros(0, dtype=torch.int64)
    batch = replace(batch_for(entry, drawn(2)), signs=Signs(none, torch.zeros(2, dtype=torch.int64)))
    torch.testing.assert_close(scores_of(network, batch).logits, torch.arange(5.0).expand(2, -1))


def test_the_published_numbers() -> None:
    entry = find("maxent")
    assert entry.counts is not None
    assert (entry.counts.shortest, entry.counts.longest, entry.counts.threshold) == (2, 6, 0.5)
    assert entry.paper.recipe.epochs == 100


def test_majority_says_the_first_answer_and_nothing_else() -> None:
    entry = find("majority")
    shares = scores_of(Majority(), batch_for(entry, drawn(3))).logits.softmax(dim=1)
    torch.testing.assert_close(shares, torch.tensor([[1.0, 0.0, 0.0, 0.0, 0.0]] * 3))

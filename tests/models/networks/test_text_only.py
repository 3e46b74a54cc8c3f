"""Text and CNN+RNN by hand: an LSTM's states on average, a canvas's columns, layers."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from making import batch_for, drawn, scores_of, tiny_network, tiny_parts
from torch import Tensor, nn

from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch
from commonsight.models.layers.uniform import within
from commonsight.models.networks.cnn_rnn import CnnRnn, cnn_rnn_paper
from commonsight.models.networks.image_only import PUBLISHED, image_only_paper
from commonsight.models.networks.text_only import TextOnly, text_only_paper


def states(caption: Any, batch: Batch, row: int) -> Tensor:
    """After each word of one sentence, without padding: (word, hidden)."""
    assert batch.query is not None
    length = int(batch.query.lengths[row, 0])
    return caption.read.lstm(caption.words.table(batch.query.ids[row, 0, :length])[None])[0][0]


def layers(perceptron: Any, found: Tensor) -> Tensor:
    *before, last = perceptron.layers
    for layer in before:
        found = (layer.weight @ found + layer.bias).clamp(min=0)
    return last.weight @ found + last.bias


def test_text_is_the_mean_of_all_states() -> None:
    entry = find("text-only")
    network, batch = tiny_network(entry, seed=1), batch_for(entry, drawn(4))
    assert isinstance(network, TextOnly)
    found = scores_of(network, batch).logits
    with torch.no_grad():
        for row in range(4):
            mean = states(network.caption, batch, row).mean(dim=0)
            torch.testing.assert_close(found[row], layers(network.answer, mean), rtol=1e-4, atol=1e-5)


def test_cnn_and_rnn_stand_side_by_side() -> None:
    entry = find("cnn-rnn")
    network, batch = tiny_network(entry, seed=1), batch_for(entry, drawn(3))
    assert isinstance(network, CnnRnn)
    found = scores_of(network, batch).logits
    assert batch.canvas is not None
    with torch.no_grad():
        maps = network.canvas(batch.canvas)  # (batch, dim, 2, 6)
        assert maps.shape[3] == network.columns == 6
        for row in range(3):
            columns = maps[row].mean(dim=1).flatten()  # of each channel its columns
            both = torch.cat((states(network.caption, batch, row).mean(dim=0), columns))
            torch.testing.assert_close(found[row], layers(network.answer, both), rtol=1e-4, atol=1e-5)


def test_weights_begin_evenly_spread() -> None:
    first, second = nn.Linear(100, 50), nn.Linear(50, 2)
    within(0.1, first, second)
    for weight in (*first.parameters(), *second.parameters()):
        assert weight.abs().max() <= 0.1
    assert first.weight.abs().max() > 0.099
    assert first.weight.std().item() == pytest.approx(0.2 / 12**0.5, rel=0.05)


def test_published_sizes() -> None:
    with torch.device("meta"):  # shapes only
        text = text_only_paper(tiny_parts(find("text-only")))
        both = cnn_rnn_paper(tiny_parts(find("cnn-rnn")))
        pictures = image_only_paper(tiny_parts(find("image-only")))
    for network in (text, both):
        assert network.caption.read.lstm.hidden_size == 4096
        assert network.caption.read.lstm.num_layers == 1
    assert both.columns == 2
    for answer in (text.answer, both.answer, pictures.answer):
        assert [layer.out_features for layer in answer.layers] == [*PUBLISHED, 5]
    recipe = find("text-only").paper.recipe
    assert (recipe.rate, recipe.patience, recipe.growth, recipe.decay) == (1e-4, 10, 1.01, 0.0)

"""ERNIE-ViL on drawn questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch
import toy_pairs as toy

from commonsight.models.layers.bert import sized
from commonsight.models.libraries import seeded
from commonsight.models.networks.two_stream import (
    CoAttention,
    Stream,
    TwoStream,
    ernie_vil_base,
    ernie_vil_large,
    ernie_vil_small,
    location,
)
from commonsight.models.regions.small import SmallRegions
from commonsight.models.states import CrossModal


@pytest.fixture(autouse=True)
def _one_thread_and_one_seed() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with seeded(0):
        yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("check", [toy.check_shapes, toy.check_padding, toy.check_order, toy.check_gradients])
def test_it_keeps_to_what_networks_are(check: Any) -> None:
    network = toy.tiny(ernie_vil_small)
    assert isinstance(network, CrossModal)
    check(network)


def test_a_seed_repeats_a_step() -> None:
    toy.check_same_seed(toy.tiny(ernie_vil_small))


def test_it_learns_a_few_questions_by_heart() -> None:
    network, batch = toy.tiny(ernie_vil_small, dropout=0.0), toy.batch_of(toy.drawn(32))
    losses = toy.trained(network, batch, steps=45, rate=3e-3)
    assert losses[0] > 1.2
    assert toy.share_right(network, batch) >= 0.9


def test_it_sees() -> None:
    network, batch = toy.tiny(ernie_vil_small), toy.batch_of(toy.drawn(4))
    darker = replace(batch, seen=replace(batch.seen, features=batch.seen.features // 4))
    apart = toy.scores_of(network, batch).logits - toy.scores_of(network, darker).logits
    assert apart.abs().max() > 1e-5


def test_streams_of_different_widths_meet() -> None:
    regions = SmallRegions(16, size=toy.PIXELS, widths=(8, 16))
    network = TwoStream(toy.bert(layers=3), regions, width=24, heads=3, inner=40, connections=2, drop=0.1)
    toy.check_shapes(network)
    toy.check_padding(network)
    with torch.no_grad():
        states = network.eval().states(toy.batch_of(toy.drawn(2, objects=1)))
    assert [part.shape[-1] for part in states[:3]] == [toy.WIDTH, 24, 24]


def test_attention_between_streams_is_what_it_says() -> None:
    """Against the same, place by place."""
    torch.manual_seed(0)
    text = toy.bert(layers=1, dropout=0.0).config
    layer = CoAttention(text, 10, sized(text, width=10, heads=1, inner=12)).eval()
    asking, other = torch.randn(1, 2, toy.WIDTH), torch.randn(1, 3, 10)
    hiding = torch.tensor([0.0, 0.0, torch.finfo(torch.float32).min])[None, None, None]  # the last is padding
    with torch.no_grad():
        found = layer(Stream(asking, torch.zeros(1, 1, 1, 2)), Stream(other, hiding))
        queries, keys = layer.attention.query(asking[0]), layer.attention.key(other[0, :2])
        shares = (queries @ keys.T / 10**0.5).softmax(dim=-1)
        values = layer.output(shares @ layer.attention.value(other[0, :2]), asking[0])
        expected = layer.narrow(layer.wide(values), values)
    assert torch.allclose(found.weights[0, :, :2], shares, atol=1e-6)
    assert (found.weights[..., 2] == 0).all()
    assert torch.allclose(found.values[0], expected, atol=1e-5)


def test_location_has_five_numbers() -> None:
    found = location(torch.tensor([0.1, 0.2, 0.5, 0.4]))
    assert torch.allclose(found, torch.tensor([0.1, 0.2, 0.5, 0.4, 0.08]))


@pytest.mark.parametrize(
    ("build", "size", "heads", "inner"),
    [(ernie_vil_base, (12, 768, 12), 8, 1024), (ernie_vil_large, (24, 1024, 16), 16, 4096)],
)
def test_published_sizes(build: Any, size: tuple[int, int, int], heads: int, inner: int) -> None:
    with torch.device("meta"):
        network = build(toy.paper_parts(*size))
    assert len(network.encoder.layer) == size[0]
    assert len(network.layers) == len(network.connections) == 6
    assert network.layers[0].attention.self.num_attention_heads == heads
    assert network.layers[0].intermediate.dense.weight.shape == (inner, 1024)
    assert network.connections[0].text.attention.query.weight.shape == (1024, size[1])


def test_a_text_stream_too_short_for_its_connections_is_refused() -> None:
    with pytest.raises(ValueError, match="3 connections want as many layers of text"):
        TwoStream(toy.bert(layers=2), toy.Unseen(4), width=8, heads=1, inner=8, connections=3, drop=0.0)

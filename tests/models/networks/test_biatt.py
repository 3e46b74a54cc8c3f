"""BiATT by hand: panels, the order of objects, and words and things each in terms of the other."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from making import ANSWERS, DIM, batch_for, drawn, scores_of, tiny_network, tiny_parts
from torch import Generator, Tensor

from commonsight.models.canvas.frozen import KeptMaps
from commonsight.models.catalogue import find
from commonsight.models.features.batch import Batch, Seen
from commonsight.models.libraries import seeded
from commonsight.models.networks.biatt import CNNBiATT, Matching, from_left, in_panels, whole_again


def some(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed))


def test_a_canvas_is_cut_into_panels() -> None:
    maps = torch.arange(2 * 1 * 2 * 5.0).reshape(2, 1, 2, 5)  # of two questions, two rows and five columns
    panels = in_panels(maps, 3)
    assert panels.shape == (2, 2)
    assert panels.places.shape == (6, 4, 1)
    assert panels.places[0, :, 0].tolist() == [0, 1, 5, 6]
    assert panels.places[2, :, 0].tolist() == [4, 0, 9, 0]
    assert panels.mask[0].all()
    assert panels.mask[2].tolist() == [True, False, True, False]
    assert panels.places[3, :, 0].tolist() == [10, 11, 15, 16]


def test_what_panels_look_at_is_put_together_again() -> None:
    panels = in_panels(torch.zeros(2, 1, 2, 5), 3)
    looks = torch.zeros(6, 1, 4)
    looks[1, 0, 2] = 1.0  # the first question's second panel: its second row, first column
    looks[5, 0, 0] = 1.0
    whole = whole_again(looks, panels).reshape(2, 2, 5)
    assert whole[0].nonzero().tolist() == [[1, 2]]
    assert whole[1].nonzero().tolist() == [[0, 4]]
    assert whole[0, 1, 2] == pytest.approx(1 / 3)


def test_words_and_things_are_matched_both_ways() -> None:
    with seeded(0):
        match = Matching(4)
    words, things = some(1, 3, 4), some(1, 5, 4, seed=1)
    there, seen = torch.tensor([[True, True, False]]), torch.tensor([[True] * 4 + [False]])
    found = match(words, things, there, seen)
    met = match.meet(words[0])
    table = torch.stack([torch.stack([met[i] @ things[0, j] for j in range(4)]) for i in range(2)])
    for i in range(2):
        shares = table[i].softmax(dim=0)
        other = shares @ things[0, :4]
        joined = torch.cat((met[i], other, met[i] - other, met[i] * other))
        torch.testing.assert_close(found.words[0, i], match.of_words(joined).relu())
    for j in range(4):
        shares, own = table[:, j].softmax(dim=0), things[0, j]
        other = shares @ met[:2]
        joined = torch.cat((own, other, own - other, own * other))
        torch.testing.assert_close(found.things[0, j], match.of_things(joined).relu())
    torch.testing.assert_close(found.looks[0, 0, :4], table.softmax(dim=1).mean(dim=0))
    assert not found.looks[0, 0, 4]


def kept(panels: int) -> tuple[CNNBiATT, Batch, Tensor]:
    """A network that is given maps as they are, so that panels can be moved."""
    entry = find("cnn-biatt")
    parts = tiny_parts(entry)._replace(canvas=KeptMaps(DIM))
    with seeded(0):
        assert parts.words is not None
        network = CNNBiATT(
            parts.words,
            KeptMaps(DIM),
            answers=len(ANSWERS),
            panels=panels,
            hidden=8,
            layers=(8,),
            dropout=0.0,
        )
    maps = some(4, DIM, 3, 9)
    return network, replace(batch_for(entry, drawn(4)), canvas=maps), maps


def test_the_order_of_panels_is_of_no_matter() -> None:
    network, batch, maps = kept(3)
    turned = torch.cat((maps[..., 6:], maps[..., :3], maps[..., 3:6]), dim=-1)
    other = replace(batch, canvas=turned)
    torch.testing.assert_close(scores_of(network, other).logits, scores_of(network, batch).logits)
    shifted = replace(batch, canvas=maps.roll(1, dims=-1))
    assert not torch.allclose(scores_of(network, shifted).logits, scores_of(network, batch).logits)


def test_places_are_told_of_as_shares() -> None:
    network, batch, _ = kept(2)
    places = scores_of(network, batch).attention["places"]
    assert places.shape == (4, 1, 1, 27)
    torch.testing.assert_close(places.sum(dim=-1), torch.ones(4, 1, 1))


def test_objects_are_read_from_left_to_right() -> None:
    boxes = torch.tensor([[[0.5, 0.5], [0.1, 0.9], [0.1, 0.2], [0.0, 0.0]]])
    seen = Seen(
        torch.tensor([[True, True, True, False]]),
        torch.cat((boxes, boxes + 0.1), dim=-1),
        torch.zeros(1, 4, dtype=torch.long),
    )
    assert from_left(seen).tolist() == [[2, 1, 0, 3]]


def test_in_which_order_objects_are_given_is_of_no_matter() -> None:
    entry = find("biatt-objects")
    network, batch = tiny_network(entry), batch_for(entry, drawn(1, objects=6, seed=4))
    seen = batch.seen
    assert seen is not None
    assert seen.features is not None
    order = torch.arange(seen.mask.shape[1] - 1, -1, -1)
    turned = replace(
        seen,
        boxes=seen.boxes[:, order],
        classes=seen.classes[:, order],
        features=seen.features[:, order],
    )
    one, other = scores_of(network, batch), scores_of(network, replace(batch, seen=turned))
    torch.testing.assert_close(other.logits, one.logits)
    torch.testing.assert_close(other.attention["glimpses"][..., order], one.attention["glimpses"])

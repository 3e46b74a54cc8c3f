"""CMM by hand: what is said modulates what is seen, and the other way round."""

from __future__ import annotations

import torch
from making import batch_for, drawn, scores_of, tiny_network
from torch import Generator, Tensor, nn
from torch.nn.functional import group_norm

from commonsight.models.catalogue import find
from commonsight.models.libraries import seeded
from commonsight.models.networks.cmm import CMM, ModulatedBlock, ModulatedLook, with_corners

SAID, DIM = 6, 4


def some(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=Generator().manual_seed(seed))


def test_places_say_where_they_are() -> None:
    found = with_corners(torch.zeros(2, 1, 2, 3))
    assert found.shape == (2, 3, 2, 3)
    assert found[1, 1].tolist() == [[-1, 0, 1], [-1, 0, 1]]
    assert found[1, 2].tolist() == [[-1, -1, -1], [1, 1, 1]]


def test_a_block_is_scaled_and_shifted_as_is_said() -> None:
    with seeded(0):
        block = ModulatedBlock(SAID, DIM)
    maps, said = some(2, DIM, 3, 5), some(2, SAID, seed=1)
    before = block.project(with_corners(maps)).relu()
    normed = group_norm(block.around(before), 1)
    scale, shift = block.modulate(said)[:, :DIM], block.modulate(said)[:, DIM:]
    expected = before + (normed * (1 + scale)[..., None, None] + shift[..., None, None]).relu()
    torch.testing.assert_close(block(maps, said), expected)


def test_words_are_scaled_and_shifted_as_is_seen() -> None:
    with seeded(0):
        look = ModulatedLook(SAID, DIM)
    words, maps = some(2, 3, SAID), some(2, DIM, 3, 5, seed=1)
    mask = torch.tensor([[True, True, True], [True, True, False]])
    found = look(words, mask, maps)
    for row, length in enumerate((3, 2)):
        told = look.modulate(with_corners(maps)[row].flatten(1).max(dim=1).values)
        own = (words[row, :length] * (1 + told[:SAID]) + told[SAID:]).relu()
        torch.testing.assert_close(found[row], look.weigh(own).squeeze(1).softmax(dim=0) @ own)


def test_each_side_is_modulated_by_the_other() -> None:
    """Without either, the answer no longer follows what the other side was like on the way."""
    entry = find("cmm")
    network, batch = tiny_network(entry), batch_for(entry, drawn(4))
    assert isinstance(network, CMM)
    before = scores_of(network, batch).logits
    for several in (network.blocks, network.looks):
        kept = [each.modulate.weight.detach().clone() for each in several]
        for each in several:
            nn.init.zeros_(each.modulate.weight)
        assert not torch.allclose(scores_of(network, batch).logits, before)
        for each, weight in zip(several, kept, strict=True):
            each.modulate.weight.data.copy_(weight)
    torch.testing.assert_close(scores_of(network, batch).logits, before)

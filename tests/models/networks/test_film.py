"""FiLM by hand: one question, one map and one place at a time."""

from __future__ import annotations

import pytest
import torch
from making import batch_for, drawn, scores_of, tiny_network, tiny_parts
from torch import Tensor, nn

from commonsight.models.catalogue import find
from commonsight.models.networks.film import FiLM, ModulatedBlock, film_paper, with_coordinates


def test_coordinates_reach_from_edge_to_edge() -> None:
    maps = with_coordinates(torch.zeros(2, 1, 3, 5))
    assert maps.shape == (2, 3, 3, 5)
    assert maps[1, 1].tolist() == [[-1.0, -0.5, 0.0, 0.5, 1.0]] * 3  # how far right
    assert maps[1, 2].tolist() == [[-1.0] * 5, [0.0] * 5, [1.0] * 5]  # how far down


def block_by_hand(block: ModulatedBlock, found: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """One picture: (maps, height, width), place by place."""
    maps, height, width = found.shape
    entered = torch.zeros(maps, height, width)
    for down in range(height):
        for right in range(width):
            where = torch.tensor([-1 + 2 * right / (width - 1), -1 + 2 * down / (height - 1)])
            inside = torch.cat((found[:, down, right], where))
            made = block.enter.weight[:, :, 0, 0] @ inside + block.enter.bias
            entered[:, down, right] = made.clamp(min=0)
    around = nn.functional.pad(entered, (1, 1, 1, 1))
    out = torch.zeros_like(entered)
    for number in range(maps):
        kernel = block.look.weight[number]  # (maps, 3, 3)
        mean, spread = block.norm.running_mean, block.norm.running_var
        assert mean is not None
        assert spread is not None
        for down in range(height):
            for right in range(width):
                seen = (kernel * around[:, down : down + 3, right : right + 3]).sum()
                even = (seen - mean[number]) / (spread[number] + block.norm.eps).sqrt()
                modulated = (scale[number] * even + shift[number]).clamp(min=0)
                out[number, down, right] = entered[number, down, right] + modulated
    return out


def test_a_block_is_what_its_equations_say() -> None:
    torch.manual_seed(0)
    block = ModulatedBlock(3).eval()
    block.norm.running_mean = torch.randn(3)
    block.norm.running_var = torch.rand(3) + 0.5
    found, scale, shift = torch.randn(2, 3, 4, 5), torch.randn(2, 3), torch.randn(2, 3)
    with torch.no_grad():
        made = block(found, scale, shift)
        for row in range(2):
            expected = block_by_hand(block, found[row], scale[row], shift[row])
            torch.testing.assert_close(made[row], expected, rtol=1e-4, atol=1e-5)


def test_in_training_what_a_convolution_makes_is_normalised_over_the_batch() -> None:
    torch.manual_seed(0)
    block = ModulatedBlock(3).train()
    found = torch.randn(4, 3, 4, 5)
    made = block(found, torch.ones(4, 3), torch.zeros(4, 3))
    entered = block.enter(with_coordinates(found)).relu()
    looked = block.look(entered)
    mean, spread = looked.mean(dim=(0, 2, 3)), looked.var(dim=(0, 2, 3), unbiased=False)
    even = (looked - mean[:, None, None]) / (spread[:, None, None] + block.norm.eps).sqrt()
    torch.testing.assert_close(made, entered + even.relu(), rtol=1e-4, atol=1e-5)


def test_every_block_has_scales_and_shifts_of_its_own_from_the_end_of_the_sentence() -> None:
    entry = find("film")
    network, batch = tiny_network(entry, seed=2), batch_for(entry, drawn(3))
    assert isinstance(network, FiLM)
    found = scores_of(network, batch).logits
    assert batch.query is not None
    assert batch.canvas is not None
    with torch.no_grad():
        for row in range(3):
            length = int(batch.query.lengths[row, 0])
            words = network.words.table(batch.query.ids[row, 0, :length])
            _, last = network.ask.gru(words[None])
            numbers = network.modulate(last[0, 0]).reshape(len(network.blocks), 2, -1)
            maps = network.enter(with_coordinates(network.canvas(batch.canvas[row : row + 1])))
            for block, (scale, shift) in zip(network.blocks, numbers, strict=True):
                maps = block_by_hand(block, maps[0], 1 + scale, shift)[None]
            most = network.leave(with_coordinates(maps))[0].flatten(1).max(dim=1).values
            torch.testing.assert_close(network.answer(most), found[row], rtol=1e-3, atol=1e-4)


def test_published_sizes() -> None:
    network = film_paper(tiny_parts(find("film")))
    assert network.ask.gru.hidden_size == 1096
    assert len(network.blocks) == 4
    assert network.blocks[0].look.out_channels == 28
    assert network.leave[0].out_channels == 256
    assert [layer.out_features for layer in network.answer.layers] == [512, 5]
    recipe = find("film").paper.recipe
    assert (recipe.batch, recipe.rate, recipe.decay) == (64, pytest.approx(3e-4), 1e-5)
    assert (recipe.patience, recipe.growth) == (30, 1.01)

"""What dropout drops is drawn from a generator, and from nothing else."""

from __future__ import annotations

import pytest
import torch
from torch import Generator

from commonsight.models.layers.dropout import checked, dropout


def seeded_by(seed: int) -> Generator:
    return Generator().manual_seed(seed)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_share_is_dropped_and_the_rest_makes_up_for_it(share: float) -> None:
    dropped = dropout(torch.ones(100, 2000), share, seeded_by(1), training=True)
    assert float((dropped == 0).double().mean()) == pytest.approx(share, abs=0.01)
    kept = dropped[dropped != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - share)))
    assert float(dropped.mean()) == pytest.approx(1.0, abs=0.02)


def test_every_place_has_its_own_chance() -> None:
    dropped = dropout(torch.ones(40, 50), 0.5, seeded_by(1), training=True) == 0
    assert len({tuple(row) for row in dropped.tolist()}) == 40
    assert len({tuple(column) for column in dropped.T.tolist()}) == 50


def test_a_seed_repeats_it_and_global_chance_is_not_touched() -> None:
    values, before = torch.randn(8, 9, generator=seeded_by(0)), torch.get_rng_state()
    one, same, other = (dropout(values, 0.5, seeded_by(seed), training=True) for seed in (1, 1, 2))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(("share", "training"), [(0.5, False), (0.0, True)])
def test_otherwise_nothing_is_dropped_and_nothing_drawn(share: float, training: bool) -> None:
    values, generator = torch.ones(3, 4), seeded_by(1)
    before = generator.get_state()
    assert dropout(values, share, generator, training) is values
    assert dropout(values, share, None, training) is values
    assert torch.equal(generator.get_state(), before)


def test_types_are_kept() -> None:
    for dtype in (torch.float64, torch.float32, torch.bfloat16):
        assert dropout(torch.ones(3, dtype=dtype), 0.5, seeded_by(1), training=True).dtype == dtype


def test_gradients_pass_where_values_do() -> None:
    values = torch.ones(5, 6, requires_grad=True)
    dropped = dropout(values, 0.5, seeded_by(1), training=True)
    dropped.sum().backward()
    assert values.grad is not None
    assert torch.equal(values.grad, dropped.detach())


def test_wrong_use_is_told() -> None:
    with pytest.raises(ValueError, match="pass generator=, or call eval"):
        dropout(torch.ones(3), 0.5, None, training=True)
    for share in (1.0, -0.1):
        with pytest.raises(ValueError, match=f"dropout is {share:g};"):
            checked(share)
    assert checked(0.5) == 0.5

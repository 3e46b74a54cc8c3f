"""Where a question looks, and what is lost by looking elsewhere."""

from __future__ import annotations

import math

import pytest
import torch

from commonsight.models.layers.looking import Combined, TopDown, pointing_loss

SCORES = torch.tensor([[1.0, 2.0, -1.0, 9.0], [0.5, 0.0, 3.0, 1.0], [4.0, 1.0, 2.0, 0.0]])
MASK = torch.tensor([[True, True, True, False], [True] * 4, [True, True, False, False]])
TARGETS = torch.tensor([[False, True, False, False], [True, False, False, True], [False] * 4])


def plain_loss(scores: list[float], mask: list[bool], targets: list[bool]) -> float:
    """Number by number."""
    total = sum(math.exp(score) for score, there in zip(scores, mask, strict=True) if there)
    wanted = [place for place, target in enumerate(targets) if target]
    return sum(-math.log(math.exp(scores[place]) / total) / len(wanted) for place in wanted)


def test_the_loss_is_the_cross_entropy_of_shared_targets() -> None:
    plain = [
        plain_loss(*row)
        for row in zip(SCORES.tolist(), MASK.tolist(), TARGETS.tolist(), strict=True)
    ]
    torch.testing.assert_close(pointing_loss(SCORES, MASK, TARGETS), torch.tensor(plain))
    assert plain[2] == 0  # without a target nothing is lost


def test_where_nothing_is_wanted_nothing_is_learned() -> None:
    scores = SCORES.clone().requires_grad_()
    pointing_loss(scores, MASK, TARGETS).sum().backward()
    assert scores.grad is not None
    assert scores.grad.isfinite().all()
    assert not scores.grad[2].any()
    assert not scores.grad[0, 3]  # padding
    assert scores.grad[0, 1] < 0 < scores.grad[0, 0]


@pytest.mark.parametrize("rubbish", [0.0, 1e6, math.nan])
def test_padding_is_not_seen(rubbish: float) -> None:
    torch.manual_seed(0)
    look = TopDown(3, 2, 4)
    values, asking = torch.randn(2, 3, 3), torch.randn(2, 2)
    mask = torch.tensor([[True, True, False], [False, False, False]])
    littered = values.masked_fill(~mask[..., None], rubbish)
    seen, clean = look(littered, asking, mask), look(values, asking, mask)
    torch.testing.assert_close(seen.values, clean.values)
    torch.testing.assert_close(seen.weights.sum(dim=1), torch.tensor([1.0, 0.0]))
    torch.testing.assert_close(seen.values[0], seen.weights[0, :2] @ values[0, :2])
    assert not seen.values[1].any()


def test_what_was_found_is_multiplied_with_what_looked_for_it() -> None:
    torch.manual_seed(0)
    both = Combined(3, 2, 4)
    found, asking = torch.randn(5, 3), torch.randn(5, 2)
    one = found @ both.found.weight.T + both.found.bias
    other = asking @ both.asking.weight.T + both.asking.bias
    torch.testing.assert_close(both(found, asking), one * other)

"""Memory is counted to the byte."""

from __future__ import annotations

import torch
from held import Held


def test_what_is_made_counts_until_it_is_gone() -> None:
    before = torch.ones(1000)
    with Held() as held:
        made = torch.zeros(1000)
        assert held.now == 4000
        view = made[10:].reshape(10, -1)
        made.add_(1)
        before.mul_(2)
        assert held.now == 4000
        another = made + before
        assert held.now == 8000
        del another
        assert held.now == 4000
        del made
        assert held.now == 4000  # for it can still be seen
        del view
        assert held.now == 0
    assert held.most == 8000


def test_what_the_backward_pass_needs_is_counted() -> None:
    weight = torch.ones(1000, requires_grad=True)
    with Held() as held:
        with torch.no_grad():
            float((weight * 2).exp().sum())
        forgotten = held.most
        loss = (weight * 2).exp().exp().sum()
        assert held.now >= 8000  # both exponentials
        loss.backward()
    assert forgotten == 8000
    assert held.most > forgotten
    assert held.now == 4000 + 4  # the gradient and the loss

"""IPOT against the cheapest plan there is."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.optimize import linear_sum_assignment, linprog

from commonsight.models.pretraining.transport import cosine_cost, distance, plan


def _cheapest(cost: np.ndarray) -> float:
    """By linear programming: each row gives 1 / rows, each column takes 1 / columns."""
    rows, columns = cost.shape
    given = np.kron(np.eye(rows), np.ones(columns))
    taken = np.kron(np.ones(rows), np.eye(columns))
    shares = np.concatenate((np.full(rows, 1 / rows), np.full(columns, 1 / columns)))
    return float(linprog(cost.ravel(), A_eq=np.concatenate((given, taken)), b_eq=shares).fun)


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (5, 2), (1, 4), (7, 6)])
def test_many_steps_find_the_cheapest_plan(rows: int, columns: int) -> None:
    rng = np.random.default_rng((rows, columns))
    cost = rng.random((rows, columns))
    first, second = torch.ones(1, rows, dtype=torch.bool), torch.ones(1, columns, dtype=torch.bool)
    found = plan(torch.from_numpy(cost)[None], first, second, steps=3000)[0]
    assert torch.allclose(found.sum(dim=1), torch.full((rows,), 1 / rows, dtype=torch.float64), atol=1e-3)
    assert torch.allclose(found.sum(dim=0), torch.full((columns,), 1 / columns, dtype=torch.float64))
    assert float((found * torch.from_numpy(cost)).sum()) == pytest.approx(_cheapest(cost), abs=2e-3)


def test_as_many_on_either_side_are_assigned_to_each_other() -> None:
    rng = np.random.default_rng(4)
    cost = rng.random((6, 6))
    everything = torch.ones(1, 6, dtype=torch.bool)
    found = plan(torch.from_numpy(cost)[None], everything, everything, steps=3000)[0]
    rows, columns = linear_sum_assignment(cost)
    assert found.argmax(dim=1).tolist() == columns.tolist()
    assert float(found[rows, columns].sum()) > 0.98


def test_the_published_steps_come_near() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        cost = cosine_cost(*(torch.from_numpy(rng.normal(size=(1, count, 16))) for count in (9, 4)))
        masks = torch.ones(1, 9, dtype=torch.bool), torch.ones(1, 4, dtype=torch.bool)
        even = float(cost.mean())
        exact = _cheapest(cost[0].numpy())
        found = float(distance(cost, *masks))
        assert exact - 1e-3 <= found  # each word gives a little more or less than its share
        assert found - exact < 0.15 * (even - exact)


def test_padding_takes_part_in_nothing() -> None:
    torch.manual_seed(0)
    first, second = torch.randn(1, 4, 8), torch.randn(1, 3, 8)
    alone = distance(
        cosine_cost(first, second), torch.ones(1, 4, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool)
    )
    more = [
        torch.cat((first, torch.full((1, 3, 8), 100.0)), dim=1),
        torch.cat((second, torch.zeros(1, 5, 8)), dim=1),
    ]
    masks = torch.arange(7)[None] < 4, torch.arange(8)[None] < 3
    assert torch.allclose(distance(cosine_cost(*more), *masks), alone, atol=1e-6)
    assert plan(cosine_cost(*more), *masks)[0, 4:].sum() == 0


def test_nothing_on_one_side_costs_nothing() -> None:
    none, some = torch.zeros(1, 2, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool)
    assert distance(torch.ones(1, 2, 3), none, some).tolist() == [0.0]


def test_its_gradient_draws_aligned_points_together() -> None:
    torch.manual_seed(1)
    first, second = torch.randn(1, 4, 8, requires_grad=True), torch.randn(1, 4, 8)
    masks = torch.ones(1, 4, dtype=torch.bool), torch.ones(1, 4, dtype=torch.bool)
    before = distance(cosine_cost(first, second), *masks)
    before.sum().backward()  # type: ignore[no-untyped-call]
    assert first.grad is not None
    nearer = (first - 0.5 * first.grad).detach()
    assert distance(cosine_cost(nearer, second), *masks) < before.detach()


def test_cosine_cost_is_one_less_the_cosine() -> None:
    first, second = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[3.0, 0.0], [-1.0, 0.0]])
    assert torch.allclose(cosine_cost(first, second), torch.tensor([[0.0, 2.0], [1.0, 1.0]]))

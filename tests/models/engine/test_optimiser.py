"""Rates by hand, and optimisers that remember."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, Adamax, AdamW

from commonsight.errors import InputError
from commonsight.models.engine.optimiser import optimiser, rate_at, remember, set_rate, tensors
from commonsight.models.engine.recipe import Recipe


def rates(steps: int, recipe: Recipe, lowered: float = 1.0) -> list[float]:
    return [rate_at(step, steps, recipe, lowered) for step in range(steps)]


def test_a_rate_stays_unless_something_is_said() -> None:
    assert rates(3, Recipe(rate=0.1)) == [0.1, 0.1, 0.1]
    assert rates(2, Recipe(rate=0.1), lowered=0.25) == [0.025, 0.025]


def test_it_rises_and_then_falls_evenly() -> None:
    wanted = [0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125]
    assert rates(10, Recipe(rate=1.0, warm_up=0.2)) == pytest.approx(wanted)
    assert rates(10, Recipe(rate=1.0, warm_up_steps=2)) == pytest.approx(wanted)
    assert rates(10, Recipe(rate=1.0, warm_up=0.9, warm_up_steps=2)) == pytest.approx(wanted)
    assert rates(10, Recipe(rate=1.0, warm_up=0.2), lowered=0.5) == pytest.approx([x / 2 for x in wanted])


def test_it_is_lowered_at_shares_of_all_steps() -> None:
    several = Recipe(rate=1.0, lower_at=(0.4, 0.8), lower=0.1)
    assert rates(5, several) == pytest.approx([1, 1, 0.1, 0.1, 0.01])
    rising = Recipe(rate=1.0, lower_at=(0.5,), lower=0.1, warm_up_steps=2)
    assert rates(6, rising) == pytest.approx([0.5, 1, 1, 0.1, 0.1, 0.1])


def test_a_training_shorter_than_its_rise_only_rises() -> None:
    assert rates(3, Recipe(rate=1.0, warm_up_steps=4)) == pytest.approx([0.25, 0.5, 0.75])
    assert rates(4, Recipe(rate=1.0, warm_up_steps=4)) == pytest.approx([0.25, 0.5, 0.75, 1.0])


@pytest.mark.parametrize(
    ("name", "kind"), [("adam", Adam), ("adamw", AdamW), ("adamax", Adamax), ("sgd", SGD)]
)
def test_optimisers_step_as_the_recipe_says(name: str, kind: type) -> None:
    made = optimiser([nn.Parameter(torch.ones(2))], Recipe(optimiser=name, rate=0.3, decay=0.2, momentum=0.4))  # type: ignore[arg-type]
    assert type(made) is kind
    (group,) = made.param_groups
    assert (group["lr"], group["weight_decay"]) == (0.3, 0.2)
    assert group.get("momentum", 0.4) == 0.4
    set_rate(made, 0.7)
    assert group["lr"] == 0.7


def test_what_is_frozen_is_left_out() -> None:
    frozen = nn.Parameter(torch.ones(2), requires_grad=False)
    made = optimiser([frozen, nn.Parameter(torch.ones(3))], Recipe())
    assert [len(one) for one in made.param_groups[0]["params"]] == [3]


@pytest.mark.parametrize("name", ["adam", "adamw", "adamax", "sgd"])
def test_what_is_remembered_goes_on_the_same(name: str) -> None:
    def stepped(parameter: nn.Parameter, made: torch.optim.Optimizer, times: int) -> None:
        for _ in range(times):
            made.zero_grad()
            (parameter**3).sum().backward()
            made.step()

    recipe = Recipe(optimiser=name, rate=0.01)  # type: ignore[arg-type]
    whole = nn.Parameter(torch.arange(1.0, 4.0))
    stepped(whole, optimiser([whole], recipe), 5)
    half = nn.Parameter(torch.arange(1.0, 4.0))
    first = optimiser([half], recipe)
    stepped(half, first, 2)
    second = optimiser([half], recipe)
    remember(second, {name: value.clone() for name, value in tensors(first).items()}, Path("x"))
    stepped(half, second, 3)
    assert torch.equal(whole, half)


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ({"a.exp_avg": torch.ones(3)}, "'a.exp_avg' is no memory of this optimiser"),
        ({"1.exp_avg": torch.ones(3)}, "'1.exp_avg' is no memory of this optimiser"),
        ({"-1.exp_avg": torch.ones(3)}, "'-1.exp_avg' is no memory of this optimiser"),
        ({"0": torch.ones(3)}, "'0' is no memory of this optimiser"),
        ({"0.exp_avg": torch.ones(4)}, r"0\.exp_avg is \(4,\), not \(3,\)"),
    ],
)
def test_memories_of_something_else_are_refused(kept: dict[str, Tensor], message: str) -> None:
    made = optimiser([nn.Parameter(torch.ones(3))], Recipe())
    with pytest.raises(InputError, match=f"folder: {message}"):
        remember(made, kept, Path("folder"))

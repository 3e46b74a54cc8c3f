"""The optimiser and the rate that it steps with."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from torch import Tensor
from torch.nn import Parameter
from torch.optim import SGD, Adam, Adamax, AdamW, Optimizer

from commonsight.errors import InputError
from commonsight.models.engine.recipe import Recipe

_KINDS: dict[str, type[Adam | Adamax]] = {"adam": Adam, "adamw": AdamW, "adamax": Adamax}


def optimiser(parameters: Iterable[Parameter], recipe: Recipe) -> Optimizer:
    """For whatever is to be trained."""
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    if not trained:
        raise InputError("This network has nothing to train. Choose one that has.")
    if recipe.optimiser == "sgd":
        return SGD(trained, lr=recipe.rate, weight_decay=recipe.decay, momentum=recipe.momentum)
    return _KINDS[recipe.optimiser](trained, lr=recipe.rate, weight_decay=recipe.decay)



def rate_at(step: int, steps: int, recipe: Recipe, lowered: float = 1.0) -> float:
    """The rate of one step of so many; `lowered` is what plateaus have left of it so far."""
    rate = recipe.rate * lowered
    rising = recipe.warm_up_steps if recipe.warm_up_steps is not None else round(recipe.warm_up * steps)
    if step < rising:
        return rate * (step + 1) / rising
    if recipe.lower_at:
        return rate * math.prod(recipe.lower for share in recipe.lower_at if step >= share * steps)
    if rising:
        return rate * (steps - step) / max(1, steps - rising)
    return rate


def set_rate(used: Optimizer, rate: float) -> None:
    """Step with this rate from now on."""
    for group in used.param_groups:
        group["lr"] = rate


def tensors(used: Optimizer) -> dict[str, Tensor]:
    """All that the optimiser remembers, by parameter and name."""
    return {
        f"{number}.{name}": value
        for number, kept in used.state_dict()["state"].items()
        for name, value in kept.items()
        if isinstance(value, Tensor)
    }


def remember(used: Optimizer, kept: Mapping[str, Tensor], origin: Path) -> None:
    """Make it remember what `tensors` gave."""
    parameters = [parameter for group in used.param_groups for parameter in group["params"]]
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in kept.items():
        number, _, name = key.partition(".")
        if not number.isdecimal() or int(number) >= len(parameters) or not name:
            raise InputError(f"{origin}: '{key}' is no memory of this optimiser. Train anew.")
        shape = parameters[int(number)].shape
        if value.shape not in ((), shape):
            raise InputError(f"{origin}: {key} is {tuple(value.shape)}, not {tuple(shape)}. Train anew.")
        state.setdefault(int(number), {})[name] = value
    used.load_state_dict({"state": state, "param_groups": used.state_dict()["param_groups"]})

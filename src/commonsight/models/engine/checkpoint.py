"""Checkpoints: weights, the optimiser's memory and where training stands, all of one moment.

    checkpoints/step-00000420/   model.safetensors, optimiser.safetensors, average.safetensors, state.json
    best.safetensors             the weights with the best validation accuracy

A checkpoint has its name only when all of it is on the disk; whatever kills the process, the last whole one
is there. Nothing is ever pickled: loading a file runs no code.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import msgspec
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.engine.state import State
from commonsight.store.atomic import new_file, new_folder

BEST = "best.safetensors"
_FOLDER = "checkpoints"
_REMEDY = "Give the folder that `commonsight train` wrote, or train anew."


class Checkpoint(NamedTuple):
    """One moment of training."""

    state: State
    model: dict[str, Tensor]
    optimiser: dict[str, Tensor]
    average: dict[str, Tensor]
    """The moving average of the weights, where one is kept."""


def save(folder: Path, moment: Checkpoint) -> None:
    """Write a checkpoint, then remove those before it."""
    target = folder / _FOLDER / f"step-{moment.state.step:08}-{moment.state.epoch:04}"
    with new_folder(target, overwrite=True) as beside:
        save_file(_plain(moment.model), beside / "model.safetensors")
        save_file(_plain(moment.optimiser), beside / "optimiser.safetensors")
        if moment.average:
            save_file(_plain(moment.average), beside / "average.safetensors")
        (beside / "state.json").write_bytes(msgspec.json.encode(moment.state))
    for other in _whole(folder):
        if other != target:
            shutil.rmtree(other, ignore_errors=True)


def latest(folder: Path) -> Checkpoint | None:
    """The last whole checkpoint of a training, if there is one."""
    found = _whole(folder)
    if not found:
        return None
    at = found[-1]
    try:
        state = msgspec.json.decode((at / "state.json").read_bytes(), type=State)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"{at / 'state.json'}: this cannot be read ({error}). {_REMEDY}") from error
    average = at / "average.safetensors"
    return Checkpoint(
        state,
        weights(at / "model.safetensors"),
        weights(at / "optimiser.safetensors"),
        weights(average) if average.is_file() else {},
    )


def save_best(folder: Path, model: dict[str, Tensor]) -> None:
    """Keep these weights as the best so far."""
    with new_file(folder / BEST) as beside:
        save_file(_plain(model), beside)


def weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a file."""
    if not path.is_file():
        raise InputError(f"{path}: there are no weights here. {_REMEDY}")
    try:
        found: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        raise InputError(f"{path}: this is not a safetensors file ({error}). {_REMEDY}") from error
    return found


def restore(network: nn.Module, kept: dict[str, Tensor], origin: Path) -> None:
    """Put weights into a network that is built like the one they were taken from."""
    own = network.state_dict()
    told = [f"{name} is missing" for name in own if name not in kept]
    told += [f"{name} is of no use here" for name in kept if name not in own]
    told += [
        f"{name} is {tuple(kept[name].shape)} and should be {tuple(value.shape)}"
        for name, value in own.items()
        if name in kept and kept[name].shape != value.shape
    ]
    if told:
        shown = "; ".join(told[:3]) + (f"; and {len(told) - 3} more" if len(told) > 3 else "")
        raise InputError(f"{origin}: these weights are of another network ({shown}). {_REMEDY}")
    network.load_state_dict(kept)


def _whole(folder: Path) -> list[Path]:
    return sorted((folder / _FOLDER).glob("step-*"))


def _plain(model: dict[str, Tensor]) -> dict[str, Tensor]:
    """Each tensor on its own: the format refuses such as share their numbers."""
    return {name: value.detach().cpu().contiguous().clone() for name, value in model.items()}

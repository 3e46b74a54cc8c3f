"""Checkpoints: weights, the optimiser's memory and where training stands, all of one moment.

    checkpoints/step-00000420-0003/  model.safetensors, optimiser.safetensors, average.safetensors, state.json
    best.safetensors                 the weights with the best validation accuracy

A checkpoint has its name only when all of it is on the disk; whatever kills the process, the last whole one
is there. Nothing is ever pickled: loading a file runs no code.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.engine.state import State
from commonsight.models.tensor_files import tensor_file
from commonsight.store.atomic import new_file, new_folder
from commonsight.store.documents import read_document, write_document

BEST = "best.safetensors"
_FOLDER = "checkpoints"
_STATE = "state.json"
_REMEDY = "Give the folder that `commonsight train` wrote, or train anew."


class Checkpoint(NamedTuple):
    """One moment of training."""

    state: State
    model: dict[str, Tensor]
    optimiser: dict[str, Tensor]
    average: dict[str, Tensor]
    """The moving average of the weights, where one is kept."""


def save(folder: Path, moment: Checkpoint) -> None:
    """Write a checkpoint, then remove those before it, and what killed processes left of theirs.

    One process at a time may do so (`store.locks`).
    """
    target = folder / _FOLDER / f"step-{moment.state.step:08}-{moment.state.epoch:04}"
    with new_folder(target, overwrite=True) as beside:
        _write(beside / "model.safetensors", moment.model)
        _write(beside / "optimiser.safetensors", moment.optimiser)
        if moment.average:
            _write(beside / "average.safetensors", moment.average)
        write_document(beside / _STATE, moment.state)
    for other in target.parent.iterdir():
        if other != target and other.name.startswith(("step-", ".step-")):
            shutil.rmtree(other, ignore_errors=True)


def is_begun(folder: Path) -> bool:
    """Whether there is a checkpoint to go on from."""
    return bool(_whole(folder))


def latest(folder: Path) -> Checkpoint | None:
    """The last whole checkpoint of a training, if there is one."""
    found = _whole(folder)
    if not found:
        return None
    at = found[-1]
    average = at / "average.safetensors"
    return Checkpoint(
        read_document(at / _STATE, State, remedy=_REMEDY),
        weights(at / "model.safetensors"),
        weights(at / "optimiser.safetensors"),
        weights(average) if average.is_file() else {},
    )


def save_best(folder: Path, model: Mapping[str, Tensor]) -> None:
    """Keep these weights as the best so far."""
    with new_file(folder / BEST) as beside:
        _write(beside, model)


def weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a file."""
    if not path.is_file():
        raise InputError(f"{path}: there are no weights here. {_REMEDY}")
    try:
        found: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: this is not a safetensors file ({error}). {_REMEDY}") from error
    return found


def restore(network: nn.Module, kept: dict[str, Tensor], origin: Path) -> None:
    """Put weights into a network that is built like the one they were taken from."""
    refuse_foreign(network.state_dict(), kept, origin)
    network.load_state_dict(kept)


def refuse_foreign(own: Mapping[str, Tensor], kept: Mapping[str, Tensor], origin: Path) -> None:
    """Say so where kept tensors are not those of the same names and shapes."""
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


def _whole(folder: Path) -> list[Path]:
    return sorted((folder / _FOLDER).glob("step-*"))


def _write(path: Path, model: Mapping[str, Tensor]) -> None:
    # Each tensor on its own: the format refuses such as share their numbers.
    plain = {name: value.detach().cpu().clone().contiguous() for name, value in model.items()}
    with tensor_file(path):
        save_file(plain, path)

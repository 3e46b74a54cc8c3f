"""Weights that others released, taken over where name and shape fit.

Only safetensors are read: other formats are programs as much as numbers, and would run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.networks.released_names import renamed

_ENDING = ".safetensors"
_SEGMENTS = "token_type_embeddings.weight"
"""The one table of which systems have more or fewer rows; those that both have mean the same."""
_CONVERT = (
    "import sys, torch; from safetensors.torch import save_file; "
    "found = torch.load(sys.argv[1], map_location='cpu', weights_only=True); "
    "found = found.get('state_dict', found); "
    "save_file({name: each.clone().contiguous() for name, each in found.items()}, sys.argv[2])"
)


class Misfit(NamedTuple):
    """A weight that is there and has another shape."""

    name: str
    wanted: tuple[int, ...]
    found: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} is {self.found} where {self.wanted} is wanted"


@dataclass(frozen=True)
class Taken:
    """What became of a file's weights and of the network's."""

    loaded: tuple[str, ...]
    """The network's names of what was taken over."""
    partly: tuple[Misfit, ...]
    """Segments of which the file has more or fewer: those that both have were taken over."""
    misfits: tuple[Misfit, ...]
    missing: tuple[str, ...]
    """What the network has and the file does not: it stays as it began."""
    unused: tuple[str, ...]
    """What the file has and the network does not."""
    anew: tuple[str, ...] = ()
    """What both have and means something else, so that it was not wanted: it stays as it began."""

    def __str__(self) -> str:
        of = len(self.loaded) + len(self.partly) + len(self.misfits) + len(self.missing) + len(self.anew)
        parts = [f"{len(self.loaded) + len(self.partly)} of {of} weights taken over"]
        if self.anew:
            parts.append(f"{len(self.anew)} begun anew, for other answers ({_some(self.anew)})")
        if self.misfits:
            parts.append(f"{len(self.misfits)} of another shape ({_some(self.misfits)})")
        if self.missing:
            parts.append(f"{len(self.missing)} not in the file ({_some(self.missing)})")
        if self.unused:
            parts.append(f"{len(self.unused)} in the file without use ({_some(self.unused)})")
        return "; ".join(parts)


def load_released(
    network: nn.Module, path: Path, *more: Path, unwanted: frozenset[str] = frozenset()
) -> Taken:
    """Take over what fits; an error where nothing does. Large models come in several files.

    What is `unwanted`, by the network's names, is not taken over.
    """
    own = network.state_dict()
    tries: dict[str, _Try] = {}
    unused: list[str] = []
    for each in (path, *more):
        check_kind(each)
        try:
            unused += _tried(each, own, tries, unwanted)
        except (SafetensorError, OSError) as error:
            raise InputError(
                f"{each}: this cannot be read as safetensors ({error}). Convert it anew."
            ) from error
    found = _sorted(own, tries, unused, unwanted)
    if not found.loaded and not found.partly:
        raise InputError(_nothing(path, found))
    return found


def _tried(
    path: Path, own: Mapping[str, Tensor], tries: dict[str, _Try], unwanted: frozenset[str]
) -> list[str]:
    """Take over what fits of one file; the names of what has no use."""
    unused = []
    with safe_open(path, framework="pt") as file, torch.no_grad():
        for name in file.keys():  # noqa: SIM118 - it is no dictionary
            target = next((each for each in renamed(name) if each.name in own), None)
            if target is None or (target.name in tries and tries[target.name].rows):
                unused.append(name)
                continue
            given: Tensor = file.get_tensor(name)
            given = given.T if target.turned and given.dim() == 2 else given
            wanted = target.name not in unwanted
            tries[target.name] = _take(target.name, own[target.name], given, wanted=wanted)
    return unused


class _Try(NamedTuple):
    """A weight of the file beside the network's own."""

    shapes: Misfit
    rows: int
    """How many rows were taken over."""

    @property
    def fits(self) -> bool:
        return self.shapes.wanted == self.shapes.found


def _take(name: str, own: Tensor, given: Tensor, *, wanted: bool) -> _Try:
    """Copy it if it is wanted and fits; of segments the rows that both have."""
    shapes, rows = Misfit(name, tuple(own.shape), tuple(given.shape)), 0
    if not wanted:
        return _Try(shapes, rows)
    if own.shape == given.shape:
        own.copy_(given)
        rows = max(1, own.numel())
    elif name.endswith(_SEGMENTS) and own.dim() == given.dim() and own.shape[1:] == given.shape[1:]:
        rows = min(len(own), len(given))
        own[:rows].copy_(given[:rows])
    return _Try(shapes, rows)


def _sorted(
    own: Iterable[str], tries: Mapping[str, _Try], unused: Sequence[str], unwanted: frozenset[str]
) -> Taken:
    wanted = {name: each for name, each in tries.items() if name not in unwanted}
    return Taken(
        loaded=tuple(name for name, each in wanted.items() if each.fits),
        partly=tuple(each.shapes for each in wanted.values() if each.rows and not each.fits),
        misfits=tuple(each.shapes for each in wanted.values() if not each.rows),
        missing=tuple(name for name in own if name not in tries),
        unused=tuple(unused),
        anew=tuple(name for name in tries if name in unwanted),
    )


def check_kind(path: Path) -> None:
    """Say so, before it is opened, where a file is none of weights that may be read."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file. Give a file of weights, {_ENDING}.")
    if path.suffix != _ENDING:
        raise InputError(
            f"{path}: only {_ENDING} is read, because other files of weights can run a program when they are "
            f"opened. Convert it on a machine where that does no harm: "
            f'python -c "{_CONVERT}" {quote(path.name)} {quote(path.stem + _ENDING)}'
        )


def _nothing(path: Path, found: Taken) -> str:
    if found.misfits:
        return (
            f"{path}: {len(found.misfits)} weights have the right name and none has the right shape "
            f"({_some(found.misfits)}). Build the network in the size of these weights."
        )
    return (
        f"{path}: none of its {len(found.unused)} weights has a name that this network knows "
        f"({_some(found.unused) or 'there are none'}). Give weights of BERT or of this network."
    )


def _some(names: Sequence[Any], most: int = 3) -> str:
    shown = ", ".join(str(name) for name in names[:most])
    return f"{shown}, …" if len(names) > most else shown

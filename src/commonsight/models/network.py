"""What every trained network is: a module that scores the choices of a batch.

The engine knows nothing else of it, nor does a network know how it is trained.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import torch
from torch import Generator, Tensor

from commonsight.models.features.batch import Batch

_T = TypeVar("_T")


class Scores(NamedTuple):
    """What a network makes of a batch."""

    logits: Tensor
    """(batch, choice); the lowest finite number for choices that are not there."""
    extra: Tensor
    """(batch), or one number for all: a loss beside that of the choices, already weighed; zero for most.

    One for each question, so that it does not matter how a batch is shared out among processes.
    """
    attention: dict[str, Tensor]
    """What it looked at, by name, for people to see: (batch, choice, place that looks, place looked at).

    `query` and `objects` are what each word of a response looks at, among the words of the query and among
    the objects; `glimpses` are what the whole query looks at among the objects, once or several times;
    `places` are the same among the places of a canvas, row by row from its top left; `facts` are what the
    query looks at among the facts that it was given. There are no other names, and they mean the
    same for all: who reads sub-words tells what words look at. A row is shares of 1;
    one of padding may be anything. In training nobody looks at it, and it may be missing. Of a network that
    names its answers there is one for all of them, (batch, 1, ...), and the last of its glimpses is what the
    answer points to.
    """
    parts: tuple[Tensor, ...] = ()
    """What several parts of it score, (batch, choice) each, where every one is learned as if it were alone,
    in the place of `logits`, which are made of them."""


@runtime_checkable
class Network(Protocol):
    """A `torch.nn.Module` with this `forward`. Dropout is drawn from the generator, which training gives."""

    def __call__(self, batch: Batch, *, generator: Generator | None = None) -> Scores: ...


def scored(
    logits: Tensor, batch: Batch, *, extra: Tensor | None = None, attention: dict[str, Tensor] | None = None
) -> Scores:
    """Scores with choices that are not there put last."""
    masked = logits.masked_fill(~batch.choices, torch.finfo(logits.dtype).min)
    return Scores(masked, logits.new_zeros(()) if extra is None else extra, attention or {})


def needed(part: _T | None, what: str) -> _T:
    """A part of a batch or of what a network is built from, where it must be there."""
    if part is None:
        raise ValueError(f"this network needs {what}, and there is none")
    return part

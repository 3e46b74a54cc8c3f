"""Texts by the likeliest token each time, or by a beam: several beginnings at once, of which the best stay.

Whoever writes is a `Telling`: it has read a batch of questions, remembers what was written since, row by row,
and tells how likely each token is to come next.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor

from commonsight.models.features.batch import Batch
from commonsight.models.writing.style import Decoding


class Telling(Protocol):
    """What was read, and what has been written since."""

    def begun(self) -> Tensor:
        """(row, token): logits of the first token."""
        ...

    def after(self, tokens: Tensor) -> Tensor:
        """(row, place) -> (row, place, token): these were written; logits of what follows each."""
        ...

    def spread(self, times: int) -> None:
        """Every row so often, one behind the other."""
        ...

    def chosen(self, rows: Tensor) -> None:
        """These rows stay, in this order; some may be there twice."""
        ...


_R = TypeVar("_R", bound=tuple[Tensor, ...])


class Remembering(Generic[_R]):
    """The memory of a language model and what else is known of each row: half of a `Telling`."""

    def __init__(self, memory: Any, rows: _R) -> None:
        """`memory` is a cache of the transformers library, `rows` a named tuple of tensors, a row first."""
        self.memory, self.rows = memory, rows

    def spread(self, times: int) -> None:
        """Every row so often, one behind the other."""
        self.memory.batch_repeat_interleave(times)
        self.rows = type(self.rows)(*(part.repeat_interleave(times, dim=0) for part in self.rows))

    def chosen(self, rows: Tensor) -> None:
        """These rows stay, in this order."""
        self.memory.batch_select_indices(rows)
        self.rows = type(self.rows)(*(part[rows] for part in self.rows))


class Teller(Protocol):
    """A network that writes."""

    end: int
    """The token that ends a text."""

    def told(self, batch: Batch) -> Telling:
        """Read a batch, one row for each question."""
        ...


class Text(NamedTuple):
    """What was written."""

    tokens: tuple[int, ...]
    """Without the end mark."""
    log_chance: float
    """The logarithm of the probability of all of it, the end mark included."""
    score: float
    """The same over a power of its length: what texts were compared by."""


@torch.inference_mode()
def decoded(network: Teller, batch: Batch, how: Decoding) -> list[Text]:
    """The best text that is found for each question.

    A beam may drop what turns out to be better in the end, even the text of the likeliest token each time.
    That one is looked at too, so that a wider search never finds a worse text than the narrowest.
    """
    narrow = _searched(network.told(batch), network.end, Decoding(1, how.longest, how.length))
    if how.beam == 1:
        return narrow
    wide = _searched(network.told(batch), network.end, how)
    return [one if one.score >= other.score else other for one, other in zip(wide, narrow, strict=True)]


class _Beam(NamedTuple):
    """The beginnings that are kept, the best first."""

    written: Tensor
    """(row, beam, place)"""
    sums: Tensor
    """(row, beam): logarithms of their probabilities."""
    lengths: Tensor
    """(row, beam): tokens up to the end mark, and that one."""
    ended: Tensor
    """(row, beam)"""

    def scores(self, how: Decoding) -> Tensor:
        """(row, beam)"""
        return self.sums / self.lengths**how.length


def _searched(telling: Telling, end: int, how: Decoding) -> list[Text]:
    logs = telling.begun().float().log_softmax(dim=-1)  # (row, token)
    width = min(how.beam, logs.shape[1])
    sums, first = logs.topk(width)
    beam = _Beam(first[..., None], sums, torch.ones_like(sums), first == end)
    telling.spread(width)
    while beam.written.shape[2] < how.longest and not _settled(beam, how):
        beam = _longer(beam, telling, end, how)
    return _best(beam, how)


def _settled(beam: _Beam, how: Decoding) -> bool:
    """Whether no text can become the best that is not: sums only fall, means may rise again."""
    return bool(beam.ended[:, 0].all() if how.length == 0 else beam.ended.all())


def _longer(beam: _Beam, telling: Telling, end: int, how: Decoding) -> _Beam:
    rows, width, _ = beam.written.shape
    last = beam.written[..., -1].reshape(-1, 1)
    logs = telling.after(last)[:, -1].float().log_softmax(dim=-1).reshape(rows, width, -1)
    # A text that has ended goes on with its end mark alone, which costs nothing.
    only_end = torch.full_like(logs[0, 0], -torch.inf)
    only_end[end] = 0.0
    logs = torch.where(beam.ended[..., None], only_end, logs)
    sums = beam.sums[..., None] + logs  # (row, beam, token)
    lengths = beam.lengths + (~beam.ended).to(beam.lengths)
    scores = sums / (lengths**how.length)[..., None]
    tokens = logs.shape[-1]
    best = scores.flatten(1).topk(width).indices  # (row, beam)
    origin, token = best // tokens, best % tokens
    telling.chosen((origin + width * torch.arange(rows, device=best.device)[:, None]).flatten())
    before = beam.written.gather(1, origin[..., None].expand(-1, -1, beam.written.shape[2]))
    return _Beam(
        torch.cat((before, token[..., None]), dim=2),
        sums.flatten(1).gather(1, best),
        lengths.gather(1, origin),
        beam.ended.gather(1, origin) | (token == end),
    )


def _best(beam: _Beam, how: Decoding) -> list[Text]:
    scores = beam.scores(how)
    places = scores.argmax(dim=1).tolist()
    found = []
    for row, place in enumerate(places):
        length = int(beam.lengths[row, place]) - int(beam.ended[row, place])
        tokens = tuple(beam.written[row, place, :length].tolist())
        found.append(Text(tokens, float(beam.sums[row, place]), float(scores[row, place])))
    return found

"""While a batch of replies is written: how each row draws its tokens, and when each ends.

Rows differ in temperature, seed, length and stop texts, and are written together all the same. A row's draws
come from a generator of its own, so that they do not depend on who else is in the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from commonsight.models.libraries import libraries
from commonsight.models.local_vlm.values import Prompted

Wanted = Callable[[int], bool]
"""Whether the reply at this place of the batch is still wanted by anybody."""


class Sampler:
    """A processor of logits: keeps the first distribution, and draws where a temperature is given.

    The largest of logit / temperature + Gumbel noise is distributed as a draw from the softmax, so that rows
    with and without a temperature can both be taken by the largest.
    """

    def __init__(self, rows: Sequence[Prompted]) -> None:
        self.first: Any = None
        """The logarithm of every token's probability to come first, (row, token)."""
        self._rows = rows
        self._chance = [_generator(row.seed) if row.temperature > 0 else None for row in rows]

    def __call__(self, _: Any, scores: Any) -> Any:
        """Logits, with noise for the rows that draw, (row, token)."""
        torch = libraries().torch
        if self.first is None:
            self.first = torch.log_softmax(scores.float(), dim=-1)
        if all(chance is None for chance in self._chance):
            return scores
        drawn = scores.float().clone()
        for place, (row, chance) in enumerate(zip(self._rows, self._chance, strict=True)):
            if chance is not None:
                # On the CPU, so that a seed gives the same on every device.
                noise = -torch.empty(scores.shape[-1]).exponential_(generator=chance).log()
                drawn[place] = drawn[place] / row.temperature + noise.to(drawn.device)
        return drawn


def _generator(seed: int | None) -> Any:
    made = libraries().torch.Generator()
    if seed is None:
        made.seed()
    else:
        made.manual_seed(seed)
    return made


class Ends:
    """A stopping criterion: collects what each row writes until it has ended, and knows why it did."""

    def __init__(
        self,
        rows: Sequence[Prompted],
        room: Sequence[int],
        tokenizer: Any,
        ends: frozenset[int],
        wanted: Wanted,
    ) -> None:
        self._rows, self._room, self._wanted = rows, room, wanted
        self._tokenizer, self._ends = tokenizer, ends
        self.tokens: list[list[int]] = [[] for _ in rows]
        self.cut = [False] * len(rows)
        self._ended = [False] * len(rows)

    def __call__(self, input_ids: Any, _: Any, **__: Any) -> Any:
        """Which rows have ended, (row,)."""
        for place, token in enumerate(input_ids[:, -1].tolist()):
            if not self._ended[place]:
                self._ended[place] = self._ends_with(place, token)
        return libraries().torch.tensor(self._ended, device=input_ids.device)

    def text(self, place: int) -> str:
        """What a row wrote, up to where it was to stop."""
        text = self._decoded(place)
        places = [found for stop in self._rows[place].stop if (found := text.find(stop)) >= 0]
        return text[: min(places)] if places else text

    def _ends_with(self, place: int, token: int) -> bool:
        written = self.tokens[place]
        written.append(token)
        if token in self._ends or not self._wanted(place):
            return True
        if any(stop in self._decoded(place) for stop in self._rows[place].stop):
            return True
        self.cut[place] = len(written) >= self._room[place]
        return self.cut[place]

    def _decoded(self, place: int) -> str:
        return str(self._tokenizer.decode(self.tokens[place], skip_special_tokens=True))

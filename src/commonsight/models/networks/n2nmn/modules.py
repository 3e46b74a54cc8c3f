"""The modules, each with weights of its own: maps of attention over places, and answers from them.

The equations are N2NMN's for CLEVR (Hu et al., 2017, Table 1, and their released code): what is seen and what
is said are brought to one width, multiplied, made as long as 1, and weighed. Maps are not shares of 1 but any
numbers, of which `and` takes the lesser and `or` the greater; where something is seen through a map, it is
through its softmax.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import adaptive_avg_pool2d, normalize, unfold

from commonsight.core.layout import MODULES

TINY = 1e-12
EVERYWHERE = 3.0
"""What `scene` gives in every place."""
TILE = 16
"""Canvases that are looked at together where nothing is learned."""


class Through(NamedTuple):
    """What a layer makes of some of a batch's canvases."""

    part: slice
    """Which of them."""
    seen: Tensor
    """(part, out, place)"""
    squared: Tensor


class Sight:
    """The canvases of a batch, and what modules made of them."""

    def __init__(self, places: Tensor, shape: tuple[int, int]) -> None:
        self.places, self.shape = places, shape
        """(batch, dim, place), row by row; height and width of a canvas's map."""
        self._made: dict[nn.Linear, Through] = {}

    def through(self, layer: nn.Linear) -> Iterator[Through]:
        """What a layer makes of the canvases, in parts that together are all of them, in their order.

        Where gradients are wanted, all at once. Elsewhere a part is small enough for a processor's cache, and
        is gone when the next is made: fresh memory for a whole batch costs more than what is computed in it.
        """
        size = len(self.places) if torch.is_grad_enabled() else TILE
        if len(self.places) > size:
            parts = (slice(first, first + size) for first in range(0, len(self.places), size))
            yield from (self._through(layer, part) for part in parts)
            return
        if layer not in self._made:
            self._made[layer] = self._through(layer, slice(None))
        yield self._made[layer]

    def _through(self, layer: nn.Linear, part: slice) -> Through:
        places = self.places[part]
        found = torch.baddbmm(layer.bias[:, None], layer.weight.expand(len(places), -1, -1), places)
        return Through(part, found, found.square())


class Call(NamedTuple):
    """One module, run several times at once, for any questions of a batch."""

    sight: Sight
    rows: Tensor
    """(call): which question each is for, in ascending order."""
    slots: Tensor
    """(call): the how-manieth it is of this question's, from 0."""
    text: Tensor
    """(call, text): what of the question was looked at as the module was chosen."""
    maps: tuple[Tensor, ...]
    """(call, place) each: what the module takes."""
    most: int = 1
    """Calls that one question has at most."""

    def by_question(self, values: Tensor) -> Tensor:
        """(call, ...) -> (batch, slot, ...), zeros where a question has fewer calls: canvases, which are
        large, then stay where they are."""
        if self._one_each:
            return values[:, None]
        empty = values.new_zeros(len(self.sight.places), self.most, *values.shape[1:])
        return empty.index_put((self.rows, self.slots), values)

    def by_call(self, values: Tensor) -> Tensor:
        """(batch, slot, ...) -> (call, ...)"""
        return values[:, 0] if self._one_each else values[self.rows, self.slots]

    @property
    def _one_each(self) -> bool:
        return self.most == 1 and len(self.rows) == len(self.sight.places)

    def narrowed(self) -> Call:
        """The same, without canvases that are not looked at, where that is most of them."""
        if 2 * len(self.rows) >= len(self.sight.places):
            return self
        few, rows = torch.unique(self.rows, return_inverse=True)
        return self._replace(sight=Sight(self.sight.places[few], self.sight.shape), rows=rows)


class Scene(nn.Module):
    """The whole canvas."""

    def forward(self, call: Call) -> Tensor:
        return call.text.new_full((len(call.rows), call.sight.places.shape[2]), EVERYWHERE)


class Find(nn.Module):
    """Places that look like what is said."""

    def __init__(self, dim: int, text: int, width: int) -> None:
        super().__init__()
        self.image, self.text = nn.Linear(dim, width), nn.Linear(text, width)
        self.weigh = nn.Linear(width, 1)

    def forward(self, call: Call) -> Tensor:
        return self.weighed(call, self.text(call.text))

    def weighed(self, call: Call, said: Tensor) -> Tensor:
        """With (call, width) to multiply what is seen by -> (call, place).

        Products are not written down: what weighs them, and what their length is, are products of what is
        seen, and of its squares, with something that is as long as the text.
        """
        weights = call.by_question(said * self.weigh.weight)  # (batch, slot, width)
        scales = call.by_question(said.square())
        found = [
            of_length_one(weights[part] @ seen, scales[part] @ squared)  # (part, slot, place)
            for part, seen, squared in call.sight.through(self.image)
        ]
        return call.by_call(torch.cat(found)) + self.weigh.bias


class FindSame(Find):
    """Places that are like those of a map, in what is said."""

    def __init__(self, dim: int, text: int, width: int) -> None:
        super().__init__(dim, text, width)
        self.like = nn.Linear(dim, width)

    def forward(self, call: Call) -> Tensor:
        call = call.narrowed()
        return self.weighed(call, self.text(call.text) * self.like(seen_through(call, 0)))


class Filter(nn.Module):
    """Of a map those places that look like what is said: `find`, and `and`."""

    def __init__(self, find: Find) -> None:
        super().__init__()
        self._find = (find,)  # it is another module's, and has no weights of its own here

    def forward(self, call: Call) -> Tensor:
        return torch.minimum(call.maps[0], self._find[0](call))


class Transform(nn.Module):
    """Places that are to those of a map as is said: a convolution whose maps are weighed by the text."""

    def __init__(self, text: int, width: int, *, kernel: int) -> None:
        super().__init__()
        self.kernel = kernel
        self.around = nn.Linear(kernel * kernel, width)
        self.text = nn.Linear(text, width)
        self.weigh = nn.Linear(width, 1)

    def forward(self, call: Call) -> Tensor:
        """Again products are not written down: around a place there are fewer numbers than maps, and the sum
        of squares is a polynomial in them."""
        maps = call.maps[0].reshape(-1, 1, *call.sight.shape)
        around = unfold(maps, self.kernel, padding=self.kernel // 2)  # (call, neighbour, place)
        said = self.text(call.text)  # (call, width)
        weighed = ((said * self.weigh.weight) @ self.around.weight)[:, None] @ around  # (call, 1, place)
        offset = (said * self.weigh.weight) @ self.around.bias  # (call)
        squares = self._squares(around, said.square())
        return of_length_one(weighed.squeeze(1) + offset[:, None], squares) + self.weigh.bias

    def _squares(self, around: Tensor, scales: Tensor) -> Tensor:
        """(call, place): the sum of (kernel · neighbours + bias)² over all maps, scaled by (call, width)."""
        kernels, bias = self.around.weight, self.around.bias  # (width, neighbour) and (width)
        pairs = (kernels[:, :, None] * kernels[:, None]).flatten(1)  # (width, neighbour x neighbour)
        square = (scales @ pairs).reshape(len(scales), kernels.shape[1], -1)
        linear = (scales @ (2 * kernels * bias[:, None]))[..., None]  # (call, neighbour, 1)
        return (torch.baddbmm(linear, square, around) * around).sum(dim=1) + (scales @ bias.square())[:, None]


class And(nn.Module):
    """Where both are."""

    def forward(self, call: Call) -> Tensor:
        return torch.minimum(*call.maps)


class Or(nn.Module):
    """Where either is."""

    def forward(self, call: Call) -> Tensor:
        return torch.maximum(*call.maps)


class Judge(nn.Module):
    """An answer from what a few maps are like, and with `reads` from what is said of them.

    As published only the maps count. To tell whether there are "exactly three", what is said must count, too.
    """

    def __init__(self, features: int, text: int, width: int, answers: int, *, reads: bool) -> None:
        super().__init__()
        self.text = nn.Linear(text, width) if reads else None
        self.features = nn.Linear(features, width if reads else answers)
        self.answer = nn.Linear(width, answers) if reads else None

    def forward(self, features: Tensor, text: Tensor) -> Tensor:
        """(call, feature) and (call, text) -> (call, answer)"""
        found: Tensor = self.features(features)
        if self.text is None or self.answer is None:
            return found
        judged: Tensor = self.answer((found * self.text(text)).relu())
        return judged


class Exist(nn.Module):
    """Whether a map has anything: from its least, mean and greatest number."""

    def __init__(self, text: int, width: int, answers: int, *, reads: bool) -> None:
        super().__init__()
        self.judge = Judge(3, text, width, answers, reads=reads)

    def forward(self, call: Call) -> Tensor:
        found = call.maps[0]
        told = torch.stack((found.amin(dim=1), found.mean(dim=1), found.amax(dim=1)), dim=1)
        judged: Tensor = self.judge(told, call.text)
        return judged


class Count(nn.Module):
    """How much one map has, or two: from every place of them, and their least and greatest numbers.

    Maps are averaged to a grid; where they are as large as it, as the published ones, that changes nothing.
    """

    def __init__(
        self, maps: int, grid: tuple[int, int], text: int, width: int, answers: int, *, reads: bool
    ) -> None:
        super().__init__()
        self.grid = grid
        self.judge = Judge(maps * (grid[0] * grid[1] + 2), text, width, answers, reads=reads)

    def forward(self, call: Call) -> Tensor:
        told = torch.cat([part for found in call.maps for part in self._told(found, call.sight.shape)], dim=1)
        judged: Tensor = self.judge(told, call.text)
        return judged

    def _told(self, found: Tensor, shape: tuple[int, int]) -> tuple[Tensor, Tensor, Tensor]:
        grid = adaptive_avg_pool2d(found.reshape(-1, 1, *shape), self.grid).flatten(1)
        return grid, found.amin(dim=1, keepdim=True), found.amax(dim=1, keepdim=True)


class Describe(nn.Module):
    """What is seen through a map, or through each of two that are compared, in what is said."""

    def __init__(self, maps: int, dim: int, text: int, width: int, answers: int) -> None:
        super().__init__()
        self.seen = nn.ModuleList(nn.Linear(dim, width) for _ in range(maps))
        self.text, self.answer = nn.Linear(text, width), nn.Linear(width, answers)

    def forward(self, call: Call) -> Tensor:
        call = call.narrowed()
        met = self.text(call.text)
        for number, layer in enumerate(self.seen):
            met = met * layer(seen_through(call, number))
        judged: Tensor = self.answer(normalize(met, dim=-1))
        return judged


def of_length_one(weighed: Tensor, squares: Tensor) -> Tensor:
    """What is weighed of a vector, if that were as long as 1, by the sum of its squares."""
    return weighed * squares.clamp(min=TINY).rsqrt()


def seen_through(call: Call, number: int) -> Tensor:
    """(call, dim): what a question's canvas is like where one of the maps is."""
    shares = call.by_question(call.maps[number].softmax(dim=1))  # (batch, slot, place)
    return call.by_call(shares @ call.sight.places.transpose(1, 2))


def modules(
    dim: int, text: int, answers: int, *, width: int, kernel: int, grid: tuple[int, int], reads: bool
) -> nn.ModuleDict:
    """All that there are, by name, in the order of their numbers."""
    find = Find(dim, text, width)
    judged = (text, width, answers)
    made = {
        "scene": Scene(),
        "find": find,
        "filter": Filter(find),
        "find_same": FindSame(dim, text, width),
        "transform": Transform(text, width, kernel=kernel),
        "and": And(),
        "or": Or(),
        "exist": Exist(*judged, reads=reads),
        "count": Count(1, grid, *judged, reads=reads),
        "describe": Describe(1, dim, *judged),
        "equal_num": Count(2, grid, *judged, reads=reads),
        "more_num": Count(2, grid, *judged, reads=reads),
        "less_num": Count(2, grid, *judged, reads=reads),
        "same_property": Describe(2, dim, *judged),
    }
    return nn.ModuleDict({module.name: made[module.name] for module in MODULES})

"""Messages along the edges of a graph, in their own way for each relation (Schlichtkrull et al., 2018)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from commonsight.models.layers.joined import JoinedLinear


class Edges(nn.Module):
    """Who hears whom, relation by relation; nothing in it is trained or kept."""

    sources: Tensor
    targets: Tensor
    shares: Tensor

    def __init__(self, edges: Sequence[tuple[int, int, int]], relations: int, *, both_ways: bool) -> None:
        """Edges as (source, relation, target). With `both_ways` targets tell sources, too, as another
        relation."""
        super().__init__()
        back = [(target, relation + relations, source) for source, relation, target in edges]
        told = sorted({*edges, *(back if both_ways else ())}, key=lambda edge: (edge[1], edge[2], edge[0]))
        self.relations = relations * (2 if both_ways else 1)
        heard = Counter((relation, target) for _, relation, target in told)
        shares = [1 / heard[relation, target] for _, relation, target in told]
        counts = Counter(relation for _, relation, _ in told)
        self.spans = tuple(pairwise(accumulate((counts[each] for each in range(self.relations)), initial=0)))
        self.register_buffer("sources", torch.tensor([edge[0] for edge in told]).long(), persistent=False)
        self.register_buffer("targets", torch.tensor([edge[2] for edge in told]).long(), persistent=False)
        self.register_buffer("shares", torch.tensor(shares)[:, None], persistent=False)


class Relational(nn.Module):
    """h' of a node is W h + b and, for each relation r, the mean of W_r h over those that it hears by r."""

    def __init__(self, inputs: tuple[int, ...], out: int, relations: int) -> None:
        super().__init__()
        self.own = JoinedLinear(inputs, out)
        self.heard = nn.Parameter(torch.empty(relations, out, sum(inputs)))
        for one in self.heard.data:  # each is a matrix of its own
            nn.init.xavier_uniform_(one)

    def forward(self, edges: Edges, *given: Tensor) -> Tensor:
        """(batch or 1, node or 1, input) each, side by side -> (batch, node, out)."""
        values: Tensor = self.own(*given)
        for weight, (first, end) in zip(self.heard, edges.spans, strict=True):
            if first == end:
                continue
            parts = zip(given, torch.split(weight, list(self.own.inputs), dim=1), strict=True)
            told = sum(linear(part, slice_) for part, slice_ in parts)
            assert isinstance(told, Tensor)
            said = told[:, edges.sources[first:end]] * edges.shares[first:end]  # (batch, edge, out)
            values = values.index_add(1, edges.targets[first:end], said)
        return values

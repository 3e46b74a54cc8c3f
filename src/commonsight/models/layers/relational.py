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

    speakers: Tensor
    places: Tensor
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
        # What a node says by a relation is the same to all who hear it so, and is made once.
        speakers = sorted({(relation, source) for source, relation, _ in told})
        place = {speaker: at for at, speaker in enumerate(speakers)}
        counts = Counter(relation for relation, _ in speakers)
        self.spans = tuple(pairwise(accumulate((counts[each] for each in range(self.relations)), initial=0)))
        self._keep("speakers", [source for _, source in speakers])
        self._keep("places", [place[relation, source] for source, relation, _ in told])
        self._keep("targets", [target for _, _, target in told])
        self.register_buffer("shares", torch.tensor(shares)[:, None], persistent=False)

    def _keep(self, name: str, numbers: list[int]) -> None:
        self.register_buffer(name, torch.tensor(numbers).long(), persistent=False)


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
        if not len(edges.targets):
            return values
        told = torch.cat([
            self._told(weight, edges.speakers[first:end], given)
            for weight, (first, end) in zip(self.heard, edges.spans, strict=True)
            if first < end
        ], dim=1)  # (batch or 1, speaker, out)
        said = told.index_select(1, edges.places) * edges.shares  # (batch or 1, edge, out)
        return values.index_add(1, edges.targets, said.expand(len(values), -1, -1))

    def _told(self, weight: Tensor, speakers: Tensor, given: tuple[Tensor, ...]) -> Tensor:
        """What these nodes say by one relation: (batch or 1, speaker, out)."""
        slices = torch.split(weight, list(self.own.inputs), dim=1)
        parts = [part if part.shape[1] == 1 else part.index_select(1, speakers) for part in given]
        told = sum(map(linear, parts, slices))
        assert isinstance(told, Tensor)
        return told.expand(-1, len(speakers), -1)

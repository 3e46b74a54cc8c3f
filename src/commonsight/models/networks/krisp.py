"""KRISP (Marino et al., 2021): what a transformer knows, beside what a graph of facts knows.

Text and objects go through one BERT (MMBERT), which names answers by itself. Its state is also handed to
every node of a graph of concepts, together with whether the question says the node and whether an object is
it; messages pass along facts, and nodes that are answers are scored for themselves. An answer's score is the
higher of both. Either is learned as if it were alone (section 3).
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor, nn

from commonsight.graph.knowledge import RELATIONS
from commonsight.models.features.batch import Batch, Pieces, Seen
from commonsight.models.features.concepts import MARKS, Nodes
from commonsight.models.layers.bert import begun, modelling
from commonsight.models.layers.dropout import dropout
from commonsight.models.layers.masks import lengths_to_mask, masked_mean
from commonsight.models.layers.relational import Edges, Relational
from commonsight.models.network import Scores, needed, scored
from commonsight.models.networks.rare import rarity
from commonsight.models.networks.single_stream import Laid, SingleStream, eyes
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.states import shown

_PICTURE = 1
"""The segment of objects."""


class VisualBertInputs(nn.Module):
    """Text as BERT embeds it, and objects after it, by what they look like alone (Li et al., 2019)."""

    def __init__(self, embeddings: Any, seen: int) -> None:
        """BERT's embeddings, and how many numbers are `seen` of an object. Tables are begun like those of
        texts, so that an object stands at the first position."""
        super().__init__()
        width = embeddings.word_embeddings.embedding_dim
        self.embeddings = embeddings
        self.visual_projection = nn.Linear(seen, width)
        self.visual_position_embeddings = _like(embeddings.position_embeddings)
        self.visual_token_type_embeddings = _like(embeddings.token_type_embeddings)

    def forward(self, pieces: Pieces, seen: Seen, appearance: Tensor, *, generator: Generator | None) -> Laid:
        """The sequence. Dropout is BERT's own, which draws from torch's chance and not from the generator."""
        del generator, seen
        rows = pieces.ids.shape[:2]
        text: Tensor = self.embeddings(
            input_ids=pieces.ids.flatten(0, 1), token_type_ids=pieces.segments.flatten(0, 1)
        )
        kind = self.visual_token_type_embeddings.weight[_PICTURE]
        looks = self.visual_projection(appearance) + kind + self.visual_position_embeddings.weight[0]
        objects = self.embeddings.dropout(self.embeddings.LayerNorm(looks))  # (batch, object, dim)
        text = text.reshape(*rows, *text.shape[1:])
        return Laid(text, objects[:, None].expand(-1, rows[1], -1, -1), text[:, :, :0])


def _like(table: nn.Embedding) -> nn.Embedding:
    made = nn.Embedding(table.num_embeddings, table.embedding_dim)
    made.weight.data.copy_(table.weight.data)
    return made


class Symbols(nn.Module):
    """The graph: its nodes' words, what a question brings up, and messages along facts."""

    pieces: Tensor
    lengths: Tensor
    places: Tensor
    named: Tensor

    def __init__(
        self, nodes: Nodes, *, width: int, words: int, hidden: int, layers: int, both_ways: bool
    ) -> None:
        """`width` is the transformer's. A node has `words` numbers for what it is called, `hidden` ones for
        what the transformer knows, and as many after each of the `layers`."""
        super().__init__()
        longest = max((1, *map(len, nodes.pieces)))
        spelled = [(*node, *(0,) * (longest - len(node))) for node in nodes.pieces]
        named = [place for place, node in enumerate(nodes.answers) if node >= 0]
        self._keep("pieces", [piece for node in spelled for piece in node], (-1, longest))
        self._keep("lengths", [len(node) for node in nodes.pieces])
        self._keep("named", named)
        self._keep("places", [nodes.answers[place] for place in named])
        self.edges = Edges(nodes.edges, len(RELATIONS), both_ways=both_ways)
        self.called, self.told = nn.Linear(width, words), nn.Linear(width, hidden)
        sizes = [(words, MARKS, hidden), *(((hidden,),) * (layers - 1))]
        self.layers = nn.ModuleList(Relational(size, hidden, self.edges.relations) for size in sizes)
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(layers - 1))
        self.node, self.known = nn.Linear(hidden, width), nn.Linear(width, width)

    def _keep(self, name: str, numbers: list[int], shape: tuple[int, ...] = (-1,)) -> None:
        self.register_buffer(name, torch.tensor(numbers).long().reshape(shape), persistent=False)

    def forward(self, table: nn.Embedding, marks: Tensor, known: Tensor) -> Tensor:
        """The vectors of all pieces, what is said and seen of nodes, (batch, node, mark), and what the
        transformer knows, (batch, width) -> (batch, answer that is a node)."""
        spelled = masked_mean(table(self.pieces), lengths_to_mask(self.lengths, self.pieces.shape[1]))
        first, *others = self.layers
        # Words are those of all questions, and what is known is that of all nodes: neither is repeated.
        nodes = first(self.edges, self.called(spelled)[None], marks, self.told(known).relu()[:, None])
        for norm, layer in zip(self.norms, others, strict=True):
            nodes = layer(self.edges, norm(nodes).relu())
        met: Tensor = self.node(nodes[:, self.places]) @ self.known(known)[..., None]  # (batch, answer, 1)
        return met.squeeze(-1) / math.sqrt(known.shape[1])


class Krisp(SingleStream):
    """A transformer and a graph, each of which scores answers."""

    def __init__(
        self,
        text: Any,
        regions: RegionEncoder,
        nodes: Nodes,
        *,
        answers: int,
        words: int,
        hidden: int,
        layers: int,
        both_ways: bool,
        below: float,
        drop: float,
    ) -> None:
        """`below` is taken from every score, so that at first hardly any answer of thousands seems right; the
        rest is as for `Symbols`."""
        config, inputs = text.config, VisualBertInputs(text.embeddings, regions.dim)
        super().__init__(inputs, text, regions, nn.Identity(), drop=drop)
        del self.head  # it scores choices, of which there are none
        self.pooler = nn.Identity()  # all places are averaged
        width, self.below = self.text_dim, below
        self.think = modelling().BertPredictionHeadTransform(config)
        self.answer = nn.Linear(width, answers)
        self.symbols = Symbols(
            nodes, width=width, words=words, hidden=hidden, layers=layers, both_ways=both_ways
        )
        for new in (inputs.visual_projection, self.think, self.answer):
            begun(new, config.initializer_range)

    def forward(self, batch: Batch, *, generator: Generator | None = None) -> Scores:
        pieces, seen = shown(batch)
        marks = needed(batch.marks, "nodes of a graph")
        states = self.states(batch, generator=generator)
        places = torch.cat((states.text[:, 0], states.regions[:, 0]), dim=1)  # (batch, place, dim)
        pooled = masked_mean(places, torch.cat((pieces.mask[:, 0], seen.mask), dim=1))
        known = self.think(dropout(pooled, self.drop, generator, self.training))  # (batch, dim)
        implicit = self.answer(known) - self.below  # (batch, answer)
        symbolic = self.symbols(self.words, marks, known) - self.below
        # What is no node the graph cannot name: what the transformer says stands there, and teaches nothing.
        symbolic = implicit.detach().index_copy(1, self.symbols.named, symbolic.to(implicit.dtype))
        looks = states.looks[:, :, :1]  # (batch, 1, 1, object): of [CLS]
        glimpses = looks / looks.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(looks.dtype).tiny)
        found = scored(torch.maximum(implicit, symbolic), batch, attention={"glimpses": glimpses})
        return found._replace(parts=(implicit, symbolic))


def krisp_small(parts: Parts) -> Krisp:
    """For the drawn world, whose few facts are told both ways."""
    return _built(parts, words=96, hidden=64, layers=2, both_ways=True, below=rarity(parts.answers))


def krisp_paper(parts: Parts) -> Krisp:
    """Two layers of 128 numbers, 300 for what a node is called, facts told from head to tail, and 6.58 below
    0 are the released settings, whose BERT has 12 layers of 768, 12 heads. Names of nodes are read by
    the transformer's own table, where the original has GloVe's vectors, and what passes between layers is
    normalised node by node, not over a batch."""
    return _built(parts, words=300, hidden=128, layers=2, both_ways=False, below=6.58)


def _built(
    parts: Parts, *, words: int, hidden: int, layers: int, both_ways: bool, below: float
) -> Krisp:
    text, regions = eyes(parts, "KRISP")
    return Krisp(
        text,
        regions,
        needed(parts.nodes, "a graph of facts"),
        answers=parts.answers,
        words=words,
        hidden=hidden,
        layers=layers,
        both_ways=both_ways,
        below=below,
        drop=0.1,
    )

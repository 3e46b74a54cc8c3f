"""ERNIE-ViL's scene graph prediction: whole objects, attributes or relations of a text are hidden and told.

Where masked words hide any pieces, these hide what a picture has something to say about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Generator, Tensor, nn

from commonsight.models.features.batch import Batch
from commonsight.models.pretraining.masked_words import WordHead, told
from commonsight.models.pretraining.masking import NODES_HIDDEN, Marks, some
from commonsight.models.pretraining.scene_words import Kind, mentions
from commonsight.models.states import CrossModal, shown

_CONTINUES = "##"
"""How WordPiece marks a piece that goes on with a word."""
_Word = tuple[list[int], list[str]]
"""The places of its pieces, and the pieces."""


class SceneGraph(nn.Module):
    """30 % of the objects, of the attributes or of the relations, all pieces of each at once."""

    def __init__(self, kind: Kind, text_dim: int, tokenizer: Any, *, share: float = NODES_HIDDEN) -> None:
        super().__init__()
        self.kind: Kind = kind
        self.name = f"{kind}s"
        self.marks, self.share = Marks.of(tokenizer), share
        self.head = WordHead(text_dim, self.marks.vocabulary)
        self._tokenizer = tokenizer

    def forward(self, network: CrossModal, batch: Batch, *, generator: Generator) -> Tensor:
        """The mean over hidden pieces."""
        pieces = shown(batch).pieces
        nodes = self.nodes(pieces.ids)  # (batch, choice, piece)
        numbers = torch.arange(1, int(nodes.max()) + 1, device=nodes.device)
        there = (nodes[..., None, :] == numbers[:, None]).any(dim=-1)  # (batch, choice, node)
        chosen = some(there, self.share, generator)
        none = chosen.new_zeros(*nodes.shape[:-1], 1)  # node 0: pieces that belong to none
        hidden = torch.cat((none, chosen), dim=-1).gather(-1, nodes)
        return told(network, batch, hidden, self.head, self.marks, generator)

    def nodes(self, ids: Tensor) -> Tensor:
        """For each piece the number of its node within the text, from 1; 0 for those of none."""
        rows = [self._row(row) for row in ids.flatten(0, -2).tolist()]
        return torch.tensor(rows, device=ids.device).reshape(ids.shape)

    def _row(self, ids: list[int]) -> list[int]:
        out, number = [0] * len(ids), 0
        for words in self._sentences(ids):
            said = ["".join(text) for _, text in words]
            for mention in mentions(said):
                if mention.kind == self.kind:
                    number += 1
                    for places, _ in words[mention.start : mention.end]:
                        for place in places:
                            out[place] = number
        return out

    def _sentences(self, ids: Sequence[int]) -> Iterator[list[_Word]]:
        """Words between special marks, each with the places of its pieces."""
        words: list[_Word] = []
        for place, (number, piece) in enumerate(
            zip(ids, self._tokenizer.convert_ids_to_tokens(list(ids)), strict=True)
        ):
            if number in self.marks.special:
                yield words
                words = []
            elif piece.startswith(_CONTINUES) and words:
                words[-1][0].append(place)
                words[-1][1].append(piece.removeprefix(_CONTINUES))
            else:
                words.append(([place], [piece]))
        yield words

"""What is hidden, and what stands in its place: drawn from a generator, by BERT's rules."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Generator, Tensor

from commonsight.errors import InputError

WORDS_HIDDEN = 0.15
"""The share of pieces, and of regions, that are hidden (BERT; all three systems keep it)."""
NODES_HIDDEN = 0.3
"""The share of a scene graph's objects, attributes or relations that are hidden (ERNIE-ViL, section 4.1)."""
MASKED, RANDOM = 0.8, 0.1
"""Of what is hidden, so much becomes [MASK] and so much any piece; the rest stays as it is."""


class Marks(NamedTuple):
    """What a tokenizer's marks are."""

    mask: int
    special: tuple[int, ...]
    """Marks that are never hidden: [CLS], [SEP], padding."""
    vocabulary: int

    @classmethod
    def of(cls, tokenizer: Any) -> Marks:
        """Those of a tokenizer of the transformers library."""
        if tokenizer.mask_token_id is None:
            raise InputError("This tokenizer has no mark for a hidden piece. Give a model like BERT.")
        return cls(int(tokenizer.mask_token_id), tuple(map(int, tokenizer.all_special_ids)), len(tokenizer))

    def plain(self, ids: Tensor, mask: Tensor) -> Tensor:
        """True for pieces of words."""
        special = torch.tensor(self.special, device=ids.device)
        return mask & ~torch.isin(ids, special)


def some(there: Tensor, share: float, generator: Generator) -> Tensor:
    """About so large a share of what is there, and of each row at least one: (..., place) -> (..., place)."""
    if not there.shape[-1]:
        return there
    draws = _drawn(there.shape, generator, there).masked_fill(~there, 2.0)
    hidden = draws < share
    fewest = draws == draws.amin(dim=-1, keepdim=True)  # a row of which nothing is hidden teaches nothing
    return (hidden | (fewest & ~hidden.any(dim=-1, keepdim=True))) & there


def disguised(ids: Tensor, hidden: Tensor, marks: Marks, generator: Generator) -> Tensor:
    """Pieces with those that are hidden replaced, 80 % by [MASK] and 10 % by any piece."""
    draws = _drawn(ids.shape, generator, ids)
    any_piece = torch.randint(marks.vocabulary, ids.shape, generator=generator, device=generator.device)
    out = ids.masked_fill(hidden & (draws < MASKED), marks.mask)
    instead = hidden & (draws >= MASKED) & (draws < MASKED + RANDOM)
    return torch.where(instead, any_piece.to(ids.device), out)


def _drawn(shape: torch.Size, generator: Generator, like: Tensor) -> Tensor:
    """Numbers from 0 to 1; drawn where the generator lives, so that a seed means the same everywhere."""
    return torch.rand(tuple(shape), generator=generator, device=generator.device).to(like.device)

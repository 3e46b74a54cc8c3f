"""MUTAN: attention by a Tucker decomposition (Ben-younes et al., 2017, Multimodal Tucker Fusion for Visual
Question Answering).
"""

from __future__ import annotations

from typing import NamedTuple

from commonsight.models.layers.fusion import MUTAN
from commonsight.models.network import needed
from commonsight.models.networks.fused import FusedAttention
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class Cores(NamedTuple):
    """The size of a Tucker core."""

    query: int
    regions: int
    out: int
    rank: int


def mutan(
    words: WordVectors,
    regions: RegionEncoder,
    *,
    hidden: int,
    look: Cores,
    join: Cores,
    glimpses: int,
    words_dropout: float,
    dropout: float,
) -> FusedAttention:
    """`hidden` is the size of both GRUs; one core for looking at objects, one for what was seen."""
    looking = _fusion(hidden, regions.dim, look, glimpses, bias=False)
    joining = _fusion(hidden, glimpses * regions.dim, join, hidden, bias=True)
    return FusedAttention(
        words, regions, looking, joining, hidden=hidden, words_dropout=words_dropout, dropout=dropout
    )


def _fusion(query: int, regions: int, core: Cores, out: int, *, bias: bool) -> MUTAN:
    return MUTAN(
        query,
        regions,
        first_core=core.query,
        second_core=core.regions,
        out_core=core.out,
        rank=core.rank,
        out=out,
        bias=bias,
    )


def mutan_small(parts: Parts) -> FusedAttention:
    """For the drawn world."""
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return mutan(
        words,
        regions,
        hidden=96,
        look=Cores(48, 48, 64, 3),
        join=Cores(48, 96, 64, 3),
        glimpses=2,
        words_dropout=0.2,
        dropout=0.2,
    )


def mutan_paper(parts: Parts) -> FusedAttention:
    """All numbers are the original's released settings (options/vqa/mutan_att_trainval.yaml): two glimpses,
    cores of 310 x 310 x 510 and 310 x 620 x 510, both of rank 5, a GRU of 2400 with a quarter dropped, and a
    half dropped before each map.

    That GRU began from skip-thoughts. GloVe, and a like GRU for responses, are the VCR paper's.
    """
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return mutan(
        words,
        regions,
        hidden=2400,
        look=Cores(310, 310, 510, 5),
        join=Cores(310, 620, 510, 5),
        glimpses=2,
        words_dropout=0.25,
        dropout=0.5,
    )

"""MLB: attention by low-rank bilinear pooling (Kim et al., 2017, Hadamard Product for Low-rank Bilinear
Pooling).
"""

from __future__ import annotations

from commonsight.models.layers.fusion import MLB
from commonsight.models.network import needed
from commonsight.models.networks.fused import FusedAttention
from commonsight.models.parts import Parts
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


def mlb(
    words: WordVectors,
    regions: RegionEncoder,
    *,
    hidden: int,
    joint: int,
    glimpses: int,
    words_dropout: float,
    dropout: float,
) -> FusedAttention:
    """`hidden` is the size of both GRUs, `joint` that of the space where query and objects are multiplied."""
    look = MLB(hidden, regions.dim, rank=joint, out=glimpses, bias=False)
    join = MLB(hidden, glimpses * regions.dim, rank=joint, out=hidden)
    return FusedAttention(
        words, regions, look, join, hidden=hidden, words_dropout=words_dropout, dropout=dropout
    )


def mlb_small(parts: Parts) -> FusedAttention:
    """For the drawn world."""
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return mlb(words, regions, hidden=96, joint=64, glimpses=2, words_dropout=0.2, dropout=0.2)


def mlb_paper(parts: Parts) -> FusedAttention:
    """All numbers are the defaults of the original's released code (train.lua, netdef/MLB.lua): a GRU of 2400
    with a quarter dropped, 1200 joint dimensions, two glimpses, and a half dropped before each map.

    That GRU began from skip-thoughts. GloVe, and a like GRU for responses, are the VCR paper's.
    """
    words, regions = needed(parts.words, "word vectors"), needed(parts.regions, "a region encoder")
    return mlb(words, regions, hidden=2400, joint=1200, glimpses=2, words_dropout=0.25, dropout=0.5)

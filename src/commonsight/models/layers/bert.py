"""BERT's layers as the transformers library has them, together with what they look at.

The library's layers keep to themselves what they look at, so they are called by their parts. Its faster
kinds of attention never tell; the plain one does, and sequences here are short.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.libraries import libraries

_PLAIN = "eager"


class Looked(NamedTuple):
    """What a layer makes of a sequence."""

    values: Tensor
    """(row, place, dim)"""
    weights: Tensor
    """(row, place that looks, place looked at): shares of 1, the mean of all heads."""


def modelling() -> Any:
    """The library's module with BERT's parts; a message names the extra where the library is missing."""
    libraries()
    return import_module("transformers.models.bert.modeling_bert")


def bert(transformer: Any, *, wanted_by: str) -> Any:
    """The transformer, made to tell what it looks at; an error where it is no BERT."""
    kind = getattr(getattr(transformer, "config", None), "model_type", None)
    if kind != "bert":
        raise InputError(f"{wanted_by} is built on a BERT, and this is {kind or 'none'}. Give a BERT.")
    transformer.set_attn_implementation(_PLAIN)
    return transformer


def sized(like: Any, *, width: int, heads: int, inner: int) -> Any:
    """The numbers of a BERT of another size, which otherwise is like the given one."""
    return libraries().transformers.BertConfig(
        hidden_size=width,
        num_attention_heads=heads,
        intermediate_size=inner,
        hidden_act=like.hidden_act,
        hidden_dropout_prob=like.hidden_dropout_prob,
        attention_probs_dropout_prob=like.attention_probs_dropout_prob,
        layer_norm_eps=like.layer_norm_eps,
        initializer_range=like.initializer_range,
        attn_implementation=_PLAIN,
    )


def hidden(mask: Tensor, like: Tensor) -> Tensor:
    """What is added to how well places fit, so that nobody looks at padding.

    (row, place) -> (row, 1, 1, place)
    """
    lowest = torch.finfo(like.dtype).min
    return torch.zeros_like(mask, dtype=like.dtype).masked_fill(~mask, lowest)[:, None, None]


def read(layer: Any, values: Tensor, hiding: Tensor) -> Looked:
    """One of BERT's layers over (row, place, dim)."""
    attended, weights = layer.attention(values, hiding)  # (row, place, dim), (row, head, place, place)
    out: Tensor = layer.feed_forward_chunk(attended)
    return Looked(out, weights.mean(dim=1))


def begun(module: nn.Module, spread: float) -> nn.Module:
    """New parts begin as BERT's do: normal weights, biases of zero."""
    for part in module.modules():
        if isinstance(part, nn.Linear | nn.Embedding):
            nn.init.normal_(part.weight, 0.0, spread)
        if isinstance(part, nn.Linear) and part.bias is not None:
            nn.init.zeros_(part.bias)
    return module

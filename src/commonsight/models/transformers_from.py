"""A transformer to train: one that others trained, or one that begins from nothing with words of its own.

What it is made like is kept beside the trained weights (configuration and tokenizer), so that it can be built
again without the place it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from commonsight.errors import UsageError
from commonsight.models.features.examples import Example
from commonsight.models.libraries import libraries
from commonsight.models.pretrained import pretrained
from commonsight.models.sources import place, source
from commonsight.models.untrained import Shape, tokenizer, vocabulary_of

KEPT = "transformer"
LONGEST = 128
"""Sub-words of a query and a response that are read at most."""
_WORDS = 8000


class Transformer(NamedTuple):
    """An encoder of the transformers library and what cuts texts for it."""

    model: Any
    tokenizer: Any
    longest: int
    name: str


def from_nothing(examples: Iterable[Example], shape: tuple[int, int, int]) -> Transformer:
    """With a vocabulary of these examples' words; `shape` is layers, width and heads."""
    transformers = libraries().transformers
    texts = (" ".join(text.words) for one in examples for text in (one.query, *one.responses))
    words = vocabulary_of(texts, _WORDS)
    layers, hidden, heads = shape
    sized = Shape(layers, hidden, heads, len(words), LONGEST + 2)
    config = transformers.BertConfig(
        vocab_size=sized.vocabulary,
        hidden_size=sized.hidden,
        num_hidden_layers=sized.layers,
        num_attention_heads=sized.heads,
        intermediate_size=sized.inner,
        max_position_embeddings=sized.tokens,
        initializer_range=sized.spread,
    )
    return Transformer(transformers.BertModel(config), tokenizer(words, LONGEST), LONGEST, "from nothing")


def from_place(given: str) -> Transformer:
    """With the weights of a folder or of the hub."""
    transformers = libraries().transformers
    found = source(given)
    model = pretrained(transformers.AutoModel, place(given), new=lambda weight: weight.startswith("pooler."))
    cut = transformers.AutoTokenizer.from_pretrained(found.place)
    return Transformer(model, cut, min(LONGEST, found.tokens), found.name)


def keep(folder: Path, made: Transformer) -> None:
    """How it is made, without its weights."""
    made.model.config.save_pretrained(folder / KEPT)
    made.tokenizer.save_pretrained(folder / KEPT)


def from_kept(folder: Path) -> Transformer:
    """Made like the one that was kept; its weights are still to come."""
    transformers = libraries().transformers
    at = str(folder / KEPT)
    if not (folder / KEPT / "config.json").is_file():
        raise UsageError(f"{at}: what the transformer was made like is missing. Train it anew.")
    config = transformers.AutoConfig.from_pretrained(at)
    cut = transformers.AutoTokenizer.from_pretrained(at)
    longest = min(LONGEST, int(config.max_position_embeddings) - 2)
    return Transformer(transformers.AutoModel.from_config(config), cut, longest, "kept")

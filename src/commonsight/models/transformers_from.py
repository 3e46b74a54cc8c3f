"""A transformer to train: one that others trained, or one that begins from nothing with words of its own.

What it is made like is kept beside the trained weights (configuration and tokenizer), so that it can be built
again without the place it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from commonsight.errors import InputError
from commonsight.models.features.examples import Example
from commonsight.models.libraries import libraries
from commonsight.models.pretrained import pretrained
from commonsight.models.sources import place, source
from commonsight.models.untrained import Shape, tokenizer, vocabulary_of
from commonsight.store.atomic import new_folder

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


def from_nothing(
    examples: Iterable[Example], shape: tuple[int, int, int], *, more: Iterable[str] = ()
) -> Transformer:
    """With a vocabulary of these examples' words, and of `more` texts; `shape` is layers, width and heads."""
    transformers = libraries().transformers
    texts = (" ".join(text.words) for one in examples for text in (one.query, *one.responses))
    words = vocabulary_of((*texts, *more), _WORDS)
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
    cut = transformers.AutoTokenizer.from_pretrained(found.place)
    _refuse_unfit(given, cut)
    model = pretrained(transformers.AutoModel, place(given), new=lambda weight: weight.startswith("pooler."))
    return Transformer(model, cut, min(LONGEST, found.tokens), found.name)


def _refuse_unfit(given: str, cut: Any) -> None:
    marks = {"beginning": cut.cls_token_id, "end": cut.sep_token_id, "padding": cut.pad_token_id}
    missing = [name for name, number in marks.items() if number is None]
    if missing:
        raise InputError(
            f"{given}: its tokenizer has no mark for the {missing[0]} of a text, so pairs cannot be read. "
            "Give a model like BERT."
        )


def keep(folder: Path, made: Transformer) -> None:
    """How it is made, without its weights."""
    with new_folder(folder / KEPT, overwrite=True) as beside:
        made.model.config.save_pretrained(beside)
        made.tokenizer.save_pretrained(beside)


def from_kept(folder: Path) -> Transformer:
    """Made like the one that was kept; its weights are still to come."""
    library, transformers = libraries()
    at = str(folder / KEPT)
    if not (folder / KEPT / "config.json").is_file():
        raise InputError(f"{at}: what the transformer was made like is missing. Train it anew.")
    found = source(at)
    config = transformers.AutoConfig.from_pretrained(at)
    model = transformers.AutoModel.from_config(config, dtype=library.float32)
    cut = transformers.AutoTokenizer.from_pretrained(at)
    return Transformer(model, cut, min(LONGEST, found.tokens), "kept")

"""A sequence-pair classifier of any size that has learned nothing yet, with a tokenizer of its own.

It stands in for a pretrained one where none can be had: in tests, to measure speed, which weights do not
change, or to train one from nothing on a task's own texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from commonsight.models.libraries import libraries, seeded

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


class Shape(Struct, frozen=True):
    """How large a BERT is."""

    layers: int
    hidden: int
    heads: int
    vocabulary: int = 30_522
    tokens: int = 512
    dropout: float = 0.1

    @property
    def inner(self) -> int:
        """The width inside a layer."""
        return 4 * self.hidden

    @property
    def spread(self) -> float:
        """The deviation of the weights: BERT's own 0.02 at its width, more where fewer are summed."""
        return float(round(0.02 * (768 / self.hidden) ** 0.5, 4))


TINY = Shape(2, 32, 2, 2000, 128)
MINILM = Shape(6, 384, 12)
"""MiniLM-L6-H384, the common small cross-encoder."""
BERT_BASE = Shape(12, 768, 12)
"""What the paper uses (VCR, appendix C, relevance model details)."""


def untrained(
    folder: Path,
    texts: Iterable[str],
    shape: Shape = TINY,
    *,
    labels: Sequence[str] = ("other", "actual"),
    seed: int = 0,
) -> Path:
    """Write a BERT with random weights and a vocabulary of these texts to a folder, as any model is saved."""
    vocabulary = vocabulary_of(texts, shape.vocabulary)
    config = _config(
        shape,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    with seeded(seed):
        model = libraries().transformers.BertForSequenceClassification(config)
    model.save_pretrained(folder)
    tokenizer(vocabulary, shape.tokens).save_pretrained(folder)
    return folder


def encoder(shape: Shape = TINY, *, seed: int = 0) -> Any:
    """A `BertModel` with random weights, which others build on."""
    with seeded(seed):
        return libraries().transformers.BertModel(_config(shape))


def _config(shape: Shape, **more: Any) -> Any:
    return libraries().transformers.BertConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        max_position_embeddings=shape.tokens,
        initializer_range=shape.spread,
        hidden_dropout_prob=shape.dropout,
        attention_probs_dropout_prob=shape.dropout,
        **more,
    )


def vocabulary_of(texts: Iterable[str], most: int) -> dict[str, int]:
    """Marks, every letter as a beginning and as a continuation, then the most frequent words."""
    words = Counter(word for text in texts for word in _words(text))
    letters = sorted({letter for word in words for letter in word})
    pieces = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    pieces += sorted(words, key=lambda word: (-words[word], word))
    return {piece: number for number, piece in enumerate(list(dict.fromkeys(pieces))[:most])}


def _words(text: str) -> list[str]:
    """As BERT's tokenizer splits a text before it looks for pieces."""
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    normal = BertNormalizer().normalize_str(text)
    return [word for word, _ in BertPreTokenizer().pre_tokenize_str(normal)]


def tokenizer(vocabulary: dict[str, int], tokens: int) -> Any:
    """BERT's tokenizer with this vocabulary."""
    transformers = libraries().transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    made = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=tokens,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )

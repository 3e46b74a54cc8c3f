"""Language models that networks write with: others' by folder or hub name, or small ones from nothing.

    gpt2    goes on with a text (GPT-2, and any other of its kind)
    t5      reads a text and writes another (T5, and any other of its kind)
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from commonsight.errors import InputError, UsageError
from commonsight.models.features.examples import Example
from commonsight.models.libraries import libraries
from commonsight.models.pretrained import pretrained
from commonsight.models.sources import place, unusable
from commonsight.models.transformers_from import KEPT, Transformer
from commonsight.models.untrained import Shape
from commonsight.models.untrained_vlm import Sizes, byte_tokenizer
from commonsight.models.writing.style import Kind

LONGEST = 192
"""Sub-words of a question, or of a text that is learned, that are read at most."""
PREFIX = 64
"""Places that a picture takes at most, before the question."""
ROOM = PREFIX + 2 * LONGEST
"""Places of a language model that begins from nothing."""
PIECES = {"gpt2": 50_257, "t5": 32_128}
"""The published vocabularies."""
_WORDS = 4000
_SHORTEST = 72
"""Sub-words that there must be room for: ClipCap writes 67."""
_FAMILY = ("t5", "mt5")
"""Models that are built like T5."""
_SPOKEN = {"gpt2": "goes on with a text, such as GPT-2", "t5": "reads a text and writes another, such as T5"}


def bare(kind: Kind, shape: Shape, marks: tuple[int, int] = (0, 1)) -> Any:
    """A language model that has learned nothing; `marks` are its padding and its end."""
    transformers = libraries().transformers
    padding, end = marks
    if kind == "gpt2":
        return transformers.GPT2LMHeadModel(
            transformers.GPT2Config(
                vocab_size=shape.vocabulary,
                n_positions=shape.tokens,
                n_embd=shape.hidden,
                n_layer=shape.layers,
                n_head=shape.heads,
                initializer_range=shape.spread,
                pad_token_id=padding,
                bos_token_id=end,
                eos_token_id=end,
            )
        )
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=shape.vocabulary,
            d_model=shape.hidden,
            d_kv=shape.hidden // shape.heads,
            d_ff=shape.inner,
            num_layers=shape.layers,
            num_heads=shape.heads,
            pad_token_id=padding,
            eos_token_id=end,
            decoder_start_token_id=padding,
        )
    )


def from_nothing(examples: Iterable[Example], shape: tuple[int, int, int], kind: Kind) -> Transformer:
    """With byte pairs of these examples' texts; `shape` is layers, width and heads."""
    written = [one.written for one in examples if one.written is not None]
    texts = [text for one in written for text in (one.asked, *one.said, *one.wanted)]
    cut = byte_tokenizer(texts, Sizes(vocabulary=_WORDS, tokens=ROOM), None)
    layers, hidden, heads = shape
    model = bare(kind, Shape(layers, hidden, heads, len(cut), ROOM), (cut.pad_token_id, cut.eos_token_id))
    return Transformer(model, cut, LONGEST, "from nothing")


def from_place(given: str, kind: Kind) -> Transformer:
    """With the weights of a folder or of the hub."""
    transformers, found = libraries().transformers, place(given)
    try:
        config = transformers.AutoConfig.from_pretrained(found.path)
        cut = transformers.AutoTokenizer.from_pretrained(found.path)
    except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
        raise unusable(given, error) from error
    if (config.model_type in _FAMILY) != (kind == "t5") or (kind == "gpt2" and config.is_encoder_decoder):
        raise UsageError(f"{given}: this is a {config.model_type}, no model that {_SPOKEN[kind]}. Give one.")
    longest = _longest(given, config)
    cut, model = _fit(given, cut), pretrained(_class(config), found)
    model.config.eos_token_id = cut.eos_token_id  # texts end with this one; some models know several
    return Transformer(model, cut, longest, found.named(config))


def from_kept(folder: Path) -> Transformer:
    """Made like the one that was kept; its weights are still to come."""
    library, transformers = libraries()
    at = folder / KEPT
    if not (at / "config.json").is_file():
        raise InputError(f"{at}: what the language model was made like is missing. Train it anew.")
    config = transformers.AutoConfig.from_pretrained(at)
    model = _class(config).from_config(config, dtype=library.float32)
    cut = _fit(str(at), transformers.AutoTokenizer.from_pretrained(at))
    return Transformer(model, cut, _longest(str(at), config), "kept")


def refuse_longer(made: Transformer, tokens: int) -> None:
    """Say so where there is no room to write so much."""
    room = _places(made.model.config) - PREFIX - made.longest
    if tokens > room:
        raise UsageError(f"--longest {tokens}: behind picture and question there is room for {room}.")


def _longest(given: str, config: Any) -> int:
    """Half of the places that a picture leaves, for a question and for a text each."""
    half = (_places(config) - PREFIX) // 2
    if half < _SHORTEST:
        raise InputError(
            f"{given}: it reads {_places(config)} tokens, and picture, question and answer need "
            f"{PREFIX + 2 * _SHORTEST}. Give a model that reads more."
        )
    return min(LONGEST, half)


def _places(config: Any) -> int:
    """Positions that it knows; T5 has no end of them."""
    return int(getattr(config, "max_position_embeddings", None) or 2**31)


def _class(config: Any) -> Any:
    transformers = libraries().transformers
    if config.is_encoder_decoder:
        return transformers.AutoModelForSeq2SeqLM
    return transformers.AutoModelForCausalLM


def _fit(given: str, cut: Any) -> Any:
    """The tokenizer, if it can end a text; GPT-2's has no padding, for which its end mark does as well."""
    # Where its files are missing the library makes one that knows no words, and says nothing.
    if len(cut) <= len(cut.all_special_ids):
        raise InputError(f"{given}: there is no tokenizer with this model. Give a folder that has both.")
    if cut.eos_token_id is None:
        raise InputError(f"{given}: its tokenizer has no mark for a text's end. Give a model like GPT-2.")
    if cut.pad_token_id is None:
        cut.pad_token = cut.eos_token
    return cut

"""A tiny vision-language model, or a language model, that has learned nothing, saved as any other is.

It stands in for a real one in tests and where speed is measured apart from the weights. It is a Llava: of the
processors that transformers offers, its takes pictures by Pillow alone, without torchvision.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from commonsight.models.libraries import libraries, seeded

PAD, BEGIN, END, PICTURE = "<pad>", "<s>", "</s>", "<image>"
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ message['role'] }}: "
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}{% endif %}{{ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}assistant:{{ '\n' }}{% endif %}"
)


class Sizes(Struct, frozen=True):
    """How large it is."""

    hidden: int = 32
    layers: int = 2
    heads: int = 2
    side: int = 24
    """Pixels of a picture, after it was made square."""
    patch: int = 8
    vocabulary: int = 400
    tokens: int = 512
    spread: float = 0.3
    """The deviation of the weights: large, so that all that is read shows in what is written."""


TINY = Sizes()

def untrained_vlm(
    folder: Path,
    texts: Iterable[str],
    sizes: Sizes = TINY,
    *,
    seed: int = 0,
    template: str | None = TEMPLATE,
) -> Path:
    """Write a Llava with random weights and a vocabulary of these texts to a folder."""
    transformers = libraries().transformers
    words = byte_tokenizer(texts, sizes, template)
    vision = transformers.CLIPVisionConfig(
        hidden_size=sizes.hidden,
        intermediate_size=2 * sizes.hidden,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        image_size=sizes.side,
        patch_size=sizes.patch,
        initializer_range=sizes.spread,
        projection_dim=sizes.hidden,
    )
    config = transformers.LlavaConfig(
        vision_config=vision,
        text_config=_text_config(words, sizes),
        image_token_id=words.convert_tokens_to_ids(PICTURE),
        image_seq_length=(sizes.side // sizes.patch) ** 2,
        vision_feature_layer=-1,
        initializer_range=sizes.spread,
    )
    with seeded(seed):
        model = transformers.LlavaForConditionalGeneration(config)
    eye = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": sizes.side}, crop_size={"height": sizes.side, "width": sizes.side}
    )
    processor = transformers.LlavaProcessor(
        eye,
        words,
        patch_size=sizes.patch,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template,
    )
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def untrained_lm(
    folder: Path,
    texts: Iterable[str],
    sizes: Sizes = TINY,
    *,
    seed: int = 0,
    template: str | None = TEMPLATE,
) -> Path:
    """Write a Llama with random weights: a model that reads and sees nothing."""
    transformers = libraries().transformers
    words = byte_tokenizer(texts, sizes, template)
    with seeded(seed):
        model = transformers.LlamaForCausalLM(_text_config(words, sizes))
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return folder


def _text_config(words: Any, sizes: Sizes) -> Any:
    return libraries().transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=sizes.hidden,
        intermediate_size=2 * sizes.hidden,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        num_key_value_heads=sizes.heads,
        max_position_embeddings=sizes.tokens,
        initializer_range=sizes.spread,
        pad_token_id=words.pad_token_id,
        bos_token_id=words.bos_token_id,
        eos_token_id=words.eos_token_id,
    )


def byte_tokenizer(texts: Iterable[str], sizes: Sizes, template: str | None) -> Any:
    """Byte pairs of these texts: every text can be read, frequent words are one token."""
    transformers = libraries().transformers
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as Decoder
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from tokenizers.trainers import BpeTrainer

    made = Tokenizer(BPE())
    made.pre_tokenizer, made.decoder = ByteLevel(add_prefix_space=False), Decoder()
    trainer = BpeTrainer(
        vocab_size=sizes.vocabulary,
        special_tokens=[PAD, BEGIN, END, PICTURE],
        initial_alphabet=sorted(ByteLevel.alphabet()),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=sizes.tokens,
        pad_token=PAD,
        bos_token=BEGIN,
        eos_token=END,
        chat_template=template,
        extra_special_tokens={"image_token": PICTURE},
    )

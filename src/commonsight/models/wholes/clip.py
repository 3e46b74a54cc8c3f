"""CLIP: texts and pictures in one space, by a model of the transformers library, frozen.

The model lies in a folder that `save_pretrained` wrote (`commonsight train-clip` writes one) or on the hub,
such as openai/clip-vit-base-patch32, which A-OKVQA's authors use. Vectors have length 1, so that their
products are cosines. A picture fills the square that the model looks at: nothing is cut off, and what is not
square is squeezed, where CLIP's authors cut out the middle. Colours are scaled as the model's preprocessor
says.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from commonsight.errors import InputError
from commonsight.models.libraries import libraries
from commonsight.models.pretrained import pretrained
from commonsight.models.regions.frozen_maps import Colours, normalised
from commonsight.models.sources import Place, place, unusable

COLOURS = Colours((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
"""Those that CLIP's authors trained on; every CLIP of theirs expects them, and `train-clip`'s do."""
PREPROCESSORS = ("preprocessor_config.json", "processor_config.json")
"""What says how pictures are prepared, as the library calls it."""
BATCH = 32


class Clip(NamedTuple):
    """A model, how it wants pictures scaled, and what cuts texts for it."""

    model: Any
    """All of it, or the half that sees."""
    tokenizer: Any
    """None where there is none, so that only pictures can be shown to it."""
    colours: Colours
    name: str
    given: str
    """As a person wrote it, for messages."""


def load(given: str) -> Clip:
    """From a folder or a hub name: a whole CLIP, or the half that sees."""
    where = place(given)
    transformers = libraries().transformers
    try:
        config = transformers.AutoConfig.from_pretrained(where.path)
        if not isinstance(config, transformers.CLIPConfig | transformers.CLIPVisionConfig):
            raise InputError(f"{given}: this is a {type(config).__name__}, not a CLIP. Give one.")
        whole = isinstance(config, transformers.CLIPConfig)
        tokenizer = transformers.AutoTokenizer.from_pretrained(where.path) if whole else None
        colours = _colours(where)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise unusable(given, error) from error
    # Where its files are missing the library makes one that knows no words, and says nothing.
    if tokenizer is not None and len(tokenizer) <= len(tokenizer.all_special_ids):
        tokenizer = None
    kind = transformers.CLIPModel if whole else transformers.CLIPVisionModelWithProjection
    model = pretrained(kind, where).requires_grad_(False)
    return Clip(model, tokenizer, colours, where.named(config), given)


def _colours(where: Place) -> Colours:
    """As the preprocessor says; a folder without one, such as `train-clip` writes, has CLIP's authors'."""
    if where.folder and not any((Path(where.path) / name).is_file() for name in PREPROCESSORS):
        return COLOURS
    told, _ = libraries().transformers.ImageProcessingMixin.get_image_processor_dict(where.path)
    colours = Colours(tuple(told.get("image_mean", ())), tuple(told.get("image_std", ())))
    if any(len(values) != 3 for values in colours):
        raise InputError(
            f"{where.given}: its preprocessor does not say image_mean and image_std of three colours. "
            "Restore it."
        )
    return colours


class ClipTexts:
    """Whole texts (a `WholeEncoder`)."""

    def __init__(self, clip: Clip) -> None:
        if clip.tokenizer is None:
            raise InputError(f"{clip.given}: there is no tokenizer with this model. Give a whole CLIP.")
        self._clip = clip
        self.dim = int(clip.model.config.projection_dim)
        self._longest = int(clip.model.config.text_config.max_position_embeddings)
        self.name = f"clip-1({clip.name}, texts)"

    def encode(self, texts: Sequence[str]) -> NDArray[Any]:
        """(text, dim), each of length 1; what is longer than the model reads is cut off."""
        found = [self._read(list(texts[start : start + BATCH])) for start in range(0, len(texts), BATCH)]
        return np.concatenate(found) if found else np.zeros((0, self.dim), np.float32)

    def _read(self, texts: list[str]) -> NDArray[np.float32]:
        read = self._clip.tokenizer(
            texts, padding=True, truncation=True, max_length=self._longest, return_tensors="pt"
        )
        with torch.inference_mode():
            return _of_length_one(text_vectors(self._clip.model, read["input_ids"], read["attention_mask"]))


class ClipPictures:
    """Whole pictures (a `PictureEncoder` that makes a single vector of each)."""

    def __init__(self, clip: Clip) -> None:
        self._clip = clip
        side = int(clip.model.vision_model.config.image_size)
        self.canvas = (side, side)
        self.shape = (int(clip.model.visual_projection.out_features),)
        self.name = f"clip-1({clip.name}, pictures)"

    def encode(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(picture, 3, height, width), 0 to 255 -> (picture, dim), each of length 1"""
        with torch.inference_mode():
            pixels = torch.from_numpy(pictures)
            return _of_length_one(picture_vectors(self._clip.model, pixels, self._clip.colours))


def text_vectors(model: Any, ids: Tensor, mask: Tensor) -> Tensor:
    """(text, piece) -> (text, dim)"""
    pooled = model.text_model(input_ids=ids, attention_mask=mask).pooler_output
    projected: Tensor = model.text_projection(pooled)
    return projected


def picture_vectors(model: Any, pixels: Tensor, colours: Colours = COLOURS) -> Tensor:
    """(picture, 3, height, width), 0 to 255 -> (picture, dim)"""
    seen = model.vision_model(pixel_values=normalised(pixels, colours)).pooler_output
    projected: Tensor = model.visual_projection(seen)
    return projected


def _of_length_one(vectors: Tensor) -> NDArray[np.float32]:
    found: NDArray[np.float32] = torch.nn.functional.normalize(vectors.float(), dim=-1).numpy()
    return found

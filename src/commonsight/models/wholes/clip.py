"""CLIP: texts and pictures in one space, by a model of the transformers library, frozen.

The model lies in a folder that `save_pretrained` wrote (`commonsight train-clip` writes one) or on the hub,
such as openai/clip-vit-base-patch32, which A-OKVQA's authors use. Vectors have length 1, so that their
products are cosines. A picture fills the square that the model looks at: nothing is cut off, and what is not
square is squeezed, where CLIP's authors cut out the middle.
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
from commonsight.models.sources import Place, place, unusable

MEAN = (0.48145466, 0.4578275, 0.40821073)
DEVIATION = (0.26862954, 0.26130258, 0.27577711)
"""Of the colours that CLIP's authors trained on; every CLIP of theirs expects them."""
BATCH = 32


class Clip(NamedTuple):
    """A model and what cuts texts for it."""

    model: Any
    tokenizer: Any
    name: str


def load(given: str) -> Clip:
    """From a folder or a hub name."""
    where = place(given)
    transformers = libraries().transformers
    try:
        config = transformers.AutoConfig.from_pretrained(where.path)
        if not isinstance(config, transformers.CLIPConfig):
            raise InputError(f"{given}: this is a {type(config).__name__}, not a CLIP. Give one.")
        tokenizer = transformers.AutoTokenizer.from_pretrained(where.path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise unusable(given, error) from error
    if len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputError(f"{given}: there is no tokenizer with this model. Give a whole CLIP.")
    _refuse_other_colours(where)
    model = pretrained(transformers.CLIPModel, where)
    return Clip(model.requires_grad_(False), tokenizer, where.named(config))


def _refuse_other_colours(where: Place) -> None:
    """A model that was trained on colours scaled otherwise would be shown something that it never saw."""
    path = Path(where.path) / "preprocessor_config.json"
    if not where.folder or not path.is_file():
        return
    told = libraries().transformers.CLIPImageProcessor.get_image_processor_dict(where.path)[0]
    mean, deviation = told.get("image_mean", MEAN), told.get("image_std", DEVIATION)
    if not np.allclose((*mean, *deviation), (*MEAN, *DEVIATION), atol=1e-3):
        raise InputError(f"{where.given}: its pictures are scaled by {mean} and {deviation}, not as CLIP's.")


class ClipTexts:
    """Whole texts (a `WholeEncoder`)."""

    def __init__(self, clip: Clip) -> None:
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
        side = int(clip.model.config.vision_config.image_size)
        self.canvas = (side, side)
        self.shape = (int(clip.model.config.projection_dim),)
        self.name = f"clip-1({clip.name}, pictures)"

    def encode(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(picture, 3, height, width), 0 to 255 -> (picture, dim), each of length 1"""
        with torch.inference_mode():
            return _of_length_one(picture_vectors(self._clip.model, torch.from_numpy(pictures)))


def text_vectors(model: Any, ids: Tensor, mask: Tensor) -> Tensor:
    """(text, piece) -> (text, dim)"""
    pooled = model.text_model(input_ids=ids, attention_mask=mask).pooler_output
    projected: Tensor = model.text_projection(pooled)
    return projected


def picture_vectors(model: Any, pixels: Tensor) -> Tensor:
    """(picture, 3, height, width), 0 to 255 -> (picture, dim)"""
    mean, deviation = (pixels.new_tensor(values, dtype=torch.float32) for values in (MEAN, DEVIATION))
    scaled = (pixels.float() / 255 - mean[:, None, None]) / deviation[:, None, None]
    projected: Tensor = model.visual_projection(model.vision_model(pixel_values=scaled).pooler_output)
    return projected


def _of_length_one(vectors: Tensor) -> NDArray[np.float32]:
    found: NDArray[np.float32] = torch.nn.functional.normalize(vectors.float(), dim=-1).numpy()
    return found

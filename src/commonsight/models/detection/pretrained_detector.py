"""Detectors that others trained, from a folder or the hub: boxes (DETR, YOLOS …) or masks (Mask2Former …)."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from commonsight.build.imaging.canvas import Pixels
from commonsight.build.imaging.coco import coco_name
from commonsight.build.imaging.detector import LEAST_SCORE, Detected
from commonsight.build.imaging.outlines import polygons
from commonsight.errors import InputError
from commonsight.models.libraries import libraries
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.pretrained import pretrained
from commonsight.models.sources import place, unusable

KINDS = {
    "ForObjectDetection": "AutoModelForObjectDetection",
    "ForUniversalSegmentation": "AutoModelForUniversalSegmentation",
    "ForInstanceSegmentation": "AutoModelForUniversalSegmentation",
    "ForSegmentation": "AutoModelForImageSegmentation",
}
"""What a model's architecture ends in, and the library's class that loads it."""
NAMELESS = frozenset(("N/A", "no-object", "background"))
"""Labels of no object: COCO's numbers have gaps, which some models name so."""


class PretrainedDetector:
    """A model of the transformers library as a detector."""

    def __init__(self, given: str, *, device: str | None = None) -> None:
        """From a folder that `save_pretrained` wrote (model and image processor), or a hub name."""
        transformers, where = libraries().transformers, place(given)
        try:
            config = transformers.AutoConfig.from_pretrained(where.path)
            # The other backend needs torchvision.
            self._processor = transformers.AutoImageProcessor.from_pretrained(where.path, backend="pil")
        except (OSError, ValueError, KeyError, TypeError, ImportError) as error:
            raise unusable(given, error) from error
        architecture = next(iter(config.architectures or ()), type(config).__name__)
        kind = next((made for ending, made in KINDS.items() if architecture.endswith(ending)), None)
        if kind is None:
            raise InputError(
                f"{given}: a {architecture} finds no objects. Give one that ends in {', '.join(KINDS)}."
            )
        self._masks = kind != "AutoModelForObjectDetection"
        self._model = pretrained(getattr(transformers, kind), where).to(device_of(device or "cpu"))
        self._labels: dict[int, str] = {int(number): label for number, label in config.id2label.items()}
        self.name = where.named(config)

    def detect(self, pictures: Sequence[Pixels], least: float = LEAST_SCORE) -> list[list[Detected]]:
        """Boxes as the model gives them, or those around its masks."""
        torch = libraries().torch
        given = self._processor(images=[Image.fromarray(one) for one in pictures], return_tensors="pt")
        sizes = [one.shape[:2] for one in pictures]
        with torch.inference_mode():
            said = self._model(**given.to(self._model.device))
            if not self._masks:
                found = self._processor.post_process_object_detection(
                    said, threshold=least, target_sizes=sizes
                )
                return [self._boxed(one, size) for one, size in zip(found, sizes, strict=True)]
            read = self._processor.post_process_instance_segmentation
            # Without it masks are one map, on which those found later lie over the others; not all have it.
            apart = {"return_binary_maps": True} if "return_binary_maps" in signature(read).parameters else {}
            found = read(said, threshold=least, target_sizes=sizes, **apart)
            return [self._masked(one) for one in found]

    def _boxed(self, found: dict[str, Any], size: tuple[int, ...]) -> list[Detected]:
        tall, wide = size
        boxes = np.clip(found["boxes"].float().cpu().numpy(), 0, (wide, tall, wide, tall)).tolist()
        told = []
        for box, label, score in zip(boxes, found["labels"].tolist(), found["scores"].tolist(), strict=True):
            name = self._name(label)
            if name is not None and box[2] > box[0] and box[3] > box[1]:
                told.append(Detected(name, score, (box[0], box[1], box[2], box[3])))
        return sorted(told, key=lambda one: -one.score)

    def _masked(self, found: dict[str, Any]) -> list[Detected]:
        told: list[Detected] = []
        maps = found["segmentation"].cpu().numpy() if found["segments_info"] else None
        for number, info in enumerate(found["segments_info"]):
            assert maps is not None
            mask = maps[number] > 0 if maps.ndim == 3 else maps == info["id"]
            name, box = self._name(info["label_id"]), around(mask)
            if name is not None and box is not None:
                told.append(Detected(name, float(info["score"]), box, polygons(mask)))
        return sorted(told, key=lambda one: -one.score)

    def _name(self, label: int) -> str | None:
        name = self._labels.get(label)
        return None if name is None or name in NAMELESS else coco_name(name)


def around(mask: NDArray[np.bool_]) -> tuple[float, float, float, float] | None:
    """The box around what a mask covers; None for nothing."""
    down, across = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(down):
        return None
    return float(across[0]), float(down[0]), float(across[-1] + 1), float(down[-1] + 1)

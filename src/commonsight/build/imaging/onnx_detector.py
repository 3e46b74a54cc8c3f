"""Detectors in the ONNX format, run by ONNX Runtime."""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonsight.build.imaging.canvas import Fitted, Pixels, fitted, next_multiple
from commonsight.build.imaging.coco import coco_name
from commonsight.build.imaging.detector import LEAST_SCORE, Detected
from commonsight.build.imaging.onnx_layouts import Raw, layout_of, names_in, read_outputs
from commonsight.build.imaging.outlines import pasted, polygons
from commonsight.errors import InputError, MissingExtra

SIZE = 640
"""Pixels of the longer side where a model neither fixes nor tells it: what YOLO's are trained with."""
MULTIPLE = 32
"""Sides that are free are multiples of this: the stride of the coarsest map of common detectors."""
_TYPES: dict[str, type[np.generic]] = {
    "tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(uint8)": np.uint8
}  # fmt: skip


class Entrance(NamedTuple):
    """What a model wants to be given."""

    name: str
    dtype: type[np.generic]
    many: bool
    """Whether it takes several pictures at once."""
    batched: bool
    """Whether there is a dimension of pictures at all."""
    channels_first: bool
    sides: tuple[int | None, int | None]
    """Width and height, where they are fixed."""


class OnnxDetector:
    """A model file as a detector; labels that COCO has are called as COCO calls them."""

    def __init__(
        self,
        model: Path | bytes,
        *,
        names: Mapping[int, str] | None = None,
        size: int | None = None,
        threads: int | None = None,
        name: str | None = None,
    ) -> None:
        """`names` and `size` go before what the model tells; without `threads` all cores compute."""
        content = model if isinstance(model, bytes) else _content(model)
        self._session = _session(content, "the model" if isinstance(model, bytes) else str(model), threads)
        told: dict[str, str] = self._session.get_modelmeta().custom_metadata_map
        self._entrance = _entrance(self._session.get_inputs())
        shapes = {one.name: one.shape for one in self._session.get_outputs()}
        told_names = names_in(told["names"]) if names is None and "names" in told else names
        self._layout = layout_of(shapes, told_names)
        self._size = _sides(size, told.get("imgsz"))
        stem = name or ("onnx" if isinstance(model, bytes) else model.stem)
        given = "" if names is None and size is None else repr((size, names and sorted(names.items())))
        self.name = f"{stem}@{hashlib.sha256(content + given.encode()).hexdigest()[:12]}"

    def detect(self, pictures: Sequence[Pixels], least: float = LEAST_SCORE) -> list[list[Detected]]:
        """Pictures that need a canvas of one size are looked at together."""
        together: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for place, picture in enumerate(pictures):
            together[self._canvas(picture)].append(place)
        found: dict[int, list[Detected]] = {}
        for canvas, group in together.items():
            made = [fitted(pictures[place], canvas) for place in group]
            for place, fit, raw in zip(group, made, self._run(made, canvas, least), strict=True):
                found[place] = self._told(raw, fit, pictures[place], canvas)
        return [found[place] for place in range(len(pictures))]

    def _canvas(self, picture: Pixels) -> tuple[int, int]:
        """As small as the picture's shape allows, where the model leaves it free."""
        wide, tall = self._entrance.sides
        scale = min(
            (wide or self._size[0]) / picture.shape[1],
            (tall or self._size[1]) / picture.shape[0],
        )
        return (
            wide or next_multiple(round(picture.shape[1] * scale), MULTIPLE),
            tall or next_multiple(round(picture.shape[0] * scale), MULTIPLE),
        )

    def _run(self, made: Sequence[Fitted], canvas: tuple[int, int], least: float) -> list[Raw]:
        whole = np.stack([fit.pixels for fit in made])  # (picture, height, width, 3)
        entrance = self._entrance
        together = entrance.many and self._layout.kind != "lists"
        parts = [whole] if together else [whole[place : place + 1] for place in range(len(whole))]
        found: list[Raw] = []
        for part in parts:
            pixels = part.transpose(0, 3, 1, 2) if entrance.channels_first else part
            if entrance.dtype is not np.uint8:
                pixels = (pixels / np.float32(255)).astype(entrance.dtype)
            given = np.ascontiguousarray(pixels if entrance.batched else pixels[0])
            found += read_outputs(self._layout, self._outputs(given), canvas, least)
        return found

    def _outputs(self, given: NDArray[np.generic]) -> list[Any]:
        try:
            outputs: list[Any] = self._session.run(list(self._layout.outputs), {self._entrance.name: given})
        except Exception as error:  # its errors share no class of their own
            reason = str(error).splitlines()[0][:200]
            raise InputError(
                f"{self.name}: the model fails on pixels of shape {list(given.shape)} ({reason}). "
                "Give the size that it was made for (--size)."
            ) from error
        return outputs

    def _told(self, raw: Raw, fit: Fitted, picture: Pixels, canvas: tuple[int, int]) -> list[Detected]:
        tall, wide = picture.shape[:2]
        boxes = fit.placed.in_picture(raw.boxes, wide, tall)
        told = []
        for place, box in enumerate(boxes):
            label = self._layout.names.get(int(raw.labels[place]))
            # What a padding's box comes to has no area; a number without a name is no object (as COCO's 0).
            if label is None or not (box[2] > box[0] and box[3] > box[1]):
                continue
            mask = None if raw.masks is None else raw.masks[place]
            outline = None if mask is None else _outline(mask, raw.boxes[place], fit, (wide, tall), canvas)
            corners = (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
            told.append(Detected(coco_name(label), float(raw.scores[place]), corners, outline))
        return told


def _outline(
    mask: NDArray[np.floating],
    box: NDArray[np.float64],
    fit: Fitted,
    size: tuple[int, int],
    canvas: tuple[int, int],
) -> tuple[Any, ...]:
    """A mask's polygons in pixels of the picture; masks are of the whole canvas, or of their box alone."""
    tall, wide = mask.shape
    if wide * canvas[1] != tall * canvas[0]:
        left, top, right, bottom = (float(side) for side in box)
        mask, (wide, tall) = pasted(mask, (left, top, right, bottom), *canvas), canvas
    shares = canvas[0] / wide, canvas[1] / tall
    found = []
    for polygon in polygons(mask):
        corners = np.array(polygon) * shares
        inside = (corners - (fit.placed.left, fit.placed.top)) / fit.placed.scale
        kept = np.clip(inside, 0, size).round(1)
        found.append(tuple((float(x), float(y)) for x, y in kept))
    return tuple(found)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: the model cannot be read ({reason}). Check the path.") from error


def _session(content: bytes, what: str, threads: int | None) -> Any:
    try:
        runtime = import_module("onnxruntime")
    except ImportError as error:
        raise MissingExtra("onnxruntime", "media") from error
    options = runtime.SessionOptions()
    options.log_severity_level = 3  # it warns of what it makes faster
    if threads is not None:
        options.intra_op_num_threads = threads
    try:
        return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors share no class of their own
        reason = str(error).splitlines()[0][:200]
        raise InputError(f"{what}: this is no ONNX model that can be run ({reason}).") from error


def _entrance(inputs: Sequence[Any]) -> Entrance:
    told = ", ".join(f"{one.name} {one.shape} {one.type}" for one in inputs)
    if len(inputs) != 1 or len(inputs[0].shape) not in (3, 4) or inputs[0].type not in _TYPES:
        raise InputError(f"The model must take one picture in colours; it takes: {told}.")
    shape = list(inputs[0].shape)
    batched = len(shape) == 4
    inner = shape[1:] if batched else shape
    first = inner[0] == 3
    if not first and inner[2] != 3:
        raise InputError(f"The model must take one picture in colours; it takes: {told}.")
    tall, wide = inner[1:] if first else inner[:2]
    return Entrance(
        inputs[0].name,
        _TYPES[inputs[0].type],
        batched and not isinstance(shape[0], int),
        batched,
        first,
        (wide if isinstance(wide, int) else None, tall if isinstance(tall, int) else None),
    )


def _sides(size: int | None, told: str | None) -> tuple[int, int]:
    """Width and height to make a picture fit into; models tell height and width."""
    if size is not None:
        return size, size
    try:
        tall, wide = (int(side) for side in ast.literal_eval(told or ""))
    except (ValueError, SyntaxError, TypeError):
        return SIZE, SIZE
    return (wide, tall) if wide > 0 and tall > 0 else (SIZE, SIZE)

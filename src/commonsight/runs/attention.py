"""What trained networks looked at, kept for people to see.

A file of tensors: `<item>/<task>/query` and `<item>/<task>/objects`, (choice, word of the response, word of
the query or object), and for networks that look as a whole `<item>/<task>/glimpses`, (choice, glimpse,
object), or `<item>/<task>/places`, (1, glimpse, place of the canvas, row by row from its top left). A row is
shares of 1; one of a word that is not there is zeros. The first object is the whole picture, the others are
those that a text points to, or all, in the order of the scene.

What the places are of stands in the file's metadata under the same name: width and height of the canvas.
For networks that read facts there is `<item>/<task>/facts`, (choice, 1, fact), and under the same name in the
file's metadata what these facts say. Both are lists, in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec import json
from numpy.typing import NDArray
from safetensors.numpy import save_file

from commonsight.models.engine.evaluate import Predicted
from commonsight.models.features.examples import Example
from commonsight.models.tensor_files import tensor_file
from commonsight.store.atomic import new_file

ATTENTION = "attention.safetensors"
FACTS, PLACES = "facts", "places"
_AS_A_WHOLE = ("glimpses", PLACES, FACTS)
"""What a question looks at as a whole, not word by word."""

Looked = NDArray[np.float16]


def looked_at(said: Predicted, task: str) -> dict[str, Looked]:
    """By name what was looked at in one question, without padding, in half the room."""
    found = {}
    for name, shares in said.attention.items():
        places = shares.shape[2] if name == PLACES else _places(said.example, name)
        rows = _rows(said.example, name, shares.shape[1])
        found[f"{said.example.item}/{task}/{name}"] = _trimmed(shares, rows, places)
    return found


def _trimmed(shares: NDArray[np.float32], rows: Sequence[int], places: int) -> Looked:
    """So many rows of each choice, each over so many places."""
    kept = np.zeros((len(rows), max(rows), places), np.float16)
    for choice, count in enumerate(rows):
        found = shares[choice, :count, :places]  # less where a text was too long to be read whole
        kept[choice, : len(found), : found.shape[1]] = found
    return kept


def _rows(example: Example, name: str, glimpses: int) -> list[int]:
    return [glimpses if name in _AS_A_WHOLE else len(text.words) for text in example.responses]


def _places(example: Example, name: str) -> int:
    """How many places can be looked at."""
    if name == FACTS:
        return len(example.facts)
    return len(example.query.words) if name == "query" else len(example.objects)


def told_of(said: Predicted, task: str, canvas: tuple[int, int] | None = None) -> dict[str, str]:
    """By name what the facts say that were looked at, and of how large a canvas the places are."""
    told: dict[str, Sequence[str | int]] = {FACTS: [str(fact) for fact in said.example.facts]}
    if canvas is not None:
        told[PLACES] = canvas
    return {
        f"{said.example.item}/{task}/{name}": json.encode(values).decode()
        for name, values in told.items()
        if name in said.attention
    }


def save_attention(path: Path, looked: Mapping[str, Looked], told: Mapping[str, str] | None = None) -> None:
    """Write it all to a file, with what facts say."""
    with new_file(path) as beside, tensor_file(beside):
        save_file(dict(looked), beside, dict(told or {}) or None)

"""Questions and pictures as one vector each, for networks that read nothing else."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import normalize

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.batch import Batch
from commonsight.models.network import needed
from commonsight.models.parts import Parts


class VectorInputs(nn.Module):
    """The question's vector, the picture's, or both."""

    def __init__(self, texts: int, canvas: CanvasEncoder | None, *, unit: bool) -> None:
        """With `unit` vectors have length 1, as CLIP's are compared."""
        super().__init__()
        self.texts, self.canvas, self.unit = texts, canvas, unit

    @property
    def dims(self) -> tuple[int, ...]:
        """How many numbers each vector has."""
        picture = () if self.canvas is None else (self.canvas.dim,)
        return (*((self.texts,) if self.texts else ()), *picture)

    def forward(self, batch: Batch) -> list[Tensor]:
        """(batch, dim) each."""
        found = []
        if self.texts:
            found.append(needed(batch.wholes, "whole texts").question)
        if self.canvas is not None:
            # A frozen encoder gives one place; of what is learned here it is the mean over all places.
            found.append(self.canvas(needed(batch.canvas, "a canvas")).mean(dim=(2, 3)))
        return [normalize(vectors.float(), dim=-1) for vectors in found] if self.unit else found


def inputs(parts: Parts, *, question: bool, picture: bool, unit: bool) -> VectorInputs:
    """Of what a network is given those that it reads."""
    canvas = needed(parts.canvas, "a canvas encoder") if picture else None
    return VectorInputs(parts.wholes if question else 0, canvas, unit=unit)

"""Maps that a frozen network made before, handed on as they are."""

from __future__ import annotations

from torch import Tensor, nn

from commonsight.errors import InputError


class KeptMaps(nn.Module):
    """What was kept of each canvas, and nothing else."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, canvas: Tensor) -> Tensor:
        """(batch, dim, height, width); a vector, (batch, dim), is a map of one place"""
        canvas = canvas[:, :, None, None] if canvas.ndim == 2 else canvas
        if canvas.ndim != 4 or canvas.shape[1] != self.dim:
            raise InputError(
                f"This network reads maps of {self.dim} channels, and the batch has "
                f"{list(canvas.shape[1:])}. Give the encoder that it was trained with."
            )
        return canvas.float()

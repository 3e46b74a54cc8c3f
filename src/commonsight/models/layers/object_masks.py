"""What a region's segmentation mask adds to its features.

The VCR paper gives every object a box, a mask and a label (section 2), and its R2C reads the box and the
label alone: a region is RoI-aligned from its box and projected beside an embedding of its label (section 5),
2048 + 128 numbers (appendix E). So R2C as published needs nothing from here. Its authors' released code does
use the mask, as a small picture that is laid over the first few channels of the aligned features before the
last block of the CNN; that variant is `MaskOverlay`, with 14 x 14 masks, 32 channels, and a stride of 2 where
the features are 7 x 7.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from commonsight.models.layers.roi_align import roi_align


def pool_masks(masks: Tensor, boxes: Tensor, *, size: tuple[int, int] = (14, 14)) -> Tensor:
    """Each object's mask within its own box, as the share of every bin that it covers.

    (object, height, width) over the whole image, True or 1 within the object, and (object, 4) -> (object,
    *size). Points are as dense as pixels, so no part of a mask is stepped over.
    """
    own = torch.arange(len(masks), device=masks.device)
    painted = masks[:, None].to(torch.float32)
    return roi_align(painted, boxes, own, size=size, scale=1.0, samples=None)[:, 0]


class MaskOverlay(nn.Module):
    """Adds a mask, through a convolution, to the first channels of a region's features; the rest stay as they
    are.

    Masks are shifted to lie around zero first, so that a mask of a half, which knows nothing, adds the bias
    alone.
    """

    def __init__(self, channels: int, *, stride: int) -> None:
        super().__init__()
        self.channels = channels
        self.paint = nn.Conv2d(1, channels, kernel_size=3, stride=stride, padding=1)

    def forward(self, regions: Tensor, masks: Tensor) -> Tensor:
        """(box, channel, height, width) and (box, stride x height, stride x width) -> like the first."""
        painted = self.paint(masks[:, None].to(regions.dtype) - 0.5)
        if painted.shape[2:] != regions.shape[2:]:
            raise ValueError(
                f"masks become {tuple(painted.shape[2:])}, the features are {tuple(regions.shape[2:])}; "
                "give masks of the features' size times the stride"
            )
        return torch.cat((regions[:, : self.channels] + painted, regions[:, self.channels :]), dim=1)

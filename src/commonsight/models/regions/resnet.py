"""A residual network that was trained on photographs, cut in two.

As the VCR paper has it (appendix E): the stem and the first three blocks of a ResNet-50 are frozen; RoIAlign
cuts each object out of what they make of the picture; and the last block is trained, once for each object. So
the frozen part looks at each picture once, before training, and its maps are kept (`features/pictures.py`).

Normalisation over batches is frozen throughout, statistics and scales, so that neither the other questions of
a batch nor padding change what is seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct
from torch import Tensor, nn

from commonsight.errors import InputError
from commonsight.models.features.batch import Seen
from commonsight.models.features.masks import SIZE
from commonsight.models.layers.object_masks import MaskOverlay
from commonsight.models.layers.roi_align import roi_align
from commonsight.models.libraries import libraries, seeded
from commonsight.models.local_vlm.loading import device_of
from commonsight.models.pretrained import pretrained
from commonsight.models.regions.frozen_maps import FrozenMaps
from commonsight.models.sources import place, unusable

CANVAS = (768, 384)
"""Width and height that every picture is made to have: as wide as a film's, at stride 16 maps of 48 x 24."""
SAMPLES = 2
"""Points along each side of a bin, as Mask R-CNN's implementations have it; the paper does not say."""
MASKED_CHANNELS = 32
"""That masks are laid over in the released code of the paper's authors."""


class Shape(Struct, frozen=True):
    """How large a residual network is that has learned nothing."""

    stem: int = 64
    widths: tuple[int, int, int, int] = (256, 512, 1024, 2048)
    depths: tuple[int, int, int, int] = (3, 4, 6, 3)
    kind: str = "bottleneck"
    """Or `basic`."""


RESNET50 = Shape()
TINY = Shape(8, (16, 24, 32, 48), (1, 1, 1, 1))


class Split(NamedTuple):
    """A residual network in two."""

    frozen: FrozenMaps
    """The stem and the first three blocks, which look at pictures once."""
    last: nn.Module
    """The last block, (object, channel, height, width) to half of that with more channels."""
    channels: int
    """That the last block takes."""
    dim: int
    """That it gives."""

    def whole(self) -> FrozenMaps:
        """All of it as one that looks at pictures once."""
        return self.frozen.followed_by(self.last)


def resnet(given: str, *, canvas: tuple[int, int] = CANVAS, device: str = "cpu") -> Split:
    """From a folder or a hub name, such as microsoft/resnet-50."""
    where = place(given)
    transformers = libraries().transformers
    try:
        config = transformers.AutoConfig.from_pretrained(where.path)
    except (OSError, ValueError, KeyError) as error:
        raise unusable(given, error) from error
    if not isinstance(config, transformers.ResNetConfig):
        raise InputError(f"{given}: this is a {type(config).__name__}, not a ResNet. Give one.")
    model = pretrained(transformers.ResNetModel, where)
    return _split(model.to(device_of(device)), where.named(config), canvas)


def untrained_resnet(
    shape: Shape = TINY, *, seed: int, canvas: tuple[int, int] = CANVAS, device: str = "cpu"
) -> Split:
    """One that has learned nothing, of any size."""
    transformers = libraries().transformers
    config = transformers.ResNetConfig(
        embedding_size=shape.stem,
        hidden_sizes=list(shape.widths),
        depths=list(shape.depths),
        layer_type=shape.kind,
    )
    with seeded(seed):
        model = transformers.ResNetModel(config).eval()
    return _split(model.to(device_of(device)), f"untrained {shape}, seed {seed}", canvas)


def _split(model: Any, name: str, canvas: tuple[int, int]) -> Split:
    stages, widths = list(model.encoder.stages), model.config.hidden_sizes
    if len(stages) != 4:
        raise InputError(f"{name}: a residual network of four blocks is needed, this has {len(stages)}.")
    frozen = FrozenMaps((model.embedder, *stages[:3]), kind="resnet-1", name=name, canvas=canvas)
    return Split(frozen, stages[3], int(widths[2]), int(widths[3]))


class ResNetRegions(nn.Module):
    """Objects cut out of kept maps, through the last block, each pooled to one vector."""

    def __init__(
        self, last: nn.Module, *, dim: int, samples: int | None = SAMPLES, masks: bool = False
    ) -> None:
        """With `masks`, objects' outlines are laid over their maps, as the authors' released code has it."""
        super().__init__()
        self.dim, self.samples = dim, samples
        self.last = last
        self.overlay = MaskOverlay(MASKED_CHANNELS, stride=1) if masks else None
        for module in last.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.requires_grad_(False)
        self.train(self.training)

    def train(self, mode: bool = True) -> ResNetRegions:
        """Everything but the normalisation over batches, which stays as it is."""
        super().train(mode)
        for module in self.last.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()
        return self

    def forward(self, seen: Seen) -> Tensor:
        """(batch, object, dim): zeros for padding, and for objects without a box, which are not seen."""
        if seen.maps is None or seen.picture_of is None:
            raise InputError("This network reads maps of pictures, and the batch has none. "
                             "Give a dataset with pictures.")  # fmt: skip
        sides = seen.boxes[..., 2:] - seen.boxes[..., :2]  # (batch, object, 2)
        there = (seen.mask & (sides > 0).all(dim=-1)).flatten().nonzero().squeeze(1)  # (object there)
        tall, wide = seen.maps.shape[2:]
        boxes = seen.boxes.flatten(0, 1)[there] * seen.boxes.new_tensor((wide, tall, wide, tall))
        images = seen.picture_of.unsqueeze(1).expand_as(seen.mask).flatten()[there]
        maps = seen.maps.to(next(self.last.parameters()).dtype)
        regions = roi_align(maps, boxes, images, size=(SIZE, SIZE), scale=1.0, samples=self.samples)
        if self.overlay is not None:
            if seen.masks is None:
                raise InputError("This network reads objects' outlines, and the batch has none.")
            regions = self.overlay(regions, seen.masks.flatten(0, 1)[there])
        vectors = self.last(regions).mean(dim=(2, 3))  # (object there, dim)
        out: Tensor = vectors.new_zeros(seen.mask.numel(), self.dim).index_copy(0, there, vectors)
        return out.reshape(*seen.mask.shape, self.dim)

"""The small detector as an ONNX file, in the layout that YOLO's have: any size, any number of pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from commonsight.models.detection.network import COARSEST, FARTHEST, STRIDE, Block, SmallDetector, Turned
from commonsight.models.detection.onnx_file import Graph, Port

HALVED = 256
"""Tensors of more numbers than this are kept in 16 bits each."""


def exported(network: SmallDetector, labels: Sequence[str], canvas: tuple[int, int]) -> bytes:
    """The file's content; the same weights give the same bytes."""
    writer = _Writer()
    graph = writer.graph
    pixels = graph.step("Mul", "images", writer.floats(2.0))
    eighth = writer.through(
        network.eighth, writer.through(network.stem, graph.step("Sub", pixels, writer.floats(1.0)))
    )
    sixteenth = writer.through(network.sixteenth, eighth)
    coarsest = writer.convolved(network.from_coarsest, writer.through(network.coarsest, sixteenth))
    around = graph.step("Add", writer.convolved(network.from_sixteenth, sixteenth), writer.doubled(coarsest))
    summed = graph.step("Add", writer.convolved(network.from_eighth, eighth), writer.doubled(around))
    read = writer.through(network.mix, summed)
    logits = writer.convolved(network.label, writer.through(network.what, read))
    edges = writer.convolved(network.edges, writer.through(network.where, read))
    table = graph.step(
        "Concat",
        writer.listed(writer.boxes(edges), 4),
        writer.listed(graph.step("Sigmoid", logits), len(labels)),
        axis=1,
    )
    graph.named(table, "output0")
    told = {
        "description": "Commonsight's detector of drawn scenes",
        "task": "detect",
        "stride": str(COARSEST),
        "imgsz": str([canvas[1], canvas[0]]),
        "names": str(dict(enumerate(labels))),
    }
    return graph.model(
        [Port("images", ("batch", 3, "height", "width"))],
        [Port("output0", ("batch", 4 + len(labels), "places"))],
        told,
    )


class _Writer:
    """torch's modules as steps of a graph."""

    def __init__(self) -> None:
        self.graph = Graph()

    def through(self, module: nn.Module, maps: str) -> str:
        """What a module, or several one after the other, makes of maps."""
        if isinstance(module, Turned):
            weight, bias = folded(module)
            return self.graph.step("Relu", self._convolution(module[0], weight, bias, maps))
        if isinstance(module, Block):
            return self.graph.step("Add", maps, self.through(module.wide, self.through(module.narrow, maps)))
        for part in module.children():
            maps = self.through(part, maps)
        return maps

    def convolved(self, module: nn.Conv2d, maps: str) -> str:
        """A convolution without anything after it."""
        assert module.bias is not None
        return self._convolution(module, _array(module.weight), _array(module.bias), maps)

    def _convolution(
        self, module: nn.Module, weight: NDArray[np.float32], bias: NDArray[np.float32], maps: str
    ) -> str:
        assert isinstance(module, nn.Conv2d)
        kept = self.graph.halved(weight) if weight.size > HALVED else self.graph.constant(weight)
        edge = int(module.padding[0])
        return self.graph.step(
            "Conv", maps, kept, self.graph.constant(bias),
            kernel_shape=tuple(module.kernel_size), strides=tuple(module.stride), pads=(edge,) * 4,
        )  # fmt: skip

    def doubled(self, maps: str) -> str:
        """Twice as high and wide, each place four times."""
        return self.graph.step(
            "Resize", maps, "", self.floats(1.0, 1.0, 2.0, 2.0),
            mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor",
        )  # fmt: skip

    def boxes(self, edges: str) -> str:
        """(picture, 4, height, width): middles and sizes in pixels."""
        graph = self.graph
        reach = graph.step("Exp", graph.step("Clip", edges, "", self.number(FARTHEST)))
        near, far = graph.steps("Split", [graph.step("Mul", reach, self.number(STRIDE))], 2, axis=1)
        # Each place knows where it is by counting those before it: so pictures may have any size.
        one, _, _, _ = graph.steps("Split", [edges], 4, axis=1)
        ones = graph.step("Add", graph.step("Mul", one, self.number(0.0)), self.number(1.0))
        counted = [graph.step("CumSum", ones, self.graph.constant(np.array(axis))) for axis in (3, 2)]
        halfway = graph.step("Sub", graph.step("Concat", *counted, axis=1), self.number(0.5))
        middles = graph.step("Mul", halfway, self.number(STRIDE))
        low, high = graph.step("Sub", middles, near), graph.step("Add", middles, far)
        centre = graph.step("Mul", graph.step("Add", low, high), self.number(0.5))
        return graph.step("Concat", centre, graph.step("Sub", high, low), axis=1)

    def listed(self, maps: str, channels: int) -> str:
        """(picture, channel, place)"""
        return self.graph.step("Reshape", maps, self.graph.constant(np.array((0, channels, -1))))

    def number(self, value: float) -> str:
        """One float."""
        return self.graph.constant(np.array(value, np.float32))

    def floats(self, *values: float) -> str:
        """A row of floats."""
        return self.graph.constant(np.array(values, np.float32))


def folded(module: Turned) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weight and bias of the one convolution that a convolution and its normalisation come to."""
    convolution, norm = module[0], module[1]
    assert isinstance(convolution, nn.Conv2d)
    assert isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    scale = norm.weight / (norm.running_var + norm.eps).sqrt()
    weight = convolution.weight * scale[:, None, None, None]
    return _array(weight), _array(norm.bias - norm.running_mean * scale)


def _array(values: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = values.detach().cpu().float().numpy()
    return array

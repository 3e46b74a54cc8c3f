"""A network as an ONNX file, written down step by step with the onnx package.

torch's own exporters trace a network and change what they write with every version; here the same weights
give the same bytes, so that a shipped file can be made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

IR_VERSION = 8
OPSET = 13

Attribute = int | float | str | tuple[int, ...]
Shape = Sequence[int | str]
"""Sizes; a word for one that is free."""


class Port(NamedTuple):
    """An input or output of floats."""

    name: str
    shape: Shape


class Graph:
    """Steps of a network, written down one after the other."""

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []
        self._count = 0

    def constant(self, values: NDArray[np.generic]) -> str:
        """A tensor that is part of the network; its name."""
        name = self._new("c")
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def halved(self, values: NDArray[np.floating]) -> str:
        """A constant of floats that the file keeps in 16 bits each."""
        return self.step("Cast", self.constant(values.astype(np.float16)), to=int(TensorProto.FLOAT))

    def step(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        """The name of what an operator makes of its inputs; "" for one that is left out."""
        return self.steps(operator, inputs, 1, **attributes)[0]

    def steps(self, operator: str, inputs: Sequence[str], outputs: int, **attributes: Attribute) -> list[str]:
        """The same for an operator that makes several."""
        names = [self._new("x") for _ in range(outputs)]
        node = helper.make_node(operator, list(inputs), names)
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
        self._nodes.append(node)
        return names

    def named(self, output: str, name: str) -> None:
        """Call an output so that whoever runs the model can ask for it."""
        self._nodes.append(helper.make_node("Identity", [output], [name]))

    def model(self, inputs: Sequence[Port], outputs: Sequence[Port], told: Mapping[str, str]) -> bytes:
        """The whole file; `told` is what it says about itself."""
        graph = helper.make_graph(
            self._nodes, "detector", [_port(one) for one in inputs], [_port(one) for one in outputs],
            self._constants,
        )  # fmt: skip
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="commonsight",
        )
        helper.set_model_props(model, dict(told))
        content: bytes = model.SerializeToString(deterministic=True)
        return content

    def _new(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"


def _port(port: Port) -> ValueInfoProto:
    return helper.make_tensor_value_info(port.name, TensorProto.FLOAT, list(port.shape))

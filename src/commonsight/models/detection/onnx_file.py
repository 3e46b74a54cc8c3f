"""Writing the ONNX format with nothing but bytes.

torch's own exporters want two packages more, and change what they write with every version. The format is a
protocol buffer of a few kinds of messages (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), and has
been stable for years; what a network of convolutions needs of it is this page.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

IR_VERSION = 8
OPSET = 13
_FLOAT, _INT64, _HALF = 1, 7, 10
"""Numbers of element types."""
_TYPES = {np.dtype(np.float32): _FLOAT, np.dtype(np.int64): _INT64, np.dtype(np.float16): _HALF}
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
"""How a field is written."""

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
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._count = 0

    def constant(self, values: NDArray[np.generic]) -> str:
        """A tensor that is part of the network; its name."""
        name = self._new("c")
        dims = b"".join(_number(1, size) for size in values.shape)
        little = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"))
        content = dims + _number(2, _TYPES[values.dtype]) + _text(8, name) + _bytes(9, little.tobytes())
        self._constants.append(_bytes(5, content))
        return name

    def halved(self, values: NDArray[np.floating]) -> str:
        """A constant of floats that the file keeps in 16 bits each."""
        return self.step("Cast", self.constant(values.astype(np.float16)), to=_FLOAT)

    def step(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        """The name of what an operator makes of its inputs; "" for one that is left out."""
        return self.steps(operator, inputs, 1, **attributes)[0]

    def steps(self, operator: str, inputs: Sequence[str], outputs: int, **attributes: Attribute) -> list[str]:
        """The same for an operator that makes several."""
        names = [self._new("x") for _ in range(outputs)]
        content = b"".join(_text(1, name) for name in inputs) + b"".join(_text(2, name) for name in names)
        content += _text(4, operator)
        content += b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())
        self._nodes.append(_bytes(1, content))
        return names

    def named(self, output: str, name: str) -> None:
        """Call an output so that whoever runs the model can ask for it."""
        content = _text(1, output) + _text(2, name) + _text(4, "Identity")
        self._nodes.append(_bytes(1, content))

    def model(self, inputs: Sequence[Port], outputs: Sequence[Port], told: Mapping[str, str]) -> bytes:
        """The whole file; `told` is what it says about itself."""
        graph = b"".join(self._nodes) + _text(2, "detector") + b"".join(self._constants)
        graph += b"".join(_bytes(11, _port(port)) for port in inputs)
        graph += b"".join(_bytes(12, _port(port)) for port in outputs)
        about = b"".join(_bytes(14, _text(1, key) + _text(2, value)) for key, value in told.items())
        opset = _bytes(8, _text(1, "") + _number(2, OPSET))
        return _number(1, IR_VERSION) + _text(2, "commonsight") + _bytes(7, graph) + opset + about

    def _new(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers as their twos' complement
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _attribute(name: str, value: Attribute) -> bytes:
    """Kinds are numbered: 1 a float, 2 a whole number, 3 text, 7 whole numbers."""
    if isinstance(value, str):
        return _text(1, name) + _text(4, value) + _number(20, 3)
    if isinstance(value, float):
        return _text(1, name) + _varint(2 << 3 | _FIXED32) + struct.pack("<f", value) + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, one) for one in value) + _number(20, 7)


def _port(port: Port) -> bytes:
    sizes = b"".join(
        _bytes(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in port.shape
    )
    return _text(1, port.name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, sizes)))

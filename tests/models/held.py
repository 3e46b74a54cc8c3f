"""How much memory tensors hold while a block runs, counted and not sampled: the same on every machine."""

from __future__ import annotations

import weakref
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Held(TorchDispatchMode):
    """Bytes of all tensors that were made in the block and are still there, and the most there ever were.

    Every operation on tensors passes here, those of the backward pass too; what is kept for it counts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = 0
        self._seen: set[int] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # What was there before the block is not the block's.
        given = {_memory(leaf)._cdata for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)}
        made = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(made):
            if isinstance(leaf, Tensor) and _memory(leaf)._cdata not in given:
                self._count(_memory(leaf))
        return made

    def _count(self, memory: Any) -> None:
        if memory._cdata in self._seen:
            return
        self._seen.add(memory._cdata)
        self.now += memory.nbytes()
        self.most = max(self.most, self.now)
        weakref.finalize(memory, self._gone, memory._cdata, memory.nbytes())

    def _gone(self, which: int, size: int) -> None:
        self._seen.discard(which)
        self.now -= size


def _memory(tensor: Tensor) -> Any:
    return tensor.untyped_storage()

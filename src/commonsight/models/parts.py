"""What a network is put together from: found out once for a dataset, before any network is built."""

from __future__ import annotations

from typing import Any, NamedTuple

from commonsight.models.canvas import CanvasEncoder
from commonsight.models.features.concepts import Nodes
from commonsight.models.regions import RegionEncoder
from commonsight.models.words import WordVectors


class Parts(NamedTuple):
    """What a builder may take."""

    classes: int
    """How many labels objects have, padding and unknown ones included."""
    words: WordVectors | None = None
    """For networks that read words."""
    transformer: Any = None
    """For networks that read sub-words: an encoder of the transformers library, such as `BertModel`; for
    those that write, a language model, such as `GPT2LMHeadModel`."""
    regions: RegionEncoder | None = None
    """For networks that see."""
    canvas: CanvasEncoder | None = None
    """For networks that look at places of a canvas."""
    answers: int = 0
    """How many answers there are to name, for networks that do."""
    wholes: int = 0
    """How many numbers the vector of a whole text has, for networks that read such."""
    counts: tuple[int, ...] = ()
    """How often each of them is right in training, where they are not in the order of just that."""
    signs: int = 0
    """How many signs there are, for networks that read them."""
    arguments: tuple[str, ...] = ()
    """Words of programs, for networks that are given them."""
    nodes: Nodes | None = None
    """The graph of what is known, for networks that are built on one."""
    hidden: int | None = None
    """How many numbers a layer between vectors and answers has, for networks that may have one and shall."""

"""A phrase of the knowledge graph as a small graph: what it is about, and how its parts hang together.

"moving food from plate to mouth" is an event with three objects. As one string it meets no other phrase and
no object of a picture; as a graph its food, plate and mouth do (CRIC, Figures 2 and 5).
"""

from __future__ import annotations

from msgspec import Struct

EVENT = -1
"""Where an edge begins if it begins at what happens, not at an object."""


class Node(Struct, frozen=True, array_like=True, gc=False):
    """An object that a phrase names, and which of its words do (its article too, from `start` to `end`)."""

    name: str
    start: int
    end: int


class Edge(Struct, frozen=True, array_like=True, gc=False):
    """How one part of a phrase belongs to another: `Edge(EVENT, "from", 1)`."""

    source: int
    label: str
    target: int


class Phrase(Struct, frozen=True, gc=False):
    """Words, and their graph. A phrase that is one object alone has one node and no edge."""

    words: tuple[str, ...]
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()

    @property
    def text(self) -> str:
        """The phrase as it reads."""
        return " ".join(self.words)

    def put(self, words: dict[int, str]) -> str:
        """The phrase with these nodes, by position, worded otherwise: `{0: "BLANK"}`."""
        said: list[str] = []
        at = 0
        for number, node in enumerate(self.nodes):
            said += self.words[at : node.start]
            said += [words[number]] if number in words else self.words[node.start : node.end]
            at = node.end
        return " ".join([*said, *self.words[at:]])

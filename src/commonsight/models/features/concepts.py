"""A graph of concepts as networks take it, and which of its nodes a question brings up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from commonsight.graph.concepts import ConceptGraph, Concepts, Edge
from commonsight.models.features.examples import Example
from commonsight.models.text.marks import Spelling

MARKS = 2
"""What is told of a node for one question: whether it is said, and whether an object is it."""


class Nodes(NamedTuple):
    """A graph to build a network on."""

    pieces: tuple[tuple[int, ...], ...]
    """Of each node its sub-words, one at least."""
    edges: tuple[Edge, ...]
    answers: tuple[int, ...]
    """Of each answer that can be named its node; -1 where it is none."""


def nodes_of(graph: ConceptGraph, answers: Sequence[str], spelling: Spelling) -> Nodes:
    """The graph with its names spelled, and with the answers that are among them."""
    places = {node: place for place, node in enumerate(graph.nodes)}
    pieces = (tuple(piece for word in node.split() for piece in spelling.of(word)) for node in graph.nodes)
    return Nodes(tuple(pieces), graph.edges, tuple(places.get(answer.lower(), -1) for answer in answers))


class NodeMarks:
    """Marks the nodes that questions bring up."""

    def __init__(self, graph: ConceptGraph) -> None:
        self._places = {node: place for place, node in enumerate(graph.nodes)}
        self._concepts = Concepts(graph.nodes)

    def of(self, examples: Sequence[Example]) -> Tensor:
        """(batch, node, mark): 1 where it is so."""
        marks = torch.zeros(len(examples), len(self._places), MARKS)
        for row, example in enumerate(examples):
            said = [self._places[name] for name in self._concepts.said(example.query.words)]
            labels = (seen.label.lower() for seen in example.objects[1:])
            marks[row, said, 0] = 1.0
            marks[row, [self._places[label] for label in labels if label in self._places], 1] = 1.0
        return marks

"""What CRIC's question generator starts from: scene graphs, and the knowledge graph in two layouts.

Scene graphs are in Visual Genome's layout. Knowledge goes out as ConceptNet 5 writes its assertions (URI,
relation, start, end, metadata; tab-separated) and as plain `relation<TAB>head<TAB>tail`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from commonsight.store.atomic import new_file
from commonsight.world.graph import visual_genome
from commonsight.world.knowledge import read_knowledge
from commonsight.world.model import Stage

if TYPE_CHECKING:  # scenes need no drawing to be listed
    from commonsight.world.draw.compose import Rendered

Triples = Iterable[tuple[str, str, str]]
"""Relation, head, tail."""

CONCEPTNET = {"IsA-Taxonomy": "IsA", "MadeFrom": "MadeOf"}
"""Relations of ours that ConceptNet knows by another name; the metadata keep our own."""
DATASET, LICENCE, CONTRIBUTOR = "/d/commonsight", "Apache-2.0", "/s/resource/commonsight/world"
NAMES = ("assertions.csv", "triples.tsv")


class KnowledgeFiles(NamedTuple):
    """Where the knowledge graph was written."""

    assertions: Path
    triples: Path


def scene_graphs(stages: Sequence[Stage], rendered: Sequence[Rendered] | None = None) -> list[dict[str, Any]]:
    """The scenes as Visual Genome lists them; with the drawn pictures, only what can be seen in them."""
    if rendered is None:
        return [visual_genome(stage) for stage in stages]
    return [visual_genome(stage, picture) for stage, picture in zip(stages, rendered, strict=True)]


def concept(text: str) -> str:
    """A phrase as ConceptNet's English concept: `/c/en/hot_dog`."""
    return "/c/en/" + re.sub(r"[^a-z0-9'.-]+", "_", text.lower()).strip("_")


def conceptnet_lines(triples: Triples) -> list[str]:
    """ConceptNet 5 assertions, one line each."""
    return [_assertion(*triple) for triple in dict.fromkeys(tuple(triple) for triple in triples)]


def _assertion(relation: str, head: str, tail: str) -> str:
    name = f"/r/{CONCEPTNET.get(relation, relation)}"
    start, end = concept(head), concept(tail)
    metadata = {
        "dataset": DATASET,
        "license": LICENCE,
        "sources": [{"contributor": CONTRIBUTOR}],
        "surfaceStart": head,
        "surfaceEnd": tail,
        "weight": 1.0,
        "commonsight": {"relation": relation},
    }
    uri = f"/a/[{name}/,{start}/,{end}/]"
    return "\t".join((uri, name, start, end, json.encode(metadata).decode()))


def plain_lines(triples: Triples) -> list[str]:
    """`relation<TAB>head<TAB>tail`, one line each."""
    return ["\t".join(triple) for triple in dict.fromkeys(tuple(triple) for triple in triples)]


def knowledge_csv(folder: Path, triples: Triples | None = None) -> KnowledgeFiles:
    """Write a knowledge graph, our own unless another is given, into a folder in both layouts."""
    triples = read_knowledge() if triples is None else tuple(triples)
    files = KnowledgeFiles(*(folder / name for name in NAMES))
    for path, lines in zip(files, (conceptnet_lines(triples), plain_lines(triples)), strict=True):
        with new_file(path) as beside:
            beside.write_text("\n".join(lines) + "\n", "utf-8")
    return files

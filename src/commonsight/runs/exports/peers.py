"""The peers that a benchmark can be exported to, listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from commonsight.runs.exports.datasets import Passing
from commonsight.runs.exports.folder import WriterOf, write_export
from commonsight.runs.exports.for_inspect import InspectWriter
from commonsight.runs.exports.for_lmms_eval import LmmsEvalWriter
from commonsight.runs.exports.for_vlmevalkit import TsvWriter
from commonsight.runs.exports.info import ExportInfo, Peer
from commonsight.runs.exports.samples import sampler_of
from commonsight.runs.subject import Opening

WRITERS: Mapping[Peer, WriterOf] = {
    "inspect": InspectWriter,
    "lmms-eval": LmmsEvalWriter,
    "vlmevalkit": TsvWriter,
}


def export(
    opening: Opening,
    peer: Peer,
    folder: Path,
    *,
    tasks: Iterable[str] | None = None,
    blind: bool = False,
    limit: int | None = None,
    overwrite: bool = False,
    passing: Passing = lambda items: items,
) -> ExportInfo:
    """Write what a person named for one of the peers."""
    sampler = sampler_of(opening, tasks, blind=blind)
    items = passing(islice(opening.read(), limit))
    name = opening.subject().name
    return write_export(folder, peer, WRITERS[peer], sampler, items, name, overwrite=overwrite)

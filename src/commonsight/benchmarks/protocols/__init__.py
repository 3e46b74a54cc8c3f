"""The ways of collecting, listed: one value for each paper's workflow (see `collect.protocol`)."""

from __future__ import annotations

from commonsight.benchmarks.protocols.aokvqa import AOKVQA
from commonsight.benchmarks.protocols.cric import CRIC
from commonsight.benchmarks.protocols.nlvr2 import NLVR2
from commonsight.benchmarks.protocols.pmr import PMR
from commonsight.benchmarks.protocols.vcr import VCR
from commonsight.collect.protocol import Protocol
from commonsight.errors import UsageError

ALL: tuple[Protocol, ...] = (VCR, PMR, NLVR2, AOKVQA, CRIC)
BY_NAME: dict[str, Protocol] = {protocol.name: protocol for protocol in ALL}


def find(name: str) -> Protocol:
    """The protocol of this name."""
    if name not in BY_NAME:
        raise UsageError(f"'{name}' is no protocol. Choose one of: {', '.join(BY_NAME)}.")
    return BY_NAME[name]

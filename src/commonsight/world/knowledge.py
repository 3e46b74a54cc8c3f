"""Our own small knowledge graph: what everyone knows about the world's things, people, places and events.

The triples are in `knowledge.tsv`, written by hand, with the eleven relations of CRIC.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

RELATIONS = (
    "IsA", "IsA-Taxonomy", "UsedFor", "CapableOf", "AtLocation", "HasProperty", "HasA", "HasPrerequisite",
    "ReceivesAction", "HasSubevent", "MadeFrom",
)  # fmt: skip
"""As CRIC names them."""

PEOPLE = (
    "doctor", "teacher", "pupil", "waiter", "cook", "police officer", "shop assistant", "builder",
    "mechanic", "musician", "singer", "artist", "cleaner", "athlete", "office worker", "patient", "child",
    "grandparent",
)  # fmt: skip
EVENTS = (
    "birthday", "cooking", "eating", "shopping", "travelling", "reading", "sleeping", "concert", "lesson",
    "rain", "running for the bus", "breaking a vase", "catching a cold", "taking a photograph",
    "crossing the street", "playing tennis", "giving a present", "swimming", "crying", "moving house",
)  # fmt: skip
CLOTHES = (
    "party hat", "hard hat", "straw hat", "chef hat", "pyjamas", "swimwear", "apron", "doctor coat",
    "police uniform",
)  # fmt: skip


class Triple(NamedTuple):
    """One piece of knowledge: `Triple("UsedFor", "cup", "holding drinks")`."""

    relation: str
    head: str
    tail: str


@cache
def read_knowledge() -> tuple[Triple, ...]:
    """Every triple, in the file's order."""
    text = (files("commonsight.world") / "knowledge.tsv").read_text("utf-8")
    return tuple(Triple(*line.split("\t")) for line in text.splitlines()[1:])


def about(head: str, relation: str | None = None) -> tuple[Triple, ...]:
    """What is known about something, by one relation or by all."""
    return tuple(
        triple
        for triple in read_knowledge()
        if triple.head == head and (relation is None or triple.relation == relation)
    )

"""Which protocol is worked by whom: one line each."""

from __future__ import annotations

from collections.abc import Callable

from commonsight.errors import UsageError
from commonsight.runs.simulated import aokvqa, cric, nlvr2, pmr, vcr
from commonsight.runs.simulated.minds import Answer, Memory
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.store.dataset import is_dataset

ANSWERS: dict[str, Answer] = {
    "vcr": vcr.answer,
    "pmr": pmr.answer,
    "nlvr2": nlvr2.answer,
    "aokvqa": aokvqa.answer,
    "cric": cric.answer,
}
RECALLS: dict[str, Callable[[DrawnWorld, Memory], None]] = {"nlvr2": nlvr2.recall, "aokvqa": aokvqa.recall}
"""Of protocols that can begin with what the world's own writers wrote: how one knows what they meant."""
SCENIC = ("vcr", "pmr", "aokvqa")
"""Those in which single scenes are looked at."""


def answer_of(protocol: str) -> Answer:
    """How a protocol's work is done."""
    if protocol not in ANSWERS:
        known = ", ".join(ANSWERS)
        raise UsageError(f"Nobody of the drawn world knows the protocol '{protocol}'. They know: {known}.")
    return ANSWERS[protocol]


def memory_of(protocol: str, world: DrawnWorld) -> Memory:
    """What the company knows before it begins. Scenes are looked at now, so that nobody waits for them."""
    memory: Memory = {}
    if protocol in SCENIC:
        world.look_around()
    if protocol in RECALLS and is_dataset(world.folder / protocol):
        RECALLS[protocol](world, memory)
    return memory

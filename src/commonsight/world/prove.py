"""The checker: the scenes of a world are planned and drawn anew, and every label is proved from them.

What is proved are the items as a file holds them, forms read back from JSON. An item that a simulated
annotator got wrong says so, and must not be provable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from commonsight.core.answer import Pick
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.world import aokvqa, nlvr2, pmr, vcr_items
from commonsight.world.english import tagged
from commonsight.world.frame import Frame
from commonsight.world.knowledge import read_knowledge
from commonsight.world.make import CREW, SCENE_WRITERS, SCENES_A_MOVIE, Kind, Plan, Unit, frames_of, units
from commonsight.world.rules import RULES
from commonsight.world.vcr import proves
from commonsight.world.vcr_items import Written
from commonsight.world.voices import Voice, voices

LABELLED: tuple[Kind, ...] = ("vcr", "pmr", "nlvr2", "aokvqa")
"""Kinds with labels to prove; scene graphs and clips have none."""


class Count(NamedTuple):
    """How many items of a kind there are, and what became of their labels."""

    items: int = 0
    proved: int = 0
    mistakes: int = 0
    """Marked by the annotator who made them, and indeed not provable."""

    @property
    def unproved(self) -> int:
        """Neither proved nor rightly marked: there must be none."""
        return self.items - self.proved - self.mistakes


class Verdict(NamedTuple):
    """What the checker found about one item."""

    kind: Kind
    item: str
    holds: bool
    mistake: bool


def proved(plan: Plan, progress: Callable[[Iterator[Unit], int], Iterator[Unit]]) -> dict[Kind, Count]:
    """Prove every item of a world, by kind; `progress` is handed the units and their number."""
    if not set(plan.kinds) <= set(LABELLED) or plan.clips:
        raise UsageError(f"Scene graphs and clips have no labels. Give kinds out of {', '.join(LABELLED)}.")
    counts: dict[Kind, Count] = {kind: Count() for kind in plan.kinds}
    todo = units(plan)
    for unit in progress(iter(todo), len(todo)):
        for verdict in verdicts(plan, unit):
            items, right, mistakes = counts[verdict.kind]
            counts[verdict.kind] = Count(
                items + 1,
                right + (verdict.holds and not verdict.mistake),
                mistakes + (verdict.mistake and not verdict.holds),
            )
    return counts


def verdicts(plan: Plan, unit: Unit) -> Iterator[Verdict]:
    """Every item of a unit, checked."""
    crew = voices(plan.seed, CREW)
    if unit.what == "set":
        yield from _set(plan, unit, crew)
        return
    frames = frames_of(plan, unit)
    first = unit.number * SCENES_A_MOVIE
    if "vcr" in plan.kinds:
        written = vcr_items.write(frames, unit.split, first, crew, plan.seed)
        by_id = {entry.id: entry for entry in written}
        for item in map(_stored, vcr_items.items(written, unit.split, plan.seed)):
            entry = by_id[item.id]
            yield Verdict("vcr", item.id, _vcr(item, entry), entry.triplet.mistake is not None)
    for kind, write in SCENE_WRITERS.items():
        if kind in plan.kinds:
            for place, shot in enumerate(frames):
                for item in map(_stored, write(plan, shot, first + place, unit.split, crew)):
                    mistake = item.provenance.get("mistake") is not None
                    yield Verdict(kind, item.id, _follows(kind, item, shot), mistake)


def _stored(item: Item) -> Item:
    """The item as a file gives it back."""
    return msgspec.json.decode(msgspec.json.encode(item), type=Item)


def _follows(kind: Kind, item: Item, shot: Frame) -> bool:
    if kind == "pmr":
        return pmr.check(item, shot.known)
    return aokvqa.check(item, shot.facts, shot.proofs, read_knowledge())


def _vcr(item: Item, entry: Written) -> bool:
    """Whether the scene proves the triplet, and the item's labels point to its texts and to no equal ones."""
    triplet, shot = entry.triplet, entry.frame
    answer, rationale = (tagged(text, shot.index, shot.names) for text in (triplet.answer, triplet.rationale))
    assert isinstance(item.gold, Pick)
    assert item.rationale_gold is not None
    shown = [item.choices[item.gold.index], item.rationales[item.rationale_gold]]
    return (
        proves(triplet, shot.facts, RULES)
        and shown == [answer, rationale]
        and item.choices.count(answer) == item.rationales.count(rationale) == 1
    )


def _set(plan: Plan, unit: Unit, crew: tuple[Voice, ...]) -> Iterator[Verdict]:
    made = nlvr2.nlvr2_set(plan.seed, unit.number, unit.split, crew)
    for item in map(_stored, nlvr2.items(made)):
        pair = made.pairs[int(item.id.split("-")[2])]
        left, right = (made.stages[place] for place in pair)
        yield Verdict("nlvr2", item.id, nlvr2.check(item, left, right), item.provenance["mistake"])

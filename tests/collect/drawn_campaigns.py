"""Campaigns of the real protocols, about scenes of a small drawn world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import structs
from people import campaign

from commonsight.collect.desk import Desk
from commonsight.collect.imports import import_items
from commonsight.core.answer import Grounded
from commonsight.core.item import Item
from commonsight.core.program import Program, Step
from commonsight.core.scene import Scene
from commonsight.core.text import TaggedText
from commonsight.store.dataset import read_dataset


def drawn_campaign(desk: Desk, world: Path, protocol: str, subjects: int = 1, **settings: Any) -> int:
    """A running campaign by this protocol with so many subjects to work on."""
    campaign_id = campaign(desk, f"Drawn {protocol}", protocol, settings=settings)
    scenes = _scenes(world / "vcr")
    makers = {"nlvr2": (8, _set), "aokvqa": (4, _set), "cric": (1, _question)}
    size, made = makers.get(protocol, (1, _scene))
    items = [made(number, scenes[number * size : (number + 1) * size]) for number in range(subjects)]
    assert import_items(desk, campaign_id, items, world / "vcr").tasks == subjects
    return campaign_id


def _scenes(folder: Path) -> list[Scene]:
    """The pictures of a dataset that have people and things enough to write about, each once."""
    seen = {item.scenes[0].stored: item.scenes[0] for item in read_dataset(folder)}
    return [scene for scene in seen.values() if scene.labels.count("person") >= 2 and len(scene.regions) >= 4]


def _scene(number: int, scenes: list[Scene]) -> Item:
    return Item(f"val-{number}", "val", tuple(scenes), provenance={"drawn": True})


def _set(number: int, scenes: list[Scene]) -> Item:
    return Item(
        f"set-{number}", "dev", tuple(scenes), extra={"synset": "people at a place"},
        groups={"set": f"set-{number}"}, provenance={"drawn": True},
    )  # fmt: skip


def _question(number: int, scenes: list[Scene]) -> Item:
    """A generated question about the last thing of a scene."""
    (scene,) = scenes
    regions = tuple(structs.replace(region, id=100 + place) for place, region in enumerate(scene.regions))
    label, target = regions[-1].label, 100 + len(regions) - 1
    steps = (
        Step("Initial", output=tuple(region.id for region in regions if region.id is not None)),
        Step("Find", (label,), (target,)),
        Step("Recognition", ("object",), (label,)),
    )
    return Item(
        f"cric-{number}", "val", (structs.replace(scene, regions=regions),),
        {"question": TaggedText.plain("What is the thing that one can see at the edge?")},
        gold=Grounded(label, target), target=(target,), program=Program(steps),
        extra={"sub_graph": {"knowledge_items": [[label, "IsA", "thing"]]}},
        provenance={"drawn": True},
    )  # fmt: skip

"""A scene as the writers need it: drawn, with what can be made out in it and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass

from commonsight.core.scene import Box, Region, Scene
from commonsight.world.draw.compose import Rendered, Visible, render
from commonsight.world.facts import Fact, Proof
from commonsight.world.forms import visible_facts
from commonsight.world.logic import conclude
from commonsight.world.model import Stage
from commonsight.world.rules import RULES

ENOUGH = 0.35
"""Share of an entity that must show for texts to speak of it."""
SMALLEST = 6
"""Pixels, in both directions, below which nobody could make a thing out."""


@dataclass(frozen=True)
class Frame:
    """One drawn scene."""

    stage: Stage
    picture: Rendered
    facts: frozenset[Fact]
    """What can be seen."""
    proofs: tuple[Proof, ...]
    """What follows from it."""
    index: dict[int, int]
    """The listed object that stands for each entity: people first, then things, as VCR lists them."""
    names: dict[int, str]
    """What each entity is called, listed or not."""

    @property
    def known(self) -> frozenset[Fact]:
        """What can be seen and what follows, together."""
        return self.facts | {proof.fact for proof in self.proofs}


def frame(stage: Stage) -> Frame:
    """Draw a scene and see what can be said about it."""
    picture = render(stage)
    listed = [entity for entity in _names(stage) if _clear(picture.visible.get(entity))]
    facts = visible_facts(stage, listed)
    return Frame(
        stage,
        picture,
        facts,
        conclude(facts, RULES),
        {entity: place for place, entity in enumerate(listed)},
        _names(stage),
    )


def _names(stage: Stage) -> dict[int, str]:
    return {
        **{actor.id: "person" for actor in stage.actors},
        **{prop.id: prop.name for prop in stage.props},
    }


def _clear(visible: Visible | None) -> bool:
    if visible is None or visible.share < ENOUGH:
        return False
    left, top, right, bottom = visible.box
    return right - left >= SMALLEST and bottom - top >= SMALLEST


def scene_of(frame: Frame, image: str) -> Scene:
    """The frame as a scene of the core: its listed objects with boxes and outlines."""
    regions = []
    for entity in frame.index:
        visible = frame.picture.visible[entity]
        left, top, right, bottom = visible.box
        regions.append(
            Region(
                frame.names[entity],
                Box(float(left), float(top), float(right), float(bottom)),
                tuple(tuple((float(x), float(y)) for x, y in shape) for shape in visible.polygons),
                1.0,
            )
        )
    width, height = frame.picture.image.size
    return Scene(image, tuple(regions), width=width, height=height)

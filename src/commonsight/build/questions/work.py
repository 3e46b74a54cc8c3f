"""What a worker does: scenes in, everything that can be asked about them out."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight.build.questions.english import English
from commonsight.build.questions.facts import Facts, Index
from commonsight.build.questions.generate import PER_SCENE, Made, questions
from commonsight.build.questions.lore import Lore
from commonsight.build.questions.record import Picture, QuestionRows
from commonsight.build.questions.scope import Manner
from commonsight.build.questions.split import TEST, draw, lot, number_of, split_of
from commonsight.build.questions.spool import Questions, Skipped, packed, unpacked, written
from commonsight.core.scene import Scene
from commonsight.graph.clean import NOTHING_LEFT, SAME_OVER, Cleaner
from commonsight.graph.clean_report import CleaningReport
from commonsight.graph.vocabulary import Limits

KNOWING = frozenset(("Find_KG", "Find_KG_Reverse"))
"""The functions that put a query."""
NEW, KNOWN = "new", "known"
LARGEST_ID = 2**63 - 1
IDLE = Skipped(
    "", "nothing can be asked about this picture", "Tell more about it, or add knowledge about its objects."
)
EMPTY = Skipped(
    "", f"{NOTHING_LEFT}, once rare words are dropped", "Raise --objects, or add a file of aliases."
)


class Recipe(Struct, frozen=True):
    """All choices that raw questions depend on."""

    seed: int = 0
    per_scene: int = PER_SCENE
    layout: str | None = None
    boxes: bool = True
    """Whether an object without a box is a fault, and no question may be about it."""
    limits: Limits = Limits()
    same_over: float = SAME_OVER
    manner: Manner = Manner()
    new_knowledge: float = 0.0
    """Which share of the knowledge only test questions may speak of; none in the paper."""


class Parcel:
    """Scenes for a worker: a file here; on its way to another process, or machine, what the file holds."""

    def __init__(self, number: int, source: Path | bytes) -> None:
        self.number, self._source = number, source

    def content(self) -> bytes:
        """What the file holds."""
        return self._source if isinstance(self._source, bytes) else self._source.read_bytes()

    def __reduce__(self) -> tuple[type[Parcel], tuple[int, bytes]]:
        return Parcel, (self.number, self.content())


class Finished(NamedTuple):
    """The questions of a parcel, ready for the disk."""

    number: int
    content: bytes


@dataclass(frozen=True)
class Workshop:
    """All that a worker needs, whichever scenes it gets."""

    recipe: Recipe
    cleaner: Cleaner
    lore: Lore
    source: str
    """What the scenes' file is called, for messages."""

    def work(self, parcel: Parcel) -> Iterator[Finished]:
        """Ask about all scenes of a parcel."""
        with no_collection():
            asked = self._asked(parcel)
        yield Finished(parcel.number, msgspec.msgpack.encode(asked))

    def _asked(self, parcel: Parcel) -> Questions:
        index = Index()
        skipped: list[Skipped] = []
        report = CleaningReport()
        scenes: list[Scene] = []
        rows = QuestionRows()
        places: list[int] = []
        for told in unpacked(parcel.content(), list[Scene]):
            cleaned = self.cleaner.clean(told)
            report.add(told, cleaned)
            scene = numbered(cleaned.scene)
            about = self._picture(scene)
            made = [one for one in self._made(scene, skipped) if self._may_ask(one, about.split)]
            if not made:
                why = IDLE if scene.regions else EMPTY
                skipped.append(structs.replace(why, place=self.source, image=scene.image))
                continue
            index.add(map(self._facts, made, about.ids(len(made))))
            rows.add(made, about, self._novelty)
            places += [len(scenes)] * len(made)
            scenes.append(scene)
        return Questions(
            len(index), packed(index.columns()), skipped, report,
            packed(scenes), places, written(rows.batch()),
        )  # fmt: skip

    def _made(self, scene: Scene, skipped: list[Skipped]) -> Iterator[Made]:
        recipe = self.recipe
        unseen = unboxed(scene) if recipe.boxes else {}
        if unseen:
            skipped.append(self._unseen(scene, unseen))
        rng = Random(f"{recipe.seed}:{scene.image}")
        for made in questions(scene, self.lore, English(), rng, recipe.manner, count=recipe.per_scene):
            if unseen.keys().isdisjoint(made.target):
                yield made

    def _may_ask(self, made: Made, split: str) -> bool:
        """What is new in the test is kept from whoever trains, and from whoever chooses when to stop."""
        return split == TEST or self._novelty(made) != NEW

    def _novelty(self, made: Made) -> str | None:
        """Whether the knowledge that a question speaks of is new to those who trained; None where nothing was
        kept from them, or where it speaks of none."""
        told = queries(made)
        share = self.recipe.new_knowledge
        if not share or not told:
            return None
        return NEW if any(lot(f"new:{self.recipe.seed}:{query}") < share for query in told) else KNOWN

    def _unseen(self, scene: Scene, unseen: dict[int, str]) -> Skipped:
        names = ", ".join(f"{name} ({id_})" for id_, name in list(unseen.items())[:5])
        message = f"{len(unseen)} objects have no box and are not asked about, such as {names}"
        if len(unseen) == 1:
            message = f"{names} has no box and is not asked about"
        return Skipped(self.source, message, "Give boxes, or add --no-boxes.", scene.image, "boxes")

    def _picture(self, scene: Scene) -> Picture:
        number = number_of(scene.image)
        provenance: dict[str, Any] = {"seed": self.recipe.seed}
        more: dict[str, Any] = {} if scene.image == f"{number}.jpg" else {"image": scene.image}
        if scene.extra.get("drawn"):
            provenance["drawn"] = more["drawn"] = True
        return Picture(str(number), split_of(scene.image, self.recipe.seed), provenance, more)

    def _facts(self, made: Made, id_: str) -> Facts:
        order = draw(f"{self.recipe.seed}:{id_}")
        words = made.text.count(" ") + 1
        functions = len(made.program.steps) - 1
        return Facts(made.question.type, made.answer, queries(made), functions, words, order)


def queries(made: Made) -> tuple[str, ...]:
    """The knowledge that a question speaks of, as it says it."""
    steps = (step for step in made.program.steps if step.function in KNOWING)
    return tuple(" ".join(step.text_input or ()) for step in steps)


@contextmanager
def no_collection() -> Iterator[None]:
    """No search for circles of garbage: reading and asking make none, and what is known is much to search."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def unboxed(scene: Scene) -> dict[int, str]:
    """Ids and names of the objects that have no box."""
    return {
        region.id: region.label for region in scene.regions if region.box is None and region.id is not None
    }


def numbered(scene: Scene) -> Scene:
    """The scene with an id for every object that differs from all others, as grounding goes by them.

    The source's own stay wherever they are such.
    """
    ids = [region.id for region in scene.regions]
    if all(id_ is not None and 0 <= id_ <= LARGEST_ID for id_ in ids) and len(set(ids)) == len(ids):
        return scene
    free = iter(sorted(set(range(2 * len(ids))) - set(ids)))
    taken: set[int] = set()
    regions = []
    for region in scene.regions:
        own = region.id
        if own is None or not 0 <= own <= LARGEST_ID or own in taken:
            own = next(free)
        taken.add(own)
        regions.append(structs.replace(region, id=own))
    return structs.replace(scene, regions=tuple(regions))

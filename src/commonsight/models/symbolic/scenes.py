"""Questions about pictures answered by programs: each is read from the question (models/programs), and
executed over a scene graph that is read from the picture (`scene_reader`).

Of a picture only its boxes are given. A program is executed over what is likely (`soft`), or over the scene
that is told where only what is more likely than not is said (graph/execute): which, and how much Verify asks
for, is chosen by the validation questions. Where a program comes to nothing, the most common answer to
questions that end alike is said, and counted (`Solved.fell_back`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from commonsight.core.answer import FreeText, Given, Grounded
from commonsight.core.benchmark import Ask
from commonsight.core.program import Program, Step
from commonsight.core.scene import Region, Relation, Scene
from commonsight.errors import InputError
from commonsight.graph.execute import NO, execute
from commonsight.graph.programs import check, written
from commonsight.graph.sets import SceneSets
from commonsight.models.features.examples import example_of
from commonsight.models.features.objects import Shares, shares
from commonsight.models.features.pictures import Crops, opened
from commonsight.models.features.vocabulary import Vocabularies
from commonsight.models.programs import learning as reading
from commonsight.models.programs.writer import ProgramWriter
from commonsight.models.regions.learning import LearnedLooks
from commonsight.models.symbolic.lore import Lore
from commonsight.models.symbolic.scene_reader import Floats, Looks, SceneReader, Terms, ToldScene, tell
from commonsight.models.symbolic.soft import SoftExecutor
from commonsight.models.symbolic.solver import Solved

THRESHOLDS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Of Verify, to choose from."""
AT_HAND = 1024
"""Scene graphs that are kept: questions about one picture mostly come together."""
SURE = 0.5
"""What is told of a scene where programs are executed over what is told, not over what is likely."""


class Way(Struct, frozen=True):
    """How programs are executed."""

    soft: bool
    threshold: float = SURE

    def __str__(self) -> str:
        return f"over what is likely, from {self.threshold:g}" if self.soft else "over what is told"


WAYS: tuple[Way, ...] = (*(Way(True, threshold) for threshold in THRESHOLDS), Way(False))


class Common(Struct, frozen=True):
    """The most common answers of training."""

    by_end: dict[str, str]
    """To questions whose program ends so."""
    overall: str

    def to(self, program: Program) -> str:
        """To a question with this program."""
        return self.by_end.get(_end(program.steps[-1]), self.overall)


def common_answers(programs: Sequence[Program], answers: Sequence[str]) -> Common:
    """Counted over questions; of two as common the first by letters."""
    counts: dict[str, Counter[str]] = {}
    for program, answer in zip(programs, answers, strict=True):
        for end in (_end(program.steps[-1]), ""):
            counts.setdefault(end, Counter())[answer] += 1
    best = {end: min(own, key=lambda answer: (-own[answer], answer)) for end, own in counts.items()}
    return Common(best, best.get("", NO))


def _end(step: Step) -> str:
    return " ".join((step.function, *(step.text_input or ())))


class Eyes:
    """Scene graphs of a dataset's pictures, each read once as long as it is at hand."""

    def __init__(self, encoder: LearnedLooks, reader: SceneReader, pictures: Path) -> None:
        self._encoder, self._reader, self._pictures = encoder, reader.eval(), pictures
        self._told: dict[tuple[str, tuple[Shares, ...]], ToldScene] = {}

    def told(self, scene: Scene) -> ToldScene:
        """Of a scene only its picture and its boxes are looked at."""
        boxes = boxes_of(scene)
        known = self._told.get((scene.stored or "", boxes))
        if known is None:
            if len(self._told) >= AT_HAND:
                self._told.pop(next(iter(self._told)))
            known = tell(self._reader, looked_at(self._encoder, self._pictures, scene))
            self._told[scene.stored or "", boxes] = known
        return known


def boxes_of(scene: Scene) -> tuple[Shares, ...]:
    """As shares of the picture; nothing can be told of an object without one."""
    if scene.stored is None or not scene.width or not scene.height:
        raise InputError(
            f"{scene.image}: the dataset has no picture of it, or not its size. Make it with --images."
        )
    missing = [region.label for region in scene.regions if region.box is None]
    if missing:
        raise InputError(f"{scene.image}: {missing[0]} has no box. Give a dataset whose objects have boxes.")
    size = scene.width, scene.height
    return tuple(shares(region.box, size) for region in scene.regions if region.box is not None)


def looked_at(encoder: LearnedLooks, pictures: Path, scene: Scene) -> Looks:
    """What the encoder tells of every object of a scene."""
    boxes = boxes_of(scene)
    if not boxes:
        return Looks(np.zeros((0, encoder.dim), np.float32), np.zeros((0, 4), np.float32))
    crops = Crops(encoder.size).cut(opened(pictures, scene.stored or ""), boxes)
    return Looks(encoder.encode(crops), np.array(boxes, np.float32))


class _Found(NamedTuple):
    """What executing a program came to."""

    answer: str | None
    target: int | None
    """An object by its place."""
    trace: tuple[str, ...]


class ScenesSolver:
    """Reads programs from questions and scene graphs from pictures, and executes the one over the other."""

    def __init__(
        self,
        writer: ProgramWriter,
        eyes: Eyes,
        lore: Lore,
        *,
        known: Vocabularies,
        terms: Terms,
        common: Common,
        way: Way,
        name: str = "Programs over scene graphs",
    ) -> None:
        self.name = name
        self._writer, self._eyes, self._lore, self._known = writer, eyes, lore, known
        self._terms, self._common, self._way = terms, common, way

    def solve(self, ask: Ask) -> Solved:
        """The answer to a question, with the steps that lead to it."""
        return self.solve_all((ask,))[0]

    def solve_all(self, asks: Sequence[Ask]) -> list[Solved]:
        """The same for several, whose programs are read together."""
        programs = self.programs(asks)
        return [self.answered(ask, program, self._way) for ask, program in zip(asks, programs, strict=True)]

    def programs(self, asks: Sequence[Ask]) -> list[Program]:
        """What each question asks to be done."""
        examples = [example_of(ask, kept="all", named=True) for ask in asks]
        return reading.written(self._writer, reading.source_of(examples, self._known))

    def answered(self, ask: Ask, program: Program, way: Way) -> Solved:
        """What a program comes to; where it comes to nothing, or cannot be executed, a common answer."""
        scene = ask.scenes[0]
        try:
            check(program)
        except InputError as error:
            return Solved(_given(ask, self._common.overall, None), written(program), (str(error),), True)
        found = self._softly(scene, program, way) if way.soft else self._plainly(scene, program)
        text = found.answer if found.answer is not None else self._common.to(program)
        return Solved(
            _given(ask, text, None if found.target is None else _id(scene, found.target)),
            written(program),
            found.trace,
            fell_back=found.answer is None,
            came_to_nothing=found.answer is None,
        )

    def _softly(self, scene: Scene, program: Program, way: Way) -> _Found:
        told = self._eyes.told(scene)
        likely = SoftExecutor(told, self._terms, self._lore, threshold=way.threshold).execute(program)
        trace = [
            f"[{number}] {step.function}: "
            + (str(likely.answer) if own is None else _shown(own, told, self._terms, scene))
            for number, (step, own) in enumerate(zip(program.steps, likely.weights, strict=True))
        ]
        return _Found(likely.answer, likely.target, tuple(trace))

    def _plainly(self, scene: Scene, program: Program) -> _Found:
        seen = told_scene(self._eyes.told(scene), self._terms, scene)
        sets = SceneSets(seen, self._lore.knowledge)
        executed = execute(program, sets, self._lore.knowledge)
        trace = [
            f"[{number}] {step.function}: "
            + (", ".join(map(str, sets.ids(value))) or "nothing" if isinstance(value, int) else str(value))
            for number, (step, value) in enumerate(zip(program.steps, executed.values, strict=True))
        ]
        target = executed.target.bit_length() - 1 if executed.target else None
        return _Found(executed.answer, target, tuple(trace))


def told_scene(told: ToldScene, terms: Terms, scene: Scene) -> Scene:
    """The scene graph of all that is more likely than not; boxes and ids are the scene's own."""
    regions = tuple(
        Region(
            terms.labels[int(told.labels[place].argmax())],
            region.box,
            attributes=tuple(terms.attributes[one] for one in np.flatnonzero(told.attributes[place] > SURE)),
            id=region.id,
        )
        for place, region in enumerate(scene.regions)
    )
    edges = np.argwhere(told.relations > SURE).tolist()
    relations = tuple(Relation(subject, terms.predicates[which], other) for subject, other, which in edges)
    return Scene(scene.image, regions, relations, scene.width, scene.height, scene.stored)


def _shown(weights: Floats, told: ToldScene, terms: Terms, scene: Scene) -> str:
    """The likeliest objects of a set."""
    best = [int(place) for place in np.argsort(-weights, kind="stable")[:3] if weights[place] > 0.01]
    names = (
        f"{terms.labels[int(told.labels[place].argmax())]} {_id(scene, place)} ({weights[place]:.2f})"
        for place in best
    )
    return ", ".join(names) or "nothing"


def _id(scene: Scene, place: int) -> int:
    found = scene.regions[place].id
    return place if found is None else found


def _given(ask: Ask, text: str, target: int | None) -> Given:
    if ask.expects == "grounded":
        return Grounded(text, None if text == NO else target)
    return FreeText(text)

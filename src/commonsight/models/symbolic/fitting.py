"""Fitting a solver by scenes to a dataset's training questions, and finding it again.

    scenes.json       what it is: words, names, ways; written last, so that it says that all else is there
    knowledge.json    what it knows
    programs/         weights that read programs from questions
    scenes/           weights that read scene graphs from pictures
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct, structs
from torch import nn

from commonsight.core.answer import FreeText, Grounded
from commonsight.core.benchmark import Ask
from commonsight.core.scene import Scene
from commonsight.errors import InputError, UsageError
from commonsight.graph.knowledge import Knowledge, KnowledgeItem
from commonsight.models.engine.checkpoint import BEST, restore, weights
from commonsight.models.engine.loop import Batches, Judge, Training, Unwatched, Watch
from commonsight.models.engine.recipe import Recipe
from commonsight.models.features.examples import Example, example_of
from commonsight.models.features.vocabulary import Vocabularies, vocabularies
from commonsight.models.libraries import seeded
from commonsight.models.programs import learning as reading
from commonsight.models.programs.writer import ProgramWriter
from commonsight.models.regions.learning import LearnedLooks
from commonsight.models.symbolic import scene_reader
from commonsight.models.symbolic.lore import Lore
from commonsight.models.symbolic.scene_reader import SceneReader, SceneSource, Terms, terms_of
from commonsight.models.symbolic.scenes import (
    WAYS,
    Common,
    Eyes,
    ScenesSolver,
    Way,
    common_answers,
    looked_at,
)
from commonsight.models.symbolic.solver import Solved
from commonsight.store.documents import read_document, write_document

FILE, KNOWN = "scenes.json", "knowledge.json"
_REMEDY = "Give a folder in which such a solver was fitted."


class Fitted(Struct, frozen=True):
    """A solver by scenes, but for its weights."""

    regions: str
    """Where the encoder of objects is."""
    encoder: str
    """Which one it is."""
    known: Vocabularies
    terms: Terms
    common: Common
    way: Way
    tried: dict[str, float] = {}
    """Of each way the share of validation questions that it answers and points right."""
    seed: int = 0
    kind: Literal["scenes"] = "scenes"
    set_aside: int = 0
    """Training programs that cannot be read, and so taught nothing."""


class FittedSolver(NamedTuple):
    """What came of fitting."""

    fitted: Fitted
    solver: ScenesSolver


class KnownItems(Struct, frozen=True):
    """Knowledge as it is kept."""

    items: tuple[KnowledgeItem, ...]


class Lessons(NamedTuple):
    """Questions with their right answers, programs and scene graphs."""

    learned: Sequence[Ask]
    judged: Sequence[Ask]
    dataset: Path
    """Where the pictures are."""


class Recipes(NamedTuple):
    """How both parts are trained."""

    programs: Recipe = reading.RECIPE
    scenes: Recipe = scene_reader.RECIPE


class _How(NamedTuple):
    """How one part is trained, and where."""

    folder: Path
    recipe: Recipe
    seed: int
    watch: Watch


def fit(
    lessons: Lessons,
    regions: Path,
    knowledge: Knowledge,
    out: Path,
    *,
    seed: int = 0,
    recipes: Recipes = Recipes(),  # noqa: B008 - it holds numbers
    watch: Callable[[str], Watch] = lambda _: Unwatched(),
) -> FittedSolver:
    """Learn to read programs and scenes, then choose how to execute; what was begun is gone on with."""
    encoder = LearnedLooks(regions)
    learned = _programmed(lessons.learned)
    known = vocabularies(learned, programs=True)
    how = _How(out / "programs", recipes.programs, seed, watch("programs"))
    writer = _taught(learned, _programmed(lessons.judged), known, how)
    terms = terms_of(scenes_of(lessons.learned))
    how = _How(out / "scenes", recipes.scenes, seed, watch("scenes"))
    reader = _seeing(lessons, encoder, terms, how)
    programs = [example.program for example in learned if example.program is not None]
    common = common_answers(programs, [example.answer or "" for example in learned])
    begun = Fitted(
        str(regions.resolve()),
        encoder.name,
        known,
        terms,
        common,
        WAYS[0],
        seed=seed,
        set_aside=len(lessons.learned) - len(learned),
    )
    eyes = Eyes(encoder, reader, lessons.dataset)
    solver = _solver(begun, writer, eyes, Lore(knowledge, terms.labels))
    tried = _tried(solver, lessons.judged)
    best = max(WAYS, key=lambda way: tried[str(way)])
    fitted = structs.replace(begun, way=best, tried=tried)
    write_document(out / KNOWN, KnownItems(knowledge.items))
    write_document(out / FILE, fitted)
    return FittedSolver(fitted, _solver(fitted, writer, eyes, Lore(knowledge, terms.labels)))


def load(folder: Path, dataset: Path, *, regions: Path | None = None) -> ScenesSolver:
    """A solver that was fitted, to answer questions about a dataset's pictures."""
    if not (folder / FILE).is_file():
        raise InputError(f"{folder}: there is no solver here (no {FILE}). {_REMEDY}")
    fitted = read_document(folder / FILE, Fitted, remedy=_REMEDY)
    encoder = LearnedLooks(regions or Path(fitted.regions))
    if encoder.name != fitted.encoder:
        raise UsageError(
            f"{folder} sees with {fitted.encoder}, and this is {encoder.name}. Say where that is."
        )
    writer = reading.writer_of(fitted.known)
    restore(writer, weights(folder / "programs" / BEST), folder / "programs" / BEST)
    reader = SceneReader(fitted.terms, dim=encoder.dim)
    restore(reader, weights(folder / "scenes" / BEST), folder / "scenes" / BEST)
    kept = read_document(folder / KNOWN, KnownItems, remedy=_REMEDY)
    lore = Lore(Knowledge(kept.items), fitted.terms.labels)
    return _solver(fitted, writer, Eyes(encoder, reader, dataset), lore)


def _solver(fitted: Fitted, writer: ProgramWriter, eyes: Eyes, lore: Lore) -> ScenesSolver:
    return ScenesSolver(
        writer, eyes, lore, known=fitted.known, terms=fitted.terms, common=fitted.common, way=fitted.way
    )


def _programmed(asks: Sequence[Ask]) -> list[Example]:
    without = [ask.item_id for ask in asks if ask.program is None]
    if without or not asks:
        raise InputError(
            f"{len(without)} of {len(asks)} questions have no program to learn from "
            f"({', '.join(without[:3])}). Give a dataset with programs: `commonsight build questions` makes "
            "such."
        )
    read = [example_of(ask, kept="all", named=True) for ask in asks]
    found = [one for one in read if not one.set_aside]
    if not found:
        raise InputError(
            f"No program of {len(read)} questions can be read. The first, of {read[0].item}: "
            f"{read[0].set_aside}"
        )
    return found


def _taught(
    learned: list[Example], judged: list[Example], known: Vocabularies, how: _How
) -> ProgramWriter:
    with seeded(how.seed):
        writer = reading.writer_of(known)
    source = reading.source_of(reading.taught(learned), known)
    _trained(writer, source, reading.judge(judged, known), how)
    return writer.eval()


def _trained(network: nn.Module, source: Batches, judge: Judge, how: _How) -> None:
    """To the end, with the best weights put in."""
    Training(network, source, judge, how.recipe, how.folder, seed=how.seed, watch=how.watch).run()
    restore(network, weights(how.folder / BEST), how.folder / BEST)


def _seeing(lessons: Lessons, encoder: LearnedLooks, terms: Terms, how: _How) -> SceneReader:
    learned, judged = (
        SceneSource(scenes, [looked_at(encoder, lessons.dataset, scene) for scene in scenes], terms)
        for scenes in (scenes_of(lessons.learned), scenes_of(lessons.judged))
    )
    with seeded(how.seed):
        reader = SceneReader(terms, dim=encoder.dim)
    _trained(reader, learned, scene_reader.judge(judged), how)
    return reader.eval()


def scenes_of(asks: Sequence[Ask]) -> list[Scene]:
    """The scenes that questions are about, each once; those without an object teach nothing."""
    found = {ask.scenes[0].stored or ask.scenes[0].image: ask.scenes[0] for ask in asks if ask.scenes}
    return [scene for scene in found.values() if scene.regions]


def _tried(solver: ScenesSolver, judged: Sequence[Ask]) -> dict[str, float]:
    """Of each way the share of questions that it answers and points right."""
    programs = solver.programs(judged)
    pairs = list(zip(judged, programs, strict=True))
    found: dict[str, float] = {}
    for way in WAYS:
        right = sum(is_right(ask, solver.answered(ask, program, way)) for ask, program in pairs)
        found[str(way)] = right / len(pairs)
    return found


def is_right(ask: Ask, solved: Solved) -> bool:
    """Whether an answer is right, and points to an object that it may point to."""
    match ask.gold, solved.answer:
        case Grounded(text), Grounded(said, object_id):
            allowed = ask.target or ()
            return text == said and (object_id in allowed if allowed else object_id is None)
        case FreeText(text), FreeText(said):
            return text == said
    return False

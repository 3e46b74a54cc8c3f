"""From files of scenes and knowledge to raw questions, on any number of workers, able to go on.

Scenes pass through as a stream, some to a file of the spool, and so do the questions about them: memory does
not grow with their number. What is asked about a picture depends on the picture and the seed only, so any
number of workers gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from commonsight import __version__
from commonsight.build.questions.lore import Lore
from commonsight.build.questions.split import number_of
from commonsight.build.questions.spool import (
    SCENES_A_FILE,
    QuestionSpool,
    Reading,
    Skipped,
    packed,
    questions_part,
    scenes_part,
)
from commonsight.build.questions.work import Finished, Parcel, Recipe, Workshop, no_collection
from commonsight.core.scene import Scene
from commonsight.errors import InputError, OnProblem, Problem
from commonsight.graph.clean import Cleaner
from commonsight.graph.clean_report import CleaningReport
from commonsight.graph.load import KnowledgeLoaded, load_knowledge
from commonsight.graph.readers import detect_layout, open_scenes
from commonsight.graph.vocabulary import Counts, Wording, frequent, read_wording
from commonsight.store.dataset import is_dataset, source_file
from commonsight.store.info import SourceFile
from commonsight.store.paths import below
from commonsight.store.workers import pool

SHOWN = 20
"""How many faults are told where nothing is left."""
CAPTIONS = "factual"
"""The layout that has no boxes at all."""
LARGEST_SIDE = 2**31 - 1
ENDINGS = ("", ".jpg", ".png", ".jpeg", ".webp")
"""What a picture's file may be called besides what the scenes call it."""

WithTotal = Callable[[Iterator[Finished], int], Iterator[Finished]]
"""Is handed the finished parcels and their number, and passes them on."""
Through = Callable[[Iterator[Scene]], Iterator[Scene]]


class Informed(NamedTuple):
    """Knowledge, how it came about, and what questions can say with it."""

    loaded: KnowledgeLoaded
    lore: Lore


class Sources(NamedTuple):
    """The files that questions are made from."""

    scenes: Path
    knowledge: tuple[Path, ...] = ()
    additions: tuple[Path, ...] | None = None
    """Hand-made knowledge; ours where None."""
    object_aliases: tuple[Path, ...] = ()
    attribute_aliases: tuple[Path, ...] = ()
    relation_aliases: tuple[Path, ...] = ()
    images: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All that are read, pictures apart."""
        texts = (*self.knowledge, *(self.additions or ()), *self.object_aliases, *self.attribute_aliases)
        return (*_scene_files(self.scenes), *texts, *self.relation_aliases)


class RawRun(NamedTuple):
    """Raw questions, in the spool, and how they came about."""

    spool: QuestionSpool
    files: int
    pictures: int
    """How many were read."""
    questions: int
    skipped: list[Skipped]
    cleaning: CleaningReport
    loaded: KnowledgeLoaded
    sources: tuple[SourceFile, ...]


class _Begun(Struct, frozen=True):
    """What a spool is of: nothing else may be taken from it."""

    recipe: Recipe
    sources: tuple[SourceFile, ...]
    with_images: bool
    commonsight: str


def informed(sources: Sources, concepts: Collection[str] | None, on_problem: OnProblem) -> Informed:
    """What is known about the scenes' concepts."""
    loaded = load_knowledge(
        sources.knowledge, concepts, additions=sources.additions, on_problem=on_problem
    )
    return Informed(loaded, Lore(loaded.knowledge))


def run_questions(
    sources: Sources,
    recipe: Recipe,
    folder: Path,
    *,
    workers: int | None = 1,
    cluster: str | None = None,
    reading: Through = lambda scenes: scenes,
    asking: WithTotal = lambda finished, _: finished,
    inform: Callable[[Sources, Collection[str] | None, OnProblem], Informed] = informed,
) -> RawRun:
    """Ask about all scenes, in so many processes or on the cluster of that address.

    What is finished is kept in `folder`, from which the same call goes on if it was stopped. Who called
    removes that folder once the result is safe.
    """
    layout = recipe.layout or detect_layout(sources.scenes)
    recipe = structs.replace(recipe, layout=layout, boxes=recipe.boxes and layout != CAPTIONS)
    told = _Begun(recipe, tuple(map(source_file, sources.files)), sources.images is not None, __version__)
    skipped: list[Skipped] = []
    wording = read_wording(
        sources.object_aliases, sources.attribute_aliases, sources.relation_aliases, _into(skipped)
    )
    with pool(workers, cluster) as hands:
        spool = QuestionSpool(folder, "question making", msgspec.json.encode(told))
        read = spool.reading() or _read(sources, recipe, wording, spool, reading)
        _refuse_nothing(sources.scenes, read.pictures, [*skipped, *read.skipped])
        loaded, lore = inform(sources, read.vocabulary.objects, _into(skipped))
        cleaner = Cleaner(wording, read.vocabulary, recipe.same_over)
        shop = Workshop(recipe, cleaner, lore, sources.scenes.name)
        left = [
            Parcel(number, spool.path(scenes_part(number)))
            for number in range(read.files)
            if not spool.has(questions_part(number))
        ]
        results = (result.value for result in hands.streamed(shop.work, left))
        with no_collection():
            for done in asking(results, len(left)):
                spool.keep(questions_part(done.number), done.content)
    return _gathered(spool, read, [*read.skipped, *skipped], loaded, told.sources)


def _into(skipped: list[Skipped]) -> OnProblem:
    return lambda problem: skipped.append(Skipped.of(problem))


def _scene_files(path: Path) -> tuple[Path, ...]:
    """The files that tell whether scenes are the same as before."""
    if not path.is_dir():
        return (path,)
    if is_dataset(path):
        return (path / "dataset.json",)  # which holds the hashes of the others
    names = ("raw/scene_graphs.json", "scene_graphs.json", "objects.json", "attributes.json")
    return tuple(path / name for name in (*names, "relationships.json") if (path / name).is_file())


def _read(
    sources: Sources, recipe: Recipe, wording: Wording, spool: QuestionSpool, through: Through
) -> Reading:
    """All scenes into the spool, counting their words on the way."""
    skipped: list[Skipped] = []
    counts = Counts()
    waiting: list[Scene] = []
    files = pictures = 0
    usable = _usable(sources, recipe.layout, _into(skipped))
    with no_collection():
        for scene in through(usable):
            counts.add(scene, wording)
            pictures += 1
            waiting.append(scene)
            if len(waiting) == SCENES_A_FILE:
                spool.keep(scenes_part(files), packed(waiting))
                files, waiting = files + 1, []
    if waiting:
        spool.keep(scenes_part(files), packed(waiting))
        files += 1
    reading = Reading(files, pictures, frequent(counts, recipe.limits), skipped)
    if pictures:
        spool.keep_reading(reading)
    return reading


def _usable(sources: Sources, layout: str | None, on_problem: OnProblem) -> Iterator[Scene]:
    """The scenes whose picture is there, if pictures are wanted, and has a number of its own."""
    numbers: set[int] = set()
    for told in open_scenes(sources.scenes, layout, on_problem):
        image = _picture(told.image, sources.images)
        scene = structs.replace(told, stored=None, image=told.image if image is None else image)
        number = number_of(scene.image)
        fault = None
        if image is None:
            fault = ("the picture's file is missing", "Add it to --images, or leave --images out.")
        elif number in numbers:
            fault = (f"another picture has its number, {number}", "Rename one of them.")
        elif max(told.width or 1, told.height or 1) > LARGEST_SIDE:
            fault = ("no picture is so large", "Correct its width and height.")
        if fault is None:
            numbers.add(number)
            yield scene
        else:
            on_problem(Problem(sources.scenes, *fault, record=told.image))


def _picture(image: str, images: Path | None) -> str | None:
    """The name of a picture's file; as it is, if nobody asks for files."""
    if images is None:
        return image
    for ending in ENDINGS:
        try:
            if below(images, image + ending).is_file():
                return image + ending
        except InputError:
            return None
    return None


def _refuse_nothing(scenes: Path, pictures: int, skipped: Sequence[Skipped]) -> None:
    if pictures:
        return
    told = "".join(f"{each}\n" for each in skipped[:SHOWN])
    raise InputError(f"{told}{scenes}: there is no scene to ask about. Give a file of scene graphs.")


def _gathered(
    spool: QuestionSpool,
    read: Reading,
    skipped: list[Skipped],
    loaded: KnowledgeLoaded,
    sources: tuple[SourceFile, ...],
) -> RawRun:
    cleaning = CleaningReport()
    count = 0
    for asked in spool.asked(read.files):
        cleaning.update(asked.cleaning)
        skipped += asked.skipped
        count += asked.count
    return RawRun(spool, read.files, read.pictures, count, skipped, cleaning, loaded, sources)

"""Making a world: movies are planned, drawn and written about, and all of it is put into datasets.

The work is cut into units, a movie or a set of eight pictures each, that know nothing of one another: any
number of workers gives the same bytes. A finished unit is on the disk as a whole before it counts, so that an
interrupted world goes on where it stopped.

    raw/images/            the pictures, and VCR's metadata file beside each
    raw/<kind>.jsonl       what the annotators wrote, from which build commands start
    raw/scene_graphs.json  the scenes in Visual Genome's layout; raw/knowledge/, what everybody knows
    raw/clips/             short clips of several shots, frame by frame; raw/clips.jsonl, where shots begin
    <kind>/                a dataset for each kind
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct, structs

from commonsight import __version__
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.store.atomic import new_file
from commonsight.store.dataset import is_dataset, read_info, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.workers import worked
from commonsight.world import aokvqa, nlvr2, pmr, vcr_items
from commonsight.world.cast import Movie, movie
from commonsight.world.cric import knowledge_csv
from commonsight.world.draw.compose import render
from commonsight.world.frame import Frame, frame, scene_of
from commonsight.world.graph import visual_genome
from commonsight.world.knowledge import read_knowledge
from commonsight.world.plan import plan_clip, plan_scene, scene_rng
from commonsight.world.voices import Voice, voices

Kind = Literal["vcr", "pmr", "nlvr2", "aokvqa", "cric"]
KINDS: tuple[Kind, ...] = ("vcr", "pmr", "nlvr2", "aokvqa", "cric")
SCENIC = ("vcr", "pmr", "aokvqa")
"""Kinds whose datasets are of single scenes."""
MADE = "world make"
"""What a dataset says that it was made by."""

SCENES_A_MOVIE = 12
SCENES_A_SET = 8
CREW = 40
QUALITY = 92
"""Of the JPEG pictures."""
FRAMES_A_SECOND = 2
"""How fast the frames of a clip follow one another."""


class Plan(Struct, frozen=True):
    """What world to make: everything that its bytes depend on."""

    scenes: int
    seed: int
    kinds: tuple[Kind, ...]
    clips: int = 0


def plan_of(dataset: Path) -> Plan:
    """The plan behind a dataset of a world, so that its scenes can be had again."""
    info = read_info(dataset) if is_dataset(dataset) else None
    if info is None or info.made.by != MADE or info.made.seed is None or info.benchmark not in SCENIC:
        raise UsageError(
            f"{dataset} is no dataset of single drawn scenes. Give one that `world make` made: "
            f"{', '.join(SCENIC)}."
        )
    if info.made.commonsight != __version__:
        raise UsageError(
            f"{dataset} was drawn by Commonsight {info.made.commonsight}, and this is {__version__}, which "
            "may draw other scenes. Make it anew."
        )
    return Plan(int(info.made.options["scenes"]), info.made.seed, (cast("Kind", info.benchmark),))


class Unit(Struct, frozen=True):
    """One piece of work."""

    what: Literal["movie", "set", "clip"]
    number: int
    split: str
    scenes: int


class Done(Struct, frozen=True):
    """What a unit gave, by kind."""

    items: dict[str, list[Item]]
    raw: dict[str, list[Any]]


def units(plan: Plan) -> list[Unit]:
    """The pieces of a world, in the order in which its files list them."""
    made = []
    films = movies(plan)
    if set(plan.kinds) - {"nlvr2"}:
        for number in range(films):
            scenes = min(SCENES_A_MOVIE, plan.scenes - number * SCENES_A_MOVIE)
            made.append(Unit("movie", number, split_of(number, films), scenes))
    if "nlvr2" in plan.kinds:
        sets = max(1, plan.scenes // SCENES_A_SET)
        names = {"train": "train", "val": "dev", "test": "test1"}
        made += [Unit("set", n, names[split_of(n, sets)], SCENES_A_SET) for n in range(sets)]
    made += [Unit("clip", n, split_of(n % films, films), 1) for n in range(plan.clips)]
    return made


def movies(plan: Plan) -> int:
    """How many movies the scenes are cut into; clips are of the same movies, and of their splits."""
    return -(-plan.scenes // SCENES_A_MOVIE)


def film_of(plan: Plan, number: int) -> Movie:
    """Movie `number` of a world."""
    return movie(plan.seed * 1_000_003 + number)


def split_of(number: int, total: int) -> str:
    """Eight in ten train, one val, one test; of fewer than ten the last two, if there are three."""
    if total < 10:
        place = total - number if total >= 3 else 3
        return {1: "test", 2: "val"}.get(place, "train")
    return {4: "val", 9: "test"}.get(number % 10, "train")


def make_world(
    out: Path, plan: Plan, *, workers: int = 1, progress: Callable[[Iterator[Unit], int], Iterator[Unit]]
) -> dict[str, DatasetInfo]:
    """Make a world; `progress` is handed the finished units and their number and passes them on."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} exists already. Choose another folder, or remove it.")
    out = out.resolve()  # also `.` has a name then
    beside = _begun(out, plan)
    world, todo = beside / "world", units(plan)
    left = [unit for unit in todo if not _spool(beside, unit).is_file()]
    for _ in progress(worked(partial(make_unit, plan, beside), left, workers), len(left)):
        pass
    infos: dict[str, DatasetInfo] = {
        kind: _dataset(beside, plan, kind, todo) for kind in plan.kinds if kind != "cric"
    }
    _write_raw(beside, plan, todo)
    if out.exists():
        out.rmdir()
    world.replace(out)  # in one step: nobody ever sees half a world
    shutil.rmtree(beside / "spool")
    shutil.rmtree(beside)
    return infos


def _begun(out: Path, plan: Plan) -> Path:
    """The folder in which the world grows: a new one, or that of the same plan begun before."""
    beside = out.with_name(f".{out.name}.part")
    kept, world = beside / "plan.json", beside / "world"
    if kept.is_file() and msgspec.json.decode(kept.read_bytes(), type=Plan) != plan:
        raise UsageError(f"{beside} holds another world, begun and not finished. Finish it, or remove it.")
    if not world.is_dir():  # new, or stopped between the world's last step and tidying up
        shutil.rmtree(beside / "spool", ignore_errors=True)
    for folder in (world, beside / "spool"):
        folder.mkdir(parents=True, exist_ok=True)
    for part in sorted(beside.rglob(".*.part"), reverse=True):  # what was written when it was stopped
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    with new_file(kept) as part:
        part.write_bytes(msgspec.json.encode(plan))
    return beside


def _spool(beside: Path, unit: Unit) -> Path:
    return beside / "spool" / f"{unit.what}-{unit.number:06d}.json"


def make_unit(plan: Plan, beside: Path, unit: Unit) -> Unit:
    """Do one unit and put it on the disk."""
    crew = voices(plan.seed, CREW)
    done = {"movie": _movie, "set": _set, "clip": _clip}[unit.what](plan, beside, unit, crew)
    with new_file(_spool(beside, unit)) as part:
        part.write_bytes(msgspec.json.encode(done))
    return unit


def frames_of(plan: Plan, unit: Unit) -> list[Frame]:
    """The scenes of a movie, drawn."""
    film = film_of(plan, unit.number)
    return [frame(plan_scene(film, index, scene_rng(plan.seed, film, index))) for index in range(unit.scenes)]


def _movie(plan: Plan, beside: Path, unit: Unit, crew: tuple[Voice, ...]) -> Done:
    frames = frames_of(plan, unit)
    first = unit.number * SCENES_A_MOVIE
    images = beside / "world" / "raw" / "images"
    items: dict[str, list[Item]] = {}
    raw: dict[str, list[Any]] = {}
    for place, shot in enumerate(frames):
        _save(shot, images, first + place, "aokvqa" in plan.kinds)
    if "vcr" in plan.kinds:
        written = vcr_items.write(frames, unit.split, first, crew, plan.seed)
        items["vcr"] = vcr_items.items(written, unit.split, plan.seed)
        raw["vcr"] = [vcr_items.raw(entry, unit.split) for entry in written]
    for kind, writers in SCENE_WRITERS.items():
        if kind in plan.kinds:
            items[kind] = [
                item
                for place, shot in enumerate(frames)
                for item in writers(plan, shot, first + place, unit.split, crew)
            ]
    if "cric" in plan.kinds:
        raw["cric"] = [
            visual_genome(shot.stage, shot.picture)
            | {"image": vcr_items.image_name(shot), "split": unit.split, "drawn": True}
            for shot in frames
        ]
    return Done(items, raw)


def _pmr(plan: Plan, shot: Frame, image: int, split: str, crew: tuple[Voice, ...]) -> list[Item]:
    rng = random.Random(f"{plan.seed}:pmr:{shot.stage.id}")
    name = vcr_items.image_name(shot)
    written = pmr.items(
        shot.stage, shot.known, crew, rng, shot.index, 2,
        index=shot.index, first=image * 10, image=name, image_id=f"{split}-{image}", split=split,
    )  # fmt: skip
    return [structs.replace(item, scenes=(scene_of(shot, name),)) for item in written]


def _aokvqa(plan: Plan, shot: Frame, image: int, split: str, crew: tuple[Voice, ...]) -> list[Item]:
    rng = random.Random(f"{plan.seed}:aokvqa:{shot.stage.id}")
    written = aokvqa.items(
        shot.stage, shot.facts, shot.proofs, read_knowledge(), crew, rng, 2, image_id=image + 1, split=split
    )
    # A-OKVQA's own files have no boxes; who sees objects finds them in the dataset.
    return [structs.replace(item, scenes=(scene_of(shot, item.scenes[0].image),)) for item in written]


SCENE_WRITERS: dict[Kind, Callable[[Plan, Frame, int, str, tuple[Voice, ...]], list[Item]]] = {
    "pmr": _pmr,
    "aokvqa": _aokvqa,
}
"""Those who write about one scene at a time."""


def _set(plan: Plan, beside: Path, unit: Unit, crew: tuple[Voice, ...]) -> Done:
    made = nlvr2.nlvr2_set(plan.seed, unit.number, unit.split, crew)
    images = beside / "world" / "raw" / "images"
    images.mkdir(parents=True, exist_ok=True)
    for pair, sides in enumerate(made.pairs):
        for side, stage in enumerate(sides):
            path = images / f"{unit.split}-{unit.number}-{pair}-img{side}.png"
            with new_file(path) as part:
                render(made.stages[stage]).image.save(part, "PNG", compress_level=6)
    return Done({"nlvr2": nlvr2.items(made)}, {})


def _clip(plan: Plan, beside: Path, unit: Unit, _: tuple[Voice, ...]) -> Done:
    index, number = divmod(unit.number, movies(plan))
    film = film_of(plan, number)
    frames = plan_clip(film, index, scene_rng(plan.seed, film, index, "clip"))
    name = f"{film.name}-clip{index}"
    starts: dict[str, int] = {}
    for number, stage in enumerate(frames):
        starts.setdefault(stage.id.rpartition("/")[0], number)
        with new_file(beside / "world" / "raw" / "clips" / name / f"{number:04d}.jpg") as part:
            render(stage).image.save(part, "JPEG", quality=QUALITY)
    told = {
        "id": name,
        "movie": film.name,
        "split": unit.split,
        "frames": len(frames),
        "fps": FRAMES_A_SECOND,
        "shots": list(starts.values()),
        "drawn": True,
    }
    return Done({}, {"clips": [told]})


def _save(shot: Frame, images: Path, number: int, by_number: bool) -> None:
    """The picture with its metadata file, and under its number where a format calls it so."""
    path = images / vcr_items.image_name(shot)
    with new_file(path) as part:
        shot.picture.image.save(part, "JPEG", quality=QUALITY)
    scene = scene_of(shot, path.name)
    metadata = {
        "boxes": [[*msgspec.to_builtins(region.box), region.score] for region in scene.regions],
        "segms": [region.polygons for region in scene.regions],
        "names": list(scene.labels),
        "width": scene.width,
        "height": scene.height,
        "drawn": True,
    }
    with new_file(path.with_suffix(".json")) as part:
        part.write_bytes(msgspec.json.encode(metadata))
    if by_number:
        with new_file(images / f"{number + 1:012d}.jpg") as part:
            part.write_bytes(path.read_bytes())  # no link: not every file system has them


def _finished(beside: Path, todo: list[Unit]) -> Iterator[Done]:
    for unit in todo:
        yield msgspec.json.decode(_spool(beside, unit).read_bytes(), type=Done)


def _drawn(item: Item) -> Item:
    """The item, saying in every layout that it is drawn."""
    return structs.replace(
        item, provenance={**item.provenance, "drawn": True}, extra={**item.extra, "drawn": True}
    )


def _dataset(beside: Path, plan: Plan, kind: Kind, todo: list[Unit]) -> DatasetInfo:
    items = (_drawn(item) for done in _finished(beside, todo) for item in done.items.get(kind, ()))
    info = DatasetInfo(
        name=f"dollhouse-{kind}",
        benchmark=kind,
        version="1.0.0",
        made=Made(MADE, __version__, plan.seed, options={"scenes": plan.scenes, "clips": plan.clips}),
        splits={},
        title=f"The dollhouse, in the manner of {kind}",
        description="Drawn scenes with simulated annotations, to try Commonsight on.",
        licence="Apache-2.0",
        drawn=True,
        datasheet=DATASHEET,
    )
    folder = beside / "world" / kind
    return write_dataset(folder, items, info, images=beside / "world" / "raw" / "images", overwrite=True)


def _write_raw(beside: Path, plan: Plan, todo: list[Unit]) -> None:
    raw = beside / "world" / "raw"
    for name, wanted in (("vcr", "vcr" in plan.kinds), ("clips", plan.clips > 0)):
        if wanted:
            with new_file(raw / f"{name}.jsonl") as part, part.open("wb") as stream:
                for done in _finished(beside, todo):
                    stream.writelines(msgspec.json.encode(line) + b"\n" for line in done.raw.get(name, ()))
    if "cric" in plan.kinds:
        with new_file(raw / "scene_graphs.json") as part, part.open("wb") as stream:
            before = b"[\n"
            for done in _finished(beside, todo):
                for graph in done.raw.get("cric", ()):
                    stream.write(before + msgspec.json.encode(graph))
                    before = b",\n"
            stream.write(b"\n]\n")
        knowledge_csv(raw / "knowledge")


DATASHEET = {
    "purpose": "To try every part of Commonsight on, where no image of the real benchmarks may be shipped.",
    "uses": "Demos, tests and the training of small models; never a statement about a real benchmark.",
    "funding": "Nobody paid for it.",
    "collection": "Scenes are planned and drawn by a program; simulated annotators write the texts.",
    "people": "None: the annotators are simulated, with voices, mistakes and laziness of their own.",
    "period": "Whenever it is made: the same seed gives the same bytes.",
    "coverage": "No: any number of further scenes can be made with other seeds.",
    "population": "All scenes that the generator can make.",
    "raw": "The raw annotations are in the folder raw/ beside the dataset.",
    "fitness": "Yes: every label can be proved from the scene that it is about.",
    "consent": "Nobody had to be asked.",
    "harm": "No: everyone in it is drawn.",
    "fairness": "Skin, hair, age and clothes are drawn by lot and independent of roles and deeds.",
}

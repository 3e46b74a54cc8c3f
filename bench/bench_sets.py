"""Similar-image sets: how fast pictures are looked at and grouped, what it takes, whether groups are alike.

Looking (pruning and embedding) stands beside the decoder's own time for the same files; grouping beside the
straightforward way, which compares each picture with all that are left; likeness beside groups drawn at
random, on drawn pictures of which it is known where they play.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from _figures import ROUNDS, Figure, arguments, show
from _timing import interleaved, peak_bytes
from commonsight.build.imaging.sets.clusters import clusters
from commonsight.build.imaging.sets.composing import Composer
from commonsight.build.imaging.sets.encoders import Looks
from commonsight.build.imaging.sets.gallery import Gallery
from commonsight.build.imaging.sets.lists import candidates
from commonsight.build.imaging.sets.neighbours import neighbours
from commonsight.build.imaging.sets.rules import Fitness, Search
from commonsight.build.imaging.sets.values import Pool
from commonsight.build.imaging.sets.vectors import Places, cosines, mean_cosine, unit
from commonsight.store.pictures import open_picture
from commonsight.world.make import CREW, Plan, make_world, units
from commonsight.world.nlvr2 import nlvr2_set
from commonsight.world.voices import voices

PICTURES = 120
SIZE = (1024, 768)
"""Of the JPEG files that are looked at."""
MANY, PLAIN = 100_000, 10_000
"""Vectors to group; the straightforward way gets fewer, for its time grows with their square."""
DIM = 256
ALIKE = 40
"""Vectors around one middle."""
SCENES = 200


def photographs(folder: Path, count: int) -> list[Path]:
    """JPEG files with as much in them as photographs have: coarse shapes, fine ones, and grain."""
    rng = np.random.default_rng(0)
    paths = []
    for number in range(count):
        image = Image.new("RGB", SIZE)
        for cells, share in ((6, 1.0), (40, 0.3), (256, 0.15)):
            noise = rng.integers(0, 256, (cells * 3 // 4, cells, 3), np.uint8)
            layer = Image.fromarray(noise).resize(SIZE, Image.Resampling.BICUBIC)
            image = Image.blend(image, layer, share)
        paths.append(folder / f"{number:04d}.jpg")
        image.save(paths[-1], quality=88)
    return paths


def looking(rounds: int) -> list[Figure]:
    """Everything that is done with a picture before sets are made, with one process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = photographs(folder, PICTURES)
        number = iter(range(1000))
        ways: dict[str, Callable[[], object]] = {
            "decode": lambda: [open_picture(path) for path in paths],
            "look": lambda: Gallery(folder / f"looked-{next(number)}", Looks()).look(paths, 1),
        }
        times = interleaved(ways, rounds, clock=time.process_time)
    what = f"pruning and embedding {SIZE[0]} x {SIZE[1]} JPEG files, one process"
    return [
        Figure("sets_look", f"{what}, time by that of only decoding them in full",
               times.ratio("look", "decode"), 1.5),
        Figure("sets_look_rate", f"{what}, files", PICTURES / times.median("look"), unit="/s"),
    ]  # fmt: skip


def clouds(count: int) -> NDArray[np.float16]:
    """Vectors around middles of their own, `ALIKE` around each, in no order."""
    rng = np.random.default_rng(1)
    middle = rng.standard_normal((count // ALIKE, DIM)).astype(np.float32)
    rows = middle[rng.integers(0, len(middle), count)]
    return unit(rows + 0.8 * rng.standard_normal((count, DIM), np.float32)).astype(np.float16)


def straightforward(vectors: NDArray[np.float16], size: int = 4) -> list[Places]:
    """Each picture in turn, with those of all left that are most like it."""
    exact = unit(vectors)
    left = np.arange(len(exact))
    groups = []
    while len(left):
        score = exact[left] @ exact[left[0]]
        near = np.argsort(-score)[:size]
        groups.append(left[near])
        left = np.delete(left, near)
    return groups


def within(vectors: NDArray[np.float16], groups: Sequence[Places]) -> float:
    """The mean cosine of two of a group."""
    return float(np.mean([mean_cosine(cosines(vectors, group)) for group in groups if len(group) > 1]))


def grouping(rounds: int) -> list[Figure]:
    """Groups of four."""
    few, many = clouds(PLAIN), clouds(MANY)
    ways: dict[str, Callable[[], object]] = {
        "plain": partial(straightforward, few),
        "ours": partial(clusters, few, seed=0),
        "many": partial(clusters, many, seed=0),
        "near": partial(neighbours, many, 15, seed=0),
    }
    times = interleaved(ways, rounds, clock=time.process_time)
    own, plain = within(few, clusters(few, seed=0)), within(few, straightforward(few))
    return [
        Figure("sets_plain", f"groups of four of {PLAIN:,} vectors, time of the straightforward way by ours",
               times.ratio("plain", "ours"), 2.0, "at least"),
        Figure("sets_quality", "the same, mean cosine within a group by that of the straightforward way",
               own / plain, 1.0, "at least"),
        Figure("sets_growth", f"{MANY:,} vectors, time by that of {PLAIN:,}", times.ratio("many", "ours"),
               float(MANY // PLAIN * 2)),
        Figure("sets_seconds", f"groups of four of {MANY:,} vectors", times.median("many"), unit=" s"),
        Figure("sets_near", f"the 15 nearest of each of {MANY:,} vectors", times.median("near"),
               unit=" s"),
        Figure("sets_recall", "of these, share that comparing all with all finds too", 100 * recall(many),
               85.0, "at least", " %"),
        Figure("sets_memory", f"peak memory of grouping {MANY:,} mapped vectors", _peak(many) / 1e9, 0.5,
               unit=" GB"),
    ]  # fmt: skip


def recall(vectors: NDArray[np.float16], count: int = 15, asked: int = 300) -> float:
    """Of some vectors, which share of the nearest is found."""
    some = np.random.default_rng(2).choice(len(vectors), asked, replace=False)
    exact = unit(vectors)
    score = exact[some] @ exact.T
    score[np.arange(asked), some] = -np.inf
    right = np.argpartition(-score, count, axis=1)[:, :count]
    found = neighbours(vectors, count, seed=0).places[some]
    return float(np.mean([len({*one} & {*other}) / count for one, other in zip(right, found, strict=True)]))


def _peak(vectors: NDArray[np.float16]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.f16"
        path.write_bytes(vectors.tobytes())
        return peak_bytes(_mapped, path, len(vectors))


def _mapped(path: Path, count: int) -> None:
    clusters(np.memmap(path, np.float16, "r", shape=(count, DIM)), seed=0)


def likeness(scenes: int) -> list[Figure]:
    """On drawn pictures: how often two images of a group play in the same place, in the same colours."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = Plan(scenes, 1, ("nlvr2",))
        make_world(folder / "world", plan, progress=lambda done, _: done)
        sources = folder / "world" / "raw" / "images"
        pool = _pool(sources, folder / "looked")
        rooms = _rooms(plan)
        told = {"alike": 0.0, "skipped": (), "split": "train", "seed": 0}
        made = Composer(pool, Search(), Fitness(near=-1), **told).compose()  # type: ignore[arg-type]
        places = {candidate.image: place for place, candidate in enumerate(pool.candidates)}
        sets = [np.array([places[image.image] for image in one.images]) for one in made.sets]
        tasks = clusters(pool.vectors, seed=0)
    names = [rooms[candidate.image] for candidate in pool.candidates]
    chance = _share([np.arange(len(names))], names)
    return [
        Figure("sets_room", f"sets of eight of {scenes} drawn pictures, pairs that share place and colours",
               100 * _share(sets, names), unit=" %"),
        Figure("clusters_room", "clusters of four, the same", 100 * _share(tasks, names), unit=" %"),
        Figure("sets_room_chance", "groups drawn at random, the same", 100 * chance, unit=" %"),
        Figure("sets_room_ratio", "sets by random groups", _share(sets, names) / chance, 5.0, "at least"),
    ]  # fmt: skip


def _pool(sources: Path, looked: Path) -> Pool:
    gallery = Gallery(looked, Looks())
    found = candidates([sources])
    seen = gallery.look([one.path for one in found if one.path is not None], 1)
    vectors = np.array(gallery.vectors())  # the folder goes before they are looked at
    return Pool(found, seen, vectors, {}, frozenset())


def _rooms(plan: Plan) -> dict[str, str]:
    """Where each picture plays, by its name."""
    rooms = {}
    crew = voices(plan.seed, CREW)
    for unit_ in units(plan):
        made = nlvr2_set(plan.seed, unit_.number, unit_.split, crew)
        for pair, sides in enumerate(made.pairs):
            for side, stage in enumerate(sides):
                name = f"{unit_.split}-{unit_.number}-{pair}-img{side}.png"
                rooms[name] = f"{made.stages[stage].place} {made.stages[stage].palette}"
    return rooms


def _share(groups: Sequence[Places], names: Sequence[str]) -> float:
    pairs = [names[a] == names[b] for group in groups for a, b in combinations(map(int, group), 2)]
    return float(np.mean(pairs))


def figures(rounds: int = ROUNDS, scenes: int = SCENES) -> list[Figure]:
    """All of them."""
    return [*looking(rounds), *grouping(rounds), *likeness(scenes)]


if __name__ == "__main__":
    given = arguments(__doc__ or "").parse_args()
    show(figures(given.rounds), given.json)

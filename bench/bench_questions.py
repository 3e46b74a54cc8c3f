"""Compositional questions: how many a second, on the dollhouse and on real graphs, and what they take.

Rates are by the process's own time on one core. Each stands beside a ratio to something that everybody has:
writing the same questions with Python's json module, measured in the same rounds.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from _figures import ROUNDS, Figure, arguments, show
from _results import real_folder
from _timing import Timings, in_child, interleaved
from commonsight.benchmarks.cric import from_item
from commonsight.build.questions.balance import EVENNESS, balanced
from commonsight.build.questions.english import English
from commonsight.build.questions.facts import Facts, Index
from commonsight.build.questions.generate import questions
from commonsight.build.questions.lore import Lore
from commonsight.build.questions.outcome import decided
from commonsight.build.questions.report import balance_report
from commonsight.build.questions.run import Informed, RawRun, Sources, informed, run_questions
from commonsight.build.questions.work import Recipe
from commonsight.core.item import Item
from commonsight.core.scene import Relation, Scene
from commonsight.errors import OnProblem
from commonsight.graph.load import load_knowledge
from commonsight.graph.readers import open_scenes
from commonsight.store.dataset import write_pages
from commonsight.store.info import DatasetInfo, Made
from commonsight.world.make import Plan, make_world

SCENES = 240
"""Of the dollhouse."""
REAL = 300
"""Pictures of each real source."""
SIZES = (10, 20, 40, 80)
"""Objects in a scene, for the growth."""
GOAL = 5_000.0
"""Raw questions a second of one core."""
PAPER = 3_000_000
"""Raw questions of the paper."""


class Setting(NamedTuple):
    """Scenes and knowledge to ask with."""

    key: str
    told: str
    sources: Sources


def settings(folder: Path, scenes: int) -> Iterator[Setting]:
    """The dollhouse, and the real graphs that are at hand."""
    world = folder / "world"
    make_world(world, Plan(scenes, 1, ("cric",)), progress=lambda units, _: units)
    knowledge = world / "raw" / "knowledge" / "triples.tsv"
    yield Setting("world", f"{scenes:,} drawn scenes", Sources(world, (knowledge,)))
    graphs, facts = real_folder() / "graphs", real_folder() / "knowledge" / "train.txt"
    for key, name in (("vrd", "vrd_train.jsonl"), ("factual", "factual_region_graphs.csv")):
        if (graphs / name).is_file() and facts.is_file():
            part = folder / name
            with (graphs / name).open("rb") as whole:
                part.write_bytes(b"".join(line for line, _ in zip(whole, range(REAL + 1), strict=False)))
            yield Setting(key, f"{REAL} entries of {name}", Sources(part, (facts,)))


class Loading:
    """Loads knowledge and notes how long that took, as part of the very run that needed it."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, sources: Sources, concepts: Collection[str] | None, on_problem: OnProblem) -> Informed:
        start = time.process_time()
        found = informed(sources, concepts, on_problem)
        self.seconds.append(time.process_time() - start)
        return found


def asked(
    sources: Sources, evenness: float | None = None, loading: Loading | None = None
) -> tuple[int, int]:
    """Everything from files to a dataset with one worker; how many questions were made, and how many stay."""
    with tempfile.TemporaryDirectory() as folder:
        raw = run_questions(sources, Recipe(), Path(folder) / "spool", inform=loading or informed)
        info = DatasetInfo("bench", "cric", "1", Made("bench", "0"), {})
        info = write_pages(Path(folder) / "asked", decided(raw, evenness).pages(), info)
    return raw.questions, info.items


def generated(scenes: list[Scene], lore: Lore) -> int:
    """Questions with words, program and trace, and nothing else."""
    words = English()
    return sum(1 for scene in scenes for _ in questions(scene, lore, words, Random(scene.image)))


def dumped(items: list[Item]) -> None:
    """The least that any generator does with its questions."""
    for item in items:
        json.dumps(from_item(item))


def rates(setting: Setting, rounds: int, folder: Path) -> list[Figure]:
    """How fast questions of one source are made; loading the knowledge, done once, is not counted."""
    raw = run_questions(setting.sources, Recipe(), folder / f"spool-{setting.key}")
    items = list(decided(raw, None).items())
    scenes = list({item.scenes[0].image: item.scenes[0] for item in items}.values())
    loads = {"all": Loading(), "balanced": Loading()}
    ways: dict[str, Callable[[], object]] = {
        "json": partial(dumped, items),
        "generate": partial(generated, scenes, Lore(raw.loaded.knowledge)),
        "all": partial(asked, setting.sources, None, loads["all"]),
        "balanced": partial(asked, setting.sources, EVENNESS, loads["balanced"]),
    }
    times = _without_knowledge(interleaved(ways, rounds, clock=time.process_time), loads)
    kept = int(decided(raw, EVENNESS).kept.sum())
    told = setting.told
    some = f"{told}, from files to Parquet, {kept:,} of {raw.questions:,} kept"
    return [
        *_pair(setting.key, "generate", f"{told}, words, program and trace", times, raw),
        *_pair(setting.key, "all", f"{told}, from files to Parquet, none left out", times, raw),
        *_pair(setting.key, "balanced", some, times, raw),
    ]


def _without_knowledge(times: Timings, loads: Mapping[str, Loading]) -> Timings:
    seconds = dict(times.seconds)
    for way, loading in loads.items():
        pairs = zip(seconds[way], loading.seconds, strict=True)
        seconds[way] = [whole - own for whole, own in pairs]
    return Timings(seconds)


def _pair(key: str, way: str, what: str, times: Timings, raw: RawRun) -> list[Figure]:
    rate = raw.questions / times.median(way)
    target = None if way == "generate" else GOAL
    told = f"{what}: raw questions a second of one core"
    return [
        Figure(f"questions_{key}_{way}_rate", told, rate, target, "at least", "/s"),
        Figure(
            f"questions_{key}_{way}", f"{what}: time by writing them with `json`", times.ratio(way, "json")
        ),
    ]


# --- growth ------------------------------------------------------------------------------------------------


def united(scenes: list[Scene], size: int) -> list[Scene]:
    """Scenes of so many objects, put together from smaller ones."""
    made: list[Scene] = []
    regions: list[Any] = []
    relations: list[Relation] = []
    for scene in scenes:
        first = len(regions)
        regions += scene.regions
        relations += (Relation(first + r.subject, r.predicate, first + r.object) for r in scene.relations)
        if len(regions) >= size:
            inside = tuple(r for r in relations if max(r.subject, r.object) < size)
            made.append(Scene(f"{len(made)}.jpg", tuple(regions[:size]), inside))
            regions, relations = [], []
    return made


def growth(sources: Sources, rounds: int) -> list[Figure]:
    """How the time of a question grows with its scene."""
    scenes = list(open_scenes(sources.scenes))
    lore = Lore(load_knowledge(sources.knowledge).knowledge)
    sized = {size: united(scenes, size)[:30] for size in SIZES}
    counts = {size: generated(own, lore) for size, own in sized.items()}
    ways = {str(size): partial(generated, own, lore) for size, own in sized.items()}
    times = interleaved(ways, rounds, clock=time.process_time)
    least = SIZES[0]
    return [
        Figure(
            f"questions_growth_{size}",
            f"scenes of {size} objects: time of a question by that in scenes of {least}",
            times.ratio(str(size), str(least)) * counts[least] / counts[size],
        )
        for size in SIZES[1:]
    ]


# --- memory ------------------------------------------------------------------------------------------------


def weighed(number: int) -> int:
    """Balance so many made-up questions and report on them."""
    rng = Random(1)
    types = ("QueryObjKG", "QueryObjSG", "QueryAtt", "VerifyKG", "VerifyAtt")

    def facts() -> Iterator[Facts]:
        for place in range(number):
            kind = types[place % len(types)]
            answer = str(int(rng.paretovariate(0.6)) % 1300)
            if kind.startswith("Verify"):
                answer = rng.choice(("yes", "no"))
            query = str(int(rng.paretovariate(0.5)) % 6000)
            yield Facts(kind, answer, (query,), rng.randint(2, 7), 12, rng.getrandbits(64))

    index = Index(facts())
    kept = balanced(index)
    balance_report(index, kept, EVENNESS)
    return int(kept.sum())


def memory(folder: Path, scenes: int) -> list[Figure]:
    """What the two parts take: streaming, which must not grow, and balancing, which grows by bytes."""
    peaks = {}
    for name, count in (("small", scenes), ("large", 4 * scenes)):
        world = folder / name
        make_world(world, Plan(count, 1, ("cric",)), progress=lambda units, _: units)
        knowledge = world / "raw" / "knowledge" / "triples.tsv"
        peaks[name] = in_child(asked, Sources(world, (knowledge,))).peak
    whole = in_child(weighed, PAPER).peak
    told = f"{4 * scenes:,} drawn scenes, peak memory of one worker"
    return [
        Figure("questions_memory", f"{told} by that of {scenes:,}", peaks["large"] / peaks["small"], 1.5),
        Figure("questions_large_memory", told, peaks["large"] / 1e9, unit=" GB"),
        Figure(
            "questions_balance_memory",
            f"balancing {PAPER:,} questions, peak memory",
            whole / 1e9,
            2,
            unit=" GB",
        ),
    ]


def figures(scenes: int = SCENES, rounds: int = ROUNDS) -> list[Figure]:
    """Measure all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found: list[Figure] = []
        own = list(settings(folder, scenes))
        for setting in own:
            found += rates(setting, rounds, folder)
        return [*found, *growth(own[0].sources, rounds), *memory(folder, scenes)]


def main() -> None:
    """Run from the command line."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--scenes", type=int, default=SCENES)
    options = parser.parse_args()
    show(figures(options.scenes, options.rounds), options.json)


if __name__ == "__main__":
    main()

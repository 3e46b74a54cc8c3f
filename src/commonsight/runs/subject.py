"""What a person names on the command line, as something to audit: files, datasets, any text task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from commonsight.audit.probe import RunAnswers, Subject
from commonsight.benchmarks import ALL, find
from commonsight.benchmarks.detect import detect
from commonsight.core.benchmark import Benchmark
from commonsight.core.item import Item
from commonsight.errors import UsageError
from commonsight.runs.plain import CHOOSE, group, plain_benchmark
from commonsight.score.scoring import Scoring
from commonsight.store.dataset import is_dataset, read_dataset, read_info
from commonsight.store.info import DatasetInfo
from commonsight.store.native import read_native


@dataclass(frozen=True)
class Opening:
    """How to open a subject: plain values, so that it can be handed to another process."""

    paths: tuple[Path, ...]
    benchmark: str | None = None
    split: str | None = None
    images: Path | None = None
    outlines: bool = True
    """Whether a dataset's outlines of objects are read, too."""
    slices: tuple[tuple[str, Path], ...] = ()
    """Files that tell more to sort items by, each with the name that the benchmark knows it by."""

    def known(self) -> Benchmark[Scoring] | None:
        """The benchmark; None for a dataset of some other text task."""
        return _known(self.paths, self.benchmark)

    def read(self) -> Iterator[Item]:
        """The items of all files, one after the other."""
        benchmark = self.known()
        for path in self.paths:
            if is_dataset(path):
                yield from read_dataset(path, split=self.split, outlines=self.outlines)
        native = [path for path in self.paths if not is_dataset(path)]
        if native and benchmark is not None:
            # Pictures' metadata are read with the pictures' folder; without it texts alone are audited.
            yield from read_native(benchmark.native, native, split=self.split, images=self.images)

    def subject(self, runs: Sequence[RunAnswers] = ()) -> Subject:
        """Something to audit."""
        benchmark = self.known()
        folder = self.images or next((path for path in self.paths if is_dataset(path)), None)
        if benchmark is None:
            info = _info(self.paths[0])
            assert info is not None  # `known` saw one
            plain = Subject(info.name, info.benchmark, info.title, self.read, (CHOOSE,), group)
            return replace(plain, images=folder, runs=tuple(runs))
        return Subject(
            _name(self.paths),
            benchmark.name,
            benchmark.title,
            self.read,
            benchmark.tasks,
            benchmark.scoring.cluster_of,
            benchmark.scoring.judgements,
            images=folder,
            runs=tuple(runs),
            slices={name: benchmark.scoring.slice_sources[name].load(path) for name, path in self.slices},
        )


@lru_cache(maxsize=16)
def _known(paths: tuple[Path, ...], named: str | None) -> Benchmark[Scoring] | None:
    if named is not None:
        return find(named)
    infos = [info for path in paths if (info := _info(path)) is not None]
    names = {info.benchmark for info in infos}
    if infos and names.isdisjoint(benchmark.name for benchmark in ALL):
        if len(infos) < len(paths) or len(names) > 1:
            raise UsageError("These are not all of one benchmark. Audit them one by one.")
        return None
    found = {benchmark.name: benchmark for benchmark in map(detect, paths)}
    if len(found) > 1:
        raise UsageError(f"These are of {' and '.join(found)}. Audit one benchmark at a time.")
    return next(iter(found.values()))


def _info(path: Path) -> DatasetInfo | None:
    return read_info(path) if is_dataset(path) else None


def _name(paths: Sequence[Path]) -> str:
    """What to call the whole: the dataset's own name, or the files'."""
    names = [info.name if (info := _info(path)) is not None else path.name for path in paths]
    return ", ".join(dict.fromkeys(names))


def benchmark_of(opening: Opening) -> Benchmark[Scoring]:
    """The benchmark of a subject; a dataset of none is one of its own."""
    known = opening.known()
    if known is not None:
        return known
    info = _info(opening.paths[0])
    assert info is not None  # `known` saw one
    return plain_benchmark(info)

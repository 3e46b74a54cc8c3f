"""An export on disk.

    export.json     what it is: benchmark, tasks with prompts and metrics, for whom
    items.jsonl     the items themselves, so that replies are read and scored by the benchmark's own rules
    <name>.jsonl    the samples of a task (Inspect, lmms-eval), or <name>.tsv (VLMEvalKit)
    images/         the pictures as a run would send them, under the SHA-256 of their bytes

and beside them whatever the peer wants: `task.py`, YAML with `utils.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import IO, Protocol

import msgspec
from msgspec import Struct

from commonsight.core.answer import Unparsed
from commonsight.core.item import Item
from commonsight.errors import InputError
from commonsight.runs.exports.info import INFO, ITEMS, ExportedTask, ExportInfo, Peer, exported_name
from commonsight.runs.exports.marking import UNREAD, values_of
from commonsight.runs.exports.samples import Sample, Sampler
from commonsight.store.atomic import new_folder
from commonsight.vlm.client import Picture


class Writer(Protocol):
    """How samples are written for one peer, into a folder that is not yet under its name."""

    def add(self, sample: Sample) -> None:
        """Write one sample."""
        ...

    def finish(self, info: ExportInfo) -> None:
        """Write the files that the peer opens."""
        ...

    def close(self) -> None:
        """Close what is open, whether all was written or not."""
        ...


class WriterOf(Protocol):
    """What makes a writer."""

    def __call__(self, folder: Path, benchmark: str) -> Writer:
        """A writer of this benchmark into this folder."""
        ...


class Record(Struct, frozen=True):
    """One line of a task's JSONL: what Inspect and lmms-eval read."""

    item: str
    task: str
    text: str
    system: str
    images: tuple[str, ...]
    choices: tuple[str, ...]
    target: str


class Records:
    """The JSONL files of all tasks, with the pictures beside them."""

    def __init__(self, folder: Path, benchmark: str) -> None:
        self._folder, self._benchmark = folder, benchmark
        self._files: dict[str, IO[bytes]] = {}

    def add(self, sample: Sample) -> None:
        """Write one sample, and its pictures unless they are there."""
        name = sample.task.name
        if name not in self._files:
            path = self._folder / f"{exported_name(self._benchmark, name)}.jsonl"
            self._files[name] = path.open("wb")
        images = tuple(stored(picture, self._folder) for picture in sample.request.pictures)
        record = Record(
            sample.item.id, name, sample.text, sample.system, images, sample.choices, sample.target
        )
        self._files[name].write(msgspec.json.encode(record) + b"\n")

    def close(self) -> None:
        """Close all files."""
        for file in self._files.values():
            file.close()


def stored(picture: Picture, folder: Path) -> str:
    """Where the picture lies in the export, once it does."""
    ending = picture.media.removeprefix("image/").replace("jpeg", "jpg")
    name = f"images/{picture.digest[:2]}/{picture.digest}.{ending}"
    path = folder / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture.data)
    return name


def write_export(
    folder: Path,
    peer: Peer,
    writer_of: WriterOf,
    sampler: Sampler,
    items: Iterable[Item],
    dataset: str,
    *,
    overwrite: bool = False,
) -> ExportInfo:
    """Write an export; the folder appears only when all of it is there."""
    with new_folder(folder, overwrite=overwrite) as beside:
        writer = writer_of(beside, sampler.benchmark.name)
        seen = _Seen(sampler)
        with closing(writer), (beside / ITEMS).open("wb") as lines:
            for item in items:
                lines.write(msgspec.json.encode(item) + b"\n")
                for sample in sampler.samples(item):
                    seen.add(sample)
                    writer.add(sample)
            info = seen.info(peer, dataset)
            writer.finish(info)
        content = msgspec.json.format(msgspec.json.encode(info), indent=2)
        (beside / INFO).write_bytes(content + b"\n")
    return info


class _Seen:
    """What `export.json` will say, gathered while samples pass."""

    def __init__(self, sampler: Sampler) -> None:
        self._sampler = sampler
        self._first: dict[str, Sample] = {}
        self._counts: dict[str, int] = {}
        self._metrics: dict[str, dict[str, bool]] = {}

    def add(self, sample: Sample) -> None:
        name, benchmark = sample.task.name, self._sampler.benchmark
        self._first.setdefault(name, sample)
        self._counts[name] = self._counts.get(name, 0) + 1
        if name not in self._metrics and benchmark.scoring.labelled(sample.item):
            columns = values_of(benchmark, sample.item, name, Unparsed(""))
            self._metrics[name] = {metric: column.whole_groups for metric, column in columns.items()}

    def info(self, peer: Peer, dataset: str) -> ExportInfo:
        benchmark = self._sampler.benchmark
        if not self._first:
            asked = ", ".join(task.name for task in self._sampler.tasks)
            raise InputError(
                f"There is nothing to export: no item can be asked in {asked}. Choose a labelled split."
            )
        tasks = tuple(self._task(name) for name in self._first)
        blind = self._sampler.pictures is None
        return ExportInfo(peer, benchmark.name, benchmark.title, dataset, not blind, tasks)

    def _task(self, name: str) -> ExportedTask:
        sample = self._first[name]
        return ExportedTask(
            name,
            sample.task.title,
            exported_name(self._sampler.benchmark.name, name),
            sample.prompt.name,
            sample.request.most_tokens,
            self._counts[name],
            {**self._metrics.get(name, {}), UNREAD: False},
        )

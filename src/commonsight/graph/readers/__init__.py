"""Scene graphs from files: Visual Genome's layouts and our world's, GQA's, VRD's, FACTUAL's, and datasets.

Every reader streams `Scene` values. What cannot be used is reported picture by picture, and the rest goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from commonsight.core.scene import Scene
from commonsight.errors import InputError, OnProblem, Problem, UsageError, fail
from commonsight.graph.readers.draft import Options
from commonsight.graph.readers.factual import read_factual
from commonsight.graph.readers.gqa import read_gqa
from commonsight.graph.readers.visual_genome import PARTS, read_visual_genome
from commonsight.graph.readers.vrd import read_vrd
from commonsight.store.dataset import is_dataset, read_dataset
from commonsight.store.jsonfiles import BYTE_ORDER_MARK, unreadable_problem

Read = Callable[[Path, Options], Iterator[Scene]]

_WORLD = ("raw/scene_graphs.json", "scene_graphs.json")
"""Where the folder of a world, or of Visual Genome, keeps its scene graphs."""
_FIRST_KEY = re.compile(rb'\{\s*"((?:[^"\\]|\\.)*)"')


def read_dataset_scenes(path: Path, options: Options) -> Iterator[Scene]:
    """The scenes of a dataset's items; a scene without regions is no graph and is left out without a word."""
    for item in read_dataset(path, on_problem=options.on_problem):
        yield from (scene for scene in item.scenes if scene.regions)


READERS: dict[str, Read] = {
    "visual-genome": read_visual_genome,
    "gqa": read_gqa,
    "vrd": read_vrd,
    "factual": read_factual,
    "dataset": read_dataset_scenes,
}
"""By layout. The world's files are in Visual Genome's."""


def open_scenes(
    path: Path, layout: str | None = None, on_problem: OnProblem = fail, *, boxes_required: bool = False
) -> Iterator[Scene]:
    """The scenes of a file or folder, each picture once; which layout it is in is seen by looking."""
    if layout is not None and layout not in READERS:
        raise UsageError(f"There is no layout '{layout}'. Choose one of: {', '.join(READERS)}.")
    path = _scene_file(path)
    layout = layout or _detected(path, on_problem)
    if layout is None:
        return
    options = Options(on_problem, boxes_required)
    seen: set[str] = set()
    for scene in READERS[layout](path, options):
        if scene.image not in seen:
            seen.add(scene.image)
            yield scene
        elif layout != "dataset":  # there, many items share a picture, and that is no fault
            message = "the picture came before in this file"
            on_problem(Problem(path, message, "Tell of every picture once.", record=scene.image))


def detect_layout(path: Path) -> str:
    """The layout of a file or folder of scene graphs."""
    found = _detected(_scene_file(path), fail)
    if found is None:
        raise InputError(f"{path}: this is no file of scene graphs.")
    return found


def _scene_file(path: Path) -> Path:
    """The path itself, or the scene graphs that a folder keeps in their usual place."""
    if path.is_dir() and not is_dataset(path):
        return next((path / name for name in _WORLD if (path / name).is_file()), path)
    return path


def _detected(path: Path, on_problem: OnProblem) -> str | None:
    if is_dataset(path):
        return "dataset"
    if path.is_dir():
        if any((path / name).is_file() for name in PARTS):
            return "visual-genome"
        remedy = f"Name a file, a dataset, or a folder with {', '.join(PARTS)} or scene_graphs.json."
        on_problem(Problem(path, "this folder holds no scene graphs", remedy))
        return None
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16).removeprefix(BYTE_ORDER_MARK).lstrip()
    except OSError as error:
        on_problem(unreadable_problem(path, error))
        return None
    layout = _by_content(head)
    if layout is None:
        remedy = f"Check the file, or name its layout: {', '.join(READERS)}."
        on_problem(Problem(path, "this is in no layout of scene graphs that is known", remedy))
    return layout


def _by_content(head: bytes) -> str | None:
    if head.startswith(b"["):
        return "visual-genome"
    if head.startswith(b"{"):
        first_line = head.partition(b"\n")[0]
        key = _FIRST_KEY.match(head)
        if key is None or key.group(1).isdigit():
            return "gqa"
        if b'"image_id"' in first_line:
            return "visual-genome"
        return "vrd" if b'"image"' in first_line else "gqa"
    first = head.partition(b"\n")[0]
    return "factual" if b"image_id" in first and b"scene_graph" in first else None

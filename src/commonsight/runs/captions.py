"""Captions as a task of their own: what a picture shows, told from the picture alone (A-OKVQA, section 5.3).

Like rationales they are no task of a benchmark, and what is written of them is a context for others. Items
have none, so whoever learns says where they are: in files as `run --context` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from commonsight.core.answer import FreeText
from commonsight.core.benchmark import Ask, Task
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.models.writing.style import CAPTION
from commonsight.runs.contexts import picture_of, read_captions, read_contexts
from commonsight.store.dataset import sha256

CaptionsOf = Callable[[Item], tuple[str, ...]]
"""All captions of an item's picture."""


def captioning(found: CaptionsOf = lambda _: ()) -> Task:
    """The task; without captions there is nothing to learn, but pictures can be captioned."""

    def ask(item: Item) -> Ask:
        told = found(item)
        gold = FreeText(told[0]) if told else None
        return Ask(item.id, CAPTION, item.scenes, {}, "text", (), gold, answers=told)

    return Task(CAPTION, "Write what the picture shows", ask, (), "image")


def captions_in(paths: Sequence[Path]) -> CaptionsOf:
    """What any of these files tells: lines of `item` and `context`, or COCO's captions by picture."""
    pictured: dict[str, list[str]] = {}
    told: dict[str, str] = {}
    for path in paths:
        if path.suffix == ".json":
            for image, captions in read_captions(path).items():
                pictured.setdefault(image, []).extend(captions)
        else:
            told |= read_contexts(path)

    def found(item: Item) -> tuple[str, ...]:
        own = (told[item.id],) if item.id in told else ()
        captions = (*own, *pictured.get(picture_of(item), ()))
        if not captions:
            names = ", ".join(map(str, paths))
            raise InputError(f"{names}: there is no caption for item {item.id}. Give a file that has it too.")
        return captions

    return found


def checked_captions(paths: Sequence[Path], tasks: Sequence[str]) -> tuple[str, ...]:
    """Their whole paths; given where captions are learned, and nowhere else."""
    if CAPTION in tasks and not paths:
        raise UsageError(f"--task {CAPTION}: items have no captions. Give some with --captions FILE.")
    if paths and CAPTION not in tasks:
        raise UsageError(f"--captions: they are learned by --task {CAPTION} alone. Leave them out.")
    for path in paths:
        if not path.is_file():
            raise UsageError(
                f"--captions {path}: there is no such file. Give one that `run --context` reads."
            )
    return tuple(str(path.resolve()) for path in paths)


def captions_told(paths: Sequence[str]) -> dict[str, str]:
    """For provenance: what is in the files."""
    return {f"captions {place}": sha256(Path(path)) for place, path in enumerate(paths, start=1)}

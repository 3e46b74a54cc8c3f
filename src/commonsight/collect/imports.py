"""Putting items and pictures before workers, and tasks with known answers among theirs.

An import runs in batches, each of which is written whole. Stopped by whatever, it is run again: pictures and
tasks that are there are passed by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs
from sqlalchemy.orm import Session

from commonsight.build.imaging.turning import upright
from commonsight.collect.database import insert_new
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.gold_file import gold_tasks
from commonsight.collect.pictures import put
from commonsight.collect.protocol import Shown
from commonsight.collect.sources import Find, Subject, below_one_of
from commonsight.collect.tables import Campaign, Picture, Task
from commonsight.collect.tasks import task_row
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import InputError, InvalidRecords, OnProblem, Problem, fail
from commonsight.store.pictures import UPRIGHT, picture_size, picture_turn

BATCH = 64
"""Items that are written together."""
REMEMBERED = 50_000
"""Pictures that are not looked at again when another item shows them."""

Rows = list[dict[str, Any]]


class Imported(NamedTuple):
    """What came of an import."""

    tasks: int
    pictures: int
    """New ones, like the tasks."""
    known: int
    """Tasks that were there already."""
    passed_by: int = 0
    """Items that the protocol asks nothing about."""

    def and_(self, other: Imported) -> Imported:
        """Both together."""
        return Imported(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def import_items(
    desk: Desk,
    campaign_id: int,
    items: Iterable[Item],
    root: Path,
    *,
    progress: Callable[[Iterable[Subject]], Iterable[Subject]] = iter,
    on_problem: OnProblem = fail,
    keep_notes: bool = False,
) -> Imported:
    """The items' first tasks, by the campaign's protocol. Their pictures lie below `root`."""
    find = partial(below_one_of, [root])
    subjects = progress(Subject(item, find) for item in items)
    return import_subjects(desk, campaign_id, subjects, on_problem=on_problem, keep_notes=keep_notes)


def import_subjects(
    desk: Desk,
    campaign_id: int,
    subjects: Iterable[Subject],
    *,
    on_problem: OnProblem = fail,
    keep_notes: bool = False,
) -> Imported:
    """Like `import_items`, for items that each know where their pictures are.

    An item with a problem is passed by as a whole: `on_problem` stops the import, or notes it. With
    `keep_notes`, pictures keep what cameras and programs noted in them.
    """
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
    importer = _Importer(desk, campaign, keep_notes=keep_notes)
    waiting = iter(subjects)
    whole = Imported(0, 0, 0)
    while some := list(islice(waiting, BATCH)):
        whole = whole.and_(importer.add(some, on_problem))
    if whole.tasks:
        told = {"tasks": whole.tasks, "pictures": whole.pictures}
        desk.database.write(lambda session: log_in(session, desk, campaign_id, "imported", told))
    return whole


def import_gold(desk: Desk, campaign_id: int, path: Path, *, keep_notes: bool = False) -> int:
    """Tasks with known answers from a file of JSON lines (see `gold_file`); how many are new.

    All lines are checked before the first is written, and told at once where some are wrong.
    """
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
    found = gold_tasks(desk, campaign, path, keep_notes=keep_notes)
    pictures = [{"hash": one.hash, "width": one.width, "height": one.height} for one in found.pictures]

    def work(session: Session) -> int:
        insert_new(session, Picture, pictures)
        new = insert_new(session, Task, found.tasks)
        if new:
            log_in(session, desk, campaign_id, "imported", {"gold": new})
        return new

    return desk.database.write(work)


class _Importer:
    """Turns items into rows, batch by batch."""

    def __init__(self, desk: Desk, campaign: Campaign, *, keep_notes: bool) -> None:
        self._desk, self._campaign = desk, campaign
        self._protocol, self._settings = desk.protocol_of(campaign), desk.settings_of(campaign)
        self._kept = lru_cache(REMEMBERED)(partial(put, desk, keep_notes=keep_notes))

    def add(self, subjects: Iterable[Subject], on_problem: OnProblem) -> Imported:
        """These, in one write."""
        pictures: dict[str, dict[str, Any]] = {}
        tasks: Rows = []
        passed_by = 0
        for subject in subjects:
            try:
                shown, made = self._rows(subject)
            except InputError as error:
                _tell(error, subject.item, on_problem)
                continue
            pictures |= shown
            tasks += made
            passed_by += not made

        def work(session: Session) -> Imported:
            kept = insert_new(session, Picture, list(pictures.values()))
            new = insert_new(session, Task, tasks)
            return Imported(new, kept, len(tasks) - new, passed_by)

        return self._desk.database.write(work)

    def _rows(self, subject: Subject) -> tuple[dict[str, dict[str, Any]], Rows]:
        """The pictures and the tasks of an item."""
        pictures: dict[str, dict[str, Any]] = {}

        def keep(name: str) -> Shown:
            kept = self._kept(subject.find(name))
            pictures[kept.hash] = {"hash": kept.hash, "width": kept.width, "height": kept.height}
            return Shown(kept.hash, kept.width, kept.height, "The picture")

        item = structs.replace(
            subject.item, scenes=tuple(_as_seen(scene, subject.find) for scene in subject.item.scenes)
        )
        new = self._protocol.subjects(item, self._settings, keep)
        tasks = [task_row(self._desk, self._campaign, each) for each in new]
        return (pictures if tasks else {}), tasks


def _as_seen(scene: Scene, find: Find) -> Scene:
    """Boxes where people see them: a picture is kept upright, and its boxes are measured in its file."""
    if not scene.regions:
        return scene
    path = find(scene.stored or scene.image)
    turn = picture_turn(path)
    return scene if turn == UPRIGHT else upright(scene, turn, picture_size(path))


def _tell(error: InputError, item: Item, on_problem: OnProblem) -> None:
    """What is wrong with an item, with its id."""
    if isinstance(error, InvalidRecords):
        for problem in error.problems:
            on_problem(replace(problem, record=problem.record or item.id))
    else:
        on_problem(Problem(Path(item.id), str(error).rstrip("."), "The item is left out."))

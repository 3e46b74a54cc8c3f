"""Tasks with known answers, as people write them: JSON lines.

    {"stage": "vote", "key": "sky", "answers": {"good": "yes"}, "payload": {"photo": {"picture": "a.png"}}}
    {"stage": "vote", "key": "a/vote", "answers": {"good": "no"}}

A picture of a payload is the name of a file beside the lines, or the hash of one that is here already. A line
without a payload is about the task of that stage and key, and shows what that shows. The answers must be
such as a worker could hand in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, ValidationError, convert, to_builtins
from sqlalchemy import select

from commonsight.collect.desk import Desk
from commonsight.collect.forms import checked
from commonsight.collect.pictures import is_hash, picture_named, put
from commonsight.collect.protocol import NewTask, Shown, Stage
from commonsight.collect.tables import Campaign, Picture, Task
from commonsight.collect.tasks import task_row
from commonsight.core.scene import Region
from commonsight.errors import CommonsightError, InputError, InvalidAnswers, InvalidRecords, Problem
from commonsight.store.jsonfiles import Record, read_lines
from commonsight.store.paths import below

PREFIX = "gold/"
"""Before the keys of gold tasks, so that they are nobody else's."""
DEEPEST = 20


class GoldLine(Struct, frozen=True):
    """One line."""

    stage: str
    key: str
    answers: dict[str, Any]
    payload: dict[str, Any] | None = None


class Gold(NamedTuple):
    """What a file holds, as rows; the pictures are in their places already."""

    tasks: list[dict[str, Any]]
    pictures: list[Picture]


def gold_tasks(desk: Desk, campaign: Campaign, path: Path, *, keep_notes: bool = False) -> Gold:
    """All lines of a file, or `InvalidRecords` with all that is wrong with them."""
    problems: list[Problem] = []
    reading = _Reading(desk, campaign, path, keep_notes)
    tasks = []
    for record in read_lines(path, GoldLine, problems.append):
        try:
            tasks.append(reading.task(record))
        except InvalidAnswers as error:
            problems += [
                Problem(path, told.message.rstrip("."), "Correct the answer.", record.line, field=told.field)
                for told in error.complaints
            ]
        except CommonsightError as error:
            problems.append(Problem(path, str(error).rstrip("."), "Correct the line.", record.line))
    if problems:
        raise InvalidRecords(problems)
    return Gold(tasks, list(reading.pictures.values()))


class _Reading:
    """Lines become tasks, and the pictures that they name are kept."""

    def __init__(self, desk: Desk, campaign: Campaign, path: Path, keep_notes: bool) -> None:
        self._desk, self._campaign, self._folder = desk, campaign, path.parent
        self._keep_notes = keep_notes
        self._stages = {stage.name: stage for stage in desk.protocol_of(campaign).stages}
        self._keys: set[tuple[str, str]] = set()
        self.pictures: dict[str, Picture] = {}

    def task(self, record: Record[GoldLine]) -> dict[str, Any]:
        line = record.value
        if record.unknown:
            raise InputError(f"a line has no '{next(iter(record.unknown))}'")
        stage = self._stages.get(line.stage)
        if stage is None:
            raise InputError(f"there is no stage '{line.stage:.60}', only {', '.join(self._stages)}")
        if (line.stage, line.key) in self._keys:
            raise InputError(f"the key '{line.key:.60}' was used before")
        self._keys.add((line.stage, line.key))
        payload = self._shown(line) if line.payload is None else self._kept(line.payload, DEEPEST)
        _check_shows(stage, payload)
        answers = checked(stage.form, payload, line.answers, stage.checks)
        new = NewTask(line.stage, PREFIX + line.key, payload)
        return task_row(self._desk, self._campaign, new, answers)

    def _shown(self, line: GoldLine) -> dict[str, Any]:
        """What a task of the campaign shows."""
        found = select(Task.payload).where(
            Task.campaign_id == self._campaign.id, Task.stage == line.stage, Task.key == line.key
        )
        with self._desk.database.read() as session:
            payload: dict[str, Any] | None = session.scalar(found)
        if payload is None:
            raise InputError(f"there is no task '{line.key:.60}' to show, and the line has no payload")
        return payload

    def _kept(self, value: Any, deep: int) -> Any:
        """The payload with its pictures as they are kept."""
        if deep == 0:
            raise InputError("the payload is nested too deeply")
        if isinstance(value, list):
            return [self._kept(entry, deep - 1) for entry in value]
        if not isinstance(value, dict):
            return value
        inside = {name: self._kept(entry, deep - 1) for name, entry in value.items()}
        return self._picture(value["picture"], inside) if isinstance(value.get("picture"), str) else inside

    def _picture(self, name: str, told: Mapping[str, Any]) -> dict[str, Any]:
        """A picture with what the line tells of it."""
        if is_hash(name):
            kept = picture_named(self._desk, name)
        else:
            kept = put(self._desk, below(self._folder, name), keep_notes=self._keep_notes)
            self.pictures[kept.hash] = kept
        try:
            regions = convert(told.get("regions", ()), tuple[Region, ...])
        except ValidationError as error:
            raise InputError(f"the regions of '{name:.60}' cannot be read ({error})") from error
        shown = Shown(kept.hash, kept.width, kept.height, str(told.get("alt", "The picture")), regions)
        return {**told, **to_builtins(shown)}


def _check_shows(stage: Stage, payload: Mapping[str, Any]) -> None:
    missing = [show.name for show in stage.shows if show.name not in payload]
    if missing:
        raise InputError(f"the payload has no '{missing[0]}', which workers of '{stage.name}' are shown")

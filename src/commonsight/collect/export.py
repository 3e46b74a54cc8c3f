"""What a campaign leaves behind: a dataset of its records, raw annotations, or every answer for a study.

All of it streams, takes its name only when it is whole, and is the same, byte for byte, whenever the records
are. Records stand in the order of their keys. People are w1, w2, … and nothing more.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import structs
from sqlalchemy import false, func, select
from sqlalchemy.orm import Session

from commonsight import __version__
from commonsight.collect.desk import SECOND, Desk, campaign_in
from commonsight.collect.money import money
from commonsight.collect.pictures import is_hash
from commonsight.collect.protocol import Protocol, Record
from commonsight.collect.pseudonyms import pseudonyms_in
from commonsight.collect.status import Status, status
from commonsight.collect.tables import Assignment, Campaign, RecordRow, Task, Verdict
from commonsight.core.item import Item
from commonsight.core.scene import Scene
from commonsight.errors import UsageError
from commonsight.store.atomic import new_file, new_folder
from commonsight.store.dataset import write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.paths import below

T = TypeVar("T")
Progress = Callable[[Iterable[T]], Iterable[T]]

ROWS = 500
"""Rows that are fetched at once."""


class _Kept(NamedTuple):
    """A record, and what the database knows of it besides."""

    record: Record
    version: int
    workers: tuple[str, ...]
    """Whose work it rests on."""


def records(desk: Desk, campaign_id: int) -> Iterator[Record]:
    """The finished records, without those that were removed, in the order of their keys; nobody is named."""
    for kept in _kept(desk, campaign_id):
        yield kept.record


def _kept(desk: Desk, campaign_id: int) -> Iterator[_Kept]:
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        names = pseudonyms_in(session, campaign_id)
        # The same order in both databases, whatever language a server sorts by.
        in_order = RecordRow.key.collate("BINARY" if desk.database.is_sqlite else "C")
        found = (
            select(RecordRow.key, RecordRow.data, RecordRow.by, RecordRow.version)
            .where(RecordRow.campaign_id == campaign_id, RecordRow.removed == false())
            .order_by(in_order)
            .execution_options(yield_per=ROWS)
        )
        for rows in session.execute(found).tuples().partitions():
            authors = _authors(session, {each for _, _, by, _ in rows for each in by})
            for key, data, by, version in rows:
                workers = {names[authors[each]] for each in by if each in authors}
                record = Record(key, names.hide(data), tuple(by))
                yield _Kept(record, version, tuple(sorted(workers, key=lambda name: int(name[1:]))))


def _authors(session: Session, assignments: set[int]) -> dict[int, int]:
    found = select(Assignment.id, Assignment.user_id).where(Assignment.id.in_(assignments))
    return dict(session.execute(found).tuples().all()) if assignments else {}


def export_dataset(
    desk: Desk,
    campaign_id: int,
    out: Path,
    *,
    name: str | None = None,
    version: str = "1.0.0",
    split: str = "train",
    datasheet: Mapping[str, str] | None = None,
    overwrite: bool = False,
    progress: Progress[Item] = iter,
) -> DatasetInfo:
    """The records as a dataset of their benchmark, pictures and all. Items without a split go to `split`."""
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
        protocol = desk.protocol_of(campaign)
        answers = _datasheet(session, desk, campaign, protocol) | dict(datasheet or {})
    items = _Items(campaign.name, protocol, split)
    found = items.of(_kept(desk, campaign_id))
    first = next(found, None)
    if first is None:
        raise _nothing(campaign)
    return write_dataset(
        out,
        progress(chain([first], found)),
        _info(campaign, protocol, name or out.resolve().name, version, answers),
        images=desk.pictures if any(scene.stored for scene in first.scenes) else None,
        overwrite=overwrite,
        finish=lambda info: structs.replace(info, drawn=items.drawn),
    )


class _Items:
    """Records as items, with what the campaign adds to their provenance."""

    def __init__(self, campaign: str, protocol: Protocol, split: str) -> None:
        self._campaign, self._protocol, self._split = campaign, protocol, split
        self.drawn = False
        """Whether any of those so far says that it is drawn."""

    def of(self, kept: Iterable[_Kept]) -> Iterator[Item]:
        """The items of these records."""
        for record, version, workers in kept:
            came = {"campaign": self._campaign, "version": version, "workers": list(workers)}
            for item in self._protocol.item_of(record):
                self.drawn = self.drawn or item.provenance.get("drawn") is True
                yield structs.replace(
                    item,
                    split=item.split or self._split,
                    scenes=tuple(_placed(scene) for scene in item.scenes),
                    provenance=item.provenance | came,
                )


def _placed(scene: Scene) -> Scene:
    """With its picture where the collection keeps it: `pictures.py` puts them into folders."""
    if scene.stored is None or not is_hash(scene.stored):
        return scene
    return structs.replace(scene, stored=f"{scene.stored[:2]}/{scene.stored}")


def _info(
    campaign: Campaign, protocol: Protocol, name: str, version: str, datasheet: dict[str, str]
) -> DatasetInfo:
    options = {"campaign": campaign.name, "protocol": campaign.protocol, "settings": dict(campaign.settings)}
    return DatasetInfo(
        name=name,
        benchmark=protocol.name,
        version=version,
        made=Made("collect export", __version__, campaign.seed, (), options),
        splits={},
        title=f"{campaign.name}, collected in the manner of {protocol.title}",
        description=f"Annotations that people made in the campaign '{campaign.name}', by the workflow of "
        f"{protocol.source}. These are not that benchmark's own data.",
        datasheet=datasheet,
    )


def _datasheet(session: Session, desk: Desk, campaign: Campaign, protocol: Protocol) -> dict[str, str]:
    """What a campaign can answer about itself; the rest is its makers' to say."""
    told = status(desk, campaign.id)
    when = select(func.min(RecordRow.made_at), func.max(RecordRow.made_at))
    first, last = session.execute(when.where(RecordRow.campaign_id == campaign.id)).one()
    return {
        "collection": f"By the workflow of {protocol.source}, in a browser. {_stages(protocol)}",
        "people": _people(session, campaign, protocol, told),
        "period": "" if first is None else f"{_day(first)} to {_day(last)} (UTC), by the records' dates.",
        "raw": "Yes: `collect export --all` writes every answer, also those that led to no record.",
    }


def _stages(protocol: Protocol) -> str:
    told = [
        f"{stage.title} ({stage.overlap} of them independently)" if stage.overlap > 1 else stage.title
        for stage in protocol.stages
    ]
    return f"The stages: {'; '.join(told)}."


def _people(session: Session, campaign: Campaign, protocol: Protocol, told: Status) -> str:
    given = (Assignment.campaign_id == campaign.id, Assignment.state == "given")
    workers = session.scalar(select(func.count(Assignment.user_id.distinct())).where(*given)) or 0
    spent = money(told.estimate.spent, protocol.currency)
    answers = sum(line.answers for line in told.stages) + told.gold_answers
    return (
        f"{workers} people handed in {answers} answers and earned {spent} in all; in the data they are "
        "called w1, w2 and so on."
    )


def _day(at: int) -> str:
    return datetime.fromtimestamp(at // SECOND, UTC).date().isoformat()


def _nothing(campaign: Campaign) -> UsageError:
    return UsageError(
        f"Campaign '{campaign.name}' has no finished record yet, so there is nothing to export. "
        "`collect status` tells how far it is."
    )


def export_raw(desk: Desk, campaign_id: int, path: Path, *, progress: Progress[Record] = iter) -> int:
    """The records in the raw form that `build match` reads, one a line; how many."""
    with desk.database.read() as session:
        campaign = campaign_in(session, campaign_id)
        protocol = desk.protocol_of(campaign)
    raw_of = protocol.raw_of
    if raw_of is None:
        raise UsageError(
            f"Records of {protocol.title} lack no wrong choices, so there is no raw form to match. Export a "
            "dataset instead: --out DIR."
        )
    lines = (raw_of(record) for record in progress(records(desk, campaign_id)))
    first = next(lines, None)
    if first is None:
        raise _nothing(campaign)
    return _write_lines(path, chain([first], lines))


def export_pictures(desk: Desk, campaign_id: int, folder: Path, *, overwrite: bool = False) -> int:
    """The records' pictures under the names that their sources gave them, as raw annotations name them, so
    that `build match` finds them; how many."""
    with desk.database.read() as session:
        protocol = desk.protocol_of(campaign_in(session, campaign_id))
    placed: dict[str, str] = {}
    with new_folder(folder, overwrite=overwrite) as beside:
        for record in records(desk, campaign_id):
            for scene in (scene for item in protocol.item_of(record) for scene in item.scenes):
                if scene.stored is None or not is_hash(scene.stored):
                    continue
                if placed.setdefault(scene.image, scene.stored) != scene.stored:
                    raise UsageError(
                        f"Two pictures are called '{scene.image}', so they cannot lie in one folder by their "
                        "names. Export a dataset instead, which keeps them by content: --out DIR."
                    )
                target = below(beside, scene.image)
                if not target.exists():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(desk.pictures / scene.stored[:2] / scene.stored, target)
    return len(placed)


def export_all(
    desk: Desk, campaign_id: int, path: Path, *, progress: Progress[Mapping[str, Any]] = iter
) -> int:
    """Every assignment, whatever became of it, one a line; how many. Drafts are nobody's business."""
    return _write_lines(path, progress(_assignments(desk, campaign_id)))


def _assignments(desk: Desk, campaign_id: int) -> Iterator[dict[str, Any]]:
    with desk.database.read() as session:
        campaign_in(session, campaign_id)
        names = pseudonyms_in(session, campaign_id)
        found = (
            select(*_TOLD, Assignment.user_id, Task.key, Task.gold.is_not(None), Task.state)
            .join(Task, Task.id == Assignment.task_id)
            # A sum, so that no index of campaigns is used: all would then be sorted before the first comes.
            .where(Assignment.campaign_id + 0 == campaign_id)
            .order_by(Assignment.id)
            .execution_options(yield_per=ROWS)
        )
        for rows in session.execute(found).partitions():
            verdicts = _verdicts(session, [row[0] for row in rows])
            for *told, user_id, key, gold, task_state in rows:
                line = dict(zip(_NAMES, told, strict=True))
                if line["state"] not in ("given", "settled"):
                    line["answers"] = None
                own = {"worker": names[user_id], "verdicts": verdicts.get(line["assignment"], [])}
                yield line | own | {"key": key, "gold": bool(gold), "task_state": task_state}


_TOLD = (
    Assignment.id, Assignment.task_id, Assignment.stage, Assignment.state, Assignment.answers,
    Assignment.seconds, Assignment.held_at, Assignment.given_at,
)  # fmt: skip
_NAMES = ("assignment", "task", "stage", "state", "answers", "seconds", "held_at", "given_at")


def _verdicts(session: Session, assignments: list[int]) -> dict[int, list[dict[str, Any]]]:
    columns = (Verdict.assignment_id, Verdict.good, Verdict.by_gold, Verdict.reason, Verdict.feedback)
    found = select(*columns).where(Verdict.assignment_id.in_(assignments)).order_by(Verdict.id)
    told: dict[int, list[dict[str, Any]]] = {}
    for assignment, good, by_gold, reason, feedback in session.execute(found).tuples():
        line = {"good": good, "by_gold": by_gold, "reason": reason, "feedback": feedback}
        told.setdefault(assignment, []).append(line)
    return told


def _write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> int:
    """JSON lines, beside the file and then in its place; how many."""
    number = 0
    with new_file(path) as beside, beside.open("wb") as stream:
        for line in lines:
            stream.write(msgspec.json.encode(line) + b"\n")
            number += 1
    return number

"""Faults that people found in a dataset, what became of each, and the next version of the dataset.

    errata.jsonl   append-only: a report, or what was decided about one, a line

A release goes through the whole dataset: items are as they were, changed, or gone, and each says which. Old
runs are scored again on what is left, so that a leaderboard can follow.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Literal, NamedTuple, cast

import msgspec
from msgspec import Struct, structs

from commonsight import __version__
from commonsight.core.checks import faults
from commonsight.core.item import Item
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_folder
from commonsight.store.dataset import read_dataset, read_info, write_dataset
from commonsight.store.info import DatasetInfo, Made
from commonsight.store.lines import Lines, whole_lines

FILE = "errata.jsonl"
CHANGES = "changes.jsonl"
MOST_TEXT = 4000
CHANGEABLE = (
    "texts",
    "choices",
    "gold",
    "rationales",
    "rationale_gold",
    "direct_answers",
    "target",
    "groups",
)
"""What an erratum may change of an item: what it says, not which item it is."""

Action = Literal["fixed", "removed", "refused"]


class Reported(Struct, frozen=True, tag="reported"):
    """Someone says that an item is at fault."""

    id: str
    item: str
    text: str
    by: str
    at: float


class Decided(Struct, frozen=True, tag="decided"):
    """What became of a report."""

    id: str
    """Of the report."""
    action: Action
    answer: str
    at: float
    change: dict[str, Any] = {}
    """Of one that was fixed: fields of the item as they should be, as JSON has them."""


class Erratum(NamedTuple):
    """A report, with what became of it if anything did."""

    reported: Reported
    decided: Decided | None


class Errata:
    """The reports of one dataset."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path, self._lock = folder / FILE, Lock()

    def report(self, item: str, text: str, by: str, at: float) -> str:
        """Keep a report; gives its id."""
        told = text.strip()
        if not told or len(told) > MOST_TEXT:
            raise UsageError(f"Say what is wrong, in at most {MOST_TEXT:,} characters.")
        made = Reported(secrets.token_hex(8), item, told, by.strip()[:80], at)
        self._append(made)
        return made.id

    def decide(
        self, report: str, action: Action, answer: str, at: float, item: Item | None = None,
        change: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Settle a report; a change is tried on the item before it is kept."""
        if report not in {one.reported.id for one in self.all()}:
            raise UsageError(f"There is no report {report}.")
        if action == "fixed":
            if item is None or not change:
                raise UsageError("Say what the item should be: no change was given.")
            changed(item, change)
        self._append(Decided(report, action, answer.strip()[:MOST_TEXT], at, dict(change or {})))

    def all(self) -> list[Erratum]:
        """Every report, oldest first, with the last decision about it."""
        found: dict[str, Erratum] = {}
        lines: Iterator[Reported | Decided] = whole_lines(self._path, cast("Any", Reported | Decided))
        for line in lines:
            if isinstance(line, Reported):
                found[line.id] = Erratum(line, None)
            elif line.id in found:
                found[line.id] = found[line.id]._replace(decided=line)
        return list(found.values())

    def _append(self, line: Reported | Decided) -> None:
        with self._lock:  # a file of lines is held by one writer at a time
            lines = Lines(self._path)
            try:
                lines.append([line])
            finally:
                lines.close()


def changed(item: Item, change: Mapping[str, Any]) -> Item:
    """The item with some of its fields as they should be; what would not be an item is refused."""
    unknown = sorted(set(change) - set(CHANGEABLE))
    if unknown:
        raise UsageError(f"{', '.join(unknown)} cannot be changed. What can: {', '.join(CHANGEABLE)}.")
    try:
        made = msgspec.convert(msgspec.to_builtins(item) | dict(change), Item)
    except msgspec.ValidationError as error:
        raise UsageError(f"The item would not be one any more: {error}.") from error
    for fault in faults(made):
        raise UsageError(f"{fault.field}: {fault.message}. {fault.remedy}")
    return made


class Change(Struct, frozen=True):
    """One line of `changes.jsonl`: an item that is not as it was."""

    item: str
    split: str
    change: Literal["changed", "removed"]
    fields: tuple[str, ...]
    reason: str
    """What the report said, and what was answered."""


class Released(NamedTuple):
    """A new version of a dataset."""

    info: DatasetInfo
    changes: tuple[Change, ...]


def release(dataset: Path, errata: Sequence[Erratum], out: Path, version: str) -> Released:
    """Write the next version. Every item says whether it was changed; what is gone is in `changes.jsonl`."""
    info = read_info(dataset)
    assert info is not None  # `read_info` raises here
    if version == info.version:
        raise UsageError(f"{dataset} is version {version} already. Give the new one another number.")
    settled = _settled(errata)
    changes: list[Change] = []
    made = Made("release", __version__, info.made.seed, info.made.sources, {"before": info.version})
    following = structs.replace(info, version=version, made=made)
    items = _revised(dataset, settled, version, changes)
    with new_folder(out) as beside:
        pictures = dataset if info.images else None
        written = write_dataset(beside, items, following, images=pictures, overwrite=True)
        encoded = (msgspec.json.encode(change) + b"\n" for change in changes)
        (beside / CHANGES).write_bytes(b"".join(encoded))
    return Released(written, tuple(changes))


def _settled(errata: Sequence[Erratum]) -> dict[str, list[Erratum]]:
    """By item the reports that something comes of."""
    found: dict[str, list[Erratum]] = {}
    for one in errata:
        if one.decided is not None and one.decided.action != "refused":
            found.setdefault(one.reported.item, []).append(one)
    return found


def _revised(
    dataset: Path, settled: Mapping[str, Sequence[Erratum]], version: str, changes: list[Change]
) -> Iterator[Item]:
    for item in read_dataset(dataset):
        told = settled.get(item.id, ())
        if not told:
            yield _flagged(item, "unchanged", version)
            continue
        reason = " / ".join(f"{one.reported.text}: {one.decided.answer}" for one in told if one.decided)
        if any(one.decided is not None and one.decided.action == "removed" for one in told):
            changes.append(Change(item.id, item.split, "removed", (), reason))
            continue
        change: dict[str, Any] = {}
        for one in told:
            change |= one.decided.change if one.decided is not None else {}
        changes.append(Change(item.id, item.split, "changed", tuple(sorted(change)), reason))
        yield _flagged(changed(item, change), "changed", version)
    lost = sorted(set(settled) - {one.item for one in changes})
    if lost:
        raise InputError(f"{dataset} has no item {', '.join(lost[:5])}, which the errata are about.")


def _flagged(item: Item, change: str, version: str) -> Item:
    """The item with what this release did to it; when it was last changed stays."""
    before = item.provenance.get("release", {})
    since = version if change == "changed" else before.get("since")
    told = {"change": change, "version": version} | ({"since": since} if since else {})
    return structs.replace(item, provenance={**item.provenance, "release": told})

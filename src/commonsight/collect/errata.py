"""Faults that people find in finished records: reported, judged, and mended or removed.

A record that is mended has a new version, and one that is removed is in no export any more. What it said
before stays with the erratum, so that nothing that was ever published is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from commonsight.collect.comments import checked_words
from commonsight.collect.database import for_change
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.events import log_in
from commonsight.collect.forms import clean_text, draft_of
from commonsight.collect.protocol import Record
from commonsight.collect.tables import Assignment, Campaign, Erratum, RecordRow, User
from commonsight.core.checks import faults
from commonsight.errors import InputError, UsageError, WorkRefused

ACTIONS = ("fixed", "removed", "refused")


class Fault(NamedTuple):
    """A fault that was reported, with the record as it is now."""

    id: int
    campaign_id: int
    record_key: str
    record_id: int
    data: Mapping[str, Any]
    version: int
    removed: bool
    name: str
    """Who found it."""
    text: str
    state: str
    """open, fixed, removed or refused."""
    answer: str
    before: Mapping[str, Any] | None
    """What the record said until this settled it."""
    made_at: int
    settled_at: int | None
    settled_by: int | None


def report(desk: Desk, campaign_id: int, record_key: str, user_id: int, text: str) -> int:
    """Say what is wrong with a record; the erratum's id."""
    told = checked_words(text, "a report")

    def work(session: Session) -> int:
        record = _record(session, campaign_id, record_key)
        if record is None or record.removed:
            raise WorkRefused("no-record", "There is no such record in this campaign.")
        erratum = Erratum(
            campaign_id=campaign_id, record_key=record_key, user_id=user_id, text=told, state="open",
            answer="", made_at=desk.clock(),
        )  # fmt: skip
        session.add(erratum)
        session.flush()
        data = {"erratum": erratum.id, "record": record_key, "state": "open"}
        log_in(session, desk, campaign_id, "erratum", data, user_id)
        return erratum.id

    return desk.database.write(work)


def open_errata(desk: Desk, campaign_id: int) -> list[Fault]:
    """Those that nobody has judged yet, oldest first."""
    return errata(desk, campaign_id, state="open")


def errata(desk: Desk, campaign_id: int, *, state: str | None = None) -> list[Fault]:
    """All that were reported, or those in this state, oldest first."""
    wanted = [Erratum.campaign_id == campaign_id]
    if state is not None:
        wanted.append(Erratum.state == state)
    with desk.database.read() as session:
        return _found(session, *wanted)


def erratum(desk: Desk, campaign_id: int, erratum_id: int) -> Fault:
    """One of this campaign."""
    with desk.database.read() as session:
        found = _found(session, Erratum.campaign_id == campaign_id, Erratum.id == erratum_id)
    if not found:
        raise WorkRefused("no-erratum", "There is no such report in this campaign.")
    return found[0]


def _found(session: Session, *wanted: ColumnElement[bool]) -> list[Fault]:
    of_it = (RecordRow.campaign_id == Erratum.campaign_id) & (RecordRow.key == Erratum.record_key)
    joined = select(Erratum, RecordRow, User.name).join(RecordRow, of_it)
    rows = joined.join(User, User.id == Erratum.user_id).where(*wanted).order_by(Erratum.id)
    return [_fault(*row) for row in session.execute(rows).tuples()]


def _fault(erratum: Erratum, record: RecordRow, name: str) -> Fault:
    return Fault(
        erratum.id, erratum.campaign_id, erratum.record_key, record.id, record.data, record.version,
        record.removed, name, erratum.text, erratum.state, erratum.answer, erratum.before, erratum.made_at,
        erratum.settled_at, erratum.settled_by,
    )  # fmt: skip


def settle(
    desk: Desk, erratum_id: int, by: int, action: str, answer: str = "", data: Mapping[str, Any] | None = None
) -> None:
    """Judge a report: `fixed` with what the record says from now on, `removed`, or `refused` with the reason.

    Nobody judges a report about their own work.
    """
    if action not in ACTIONS:
        raise UsageError(f"A report cannot be '{action:.20}'. Settle it as one of: {', '.join(ACTIONS)}.")
    told = checked_words(answer, "the reason why it stays") if action == "refused" else clean_text(answer)
    mended = _mended(action, data)

    def work(session: Session) -> None:
        found = session.scalar(for_change(select(Erratum).where(Erratum.id == erratum_id)))
        if found is None:
            raise WorkRefused("no-erratum", "There is no such report.")
        if found.state != "open":
            raise WorkRefused("settled-already", f"This report was {found.state} already.")
        record = _record(session, found.campaign_id, found.record_key)
        assert record is not None  # records are never deleted
        _refuse_authors(session, record, by)
        if action != "refused":
            found.before = dict(record.data)
            _change(desk, campaign_in(session, found.campaign_id), record, mended)
        found.state, found.answer = action, told
        found.settled_at, found.settled_by = desk.clock(), by
        happened = {"erratum": found.id, "record": record.key, "state": action, "version": record.version}
        log_in(session, desk, found.campaign_id, "erratum", happened, by)

    desk.database.write(work)


def _mended(action: str, data: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if action != "fixed":
        return None
    if data is None:
        raise UsageError("A record that is fixed says something else from now on. Give it.")
    try:
        return draft_of(data)
    except InputError as error:
        raise UsageError(f"This cannot be a record's content: {error}") from error


def _record(session: Session, campaign_id: int, key: str) -> RecordRow | None:
    found = select(RecordRow).where(RecordRow.campaign_id == campaign_id, RecordRow.key == key)
    return session.scalar(for_change(found))


def _refuse_authors(session: Session, record: RecordRow, by: int) -> None:
    theirs = select(Assignment.id).where(Assignment.id.in_(record.by), Assignment.user_id == by)
    if record.by and session.scalar(theirs.limit(1)) is not None:
        raise WorkRefused("own-work", "This report is about your own work. Someone else must judge it.")


def _change(desk: Desk, campaign: Campaign, record: RecordRow, mended: dict[str, Any] | None) -> None:
    if mended is None:
        record.removed = True
        return
    if record.removed:
        raise WorkRefused("no-record", "This record was removed meanwhile, so it cannot be fixed.")
    if mended == record.data:
        raise UsageError("The record says this already. Change what is wrong, or refuse the report.")
    _check(desk, campaign, Record(record.key, mended, tuple(record.by)))
    record.data, record.version = mended, record.version + 1


def _check(desk: Desk, campaign: Campaign, record: Record) -> None:
    """A mended record must still make items, or the next export would fail."""
    try:
        items = list(desk.protocol_of(campaign).item_of(record))
    except Exception as error:  # whatever a protocol's function makes of content that it does not expect
        told = f"{type(error).__name__}: {str(error)[:200]}"
        raise UsageError(f"The mended record makes no item ({told}). Keep the fields that it had.") from error
    found = [fault for item in items for fault in faults(item)]
    if found:
        raise UsageError(f"The mended record: {found[0].field}: {found[0].message}. {found[0].remedy}")

"""What happened in a campaign, in order: only ever added to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from commonsight.collect.desk import Desk
from commonsight.collect.tables import Event

KINDS = (
    "given", "undone", "returned", "task-done", "task-dropped", "disputed", "settled", "record", "verdict",
    "out", "readmitted", "state", "settings", "imported", "round", "exam", "erratum", "comment", "member",
    "payout",
)  # fmt: skip
"""All that there are, in the order in which a page offers them."""


def log_in(
    session: Session,
    desk: Desk,
    campaign_id: int,
    kind: str,
    data: Mapping[str, Any],
    user_id: int | None = None,
) -> None:
    """Note something, as part of the write that did it."""
    session.add(
        Event(campaign_id=campaign_id, user_id=user_id, kind=kind, data=dict(data), made_at=desk.clock())
    )

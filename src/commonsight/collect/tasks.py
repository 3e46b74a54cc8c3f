"""New tasks as rows: where they stand in the queue, and that none is there twice."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from commonsight.collect.database import insert_new
from commonsight.collect.desk import Desk
from commonsight.collect.protocol import Answers, NewTask
from commonsight.collect.tables import Campaign, Task
from commonsight.errors import UsageError

LONGEST_KEY = 200
EVERYONE = 2**31 - 1
"""How many workers a gold task is for."""


_NOTHING = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""The character of code 0, as JSON writes it; not a backslash and the letters behind it."""


def place_of(seed: int, stage: str, key: str) -> int:
    """Where a task stands in the queue: by chance, and the same chance every time."""
    drawn = hashlib.sha256(f"{seed}\n{stage}\n{key}".encode()).digest()
    return int.from_bytes(drawn[:8], "big") >> 1


def task_row(desk: Desk, campaign: Campaign, new: NewTask, gold: Answers | None = None) -> dict[str, Any]:
    """A task as the table has it. Pictures and regions in the payload become JSON."""
    if not 0 < len(new.key) <= LONGEST_KEY or "\0" in new.key:
        raise UsageError(f"'{new.key:.80}' cannot be a task's key: it has 1 to {LONGEST_KEY} characters.")
    if _NOTHING.search(msgspec.json.encode(new.payload)):
        raise UsageError(f"Task '{new.key:.80}' shows a character of code 0, which no database keeps.")
    wanted = desk.stage_of(campaign, new.stage).overlap if new.overlap is None else new.overlap
    if gold is not None:
        wanted = EVERYONE
    return {
        "campaign_id": campaign.id,
        "stage": new.stage,
        "key": new.key,
        "payload": msgspec.to_builtins(new.payload),
        "about": list(new.about),
        "pool": new.pool,
        "state": "open",
        "reason": "",
        "wanted": wanted,
        "taken": 0,
        "given": 0,
        "place": place_of(campaign.seed, new.stage, new.key),
        "gold": None if gold is None else dict(gold),
        "made_at": desk.clock(),
        "done_at": None,
    }


def add_tasks_in(session: Session, desk: Desk, campaign: Campaign, tasks: Iterable[NewTask]) -> int:
    """Those that are not there yet, by stage and key; how many these were. Who is barred, the caller says."""
    return insert_new(session, Task, [task_row(desk, campaign, new) for new in tasks])

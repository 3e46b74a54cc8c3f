"""People by numbers: what leaves a campaign names nobody."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect.tables import Member

_WORKER = re.compile(r"worker:([0-9]{1,19})")
"""As `protocol.worker_name` writes it."""


class Pseudonyms:
    """The members of a campaign as w1, w2, …, in the order in which they joined: the same in every export."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names

    def __getitem__(self, user_id: int) -> str:
        return self._names.get(user_id, "w0")  # no member: cannot be, and must not stop an export

    def hide(self, value: Any) -> Any:
        """The same JSON with a pseudonym wherever it names a worker, as a key or as a value."""
        if isinstance(value, str):
            found = _WORKER.fullmatch(value)
            return value if found is None else self._names.get(int(found.group(1)), value)
        if isinstance(value, Mapping):
            return {self.hide(key): self.hide(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide(each) for each in value]
        return value


def pseudonyms_in(session: Session, campaign_id: int) -> Pseudonyms:
    """Those of a campaign."""
    members = select(Member.user_id).where(Member.campaign_id == campaign_id)
    ordered = session.scalars(members.order_by(Member.joined_at, Member.user_id))
    return Pseudonyms({user_id: f"w{number}" for number, user_id in enumerate(ordered, 1)})

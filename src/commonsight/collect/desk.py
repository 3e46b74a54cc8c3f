"""What every verb of collecting works with: the database, the protocols, the pictures, the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from commonsight.collect.database import Database
from commonsight.collect.protocol import Protocol, Stage
from commonsight.collect.tables import Campaign
from commonsight.errors import UsageError, WorkRefused

Clock = Callable[[], int]
"""Microseconds since 1970, in UTC."""

SECOND = 1_000_000
MOST_BUILT = 100


class SteadyClock:
    """The machine's clock, which here never goes back: a lease that has ended stays ended."""

    def __init__(self, source: Callable[[], int] = time.time_ns) -> None:
        self._source, self._last, self._lock = source, 0, Lock()

    def __call__(self) -> int:
        with self._lock:
            self._last = max(self._last, self._source() // 1000)
            return self._last


@dataclass(frozen=True)
class Desk:
    """An open collection."""

    database: Database
    protocols: Mapping[str, Protocol]
    pictures: Path
    """The folder of pictures by content."""
    secret: bytes
    """Signs invitations and whatever else leaves this place and must come back unchanged."""
    clock: Clock = field(default_factory=SteadyClock)
    _built: dict[tuple[str, str], Protocol] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Protocols as campaigns changed them: every request asks for one, and building it takes a while."""
    given_in_slices: dict[int, Mapping[int, int]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """By campaign, answers of times that are over, as `browsing.given_by_hour` counted them."""

    def protocol_of(self, campaign: Campaign) -> Protocol:
        """How a campaign collects, with what it changed."""
        found = self.protocols.get(campaign.protocol)
        if found is None:
            known = ", ".join(sorted(self.protocols))
            raise UsageError(
                f"Campaign '{campaign.name}' collects by '{campaign.protocol}', which is not known here: "
                f"{known}."
            )
        if not campaign.settings:
            return found
        key = (campaign.protocol, json.dumps(campaign.settings, sort_keys=True))
        built = self._built.get(key)
        if built is None:
            if len(self._built) >= MOST_BUILT:
                self._built.clear()
            built = self._built[key] = found.under(campaign.settings)
        return built

    def settings_of(self, campaign: Campaign) -> dict[str, Any]:
        """The protocol's settings with what this campaign changed."""
        defaults = {name: setting.default for name, setting in self.protocol_of(campaign).settings.items()}
        return defaults | campaign.settings

    def stage_of(self, campaign: Campaign, name: str) -> Stage:
        """A stage of its protocol."""
        return self.protocol_of(campaign).stage(name)


def campaign_named(session: Session, name: str) -> Campaign:
    """The campaign of this name."""
    found = session.scalar(select(Campaign).where(Campaign.name == name))
    if found is None:
        known = session.scalars(select(Campaign.name).order_by(Campaign.name))
        names = ", ".join(f"'{other}'" for other in known)
        raise UsageError(f"There is no campaign '{name}'. There is: {names or 'none yet'}.")
    return found


def campaign_in(session: Session, campaign_id: int, *, lock: bool = False) -> Campaign:
    """The campaign of this id; with `lock`, nobody else changes it until this write is over."""
    found = session.get(Campaign, campaign_id, with_for_update=True if lock else None)
    if found is None:
        raise WorkRefused("no-campaign", "There is no such campaign.")
    return found

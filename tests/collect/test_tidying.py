"""Work that nobody comes back to goes back by itself."""

from __future__ import annotations

from threading import Event as Signal

import pytest
from at_work import begun, crew, write_task
from people import HandClock
from sqlalchemy import select

from commonsight.collect import tidying
from commonsight.collect.campaigns import set_state
from commonsight.collect.desk import Desk
from commonsight.collect.queue import take
from commonsight.collect.tables import Assignment


def _states(desk: Desk) -> list[str]:
    with desk.database.read() as session:
        return list(session.scalars(select(Assignment.state)))


def test_leases_that_ran_out_go_back_in_campaigns_that_run(desk: Desk, clock: HandClock) -> None:
    campaign_id = begun(desk, write_task("a"))
    (worker,) = crew(desk, campaign_id, 1)
    assert take(desk, campaign_id, worker) is not None
    assert tidying.tidy_all(desk) == 0, "it is still theirs"
    clock.pass_seconds(3600)
    set_state(desk, campaign_id, "paused", None)
    assert tidying.tidy_all(desk) == 0
    set_state(desk, campaign_id, "running", None)
    assert tidying.tidy_all(desk) == 1
    assert _states(desk) == ["returned"]


def test_it_goes_on_when_the_database_is_away(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = Signal()
    times = iter((ZeroDivisionError(), None))

    def look(_: Desk) -> int:
        fault = next(times, None)
        if fault is not None:
            raise fault
        looked.set()
        return 0

    monkeypatch.setattr(tidying, "tidy_all", look)
    with tidying.kept_tidy(desk, pause=0.001):
        assert looked.wait(20)

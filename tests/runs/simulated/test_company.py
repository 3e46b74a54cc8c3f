"""A company of the drawn world works through a whole campaign of each protocol, in the real app."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest
from drawn_campaigns import drawn_campaign
from drawn_sources import write_drawn_clusters, write_drawn_sets
from people import campaign

from commonsight.collect import so_far
from commonsight.collect.desk import Desk
from commonsight.collect.imports import import_subjects
from commonsight.collect.invitations import invite
from commonsight.collect.sources import Beside, open_source
from commonsight.core.checks import faults
from commonsight.runs.simulated.company import Result, Wish, pace_of, simulate
from commonsight.runs.simulated.sights import DrawnWorld
from commonsight.runs.simulated.ways import answer_of
from commonsight.runs.watching import Watcher
from commonsight.text.encoders import HashedEncoder
from commonsight.web.collect.app import build_app

FEW: dict[str, dict[str, Any]] = {
    "vcr": {"review_share": 0.5, "most_rounds": 1},
    "pmr": {"qualification_pairs": 2},
    "nlvr2": {"extra_votes": 2},
    "aokvqa": {"screeners": 1, "rationales": 1, "direct_answers": 2, "difficult_from": 3},
    "cric": {},
}
"""Settings with which a few people can do all of the work."""
SUBJECTS = {"vcr": 6, "pmr": 8, "nlvr2": 1, "aokvqa": 2}


def _campaign(desk: Desk, protocol: str, world: Path, folder: Path) -> int:
    if protocol == "cric":
        return drawn_campaign(desk, world, protocol, 4)
    campaign_id = campaign(desk, f"Drawn {protocol}", protocol, settings=FEW[protocol])
    source = world / protocol
    if protocol == "nlvr2":
        write_drawn_sets(world, folder / "sets")
        source = folder / "sets"
    elif protocol == "aokvqa":
        write_drawn_clusters(world, folder / "clusters")
        source = folder / "clusters"
    subjects = open_source(source, Beside()).subjects
    import_subjects(desk, campaign_id, islice(subjects, SUBJECTS[protocol]))
    return campaign_id


def _simulated(desk: Desk, campaign_id: int, world: DrawnWorld, **wishes: Any) -> Result:
    app = build_app(desk, watcher=Watcher(desk, encoder=HashedEncoder(64)))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=True)
    protocol = so_far.protocol_of(desk, campaign_id)
    wish = Wish("http://localhost", campaign_id, protocol, transport=transport, **wishes)
    return simulate(wish, world, lambda role: invite(desk, campaign_id, role))


@pytest.mark.parametrize("protocol", list(FEW))
def test_a_campaign_is_worked_to_its_end(
    protocol: str, desk: Desk, world: DrawnWorld, world_folder: Path, tmp_path: Path
) -> None:
    campaign_id = _campaign(desk, protocol, world_folder, tmp_path)
    result = _simulated(desk, campaign_id, world, workers=6, reviewers=1, error_rate=0.02, seed=1)
    assert result.faults == {}
    assert result.complaints == {}
    assert result.status is not None
    assert all(stage["open"] == stage["held"] == 0 for stage in result.status["stages"])
    assert result.status["disputes"] == result.status["exams_waiting"] == 0
    assert result.submissions == sum(result.by_stage.values()) > 0
    records = so_far.newest_records(desk, campaign_id, 1000)
    assert len(records) == result.status["records"] > 0
    items = [item for record in records for item in so_far.protocol_of(desk, campaign_id).item_of(record)]
    assert items
    assert [fault for item in items for fault in faults(item)] == []


@pytest.mark.parametrize(("protocol", "stage"), [("nlvr2", "validate"), ("aokvqa", "screen")])
def test_what_the_worlds_own_writers_wrote_is_judged_by_who_knows(
    protocol: str, stage: str, desk: Desk, world: DrawnWorld, world_folder: Path
) -> None:
    campaign_id = campaign(desk, f"Drawn {protocol}", protocol, settings=FEW[protocol])
    subjects = open_source(world_folder / protocol, Beside()).subjects
    import_subjects(desk, campaign_id, islice(subjects, 6))
    result = _simulated(desk, campaign_id, world, workers=5, reviewers=1, error_rate=0.0)
    assert result.faults == {}
    assert result.complaints == {}
    assert result.by_stage[stage] == 6
    assert result.status is not None
    assert result.status["records"] >= 5, "labels that can be proved are confirmed"


def test_people_come_back_under_their_own_names(
    desk: Desk, world: DrawnWorld, world_folder: Path, tmp_path: Path
) -> None:
    campaign_id = _campaign(desk, "vcr", world_folder, tmp_path)
    first = _simulated(desk, campaign_id, world, workers=2, reviewers=1, most=2)
    again = _simulated(desk, campaign_id, world, workers=2, reviewers=1)
    assert first.submissions >= 2
    assert first.status is not None
    assert first.status["stages"][0]["open"] > 0, "they went home early"
    assert again.refused["sign up: name-taken"] == 4
    assert again.status is not None
    assert again.status["members"] == {"owner": 1, "reviewer": 1, "worker": 2}
    assert again.status["stages"][0]["open"] == 0


def test_a_round_that_nobody_can_look_at_does_not_go_on_for_ever(
    desk: Desk, world: DrawnWorld, world_folder: Path, tmp_path: Path
) -> None:
    """The samples of a round are for reviewers, and there are none."""
    campaign_id = _campaign(desk, "nlvr2", world_folder, tmp_path)
    result = _simulated(desk, campaign_id, world, workers=2, reviewers=0)
    assert result.faults == {}
    assert result.by_stage["prune"] == 1
    assert result.exams["writing: waiting"] == 2, "nobody reads them"


def test_when_the_time_is_up_all_go_home(
    desk: Desk, world: DrawnWorld, world_folder: Path, tmp_path: Path
) -> None:
    campaign_id = _campaign(desk, "vcr", world_folder, tmp_path)
    result = _simulated(desk, campaign_id, world, workers=2, reviewers=0, seconds=0.0)
    assert result.status is not None
    assert result.status["stages"][0]["open"] > 0


def test_paces_are_of_the_slow_end() -> None:
    pace = pace_of([number / 1000 for number in range(1, 101)])
    assert (pace.times, pace.p50, pace.p95, pace.p99) == (100, 50.0, 95.0, 99.0)
    assert pace_of([0.5]).p50 == 500.0


def test_a_protocol_that_nobody_knows_is_refused() -> None:
    from commonsight.errors import UsageError

    with pytest.raises(UsageError, match="Nobody of the drawn world knows the protocol 'toy'"):
        answer_of("toy")

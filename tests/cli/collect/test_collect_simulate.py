"""`collect simulate`: people of the drawn world at work in an app that is really served."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonsight.world.make import Plan, make_world

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world of four scenes."""
    folder = tmp_path_factory.mktemp("drawn") / "world"
    make_world(folder, Plan(4, 3, ("vcr",)), progress=lambda units, _: units)
    return folder


def test_a_campaign_is_served_and_worked_on(run: Run, ours: Path, world: Path) -> None:
    assert run("collect", "import", ours, world / "vcr").code == 0
    told = run("collect", "simulate", ours, "--world", world, "--workers", 1, "--reviewers", 1, "--json")
    assert told.code == 0, told.err
    found = json.loads(told.out)
    assert found["submissions"] == sum(found["by_stage"].values()) >= 3
    assert found["status"]["records"] >= 3
    assert found["faults"] == {}
    assert found["paces"]["hand in"]["times"] >= found["submissions"]
    assert found["paces"]["hand in"]["p50"] <= found["paces"]["hand in"]["p99"]


def test_what_was_done_is_told_to_people(
    run: Run, ours: Path, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from commonsight.runs.simulated.company import Pace, Result

    agreement = {"stage": "review", "field": "good", "agreement": {"alpha": {"value": 0.5}}}
    status = {"records": 7, "stages": [{"name": "write", "done": 3}]}
    done = Result(
        2.0, 10, 5.0, {"write": 10}, {"hand in": Pace(10, 1.5, 2.5, 3.5)}, {"qualification: passed": 1}, {},
        {"length": 2}, 4, {"take: exam:qualification": 1}, {}, {"take: 500": "oh"}, 0, status, [agreement],
    )  # fmt: skip
    wishes: list[Any] = []
    monkeypatch.setattr(
        "commonsight.runs.simulated.company.simulate", lambda wish, *_: wishes.append(wish) or done
    )
    told = run(
        "collect", "simulate", ours, "--campaign", "pilot", "--world", world, "--url", "http://127.0.0.1:9/",
        "--minutes", 2, "--error-rate", 0.1, "--seed", 5,
    )  # fmt: skip
    assert told.code == 0
    (wish,) = wishes
    assert (wish.url, wish.seconds, wish.error_rate, wish.seed) == ("http://127.0.0.1:9", 120.0, 0.1, 5)
    assert "10 submissions in 2.0 s: 5.0 a second" in told.out
    assert "p99     3.5 ms" in told.out
    assert "collected: 7 records (write 3 done)" in told.out
    assert "agreement: review good: alpha 0.500" in told.out
    assert "fault: take: 500: oh" in told.err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--campaign", "other"), "There is no campaign 'other'"),
        (("--url", "http://127.0.0.1:9", "--workers", 1), "was tried 5 times and not answered"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    run: Run, ours: Path, world: Path, options: tuple[Any, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(_: float) -> None:
        return None

    monkeypatch.setattr("commonsight.runs.simulated.client.asyncio.sleep", at_once)
    told = run("collect", "simulate", ours, "--world", world, *options)
    assert told.code == 2
    assert says in told.err


def test_a_folder_that_is_no_world_is_refused(run: Run, ours: Path, tmp_path: Path) -> None:
    told = run("collect", "simulate", ours, "--world", tmp_path)
    assert (told.code, "is no world" in told.err) == (2, True)

"""An owner sees how the campaign goes, and changes what may be changed."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import zipfile
from pathlib import Path

import pytest
from busy import Busy
from fastapi import FastAPI
from people import HandClock, campaign, worker
from visitors import Visitor

from commonsight.collect import invitations, ledger, quality
from commonsight.collect.desk import Desk, campaign_in
from commonsight.collect.tables import Campaign
from commonsight.store.dataset import read_dataset
from commonsight.web.collect.limits import Limits


@pytest.fixture
def at(busy: Busy) -> str:
    return f"/campaigns/{busy.campaign_id}"


@pytest.fixture
def olga(app: FastAPI, at: str) -> Visitor:
    visitor = Visitor(app, "olga")
    visitor.look(f"{at}/settings")
    return visitor


def _campaign(desk: Desk, busy: Busy) -> Campaign:
    with desk.database.read() as session:
        return campaign_in(session, busy.campaign_id)


def test_the_overview_tells_how_it_goes(olga: Visitor, at: str) -> None:
    page = olga.look(f"{at}/")
    for told in ("Cups &amp; people", "running", "1 dispute", "1 exam", "1 erratum", "$400.00", "Fleiss’ κ",
                 "Is it a good question?"):  # fmt: skip
        assert told in page
    assert f'hx-get="{at}/live" hx-trigger="every 5s"' in page
    live = olga.look(f"{at}/live")
    assert "<html" not in live
    assert live.strip() in page


def test_a_reviewer_sees_no_money_and_no_owners_tabs(app: FastAPI, at: str) -> None:
    page = Visitor(app, "rob").look(f"{at}/")
    assert "$" not in page
    assert f"{at}/settings" not in page
    assert f"{at}/disputes" in page


def test_an_empty_campaign_has_an_overview_too(app: FastAPI, desk: Desk) -> None:
    number = campaign(desk, "empty")
    worker(desk, number, "olga", role="owner")
    olga = Visitor(app, "olga")
    for place in ("", "workers", "invitations", "pay", "events", "export", "settings", "disputes", "exams",
                  "records", "errata", "comments"):  # fmt: skip
        olga.look(f"/campaigns/{number}/{place}")


def test_pausing_resuming_and_finishing(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    for state in ("paused", "running", "finished"):
        answer = olga.fill(f"{at}/state", state=state)
        assert answer.headers["location"] == f"{at}/settings?done=state"
        assert _campaign(desk, busy).state == state
    assert olga.fill(f"{at}/state", state="burning").status_code == 422
    assert "state is changed" in olga.look(f"{at}/settings?done=state")


def test_what_a_page_says_was_done_comes_from_a_list(olga: Visitor, at: str) -> None:
    assert "evil" not in olga.look(f"{at}/settings?done=evil")


def test_changing_settings(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    assert olga.fill(f"{at}/settings", **{"set.most_bad": "7"}).status_code == 303
    assert _campaign(desk, busy).settings == {"most_bad": 7}
    wrong = olga.fill(f"{at}/settings", **{"set.most_bad": "many"})
    assert wrong.status_code == 422
    assert "a whole number" in wrong.text
    assert olga.fill(f"{at}/settings", **{"set.most_bad": ""}).status_code == 303
    assert _campaign(desk, busy).settings == {}


def test_changing_the_budget_and_the_gold(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    assert olga.fill(f"{at}/limits", budget="1,250.50", gold_percent="5").status_code == 303
    found = _campaign(desk, busy)
    assert (found.budget, found.gold_rate) == (12_505_000, 0.05)
    for wrong in ({"budget": "much"}, {"gold_percent": "101"}, {"gold_percent": "nan"}, {"budget": "-1"}):
        assert olga.fill(f"{at}/limits", **wrong).status_code == 422
    assert olga.fill(f"{at}/limits", budget="", gold_percent="0").status_code == 303
    assert _campaign(desk, busy).budget is None


def test_workers_are_put_out_and_readmitted(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    wim = busy.users["wim"]
    page = olga.look(f"{at}/workers")
    assert "Put wim out" in page
    assert "Put olga out" not in page
    olga.fill(f"{at}/workers/{wim}/out", reason="Too <fast>")
    assert "Too &lt;fast&gt;" in olga.look(f"{at}/workers?done=out")
    olga.fill(f"{at}/workers/{wim}/readmit")
    assert {line.name: line.out_reason for line in quality.workers(desk, busy.campaign_id)}["wim"] == ""
    assert olga.fill(f"{at}/workers/{busy.users['olga']}/out", reason="x").status_code == 409


def test_a_round_is_closed(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    assert olga.fill(f"{at}/round").headers["location"].endswith("done=round")
    bonus = [line for line in ledger.entries(desk, busy.campaign_id) if line.kind == "bonus"]
    assert {line.name for line in bonus} == {"wim", "ada", "eve"}
    assert olga.fill(f"{at}/samples").headers["location"].endswith("done=no-samples")


def test_invitations_are_made_and_taken_back(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    olga.fill(f"{at}/invitations", role="reviewer", number="3", days="2")
    links = invitations.open_invitations(desk, busy.campaign_id)
    assert [one.role for one in links] == ["reviewer"] * 3
    page = olga.look(f"{at}/invitations")
    assert f"http://127.0.0.1/join/{links[0].token}" in page
    olga.fill(f"{at}/invitations/{links[0].id}/take-back")
    assert len(invitations.open_invitations(desk, busy.campaign_id)) == 2
    for wrong in ({"role": "king"}, {"number": "0"}, {"number": "1000"}, {"days": "x"}):
        assert olga.fill(f"{at}/invitations", **wrong).status_code == 422


def test_paying(olga: Visitor, at: str, desk: Desk, busy: Busy) -> None:
    table = list(csv.DictReader(io.StringIO(olga.get(f"{at}/pay.csv").text)))
    owed = {line["name"]: line["owed"] for line in table}
    assert set(owed) == {"ada", "eve", "wim"}
    total = sum(line.owed for line in ledger.balances(desk, busy.campaign_id))
    assert f'name="total" value="{total}"' in olga.look(f"{at}/pay")
    assert olga.fill(f"{at}/pay", total=total).status_code == 422, "they must say that they are sure"
    changed = olga.fill(f"{at}/pay", total=total - 1, sure="yes")
    assert changed.status_code == 409
    assert "has changed meanwhile" in changed.text
    paid = olga.fill(f"{at}/pay", reason="week 1", total=total, sure="yes")
    assert paid.headers["location"].endswith("done=paid")
    assert all(line.owed == 0 for line in ledger.balances(desk, busy.campaign_id))
    assert olga.fill(f"{at}/pay", sure="yes").headers["location"].endswith("done=nothing-owed")
    assert "week 1" in olga.look(f"{at}/pay")


def test_events_are_found_by_kind(olga: Visitor, at: str) -> None:
    assert "task done" in olga.look(f"{at}/events")
    page = olga.look(f"{at}/events?kind=record")
    assert page.count('<td class="nowrap">record</td>') == 2
    assert "Nothing of this kind" in olga.look(f"{at}/events?kind=nonsense")


def test_a_dataset_is_taken_along(olga: Visitor, at: str, tmp_path: Path) -> None:
    answer = olga.get(f"{at}/export/dataset.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert 'filename="cups-people.zip"' in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        packed.extractall(tmp_path / "out")
    items = read_dataset(tmp_path / "out" / "cups-people")
    assert sum(1 for _ in items) == 2
    assert olga.get(f"{at}/export/dataset.zip").content == answer.content


def test_every_answer_is_taken_along_without_names(olga: Visitor, at: str) -> None:
    answer = olga.get(f"{at}/export/answers.jsonl")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert len(lines) == 13
    assert "wim" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_nothing_is_left_behind_by_a_download(
    olga: Visitor, at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    assert olga.get(f"{at}/export/answers.jsonl").status_code == 200
    assert olga.get(f"{at}/export/raw.jsonl").status_code == 422  # this protocol has no such form
    assert list((tmp_path / "temporary").iterdir()) == []


def test_downloads_have_a_rate(olga: Visitor, at: str, app: FastAPI, clock: HandClock) -> None:
    app.state.limits = Limits(clock, exports_a_minute=2)
    codes = [olga.get(f"{at}/export/answers.jsonl").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert olga.get(f"{at}/export/secret").status_code == 422

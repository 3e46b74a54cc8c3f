"""When something fails, people are told what to do, and never how we are made."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from busy import Busy
from fastapi import FastAPI
from visitors import Visitor

from commonsight.collect import browsing, quality
from commonsight.collect.desk import Desk
from commonsight.errors import StorageUnavailable
from commonsight.web.collect import owner_pages
from commonsight.web.site import HEADERS


def _fails(error: Exception) -> Any:
    def failing(*_: Any, **__: Any) -> None:
        raise error

    return failing


def test_a_database_that_is_away(
    app: FastAPI, busy: Busy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    olga = Visitor(app, "olga")
    told = "The database postgresql://someone@db.internal/x cannot be used (disk full)."
    monkeypatch.setattr(browsing, "records", _fails(StorageUnavailable(told)))
    page = olga.get(f"/campaigns/{busy.campaign_id}/records")
    program = olga.get(f"/api/campaigns/{busy.campaign_id}/records")
    for answer in (page, program):
        assert answer.status_code == 503
        assert "Nothing was saved" in answer.text
        assert "db.internal" not in answer.text
        assert answer.headers["retry-after"] == "30"
    assert "db.internal" in caplog.text, "the owner finds it in the log"


def test_a_closed_database_is_told_the_same_way(
    app: FastAPI, busy: Busy, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    olga = Visitor(app, "olga")
    monkeypatch.setattr(desk.database, "write", _fails(StorageUnavailable("The database is full.")))
    answer = olga.fill(f"/campaigns/{busy.campaign_id}/state", state="paused")
    assert answer.status_code == 503


def test_a_fault_of_ours_shows_nothing(
    app: FastAPI, busy: Busy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    olga = Visitor(app, "olga")
    monkeypatch.setattr(owner_pages, "status", _fails(ZeroDivisionError("secret detail")))
    monkeypatch.setattr(quality, "workers", _fails(ZeroDivisionError("secret detail")))
    for path in (f"/campaigns/{busy.campaign_id}/", f"/api/campaigns/{busy.campaign_id}/workers"):
        answer = olga.get(path)
        assert answer.status_code == 500
        assert "Something went wrong on our side" in answer.text
        for word in ("secret detail", "Traceback", "ZeroDivision", ".py"):
            assert word not in answer.text
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, "the safe headers are there too"


@pytest.mark.parametrize("path", ["/nowhere", "/static/nothing.css", "/campaigns/1/nothing", "/work"])
def test_addresses_that_lead_nowhere(app: FastAPI, path: str) -> None:
    answer = Visitor(app, "ann").get(path)
    assert answer.status_code == 404
    assert "There is nothing here" in answer.text


@pytest.mark.parametrize(
    "path",
    ["/static/../site.py", "/static/..%2fsite.py", "/static/%2e%2e/site.py", "/static//etc/passwd",
     "/static/..%5csite.py", "/pictures/../collect.sqlite", "/pictures/..%2fcollect.sqlite",
     "/pictures/%2e%2e%2fcollect.sqlite", "/pictures/collect.sqlite", "/pictures/%00",
     "/pictures/%2fetc%2fpasswd"],
)  # fmt: skip
@pytest.mark.usefixtures("busy")
def test_no_path_leads_out_of_its_folder(app: FastAPI, path: str) -> None:
    answer = Visitor(app, "wim").get(path)
    assert answer.status_code in (404, 422)
    assert "SQLite format" not in answer.text
    assert "root:" not in answer.text


def test_a_picture_is_shown_as_what_it_is(app: FastAPI, busy: Busy) -> None:
    answer = Visitor(app, "wim").get(f"/pictures/{busy.picture}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert Visitor(app).get(f"/pictures/{busy.picture}").status_code == 303


def test_other_methods_are_refused_and_change_nothing(app: FastAPI, busy: Busy, desk: Desk) -> None:
    olga = Visitor(app, "olga")
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        path = f"/campaigns/{busy.campaign_id}/state?state=finished"
        answer = olga.request(method, path, headers={"csrf": olga.csrf})
        assert answer.status_code == 405
    assert quality.workers(desk, busy.campaign_id)
    assert olga.post(f"/campaigns/{busy.campaign_id}/state", data={"state": "finished"}).status_code == 403


def test_every_page_has_the_strict_policy(app: FastAPI, busy: Busy) -> None:
    policy = Visitor(app, "olga").get(f"/campaigns/{busy.campaign_id}/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy

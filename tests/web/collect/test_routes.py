"""Who may come in where: every route of the app against every kind of person, by one table.

A route that is not in the table fails the test, so that none is added without saying who it is for.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from busy import Busy
from fastapi import FastAPI
from people import HandClock, campaign, worker
from visitors import Visitor

from commonsight.collect import invitations
from commonsight.collect.desk import Desk
from commonsight.web.collect.access import guard

EVERYONE = frozenset({"nobody", "stranger", "worker", "reviewer", "owner"})
ACCOUNT = EVERYONE - {"nobody"}
MEMBER = ACCOUNT - {"stranger"}
REVIEWER = frozenset({"reviewer", "owner"})
OWNER = frozenset({"owner"})
HOLDER = frozenset({"worker"})
"""Of a piece of work: `wim`, who is the worker here, holds it."""
NAMES = {"stranger": "sam", "worker": "wim", "reviewer": "rob", "owner": "olga"}


AT_THE_DOOR = {("POST", "/sign-in"), ("POST", "/sign-out"), ("POST", "/account/end-all")}
"""Where the way to the door is the answer, and not a refusal."""


class Rule(NamedTuple):
    """Who is let in, and what is sent to find out."""

    who: frozenset[str]
    sent: dict[str, Any] | None = None
    query: str = ""


C, A = "/campaigns/{campaign_id}", "/api/campaigns/{campaign_id}"
WORK, MINE = "/work/{campaign_id}/{assignment_id}", "/api/work/{assignment_id}"
VOTE = {"answers": {"good": "yes"}}

TABLE: dict[tuple[str, str], Rule] = {
    ("GET", "/openapi.json"): Rule(EVERYONE),
    ("GET", "/static/{name}"): Rule(EVERYONE),
    ("GET", "/sign-in"): Rule(EVERYONE),
    ("POST", "/sign-in"): Rule(EVERYONE, {"name": "wim", "password": "wrong"}),
    ("GET", "/join/{token}"): Rule(EVERYONE),
    ("POST", "/join/{token}"): Rule(EVERYONE, {"how": "new", "name": "new", "password": "short"}),
    ("GET", "/"): Rule(ACCOUNT),
    ("POST", "/sign-out"): Rule(ACCOUNT, {}),
    ("GET", "/account"): Rule(ACCOUNT),
    ("POST", "/account/password"): Rule(ACCOUNT, {"old": "x", "new": "y", "again": "z"}),
    ("POST", "/account/end-all"): Rule(ACCOUNT, {}),
    # A worker's pages
    ("GET", "/work/{campaign_id}"): Rule(MEMBER),
    ("GET", "/work/{campaign_id}/rest"): Rule(MEMBER),
    ("GET", WORK): Rule(HOLDER),
    ("POST", WORK): Rule(HOLDER, {"do": "hand-in", "key": "k"}),
    ("PUT", f"{WORK}/draft"): Rule(HOLDER, {"question": "Why"}),
    ("POST", f"{WORK}/renew"): Rule(HOLDER, {}),
    ("POST", f"{WORK}/back"): Rule(HOLDER, {}),
    ("POST", f"{WORK}/undo"): Rule(HOLDER, {}),
    ("POST", f"{WORK}/check"): Rule(HOLDER, {"question": "Why"}),
    ("GET", f"{WORK}/similar"): Rule(HOLDER, query="?field=question&text=Why"),
    ("POST", f"{WORK}/comments"): Rule(HOLDER, {"text": "Hm."}),
    ("GET", "/pictures/{name}"): Rule(MEMBER),
    ("GET", f"{C}/guide/{{stage}}"): Rule(MEMBER),
    ("GET", "/exam/{campaign_id}/{name}"): Rule(MEMBER),
    ("POST", "/exam/{campaign_id}/{name}"): Rule(MEMBER, {"sky": "no"}),
    ("PUT", "/exam/{campaign_id}/{name}/draft"): Rule(MEMBER, {"sky": "no"}),
    # A reviewer's
    ("GET", f"{C}/"): Rule(REVIEWER),
    ("GET", f"{C}/live"): Rule(REVIEWER),
    ("GET", f"{C}/exams"): Rule(REVIEWER),
    ("POST", f"{C}/exams/{{try_id}}"): Rule(REVIEWER, {"verdict": "failed"}),
    ("GET", f"{C}/disputes"): Rule(REVIEWER),
    ("GET", f"{C}/disputes/{{task_id}}"): Rule(REVIEWER),
    ("POST", f"{C}/disputes/{{task_id}}"): Rule(REVIEWER, {"good": "yes"}),
    ("GET", f"{C}/records"): Rule(REVIEWER),
    ("GET", f"{C}/records/{{record_id}}"): Rule(REVIEWER),
    ("POST", f"{C}/records/{{record_id}}/report"): Rule(REVIEWER, {"text": "Wrong."}),
    ("GET", f"{C}/errata"): Rule(REVIEWER),
    ("POST", f"{C}/errata/{{erratum_id}}"): Rule(REVIEWER, {"action": "removed"}),
    ("GET", f"{C}/comments"): Rule(REVIEWER),
    ("GET", f"{C}/tasks/{{task_id}}"): Rule(REVIEWER),
    ("POST", f"{C}/tasks/{{task_id}}/comments"): Rule(REVIEWER, {"text": "Hm."}),
    # An owner's
    ("GET", f"{C}/workers"): Rule(OWNER),
    ("POST", f"{C}/workers/{{user_id}}/out"): Rule(OWNER, {"reason": "Why not."}),
    ("POST", f"{C}/workers/{{user_id}}/readmit"): Rule(OWNER, {}),
    ("POST", f"{C}/samples"): Rule(OWNER, {}),
    ("POST", f"{C}/round"): Rule(OWNER, {}),
    ("GET", f"{C}/invitations"): Rule(OWNER),
    ("POST", f"{C}/invitations"): Rule(OWNER, {"role": "owner"}),
    ("POST", f"{C}/invitations/{{invitation_id}}/take-back"): Rule(OWNER, {}),
    ("GET", f"{C}/pay"): Rule(OWNER),
    ("GET", f"{C}/pay.csv"): Rule(OWNER),
    ("POST", f"{C}/pay"): Rule(OWNER, {}),
    ("GET", f"{C}/events"): Rule(OWNER),
    ("GET", f"{C}/settings"): Rule(OWNER),
    ("POST", f"{C}/settings"): Rule(OWNER, {"set.most_bad": "4"}),
    ("POST", f"{C}/state"): Rule(OWNER, {"state": "finished"}),
    ("POST", f"{C}/limits"): Rule(OWNER, {"budget": "9"}),
    ("GET", f"{C}/export"): Rule(OWNER),
    ("GET", f"{C}/export/{{kind}}"): Rule(OWNER),
    # The API
    ("POST", "/api/sign-in"): Rule(EVERYONE, {"name": "wim", "password": "correct horse battery"}),
    ("POST", "/api/accounts"): Rule(EVERYONE, {"invitation": "x", "name": "new", "password": "x"}),
    ("POST", "/api/sign-out"): Rule(ACCOUNT),
    ("GET", "/api/me"): Rule(ACCOUNT),
    ("POST", "/api/join"): Rule(ACCOUNT, {"invitation": "x"}),
    ("POST", f"{A}/work"): Rule(MEMBER, {}),
    ("GET", f"{A}/waiting"): Rule(MEMBER),
    ("GET", MINE): Rule(HOLDER),
    ("PUT", f"{MINE}/draft"): Rule(HOLDER, {"draft": {}}),
    ("POST", f"{MINE}/renew"): Rule(HOLDER),
    ("POST", f"{MINE}/back"): Rule(HOLDER),
    ("POST", f"{MINE}/check"): Rule(HOLDER, {"draft": {}}),
    ("POST", f"{MINE}/hand-in"): Rule(HOLDER, {"answers": {"question": "Why is it so?"}, "key": "k"}),
    ("POST", f"{MINE}/undo"): Rule(HOLDER),
    ("GET", f"{A}/exams/{{name}}"): Rule(MEMBER),
    ("POST", f"{A}/exams/{{name}}"): Rule(MEMBER, {"answers": {}}),
    ("PUT", f"{A}/exams/{{name}}/draft"): Rule(MEMBER, {"draft": {}}),
    ("GET", f"{A}/status"): Rule(OWNER),
    ("GET", f"{A}/agreement"): Rule(REVIEWER),
    ("GET", f"{A}/workers"): Rule(OWNER),
    ("POST", f"{A}/workers/{{user_id}}/out"): Rule(OWNER, {"reason": "Why not."}),
    ("POST", f"{A}/workers/{{user_id}}/readmit"): Rule(OWNER),
    ("POST", f"{A}/rounds"): Rule(OWNER),
    ("PUT", f"{A}/state"): Rule(OWNER, {"state": "finished"}),
    ("PATCH", f"{A}/settings"): Rule(OWNER, {"most_bad": 4}),
    ("GET", f"{A}/invitations"): Rule(OWNER),
    ("POST", f"{A}/invitations"): Rule(OWNER, {"role": "owner"}),
    ("DELETE", f"{A}/invitations/{{invitation_id}}"): Rule(OWNER),
    ("GET", f"{A}/pay"): Rule(OWNER),
    ("POST", f"{A}/pay"): Rule(OWNER, {}),
    ("GET", f"{A}/events"): Rule(OWNER),
    ("GET", f"{A}/export/{{kind}}"): Rule(OWNER),
    ("GET", f"{A}/disputes"): Rule(REVIEWER),
    ("POST", f"{A}/disputes/{{task_id}}"): Rule(REVIEWER, VOTE),
    ("GET", f"{A}/exam-tries"): Rule(REVIEWER),
    ("POST", f"{A}/exam-tries/{{try_id}}"): Rule(REVIEWER, {"verdict": "failed"}),
    ("GET", f"{A}/records"): Rule(REVIEWER),
    ("GET", f"{A}/records/{{record_id}}"): Rule(REVIEWER),
    ("GET", f"{A}/errata"): Rule(REVIEWER),
    ("POST", f"{A}/errata"): Rule(MEMBER, {"record_key": "p4/vote", "text": "Wrong."}),
    ("POST", f"{A}/errata/{{erratum_id}}"): Rule(REVIEWER, {"action": "removed"}),
    ("GET", f"{A}/tasks/{{task_id}}/comments"): Rule(REVIEWER),
    ("POST", f"{A}/tasks/{{task_id}}/comments"): Rule(REVIEWER, {"text": "Hm."}),
}


def routes(router: Any) -> Iterator[tuple[str, str, Any]]:
    """Every method and path that the app answers to, whatever it is nested in."""
    for route in router.routes:
        if hasattr(route, "original_router"):
            yield from routes(route.original_router)
        else:
            yield from ((method, route.path, route) for method in sorted(route.methods - {"HEAD"}))


def address(path: str, busy: Busy, token: str) -> str:
    """The path with numbers of things that are there."""
    named = {
        "name": "start" if "exam" in path else busy.picture if "pictures" in path else "base.css",
        "token": token, "campaign_id": busy.campaign_id, "assignment_id": busy.held,
        "task_id": busy.disputed, "record_id": busy.record, "erratum_id": busy.erratum,
        "try_id": busy.exam_try, "user_id": busy.users["ada"], "stage": "write", "invitation_id": "none",
        "kind": "dataset.zip",
    }  # fmt: skip
    return path.format(**named)


def ask(visitor: Visitor, method: str, path: str, rule: Rule) -> Any:
    """As a page or a program of theirs would ask."""
    options: dict[str, Any] = {}
    if method != "GET":
        options["headers"] = {"csrf": visitor.csrf}
        if rule.sent is not None:
            options["json" if path.startswith("/api/") else "data"] = rule.sent
    return visitor.request(method, path + rule.query, **options)


def visitor_of(app: FastAPI, role: str) -> Visitor:
    """Someone of this kind."""
    visitor = Visitor(app, NAMES.get(role, ""))
    if role == "nobody":
        visitor.look("/sign-in")
    return visitor


def is_let_in(answer: Any) -> bool:
    """Whether they got to the thing itself, whatever it then said of what was sent."""
    assert answer.status_code < 500, answer.text
    assert answer.status_code != 405
    to_the_door = answer.status_code == 303 and answer.headers["location"].startswith("/sign-in")
    return not to_the_door and answer.status_code not in (401, 403, 404)


def test_every_route_is_in_the_table(built_app: FastAPI) -> None:
    found = {(method, path) for method, path, _ in routes(built_app)}
    assert found - set(TABLE) == set(), "say in TABLE who these are for"
    assert set(TABLE) - found == set(), "these are no more"


def test_the_guard_stands_before_every_route(built_app: FastAPI) -> None:
    """All routes that change something hang below the one router that has it."""
    guarded = [
        route for route in built_app.routes
        if hasattr(route, "original_router")
        and any(each.dependency is guard for each in route.original_router.dependencies)
    ]  # fmt: skip
    below = {(method, path) for each in guarded for method, path, _ in routes(each.original_router)}
    unsafe = {(method, path) for method, path in TABLE if method != "GET"}
    assert unsafe <= below


@pytest.fixture
def token(busy: Busy, desk: Desk) -> str:
    """An invitation to the campaign."""
    return invitations.invite(desk, busy.campaign_id, "worker")


@pytest.mark.parametrize("role", sorted(EVERYONE))
def test_who_is_not_meant_is_kept_out(app: FastAPI, busy: Busy, token: str, role: str) -> None:
    visitor = visitor_of(app, role)
    for (method, path), rule in TABLE.items():
        if role in rule.who:
            continue
        answer = ask(visitor, method, address(path, busy, token), rule)
        assert not is_let_in(answer), (method, path, answer.status_code)
        if role == "nobody":
            assert answer.status_code == (401 if path.startswith("/api/") else 303), (method, path)
        elif role == "stranger" and "{campaign_id}" in path:
            assert answer.status_code == 404, (method, path)
            assert "Cups" not in answer.text


@pytest.mark.parametrize("role", sorted(EVERYONE))
def test_who_is_meant_is_let_in(
    app: FastAPI, busy: Busy, token: str, role: str, clock: HandClock, tmp_path: Path
) -> None:
    """Each on the campaign as it was, since some of these change it for good."""
    desk = app.state.desk
    desk.database.close()
    kept = tmp_path / "kept.sqlite"
    shutil.copy(tmp_path / "collect.sqlite", kept)
    now, visitor = clock.now, visitor_of(app, role)
    for (method, path), rule in sorted(TABLE.items()):  # GET comes first
        if role not in rule.who:
            continue
        if method != "GET":
            desk.database.close()
            shutil.copy(kept, tmp_path / "collect.sqlite")
            clock.now, visitor = now, visitor_of(app, role)
        answer = ask(visitor, method, address(path, busy, token), rule)
        let_in = is_let_in(answer) or (method, path) in AT_THE_DOOR
        assert let_in, (method, path, answer.status_code, answer.text[-300:])


def test_things_of_another_campaign_are_not_found(app: FastAPI, busy: Busy, desk: Desk, token: str) -> None:
    """An owner elsewhere who names our numbers in their own campaign's addresses learns nothing."""
    other = campaign(desk, "elsewhere")
    worker(desk, other, "olaf", role="owner", passed=["start"])
    olaf = Visitor(app, "olaf")
    far = 10**6
    nowhere = Busy(other, "none.png", far, far, far, far, far, far, {"ada": far})
    inside = ("{task_id}", "{record_id}", "{erratum_id}", "{try_id}", "{user_id}", "{assignment_id}")
    for (method, path), rule in TABLE.items():
        if not any(part in path for part in inside):
            continue
        ours = address(path, busy._replace(campaign_id=other), token)
        answer = ask(olaf, method, ours, rule)
        assert answer.status_code in (403, 404), (method, path, answer.status_code)
        missing = ask(olaf, method, address(path, nowhere, token), rule)
        assert missing.status_code == answer.status_code, (method, path)

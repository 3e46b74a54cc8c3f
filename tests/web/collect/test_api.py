"""The same verbs as JSON: a program can do all that people do, under the same rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from busy import Busy
from fastapi import FastAPI
from people import PASSWORD, HandClock, person
from visitors import Visitor

from commonsight.collect import invitations
from commonsight.collect.desk import Desk


class Program(Visitor):
    """A program that signed in by the API; it has no cookie."""

    def __init__(self, app: Any, name: str = "") -> None:
        super().__init__(app)
        if name:
            person(app.state.desk, name)
            answer = self.post("/api/sign-in", json={"name": name, "password": PASSWORD})
            assert answer.status_code == 200, answer.text
            self.headers["authorization"] = f"Bearer {answer.json()['token']}"

    def ask(self, method: str, path: str, sent: Any = None, status: int = 200) -> Any:
        """What the answer holds, if it is as expected."""
        answer = self.request(method, path, json=sent)
        assert answer.status_code == status, (answer.status_code, answer.text)
        return answer.json() if answer.content else None


@pytest.fixture
def at(busy: Busy) -> str:
    return f"/api/campaigns/{busy.campaign_id}"


@pytest.mark.usefixtures("busy")
def test_signing_in_gives_a_token_and_no_cookie(app: FastAPI) -> None:
    program = Program(app, "wim")
    assert program.secret is None
    me = program.ask("GET", "/api/me")
    assert (me["name"], me["campaigns"][0]["role"]) == ("wim", "worker")
    program.ask("POST", "/api/sign-out", status=204)
    program.ask("GET", "/api/me", status=401)


@pytest.mark.usefixtures("busy")
def test_signing_in_wrongly(app: FastAPI) -> None:
    program = Program(app)
    for name in ("wim", "nobody-here"):
        answer = program.post("/api/sign-in", json={"name": name, "password": "wrong password"})
        assert answer.status_code == 401
        assert answer.json() == {"detail": "This name and this password do not go together. Try again."}
    codes = [
        program.post("/api/sign-in", json={"name": "wim", "password": "x"}).status_code for _ in range(10)
    ]
    assert codes[-1] == 429


def test_coming_by_an_invitation(app: FastAPI, desk: Desk, busy: Busy) -> None:
    program = Program(app)
    sent = {"invitation": "nonsense", "name": "max", "password": PASSWORD}
    assert program.ask("POST", "/api/accounts", sent, 409)["code"] == "invitation-false"
    sent["invitation"] = invitations.invite(desk, busy.campaign_id, "worker")
    made = program.ask("POST", "/api/accounts", sent, 201)
    assert made["campaign_id"] == busy.campaign_id
    program.headers["authorization"] = f"Bearer {made['token']}"
    assert program.ask("GET", "/api/me")["campaigns"][0]["role"] == "worker"
    again = {"invitation": invitations.invite(desk, busy.campaign_id, "owner")}
    program.ask("POST", "/api/join", again)
    assert program.ask("GET", "/api/me")["campaigns"][0]["role"] == "owner"


def test_a_piece_of_work_from_taking_to_undoing(app: FastAPI, at: str, clock: HandClock) -> None:
    program = Program(app, "ada")
    assert set(program.ask("GET", f"{at}/waiting")) == {"write", "vote"}
    work = program.ask("POST", f"{at}/work", {"stage": "vote"})
    mine = f"/api/work/{work['assignment_id']}"
    assert program.ask("GET", mine)["payload"] == work["payload"]
    clock.pass_seconds(60)
    assert program.ask("POST", f"{mine}/renew")["ends_at"] > work["ends_at"]
    program.ask("PUT", f"{mine}/draft", {"draft": {"good": "no"}})
    assert program.ask("GET", mine)["draft"] == {"good": "no"}
    wrong = program.ask("POST", f"{mine}/hand-in", {"answers": {"good": "maybe"}, "key": "mine"}, 422)
    assert [told["field"] for told in wrong["complaints"]] == ["good"]
    sent = {"answers": {"good": "yes"}, "key": "mine", "seconds": 3.5}
    handed = program.ask("POST", f"{mine}/hand-in", sent)
    assert handed == {"assignment_id": work["assignment_id"], "earned": 200, "gold": None}
    assert program.ask("POST", f"{mine}/hand-in", sent) == handed
    Program(app, "eve").ask("GET", mine, status=403)
    program.ask("POST", f"{mine}/undo", status=204)
    assert program.ask("GET", mine)["draft"] == {"good": "yes"}


def test_giving_work_back(app: FastAPI, busy: Busy, at: str) -> None:
    program = Program(app, "wim")
    work = program.ask("POST", f"{at}/work", {})
    assert work["assignment_id"] == busy.held
    program.ask("POST", f"/api/work/{busy.held}/back", status=204)
    program.ask("GET", f"/api/work/{busy.held}", status=409)


def test_sitting_an_exam(app: FastAPI, desk: Desk, busy: Busy, at: str) -> None:
    program = Program(app, "max")
    token = invitations.invite(desk, busy.campaign_id, "worker")
    program.ask("POST", "/api/join", {"invitation": token})
    assert program.ask("POST", f"{at}/work", {"stage": "vote"}, 409)["code"] == "exam:start"
    result = program.ask("POST", f"{at}/exams/start", {"answers": {"sky": "yes", "why": "it just is"}})
    assert result == {"state": "waiting", "share": 1.0}
    reviewer = Program(app, "rob")
    papers = reviewer.ask("GET", f"{at}/exam-tries")
    assert [(one["name"], one["exam"]) for one in papers] == [("newt", "start"), ("max", "start")]
    reviewer.ask("POST", f"{at}/exam-tries/{papers[1]['try_id']}", {"verdict": "passed"}, 204)
    assert program.ask("POST", f"{at}/work", {"stage": "vote"})["stage"] == "vote"
    reviewer.ask("POST", f"{at}/exam-tries/{papers[1]['try_id']}", {"verdict": "passed"}, 404)


def test_what_an_owner_sees(app: FastAPI, at: str) -> None:
    owner = Program(app, "olga")
    status = owner.ask("GET", f"{at}/status")
    assert (status["name"], status["records"], status["disputes"]) == ("Cups & people", 2, 1)
    (agreement,) = owner.ask("GET", f"{at}/agreement")
    assert (agreement["field"], agreement["agreement"]["items"]) == ("good", 3)
    workers = {one["name"]: one for one in owner.ask("GET", f"{at}/workers")}
    assert (workers["wim"]["given"], workers["wim"]["role"]) == (5, "worker")
    assert sum(one["owed"] for one in owner.ask("GET", f"{at}/pay")) == status["estimate"]["spent"]
    events = owner.ask("GET", f"{at}/events?kind=record&most=1")
    assert [event["kind"] for event in events] == ["record"]


def test_what_an_owner_does(app: FastAPI, busy: Busy, at: str) -> None:
    owner, wim = Program(app, "olga"), busy.users["wim"]
    owner.ask("PUT", f"{at}/state", {"state": "paused"}, 204)
    assert owner.ask("GET", f"{at}/status")["state"] == "paused"
    owner.ask("PUT", f"{at}/state", {"state": "running"}, 204)
    owner.ask("PATCH", f"{at}/settings", {"most_bad": 5}, 204)
    told = owner.ask("PATCH", f"{at}/settings", {"most_bad": "many"}, 422)
    assert "most_bad" in told["detail"]
    owner.ask("POST", f"{at}/workers/{wim}/out", {"reason": "Too fast."}, 204)
    assert Program(app, "wim").ask("POST", f"{at}/work", {}, 403)["code"] == "out"
    owner.ask("POST", f"{at}/workers/{wim}/readmit", status=204)
    owner.ask("POST", f"{at}/rounds")
    paid = owner.ask("POST", f"{at}/pay", {"reason": "week 1"})
    assert {one["name"] for one in paid} == {"ada", "eve", "wim"}
    assert owner.ask("POST", f"{at}/pay", {}) == []
    token = owner.ask("POST", f"{at}/invitations", {"role": "reviewer"}, 201)["invitation"]
    (waiting,) = owner.ask("GET", f"{at}/invitations")
    assert (waiting["token"], waiting["role"]) == (token, "reviewer")
    owner.ask("DELETE", f"{at}/invitations/{waiting['id']}", status=204)
    assert owner.ask("GET", f"{at}/invitations") == []


def test_what_a_reviewer_does(app: FastAPI, busy: Busy, at: str) -> None:
    reviewer = Program(app, "rob")
    (dispute,) = reviewer.ask("GET", f"{at}/disputes")
    assert dispute["said"] == [{"good": "yes"}, {"good": "no"}]
    path = f"{at}/disputes/{dispute['task_id']}"
    assert reviewer.ask("POST", path, {"answers": {}}, 422)["complaints"][0]["field"] == "good"
    reviewer.ask("POST", path, {"answers": {"good": "yes"}}, 204)
    assert len(reviewer.ask("GET", f"{at}/records?search=question")) == 3
    record = reviewer.ask("GET", f"{at}/records/{busy.record}")
    (fault,) = reviewer.ask("GET", f"{at}/errata")
    assert fault["record_key"] == record["key"]
    mended = {"action": "fixed", "data": {"question": "Who put the other cup there?"}}
    reviewer.ask("POST", f"{at}/errata/{fault['id']}", mended, 204)
    assert reviewer.ask("GET", f"{at}/records/{busy.record}")["version"] == 2
    sent = {"record_key": record["key"], "text": "Still wrong."}
    assert Program(app, "wim").ask("POST", f"{at}/errata", sent, 201)["id"] != fault["id"]
    reviewer.ask("POST", f"{at}/tasks/{busy.task}/comments", {"text": "I see it."}, 201)
    said = reviewer.ask("GET", f"{at}/tasks/{busy.task}/comments")
    assert [one["text"] for one in said] == ["The cup is hard to see.", "I see it."]


def test_a_browser_must_send_its_token_here_too(app: FastAPI, at: str) -> None:
    olga = Visitor(app, "olga")
    assert olga.get(f"{at}/status").status_code == 200
    assert olga.put(f"{at}/state", json={"state": "paused"}).status_code == 403
    sent = {"csrf": olga.csrf}
    assert olga.put(f"{at}/state", json={"state": "paused"}, headers=sent).status_code == 204
    elsewhere = sent | {"origin": "http://evil.example"}
    assert olga.put(f"{at}/state", json={"state": "running"}, headers=elsewhere).status_code == 403


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_text_that_cannot_be_kept_is_refused(app: FastAPI, busy: Busy, at: str, text: str) -> None:
    body, kind = json.dumps({"text": text}), {"content-type": "application/json"}
    answer = Program(app, "rob").post(f"{at}/tasks/{busy.task}/comments", content=body, headers=kind)
    assert answer.status_code == 422
    assert "cannot be kept" in answer.json()["detail"]


def test_bodies_that_are_no_json_are_told(app: FastAPI, busy: Busy, at: str) -> None:
    program = Program(app, "rob")
    kind = {"content-type": "application/json"}
    for body in (b"{", b"[" * 100_000, b"\xff\xfe", b"", b'"x"'):
        answer = program.post(f"{at}/tasks/{busy.task}/comments", content=body, headers=kind)
        assert answer.status_code in (400, 422), body[:10]
        assert isinstance(answer.json()["detail"], str)


def test_the_schema_is_of_the_api_alone(app: FastAPI) -> None:
    paths = Visitor(app).get("/openapi.json").json()["paths"]
    assert paths
    assert all(path.startswith("/api/") for path in paths)

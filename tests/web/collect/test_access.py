"""A change must come from a page of ours and carry its token; what other campaigns have is not even there."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from fastapi import FastAPI
from hypothesis import example, given
from hypothesis import strategies as st
from people import PASSWORD, campaign, person, worker
from visitors import Visitor

from commonsight.collect import accounts
from commonsight.collect.desk import Desk
from commonsight.web.collect.access import COOKIE, local_path


@given(st.text() | st.text(alphabet="/\\.:@?#\t\n\r eh", max_size=12).map(lambda end: "/" + end))
@example("/%5c%5cevil.example")
@example("/ok?next=//evil.example#x")
def test_a_local_path_never_leads_elsewhere(path: str) -> None:
    found = urlsplit(urljoin("http://ours.example/sign-in", local_path(path)))
    assert (found.scheme, found.netloc) == ("http", "ours.example")
    assert local_path(path).isascii()
    assert local_path(path).isprintable()


@pytest.mark.parametrize("path", ["/", "/work/1", "/campaigns/1/records?search=a%20b&page=2"])
def test_a_local_path_stays_as_it_is(path: str) -> None:
    assert local_path(path) == path


def _try(visitor: Visitor, token: str | None, **headers: str) -> int:
    fields = {"old": "a", "new": "b", "again": "c"} | ({} if token is None else {"csrf": token})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    code: int = visitor.post("/account/password", data=fields, headers=named).status_code
    return code


THROUGH = 422
"""The form was looked at: its two passwords are not the same."""


def test_the_token_is_needed(app: FastAPI) -> None:
    ann, bob = Visitor(app, "ann"), Visitor(app, "bob")
    assert _try(ann, ann.csrf) == THROUGH
    assert _try(ann, None) == 403
    assert _try(ann, "") == 403
    assert _try(ann, "é\U0001f600") == 403
    assert _try(ann, bob.csrf) == 403
    assert _try(ann, ann.csrf[:-1]) == 403
    assert _try(ann, None, csrf=ann.csrf) == THROUGH
    assert _try(ann, None, csrf="wrong") == 403


def test_the_token_in_the_address_does_not_count(app: FastAPI) -> None:
    ann = Visitor(app, "ann")
    assert ann.post(f"/account/end-all?csrf={ann.csrf}").status_code == 403


@pytest.mark.parametrize(
    ("headers", "through"),
    [
        ({"origin": "http://127.0.0.1"}, True),
        ({"origin": "http://127.0.0.1", "sec_fetch_site": "same-origin"}, True),
        ({"sec_fetch_site": "none"}, True),
        ({"origin": "null"}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "http://127.0.0.1.evil.example"}, False),
        ({"origin": "http://127.0.0.1:9"}, False),
        ({"sec_fetch_site": "cross-site"}, False),
        ({"sec_fetch_site": "same-site"}, False),
        ({"origin": "http://127.0.0.1", "sec_fetch_site": "cross-site"}, False),
    ],
)
def test_other_sites_are_refused_even_with_the_token(
    app: FastAPI, headers: dict[str, str], through: bool
) -> None:
    ann = Visitor(app, "ann")
    assert _try(ann, ann.csrf, **headers) == (THROUGH if through else 403)


def test_the_door_has_a_token_too(app: FastAPI, desk: Desk) -> None:
    """Nobody is signed in as someone else by another site's form."""
    person(desk, "ann")
    form = {"name": "ann", "password": PASSWORD}
    visitor = Visitor(app)
    assert visitor.post("/sign-in", data=form).status_code == 403
    visitor.look("/sign-in")
    assert visitor.post("/sign-in", data=form).status_code == 403
    other = Visitor(app)
    other.look("/sign-in")
    assert visitor.post("/sign-in", data=form | {"csrf": other.csrf}).status_code == 403
    assert visitor.secret is None
    assert visitor.fill("/sign-in", **form).status_code == 303


def test_a_page_of_a_session_that_ended_leads_to_the_door(app: FastAPI, desk: Desk) -> None:
    visitor = Visitor(app, "ann")
    accounts.sign_out(desk, visitor.secret or "")
    answer = visitor.fill("/account/password", old="a", new="b", again="b")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")


def test_an_account_that_is_disabled_is_out_at_once(app: FastAPI, desk: Desk) -> None:
    visitor = Visitor(app, "ann")
    accounts.disable(desk, "ann")
    assert visitor.get("/account").status_code == 303


@pytest.mark.parametrize("secret", ["", "x", "é", "\udc80", "a" * 5000, "'; DROP TABLE users; --"])
def test_nonsense_in_the_cookie_is_nobody(app: FastAPI, secret: str) -> None:
    visitor = Visitor(app)
    cookie = f"{COOKIE}={secret}".encode("utf-8", "surrogateescape")
    answer = visitor.get("/account", headers={b"cookie": cookie})  # type: ignore[dict-item]
    assert answer.status_code == 303


def test_null_bytes_are_refused_before_they_reach_the_database(app: FastAPI) -> None:
    ann = Visitor(app, "ann")
    answer = ann.fill("/account/password", old="a\0b", new="b", again="b")
    assert answer.status_code == 422
    assert "cannot be kept" in answer.text
    assert ann.get("/sign-in?next=%00").status_code == 422


def test_a_secret_in_a_header_counts_only_for_programs(app: FastAPI) -> None:
    ann = Visitor(app, "ann")
    stranger = Visitor(app)
    answer = stranger.get("/account", headers={"authorization": f"Bearer {ann.secret}"})
    assert answer.status_code == 303


def test_other_campaigns_are_not_there(app: FastAPI, desk: Desk) -> None:
    worker(desk, campaign(desk, "mine"), "ann")
    other = campaign(desk, "not mine")
    ann = Visitor(app, "ann")
    there, nowhere = ann.get(f"/campaigns/{other}/"), ann.get("/campaigns/999999/")
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert there.text == nowhere.text
    for strange in (0, -1, 2**70, "abc", "1e3"):
        assert ann.get(f"/campaigns/{strange}/").status_code in (404, 422)


def test_pages_are_not_kept_by_browsers(app: FastAPI) -> None:
    assert Visitor(app, "ann").get("/account").headers["cache-control"] == "no-store"


def test_other_names_for_this_machine_are_turned_away(app: FastAPI) -> None:
    answer = Visitor(app, base_url="http://rebound.example").get("/sign-in")
    assert answer.status_code == 400

"""A worker's pages by plain forms, on both databases: taking, handing in once, undoing, skipping, drafts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from at_work import check_books, rows
from desks import database_url, desk, postgres, prepared_file
from every_kind import ANSWERS, EVERY_KIND, every_task
from fastapi import FastAPI
from page_forms import PageForm, form_to
from people import HandClock, campaign, worker
from sqlalchemy import select
from visitors import Visitor

from commonsight.collect.campaigns import set_state
from commonsight.collect.desk import Desk
from commonsight.collect.tables import Assignment, Comment, Entry

__all__ = ["database_url", "desk", "postgres", "prepared_file"]


@pytest.fixture
def app(app: FastAPI, desk: Desk) -> Iterator[FastAPI]:
    """The app with a protocol that asks everything."""
    app.state.desk = replace(desk, protocols={"every": EVERY_KIND})
    app.state.watcher = None
    yield app
    if hasattr(app.state, "similar"):
        del app.state.similar


class Site(NamedTuple):
    """A campaign with one task, and a worker at the door."""

    desk: Desk
    campaign: int
    ann: Visitor
    user: int


@pytest.fixture
def site(app: FastAPI) -> Site:
    """One task and one worker."""
    desk: Desk = app.state.desk
    campaign_id = campaign(desk, "first", "every")
    every_task(desk, campaign_id)
    user = worker(desk, campaign_id, "ann")
    return Site(desk, campaign_id, Visitor(app, "ann"), user)


def taken(site: Site, visitor: Visitor | None = None) -> str:
    """Take work; the address of its page."""
    response = (visitor or site.ann).get(f"/work/{site.campaign}")
    assert response.status_code == 303, response.text
    return str(response.headers["location"])


def filled(form: PageForm, **said: str | list[str]) -> dict[str, Any]:
    """What the page's form sends, with these fields filled in."""
    pairs: dict[str, Any] = {}
    for name, value in form.pairs:
        pairs.setdefault(name, []).append(value)
    return pairs | {name.replace("__", "."): value for name, value in said.items()}


SAID: dict[str, Any] = {
    "group__0__question": "Why is [person1] here?", "group__0__sure": "good", "premise": "0", "which": ["1"],
    "wrong__0": "a cat", "good": "yes", "do": "hand-in",
}  # fmt: skip


def test_work_is_taken_and_handed_in_by_a_plain_form(site: Site) -> None:
    at = taken(site)
    page = site.ann.look(at)
    assert "nobody sees this" not in page
    assert "<b>and</b>" not in page
    done = site.ann.post(at, data=filled(form_to(page, at), **SAID, seconds="12.5"))
    number = at.rpartition("/")[2]
    assert (done.status_code, done.headers["location"]) == (303, f"/work/{site.campaign}?after={number}")
    (assignment,) = rows(site.desk, Assignment)
    assert (assignment.state, assignment.answers, assignment.seconds) == ("given", ANSWERS, 12.5)
    told = site.ann.look(done.headers["location"])
    assert "Handed in. You earned $0.10." in told
    assert "Nothing to do at the moment" in told
    check_books(site.desk)


def test_a_form_that_is_sent_twice_counts_once(site: Site) -> None:
    at = taken(site)
    sent = filled(form_to(site.ann.look(at), at), **SAID)
    answers = [site.ann.post(at, data=sent) for _ in range(3)]
    assert {(each.status_code, each.headers["location"]) for each in answers} == {
        (303, f"/work/{site.campaign}?after={at.rpartition('/')[2]}")
    }
    assert [each.amount for each in rows(site.desk, Entry)] == [1000]
    later = site.ann.post(at, data=sent | {"key": "another"})
    assert later.status_code == 303
    assert len(rows(site.desk, Entry)) == 1
    check_books(site.desk)


def test_what_is_wrong_is_told_at_its_field_and_the_text_is_kept(site: Site) -> None:
    at = taken(site)
    sent = filled(form_to(site.ann.look(at), at), **SAID) | {"group.0.question": "Why [cat9]?", "good": "no"}
    answer = site.ann.post(at, data=sent)
    assert answer.status_code == 422
    assert "Why [cat9]?" in answer.text
    assert "2 things are not right yet" not in answer.text
    assert "3 things are not right yet" in answer.text
    assert 'href="#f-group-0-question">Question: Write at least 3 words; here there are 2.' in answer.text
    form = form_to(answer.text, at)
    assert dict(form.pairs)["key"] == sent["key"][0]
    assert ("good", "no") in form.pairs
    fixed = filled(form) | {"group.0.question": "Why is [dog2] here?", "why": "not at all"}
    assert site.ann.post(at, data=fixed).status_code == 303
    (assignment,) = rows(site.desk, Assignment)
    assert assignment.answers["why"] == "not at all"


def test_entries_are_added_and_removed_without_scripts(site: Site) -> None:
    at = taken(site)
    sent = filled(form_to(site.ann.look(at), at), **SAID)
    more = site.ann.post(at, data=sent | {"do": "add:group"})
    assert more.status_code == 200
    form = form_to(more.text, at)
    assert {"group.0", "group.1"} <= dict(form.pairs).keys()
    assert ("do", "remove:group.1") in form.buttons
    sent = filled(form) | {"group.1.question": "Who is [person3] then?", "group.1.sure": "poor"}
    more = site.ann.post(at, data=sent | {"do": "add:wrong"})
    assert {"wrong.0", "wrong.1"} <= dict(form_to(more.text, at).pairs).keys()
    fewer = site.ann.post(at, data=filled(form_to(more.text, at)) | {"do": "remove:group.0"})
    pairs = dict(form_to(fewer.text, at).pairs)
    assert pairs["group.0.question"] == "Who is [person3] then?"
    assert "group.1" not in pairs


def test_a_draft_is_kept_and_comes_back(site: Site) -> None:
    at = taken(site)
    site.ann.look(at)
    headers = {"csrf": site.ann.csrf}
    kept = site.ann.put(f"{at}/draft", data={"group.0.question": "Why is\r\nit"}, headers=headers)
    assert (kept.status_code, kept.json()) == (200, {"left": 600})
    assert dict(form_to(site.ann.look(at), at).pairs)["group.0.question"] == "Why is\r\nit"
    assert taken(site) == at, "what is held comes first"
    too_much = {f"group.{n}.question": "x" * 4_900 for n in range(100)}
    refused = site.ann.put(f"{at}/draft", data=too_much, headers=headers)
    assert refused.status_code == 422
    assert "too much" in refused.json()["detail"]


def test_a_lease_is_renewed_and_its_end_is_told(site: Site, clock: HandClock, app: FastAPI) -> None:
    at = taken(site)
    site.ann.look(at)
    headers = {"csrf": site.ann.csrf}
    clock.pass_seconds(500)
    assert site.ann.post(f"{at}/renew", headers=headers).json() == {"left": 600}
    clock.pass_seconds(700)
    worker(site.desk, site.campaign, "ben")
    assert taken(site, Visitor(app, "ben")) != at, "a closed tab returns the work"
    for method, path in (("put", "draft"), ("post", "renew")):
        answer = site.ann.request(method, f"{at}/{path}", headers=headers, data={"good": "yes"})
        assert (answer.status_code, answer.json()["code"]) == (409, "lease-over")
    page = site.ann.look(at)
    assert "The time for this ran out" in page
    late = site.ann.post(at, data=filled(form_to(page, at), **SAID))
    assert late.status_code == 409
    assert "Why is [person1] here?" in late.text
    assert "it went back to be done by others" in late.text


def test_work_is_skipped_and_comes_again_only_if_nothing_else_waits(site: Site) -> None:
    at = taken(site)
    site.ann.look(at)
    back = site.ann.fill(f"{at}/back")
    assert back.status_code == 303
    again = site.ann.get(back.headers["location"])
    assert "Nothing else waits for you" in site.ann.look(again.headers["location"])
    every_task(site.desk, site.campaign, "two")
    back = site.ann.fill(f"{at}/back")
    other = site.ann.get(back.headers["location"]).headers["location"]
    assert not other.startswith(at + "?")
    assert "Nothing else waits" not in site.ann.look(other)


def test_the_last_one_can_be_taken_back(site: Site) -> None:
    at = taken(site)
    sent = filled(form_to(site.ann.look(at), at), **SAID)
    told = site.ann.look(site.ann.post(at, data=sent).headers["location"])
    assert f'action="{at}/undo"' in told
    undone = site.ann.fill(f"{at}/undo")
    assert (undone.status_code, undone.headers["location"]) == (303, at)
    page = site.ann.look(at)
    assert ("good", "yes") in form_to(page, at).pairs
    stale = site.ann.post(at, data=sent)
    assert stale.status_code == 409, "the form of before was taken back; nothing is doubled"
    assert site.ann.post(at, data=filled(form_to(page, at), do="hand-in")).status_code == 303
    assert sum(each.amount for each in rows(site.desk, Entry)) == 1000
    check_books(site.desk)


class Warner:
    """Warns about whatever has the word cat in it."""

    def look(self, _: int, __: str, ___: Any, answers: Any) -> list[Any]:
        from commonsight.runs.watching.values import Warning_

        found = enumerate(answers.get("group", ()))
        return [
            Warning_(f"group.{n}.question", "Everybody asks about cats.", "likeness")
            for n, entry in found
            if "cat" in entry.get("question", "")
        ]


def test_live_checks_tell_at_each_field_and_never_what_is_missing(app: FastAPI, site: Site) -> None:
    app.state.watcher = Warner()
    at = taken(site)
    site.ann.look(at)
    sent = {"group.0": "", "group.2": "", "group.2.question": "Is the cat [cat9]?", "wrong.0": "a b c d e"}
    answer = site.ann.post(f"{at}/check", data=sent, headers={"csrf": site.ann.csrf})
    assert answer.status_code == 200
    parts = {part.partition('"')[0]: part for part in answer.text.split('id="')[1:]}
    assert "[cat9] is no box of the picture" in parts["f-group-2-question-told"]
    assert "Everybody asks about cats." in parts["f-group-2-question-told"]
    assert "at most 3 words" in parts["f-wrong-0-told"]
    assert "complaint" not in parts["f-premise-told"]
    assert 'hx-swap-oob="true"' in parts["f-premise-told"]


class Earlier:
    """Remembers how it was asked."""

    def nearest(self, *asked: Any, by: str, task_id: int) -> list[str]:
        assert task_id
        return [f"<i>{asked[3]}</i>", f"{asked[1]} {asked[2]} {asked[4]} {by}"]


def test_earlier_texts_are_shown_beside_a_field(app: FastAPI, site: Site) -> None:
    app.state.similar = Earlier()
    at = taken(site)
    name = "group.0.question"
    found = site.ann.get(f"{at}/similar", params={"field": name, name: "Why is it?"})
    assert "&lt;i&gt;Why is it?&lt;/i&gt;" in found.text
    assert "work group.0.question 3" in found.text
    assert "written" in site.ann.get(f"{at}/similar", params={"field": name, "text": "written"}).text
    for other in ("good", "nothing", "group.0.nothing", "..", ""):
        assert site.ann.get(f"{at}/similar", params={"field": other}).status_code == 404


def test_real_earlier_texts_come_from_the_campaign(site: Site) -> None:
    at = taken(site)
    site.ann.post(at, data=filled(form_to(site.ann.look(at), at), **SAID))
    every_task(site.desk, site.campaign, "two")
    at = taken(site)
    asked = {"field": "group.0.question", "text": "Why is [person3] here?"}
    found = site.ann.get(f"{at}/similar", params=asked)
    assert "Why is [person1] here?" in found.text


def test_comments_are_for_those_who_run_the_campaign(site: Site) -> None:
    at = taken(site)
    site.ann.look(at)
    assert site.ann.fill(f"{at}/comments", text="The <b>picture</b> is dark.").status_code == 303
    assert "The &lt;b&gt;picture&lt;/b&gt; is dark." in site.ann.look(at)
    assert site.ann.fill(f"{at}/comments", text=" ").status_code == 422
    assert [each.text for each in rows(site.desk, Comment)] == ["The <b>picture</b> is dark."]


def test_work_of_others_is_not_to_be_had(app: FastAPI, site: Site) -> None:
    at = taken(site)
    site.ann.look(at)
    worker(site.desk, site.campaign, "ben")
    other = campaign(site.desk, "other", "every")
    worker(site.desk, other, "ann")
    ben, eve = Visitor(app, "ben"), Visitor(app, "eve")
    elsewhere = at.replace(f"/work/{site.campaign}/", f"/work/{other}/")
    for visitor, path, status in ((ben, at, 403), (eve, at, 404), (site.ann, elsewhere, 404)):
        assert visitor.get(path).status_code == status
        assert visitor.get(f"{path}/similar?field=group.0.question").status_code == status
        for route in ("", "/renew", "/back", "/undo", "/check", "/comments"):
            assert visitor.fill(path + route, text="x").status_code == status, route
        put = visitor.put(f"{path}/draft", data={"good": "no"}, headers={"csrf": visitor.csrf})
        assert put.status_code == status
    (assignment,) = rows(site.desk, Assignment)
    assert (assignment.state, assignment.draft) == ("held", None)
    stranger = Visitor(app)
    assert stranger.get(at).headers["location"].startswith("/sign-in?next=/work/")


def test_a_paused_campaign_says_so_but_what_is_held_may_be_finished(site: Site) -> None:
    at = taken(site)
    every_task(site.desk, site.campaign, "two")
    set_state(site.desk, site.campaign, "paused", None)
    assert taken(site) == at
    done = site.ann.post(at, data=filled(form_to(site.ann.look(at), at), **SAID))
    assert "paused: no new work" in site.ann.look(done.headers["location"])


def test_pictures_are_for_members(app: FastAPI, site: Site) -> None:
    page = site.ann.look(taken(site))
    source = page.partition('src="/pictures/')[2].partition('"')[0]
    shown = site.ann.get(f"/pictures/{source}")
    assert shown.headers["content-type"] == "image/png"
    assert "private" in shown.headers["cache-control"]
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert Visitor(app, "eve").get(f"/pictures/{source}").status_code == 403
    assert Visitor(app).get(f"/pictures/{source}").status_code == 303
    for name in ("0" * 64 + ".png", "collect.sqlite", "..%2f..%2fcollect.sqlite", "%2e%2e"):
        assert site.ann.get(f"/pictures/{name}").status_code == 404


def test_odd_addresses_are_turned_down(site: Site) -> None:
    for path in (f"/work/{site.campaign}/999999", "/work/0", "/work/x", f"/work/{2**60}/1"):
        assert site.ann.get(path).status_code in (403, 404, 422), path
    at = taken(site)
    assert site.ann.get(f"{at}?after=1e9").status_code == 422
    assert site.ann.get(f"{at}?after=123456").status_code == 200


def test_a_form_without_key_or_seconds_is_answered_not_broken(site: Site) -> None:
    at = taken(site)
    site.ann.look(at)
    sent = {name.replace("__", "."): value for name, value in SAID.items()}
    answer = site.ann.post(at, data=sent | {"csrf": site.ann.csrf, "seconds": "nan?"})
    assert answer.status_code == 409
    assert "key" in answer.text
    with site.desk.database.read() as session:
        assert session.scalar(select(Assignment.state)) == "held"

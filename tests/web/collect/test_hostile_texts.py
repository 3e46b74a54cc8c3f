"""What people write stays text: on every page that shows it, whatever it tries to be."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from busy import Busy
from fastapi import FastAPI
from hostile import HOSTILE, poison
from visitors import Visitor

from commonsight.collect import invitations
from commonsight.collect.desk import Desk
from commonsight.web.site import TEMPLATES

PLACES = (
    "", "live", "workers", "invitations", "pay", "events", "settings", "export", "exams", "disputes",
    "disputes/{disputed}", "records", "records/{record}", "errata", "comments", "tasks/{task}",
    "tasks/{disputed}",
)  # fmt: skip
SCRIPT_ATTRIBUTES = re.compile(r"^(on\w+|hx-on.*|style|srcdoc|hx-vals|hx-vars)$")


class Look(HTMLParser):
    """Reads a page as a browser does, and keeps what could run or fetch something."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.bad: list[str] = []
        self.text: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        given = dict(attributes)
        if tag == "script" and not (given.get("src") or "").startswith("/static/"):
            self.bad.append("a script that is none of ours")
        if tag in ("style", "iframe", "object", "embed", "base"):
            self.bad.append(f"<{tag}>")
        for name, value in attributes:
            if SCRIPT_ATTRIBUTES.match(name):
                self.bad.append(f"{tag} {name}")
            if name in ("href", "src", "action", "hx-get", "hx-post") and not _is_local(value or ""):
                self.bad.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self._inside == "script" and data.strip():
            self.bad.append("words in a script")
        self.text.append(data)


def _is_local(address: str) -> bool:
    return address.startswith(("/", "#")) and not address.startswith("//")


TOGETHER = (("script", "attribute", "image"), ("textarea", "json", "htmx"), ("address", "template", "tags"),
            ("backwards",), ("long",))  # fmt: skip


@pytest.mark.parametrize("kinds", TOGETHER)
def test_no_page_runs_what_people_wrote(
    app: FastAPI, busy: Busy, desk: Desk, kinds: tuple[str, ...]
) -> None:
    text = " ".join(HOSTILE[kind] for kind in kinds)
    poison(desk, busy, text)
    olga = Visitor(app, "olga")
    shown = 0
    paths = [f"/campaigns/{busy.campaign_id}/{place.format(**busy._asdict())}" for place in PLACES]
    joining = f"/join/{invitations.invite(desk, busy.campaign_id, 'worker')}"
    for path in ["/", "/account", joining, *paths]:
        page = olga.look(path)
        look = Look()
        look.feed(page)
        assert look.bad == [], path
        told = " ".join("".join(look.text).split())
        shown += " ".join(text.split())[:60] in told
        assert "49" not in told or "7*7" in told
    assert shown >= 8, "the text is shown as it is"


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_a_visitor_sends_is_not_run_when_it_comes_back(app: FastAPI, busy: Busy, kind: str) -> None:
    olga, stranger = Visitor(app, "olga"), Visitor(app)
    at = f"/campaigns/{busy.campaign_id}"
    stranger.look("/sign-in")
    text = HOSTILE[kind][:150]
    answers = [
        stranger.fill("/sign-in", name=text, password="x", next=text),
        olga.get(f"{at}/records", params={"search": text}),
        olga.get(f"{at}/events", params={"kind": text[:40], "done": text}),
        olga.get(f"{at}/disputes", params={"done": text}),
        olga.fill(f"{at}/state", state=text),
        olga.fill(f"{at}/limits", budget=text, gold_percent=text),
        olga.fill(f"{at}/settings", **{"set.most_bad": text}),
        olga.fill(f"{at}/invitations", role=text),
        olga.fill(f"{at}/errata/{busy.erratum}", action=text),
        olga.fill(f"{at}/disputes/{busy.disputed}", good=text),
        olga.get(f"/nowhere/{text}"),
        olga.get(f"/join/{text}"),
    ]
    for answer in answers:
        assert answer.status_code < 500
        look = Look()
        look.feed(answer.text)
        assert look.bad == [], answer.request.url


def test_no_template_has_scripts_or_styles_of_its_own() -> None:
    forbidden = re.compile(r"\son[a-z]+=|\shx-on|\sstyle=|<style|<script(?! src=)|javascript:|\|\s*safe\b")
    for path in sorted((TEMPLATES / "collect").glob("*.html")):
        assert forbidden.findall(path.read_text("utf-8")) == [], path.name

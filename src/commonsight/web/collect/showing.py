"""Numbers, money and times as pages write them, and what every page of a campaign is drawn with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from fastapi import HTTPException, Request
from starlette.responses import RedirectResponse, Response

from commonsight.collect.desk import SECOND, campaign_in
from commonsight.collect.money import money
from commonsight.collect.protocol import Protocol, Stage
from commonsight.collect.tables import Campaign
from commonsight.web.collect.access import Me, desk_of, page

DONE: Mapping[str, str] = {
    "saved": "Saved.",
    "state": "The campaign's state is changed.",
    "out": "They get no more work.",
    "readmitted": "They get work again.",
    "round": "The round is closed, and a new one has begun.",
    "samples": "The samples are drawn: reviewers find them in their work.",
    "no-samples": "Nothing was drawn: all samples of this round are drawn already, or nobody has worked.",
    "invited": "The invitations are ready. Send each link to one person.",
    "taken-back": "The invitation is worth nothing any more.",
    "paid": "Noted: everyone was paid what they were owed.",
    "nothing-owed": "Nobody was owed anything, so nothing was noted.",
    "graded": "Graded. They can see it now.",
    "settled": "Settled.",
    "reported": "Reported. Whoever reviews will look at it.",
    "said": "Your comment is there.",
}
"""What a page says after something was done: named in the address, so that loading it again does nothing."""


def moment(at: int) -> str:
    """A time for people, in UTC."""
    return f"{datetime.fromtimestamp(at / SECOND, UTC):%Y-%m-%d %H:%M} UTC"


def iso(at: int) -> str:
    """A time for programs."""
    return datetime.fromtimestamp(at / SECOND, UTC).isoformat()


def span(seconds: float) -> str:
    """How long something takes, roughly: `40 s`, `12 min`, `3 h`, `5 days`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    for size, unit, until in ((60, "min", 90), (3600, "h", 48)):
        if seconds / size < until:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 86_400:.0f} days"


def away(at: int, now: int) -> str:
    """How long ago, or in how long."""
    seconds = (at - now) / SECOND
    if abs(seconds) < 10:
        return "now"
    return f"in {span(seconds)}" if seconds > 0 else f"{span(-seconds)} ago"


def share(value: float | None, digits: int = 0) -> str:
    """A share of 1 in percent; a dash where there is none."""
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def figure(value: float | None, digits: int = 2) -> str:
    """A number with as many digits; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def grouped(number: int) -> str:
    """A count: `12,345`."""
    return f"{number:,}"


def worded(name: str) -> str:
    """A program's name as words: `task-done` is "task done"."""
    return name.replace("-", " ").replace("_", " ")


def brief(value: Any, most: int = 120) -> str:
    """A value of an event, in a few words."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= most else text[: most - 1] + "…"


def pretty(value: Any) -> str:
    """JSON that people can change."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


FILTERS: Mapping[str, Callable[..., Any]] = {
    "moment": moment, "iso": iso, "span": span, "away": away, "share": share, "figure": figure,
    "grouped": grouped, "money": money, "worded": worded,
    "brief": brief, "pretty": pretty,
}  # fmt: skip


def campaign_of(request: Request, me: Me) -> Campaign:
    """The campaign's row, looked up once for each request."""
    if not hasattr(request.state, "campaign"):
        with desk_of(request).database.read() as session:
            request.state.campaign = campaign_in(session, me.campaign_id)
    campaign: Campaign = request.state.campaign
    return campaign


def protocol_of(request: Request, me: Me) -> Protocol:
    """How the campaign collects."""
    return desk_of(request).protocol_of(campaign_of(request, me))


def stage_of(request: Request, me: Me, name: str) -> Stage:
    """A stage of the campaign's protocol; a protocol that changed may have it no longer."""
    try:
        return protocol_of(request, me).stage(name)
    except KeyError:
        raise HTTPException(404, f"This campaign has no stage '{name}' any more.") from None


def campaign_page(
    request: Request, me: Me, template: str, /, *, status: int = 200, **values: Any
) -> Response:
    """A page of a campaign, under its name and tabs."""
    protocol = protocol_of(request, me)
    given = {
        "me": me,
        "at": f"/campaigns/{me.campaign_id}",
        "protocol": protocol,
        "titles": {stage.name: stage.title for stage in protocol.stages},
        "now": desk_of(request).clock(),
        "told": "",
        "done": DONE.get(request.query_params.get("done", ""), ""),
    }
    return page(request, template, status=status, **(given | values))


def back_to(me: Me, place: str, done: str) -> Response:
    """After something was done: the page it was done on, loaded anew."""
    return RedirectResponse(f"/campaigns/{me.campaign_id}/{place}?done={done}", 303)

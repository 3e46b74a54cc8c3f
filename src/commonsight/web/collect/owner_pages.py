"""Pages for a campaign's owner: how it goes, what happened, and what may be changed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from commonsight.collect import browsing, campaigns
from commonsight.collect.agreement import live_agreement
from commonsight.collect.events import KINDS
from commonsight.collect.money import plain, read_money
from commonsight.collect.status import status
from commonsight.errors import UsageError
from commonsight.web.collect.access import Id, Me, desk_of, member
from commonsight.web.collect.settings_form import read_settings, setting_views
from commonsight.web.collect.showing import back_to, campaign_of, campaign_page, protocol_of

router = APIRouter(prefix="/campaigns/{campaign_id}", include_in_schema=False)

Line = Annotated[str, Form(max_length=1000)]
Before = Annotated[int | None, Query(ge=1, le=2**53)]


@router.get("/")
def overview(request: Request, campaign_id: Id) -> Response:
    """How the campaign goes."""
    me = member(request, campaign_id, "reviewer")
    return campaign_page(request, me, "collect/owner_overview.html", **_live(request, me))


@router.get("/live")
def live(request: Request, campaign_id: Id) -> Response:
    """The part of the overview that is loaded anew while one looks at it."""
    me = member(request, campaign_id, "reviewer")
    return campaign_page(request, me, "collect/owner_live.html", **_live(request, me))


def _live(request: Request, me: Me) -> dict[str, Any]:
    desk = desk_of(request)
    return {
        "progress": status(desk, me.campaign_id),
        "agreement": live_agreement(desk, me.campaign_id),
        "by_hour": browsing.given_by_hour(desk, me.campaign_id),
    }


@router.get("/events")
def events(
    request: Request,
    campaign_id: Id,
    kind: Annotated[str, Query(max_length=40)] = "",
    before: Before = None,
) -> Response:
    """What happened, newest first."""
    me = member(request, campaign_id, "owner")
    lines = browsing.events(desk_of(request), campaign_id, kind=kind, before=before)
    last = lines[-1].id if len(lines) == browsing.MOST else None
    return campaign_page(
        request, me, "collect/owner_events.html", lines=lines, kind=kind, kinds=KINDS, last=last
    )


@router.get("/settings")
def settings(request: Request, campaign_id: Id) -> Response:
    """What may be changed."""
    return _settings(request, member(request, campaign_id, "owner"))


def _settings(request: Request, me: Me, *, status: int = 200, told: str = "") -> Response:
    campaign = campaign_of(request, me)
    return campaign_page(
        request,
        me,
        "collect/owner_settings.html",
        status=status,
        told=told,
        settings=setting_views(protocol_of(request, me), campaign.settings),
        budget="" if campaign.budget is None else plain(campaign.budget),
        gold_percent=f"{100 * campaign.gold_rate:g}",
    )


@router.post("/state")
def change_state(request: Request, campaign_id: Id, state: Line = "") -> Response:
    """Pause, resume or finish."""
    me = member(request, campaign_id, "owner")
    campaigns.set_state(desk_of(request), campaign_id, state, me.who.user_id)
    return back_to(me, "settings", "state")


@router.post("/settings")
async def change_settings(request: Request, campaign_id: Id) -> Response:
    """Other numbers than the paper's."""
    posted = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    return await run_in_threadpool(_change_settings, request, campaign_id, posted)


def _change_settings(request: Request, campaign_id: int, posted: dict[str, str]) -> Response:
    me = member(request, campaign_id, "owner")
    try:
        changed = read_settings(protocol_of(request, me), posted)
        campaigns.update_settings(desk_of(request), campaign_id, changed, me.who.user_id)
    except UsageError as error:
        return _settings(request, me, status=422, told=str(error))
    return back_to(me, "settings", "saved")


@router.post("/limits")
def change_limits(request: Request, campaign_id: Id, budget: Line = "", gold_percent: Line = "0") -> Response:
    """The budget, and how much of the work is gold."""
    me = member(request, campaign_id, "owner")
    try:
        amount = read_money(budget) if budget.strip() else None
        rate = _percent(gold_percent)
        campaigns.set_limits(
            desk_of(request), campaign_id, budget=amount, gold_rate=rate, by=me.who.user_id
        )
    except UsageError as error:
        return _settings(request, me, status=422, told=str(error))
    return back_to(me, "settings", "saved")


def _percent(text: str) -> float:
    try:
        percent = float(text)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise UsageError("The share of gold is a number of percent, from 0 to 100.")
    return percent / 100

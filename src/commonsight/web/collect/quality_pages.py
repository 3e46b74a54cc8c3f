"""Pages about how good people's work is, and who goes on working."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from commonsight.collect import quality
from commonsight.web.collect.access import Id, desk_of, member
from commonsight.web.collect.showing import back_to, campaign_page

router = APIRouter(prefix="/campaigns/{campaign_id}", include_in_schema=False)

Line = Annotated[str, Form(max_length=1000)]


@router.get("/workers")
def workers(request: Request, campaign_id: Id) -> Response:
    """Everyone in the campaign, and how good their work is."""
    me = member(request, campaign_id, "owner")
    lines = quality.workers(desk_of(request), campaign_id)
    return campaign_page(request, me, "collect/owner_workers.html", lines=lines)


@router.post("/workers/{user_id}/out")
def put_out(request: Request, campaign_id: Id, user_id: Id, reason: Line = "") -> Response:
    """No more work for them."""
    me = member(request, campaign_id, "owner")
    why = reason.strip() or "The owner of the campaign decided so."
    quality.put_out(desk_of(request), campaign_id, user_id, why, me.who.user_id)
    return back_to(me, "workers", "out")


@router.post("/workers/{user_id}/readmit")
def readmit(request: Request, campaign_id: Id, user_id: Id) -> Response:
    """Work for them again."""
    me = member(request, campaign_id, "owner")
    quality.readmit(desk_of(request), campaign_id, user_id, me.who.user_id)
    return back_to(me, "workers", "readmitted")


@router.post("/samples")
def draw_samples(request: Request, campaign_id: Id) -> Response:
    """Draw the work that is looked at before the round is closed."""
    me = member(request, campaign_id, "owner")
    made = quality.draw_samples(desk_of(request), campaign_id, me.who.user_id)
    return back_to(me, "workers", "samples" if made else "no-samples")


@router.post("/round")
def close_round(request: Request, campaign_id: Id) -> Response:
    """Settle tiers and bonuses, and begin anew."""
    me = member(request, campaign_id, "owner")
    quality.close_round(desk_of(request), campaign_id, me.who.user_id)
    return back_to(me, "workers", "round")

"""The annotation app, put together: its routes, what stands before them, and how its errors are told."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from commonsight.collect.desk import Desk
from commonsight.errors import InputError, InvalidAnswers, StorageUnavailable, WorkRefused
from commonsight.web.collect import (
    account_pages,
    download_pages,
    exam_pages,
    member_pages,
    owner_pages,
    quality_pages,
    record_pages,
    review_pages,
    work_pages,
)
from commonsight.web.collect.access import NotSignedIn, guard, is_api, sign_in_path
from commonsight.web.collect.api import account as api_account
from commonsight.web.collect.api import owner as api_owner
from commonsight.web.collect.api import review as api_review
from commonsight.web.collect.api import work as api_work
from commonsight.web.collect.limits import BodyLimit, Limits
from commonsight.web.collect.showing import FILTERS
from commonsight.web.site import LOOPBACK, build_site, render

if TYPE_CHECKING:
    from typing import Any as Watcher

log = logging.getLogger(__name__)

TITLE = "Commonsight"
ROUTERS: tuple[APIRouter, ...] = (
    account_pages.router, work_pages.router, exam_pages.router, owner_pages.router, member_pages.router,
    quality_pages.router, review_pages.router, record_pages.router, download_pages.router,
    api_account.door, api_account.router, api_work.router, api_owner.router, api_review.router,
    download_pages.api,
)  # fmt: skip
"""Every page; the order matters only where two routes fit one address."""

FORBIDDEN = frozenset({"not-yours", "not-member", "out", "own-work"})
"""Refusals that no waiting will change; the others are conflicts with how things stand."""
NO_DATABASE = "The database cannot be used at the moment. Nothing was saved; please try again in a minute."


def build_app(
    desk: Desk,
    *,
    hosts: Iterable[str] = LOOPBACK,
    watcher: Watcher | None = None,
    secure_cookies: bool = False,
    limits: Limits | None = None,
) -> FastAPI:
    """The app for a collection. Where it is served by TLS, by itself or by a proxy, say `secure_cookies`."""
    guarded = APIRouter(dependencies=[Depends(guard)])
    for router in ROUTERS:
        guarded.include_router(router)
    app = build_site(TITLE, [guarded], hosts=hosts, api_docs=True, tls=secure_cookies, filters=FILTERS)
    app.state.desk = desk
    app.state.watcher = watcher
    app.state.secure_cookies = secure_cookies
    app.state.limits = limits or Limits(desk.clock)
    app.add_middleware(BodyLimit)
    _tell_refusals(app)
    return app


def _tell_refusals(app: FastAPI) -> None:
    app.add_exception_handler(NotSignedIn, _show_the_door)
    app.add_exception_handler(WorkRefused, _refused)
    app.add_exception_handler(StorageUnavailable, _unavailable)
    app.add_exception_handler(InputError, _unusable)


async def _show_the_door(request: Request, _: Exception) -> Response:
    if is_api(request):
        return JSONResponse({"detail": "Sign in first."}, 401, {"www-authenticate": "Bearer"})
    if request.headers.get("hx-request"):
        return Response(status_code=401, headers={"hx-redirect": sign_in_path(request)})
    return RedirectResponse(sign_in_path(request), 303)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, WorkRefused)
    status = 403 if error.code in FORBIDDEN else 404 if error.code.startswith("no-") else 409
    return _told(request, status, str(error), code=error.code)


async def _unusable(request: Request, error: Exception) -> Response:
    if isinstance(error, InvalidAnswers):
        complaints = [{"field": each.field, "message": each.message} for each in error.complaints]
        return _told(request, 422, str(error), complaints=complaints)
    return _told(request, 422, str(error))


async def _unavailable(request: Request, error: Exception) -> Response:
    log.error("%s", error)  # names the database, which is for the owner's eyes
    response = _told(request, 503, NO_DATABASE)
    response.headers["retry-after"] = "30"
    return response


def _told(request: Request, status: int, message: str, **more: object) -> Response:
    if is_api(request):
        return JSONResponse({"detail": message, **more}, status)
    return render(request, "error.html", status=status, code=status, message=message)

"""Pages of an account: sign in and out, join by invitation, change the password, and the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from commonsight.collect import accounts, invitations
from commonsight.errors import UsageError, WorkRefused
from commonsight.web.collect.access import (
    COOKIE,
    DOOR,
    address_of,
    desk_of,
    limits_of,
    local_path,
    page,
    session_of,
    set_cookie,
    signed_in,
    token_of,
)
from commonsight.web.collect.home_view import campaign_cards
from commonsight.web.collect.limits import too_many

router = APIRouter(include_in_schema=False)

T = TypeVar("T")
Line = Annotated[str, Form(max_length=1000)]


@router.get("/")
def home(request: Request) -> Response:
    """The campaigns of the person who asks, and what there is to do in each."""
    signed_in(request)
    return page(request, "collect/home.html", cards=campaign_cards(request), now=desk_of(request).clock())


@router.get("/sign-in")
def sign_in_form(request: Request, next: str = "/") -> Response:  # noqa: A002 - its name in the address
    """The form; whoever is signed in already goes on."""
    if session_of(request) is not None:
        return RedirectResponse(local_path(next), 303)
    return page(request, "collect/account_sign_in.html", next=local_path(next), name="", told="")


@router.post("/sign-in")
def sign_in(
    request: Request,
    name: Line = "",
    password: Line = "",
    next: Line = "/",  # noqa: A002
) -> Response:
    """A new secret for this browser, whatever it had before."""
    try:
        token = guarded_sign_in(request, name, password)
    except WorkRefused as refused:
        shown = {"next": local_path(next), "name": name, "told": str(refused)}
        return page(request, "collect/account_sign_in.html", status=401, **shown)
    return _welcomed(request, token, local_path(next))


def guarded_sign_in(request: Request, name: str, password: str) -> str:
    """Sign in, but not by guessing: failures count against the name and against the address."""
    return _counted(request, name, lambda: accounts.sign_in(desk_of(request), name, password))


def _counted(request: Request, name: str, checks: Callable[[], T]) -> T:
    """Check a password. Counted before it is checked, so that many at once gain nothing."""
    limits = limits_of(request)
    keys = ((limits.addresses, address_of(request)), (limits.names, name.strip().lower()))
    for rate, key in keys:
        too_many(rate.take(key))
    told = checks()
    for rate, key in keys:
        rate.give_back(key)
    return told


def _welcomed(request: Request, token: str, path: str) -> Response:
    old = token_of(request)
    if old:
        accounts.sign_out(desk_of(request), old)
    response = RedirectResponse(path, 303)
    set_cookie(request, response, COOKIE, token, accounts.SESSION_SECONDS)
    response.delete_cookie(DOOR, path="/")
    return response


@router.post("/sign-out")
def sign_out(request: Request) -> Response:
    """This browser's secret ends."""
    accounts.sign_out(desk_of(request), token_of(request))
    return _gone()


def _gone() -> Response:
    response = RedirectResponse("/sign-in", 303)
    response.delete_cookie(COOKIE, path="/")
    return response


@router.get("/join/{token}")
def invitation(request: Request, token: str) -> Response:
    """What one is invited to, and how to come in: as who one is, as who one was, or as someone new."""
    return _invitation(request, token)


def _invitation(request: Request, token: str, *, status: int = 200, **said: str) -> Response:
    invited = invitations.read_invitation(desk_of(request), token)
    shown = {"name": "", "told": "", "how": "new"} | said
    return page(request, "collect/account_join.html", status=status, invited=invited, token=token, **shown)


@router.post("/join/{token}")
def join(request: Request, token: str, how: Line = "me", name: Line = "", password: Line = "") -> Response:
    """Become a member: by a new account, by one that is there, or as who one is signed in as."""
    desk = desk_of(request)
    invited = invitations.read_invitation(desk, token)
    if how not in ("new", "known"):
        invitations.accept(desk, token, signed_in(request).who.user_id)
        return RedirectResponse(_first_page(invited), 303)
    try:
        if how == "new":
            accounts.make_user(desk, name, password)
        secret = guarded_sign_in(request, name, password)
    except (UsageError, WorkRefused) as refused:
        return _invitation(request, token, status=422, name=name, told=str(refused), how=how)
    found = accounts.who(desk, secret)
    assert found is not None
    invitations.accept(desk, token, found[0].user_id)
    return _welcomed(request, secret, _first_page(invited))


def _first_page(invited: invitations.Invited) -> str:
    return "/" if invited.role == "worker" else f"/campaigns/{invited.campaign_id}/"


@router.get("/account")
def account(request: Request) -> Response:
    """Who one is here, and the password."""
    signed_in(request)
    return _account(request)


def _account(request: Request, *, status: int = 200, told: str = "", done: str = "") -> Response:
    return page(request, "collect/account.html", status=status, told=told, done=done)


@router.post("/account/password")
def change_password(request: Request, old: Line = "", new: Line = "", again: Line = "") -> Response:
    """Another password; all other browsers are signed out."""
    session, desk = signed_in(request), desk_of(request)
    if new != again:
        return _account(request, status=422, told="The two new passwords are not the same. Type both again.")
    keep = token_of(request)
    try:
        _counted(
            request,
            session.who.name,
            lambda: accounts.change_password(desk, session.who.user_id, old, new, keep=keep),
        )
    except (UsageError, WorkRefused) as refused:
        return _account(request, status=422, told=str(refused))
    return _account(request, done="The password is changed. Every other browser was signed out.")


@router.post("/account/end-all")
def sign_out_everywhere(request: Request) -> Response:
    """End every browser's secret, this one's too."""
    accounts.end_all(desk_of(request), signed_in(request).who.user_id)
    return _gone()

"""Who is asking, what they may do, and that it is really they who ask.

`guard` stands before every route of the app: a request that changes something must come from a page of ours
(`Origin`, `Sec-Fetch-Site`) and carry the token that only such a page knows. A handler then says who may come
in: `signed_in(request)` for anyone with an account, `member(request, campaign_id, "owner")` for a role.
Whether a campaign exists is nobody's business but its members': to others it is not found.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlsplit

from fastapi import Depends, HTTPException, Path, Request
from starlette.responses import Response

from commonsight.collect import accounts, campaigns
from commonsight.collect.accounts import Who
from commonsight.collect.desk import Desk
from commonsight.web.collect.limits import Limits, is_storable, network_of, too_many
from commonsight.web.site import render

COOKIE = "commonsight"
DOOR = "commonsight-door"
"""Before someone signs in: what ties the form to the browser that was shown it."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
STALE = "This page is too old, or it is not one of ours. Load it again and try once more."

Id = Annotated[int, Path(ge=1, le=2**53)]
"""A number in an address."""


class SignedIn(NamedTuple):
    """A person and the token that their pages carry."""

    who: Who
    csrf: str
    by_header: bool = False
    """Whether a program sent the secret itself, rather than a browser its cookie."""


class Me(NamedTuple):
    """What the person who asks is in a campaign."""

    who: Who
    csrf: str
    campaign_id: int
    name: str
    """The campaign's."""
    protocol: str
    role: str
    state: str
    """The campaign's."""
    out_reason: str
    passed: tuple[str, ...]
    tier: str


class NotSignedIn(Exception):  # noqa: N818 - not an error: they are shown the door
    """Pages send people to sign in, the API answers 401."""


def desk_of(request: Request) -> Desk:
    """The collection that is served."""
    desk: Desk = request.app.state.desk
    return desk


def limits_of(request: Request) -> Limits:
    """What this app allows."""
    limits: Limits = request.app.state.limits
    return limits


def address_of(request: Request) -> str:
    """Whom limits count as one."""
    return network_of(request.client.host if request.client else "nowhere")


def token_of(request: Request) -> str:
    """The secret that a browser's cookie or a program's header carries."""
    return _bearer(request) or request.cookies.get(COOKIE, "")


def _bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" and is_api(request) else ""


def is_api(request: Request) -> bool:
    """Whether a program asks, which wants JSON."""
    return request.url.path.startswith("/api/")


def session_of(request: Request) -> SignedIn | None:
    """Who asks, if they are signed in; looked up once for each request."""
    if not hasattr(request.state, "session"):
        token = token_of(request)
        found = accounts.who(desk_of(request), token) if token else None
        request.state.session = SignedIn(*found, bool(_bearer(request))) if found else None
    session: SignedIn | None = request.state.session
    return session


def signed_in(request: Request) -> SignedIn:
    """Who asks; others are sent to sign in."""
    session = session_of(request)
    if session is None:
        raise NotSignedIn
    return session


def memberships(request: Request) -> list[campaigns.Membership]:
    """The campaigns of the person who asks; looked up once for each request."""
    if not hasattr(request.state, "memberships"):
        session = session_of(request)
        found = campaigns.membership(desk_of(request), session.who.user_id) if session else []
        request.state.memberships = found
    mine: list[campaigns.Membership] = request.state.memberships
    return mine


def member(request: Request, campaign_id: int, *roles: str) -> Me:
    """What the person who asks is in this campaign; refused unless it is one of the roles, if any."""
    session = signed_in(request)
    for mine in memberships(request):
        if mine.campaign_id == campaign_id:
            if roles and mine.role not in roles and not (mine.role == "owner" and "reviewer" in roles):
                wanted = " or ".join(f"{role}s" for role in roles)
                raise HTTPException(403, f"This is for {wanted} of the campaign. You are its {mine.role}.")
            return Me(
                session.who, session.csrf, campaign_id, mine.name, mine.protocol, mine.role, mine.state,
                mine.out_reason, tuple(mine.passed), mine.tier,
            )  # fmt: skip
    raise HTTPException(404, "There is no such campaign among yours.")


async def sent_csrf(request: Request) -> str:
    """The token that came with a request: in the header `csrf`, or in the form's field of that name."""
    _check_text([request.url.path, *request.query_params.values()])
    if request.method in SAFE:
        return ""
    if "json" in request.headers.get("content-type", ""):
        _check_text(await _json(request))
    else:
        form = await request.form()
        _check_text([value for _, value in form.multi_items()])
        field = form.get("csrf", "")
        if isinstance(field, str) and field:
            return field
    return request.headers.get("csrf", "")


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except (ValueError, RecursionError):
        return None  # not for us to judge: the route says what it wants


def _check_text(sent: Any) -> None:
    if not is_storable(sent):
        raise HTTPException(422, "A text has a character that cannot be kept, such as a null byte.")


def guard(request: Request, sent: Annotated[str, Depends(sent_csrf)]) -> None:
    """Let a request through if it changes nothing, or if its sender surely meant it."""
    if request.method in SAFE:
        return
    if not from_here(request):
        raise HTTPException(403, STALE)
    session = session_of(request)
    who = f"user {session.who.user_id}" if session else f"address {address_of(request)}"
    too_many(limits_of(request).writes.take(who))
    if session is not None and session.by_header:
        return  # no browser sends this header by itself
    if session is None and not _is_door(request):
        raise NotSignedIn
    if is_api(request) and session is None:
        return  # signing in by the API sets no cookie, so there is nothing that another site could abuse
    expected = session.csrf if session else _door_token(request, request.cookies.get(DOOR, ""))
    if not expected or not hmac.compare_digest(expected.encode(), sent.encode("utf-8", "replace")):
        raise HTTPException(403, STALE)


def from_here(request: Request) -> bool:
    """What browsers say about the page that sent a request; programs say nothing."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()


def _is_door(request: Request) -> bool:
    path = request.url.path
    return path in ("/sign-in", "/api/sign-in", "/api/accounts") or path.startswith("/join/")


def _door_token(request: Request, nonce: str) -> str:
    if not nonce:
        return ""
    return hmac.new(desk_of(request).secret, b"door:" + nonce.encode(), hashlib.sha256).hexdigest()


def page(request: Request, template: str, /, *, status: int = 200, **values: Any) -> Response:
    """A page of the app. Every template has `who`, `csrf`, `memberships` and `here` (the address) at hand."""
    session = session_of(request)
    nonce = request.cookies.get(DOOR) or secrets.token_urlsafe(24)
    given = {
        "who": session.who if session else None,
        "csrf": session.csrf if session else _door_token(request, nonce),
        "memberships": memberships(request),
        "here": request.url.path,
    }
    response = render(request, template, status=status, **(given | values))
    response.headers["cache-control"] = "no-store"
    if session is None and DOOR not in request.cookies:
        set_cookie(request, response, DOOR, nonce, 86_400)
    return response


def set_cookie(request: Request, response: Response, name: str, value: str, seconds: int) -> None:
    """A cookie that no script reads and no other site sends along."""
    secure: bool = request.app.state.secure_cookies or request.url.scheme == "https"
    response.set_cookie(
        name, value, max_age=seconds, path="/", httponly=True, samesite="lax", secure=secure
    )


def local_path(path: str) -> str:
    """Where to go next, if it is a place of ours; the start otherwise. Browsers read `\\` as `/`."""
    if not path.startswith("/") or path.startswith(("//", "/\\")) or "\\" in path or not path.isprintable():
        return "/"
    return quote(path, safe="/?&=%+:;,@~!$'()*#-._")


def sign_in_path(request: Request) -> str:
    """The address that signs someone in and brings them back."""
    if request.method != "GET":
        return "/sign-in"
    query = f"?{request.url.query}" if request.url.query else ""
    return f"/sign-in?next={quote(local_path(request.url.path + query), safe='/')}"

"""What every page of ours shares: the application, its templates, its files, its headers and its errors.

Nothing is fetched from elsewhere and nothing on a page runs that is not a file of ours: the content policy
forbids both, so a text that a stranger wrote cannot become a program. `build_site` is the only place where an
application is put together; the explorer and the annotation app hand in their routes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonsight import __version__
from commonsight.errors import MissingExtra

if TYPE_CHECKING:
    from fastapi import APIRouter, FastAPI, Request
    from fastapi.templating import Jinja2Templates
    from starlette.responses import Response

HERE = Path(__file__).parent
STATIC, TEMPLATES = HERE / "static", HERE / "templates"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
"""Names under which a site that is bound to this machine may be asked for. A page elsewhere that points a
name of its own at this machine is turned away."""
A_YEAR = "public, max-age=31536000, immutable"
TLS_ALONE = (b"strict-transport-security", b"max-age=31536000")
"""For a year, a browser asks for this name by TLS and nothing else."""


def build_site(
    title: str,
    routers: Iterable[APIRouter],
    *,
    hosts: Iterable[str] = LOOPBACK,
    api_docs: bool = False,
    tls: bool = False,
    filters: Mapping[str, Callable[..., Any]] | None = None,
) -> FastAPI:
    """An application of these routes. `app.state.templates` renders pages. With `tls`, browsers that came by
    it once do not come without."""
    try:
        from fastapi import FastAPI
        from starlette.middleware.gzip import GZipMiddleware
        from starlette.middleware.trustedhost import TrustedHostMiddleware
    except ImportError as error:
        raise MissingExtra("FastAPI", "serve") from error
    app = FastAPI(
        title=title,
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json" if api_docs else None,
    )
    app.state.templates = page_templates(title, filters or {})
    app.add_middleware(GZipMiddleware, minimum_size=1024)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    app.add_middleware(SafeHeaders, tls=tls)
    app.add_api_route("/static/{name}", _static, include_in_schema=False)
    for router in routers:
        app.include_router(router)
    _tell_errors(app)
    return app


class SafeHeaders:
    """Puts the safe headers on every response that has not set its own."""

    def __init__(self, app: Any, tls: bool = False) -> None:
        self.app, self.tls = app, tls

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        more = (TLS_ALONE,) if self.tls and not _is_here(scope) else ()

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in given),
                    *more,
                ]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def _is_here(scope: Any) -> bool:
    """Whether this machine is asked for by its own name, under which other sites are served without TLS."""
    host = next((value for name, value in scope.get("headers", ()) if name == b"host"), b"").decode("latin-1")
    return host in LOOPBACK or host.rpartition(":")[0] in LOOPBACK


def page_templates(title: str, filters: Mapping[str, Callable[..., Any]]) -> Jinja2Templates:
    """Templates that escape everything, and stop at a name that is not there."""
    from fastapi.templating import Jinja2Templates
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(site_title=title, static=static_address)
    environment.filters.update(filters)
    return Jinja2Templates(env=environment)


@cache
def static_address(name: str) -> str:
    """Where a file of ours is, with its content in the address, so that it may be kept for a year."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:16]
    return f"/static/{name}?v={digest}"


def render(request: Request, template: str, /, *, status: int = 200, **values: Any) -> Response:
    """A page of a template."""
    templates: Jinja2Templates = request.app.state.templates
    return templates.TemplateResponse(request, template, values, status_code=status)


def _static(name: str) -> Response:
    """A file of ours; only names that are there, so no path leads elsewhere."""
    from starlette.exceptions import HTTPException
    from starlette.responses import FileResponse

    if name not in _static_names():
        raise HTTPException(404, "There is no such file.")
    return FileResponse(STATIC / name, headers={"cache-control": A_YEAR})


@cache
def _static_names() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.is_file())


def _tell_errors(app: FastAPI) -> None:
    """Errors as a page for people and as JSON for programs; never a traceback."""
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse

    def told(
        request: Request, status: int, message: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"detail": message}, status, headers=headers)
        response = render(request, "error.html", status=status, code=status, message=message)
        response.headers.update(headers or {})
        return response

    async def known(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        message = "This address leads nowhere." if error.detail == "Not Found" else error.detail
        return told(request, error.status_code, message, error.headers)

    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return told(request, 422, f"{where}: {first['msg']}.")

    async def fault(request: Request, _: Exception) -> Response:
        # Told outside of everything else, so it brings the safe headers itself.
        sorry = "Something went wrong on our side. Nothing was saved; please try again."
        return told(request, 500, sorry, HEADERS)

    app.add_exception_handler(HTTPException, known)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(Exception, fault)

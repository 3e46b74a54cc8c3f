"""Serving a site, safely by default: on this machine alone, unless the owner says otherwise."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from commonsight.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from fastapi import FastAPI


EVERYWHERE = ("0.0.0.0", "::", "")
"""Addresses that stand for all of this machine's."""


class Address(NamedTuple):
    """Where a site is served, and with which certificate."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    key: Path | None = None
    public_without_tls: bool = False
    """Said by the owner: something in front of us (a proxy) keeps the connection private."""

    @property
    def url(self) -> str:
        """As one types it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(address: Address) -> None:
    """Refuse what would send passwords and answers over an open network."""
    if (address.certificate is None) != (address.key is None):
        raise UsageError("A certificate and its key go together: give both --certificate and --key.")
    for path in (address.certificate, address.key):
        if path is not None and not path.is_file():
            raise UsageError(f"{path}: there is no such file. Name the certificate or key to serve with.")
    if not is_loopback(address.host) and address.certificate is None and not address.public_without_tls:
        raise UsageError(
            f"{address.host} can be reached by others, and without TLS they could read along. Give "
            "--certificate and --key, or --public-without-tls where a proxy in front of this does TLS."
        )


def host_names(host: str, known_as: Iterable[str]) -> list[str]:
    """The names under which a site may be asked for: others are a stranger's page that points here."""
    from commonsight.web.site import LOOPBACK

    names = list(known_as)
    if host in EVERYWHERE and not names:
        raise UsageError(f"--host {host or '::'}: give the name that people ask for, too: --known-as NAME")
    own = [] if host in EVERYWHERE or is_loopback(host) else [host]
    return [*LOOPBACK, *own, *names]


def serve(app: FastAPI, address: Address, **options: Any) -> None:
    """Serve until stopped."""
    check_address(address)
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtra("uvicorn", "serve") from error
    uvicorn.run(
        app,
        host=address.host,
        port=address.port,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
        server_header=False,
        access_log=False,  # addresses may carry invitations
        log_level="warning",
        **options,
    )

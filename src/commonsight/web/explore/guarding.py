"""What stands before requests that change something: they come from our own pages, and not too often."""

from __future__ import annotations

import hmac
import time

from fastapi import Request
from starlette.exceptions import HTTPException

from commonsight.web.collect.access import from_here
from commonsight.web.collect.limits import Rate, network_of

SENT, REPORTED = (6, 3600), (30, 3600)
"""So many files, and so many reports, in so many seconds from one address."""


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Guard:
    """Limits by address, and the owner's token."""

    def __init__(self, token: str) -> None:
        self.token = token
        self._rates = {"send": Rate(*SENT, now), "report": Rate(*REPORTED, now), "owner": Rate(60, 60, now)}

    def check(self, request: Request, what: str) -> None:
        """Refuse what another site sends, and what comes too often."""
        if not from_here(request):
            raise HTTPException(403, "This was not sent from a page of this site.")
        address = network_of(request.client.host if request.client else "")
        wait = self._rates[what].take(address)
        if wait:
            raise HTTPException(429, f"That was often. Try again in {wait} seconds.")

    def check_owner(self, request: Request, token: str) -> None:
        """Refuse whoever does not have the owner's token."""
        self.check(request, "owner")
        if not self.token or not hmac.compare_digest(token.encode(), self.token.encode()):
            raise HTTPException(403, "That is not the owner's token, which is told when the explorer starts.")

"""Signatures of messages: that they come from here, are as they were sent, and were sent just now."""

from __future__ import annotations

import hashlib
import hmac
import re

TOLERANCE = 300
"""Seconds for which a signature counts, so that nobody can send an old message again later."""
_SIGNATURE = re.compile(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})")


def secret_of(own: bytes, salt: str) -> str:
    """A webhook's secret: made of the collection's own and of a salt, so that no database holds it."""
    return hmac.new(own, f"webhook {salt}".encode(), hashlib.sha256).hexdigest()


def signature(secret: str, at: int, body: bytes) -> str:
    """The header that proves who sent a body, and when (seconds since 1970)."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def is_signed(secret: str, header: str, body: bytes, *, now: int) -> bool:
    """For whoever receives: whether a body was sent by us, and not long ago."""
    found = _SIGNATURE.fullmatch(header)
    if found is None or abs(now - int(found.group(1))) > TOLERANCE:
        return False
    return hmac.compare_digest(signature(secret, int(found.group(1)), body), header)

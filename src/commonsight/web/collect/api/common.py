"""What all routes of the API share: where they hang, how they refuse, and what kinds of values they take."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

BEARER = HTTPBearer(auto_error=False, description="The token that `/api/sign-in` gave.")


class Told(BaseModel):
    """An answer: what its fields mean stands in the schema."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Complained(Told):
    """What must be changed at one field."""

    field: str
    message: str


class Refusal(Told):
    """Why something was not done."""

    detail: str
    """For people."""
    code: str | None = None
    """For programs, where the verb has one."""
    complaints: list[Complained] | None = None


class Sent(BaseModel):
    """A body: only what is known is taken, and nothing is read as something else."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": Refusal, "description": told}
    for code, told in {
        400: "It could not be read.",
        401: "Nobody is signed in.",
        403: "Not for this person.",
        404: "It is not there, or not for this person to know.",
        409: "It cannot be done as things stand.",
        413: "Too large.",
        422: "It does not fit.",
        429: "Too much at once.",
        503: "The database cannot be used; nothing was saved.",
    }.items()
}

Before = Annotated[
    int | None, Query(ge=1, le=2**53, description="The id of the last line of the page before this one.")
]
Most = Annotated[int, Query(ge=1, le=500)]
Text = Annotated[str, Field(max_length=5000)]
Line = Annotated[str, Field(max_length=1000)]
Said = Annotated[dict[str, Any], Field(description="The form's fields by name.")]


def api_router(prefix: str, tag: str, *, door: bool = False) -> APIRouter:
    """A router whose routes say how they refuse and, unless they are the `door`, that one signs in first."""
    signed_in = [] if door else [Depends(BEARER)]
    return APIRouter(prefix=f"/api{prefix}", tags=[tag], responses=REFUSALS, dependencies=signed_in)

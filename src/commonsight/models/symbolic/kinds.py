"""Every kind of symbolic solver."""

from __future__ import annotations

from collections.abc import Sequence

from commonsight.core.benchmark import Ask
from commonsight.errors import InputError
from commonsight.models.symbolic import compositional, shapes
from commonsight.models.symbolic.solver import Kind

KINDS: tuple[Kind, ...] = (shapes.KIND, compositional.KIND)


def kind_named(name: str) -> Kind:
    """The kind of this name."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in KINDS)
    raise InputError(f"There is no symbolic solver '{name}'. There are: {known}.")


def kind_for(asks: Sequence[Ask]) -> Kind | None:
    """The kind that all these questions are for; None if there is none."""
    return next((kind for kind in KINDS if asks and all(map(kind.fits, asks))), None)

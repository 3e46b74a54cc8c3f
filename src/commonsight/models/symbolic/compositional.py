"""Questions about pictures that are answered by programs over scene graphs, as a kind of symbolic solver.

What fitting and answering need of torch is loaded when they are asked for, so that other kinds do without.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from commonsight.core.benchmark import Ask
from commonsight.models.symbolic.solver import Fitted, Fitting, Kind, Solver, Where

BOXES = "boxes"


def is_compositional(ask: Ask) -> bool:
    """Whether a question asks for a word and an object of one picture."""
    return ask.expects == "grounded" and len(ask.scenes) == 1


def fit(asks: Sequence[Ask], how: Fitting) -> Fitted:
    """Learn to read programs from questions and scene graphs from pictures; how to execute is chosen."""
    from commonsight.models.engine.checkpoint import BEST
    from commonsight.models.engine.loop import Unwatched
    from commonsight.models.symbolic import fitting

    if how.where.regions is None or how.knowledge is None:
        raise ValueError("an encoder of objects and knowledge are needed, and there is none")
    lessons = fitting.Lessons(asks, how.judged, how.where.dataset)
    watch = how.watch or (lambda _: Unwatched())
    fitted = fitting.fit(
        lessons, how.where.regions, how.knowledge, how.folder, seed=how.seed, watch=watch
    ).fitted
    measured = {"questions": float(len(asks)), "validation": fitted.tried[str(fitted.way)]}
    measured |= {"set_aside": float(fitted.set_aside)} if fitted.set_aside else {}
    return Fitted({}, measured, (fitting.FILE, fitting.KNOWN, f"programs/{BEST}", f"scenes/{BEST}"))


def load(folder: Path, where: Where) -> Solver:
    """A solver from what `fit` made."""
    from commonsight.models.symbolic import fitting

    return fitting.load(folder, where.dataset, regions=where.regions)


KIND = Kind(
    "scenes",
    "questions with programs, about scenes that an encoder of objects can tell",
    (BOXES,),
    is_compositional,
    frozenset(("judged", "regions", "knowledge")),
    fit,
    load,
    goes_on=True,
)

"""Training a text encoder on a dataset's own texts, before any network reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import structs

from commonsight.errors import UsageError
from commonsight.models.features.examples import Example, example_of
from commonsight.models.progress import Progress, silent
from commonsight.models.text import Pair
from commonsight.models.text.adapt import FROM_NOTHING, Adapting, adapt, adapt_untrained
from commonsight.models.text.elmo import save_model
from commonsight.models.text.elmo_fit import Fitting, fit_elmo
from commonsight.models.untrained import Shape
from commonsight.runs.lessons import lessons

Kind = Literal["bert", "elmo"]
SMALL = Shape(3, 128, 4, 8000, 128)
"""A BERT that learns from a few thousand short texts on a CPU."""


class TextPlan(NamedTuple):
    """What to learn from, and how."""

    kind: Kind
    dataset: Path
    start: str | None = None
    """A pretrained BERT to begin with; without one, from nothing."""
    split: str = "train"
    epochs: int | None = None
    rate: float | None = None
    seed: int = 0
    device: str = "cpu"


def train_text(plan: TextPlan, out: Path, *, progress: Progress = silent) -> str:
    """Train and save an encoder; what it came to, in words."""
    if plan.kind == "elmo" and plan.start is not None:
        raise UsageError("--from is for bert: a language model of letters begins from nothing.")
    given = lessons(plan.dataset)
    items = [item for item in given.items(plan.split) if given.benchmark.scoring.labelled(item)]
    read = [example_of(task.ask(item)) for task in given.tasks for item in items]
    if not read:
        raise UsageError(f"{plan.dataset}: split {plan.split} has no labelled question to learn from.")
    return _bert(plan, read, out, progress) if plan.kind == "bert" else _elmo(plan, read, out, progress)


def _bert(plan: TextPlan, read: list[Example], out: Path, progress: Progress) -> str:
    pairs = [
        Pair(one.query.words, one.responses[one.gold].words) for one in read if one.gold is not None
    ]
    told = {name: value for name in ("epochs", "rate") if (value := getattr(plan, name)) is not None}
    if plan.start is None:
        adapting = structs.replace(FROM_NOTHING, **told)
        done = adapt_untrained(
            pairs, out, adapting, shape=SMALL, seed=plan.seed, device=plan.device, progress=progress
        )
    else:
        adapting = structs.replace(Adapting(), **told)
        done = adapt(
            plan.start, pairs, out, adapting, seed=plan.seed, device=plan.device, progress=progress
        )
    told_apart = "" if done.pairs is None else f", of telling right responses {done.pairs:.3f}"
    return f"{done.steps:,} steps; the loss of guessing words is {done.words:.3f}{told_apart}"


def _elmo(plan: TextPlan, read: list[Example], out: Path, progress: Progress) -> str:
    texts = [text.words for one in read for text in (one.query, *one.responses)]
    fitting = Fitting() if plan.epochs is None else structs.replace(Fitting(), epochs=plan.epochs)
    done = fit_elmo(texts, fitting=fitting, seed=plan.seed, device=plan.device, progress=progress)
    save_model(done.model, out)
    guessed = "" if done.perplexity is None else f"; perplexity {done.perplexity:.1f} on unseen texts"
    return f"{done.steps:,} steps, {done.words:,} words{guessed}"

"""Training a model of inference on labelled pairs of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs

from commonsight.build.matching.similarity_fit import Judged
from commonsight.errors import UsageError
from commonsight.models.assembly import parameters
from commonsight.models.engine import checkpoint
from commonsight.models.engine.loop import Training, Unwatched, Watch
from commonsight.models.engine.state import State
from commonsight.models.engine.team import Team
from commonsight.models.features.source import Source
from commonsight.models.keeping import Keeping, Told
from commonsight.models.libraries import seeded
from commonsight.models.nli import network as nli
from commonsight.models.nli.network import About, Inference, SizeName
from commonsight.models.nli.pairs import Parted, examples, parted, read_pairs, with_extras
from commonsight.models.progress import silent
from commonsight.store.dataset import sha256
from commonsight.store.paths import cache_folder


class InferencePlan(NamedTuple):
    """What to learn from, and how."""

    files: Sequence[Path]
    judged: Path | None = None
    """To choose the best epoch by; without one, every tenth premise is held out."""
    tested: Path | None = None
    """What the best weights are tried on in the end."""
    size: SizeName = "small"
    text: str | None = None
    plain: bool = False
    """Without random pairs and paraphrases."""
    recipe: Mapping[str, Any] | None = None
    """What is not as the catalogue has it."""
    seed: int = 0
    device: str | None = None
    features: Path | None = None


class Inferred(NamedTuple):
    """What came of it."""

    state: State
    learned: int
    judged: int
    parameters: int
    tested: float | None
    """The share of the test file's pairs that the best weights tell."""


def train_nli(
    plan: InferencePlan, out: Path, *, told: Told = lambda _: silent, watch: Callable[[], Watch] = Unwatched
) -> Inferred:
    """Learn to tell what follows from what; a folder that was begun is gone on with."""
    team = Team(plan.device)
    given = _given(plan)
    tested = None if plan.tested is None else read_pairs(plan.tested)
    learned = examples(given.learned if plan.plain else with_extras(given.learned, plan.seed))
    size = nli.SIZES[plan.size]
    text = _in_full(plan.text) if plan.text else nli.default_text()
    known = nli.vocabulary(text, learned)
    with seeded(plan.seed):
        read = nli.reads(text, known, size.words)
        network = Inference(plan.size, read.module())
    recipe = structs.replace(size.recipe, **(plan.recipe or {}))
    about = About(
        plan.size, text, read.name, read.dim, known, _sources(plan), recipe, plan.plain, plan.seed
    )
    where = Keeping(plan.features or cache_folder() / "features", out, told=told)

    def source(pairs: Sequence[Judged]) -> Source:
        return nli.source(about, read, examples(pairs), where)

    with team.first_before_others():
        train, judged = nli.source(about, read, learned, where), source(given.judged)
        test = None if tested is None else source(tested)
        _begin(out, about)
    training = Training(
        network,
        train,
        nli.told_right(judged, 4 * recipe.batch),
        recipe,
        out,
        seed=plan.seed,
        watch=watch() if team.first else Unwatched(),
        team=team,
    )
    state = training.run()
    share = None
    if test is not None:
        checkpoint.restore(network, checkpoint.weights(out / checkpoint.BEST), out / checkpoint.BEST)
        share = nli.told_right(test, 4 * recipe.batch)(network, team)
    return Inferred(state, len(learned), len(given.judged), parameters(network), share)


def _given(plan: InferencePlan) -> Parted:
    """Pairs to learn from and to judge by, or a message."""
    pairs = [pair for path in plan.files for pair in read_pairs(path)]
    if plan.judged is not None:
        return Parted(pairs, read_pairs(plan.judged))
    found = parted(pairs)
    if not found.judged:
        raise UsageError(
            "There are fewer than ten premises, too few to hold some out. Give more pairs, or name a file to "
            "choose the best epoch by with --val."
        )
    return found


def _sources(plan: InferencePlan) -> dict[str, str]:
    """What the weights depend on, by content; two files may have the same name."""
    named = [("learned", path) for path in plan.files]
    named += [] if plan.judged is None else [("judged", plan.judged)]
    return {f"{use} {number} {path.name}": sha256(path) for number, (use, path) in enumerate(named, start=1)}


def _in_full(way: str) -> str:
    """`elmo:FOLDER` with the whole path, since the model may be used from anywhere."""
    kind, _, place = way.partition(":")
    return f"{kind}:{Path(place).resolve()}" if place and Path(place).exists() else way


def _begin(out: Path, about: About) -> None:
    if not nli.ABOUT.there(out):
        nli.ABOUT.save(out, about)
        return
    before = nli.ABOUT.read(out)
    differing = [name for name in about.__struct_fields__ if getattr(before, name) != getattr(about, name)]
    if differing:
        raise UsageError(
            f"{out} holds a model that was begun with other {' and '.join(differing)}. Choose another "
            "folder, or go on with the same files and options."
        )

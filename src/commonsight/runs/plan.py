"""What a run is told to do: kept in `run.json`, so that a resumed run goes on exactly as it was begun."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from commonsight.core.prompt import Prompt
from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.runs.subject import Opening
from commonsight.runs.variants import Blind, GivenAnswers, Variants
from commonsight.store.dataset import is_dataset, source_file
from commonsight.store.runs import read_run
from commonsight.vlm.keys import shown_address

ScoreBy = Literal["text", "choices", "choices-sum"]
"""By the reply, or by how likely each choice's whole text is: by its mean token, or in all."""


class Plan(Struct, frozen=True, kw_only=True):
    """What is asked, and how: all that may change a score, apart from the model."""

    paths: tuple[str, ...]
    benchmark: str | None = None
    split: str | None = None
    images: str | None = None
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    prompts: dict[str, Prompt] = {}
    """The prompts themselves: a file that is changed later changes no run."""
    shots: int = 0
    shots_from: str | None = None
    context: str | None = None
    shots_context: str | None = None
    """Of the examples; by default what the questions have."""
    nearest_choice: str | None = None
    """The word vectors that bring answers in words to a choice."""
    temperature: float = 0.0
    circular: bool = False
    blind: Blind | None = None
    choices_only: bool = False
    without: tuple[str, ...] = ()
    given: GivenAnswers = "gold"
    epochs: int = 1
    score_by: ScoreBy = "text"
    seed: int = 0

    @property
    def opening(self) -> Opening:
        """The data, to be read."""
        images = None if self.images is None else Path(self.images)
        paths = tuple(map(Path, self.paths))
        return Opening(paths, self.benchmark, self.split, images, outlines=False)  # none is ever shown

    @property
    def weighed(self) -> bool:
        """Whether choices are weighed as wholes."""
        return self.score_by != "text"

    @property
    def variants(self) -> Variants:
        """The ways in which every item is asked."""
        return Variants(self.circular, self.given, self.choices_only, self.without, self.epochs)

    @property
    def pictures(self) -> Path:
        """The folder that the pictures are in."""
        if self.images is not None:
            return Path(self.images)
        found = next((Path(path) for path in self.paths if is_dataset(Path(path))), None)
        if found is None:
            raise UsageError(
                "--images is missing: where are the pictures of these files? "
                "Name their folder, or ask without them: --blind none."
            )
        return found


class Server(Struct, frozen=True, kw_only=True):
    """Whom to ask and how fast: what a resumed run may be told anew. It holds no key."""

    model: str
    base_url: str | None = None
    concurrency: int = 64
    key_env: str | None = None
    keyring: str | None = None
    timeout: float | None = None
    cache: bool = True
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    input_price: float | None = None
    """Of a million tokens, in whatever money; likewise the next."""
    output_price: float | None = None
    device: str = "auto"
    dtype: str = "auto"
    batch: int = 8
    revision: str | None = None
    trust_remote_code: bool = False


class Kept(Struct, frozen=True, kw_only=True):
    """What `run.json` holds under `options`."""

    plan: Plan
    server: Server
    sources: dict[str, str]
    """The files that were asked about, by their hashes."""
    prompts: dict[str, str]
    """The name of each task's prompt."""
    blind: bool = False
    """Whether the items' own pictures were not shown: audits go by this."""
    context: str | None = None
    """What was told beside the questions: an oracle's name, or a file. Audits go by this, too."""


def kept(plan: Plan, server: Server) -> dict[str, Any]:
    """As `run.json` holds it."""
    names = {task: prompt.name for task, prompt in plan.prompts.items()}
    address = None if server.base_url is None else shown_address(server.base_url)
    told = Kept(
        plan=plan,
        server=structs.replace(server, base_url=address),
        sources=fingerprints(plan),
        prompts=names,
        blind=plan.blind is not None,
        context=plan.context,
    )
    found: dict[str, Any] = msgspec.to_builtins(told)
    return found


def read_kept(folder: Path) -> Kept:
    """The plan of a run, or a clear word that this run was not made by `commonsight run`."""
    options = read_run(folder).options
    try:
        return msgspec.convert(options, Kept)
    except msgspec.ValidationError as error:
        remedy = "Only runs that `commonsight run` began can be resumed."
        raise InvalidRecords([Problem(folder / "run.json", str(error), remedy, field="options")]) from error


def fingerprints(plan: Plan) -> dict[str, str]:
    """The hash of every file that changes what is asked or read: of a dataset, of what it says of itself."""
    given = (*plan.paths, plan.shots_from, plan.context, plan.shots_context, plan.nearest_choice)
    paths = [Path(path) for path in given if path is not None]
    files = [path / "dataset.json" if is_dataset(path) else path for path in paths]
    return {str(path): source_file(path).sha256 for path in files if path.is_file()}


def refuse_changed(folder: Path, told: Kept) -> None:
    """Answers to two versions of a benchmark are no run."""
    now = fingerprints(told.plan)
    for path, digest in told.sources.items():
        if path not in now:
            raise UsageError(f"{path} is gone, but {folder} was begun with it. Put it back to resume.")
        if now[path] != digest:
            raise UsageError(f"{path} has changed since {folder} was begun. Begin a new run.")

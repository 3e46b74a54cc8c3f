"""`commonsight build adversarial`: PMR's adversarial half of any PMR dataset."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli.arguments import refuse_loss
from commonsight.cli.build.judging import (
    BatchOption,
    DeviceOption,
    EpochsOption,
    LearningRateOption,
    RelevanceOption,
    RemapOption,
    RescoreOption,
    ScorerOption,
    Transformers,
    judges,
)
from commonsight.cli.build.match import matched
from commonsight.cli.console import out, visible
from commonsight.cli.tables import plural
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.build.matching.recipe import Recipe
    from commonsight.build.matching.run import MatchRun
    from commonsight.build.matching.values import Annotation

NAME = "adversarial"
EXAMPLES = """Examples:

[cyan]commonsight build adversarial world/pmr --out mixed[/]

[cyan]commonsight train-grid uniter mixed --out grid[/]"""


def command(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset with premises (PMR).")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="The dataset of both halves.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    folds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Actions are lent within a fold only.")
    ] = 11,
    remap: RemapOption = "paper",
    scorer: ScorerOption = "embedded",
    relevance: RelevanceOption = None,
    rescore: RescoreOption = None,
    epochs: EpochsOption = None,
    learning_rate: LearningRateOption = None,
    batch: BatchOption = None,
    device: DeviceOption = "cpu",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a dataset that is there.")] = False,
) -> None:
    """Give every item its like in an adversarial half: three relevant actions of others (PMR, appendix C).

    Both halves are written together; `train-grid` trains and tests on each and on both.
    """
    from commonsight.build.matching.recipe import Recipe
    from commonsight.runs.adversarial import write_adversarial
    from commonsight.runs.subject import Opening
    from commonsight.store.dataset import is_dataset

    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert`.")
    refuse_loss(out_folder, [dataset], overwrite)
    whole = out_folder.resolve()
    spool = whole.with_name(f".{whole.name}.matching")
    asked = Transformers(relevance, None, rescore, epochs, learning_rate, batch, device)
    texts = judges(scorer, asked, keep=spool / "fitted")

    def matching(annotations: list[Annotation], recipe: Recipe) -> MatchRun:
        return matched(annotations, recipe, texts, spool, workers, None)

    recipe = Recipe(seed=seed, folds=folds, remap=remap, mode="pmr")
    info = write_adversarial(Opening((dataset,)), whole, recipe, matching, overwrite=overwrite)
    shutil.rmtree(spool, ignore_errors=True)
    splits = ", ".join(f"{name} {split.items:,}" for name, split in info.splits.items())
    told = f"{out_folder}: {plural(info.items, 'item')} in two halves ({splits})"
    out.print(visible(told), markup=False, soft_wrap=True)

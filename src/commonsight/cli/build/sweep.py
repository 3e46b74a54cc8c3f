"""`commonsight build lambda-sweep`: see what lambda does before choosing one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
import typer

from commonsight.cli.arguments import Json
from commonsight.cli.build.judging import (
    BatchOption,
    DeviceOption,
    EpochsOption,
    Judges,
    LearningRateOption,
    RelevanceOption,
    RemapOption,
    RescoreOption,
    ScorerOption,
    SimilarityOption,
    TagsOption,
    Transformers,
    judges,
)
from commonsight.cli.build.match import _bucket as bucket_size
from commonsight.cli.console import err, out, print_json, progress, visible
from commonsight.cli.tables import plural
from commonsight.errors import InputError, UsageError
from commonsight.store.atomic import new_folder
from commonsight.store.jsonfiles import read_lines

if TYPE_CHECKING:
    from commonsight.build.matching.scorers import RelevanceModel
    from commonsight.build.matching.sweep import SweepRun
    from commonsight.build.matching.sweep_people import Answered
    from commonsight.build.matching.sweep_work import Sweep
    from commonsight.build.matching.values import Annotation
    from commonsight.build.matching.work import Unit
    from commonsight.cli.build.sweep_report import Report

NAME = "lambda-sweep"
EXAMPLES = """Examples:

[cyan]commonsight build lambda-sweep world/raw/vcr.jsonl --out sweep[/]

[cyan]commonsight build lambda-sweep world/raw/vcr.jsonl --out sweep --humans answers.jsonl[/]"""

ASK, KEY, TOLD = "to-answer.jsonl", "key.jsonl", "sweep.json"


def command(
    raw: Annotated[Path, typer.Argument(metavar="RAW", help="Raw annotations, JSON lines.")],
    out_folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the sweep goes.")],
    lambdas: Annotated[
        str, typer.Option(metavar="X,Y,…", help="What to try, the smallest first.")
    ] = "0.001,0.003,0.01,0.03,0.1,0.3,1",
    task: Annotated[
        Literal["answers", "rationales"], typer.Option(help="Which wrong choices to look for.")
    ] = "answers",
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same bytes.")] = 0,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
    ] = None,
    folds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Responses are lent within a fold only.")
    ] = 11,
    bucket: Annotated[
        str, typer.Option(metavar="N|none", help="How many are matched together at most.")
    ] = "3000",
    samples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Questions to read, the same for every lambda.")
    ] = 8,
    ask: Annotated[
        int, typer.Option(metavar="N", min=0, help="Questions to put before people, for every lambda.")
    ] = 100,
    humans: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What people answered: lines of {lambda, id, choice}."),
    ] = None,
    mode: Annotated[
        Literal["vcr", "generic"], typer.Option(help="generic: any context and response.")
    ] = "vcr",
    remap: RemapOption = "spoken",
    tags: TagsOption = 1.0,
    scorer: ScorerOption = "embedded",
    relevance: RelevanceOption = None,
    similarity: SimilarityOption = None,
    rescore: RescoreOption = None,
    epochs: EpochsOption = None,
    learning_rate: LearningRateOption = None,
    batch: BatchOption = None,
    device: DeviceOption = "cpu",
    as_json: Json = False,
) -> None:
    """See what lambda does: how hard each makes the test for machines, and how fair for people.

    Small ones take what is most relevant, which may be right as well; large ones what is least similar, which
    is easy. DIR gets the figures, a plot, samples, and questions for people; with their answers the same
    command adds how many they got right, without matching again.
    """
    from commonsight.build.matching.raw import read_raw
    from commonsight.build.matching.recipe import Recipe
    from commonsight.build.matching.sweep import named
    from commonsight.build.matching.sweep_work import Sweep
    from commonsight.cli.build.sweep_report import put, with_people

    recipe = Recipe(seed, bucket=bucket_size(bucket), folds=folds, remap=remap, tags=tags, mode=mode)
    sweep = Sweep(recipe, task, _lambdas(lambdas), samples, ask)
    annotations = read_raw(raw, "text" if mode == "generic" else "image")
    answers = _answers(humans, annotations, sweep)
    whole = out_folder.resolve()  # also `.` has a name then
    spool = whole.with_name(f".{whole.name}.sweeping")
    asked = Transformers(relevance, similarity, rescore, epochs, learning_rate, batch, device)
    texts = judges(scorer, asked, keep=spool / "fitted")
    judge = _judge(texts)
    sweep = named(sweep, texts.relevance, texts.similarity, judge)
    told = _finished(whole, annotations, sweep)
    if told is None:
        told = _write(whole, _swept(annotations, sweep, texts, judge, spool, workers))
        shutil.rmtree(spool)
    if answers:
        from commonsight.build.matching.sweep_people import Key

        keys = [record.value for record in read_lines(whole / KEY, Key)]
        told = with_people(told, answers, keys)
        put(whole, told)
    _tell(out_folder, told, as_json)


def _lambdas(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(
            f"--lambdas {text}: give numbers with commas between them, as in 0.01,0.1,1."
        ) from None


def _answers(path: Path | None, annotations: Sequence[Annotation], sweep: Sweep) -> tuple[Answered, ...]:
    """What people answered: read before hours of work, since all that it must fit is known."""
    if path is None:
        return ()
    from commonsight.build.matching.sweep import drawn
    from commonsight.build.matching.sweep_people import read_answers

    ids = frozenset(drawn(annotations, sweep).asked)
    return read_answers(path, sweep.lambdas, ids, sweep.recipe.rounds + 1)


def _judge(texts: Judges) -> RelevanceModel:
    """One that did not choose: of another kind than the one that does, or at least with another encoder."""
    from commonsight.build.matching.relevance import EmbeddedRelevance
    from commonsight.text.encoders import HashedEncoder

    judge = EmbeddedRelevance(HashedEncoder())
    return EmbeddedRelevance(HashedEncoder(384)) if judge.name == texts.relevance.name else judge


def _finished(folder: Path, annotations: Sequence[Annotation], sweep: Sweep) -> Report | None:
    """The same sweep if it is there already; nothing else may be."""
    from commonsight.build.matching.run import digest
    from commonsight.cli.build.sweep_report import Report

    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    other = UsageError(f"{folder} holds something else than this sweep. Choose another folder.")
    if not (folder / TOLD).is_file() or not (folder / KEY).is_file():
        raise other
    try:
        told = msgspec.json.decode((folder / TOLD).read_bytes(), type=Report)
    except msgspec.MsgspecError:
        raise other from None
    same = digest(sorted(annotations, key=lambda annotation: annotation.id)) == told.annotations
    if told.sweep != sweep or not same:
        raise other
    return told


def _swept(
    annotations: Sequence[Annotation],
    sweep: Sweep,
    texts: Judges,
    judge: RelevanceModel,
    spool: Path,
    workers: int | None,
) -> SweepRun:
    from commonsight.build.matching.sweep import run_sweep

    def shown(units: Iterator[Unit], total: int) -> Iterator[Unit]:
        return progress(units, "sweeping", total)

    begun = spool.exists()
    try:
        return run_sweep(
            annotations, sweep, texts.relevance, texts.similarity, judge, spool,
            embed=texts.embed, workers=workers, progress=shown,
        )  # fmt: skip
    except UsageError:
        raise  # a spool folder of another sweep is not ours to remove
    except InputError:
        if not begun:
            shutil.rmtree(spool, ignore_errors=True)  # going on would fail the same way
        raise


def _write(folder: Path, run: SweepRun) -> Report:
    """The folder appears only when all of it is there."""
    from commonsight.build.matching.sweep_people import questions
    from commonsight.cli.build.sweep_report import put, report

    told = report(run)
    found = questions(run)
    with new_folder(folder) as beside:
        put(beside, told)
        for name, records in ((ASK, found.asked), (KEY, found.keys)):
            lines = (msgspec.json.encode(record) + b"\n" for record in records)
            (beside / name).write_bytes(b"".join(lines))
    return told


def _tell(folder: Path, told: Report, as_json: bool) -> None:
    from commonsight.cli.build.sweep_report import shown

    if as_json:
        figures = msgspec.to_builtins(told)
        del figures["samples"]
        print_json(figures)
        return
    kind = ", drawn" if told.drawn else ""
    line = f"{folder}: {plural(told.n, 'item')} of {plural(told.groups, 'group')}, {told.task}{kind}"
    out.print(visible(line), markup=False, soft_wrap=True)
    out.print(shown(told))
    if not any(row.people for row in told.lambdas) and told.sweep.asked:
        forms = plural(len(told.lambdas), "form")
        note = f"note: {folder / ASK} has questions for people in {forms}; give their answers with --humans"
        err.print(visible(note), markup=False, soft_wrap=True)

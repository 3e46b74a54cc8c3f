"""`commonsight run`: ask a vision-language model every question of a dataset, and lose no answer."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from msgspec import structs

from commonsight.cli import run_options as said
from commonsight.cli.arguments import BenchmarkOption, Confidence, Json, Split, check_images
from commonsight.errors import UsageError

if TYPE_CHECKING:
    from commonsight.runs.plan import Kept
    from commonsight.runs.summary import RunReport
    from commonsight.runs.tally import Tally
    from commonsight.vlm.client import Client

NAME = "run"
EXAMPLES = """Examples:

[cyan]commonsight run vcr-val --model openai:my-model --base-url http://localhost:8000/v1 --out runs/mine[/]

[cyan]commonsight run aokvqa_v1p0_val.json --images coco --model openai:NAME --base-url https://host/v1[/]

[cyan]commonsight run vcr-val --model hf:path/to/model --circular --out runs/turned[/]

[cyan]commonsight run val.json --blind none --prompt paper --nearest-choice glove-6b-50d --shots 10
--shots-from train.json --context captions.jsonl --model openai:NAME --base-url http://localhost:8000/v1[/]

[cyan]commonsight run --resume runs/mine[/]"""
UNANSWERED = 1
"""The exit code where some questions got no answer: `--resume` asks them again."""
INTERRUPTED = 130


def command(
    paths: said.Paths = None,
    model: said.Model = None,
    base_url: said.BaseUrl = None,
    out_folder: said.OutFolder = None,
    resume: said.Resume = None,
    rescore: said.Rescore = None,
    benchmark: BenchmarkOption = None,
    split: Split = None,
    images: said.Images = None,
    task: said.Tasks = None,
    limit: said.Limit = None,
    seed: said.RunSeed = None,
    confidence: Confidence = 0.95,
    json: Json = False,
    prompt: said.PromptFile = None,
    regions: said.Regions = None,
    reasoning: said.Reason = None,
    shots: said.ShotCount = None,
    shots_from: said.ShotsFrom = None,
    context: said.Context = None,
    shots_context: said.ShotsContext = None,
    nearest_choice: said.NearestChoice = None,
    temperature: said.Temperature = None,
    score_by: said.ScoredBy = None,
    circular: said.Circular = None,
    blind: said.BlindTo = None,
    choices_only: said.ChoicesOnly = None,
    without: said.Without = None,
    given: said.GivenTo = None,
    epochs: said.Epochs = None,
    concurrency: said.Concurrency = None,
    key_env: said.KeyEnv = None,
    keyring: said.Keyring = None,
    timeout: said.Timeout = None,
    cache: said.UseCache = None,
    requests_per_minute: said.RequestsPerMinute = None,
    tokens_per_minute: said.TokensPerMinute = None,
    input_price: said.InputPrice = None,
    output_price: said.OutputPrice = None,
    device: said.Device = None,
    batch: said.Batch = None,
    dtype: said.Dtype = None,
    revision: said.Revision = None,
    trust_remote_code: said.TrustRemoteCode = None,
    judge: said.Judge = None,
    judge_url: said.JudgeUrl = None,
    judge_key_env: said.JudgeKeyEnv = None,
    predictions: said.Predictions = None,
) -> None:
    """Ask a model every question of a dataset. Every answer is on the disk the moment it arrives.

    Interrupt or kill it at any time: `--resume` asks only what has no answer yet. Nothing is guessed: a reply
    without a readable answer scores 0 and is counted apart.
    """
    given_options = dict(locals())
    asked = _named(given_options, _PLAN)
    served = _named(given_options, _SERVER)
    if sum(map(bool, (paths, resume, rescore))) != 1:
        raise UsageError("Name a dataset or files to ask about, or a run to --resume or to --rescore.")
    if paths:
        folder, kept = _new(paths, asked, served, out_folder)
    else:
        folder, kept = _old(resume or rescore, asked, served, out_folder)
    check_images(None if kept.plan.images is None else Path(kept.plan.images))
    reader = _judge(kept, judge, judge_url, judge_key_env)
    if predictions is not None:
        _check_predictions(kept)
    tally = None if rescore else _ask(folder, kept, new=bool(paths))
    if reader is not None and (tally is None or tally.stopped is None):
        _have_judged(reader, folder, kept)
    _finish(folder, kept, tally, reread=bool(rescore), confidence=confidence, json=json, native=predictions)


_PLAN = (
    "benchmark", "split", "images", "task", "limit", "seed", "prompt", "regions", "reasoning", "shots",
    "shots_from", "context", "shots_context", "nearest_choice", "temperature", "score_by", "circular",
    "blind", "choices_only", "without", "given", "epochs",
)  # fmt: skip
"""What may change a score, and so cannot be told anew when a run is resumed."""
_SERVER = (
    "model", "base_url", "concurrency", "key_env", "keyring", "timeout", "cache", "requests_per_minute",
    "tokens_per_minute", "input_price", "output_price", "device", "batch", "dtype",
    "revision", "trust_remote_code",
)  # fmt: skip


_WHO = ("model", "revision", "dtype")
"""Of these, what would be another model."""


def _named(options: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """The options that were given, with paths as texts."""
    found = {name: options[name] for name in names if options[name] is not None}
    return {name: str(value) if isinstance(value, Path) else value for name, value in found.items()}


def _new(
    paths: list[Path], asked: dict[str, Any], served: dict[str, Any], out_folder: Path | None
) -> tuple[Path, Kept]:
    from commonsight.runs.begin import free_folder, planned
    from commonsight.runs.plan import Kept, Server
    from commonsight.store.runs import is_run

    if "model" not in served:
        raise UsageError("--model is missing: whom shall be asked? Write openai:NAME with --base-url, say.")
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder. Check the path.")
    plan, server = planned(paths, asked), Server(**served)
    folder = out_folder or free_folder(Path("runs"), paths, server.model)
    if is_run(folder):
        raise UsageError(f"{folder} holds a run already. Go on with it: --resume {folder}; or name another.")
    return folder, Kept(plan=plan, server=server, sources={}, prompts={})


def _old(
    folder: Path | None, asked: dict[str, Any], served: dict[str, Any], out_folder: Path | None
) -> tuple[Path, Kept]:
    from commonsight.runs.plan import read_kept, refuse_changed

    assert folder is not None
    fixed = [*asked, *(name for name in _WHO if name in served), *(["out"] if out_folder else [])]
    if fixed:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in fixed)
        raise UsageError(f"{names}: a run goes on as it was begun. Leave this out, or begin a new run.")
    kept = read_kept(folder)
    refuse_changed(folder, kept)
    return folder, structs.replace(kept, server=structs.replace(kept.server, **served))


def _ask(folder: Path, kept: Kept, *, new: bool) -> Tally:
    from commonsight.cli.run_show import watching
    from commonsight.runs.begin import begin
    from commonsight.runs.running import ask_all, client_for, questioner

    plan, server = kept.plan, kept.server
    asker = questioner(plan)
    client = client_for(server, plan.score_by)

    def start() -> None:
        if new:
            begin(folder, plan, server, client.name)

    with watching(folder, plan) as watch:
        return asyncio.run(ask_all(client, folder, plan, server, asker, start, watch))


def _judge(kept: Kept, judge: str | None, url: str | None, key_env: str | None) -> Client | None:
    """The judge, made before anything is asked: what is wrong with it shall be known now."""
    if judge is None:
        return None
    from commonsight.runs.running import client_for, judging_server

    return client_for(judging_server(kept.server, judge, url, key_env))


def _have_judged(judge: Client, folder: Path, kept: Kept) -> None:
    from commonsight.cli.run_show import watching_judge
    from commonsight.runs.running import have_judged

    with watching_judge() as watch:
        asyncio.run(have_judged(judge, folder, kept.plan, kept.server, watch))


def _check_predictions(kept: Kept) -> None:
    from commonsight.runs.finish import check_hand_in

    check_hand_in(kept.plan)


def _finish(
    folder: Path, kept: Kept, tally: Tally | None, *,
    reread: bool, confidence: float, json: bool, native: Path | None,
) -> None:  # fmt: skip
    """Score what there is, tell it, and say by the exit code whether all was answered."""
    from commonsight.cli.console import print_json
    from commonsight.cli.run_show import show, tell_stopped, tell_unscored
    from commonsight.runs.finish import finished
    from commonsight.runs.rereading import read_again

    if reread:
        read_again(folder, kept.plan)
    report: RunReport | None = finished(folder, kept.plan, confidence=confidence, native=native)
    if json:
        print_json(report)
    elif report is not None:
        show(report, folder)
    else:
        tell_unscored(folder)
    if tally is not None and tally.stopped is not None:
        tell_stopped(tally.stopped)
        raise typer.Exit(INTERRUPTED)
    if report is not None and report.failed:
        raise typer.Exit(UNANSWERED)

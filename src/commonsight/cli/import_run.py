"""`commonsight import-run`: what Inspect, lmms-eval or VLMEvalKit collected, as a run of ours."""

from __future__ import annotations

from commonsight.cli.arguments import BenchmarkOption, Split
from commonsight.cli.console import out, visible
from commonsight.cli.export_options import Blind, Dataset, From, Model, Results, RunFolder
from commonsight.cli.tables import plural

NAME = "import-run"
EXAMPLES = """Examples:

[cyan]commonsight import-run logs/2026.eval --from inspect --dataset my-dataset --out runs/a[/]

[cyan]commonsight import-run out/model --from lmms-eval --dataset val.jsonl --out runs/b[/]

[cyan]commonsight import-run M_commonsight_vcr_q2a.tsv --from vlmevalkit --dataset vcr --out runs/c[/]"""


def command(
    results: Results,
    from_: From,
    dataset: Dataset,
    out_folder: RunFolder,
    model: Model = None,
    blind: Blind = False,
    split: Split = None,
    benchmark: BenchmarkOption = None,
) -> None:
    """Make a run of a peer's result: replies word for word, read by our parser, ready to compare."""
    from commonsight.runs.exports.back import bring_back
    from commonsight.runs.subject import Opening

    opening = Opening(tuple(dataset), benchmark, split)
    brought = bring_back(opening, from_, results, out_folder, model=model, blind=blind)
    tasks = ", ".join(brought.tasks)
    told = f"{out_folder}: {plural(brought.answers, 'answer')} of {brought.answerer} ({tasks})"
    if brought.unread:
        told += f", {brought.unread:,} not read"
    if brought.failed:
        told += f", {brought.failed:,} without a reply"
    out.print(visible(told), markup=False, soft_wrap=True)

"""`commonsight modules`: what a network's modules do by themselves, and how well programs are predicted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonsight.cli import train_options as said
from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import percent, plural, table

if TYPE_CHECKING:
    from commonsight.runs.modules import ModuleReport

NAME = "modules"
EXAMPLES = """Examples:

[cyan]commonsight modules trained/nmn-cs-gt questions --split test[/]

[cyan]commonsight modules trained/nmn-cs questions --split test --json[/]"""


def command(
    trained: Annotated[
        Path, typer.Argument(metavar="TRAINED", help="A folder that `train` wrote: nmn-cs or nmn-cs-gt.")
    ],
    dataset: said.Dataset,
    split: Annotated[str, typer.Option(metavar="NAME", help="The split to judge by.")] = "val",
    only: said.OnlyPart = None,
    text: said.TextFrom = None,
    regions: said.RegionsFrom = None,
    device: said.Device = None,
    features: said.FeatureFolder = None,
    threads: said.Threads = None,
    json: Json = False,
) -> None:
    """Judge the parts of a network that learns from programs: its modules, or the layouts it predicts."""
    from commonsight.cli.train_show import bars, stopping
    from commonsight.models.libraries import use_threads

    use_threads(threads)
    from commonsight.runs.modules import module_report
    from commonsight.runs.predicting import Asked

    with bars() as told, stopping():
        asked = Asked(
            dataset, split, only, regions, text, features=features, device=device, told=told.told
        )
        report = module_report(trained, asked)
    if json:
        print_json(_plain(report))
    else:
        _show(report)


def _plain(report: ModuleReport) -> dict[str, object]:
    layouts = None if report.layouts is None else {
        "functions": report.layouts.functions, "layouts": report.layouts.layouts
    }  # fmt: skip
    modules = {row.module: {"score": row.score, "calls": row.calls} for row in report.modules}
    return {"model": report.model, "n": report.n, "layouts": layouts, "modules": modules} | (
        {} if report.aside is None else {"set_aside": report.aside}
    )


def _show(report: ModuleReport) -> None:
    out.print(f"{report.model}, {plural(report.n, 'question')}", markup=False)
    if report.aside is not None:
        out.print(visible(report.aside), markup=False, soft_wrap=True)
    if report.layouts is not None:
        shown = table("predicted", "right %")
        shown.add_row("functions", percent(report.layouts.functions))
        shown.add_row("whole layouts", percent(report.layouts.layouts))
        out.print(shown)
    if report.modules:
        shown = table("module", "score %", "calls")
        for row in report.modules:
            shown.add_row(row.module, percent(row.score), f"{row.calls:,}")
        out.print(shown)
        out.print("overlap of found and true objects (IoU); of Recognition the share that is right")

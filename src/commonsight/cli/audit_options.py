"""The options of `commonsight audit`, each named once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MADE = "Datasets made from this one"
RUNS = "Runs"

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="DATASET|FILE…", help="A dataset, or native files (train and val, say)."),
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Write the report here: a page, Markdown, JSON, plots."),
]
Images = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder of the pictures of native files, to look at them too."),
]
Only = Annotated[str | None, typer.Option(metavar="NAMES", help="Only these probes, with commas between.")]
Skip = Annotated[str | None, typer.Option(metavar="NAMES", help="All probes but these.")]
FailOn = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="End with exit code 1 if this is found: warning, a finding's code, or a measure with a "
        "limit such as 'blind.choices>0.3'. May be given again.",
    ),
]
Transformer = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="A folder or hub name: fine-tuned as one more blind solver."),
]
Runs = Annotated[
    list[Path] | None,
    typer.Option("--run", metavar="RUN", rich_help_panel=RUNS, help="A run's folder, or predictions."),
]
EditedRun = Annotated[
    Path | None,
    typer.Option(
        metavar="RUN", rich_help_panel=RUNS,
        help="The same model on the edited dataset (--edit): how far does the one --run fall?",
    ),
]  # fmt: skip
Filtered = Annotated[
    Path | None,
    typer.Option("--filter", metavar="DIR", rich_help_panel=MADE, help="Write a hardened subset here."),
]
Keep = Annotated[
    float, typer.Option(metavar="SHARE", rich_help_panel=MADE, help="Of each split, kept at least.")
]
Edit = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", rich_help_panel=MADE, help="Write the same items, their choices in other words."
    ),
]
AuditSeed = Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same report.")]
Folds = Annotated[int, typer.Option(metavar="N", min=2, help="Folds of cross-validation.")]
Workers = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Processes; by default one for each core.")
]
JsonAudit = Annotated[bool, typer.Option("--json", help="Print the audit as one JSON object.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]

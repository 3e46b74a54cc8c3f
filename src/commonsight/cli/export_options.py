"""The options of `commonsight export` and of its ways back, each named once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.runs.exports.info import Peer

Paths = Annotated[
    list[Path], typer.Argument(metavar="DATASET|FILE…", help="A dataset, or native files of one benchmark.")
]
To = Annotated[Peer, typer.Option("--to", help="Where you work.")]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="The export's folder, new.")]
Tasks = Annotated[
    list[str] | None,
    typer.Option("--task", metavar="NAME", help="Only this task; may be given again. By default all."),
]
Images = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the pictures of native files.")]
NoImages = Annotated[bool, typer.Option("--no-images", help="Texts alone, as in a blind run.")]
Limit = Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N items.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an export that is there.")]

Results = Annotated[
    list[Path],
    typer.Argument(
        metavar="RESULT…",
        help="Inspect's log, lmms-eval's samples (or their folder), or VLMEvalKit's table of predictions.",
    ),
]
From = Annotated[Peer, typer.Option("--from", help="Who made the result.")]
Dataset = Annotated[
    list[Path],
    typer.Option(
        "--dataset", metavar="DATASET|FILE", help="What was exported; may be given again."
    ),
]
RunFolder = Annotated[Path, typer.Option("--out", metavar="RUN", help="The run's folder, new.")]
Blind = Annotated[
    bool, typer.Option("--blind", help="The pictures were not shown: exported with --no-images.")
]
Model = Annotated[
    str | None, typer.Option(metavar="NAME", help="What to call the model; by default what the result tells.")
]

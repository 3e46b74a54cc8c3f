"""The options of `commonsight run`, each named once. None means that nothing was said: see `runs.plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

ASKED, CHECKS, SERVER, AFTER = "How it is asked", "Checks", "The model's side", "Afterwards"

Paths = Annotated[
    list[Path] | None, typer.Argument(metavar="DATASET|FILE…", help="A dataset, or native files.")
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="KIND:NAME",
        help="openai:NAME with --base-url, hf:FOLDER_OR_NAME, or python:package.module:function.",
    ),
]
OutFolder = Annotated[
    Path | None, typer.Option("--out", metavar="RUN", help="The run's folder; by default below runs/.")
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="RUN", help="Go on with this run: only what has no answer yet is asked."),
]
Rescore = Annotated[
    Path | None,
    typer.Option(metavar="RUN", help="Read this run's replies and score them anew, and ask nothing."),
]
Images = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of the pictures of native files.")]
Tasks = Annotated[
    str | None, typer.Option("--task", metavar="NAMES", help="Only these, with commas between.")
]
Limit = Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first N items.")]

PromptFile = Annotated[
    str | None,
    typer.Option(
        "--prompt", metavar="FILE|NAME", rich_help_panel=ASKED,
        help="Prompts of your own, in TOML; or by name: for A-OKVQA paper, or paper-turns for chat models.",
    ),
]  # fmt: skip
Regions = Annotated[
    Literal["names", "boxes", "coordinates", "both"] | None,
    typer.Option(rich_help_panel=ASKED, help="How tags are shown; by default as the prompt says."),
]
Reason = Annotated[
    Literal["none", "before", "after"] | None,
    typer.Option("--reasoning", rich_help_panel=ASKED, help="Ask for reasons, before or after the answer."),
]
ShotCount = Annotated[
    int | None,
    typer.Option(
        "--shots", metavar="N", min=0, rich_help_panel=ASKED,
        help="Show so many solved examples first; A-OKVQA's prompted row has ten.",
    ),
]  # fmt: skip
ShotsFrom = Annotated[
    Path | None,
    typer.Option(metavar="FILE|DATASET", rich_help_panel=ASKED, help="Where examples come from: train."),
]
Context = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|rationale|rationales|…", rich_help_panel=ASKED,
        help="A text before each question: captions from a file, or an oracle: people's rationale (the first "
        "one) or rationales (all), or masked-rationale(s), which hide the answer.",
    ),
]  # fmt: skip
ShotsContext = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|none|…", rich_help_panel=ASKED,
        help="Contexts of the examples; by default as --context.",
    ),
]  # fmt: skip
NearestChoice = Annotated[
    str | None,
    typer.Option(
        metavar="VECTORS", rich_help_panel=ASKED,
        help="Where a prompt asks for words, what the nearest choice is found by (A-OKVQA's rule): a GloVe "
        "text file, or `glove-6b-50d` where that package is installed.",
    ),
]  # fmt: skip
Temperature = Annotated[
    float | None, typer.Option(metavar="T", min=0, max=2, rich_help_panel=ASKED, help="By default 0.")
]
ScoredBy = Annotated[
    Literal["text", "choices", "choices-sum"] | None,
    typer.Option(
        "--score-by", rich_help_panel=ASKED,
        help="Read the reply, or (hf: only) take the choice whose text is likeliest, by token or in all.",
    ),
]  # fmt: skip

Circular = Annotated[
    bool | None,
    typer.Option("--circular", rich_help_panel=CHECKS, help="All rotations; right only if right in all."),
]
BlindTo = Annotated[
    Literal["none", "other"] | None,
    typer.Option("--blind", rich_help_panel=CHECKS, help="Show no picture, or another item's."),
]
ChoicesOnly = Annotated[
    bool | None,
    typer.Option("--choices-only", rich_help_panel=CHECKS, help="Tell nothing but the choices."),
]
Without = Annotated[
    str | None, typer.Option(metavar="ROLES", rich_help_panel=CHECKS, help="Leave texts out: premise, say.")
]
GivenTo = Annotated[
    Literal["gold", "own", "all"] | None,
    typer.Option(
        "--given", rich_help_panel=CHECKS,
        help="Answers that rationales are asked for: the right one, the model's own too, all (VCR's 16).",
    ),
]  # fmt: skip
Epochs = Annotated[
    int | None, typer.Option(metavar="N", min=1, rich_help_panel=CHECKS, help="Ask everything N times.")
]

BaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", rich_help_panel=SERVER, help="Where the model answers: http://…/v1."),
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, rich_help_panel=SERVER, help="Requests at once, at most; by default 64."
    ),
]
KeyEnv = Annotated[
    str | None, typer.Option(metavar="NAME", rich_help_panel=SERVER, help="Variable that holds the key.")
]
Keyring = Annotated[
    Path | None, typer.Option(metavar="FILE", rich_help_panel=SERVER, help="A file of keys by address.")
]
Timeout = Annotated[
    float | None, typer.Option(metavar="SECONDS", min=0.1, rich_help_panel=SERVER, help="For one request.")
]
UseCache = Annotated[
    bool | None,
    typer.Option("--cache/--no-cache", rich_help_panel=SERVER, help="Keep replies for other runs."),
]
RequestsPerMinute = Annotated[
    float | None,
    typer.Option(metavar="N", min=0.1, rich_help_panel=SERVER, help="No more than the provider allows."),
]
TokensPerMinute = Annotated[
    float | None,
    typer.Option(metavar="N", min=1, rich_help_panel=SERVER, help="Likewise, of tokens read and written."),
]
InputPrice = Annotated[
    float | None,
    typer.Option(metavar="MONEY", min=0, rich_help_panel=SERVER, help="Of a million tokens read."),
]
OutputPrice = Annotated[
    float | None,
    typer.Option(metavar="MONEY", min=0, rich_help_panel=SERVER, help="Of a million tokens written."),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="NAME", rich_help_panel=SERVER, help="hf: cuda, mps or cpu; told by itself."),
]
Dtype = Annotated[
    str | None, typer.Option(metavar="NAME", rich_help_panel=SERVER, help="hf: of the weights.")
]
Revision = Annotated[str | None, typer.Option(metavar="NAME", rich_help_panel=SERVER, help="hf: on the hub.")]
TrustRemoteCode = Annotated[
    bool | None,
    typer.Option("--trust-remote-code", rich_help_panel=SERVER, help="hf: run code that the model brings."),
]
Batch = Annotated[
    int | None, typer.Option(metavar="N", min=1, rich_help_panel=SERVER, help="hf: questions at a time.")
]

Judge = Annotated[
    str | None,
    typer.Option(
        metavar="KIND:NAME", rich_help_panel=AFTER,
        help="A model that reads replies in which no answer was found; told apart, never the score.",
    ),
]  # fmt: skip
JudgeUrl = Annotated[
    str | None, typer.Option(metavar="URL", rich_help_panel=AFTER, help="Where the judge answers.")
]
JudgeKeyEnv = Annotated[
    str | None,
    typer.Option(metavar="NAME", rich_help_panel=AFTER, help="Variable that holds the judge's key."),
]
Predictions = Annotated[
    Path | None,
    typer.Option(metavar="FILE", rich_help_panel=AFTER, help="Write predictions as the leaderboard wants."),
]
RunSeed = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, help="Of examples, epochs and strangers.")
]

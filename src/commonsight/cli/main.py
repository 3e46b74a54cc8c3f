"""`commonsight`: the verbs, put together."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from commonsight import __version__
from commonsight.cli import (
    audit,
    benchmarks,
    build,
    collect,
    compare,
    convert,
    explore,
    export,
    import_run,
    import_tsv,
    models,
    modules,
    predict,
    pretrain,
    release,
    report,
    run,
    score,
    score_texts,
    show,
    train,
    train_clip,
    train_detector,
    train_grid,
    train_nli,
    train_regions,
    train_symbolic,
    train_text,
    validate,
    world,
)
from commonsight.cli.console import BAD_INPUT, print_error
from commonsight.errors import CommonsightError, InputError

INTERRUPTED = 130

app = typer.Typer(
    name="commonsight",
    help="Build, audit, run and explore visual commonsense benchmarks.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"commonsight {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Build, audit, run and explore visual commonsense benchmarks."""


for verb in (
    benchmarks, convert, show, validate, score, score_texts, compare, audit, run, report, explore, release,
    export, import_run, import_tsv, models, train, train_clip, train_detector, train_grid, train_nli,
    train_regions, train_symbolic, train_text, pretrain, predict, modules,
):  # fmt: skip
    app.command(verb.NAME, epilog=verb.EXAMPLES)(verb.command)
app.add_typer(world.app)
app.add_typer(build.app)
app.add_typer(collect.app)


def main() -> None:
    """Run the command line: bad input ends with code 2 and a message, never with a traceback."""
    try:
        app()
    except InputError as error:
        print_error(error)
        sys.exit(BAD_INPUT)
    except CommonsightError as error:
        print_error(error)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # `| head` has read enough
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            raise  # not a file that the user named
        print_error(unusable_file(error))
        sys.exit(BAD_INPUT)


def unusable_file(error: OSError) -> InputError:
    """A file or folder that the system refuses to open or to write."""
    reason = (error.strerror or str(error)).lower()
    return InputError(
        f"{error.filename}: the system refuses this ({reason}). Check the path and its permissions."
    )

"""`commonsight build vocabulary`: the answers that networks may name, taken from training items."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonsight.cli.arguments import Json
from commonsight.cli.console import out, print_json, visible
from commonsight.cli.tables import plural
from commonsight.errors import InputError, UsageError

NAME = "vocabulary"
EXAMPLES = """Examples:

[cyan]commonsight build vocabulary aokvqa --out large.csv[/]

[cyan]commonsight build vocabulary aokvqa --no-correct --choices 0 --answers 2 --out specialised.csv[/]"""


def command(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="A dataset's folder.")],
    out_file: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file: one answer a line.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="The split to take answers from.")] = "train",
    correct: Annotated[bool, typer.Option(help="Whether every right choice is in it.")] = True,
    choices: Annotated[
        int, typer.Option(metavar="N", min=0, help="Choices of at least N questions, right or not; 0: none.")
    ] = 3,
    answers: Annotated[
        int, typer.Option(metavar="N", min=0, help="Direct answers to at least N questions; 0: none.")
    ] = 3,
    json: Json = False,
) -> None:
    """Take a vocabulary of answers from training items, for networks that name what they answer.

    As A-OKVQA has it (appendix B): all right choices, and choices and direct answers of at least three
    questions. `commonsight train --vocabulary FILE` uses it; `known` is the share of other splits' questions
    that have an answer in it.
    """
    from commonsight.build.vocabulary import Rule, answer_vocabulary, write_vocabulary
    from commonsight.runs.subject import Opening
    from commonsight.runs.vocabulary import covered
    from commonsight.store.dataset import is_dataset, read_info

    if not is_dataset(dataset):
        raise UsageError(f"{dataset} is not a dataset. Make one with `commonsight convert`.")
    info = read_info(dataset)
    assert info is not None  # it is a dataset
    if split not in info.splits:
        raise UsageError(f"{dataset}: there is no split '{split}'. It has: {', '.join(info.splits)}.")
    found = answer_vocabulary(
        Opening((dataset,), split=split).read(), Rule(correct, choices or None, answers or None)
    )
    if not found:
        raise InputError(f"{dataset}: no answer of split {split} is in by these rules. Ask for less.")
    write_vocabulary(out_file, found)
    known = {
        other: covered(Opening((dataset,), split=other).read(), found)
        for other in info.splits
        if other != split
    }
    if json:
        print_json({"answers": len(found), "known": known})
        return
    shares = (f"{100 * share:.1f} % of {name}" for name, share in known.items() if share is not None)
    told = f"{out_file}: {plural(len(found), 'answer')}, with one to each of {', '.join(shares) or 'none'}"
    out.print(visible(told), markup=False, soft_wrap=True)

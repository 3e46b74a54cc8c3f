"""The table of scores as LaTeX, to be put into a paper: booktabs, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonsight.runs.exploring.board import Board
from commonsight.score.intervals import Figure

_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "&": r"\&", "%": r"\%",
    "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}",
}  # fmt: skip
_ANY = re.compile("|".join(map(re.escape, _SPECIAL)))


def escaped(text: str) -> str:
    """Text in which nothing is a command: names of runs are whatever people wrote."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return _ANY.sub(lambda found: _SPECIAL[found.group()], plain)


def latex(board: Board, *, drawn: bool) -> str:
    """Runs with intervals and tie groups."""
    return "\n".join(_lines(board, drawn)) + "\n"


def _lines(board: Board, drawn: bool) -> Iterator[str]:
    columns = "l" + "r" * len(board.metrics) + "l"
    splits = escaped(" and ".join(board.splits))
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield r"\toprule"
    yield " & ".join(("Run", *map(escaped, board.metrics), "Ties")) + r" \\"
    yield r"\midrule"
    for run in board.runs:
        cells = [_cell(run.figures[name]) for name in board.metrics]
        yield " & ".join((escaped(run.name), *cells, run.ties)) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    world = " Drawn world, not the real benchmark." if drawn else ""
    told = rf"Per cent on {splits}, {board.items:,} items, with 95\,\% intervals."
    ties = f"Runs that share a letter are not told apart by {escaped(board.metric)}."
    yield rf"\caption{{{told} {ties}{world}}}"
    yield r"\end{table}"


def _cell(figure: Figure) -> str:
    if figure.value is None:
        return "--"
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f}"
    return rf"{100 * figure.value:.1f} {{\scriptsize [{100 * figure.low:.1f}, {100 * figure.high:.1f}]}}"

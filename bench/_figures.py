"""What a benchmark reports: ratios, some of them with a target, for people, for programs and for the docs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

ROUNDS = 3
"""How often each alternative runs, unless told otherwise."""


@dataclass(frozen=True)
class Figure:
    """One ratio of one run, or a rate. Without a target it is for information."""

    key: str
    what: str
    ratio: float
    target: float | None = None
    bound: Literal["at most", "at least"] = "at most"
    unit: Literal["x", "/s", " s", " GB", " %", ""] = "x"
    """A ratio, a share or a plain number; or a rate, seconds or memory, which are this machine's own."""

    @property
    def holds(self) -> bool | None:
        """Whether the target is met; None if there is none."""
        if self.target is None:
            return None
        return self.ratio <= self.target if self.bound == "at most" else self.ratio >= self.target

    @property
    def measured(self) -> str:
        """The ratio, as exact as it can be repeated."""
        return f"{self.ratio:.0f}{self.unit}" if self.ratio >= 10 else f"{self.ratio:.2g}{self.unit}"

    @property
    def wanted(self) -> str:
        """The target in words."""
        return "" if self.target is None else f"{self.bound} {self.target:g}{self.unit}"


def arguments(about: str) -> argparse.ArgumentParser:
    """The options that every benchmark has."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each alternative runs")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    return parser


def show(figures: Sequence[Figure], as_json: bool) -> None:
    """Print the figures."""
    if as_json:
        told = {figure.key: asdict(figure) | {"holds": figure.holds} for figure in figures}
        print(json.dumps(told, indent=2))
        return
    for figure in figures:
        verdict = {True: "  met", False: "  MISSED", None: ""}[figure.holds]
        print(f"{figure.measured:>7}  {figure.what}{figure.wanted and f' ({figure.wanted})'}{verdict}")


def table(figures: Sequence[Figure]) -> str:
    """The figures as a Markdown table."""
    rows = [f"| {f.what} | {f.measured} | {f.wanted or '–'} |" for f in figures]
    return "\n".join(["| figure | measured | target |", "|---|---:|---|", *rows])

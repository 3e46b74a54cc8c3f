"""What people said of pictures: interesting or not, as lines of JSON or as a table."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from commonsight.errors import InvalidRecords, OnProblem, Problem, fail
from commonsight.store.jsonfiles import read_lines, unreadable_problem

WORDS = {
    "interesting": 1.0, "especially interesting": 1.0, "yes": 1.0, "true": 1.0,
    "okay": 0.0, "ok": 0.0, "just okay": 0.0,
    "boring": -1.0, "especially boring": -1.0, "not interesting": -1.0, "no": -1.0, "false": -1.0,
}  # fmt: skip
"""What ratings may be called: VCR's workers chose among three (appendix B.2). Numbers are as they are."""
ABOVE = 0.5
"""A picture whose ratings are more than this in the mean is interesting."""


class _Line(Struct):
    image: str
    rating: float | bool | str


class Rated(NamedTuple):
    """One picture's ratings together."""

    image: str
    mean: float


def read_ratings(path: Path, on_problem: OnProblem = fail) -> list[Rated]:
    """The mean of each picture's ratings, in the order in which pictures first come."""
    given: dict[str, list[float]] = {}
    lines = _table(path, on_problem) if path.suffix.lower() == ".csv" else _lines(path, on_problem)
    for number, image, rating in lines:
        value = _value(rating)
        if value is None or not image.strip():
            message = f"'{rating}' is no rating" if image.strip() else "the line names no picture"
            remedy = (
                f"Write a number, or one of: {', '.join(WORDS)}." if image.strip() else "Name it in `image`."
            )
            on_problem(Problem(path, message, remedy, number, field="rating" if image.strip() else "image"))
            continue
        given.setdefault(image, []).append(value)
    return [Rated(image, sum(values) / len(values)) for image, values in given.items()]


def _value(rating: float | bool | str) -> float | None:
    if isinstance(rating, bool):
        return 1.0 if rating else -1.0
    if isinstance(rating, str):
        plain = " ".join(rating.lower().split())
        if plain in WORDS:
            return WORDS[plain]
        try:
            rating = float(plain)
        except ValueError:
            return None
    return float(rating) if math.isfinite(rating) else None


def _lines(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, str, float | bool | str]]:
    for record in read_lines(path, _Line, on_problem):
        yield record.line, record.value.image, record.value.rating


def _table(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, str, str]]:
    """Columns `image` and `rating`, by their names in the first line."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            if not {"image", "rating"} <= set(rows.fieldnames or ()):
                told = ", ".join(rows.fieldnames or ()) or "nothing"
                on_problem(Problem(path, f"its columns are {told}", "Begin with a line `image,rating`.", 1))
                return
            yield from _rows(path, rows, on_problem)
    except OSError as error:
        on_problem(unreadable_problem(path, error))
    except UnicodeDecodeError:
        on_problem(Problem(path, "the text is not UTF-8", "Save the file as UTF-8."))
    except csv.Error as error:
        on_problem(Problem(path, f"this is no table ({error})", "Write one picture a line."))


def _rows(path: Path, rows: csv.DictReader[str], on_problem: OnProblem) -> Iterator[tuple[int, str, str]]:
    some = False
    for row in rows:
        some = True
        yield rows.line_num, row["image"] or "", row["rating"] or ""
    if not some:
        on_problem(Problem(path, "there is no rating in it", "Was the file copied or downloaded in full?"))


def refuse_one_sided(path: Path, interesting: Iterable[bool]) -> None:
    """Say so where there is nothing to tell apart."""
    both = set(interesting)
    if len(both) < 2:
        what = (
            "no picture that was rated"
            if not both
            else f"only {'' if True in both else 'un'}interesting pictures"
        )
        remedy = "Rate more pictures of those that were detected; names must be the same in both."
        raise InvalidRecords([Problem(path, f"there is {what}" if not both else f"there are {what}", remedy)])

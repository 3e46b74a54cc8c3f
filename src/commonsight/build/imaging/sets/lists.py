"""Candidates: the pictures of folders, and the results of searches from lists.

A list is JSON lines or CSV, one picture a line: its `query`, its `url`, and its `path` once it was
downloaded, relative to the list's own folder. `result` says which result of the search a picture was found as
similar to, counted from 0, and `rank` how similar it was, the result itself having 0; where a list does not
say, sets are found here. `synset` names the thing that was searched for; `build queries` says it too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from commonsight.build.queries.heuristics import GROUPS, Query
from commonsight.errors import InputError, InvalidRecords, OnProblem, Problem, UsageError
from commonsight.store.jsonfiles import empty_problem, read_bytes, read_lines
from commonsight.store.paths import below
from commonsight.store.walk import pictures_in

_REMEDY = "Give every picture a path, or a url and then `commonsight build download`."


class Listed(Struct, frozen=True, omit_defaults=True):
    """One line of a list."""

    query: str | None = None
    url: str | None = None
    path: str | None = None
    result: int | None = None
    rank: int | None = None
    synset: str | None = None


class Candidate(Struct, frozen=True):
    """A picture that may become a part of a set."""

    image: str
    """Its name: the path below its source, or else its address."""
    path: Path | None = None
    url: str | None = None
    query: str | None = None
    result: int | None = None
    rank: int | None = None
    synset: str | None = None

    @property
    def address(self) -> str:
        """What it is known by within a search."""
        return self.url or self.image


def candidates(sources: Sequence[Path], queries: Path | None = None) -> list[Candidate]:
    """All pictures of all sources, in order; whatever is wrong with a list is told at once."""
    problems: list[Problem] = []
    known = {} if queries is None else read_queries(queries, problems.append)
    found = _in_folders([source for source in sources if source.is_dir()])
    for source in sources:
        if not source.is_dir():
            found += _listed(source, known, problems.append)
    if problems:
        raise InvalidRecords(problems)
    _refuse_doubled(found)
    return found


def _in_folders(folders: Sequence[Path]) -> list[Candidate]:
    """Whatever is called a picture; whether it is one is found out when it is opened."""
    broken: list[Problem] = []
    found = [Candidate(one.name, one.path) for one in pictures_in(folders, broken.append)]
    found += [Candidate(str(problem.path), problem.path) for problem in broken]
    if folders and not found:
        raise InputError(f"{folders[0]}: the folder holds no pictures. Check the path.")
    return found


def _listed(path: Path, known: Mapping[str, Query], on_problem: OnProblem) -> Iterator[Candidate]:
    for number, line in read_list(path, on_problem):
        try:
            file = None if line.path is None else below(path.parent, line.path)
        except InputError as error:
            message, _, remedy = str(error).partition(". ")
            on_problem(Problem(path, message, remedy, number, field="path"))
            continue
        query = None if line.query is None else known.get(line.query.casefold())
        synset = line.synset or (None if query is None else query.noun)
        name = line.path or line.url or ""
        yield Candidate(name, file, line.url, line.query, line.result, line.rank, synset)


def _refuse_doubled(found: Iterable[Candidate]) -> None:
    """Flags name pictures, so that one name must not mean two."""
    places: dict[str, Path] = {}
    for one in found:
        if one.path is not None and places.setdefault(one.image, one.path) != one.path:
            raise UsageError(
                f"{one.image} is both {places[one.image]} and {one.path}. "
                "Give the folder that holds both sources instead."
            )


def read_list(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, Listed]]:
    """The lines of a list that are fit, with their numbers."""
    lines = _csv(path, on_problem) if path.suffix.lower() == ".csv" else _json(path, on_problem)
    some = False
    for number, line in lines:
        some = True
        fault = _fault(line)
        if fault is None:
            yield number, line
        else:
            field, message, remedy = fault
            on_problem(Problem(path, message, remedy, number, field=field))
    if not some:
        on_problem(empty_problem(path))


def _fault(line: Listed) -> tuple[str, str, str] | None:
    if not (line.path or line.url):
        return "url", "the line names no picture", _REMEDY
    for field in ("result", "rank"):
        if (getattr(line, field) or 0) < 0:
            return field, f"{getattr(line, field)} is below 0", "Count from 0."
    if line.result is not None and line.query is None:
        return "query", "a result of no query", "Say which query it is a result of."
    return None


def _json(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, Listed]]:
    bad: list[Problem] = []
    for record in read_lines(path, Listed, bad.append):
        yield record.line, record.value
    # An empty file is told by whoever asked, for both kinds of lists in the same words.
    for problem in bad:
        if problem != empty_problem(path):
            on_problem(problem)


def _csv(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, Listed]]:
    """Rows by the names in the first; a cell that is empty says nothing."""
    content = read_bytes(path, on_problem)
    if not content or content.isspace():
        return
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        on_problem(Problem(path, "the text is not UTF-8", "Save the file as UTF-8."))
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    fields = [field.name for field in msgspec.structs.fields(Listed)]
    try:
        names = reader.fieldnames or ()
        if not {"url", "path"} & set(names):
            told = f"Name the columns in the first row: {', '.join(fields)}."
            on_problem(Problem(path, "no column is called url or path", told, 1))
            return
        for row in reader:
            cells: dict[str, Any] = {name: row[name] for name in fields if row.get(name)}
            try:
                yield reader.line_num, msgspec.convert(cells, Listed, strict=False)
            except msgspec.ValidationError as error:
                told = str(error).replace("`", "'")
                on_problem(Problem(path, told, "Correct the cell.", reader.line_num))
    except csv.Error as error:
        on_problem(Problem(path, f"this is not CSV ({error})", "Check its quotes.", reader.line_num))


def read_queries(path: Path, on_problem: OnProblem) -> dict[str, Query]:
    """What `build queries` wrote, by the query."""
    return {record.value.query.casefold(): record.value for record in read_lines(path, Query, on_problem)}


_COLLECTIVE = ("two ", *(f"{words} " for group in GROUPS.values() for words in group))


def is_collective(query: str) -> bool:
    """Whether it asks for a group of things or for two of them, of which more results are looked at."""
    return query.casefold().startswith(_COLLECTIVE)

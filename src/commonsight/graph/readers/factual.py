"""FACTUAL's layout: a CSV of captioned regions, each with its graph in words.

image_id,region_id,caption,scene_graph
2319840,4385413,a large tree trunk …,"( tree trunk , is , large ) , ( tree trunk , v:come through , deck )"

`is` tells an attribute (a number too: "plants, is, 2"), `v:` marks a verb, `pv:` its passive, and "tower:1"
is a second tower of the same region. Rows of one picture stand far apart, so the file is held while it is
put together; it is small, for people wrote it.

One name within a region is one object. Objects of different regions stay different even under one name: two
captions that speak of a man may speak of two men, and a question must not rest on a guess. No object has a
box: regions do in Visual Genome, but a region is not an object's outline, and this file holds neither.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commonsight.core.inflect import gerund, participle
from commonsight.core.scene import Region, Scene
from commonsight.errors import Problem
from commonsight.graph.readers.draft import Draft, Options
from commonsight.store.jsonfiles import empty_problem, numbered_lines

COLUMNS = ("image_id", "region_id", "caption", "scene_graph")

_TRIPLE = re.compile(r"\(([^()]*)\)")
_NUMBERED = re.compile(r"(.+):\d+")


class _Row(NamedTuple):
    line: int
    region: str
    caption: str
    graph: str


def read_factual(path: Path, options: Options) -> Iterator[Scene]:
    """One scene for each picture, in the order in which the pictures first come."""
    pictures: dict[str, list[_Row]] = {}
    for line, cells in _cells(path, options):
        image, *rest = cells
        pictures.setdefault(image, []).append(_Row(line, *rest))
    for image, rows in pictures.items():
        draft = Draft(path, image, options, rows[0].line)
        for row in rows:
            _fill(draft, row)
        extra = {"regions": [row.region for row in rows], "captions": [row.caption for row in rows]}
        scene = draft.scene(extra=extra)
        if scene is not None:
            yield scene


def _cells(path: Path, options: Options) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row, in the order of `COLUMNS`, and the line where the row ends."""
    reader = csv.reader(_text(path, options), strict=True)
    header = next(_rows(path, reader, options), None)
    if header is None:
        if path.is_file():
            options.on_problem(empty_problem(path))
        return
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        message = f"there is no column {' or '.join(missing)}"
        options.on_problem(Problem(path, message, f"The first line names: {','.join(COLUMNS)}.", 1))
        return
    places = [header.index(name) for name in COLUMNS]
    for row in _rows(path, reader, options):
        if len(row) != len(header) or not row[places[0]].strip():
            message = f"the row has {len(row)} cells, the first line {len(header)}"
            if len(row) == len(header):
                message = "the row does not say which picture it is about"
            options.on_problem(Problem(path, message, "Correct the row.", reader.line_num))
            continue
        yield reader.line_num, [row[place].strip() for place in places]


def _rows(path: Path, reader: Iterator[list[str]], options: Options) -> Iterator[list[str]]:
    """Rows that are not blank; what cannot be read as a row is reported."""
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            line: int = reader.line_num  # type: ignore[attr-defined]
            message = f"this is not a row of a CSV file ({error})"
            options.on_problem(Problem(path, message, "Close every quote.", line))
            continue
        if row is None:
            return
        if row:
            yield row


def _text(path: Path, options: Options) -> Iterator[str]:
    """Lines as text. A blank one stands for every line that is left out, so that counting stays right."""
    told = 0
    for number, line in numbered_lines(path, options.on_problem):
        yield from ["\n"] * (number - told - 1)
        told = number
        try:
            yield line.decode("utf-8").replace("\0", "")
        except UnicodeDecodeError:
            options.on_problem(Problem(path, "the text is not UTF-8", "Save the file as UTF-8.", number))
            yield "\n"


def _fill(draft: Draft, row: _Row) -> None:
    """Objects, attributes and relations of one region."""
    field = f"scene_graph of region {row.region}"
    triples = [[part.strip() for part in match.split(" , ")] for match in _TRIPLE.findall(row.graph)]
    if _TRIPLE.sub("", row.graph).replace(",", "").strip() or not triples:
        draft.problem(
            field, "part of the graph is not in brackets", "Write ( a , on , b ) , ( a , is , red )."
        )
    for triple in triples:
        if len(triple) not in (1, 3) or not all(triple):
            remedy = "Write ( object ), ( object , is , attribute ) or ( object , relation , object )."
            draft.problem(field, f"'( {' , '.join(triple)} )' cannot be understood", remedy)
        elif len(triple) == 3 and triple[1] == "is":
            draft.describe(_object(draft, row, triple[0], field), [triple[2]])
        else:
            ends = [_object(draft, row, name, field) for name in triple[::2]]
            if len(ends) == 2:
                draft.relate(ends[0], in_words(triple[1]), ends[1], field)


def _object(draft: Draft, row: _Row, name: str, field: str) -> tuple[int, str]:
    """The key of an object: the row and the name it has there."""
    key = (row.line, name)
    if not draft.knows(key):
        numbered = _NUMBERED.fullmatch(name)
        label = numbered.group(1) if numbered else name
        draft.add(key, Region(label, id=draft.objects), field)
    return key


def in_words(relation: str) -> str:
    """A relation as a picture shows it: `v:sit on` is "sitting on", `pv:attach to` is "attached to"."""
    kind, _, said = relation.rpartition(":")
    verb, _, rest = said.partition(" ")
    if kind == "v":
        verb = "has" if verb == "have" else gerund(verb)
    elif kind == "pv":
        verb = participle(verb)
    return f"{verb} {rest}".strip()

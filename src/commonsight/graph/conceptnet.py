"""Knowledge from files: ConceptNet's assertions, CN100k's triples, or our own table.

Reading streams, and a bad line does not stop it: it goes to `on_problem` with its place and a remedy.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from commonsight.errors import OnProblem, Problem, fail
from commonsight.graph.knowledge import RELATIONS
from commonsight.store.jsonfiles import BYTE_ORDER_MARK, LONGEST_LINE, empty_problem, unreadable_problem

OURS = {
    "MadeOf": "MadeFrom", "InstanceOf": "IsA", "HasFirstSubevent": "HasSubevent",
    "HasLastSubevent": "HasSubevent",
}  # fmt: skip
"""ConceptNet's relations that are one of the eleven under another name."""
UNNATURAL = frozenset(
    (
        "Antonym", "Causes", "CausesDesire", "CreatedBy", "DefinedAs", "DerivedFrom", "DesireOf", "Desires",
        "DistinctFrom", "Entails", "EtymologicallyDerivedFrom", "EtymologicallyRelatedTo", "ExternalURL",
        "FormOf", "HasContext", "HasPainCharacter", "HasPainIntensity", "InheritsFrom", "LocatedNear",
        "LocationOfAction", "MannerOf", "MotivatedByGoal", "NotCapableOf", "NotDesires", "NotHasA",
        "NotHasProperty", "NotIsA", "NotMadeOf", "NotUsedFor", "ObstructedBy", "PartOf", "ReceivesActionOf",
        "RelatedTo", "SimilarTo", "SymbolOf", "Synonym",
    )
)  # fmt: skip
"""ConceptNet's other relations: of words, wishes and denials, which no one asks of a picture."""
HEADER = ("relation", "head", "tail")


class Triple(NamedTuple):
    """One line of knowledge as it was read. What was written for us is `trusted` and not weeded."""

    relation: str
    head: str
    tail: str
    weight: float = 1.0
    trusted: bool = False


class _Metadata(msgspec.Struct):
    weight: float = 1.0
    commonsight: dict[str, str] = msgspec.field(default_factory=dict)


_metadata = msgspec.json.Decoder(_Metadata).decode
Parse = Callable[[bytes], "Triple | _Fault | None"]
"""A line to its triple, to what is wrong with it, or to None where it is not for us (another language)."""


class _Fault(NamedTuple):
    field: str | None
    message: str
    remedy: str


def read_triples(
    path: Path, on_problem: OnProblem = fail, skipped: Counter[str] | None = None
) -> Iterator[Triple]:
    """The triples of a file in any of the three layouts, which is told by its first line.

    Lines in other languages than English are left out and counted in `skipped`. A relation that ConceptNet
    does not have is a problem once, at its first line; its lines are counted.
    """
    counts = Counter[str]() if skipped is None else skipped
    strange: set[str] = set()
    parse: Parse | None = None
    for number, line in _lines(path, on_problem):
        if parse is None:
            parse = _layout(line)
            if parse is _ours:
                continue
        read = parse(line)
        if read is None:
            counts["not English"] += 1
        elif isinstance(read, _Fault):
            on_problem(Problem(path, read.message, read.remedy, number, field=read.field))
        elif read.relation not in RELATIONS and read.relation not in UNNATURAL:
            counts[f"unknown relation {read.relation}"] += 1
            if read.relation not in strange:
                strange.add(read.relation)
                on_problem(_unknown_relation(path, number, read.relation))
        else:
            yield read
    if parse is None:
        on_problem(empty_problem(path))


def _layout(first: bytes) -> Parse:
    fields = first.strip().split(b"\t")
    if tuple(field.decode("utf-8", "replace").strip().lower() for field in fields[:3]) == HEADER:
        return _ours
    return _assertion if first.startswith(b"/a/") else _plain


def _assertion(line: bytes) -> Triple | _Fault | None:
    """`/a/[…]  /r/UsedFor  /c/en/fork/n  /c/en/eat  {"weight": 1.0, …}`."""
    fields = line.rstrip(b"\r\n").split(b"\t")
    if len(fields) != 5:
        return _Fault(
            None, f"{len(fields)} columns instead of 5", "Write URI, relation, start, end, metadata."
        )
    if not (fields[2].startswith(b"/c/en/") and fields[3].startswith(b"/c/en/")):
        bad = next((i for i in (2, 3) if not fields[i].startswith((b"/c/", b"http"))), None)
        if bad is None:
            return None
        return _Fault(("start", "end")[bad - 2], "this is no concept", "Write it as /c/en/some_words.")
    try:
        relation, start, end = (field.decode("utf-8") for field in fields[1:4])
        metadata = _metadata(fields[4])
    except UnicodeDecodeError:
        return _NOT_UTF8
    except (msgspec.MsgspecError, RecursionError):
        return _Fault("metadata", "this is not ConceptNet's JSON", 'Write an object such as {"weight": 1.0}.')
    if not relation.startswith("/r/"):
        return _Fault("relation", f"{relation!r} is no relation", "Write it as /r/UsedFor.")
    name = metadata.commonsight.get("relation") or relation[3:].removesuffix("/").rpartition("/")[2]
    trusted = bool(metadata.commonsight)
    return _checked(name, _concept(start), _concept(end), metadata.weight, trusted)


def _plain(line: bytes) -> Triple | _Fault | None:
    """`relation<TAB>head<TAB>tail`, with a score or without."""
    return _row(line, trusted=False)


def _ours(line: bytes) -> Triple | _Fault | None:
    return _row(line, trusted=True)


def _row(line: bytes, trusted: bool) -> Triple | _Fault:
    try:
        fields = line.decode("utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError:
        return _NOT_UTF8
    if len(fields) not in (3, 4):
        columns = f"{len(fields)} column{'s' * (len(fields) != 1)}"
        return _Fault(None, f"{columns} instead of 3", "Write relation, head and tail with tabs between.")
    weight = 1.0
    if len(fields) == 4:
        try:
            weight = float(fields[3])
        except ValueError:
            return _Fault(
                "score", f"{fields[3]!r} is not a number", "Write a number, or leave the column out."
            )
    return _checked(fields[0].strip(), fields[1], fields[2], weight, trusted)


_NOT_UTF8 = _Fault(None, "the text is not UTF-8", "Save the file as UTF-8.")


def _checked(relation: str, head: str, tail: str, weight: float, trusted: bool) -> Triple | _Fault:
    head, tail = " ".join(head.split()), " ".join(tail.split())
    for field, value in (("relation", relation), ("head", head), ("tail", tail)):
        if not value:
            return _Fault(field, "nothing stands here", "Fill it, or take the line out.")
    if weight != weight:
        return _Fault("score", "the weight is not a number", "Write a number.")
    return Triple(OURS.get(relation, relation), head, tail, weight, trusted)


def _concept(uri: str) -> str:
    """`/c/en/hot_dog/n/wn/food` → "hot dog"."""
    return uri.removeprefix("/c/en/").partition("/")[0].replace("_", " ")


_UNKNOWN = "unknown relation"


def _unknown_relation(path: Path, line: int, relation: str) -> Problem:
    known = ", ".join(RELATIONS)
    return Problem(path, f"{_UNKNOWN} {relation!r}", f"Known are {known}.", line, field="relation")


def is_unknown_relation(problem: Problem) -> bool:
    """Whether a line is as it should be, and only its relation is none of ours."""
    return problem.message.startswith(_UNKNOWN)


def _lines(path: Path, on_problem: OnProblem) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, counted from one, of a file that may be gzipped."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            yield from _numbered(gzip.GzipFile(fileobj=raw) if packed else raw, path, on_problem)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        on_problem(Problem(path, f"the file is damaged ({error})", "Was it downloaded in full?"))
    except OSError as error:
        on_problem(unreadable_problem(path, error))


def _numbered(
    stream: BinaryIO | gzip.GzipFile, path: Path, on_problem: OnProblem
) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if number == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if len(line) == LONGEST_LINE:
            on_problem(Problem(path, "the line is far too long", "Write one triple a line.", number))
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
        elif not line.isspace():
            yield number, line

"""JSON lines and JSON arrays, decoded straight into typed structs, with the place of every fault.

Reading streams: one line, or one record of an array, at a time. Fields that the struct does not know are
handed on beside it, so that nothing a file holds is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from commonsight.errors import OnProblem, Problem, fail

T = TypeVar("T")

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors put it in front of UTF-8; it is no part of the text."""

LONGEST_LINE = 8 * 1024 * 1024
"""A record longer than this is taken for a mistake: the largest real ones are a few kilobytes."""

_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_BYTE = re.compile(r"\(byte (\d+)\)")


class Record(NamedTuple, Generic[T]):
    """A decoded record, its line in the file, and the fields that its type does not know."""

    value: T
    line: int
    unknown: dict[str, Any]


class Decoder(Generic[T]):
    """Decodes one record and keeps what its type does not know.

    Most files hold no unknown field, and finding that out by a second pass would cost as much as decoding.
    So records are first decoded by a twin of the type that refuses unknown fields; only a file in which that
    fails is read the slow way from there on.
    """

    def __init__(self, record: type[T]) -> None:
        strict = msgspec.defstruct(record.__name__, [], bases=(record,), forbid_unknown_fields=True)
        self._strict: Callable[[bytes], Any] | None = msgspec.json.Decoder(strict).decode
        self._lenient = msgspec.json.Decoder(record).decode
        self._raw = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
        self._known = frozenset(field.encode_name for field in msgspec.structs.fields(record))  # type: ignore[arg-type]

    def decode(self, raw: bytes) -> tuple[T, dict[str, Any]]:
        """The typed record and its unknown fields; raises what msgspec raises."""
        if self._strict is not None:
            try:
                return self._strict(raw), {}
            except msgspec.ValidationError:
                value = self._lenient(raw)  # raises again unless unknown fields were all that was wrong
                self._strict = None
        else:
            value = self._lenient(raw)
        fields = self._raw(raw).items()
        return value, {name: msgspec.json.decode(v) for name, v in fields if name not in self._known}


def read_lines(path: Path, record: type[T], on_problem: OnProblem = fail) -> Iterator[Record[T]]:
    """The records of a JSON-lines file; a bad line goes to `on_problem` and reading goes on after it."""
    decoder = Decoder(record)
    decode = decoder.decode
    some = False
    for number, line in numbered_lines(path, on_problem):
        some = True
        try:
            value, unknown = decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            on_problem(json_problem(path, error, line, number))
            continue
        yield Record(value, number, unknown)
    if not some:
        on_problem(empty_problem(path))


def read_array(path: Path, record: type[T], on_problem: OnProblem = fail) -> Iterator[Record[T]]:
    """The records of a file that is one JSON array."""
    content = read_bytes(path, on_problem)
    if content is None:
        return
    if not content.strip():
        on_problem(empty_problem(path))
        return
    try:
        raws = msgspec.json.decode(content, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        on_problem(json_problem(path, error, content, None))
        return
    if not raws:
        on_problem(empty_problem(path))
    decoder = Decoder(record)
    line, counted, end = 1, 0, 0
    for raw in raws:
        piece = bytes(raw)
        start = content.find(piece, end)  # from the last record's end: the next one may read the same
        line += content.count(b"\n", counted, start)
        counted, end = start, start + len(piece)
        try:
            value, unknown = decoder.decode(piece)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            on_problem(json_problem(path, error, piece, line))
            continue
        yield Record(value, line, unknown)


def numbered_lines(path: Path, on_problem: OnProblem = fail) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, counted from one; one that is far too long is a problem."""
    try:
        stream = path.open("rb")
    except OSError as error:
        on_problem(unreadable_problem(path, error))
        return
    with stream:
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if number == 1:
                line = line.removeprefix(BYTE_ORDER_MARK)
            if len(line) > LONGEST_LINE:
                on_problem(_long_line_problem(path, number))
                while line and not line.endswith(b"\n"):
                    line = stream.readline(LONGEST_LINE)
            elif not line.isspace():
                yield number, line


def read_bytes(path: Path, on_problem: OnProblem = fail) -> bytes | None:
    """The whole file, or None once `on_problem` has been told why not."""
    try:
        return path.read_bytes().removeprefix(BYTE_ORDER_MARK)
    except OSError as error:
        on_problem(unreadable_problem(path, error))
        return None


def json_problem(path: Path, error: Exception, content: bytes, line: int | None) -> Problem:
    """What msgspec says, with the place in the file and a remedy."""
    if isinstance(error, UnicodeDecodeError):
        return Problem(path, "the text is not UTF-8", "Save the file as UTF-8.", line)
    if isinstance(error, RecursionError):
        return Problem(
            path, "brackets are nested too deeply", "Check that the record is complete JSON.", line
        )
    message = str(error)
    if isinstance(error, msgspec.ValidationError):
        at = _AT.search(message)
        field = at.group(1) if at and at.group(1) else None
        text = _lower_first(message[: at.start()] if at else message)
        return Problem(path, text, "Correct the field's type or value.", line, field=field)
    if line is None:
        byte = _BYTE.search(message)
        line = content.count(b"\n", 0, int(byte.group(1))) + 1 if byte else content.count(b"\n") + 1
    if "truncated" in message:
        return Problem(path, "the JSON is cut off", "Was the file copied or downloaded in full?", line)
    text = _lower_first(message.removeprefix("JSON is malformed: "))
    return Problem(path, f"this is not JSON: {text}", "Write one JSON value here.", line)


def empty_problem(path: Path) -> Problem:
    """A file without a single record."""
    return Problem(path, "the file holds no records", "Was the file copied or downloaded in full?")


def unreadable_problem(path: Path, error: OSError) -> Problem:
    """A file that cannot be opened."""
    reason = (error.strerror or str(error)).lower()
    return Problem(path, f"the file cannot be read ({reason})", "Check the path and its permissions.")


def _long_line_problem(path: Path, line: int) -> Problem:
    limit = LONGEST_LINE // (1024 * 1024)
    return Problem(
        path,
        f"the line is longer than {limit} MB",
        "Write one record a line; a JSON array belongs in a benchmark that is read as one.",
        line,
    )


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]

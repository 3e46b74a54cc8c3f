"""One huge JSON array or object, split into its members piece by piece, in memory that does not grow.

Visual Genome's scene graphs are one array of 700 MB. Only the structure is looked for here (quotes, brackets,
commas), with arrays instead of a loop over bytes; what a member holds is for the one who decodes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonsight.errors import OnProblem, Problem, fail
from commonsight.store.jsonfiles import BYTE_ORDER_MARK, empty_problem, json_problem, unreadable_problem

CHUNK = 1 << 20
LONGEST_MEMBER = 64 * 1024 * 1024
"""A member longer than this is taken for a bracket that was never closed."""

_QUOTE, _COMMA = ord('"'), ord(",")
_STRUCTURE = np.zeros(256, dtype=np.bool_)
_STRUCTURE[list(b'"[]{},')] = True
_STEP = np.zeros(256, dtype=np.int64)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1
_BACKSLASH = re.compile(rb"\\(.?)", re.DOTALL)
_CLOSES = {b"[": b"]", b"{": b"}"}


class Member(NamedTuple):
    """One member: its key in an object (None in an array), its JSON, and the line where it begins."""

    key: str | None
    raw: bytes
    line: int


def read_members(path: Path, on_problem: OnProblem = fail, *, chunk: int = CHUNK) -> Iterator[Member]:
    """The members of a file that is one JSON array or one JSON object, in order.

    A member whose key is no JSON goes to `on_problem` and reading goes on; so does one that is empty.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        on_problem(unreadable_problem(path, error))
        return
    with stream:
        splitter = _Splitter()
        some = False
        try:
            while content := stream.read(chunk):
                for piece in splitter.feed(content):
                    some = True
                    yield from _member(path, splitter.keyed, piece, on_problem)
            splitter.end()
        except _Broken as error:
            on_problem(Problem(path, error.message, error.remedy, splitter.line))
            return
        except OSError as error:
            on_problem(unreadable_problem(path, error))
            return
        if not some:
            on_problem(empty_problem(path))


def members_of(raw: bytes) -> Iterator[Member]:
    """The members of a JSON array or object in memory that is known to be whole. Doubled keys all come."""
    splitter = _Splitter()
    for piece in splitter.feed(raw):
        key, value = _keyed(piece.raw) if splitter.keyed else (None, piece.raw)
        yield Member(key, value, piece.line)


def _member(path: Path, keyed: bool, piece: _Piece, on_problem: OnProblem) -> Iterator[Member]:
    if not piece.raw:
        on_problem(Problem(path, "nothing stands before this comma or bracket", "Remove it.", piece.line))
        return
    if not keyed:
        yield Member(None, piece.raw, piece.line)
        return
    try:
        key, value = _keyed(piece.raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        on_problem(json_problem(path, error, piece.raw, piece.line))
        return
    yield Member(key, value, piece.line)


def _keyed(piece: bytes) -> tuple[str, bytes]:
    pairs = msgspec.json.decode(b"{" + piece + b"}", type=dict[str, msgspec.Raw])
    ((key, value),) = pairs.items()  # one: a comma would have ended the piece
    return key, bytes(value)


class _Piece(NamedTuple):
    raw: bytes
    line: int


class _Ends(NamedTuple):
    """Where members end in a chunk, and whether the last of these is the end of all."""

    at: list[int]
    closes: bool


class _Broken(Exception):  # noqa: N818 - it says what the file is
    """The file is no array or object from here on."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


class _Splitter:
    """Where reading stands between two chunks: how deep, whether in a string, whether after a backslash."""

    def __init__(self) -> None:
        self.line = 1
        self.keyed = False
        self._opening = b""
        self._head = b""
        self._closed = False
        self._depth = 1
        self._inside = False
        self._escaped = False
        self._kept = bytearray()
        self._some = False

    def feed(self, chunk: bytes) -> Iterator[_Piece]:
        """The members that end in this chunk."""
        if not self._opening:
            chunk = self._opened(chunk)
        if self._closed:
            self._after(chunk)
            return
        start = 0
        ends, closes = self._ends(chunk)
        for number, end in enumerate(ends, 1):
            self._kept += chunk[start:end]
            start = end + 1
            piece = self._taken()
            last = closes and number == len(ends)
            if piece.raw or self._some or not last:  # `[]` has no member, not an empty one
                self._some = True
                yield piece
        if closes:
            self._closed = True
            self._after(chunk[start:])
            return
        self._kept += chunk[start:]
        if len(self._kept) > LONGEST_MEMBER:
            limit = LONGEST_MEMBER // (1024 * 1024)
            raise _Broken(f"a member is longer than {limit} MB", "Is a bracket or a quote missing?")

    def end(self) -> None:
        """Called when the file is over."""
        if self._opening and not self._closed:
            raise _Broken("the JSON is cut off", "Was the file copied or downloaded in full?")

    def _opened(self, chunk: bytes) -> bytes:
        """The chunk behind the first bracket."""
        head = self._head + chunk
        if len(head) < len(BYTE_ORDER_MARK) and BYTE_ORDER_MARK.startswith(head):
            self._head = head
            return b""
        self._head = b""
        head = head.removeprefix(BYTE_ORDER_MARK)
        rest = head.lstrip()
        self.line += head.count(b"\n", 0, len(head) - len(rest))
        if not rest:
            return b""
        self._opening = rest[:1]
        if self._opening not in _CLOSES:
            raise _Broken("this is neither a JSON array nor a JSON object", "Is it the right file?")
        self.keyed = self._opening == b"{"
        return rest[1:]

    def _after(self, rest: bytes) -> None:
        if rest.strip():
            self.line += rest.count(b"\n", 0, len(rest) - len(rest.lstrip()))
            raise _Broken("something stands behind the last bracket", "Keep one array or object in a file.")
        self.line += rest.count(b"\n")

    def _taken(self) -> _Piece:
        """What was kept, as a piece, and the count of lines moved behind it."""
        whole = bytes(self._kept)
        self._kept.clear()
        before = len(whole) - len(whole.lstrip())
        line = self.line + whole.count(b"\n", 0, before)
        self.line = line + whole.count(b"\n", before)
        return _Piece(whole.strip(), line)

    def _ends(self, chunk: bytes) -> _Ends:
        """Positions of the commas between members in this chunk, and of the bracket that closes them all."""
        if not chunk:
            return _Ends([], False)
        codes = np.frombuffer(chunk, dtype=np.uint8)
        at = np.flatnonzero(_STRUCTURE[codes])
        escaped = self._escaped_quotes(chunk)
        if escaped:
            at = at[~np.isin(at, escaped)]
        marks = codes[at]
        quotes = marks == _QUOTE
        inside = (np.cumsum(quotes) + self._inside) & 1
        outside = ~quotes & (inside == 0)
        if len(inside):
            self._inside = bool(inside[-1])
        return self._member_ends(at[outside], marks[outside])

    def _member_ends(self, at: NDArray[np.intp], marks: NDArray[np.uint8]) -> _Ends:
        """Of the marks outside strings, those that end a member."""
        if not len(at):
            return _Ends([], False)
        depths = self._depth + np.cumsum(_STEP[marks])
        self._depth = int(depths[-1])
        ends = ((marks == _COMMA) & (depths == 1)) | (depths == 0)
        closing = np.flatnonzero(depths == 0)
        if len(closing):
            ends[closing[0] + 1 :] = False  # what follows the last bracket is no member
        return _Ends([int(end) for end in at[ends]], len(closing) > 0)

    def _escaped_quotes(self, chunk: bytes) -> list[int]:
        start = int(self._escaped)
        found = [0] if start and chunk[:1] == b'"' else []
        self._escaped = False
        for match in _BACKSLASH.finditer(chunk, start):
            if match.group(1) == b'"':
                found.append(match.start(1))
            elif not match.group(1):
                self._escaped = True
        return found

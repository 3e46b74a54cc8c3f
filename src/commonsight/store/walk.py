"""The pictures of folders, one after the other: however many there are, always in the same order.

A folder's own pictures and folders come by name, folders being entered where their name stands. Only names
are held, and only of the folders on the way. What lies beside the pictures (notes, tables) is counted and
passed by; a file that calls itself a picture and is none is a problem, and the walk goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from commonsight.errors import OnProblem, Problem, UsageError, fail
from commonsight.store.jsonfiles import unreadable_problem
from commonsight.store.pictures import HEAD, sniffed

ENDINGS = frozenset(
    (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".pgm", ".jp2", ".j2k")
)
"""Names that promise a picture."""
VIDEO_ENDINGS = frozenset(
    (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".wmv", ".flv", ".mpg", ".mpeg", ".ts", ".m2ts", ".mts",
     ".vob", ".ogv", ".3gp")
)  # fmt: skip
"""Names that promise a video."""


class Found(NamedTuple):
    """A picture, and what it is called."""

    path: Path
    name: str
    """Below the folder that was given, with that folder's own name in front where several were given."""


@dataclass
class Passed:
    """What the walk came by that is no picture."""

    others: int = 0


def pictures_in(
    places: Sequence[Path], on_problem: OnProblem = fail, *, passed: Passed | None = None
) -> Iterator[Found]:
    """The pictures of these files and folders, by content. Names that begin with a dot are passed by.

    A place that is not there is refused at once, before the first picture is asked for.
    """
    seen = Passed() if passed is None else passed
    return _walked(_named(places), partial(_picture, on_problem, seen), on_problem)


def videos_in(
    places: Sequence[Path], on_problem: OnProblem = fail, *, passed: Passed | None = None
) -> Iterator[Found]:
    """These files, whatever they are, and those of these folders that are videos by content or by name."""
    seen = Passed() if passed is None else passed
    given = {place for place in places if not place.is_dir()}
    return _walked(_named(places), partial(_video, on_problem, seen, given), on_problem)


_Leaf = Callable[[Path, str], Iterator[Found]]
"""What becomes of a file, by its path and its name."""


def _walked(places: Sequence[tuple[Path, str]], leaf: _Leaf, on_problem: OnProblem) -> Iterator[Found]:
    for place, name in places:
        if place.is_dir():
            yield from _below(place, name, leaf, on_problem, (_identity(place),))
        else:
            yield from leaf(place, name)


def _named(places: Sequence[Path]) -> list[tuple[Path, str]]:
    """Each place and what stands in front of its pictures' names."""
    for place in places:
        if not place.exists():
            raise UsageError(f"{place}: there is no such file or folder. Check the path.")
    if len(places) == 1 and places[0].is_dir():
        return [(places[0], "")]
    names = [place.resolve().name for place in places]
    if len(set(names)) < len(names):
        doubled = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"Two of these places are called {doubled}. Give the folder that holds both.")
    return list(zip(places, names, strict=True))


def _below(
    folder: Path, name: str, leaf: _Leaf, on_problem: OnProblem, above: tuple[tuple[int, int], ...]
) -> Iterator[Found]:
    try:
        with os.scandir(folder) as entries:
            inside = sorted(entry.name for entry in entries)
    except OSError as error:
        on_problem(unreadable_problem(folder, error))
        return
    for entry in inside:
        if entry.startswith("."):
            continue
        path, called = folder / entry, f"{name}/{entry}" if name else entry
        if not path.is_dir():
            yield from leaf(path, called)
        elif (own := _identity(path)) in above:
            on_problem(Problem(path, "this link leads back to a folder above it", "Remove it."))
        else:
            yield from _below(path, called, leaf, on_problem, (*above, own))


def _identity(folder: Path) -> tuple[int, int]:
    found = folder.stat()
    return found.st_dev, found.st_ino


def _head(path: Path, name: str, on_problem: OnProblem) -> bytes | None:
    """A file's first bytes; None once `on_problem` has been told why it cannot be used."""
    try:
        name.encode()
        if path.exists() and not path.is_file():  # a pipe would be waited for
            return b""
        with path.open("rb") as stream:
            return stream.read(HEAD)
    except UnicodeEncodeError:
        on_problem(Problem(path, "the file's name is not UTF-8", "Call it otherwise."))
    except OSError as error:
        on_problem(unreadable_problem(path, error))
    return None


def _video(
    on_problem: OnProblem, passed: Passed, given: Container[Path], path: Path, name: str
) -> Iterator[Found]:
    head = _head(path, name, on_problem)
    if head is None:
        return
    if path in given or path.suffix.lower() in VIDEO_ENDINGS or _is_video(head):
        yield Found(path, name)
    else:
        passed.others += 1


def _is_video(head: bytes) -> bool:
    """MP4 and QuickTime, Matroska and WebM, AVI, ASF, FLV, MPEG; a transport stream only its name tells."""
    return (
        (head[4:8] == b"ftyp" and head[8:12] not in (b"avif", b"avis", b"heic", b"heix", b"mif1", b"M4A "))
        or head[4:8] in (b"moov", b"mdat", b"wide")
        or head.startswith((b"\x1aE\xdf\xa3", b"0&\xb2u\x8ef\xcf\x11", b"FLV\x01", b"\0\0\x01"))
        or (head.startswith(b"RIFF") and head[8:12] == b"AVI ")
    )


def _picture(on_problem: OnProblem, passed: Passed, path: Path, name: str) -> Iterator[Found]:
    head = _head(path, name, on_problem)
    if head is None:
        return
    if sniffed(head) is not None:
        yield Found(path, name)
    elif path.suffix.lower() in ENDINGS:
        what = "the file is empty" if not head else "the file is called a picture and is none"
        on_problem(Problem(path, what, "Was it copied or downloaded in full?"))
    else:
        passed.others += 1

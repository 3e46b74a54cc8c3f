"""What is said of images in other files: which are interesting, and which people took out.

JSON lines with `image`, an image's name or the hash of its content. Where lines have `interesting`, they say
it, and images that no line is about are interesting: in NLVR2, workers marked those that are not. Where no
line has it, as in what `build interesting` writes, these are the interesting images, and all others are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType

from commonsight.build.imaging.sets.gallery import Seen
from commonsight.build.imaging.sets.lists import Candidate
from commonsight.errors import InvalidRecords, Problem, UsageError
from commonsight.store.jsonfiles import read_lines


class InterestLine(Struct):
    """Whether an image is interesting."""

    image: str
    interesting: bool | UnsetType = UNSET


class RemovedLine(Struct):
    """An image that people took out."""

    image: str


class Names:
    """Where images are, by every name that a file may call them."""

    def __init__(self, candidates: Sequence[Candidate], seen: Sequence[Seen | None]) -> None:
        self._count = len(candidates)
        self._places: dict[str, list[int]] = {}
        for place, (candidate, one) in enumerate(zip(candidates, seen, strict=True)):
            names = {candidate.image, candidate.url, str(candidate.path), one.sha256 if one else None}
            for name in names - {None, ""}:
                self._places.setdefault(str(name), []).append(place)

    def __len__(self) -> int:
        """How many images there are."""
        return self._count

    def of(self, name: str) -> list[int]:
        """The places of an image, which several queries may have found; none of one that is not known."""
        return self._places.get(name, [])


def read_interesting(path: Path, names: Names) -> dict[int, bool]:
    """What a file says of the images that are here. One that is named twice must be said to be the same."""
    problems: list[Problem] = []
    said: dict[int, bool] = {}
    lists: bool | None = None
    for record in read_lines(path, InterestLine, problems.append):
        interesting = record.value.interesting
        lists = interesting is UNSET if lists is None else lists
        if lists is not (interesting is UNSET):
            message, remedy = "some lines say it and some do not", "Say it in all lines, or in none."
            problems.append(Problem(path, message, remedy, record.line, field="interesting"))
            continue
        for place in names.of(record.value.image):
            if said.setdefault(place, interesting is not False) is not (interesting is not False):
                message = f"an earlier line says otherwise of {record.value.image}"
                problems.append(Problem(path, message, "Say it once.", record.line, field="interesting"))
    _refuse(path, problems, bool(said))
    return {**dict.fromkeys(range(len(names)), False), **said} if lists else said


def read_removed(path: Path, names: Names) -> frozenset[int]:
    """The images that a file lists."""
    problems: list[Problem] = []
    lines = read_lines(path, RemovedLine, problems.append)
    places = frozenset(place for record in lines for place in names.of(record.value.image))
    _refuse(path, problems, bool(places))
    return places


def _refuse(path: Path, problems: list[Problem], some: bool) -> None:
    if problems:
        raise InvalidRecords(problems)
    if not some:
        raise UsageError(
            f"{path}: no line is about any of these images. Give their names below the source, or their "
            "content's SHA-256."
        )

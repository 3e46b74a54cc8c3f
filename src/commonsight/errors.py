"""Every error that Commonsight raises on purpose, in one tree.

CommonsightError
├── InputError            what the user gave cannot be used; the command line exits with code 2
│   ├── InvalidRecords    native files or datasets with problems, each with file, line, field and remedy
│   ├── PredictionError   predictions that do not fit the gold: missing, unknown, doubled, malformed
│   ├── UsageError        options or arguments that do not go together
│   ├── InvalidAnswers    what an annotator sent does not fit the form, field by field
│   └── AnswererUnusable  no model answers there: wrong address, wrong key, unknown model, no vision
├── AnswererBusy          a model that may answer if it is asked again
├── WorkRefused           an annotator's wish that cannot be met now: work that is not theirs, or no longer
├── StorageUnavailable    a database that cannot be reached or written to (a full disk); nothing was saved
├── RequestRefused        one question that a model will never answer: an image too large, a text too long
└── MissingExtra          an optional part is not installed; the message names the extra to install

A message says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn


class CommonsightError(Exception):
    """The root: catch this to catch everything Commonsight raises on purpose."""


class InputError(CommonsightError):
    """What the user gave cannot be used."""


class UsageError(InputError):
    """Options or arguments that do not go together."""


class MissingExtra(CommonsightError):  # noqa: N818 - it says what is missing
    """An optional part is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed. Install it with: pip install 'commonsight[{extra}]'")


class InvalidAnswers(InputError):  # noqa: N818 - it carries what is wrong with them
    """What an annotator sent does not fit the form."""

    def __init__(self, complaints: Sequence[Complaint]) -> None:
        self.complaints = tuple(complaints)
        super().__init__("\n".join(f"{told.field}: {told.message}" for told in self.complaints))


class WorkRefused(CommonsightError):  # noqa: N818 - it says what became of the wish
    """What a person wants cannot be done now. `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class StorageUnavailable(CommonsightError):  # noqa: N818
    """The database cannot be reached or written to; nothing was saved."""


class AnswererUnusable(InputError):  # noqa: N818 - it says what it is
    """Nothing can be answered, so a run stops at once."""


class AnswererBusy(CommonsightError):  # noqa: N818
    """Worth trying again: too many requests, a server's fault, a broken connection, a time-out."""

    def __init__(self, message: str, *, retry_after: float | None = None, limited: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds, where the server said."""
        self.limited = limited
        """Whether it was a matter of too many requests, so that fewer should be under way."""


class RequestRefused(CommonsightError):  # noqa: N818
    """This one request cannot be answered, now or later: an image too large, a text too long."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """Why an annotator's answer cannot be taken: at which field (`triplets.0.question`), and what to do."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one file: where it stands, what it is, and the remedy."""

    path: Path
    message: str
    remedy: str
    line: int | None = None
    record: str | None = None
    field: str | None = None

    def __str__(self) -> str:
        place = str(self.path) if self.line is None else f"{self.path}:{self.line}"
        parts = [place]
        if self.record is not None:
            parts.append(f"record {self.record}")
        if self.field is not None:
            parts.append(self.field)
        return f"{': '.join(parts)}: {self.message}. {self.remedy}"


OnProblem = Callable[[Problem], None]
"""What a reader does with a problem: `fail` raises at the first, a list's `append` collects them all."""


class InvalidRecords(InputError):  # noqa: N818 - it carries the records' problems
    """Files with problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class PredictionError(InputError):
    """Predictions that do not fit the gold."""


def fail(problem: Problem) -> NoReturn:
    """Stop at the first problem."""
    raise InvalidRecords([problem])
